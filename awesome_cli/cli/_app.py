"""The root group: global options work anywhere on the line, and errors become exit codes here only."""

import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from inspect import cleandoc
from traceback import format_exc
from typing import Any

import typer
from typer.core import TyperGroup

from awesome_cli.cli._mistakes import explained, is_mistake, label, no_verb, path
from awesome_cli.cli._printing import say
from awesome_cli.errors import AwesomeError, UsageError, reason
from awesome_cli.text.inert import UNSEEN, named

FLAGS = {"--debug", "--offline", "--no-input", "--quiet", "--raw"}
VALUED = {"-C", "--color"}
INTERRUPTED = 130
DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}
"""The faults of a disk, which may come between two files."""
BREAK = re.compile(r"(?<!\n)\n(?!\n|Example:)")
"""The end of a line within a paragraph."""
WORDS = "awesome.words"
"""Where a context keeps the command as it was typed, from the verb on."""


def parted(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """The global options, which may stand anywhere before `--`, and the words from the verb on."""
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
    return front, rest


def require_text(args: Sequence[str]) -> None:
    """Raises `UsageError` for one that no file can hold, or that holds a character that acts unseen.

    Python gives surrogates for bytes that are not UTF-8.
    """
    for word in args:
        if word != word.encode(errors="ignore").decode() or "\0" in word:
            raise UsageError(f"an argument is not text in UTF-8: {word!r}")
        if found := UNSEEN.search(word):
            raise UsageError(
                f"an argument holds the invisible character {named(found[0])}: {word!r}", hint="leave it out"
            )


def verb_of(args: Sequence[str]) -> str:
    """The first word that is neither a global option nor the value of one; empty without any."""
    return next((word for word in parted(args)[1] if not word.startswith("-")), "")


class VerbGroup(TyperGroup):
    """A group of verbs; options that stand before one of them would mean nothing there, and are refused."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The verb; a paragraph of its help is one line, which a terminal breaks where it ends."""
        if found := super().get_command(ctx, cmd_name):
            found.help = BREAK.sub(" ", cleandoc(found.help or ""))
        return found

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise no_verb(ctx, args[0])
        if ctx.parent is not None:
            given = [p for p in self.params if str(ctx.get_parameter_source(p.name)).endswith("COMMANDLINE")]
            if given:
                name, verb = label(given[0]), f"{path(ctx)} {args[0]}"
                raise UsageError(f"{name} stands before {args[0]!r}", hint=f"write it behind: {verb} {name} …")
        return super().resolve_command(ctx, args)


class AwesomeGroup(VerbGroup):
    """The root group, which turns every error into a message on standard error and an exit code."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        front, rest = parted(args)
        try:
            require_text(args)
            ctx = super().make_context(info_name, [*front, *rest], parent, **extra)
            ctx.meta[WORDS] = tuple(rest)
            return ctx
        except Exception as error:
            if is_mistake(error) or isinstance(error, UsageError):
                raise self.ended(error) from None
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (Exception, KeyboardInterrupt) as error:
            # What else Typer raises (exit, abort, help) is shown by Typer.
            if not is_mistake(error) and type(error).__module__.startswith("typer"):
                raise
            if ctx.params.get("debug"):
                say(format_exc())
            raise self.ended(error, ctx) from None

    def ended(self, error: BaseException, ctx: Any = None) -> typer.Exit:
        """The end of the run, after the message."""
        text, code = verdict(explained(error, ctx) if is_mistake(error) else error)
        if text:
            say(text)
        return typer.Exit(code)


def verdict(error: BaseException) -> tuple[str | None, int]:
    """The message and the exit code for an exception."""
    match error:
        case AwesomeError(message=message, hint=hint):
            return f"error: {message}" + (f"\n  hint: {hint}" if hint else ""), error.exit_code
        case KeyboardInterrupt():
            return "interrupted" + (f": {error}" if error.args else ""), INTERRUPTED
        case BrokenPipeError():
            # The reader of our output has gone (`| head`); without this Python complains at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None, 0
        case OSError(errno=number):
            hint = "\n  hint: what was written before is whole; correct that and run the command again"
            return f"error: {reason(error)}" + hint * (number in DISK), AwesomeError.exit_code
        case RecursionError():
            return "error: something in the input is nested too deep to be read", AwesomeError.exit_code
        case MemoryError():
            return "error: not enough memory", AwesomeError.exit_code
    return (
        f"bug: {type(error).__name__}: {error}\n"
        "  hint: this is an error in awesome, not in your files; run again with --debug, and report what it prints"
    ), AwesomeError.exit_code


def surviving(work: Callable[[], object]) -> bool:
    """Return True if a part of a run succeeded; a fault is printed as at the end of a run, which here goes on."""
    try:
        work()
    except Exception as error:
        if text := verdict(error)[0]:
            say(text)
        return False
    return True
