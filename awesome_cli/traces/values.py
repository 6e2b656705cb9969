"""Rules for one value of a trace's document: functions from the value to a complaint, or to `None` if it is right."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

INFINITY = float("inf")
Complaint = tuple[str, str]
"""The code of a finding, and what is wrong with the value."""
Rule = Callable[[Any], "Complaint | None"]


def kind(value: object) -> str:
    """The JSON name of a value's type."""
    if value is None:
        return "null"
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return names.get(type(value), type(value).__name__)


def wrong(value: object, wanted: str) -> Complaint:
    return "TS004", f"is {kind(value)}, not {wanted}"


def text(value: Any) -> Complaint | None:
    """A string."""
    return None if type(value) is str else wrong(value, "a string")


def name(value: Any) -> Complaint | None:
    """A string that is not empty."""
    if type(value) is not str:
        return wrong(value, "a string")
    return None if value else ("TS007", "is empty")


def flag(value: Any) -> Complaint | None:
    """A boolean."""
    return None if type(value) is bool else wrong(value, "a boolean")


def number(value: Any) -> Complaint | None:
    """A finite number; a boolean is none."""
    if type(value) is not int and type(value) is not float:
        return wrong(value, "a number")
    return None if -INFINITY < value < INFINITY else ("TP002", "is not a finite number")


def amount(value: Any) -> Complaint | None:
    """A finite number, at least 0."""
    if (type(value) is int or type(value) is float) and 0 <= value < INFINITY:
        return None
    return number(value) or ("TS006", f"is {value}, below 0")


def natural(value: Any) -> Complaint | None:
    """A whole number, at least 0; 3.0 is one, as in JSON Schema."""
    if type(value) is int and value >= 0:
        return None
    if type(value) is float and not value.is_integer():
        return "TS004", f"is {value}, not a whole number"
    return amount(value)


def one_of(choices: Collection[str]) -> Rule:
    """One of some words."""
    words = frozenset(choices)
    listing = ", ".join(choices)

    def rule(value: Any) -> Complaint | None:
        if type(value) is not str or value not in words:
            return "TS005", f"is {value!r}, not one of {listing}" if type(value) is str else wrong(value, "a string")[1]
        return None

    return rule


def matching(pattern: str, example: str) -> Rule:
    """A string that a regular expression matches from end to end."""
    compiled = re.compile(pattern)

    def rule(value: Any) -> Complaint | None:
        if type(value) is not str:
            return wrong(value, "a string")
        return None if compiled.fullmatch(value) else ("TS008", f"is {value!r}, not like {example}")

    return rule


def names(value: Any) -> Complaint | None:
    """An array of different strings, none empty."""
    if type(value) is not list:
        return wrong(value, "an array")
    for i, item in enumerate(value):
        if fault := name(item):
            return fault[0], f"item {i} {fault[1]}"
    return None if len(set(value)) == len(value) else ("TS009", "names something twice")


def texts(value: Any) -> Complaint | None:
    """An array of strings."""
    if type(value) is not list:
        return wrong(value, "an array")
    return next(
        (("TS004", f"item {i} is {kind(v)}, not a string") for i, v in enumerate(value) if type(v) is not str), None
    )


def mapping(value: Any) -> Complaint | None:
    """An object."""
    return None if type(value) is dict else wrong(value, "an object")


def table_of(rule: Rule) -> Rule:
    """An object whose values all follow one rule."""

    def check(value: Any) -> Complaint | None:
        if type(value) is not dict:
            return wrong(value, "an object")
        for key, item in value.items():
            if fault := rule(item):
                return fault[0], f"{key!r} {fault[1]}"
        return None

    return check


def fields(rules: Mapping[str, Rule]) -> Rule:
    """An object, some of whose members follow a rule; others are free."""

    def check(value: Any) -> Complaint | None:
        if type(value) is not dict:
            return wrong(value, "an object")
        for key, item in value.items():
            rule = rules.get(key)
            if rule is not None and (fault := rule(item)):
                return fault[0], f"{key!r} {fault[1]}"
        return None

    return check


def costs(extra: Rule) -> Rule:
    """The costs: two that are required, two more that are known, others by `extra`."""
    known = dict.fromkeys(("tokens", "wall_clock_s", "tool_calls", "messages"), amount)

    def check(value: Any) -> Complaint | None:
        if type(value) is not dict:
            return wrong(value, "an object")
        for key in ("tokens", "wall_clock_s"):
            if key not in value:
                return "TS002", f"has no {key!r}"
        for key, item in value.items():
            if fault := known.get(key, extra)(item):
                return fault[0], f"{key!r} {fault[1]}"
        return None

    return check
