"""The root group: global options anywhere on the line, and one place where errors become exit codes."""

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


class AwesomeGroup(TyperGroup):
    """A group that turns what can go wrong into one line on standard error and an exit code."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        return super().make_context(info_name, hoist(args), parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except AwesomeError as error:
            if ctx.params.get("debug"):
                raise
            say(f"error: {error.message}" + (f"\n  hint: {error.hint}" if error.hint else ""))
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # The reader of our output has gone (`| head`); silence Python's own complaint at exit.
            sys.stdout = None  # type: ignore[assignment]
            raise typer.Exit(0) from None
        except (typer.Exit, typer.Abort, OSError, MemoryError, RecursionError) as error:
            if isinstance(error, typer.Exit | typer.Abort) or ctx.params.get("debug"):
                raise
            say(f"error: {describe(error)}")
            raise typer.Exit(AwesomeError.exit_code) from None
        except Exception as error:
            if ctx.params.get("debug") or type(error).__module__.startswith("typer"):
                raise
            say(
                f"bug: {type(error).__name__}: {error}\n"
                "  This is a fault of awesome, not of your files. Run again with --debug and report what it prints."
            )
            raise typer.Exit(AwesomeError.exit_code) from None


def describe(error: BaseException) -> str:
    """An operating system error in words, with the file it is about."""
    if isinstance(error, OSError):
        return f"{error.strerror or error}" + (f": {error.filename}" if error.filename else "")
    return "not enough memory" if isinstance(error, MemoryError) else "nested too deeply"


def say(text: str) -> None:
    """Talk to the person: standard error, never the answer."""
    typer.echo(text, err=True)
