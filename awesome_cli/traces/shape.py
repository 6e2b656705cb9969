"""The shape of a trace, v1 and v2, by hand: as strict as `schema/trace.json`, faster, with places.

A differential test over thousands of mutants holds these rules against the schema. A field's rule is a function from
the value to a complaint or `None`; complaints are `(code, what)`.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from awesome_cli.traces.model import (
    EDGE_TYPES,
    EDGE_TYPES_1,
    EVENT_TYPES,
    EVENT_TYPES_1,
    STATUSES,
    STOP_REASONS,
    TIME_UNITS,
    TOPOLOGIES,
    Version,
)

INFINITY = float("inf")
Complaint = tuple[str, str]
Rule = Callable[[Any], "Complaint | None"]


class Fault(NamedTuple):
    """A place in the document (JSON pointer) whose shape is wrong."""

    code: str
    pointer: str
    message: str


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


def anything(value: Any) -> Complaint | None:  # noqa: ARG001  (a rule like the others)
    """Any object member."""
    return None


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


NUMBERS = table_of(number)
EVENT_1: Mapping[str, Rule] = {
    "id": name,
    "t": amount,
    "type": one_of(EVENT_TYPES_1),
    "agent": name,
    "role": text,
    "from": text,
    "to": text,
    "tool": text,
    "content_ref": text,
    "trusted": flag,
}
EVENT_2: Mapping[str, Rule] = {
    **EVENT_1,
    "type": one_of(EVENT_TYPES),
    "seq": natural,
    "t_end": amount,
    "call_id": name,
    "task_ref": name,
    "parent": name,
    "model": text,
    "mode": one_of(("return_to_caller", "pass_control")),
    "scope": one_of(("trace", "agent")),
    "reason": one_of(STOP_REASONS),
    "status": one_of(STATUSES),
    "error_type": text,
    "content_hash": matching(r"[a-z0-9]+:[0-9a-f]{8,128}", "sha256:0123abcd"),
    "inputs": names,
    "delivery": one_of(("next_event", "explicit")),
    "steps": natural,
    "tokens_in": natural,
    "tokens_out": natural,
    "tokens_cached": natural,
    "cost_usd": amount,
    "reward": NUMBERS,
    "correct": flag,
    "sanitized": flag,
    "inferred": flag,
}
EVENT_NEEDS = ("id", "t", "type", "agent")
TYPE_NEEDS: Mapping[str, str] = {
    "spawn": "to",
    "delegate": "to",
    "tool_call": "tool",
    "tool_result": "call_id",
    "stop": "reason",
    "reward": "reward",
}
EDGE_1: Mapping[str, Rule] = {"src": name, "dst": name, "type": one_of(EDGE_TYPES_1)}
EDGE_2: Mapping[str, Rule] = {"src": name, "dst": name, "type": one_of(EDGE_TYPES), "inferred": flag}
EDGE_NEEDS = ("src", "dst", "type")
TOP_1: Mapping[str, Rule] = {
    "trace_id": name,
    "task_id": name,
    "system": text,
    "topology": one_of(TOPOLOGIES),
    "rewards": NUMBERS,
    "costs": costs(number),
    "metrics": NUMBERS,
}
TOP_2: Mapping[str, Rule] = {
    **TOP_1,
    "costs": costs(amount),
    "schema_version": matching(r"2\.[0-9]+", "2.0"),
    "time_unit": one_of(TIME_UNITS),
    "root_agents": names,
    "agents": table_of(
        fields(
            {"kind": one_of(("llm", "tool", "human", "environment")), "role": text, "model": text, "privileges": texts}
        )
    ),
    "tools": table_of(fields({"privileged": flag, "side_effect": flag, "output_trusted": flag})),
    "rollout": mapping,
    "baseline": NUMBERS,
    "provenance": mapping,
    "annotations": mapping,
    "answer_available_at": amount,
}
TOP_NEEDS = ("trace_id", "task_id", "events", "edges", "rewards", "costs")


class Item(NamedTuple):
    """What an event or an edge of one version looks like."""

    needs: tuple[str, ...]
    rules: Mapping[str, Rule]
    closed: bool = False
    type_needs: Mapping[str, str] = {}

    def fits(self, item: Any) -> bool:
        """Whether there is nothing to complain about: the fast answer for the many items that are right."""
        if type(item) is not dict:
            return False
        get, closed = self.rules.get, self.closed
        for key, value in item.items():
            rule = get(key)
            if rule is None:
                if closed:
                    return False
            elif rule(value) is not None:
                return False
        for key in self.needs:
            if key not in item:
                return False
        need = self.type_needs.get(item["type"])
        return need is None or need in item

    def faults(self, item: Any, pointer: str) -> Iterator[Fault]:
        """What there is to complain about, in words."""
        if type(item) is not dict:
            yield Fault("TS004", pointer, wrong(item, "an object")[1])
            return
        for key in self.needs:
            if key not in item:
                yield Fault("TS002", pointer, f"has no {key!r}")
        for key, value in item.items():
            rule = self.rules.get(key)
            if rule is None:
                if self.closed:
                    yield Fault("TS003", f"{pointer}/{escape(key)}", f"{key!r} is not a field of an edge")
            elif fault := rule(value):
                yield Fault(fault[0], f"{pointer}/{key}", f"{key!r} {fault[1]}")
        name_of_type = item.get("type")
        need = self.type_needs.get(name_of_type) if type(name_of_type) is str else None
        if need is not None and need not in item:
            yield Fault("TS010", pointer, f"a {name_of_type} has no {need!r}")


EVENTS: Mapping[Version, Item] = {
    1: Item(EVENT_NEEDS, EVENT_1),
    2: Item(EVENT_NEEDS, EVENT_2, type_needs=TYPE_NEEDS),
}
EDGES: Mapping[Version, Item] = {1: Item(EDGE_NEEDS, EDGE_1, closed=True), 2: Item(EDGE_NEEDS, EDGE_2, closed=True)}
TOPS: Mapping[Version, Mapping[str, Rule]] = {1: TOP_1, 2: TOP_2}


def version_of(document: Mapping[str, Any]) -> Version:
    """2 where `schema_version` is present, whatever it says; else 1."""
    return 2 if "schema_version" in document else 1


def faults(document: Any) -> Iterator[Fault]:
    """Every fault of the document's shape; none means that the schema accepts it."""
    if type(document) is not dict:
        yield Fault("TS001", "", f"a trace is an object, this is {kind(document)}")
        return
    version = version_of(document)
    yield from top_faults(document, version)
    yield from item_faults(document, "events", EVENTS[version])
    yield from item_faults(document, "edges", EDGES[version])
    if document.get("events") == []:
        yield Fault("TS007", "/events", "'events' is empty")


def top_faults(document: Mapping[str, Any], version: Version) -> Iterator[Fault]:
    """Faults of the top level, events and edges apart."""
    for key in TOP_NEEDS:
        if key not in document:
            yield Fault("TS002", "", f"has no {key!r}")
    for key, value in document.items():
        rule = TOPS[version].get(key)
        if rule is not None:
            if fault := rule(value):
                yield Fault(fault[0], "/" + key, f"{key!r} {fault[1]}")
        elif key not in ("events", "edges") and not (version == 2 and key.startswith("x-")):
            yield Fault("TS003", "/" + escape(key), f"{key!r} is not a field of a trace")


def escape(key: str) -> str:
    """A key as one step of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def item_faults(document: Mapping[str, Any], key: str, shape: Item) -> Iterator[Fault]:
    """Faults of the events, or of the edges."""
    items = document.get(key, [])
    if type(items) is not list:
        yield Fault("TS004", "/" + key, f"{key!r} {wrong(items, 'an array')[1]}")
        return
    fits = shape.fits
    for i, item in enumerate(items):
        if not fits(item):
            yield from shape.faults(item, f"/{key}/{i}")


def readable(item: dict[str, Any]) -> dict[str, Any]:
    """An event of v1 without the free members that bear a name of v2 but not its shape."""
    bad = [key for key, value in item.items() if key in EVENT_2 and EVENT_2[key](value) is not None]
    return {key: value for key, value in item.items() if key not in bad} if bad else item
