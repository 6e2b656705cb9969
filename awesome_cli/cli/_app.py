"""The root command group: accept global options anywhere on the line, and turn errors into exit codes."""

import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from inspect import cleandoc
from traceback import format_exc
from typing import Any

import typer
from typer.core import TyperGroup

from awesome_cli.cli._mistakes import explained, is_argument, is_mistake, label, no_verb, path
from awesome_cli.cli._panels import arrange, write_help
from awesome_cli.cli._printing import say
from awesome_cli.errors import AwesomeError, UsageError, reason
from awesome_cli.text.inert import UNSEEN, named

FLAGS = {"--debug", "--offline", "--no-input", "--quiet", "--raw"}
INTERRUPTED = 130
DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EBADF}
"""System errors after which some files of a change may be written and others not."""
BREAK = re.compile(r"(?<!\n)\n(?!\n|Example:)")
"""A line break within a paragraph."""
WORDS = "awesome.words"
"""Key in the context's metadata; its value is the typed command, beginning with the verb."""


def parted(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split arguments into global options and the rest: `gaps --quiet x` gives `(["--quiet"], ["gaps", "x"])`."""
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
        elif word in {"-C", "--color"} and todo:
            front += [word, todo.pop(0)]
        else:
            rest.append(word)
    return front, rest


def require_text(args: Sequence[str]) -> None:
    """Raise `UsageError` for an argument that is not UTF-8, or contains a null or another invisible character."""
    for word in args:
        # Python decodes bytes that are not UTF-8 to surrogates.
        if word != word.encode(errors="ignore").decode() or "\0" in word:
            raise UsageError(f"the argument {word!r} is not valid UTF-8 text")
        if match := UNSEEN.search(word):
            message = f"the argument {word!r} contains an invisible character ({named(match[0])})"
            raise UsageError(message, hint="remove the character")


def verb_of(args: Sequence[str]) -> str:
    """Return the verb, which follows the global options and their values; an empty string if it is missing."""
    return next((word for word in parted(args)[1] if not word.startswith("-")), "")


class VerbGroup(TyperGroup):
    """A group of verbs. It rejects options before the verb, because they would have no effect."""

    format_help: Any = write_help

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a verb. Its help has one line per paragraph; its options are arranged in panels."""
        if command := super().get_command(ctx, cmd_name):
            command.help = BREAK.sub(" ", cleandoc(command.help or ""))
            command.format_help = partial(write_help, command)  # type: ignore[method-assign]
            arrange(command, cmd_name)
        return command

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options of a group; its arguments, if any, replace the verb: `screen KEY`, `screen simulate`."""
        ctx.allow_interspersed_args = any(map(is_argument, self.params)) and not {*args} & {*self.commands}
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> Any:
        whole = ctx.command is self and ctx.allow_interspersed_args  # a verb's context asks for its path
        return [p for p in super().get_params(ctx) if whole or not is_argument(p)]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise no_verb(ctx, args[0])
        if ctx.parent is not None:
            misplaced = [p for p in self.params if str(ctx.get_parameter_source(p.name)).endswith("COMMANDLINE")]
            if misplaced:
                name, verb = label(misplaced[0]), f"{path(ctx)} {args[0]}"
                raise UsageError(f"{name} must follow {args[0]!r}", hint=f"put it after the verb: {verb} {name} …")
        return super().resolve_command(ctx, args)


class AwesomeGroup(VerbGroup):
    """The root group: print every error to standard error, and exit with the error's code."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        front, rest = parted(args)
        try:
            require_text(args)
            ctx = super().make_context(info_name, [*front, *rest], parent, **extra)
            ctx.meta[WORDS] = tuple(rest)
            return ctx
        except Exception as error:
            if is_mistake(error) or isinstance(error, UsageError | OSError):
                raise self.ended(error) from None
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (Exception, KeyboardInterrupt) as error:
            # Typer itself handles its exit, abort and help exceptions.
            if not is_mistake(error) and type(error).__module__.startswith("typer"):
                raise
            if ctx.params.get("debug"):
                say(format_exc())
            raise self.ended(error, ctx) from None

    def ended(self, error: BaseException, ctx: Any = None) -> typer.Exit:
        """Print the message of an error, and return the exit that ends the run."""
        text, code = verdict(explained(error, ctx) if is_mistake(error) else error)
        if text:
            say(text)
        return typer.Exit(code)


def verdict(error: BaseException) -> tuple[str | None, int]:
    """Return the message and the exit code of an exception; None for no message."""
    match error:
        case AwesomeError(message=message, hint=hint):
            return f"error: {message}" + (f"\n  hint: {hint}" if hint else ""), error.exit_code
        case KeyboardInterrupt():
            return "interrupted" + (f": {error}" if error.args else ""), INTERRUPTED
        case BrokenPipeError():
            # The reader closed the pipe (`| head`); without this Python prints an error at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None, 0
        case OSError(errno=number):
            hint = "\n  hint: files already written are complete; solve the problem and run the command again"
            why = "standard output is closed" if number == errno.EBADF else reason(error)
            return f"error: {why}" + hint * (number in DISK), AwesomeError.exit_code
        case RecursionError():
            return "error: the input is nested too deeply", AwesomeError.exit_code
        case MemoryError():
            return "error: not enough memory", AwesomeError.exit_code
    return (
        f"bug: {type(error).__name__}: {error}\n"
        "  hint: this is an error in awesome, not in your files; run it again with --debug and report the output"
    ), AwesomeError.exit_code


def surviving(work: Callable[[], object]) -> bool:
    """Call `work` and return True. If it fails, print the error and return False, so that a server keeps running."""
    try:
        work()
    except Exception as error:
        if text := verdict(error)[0]:
            say(text)
        return False
    return True
