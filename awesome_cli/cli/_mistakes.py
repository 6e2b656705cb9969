"""Errors of the command line, with the cause and the command to type instead."""

import re
import shlex
from collections.abc import Callable
from typing import Any

import typer

from awesome_cli.errors import UsageError
from awesome_cli.text.known import listed, unknown

PARSER = typer.BadParameter.__mro__[2]
"""The base class of the parser's exceptions."""
EXTRA = r"Got unexpected extra argument\S* \((.*)\)"
REWORDED: dict[str, str | Callable[[re.Match[str]], str]] = {
    EXTRA: (lambda match: f"unexpected argument{'s' * (len(match[1].split()) > 1)}: {match[1]}"),
    r"Option '(.*)' requires an argument": r"\1 needs a value",
    r"Option '(.*)' requires (\d+) arguments": r"\1 needs \2 values",
    r"Option '(.*)' does not take a value": r"\1 does not take a value",
    r"Missing command": "a verb is missing",
}
"""Patterns of the parser's messages, and their replacements."""


def is_mistake(error: BaseException) -> bool:
    """Return True for an error of the option parser. A group without a verb is not an error: it shows its help."""
    return isinstance(error, PARSER) and type(error).__name__ != "NoArgsIsHelpError"


def explained(error: Any, group: Any = None) -> UsageError:
    """Translate an error of the parser to `UsageError`; `group` is the context of the verb's group, if known."""
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
    hint = (match := re.match(EXTRA, str(error.format_message()))) and _with_by(context, match[1].split())
    return UsageError(f"{path(context)}: {_reworded(error)}", hint=hint or usage(context))


def _with_by(context: Any, extra: list[str]) -> str | None:
    """Return the command that counts by axes and terms given as plain words: `gaps role world` is `--by role,world`."""
    from awesome_cli.cli._corpus import vocabulary  # Imported here, since only mistakes need it.

    taxonomy = vocabulary(context.obj) if any("--by" in p.opts for p in context.command.params) else None
    if taxonomy is None:
        return None
    first = [value for p in context.command.params if is_argument(p) and (value := context.params.get(p.name))]
    axes = [word for word in (*first, *extra) if word in taxonomy.by_id]
    homes = {word: taxonomy.axes_with(word) for word in (*first, *extra) if word not in axes}
    terms = {axis: word for word, known in homes.items() for axis in known if axis in axes or len(known) == 1}
    by = [axis for axis in axes if axis not in terms]
    if len(terms) != len(homes) or len(by) > 2:
        return None
    query = shlex.quote(" ".join(map("=".join, terms.items())))
    option = "" if first and len(terms) == 1 and not by else "--where "
    return path(context) + f" --by {','.join(by)}" * bool(by) + f" {option}{query}" * bool(terms)


def _option_of(error: Any, group: Any) -> str:
    """Return the usage of the option whose value is missing, such as `awesome gaps --by AXIS`."""
    verb = getattr(group, "invoked_subcommand", None)
    if verb is None:
        return "see 'awesome --help'"
    for option in group.command.commands[verb].params:
        if getattr(error, "option_name", None) in option.opts:
            return f"{path(group)} {verb} {label(option)} {metavar(option)}"
    return f"see '{path(group)} {verb} --help'"


def no_verb(group: Any, word: str) -> UsageError:
    """Return the error for an unknown verb."""
    return UsageError(
        unknown(word, group.command.commands, "verb", owner=path(group)), hint=f"see '{path(group)} --help'"
    )


def path(ctx: Any) -> str:
    """Return the words of a command, such as `awesome taxonomy rename`."""
    return " ".join(["awesome", *ctx.command_path.split()[1:]])


def usage(ctx: Any) -> str:
    """Return the usage line of a command: its arguments and required options."""
    words = [label(p) if p.required else f"[{label(p)}]" for p in ctx.command.params if is_argument(p)]
    needed = [f"{label(p)} {metavar(p)}" for p in ctx.command.params if p.required and not is_argument(p)]
    return " ".join([path(ctx), *words, *needed])


def is_argument(parameter: Any) -> bool:
    """Return True for a positional parameter."""
    return bool(parameter.param_type_name == "argument")


def metavar(parameter: Any) -> str:
    """Return the placeholder of a parameter's value; repeatable arguments end in dots."""
    name = str(parameter.metavar or parameter.name.upper())
    return name + "..." * (is_argument(parameter) and parameter.nargs != 1)


def label(parameter: Any) -> str:
    """Return the name of a parameter on the command line."""
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
