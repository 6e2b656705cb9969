"""What is wrong with a command line, in our words: what, why, and what to type."""

import re
from collections.abc import Callable
from typing import Any

import typer

from awesome_cli.errors import UsageError
from awesome_cli.text.known import listed, unknown

PARSER = typer.BadParameter.__mro__[2]
"""What the parser raises for what it cannot do."""
REWORDED: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"Got unexpected extra argument\S* \((.*)\)": lambda found: _too_many(found[1]),
    r"Option '(.*)' requires an argument": r"\1 needs a value",
    r"Option '(.*)' requires (\d+) arguments": r"\1 needs \2 values",
    r"Option '(.*)' does not take a value": r"\1 takes no value",
    r"Missing command": "a verb is missing",
}
"""Sentences of the parser, and ours."""


def _too_many(words: str) -> str:
    n = len(words.split())
    return f"'{words}' is one word too many" if n == 1 else f"'{words}' are {n} words too many"


def is_mistake(error: BaseException) -> bool:
    """Return True if the parser complains; a bare verb that shows its help is no mistake."""
    return isinstance(error, PARSER) and type(error).__name__ != "NoArgsIsHelpError"


def explained(error: Any, group: Any = None) -> UsageError:
    """The complaint of the parser as an error of ours; `group` is the context in which the verb was called, if any."""
    context = getattr(error, "ctx", None)
    if context is None:
        return UsageError(_reworded(error), hint=_option_of(error, group))
    match type(error).__name__:
        case "NoSuchOption":
            names = [name for parameter in context.command.params for name in parameter.opts if name.startswith("--")]
            sentence = unknown(error.option_name, names, "option", owner=path(context))
            return UsageError(sentence, hint=f"see '{path(context)} --help'")
        case "MissingParameter":
            return UsageError(f"{path(context)} needs {label(error.param)}", hint=usage(context))
        case "BadParameter":
            return _value(error)
    return UsageError(f"{path(context)}: {_reworded(error)}", hint=usage(context))


def _option_of(error: Any, group: Any) -> str:
    """Return how the option is written whose value is missing, such as `awesome gaps --by AXIS`."""
    verb = getattr(group, "invoked_subcommand", None)
    if verb is None:
        return "see 'awesome --help'"
    for one in group.command.commands[verb].params:
        if getattr(error, "option_name", None) in one.opts:
            return f"{path(group)} {verb} {label(one)} {metavar(one)}"
    return f"see '{path(group)} {verb} --help'"


def no_verb(group: Any, word: str) -> UsageError:
    """The error for a verb that there is not."""
    return UsageError(
        unknown(word, group.command.commands, "verb", owner=path(group)), hint=f"see '{path(group)} --help'"
    )


def path(ctx: Any) -> str:
    """The words of a command, `awesome taxonomy rename`, whatever the program was called."""
    return " ".join(["awesome", *ctx.command_path.split()[1:]])


def usage(ctx: Any) -> str:
    """How a command is written: its arguments and the options that it needs."""
    words = [label(one) if one.required else f"[{label(one)}]" for one in ctx.command.params if is_argument(one)]
    needed = [f"{label(one)} {metavar(one)}" for one in ctx.command.params if one.required and not is_argument(one)]
    return " ".join([path(ctx), *words, *needed])


def is_argument(parameter: Any) -> bool:
    """Return True for a parameter that is named by its place."""
    return bool(parameter.param_type_name == "argument")


def metavar(parameter: Any) -> str:
    """What stands for the value of a parameter; several values end in dots."""
    name = str(parameter.metavar or parameter.name.upper())
    return name + "..." * (is_argument(parameter) and parameter.nargs != 1)


def label(parameter: Any) -> str:
    """How a parameter is called on the command line."""
    return metavar(parameter) if is_argument(parameter) else max(parameter.opts, key=len)


def _value(error: Any) -> UsageError:
    from awesome_cli.model import misfits  # Imported here, since only mistakes need it.

    name = error.param_hint or label(error.param)
    hint = f"see '{path(error.ctx)} --help'"
    problems: list[Any] = getattr(error.__cause__, "errors", list)()
    if not problems:
        return UsageError(f"{name}: {_lower(error.message)}", hint=hint)
    kind, value = problems[0]["type"], problems[0]["input"]
    choices = re.findall(r"'([^']*)'", problems[0]["msg"])[1:]
    if choices:
        return UsageError(unknown(str(value), choices, "value", owner=name), hint=listed(choices))
    if kind in misfits.WANTED:
        return UsageError(misfits.misfit({**problems[0], "loc": (name,)}), hint=hint)
    return UsageError(f"{name}: {_lower(problems[0]['msg'].removeprefix('Value error, '))}", hint=hint)


def _reworded(error: Any) -> str:
    text = str(error.format_message())
    for theirs, ours in REWORDED.items():
        text = re.sub(theirs, ours, text)
    return _lower(text)


def _lower(text: str) -> str:
    text = text.strip().rstrip(".")
    return text[:1].lower() + text[1:]
