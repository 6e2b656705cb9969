"""What is wrong with a command line, in our words: what, why, and what to type."""

import re
from typing import Any

import typer

from awesome_cli.errors import UsageError
from awesome_cli.text.known import listed, unknown

PARSER = typer.BadParameter.__mro__[2]
"""What the parser raises for what it cannot do."""
NUMBERS = {"int_parsing": "a whole number", "float_parsing": "a number"}
LIMITS = {"greater_than_equal": ("ge", "at least"), "less_than_equal": ("le", "at most")}


def is_mistake(error: BaseException) -> bool:
    """Whether the parser complains; a bare verb that shows its help is no mistake."""
    return isinstance(error, PARSER) and type(error).__name__ != "NoArgsIsHelpError"


def explained(error: Any) -> UsageError:
    """The complaint of the parser as an error of ours."""
    if type(error).__name__ == "BadOptionUsage":
        return _option(error)
    if getattr(error, "ctx", None) is None:
        return UsageError(_lower(error.format_message()))
    match type(error).__name__:
        case "NoSuchOption":
            names = [name for parameter in error.ctx.command.params for name in parameter.opts]
            message = unknown(
                error.option_name, [n for n in names if n.startswith("--")], "option", owner=path(error.ctx)
            )
            return UsageError(message, hint=f"see '{path(error.ctx)} --help'")
        case "MissingParameter":
            return UsageError(f"{path(error.ctx)} needs {label(error.param)}", hint=f"write: {usage(error.ctx)}")
        case "BadParameter":
            return _value(error)
    extra = re.search(r"extra arguments? \((.*)\)|extra argument\(s\) \((.*)\)", error.message)
    what = f"{extra[1] or extra[2]!r} is one word too many" if extra else _lower(error.message)
    return UsageError(f"{path(error.ctx)}: {what}", hint=f"write: {usage(error.ctx)}")


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
    return " ".join([path(ctx), *(word for word in words if word != "[]"), *needed])


def is_argument(parameter: Any) -> bool:
    """Whether a parameter is named by its place."""
    return bool(parameter.param_type_name == "argument")


def metavar(parameter: Any) -> str:
    """What stands for the value of a parameter; several values end in dots."""
    name = str(parameter.metavar or ("" if getattr(parameter, "hidden", False) else parameter.name.upper()))
    return name + "..." * (is_argument(parameter) and parameter.nargs != 1)


def label(parameter: Any) -> str:
    """How a parameter is called on the command line."""
    return metavar(parameter) if is_argument(parameter) else max(parameter.opts, key=len)


def _option(error: Any) -> UsageError:
    name = error.option_name
    if "does not take" in error.message:
        return UsageError(f"{name} takes no value", hint=f"write {name} alone")
    number = int(next(iter(re.findall(r"requires (\d+)", error.message)), 1))
    return UsageError(
        f"{name} needs {'a value' if number == 1 else f'{number} values'}", hint=f"write {name}{' …' * number}"
    )


def _value(error: Any) -> UsageError:
    name = error.param_hint or label(error.param)
    hint = f"see '{path(error.ctx)} --help'"
    problems: list[Any] = getattr(error.__cause__, "errors", list)()
    if not problems:
        return UsageError(f"{name}: {_lower(error.message)}", hint=hint)
    kind, value = problems[0]["type"], problems[0]["input"]
    if kind in NUMBERS:
        return UsageError(f"{name}: {value!r} is not {NUMBERS[kind]}", hint=hint)
    if kind in LIMITS:
        bound, word = LIMITS[kind]
        return UsageError(f"{name}: {value} is not {word} {problems[0]['ctx'][bound]}", hint=hint)
    _, *choices = re.findall(r"'([^']*)'", problems[0]["msg"])
    if choices:
        return UsageError(unknown(str(value), choices, "value", owner=name), hint=listed(choices))
    return UsageError(f"{name}: {_lower(problems[0]['msg'].removeprefix('Value error, '))}", hint=hint)


def _lower(text: str) -> str:
    """A sentence as part of another one."""
    text = text.strip().rstrip(".")
    return text[:1].lower() + text[1:]
