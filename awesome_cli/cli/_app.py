"""The root group: global options work anywhere on the line, and errors become exit codes here only."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from awesome_cli.errors import AwesomeError

FLAGS = {"--debug", "--offline", "--no-input", "--quiet"}
VALUED = {"-C", "--color"}
INTERRUPTED = 130


def hoist(args: Sequence[str]) -> list[str]:
    """Move the global options to the front, so that they work after the verb too; `--` ends the search."""
    front: list[str] = []
    rest: list[str] = []
    todo = list(args)
    while todo:
        word = todo.pop(0)
        if word == "--":
            rest += [word, *todo]
            break
        if word in FLAGS or word.startswith("--color="):
            front.append(word)
        elif word in VALUED and todo:
            front += [word, todo.pop(0)]
        else:
            rest.append(word)
    return front + rest


def verb_of(args: Sequence[str]) -> str:
    """The first word that is neither a global option nor the value of one; empty without any."""
    words = iter(hoist(args))
    for word in words:
        if word in VALUED:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


class AwesomeGroup(TyperGroup):
    """A group that turns every error into a message on standard error and an exit code."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return super().make_context(info_name, hoist(args), parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (Exception, KeyboardInterrupt) as error:
            # Typer's own exceptions (usage, exit, abort) are shown by Typer.
            if ctx.params.get("debug") or type(error).__module__.startswith("typer"):
                raise
            text, code = verdict(error)
            if text:
                say(text)
            raise typer.Exit(code) from None


def verdict(error: BaseException) -> tuple[str | None, int]:
    """The message and the exit code for an exception."""
    match error:
        case AwesomeError(message=message, hint=hint):
            return f"error: {message}" + (f"\n  hint: {hint}" if hint else ""), error.exit_code
        case KeyboardInterrupt():
            return "interrupted", INTERRUPTED
        case BrokenPipeError():
            # The reader of our output has gone (`| head`); without this Python complains at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None, 0
        case OSError(strerror=reason, filename=name):
            return f"error: {reason or error}" + (f": {name}" if name else ""), AwesomeError.exit_code
        case MemoryError():
            return "error: not enough memory", AwesomeError.exit_code
    return (
        f"bug: {type(error).__name__}: {error}\n"
        "  This is an error in awesome, not in your files. Run again with --debug and report what it prints."
    ), AwesomeError.exit_code


def say(text: str) -> None:
    """Print a message to standard error; the answer alone goes to standard output."""
    typer.echo(text, err=True)
