"""Validators: functions that check one value of a trace. They return `None` for a valid value, else the broken rule."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from awesome_cli.traces import rules
from awesome_cli.traces.rules import RuleMessage

INFINITY = float("inf")
Validator = Callable[[Any], RuleMessage | None]
JSON_TYPES = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def json_type(value: object) -> str:
    """The JSON name of a value's type."""
    return JSON_TYPES.get(type(value), type(value).__name__)


def wrong_type(value: object, wanted: str) -> RuleMessage:
    """The finding for a value that is not of the type `wanted`."""
    return rules.WRONG_TYPE, f"is {json_type(value)}, not {wanted}"


def text(value: Any) -> RuleMessage | None:
    """A string."""
    return None if type(value) is str else wrong_type(value, "a string")


def name(value: Any) -> RuleMessage | None:
    """A string that is not empty."""
    if type(value) is not str:
        return wrong_type(value, "a string")
    return None if value else (rules.EMPTY, "is empty")


def flag(value: Any) -> RuleMessage | None:
    """A boolean."""
    return None if type(value) is bool else wrong_type(value, "a boolean")


def number(value: Any) -> RuleMessage | None:
    """A finite number; a boolean is not a number."""
    if type(value) is not int and type(value) is not float:
        return wrong_type(value, "a number")
    return None if -INFINITY < value < INFINITY else (rules.NOT_A_NUMBER, "is not a finite number")


def amount(value: Any) -> RuleMessage | None:
    """A finite number, at least 0."""
    if (type(value) is int or type(value) is float) and 0 <= value < INFINITY:
        return None
    return number(value) or (rules.BELOW_MINIMUM, f"is {value}, below 0")


def natural(value: Any) -> RuleMessage | None:
    """A whole number, at least 0; 3.0 is a whole number, as in JSON Schema."""
    if type(value) is int and value >= 0:
        return None
    if type(value) is float and not value.is_integer():
        return rules.WRONG_TYPE, f"is {value}, not a whole number"
    return amount(value)


def one_of(choices: Collection[str]) -> Validator:
    """A string that is one of `choices`."""
    words = frozenset(choices)
    listing = ", ".join(choices)

    def check(value: Any) -> RuleMessage | None:
        if type(value) is not str:
            return rules.UNKNOWN_WORD, wrong_type(value, "a string")[1]
        return None if value in words else (rules.UNKNOWN_WORD, f"is {value!r}, not one of {listing}")

    return check


def matching(pattern: str, example: str) -> Validator:
    """A string that the regular expression matches as a whole; `example` is for the message."""
    compiled = re.compile(pattern)

    def check(value: Any) -> RuleMessage | None:
        if type(value) is not str:
            return wrong_type(value, "a string")
        return None if compiled.fullmatch(value) else (rules.WRONG_FORM, f"is {value!r}, not like {example}")

    return check


def array_of(validator: Validator, *, different: bool = False) -> Validator:
    """An array whose items all pass one validator, and with `different` are all different."""

    def check(value: Any) -> RuleMessage | None:
        if type(value) is not list:
            return wrong_type(value, "an array")
        for i, item in enumerate(value):
            if found := validator(item):
                return found[0], f"item {i} {found[1]}"
        return (rules.REPEATED_NAME, "contains a name twice") if different and len(set(value)) < len(value) else None

    return check


names = array_of(name, different=True)
texts = array_of(text)


def object_of(
    known: Mapping[str, Validator], *, required: Collection[str] = (), others: Validator | None = None
) -> Validator:
    """An object: values of `known` fields and, if given, of all `others` pass their validators."""

    def check(value: Any) -> RuleMessage | None:
        if type(value) is not dict:
            return wrong_type(value, "an object")
        for key in required:
            if key not in value:
                return rules.MISSING_FIELD, f"has no {key!r}"
        for key, item in value.items():
            validator = known.get(key, others)
            if validator is not None and (found := validator(item)):
                return found[0], f"{key!r} {found[1]}"
        return None

    return check


mapping = object_of({})


def table_of(validator: Validator) -> Validator:
    """An object whose values all pass one validator."""
    return object_of({}, others=validator)


def costs(others: Validator) -> Validator:
    """The costs: `tokens` and `wall_clock_s` are required; costs of unknown names must pass `others`."""
    known = dict.fromkeys(("tokens", "wall_clock_s", "tool_calls", "messages"), amount)
    return object_of(known, required=("tokens", "wall_clock_s"), others=others)
