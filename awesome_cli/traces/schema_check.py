"""The schema of traces: which fields are known or required in v1 and v2, and which values are valid.

A validator is a function that checks one value: it returns `None` for a valid value, else the broken rule. At the end
stands what the schema of v2 accepts and a rule reports: misspelt members, and tool events without names.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from awesome_cli.traces import model, rules
from awesome_cli.traces.model import Trace, Version
from awesome_cli.traces.rules import RuleMessage, TraceFinding

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
array = array_of(lambda _: None)


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


NUMBERS = table_of(number)
EVENT_1: Mapping[str, Validator] = {
    "t": amount,
    "type": one_of(model.EVENT_TYPES_1),
    "trusted": flag,
    **dict.fromkeys(("id", "agent"), name),
    **dict.fromkeys(("role", "from", "to", "tool", "content_ref"), text),
}
EVENT_2: Mapping[str, Validator] = {
    **EVENT_1,
    "type": one_of(model.EVENT_TYPES),
    "mode": one_of(("return_to_caller", "pass_control")),
    "scope": one_of(("trace", "agent")),
    "reason": one_of(model.STOP_REASONS),
    "status": one_of(model.STATUSES),
    "delivery": one_of(("next_event", "explicit")),
    "content_hash": matching(r"[a-z0-9]+:[0-9a-f]{8,128}", "sha256:0123abcd"),
    "inputs": names,
    "reward": NUMBERS,
    **dict.fromkeys(("call_id", "task_ref", "subtask", "parent"), name),
    **dict.fromkeys(("model", "error_type", "source", "purpose"), text),
    **dict.fromkeys(("t_end", "cost_usd"), amount),
    **dict.fromkeys(("seq", "steps", "attempts", *model.TOKENS), natural),
    **dict.fromkeys(("correct", "sanitized", "inferred", "tokens_partial", "waits"), flag),
}
EVENT_REQUIRED = ("id", "t", "type", "agent")
REQUIRED_BY_TYPE: Mapping[str, str] = {"delegate": "to", "stop": "reason", "reward": "reward"}
EDGE_1: Mapping[str, Validator] = {"src": name, "dst": name, "type": one_of(model.EDGE_TYPES_1)}
EDGE_2: Mapping[str, Validator] = {**EDGE_1, "type": one_of(model.EDGE_TYPES), "inferred": flag}
EDGE_REQUIRED = ("src", "dst", "type")
AGENT: Mapping[str, Validator] = {
    "kind": one_of(("llm", "tool", "human", "environment")),
    "privileges": texts,
    **dict.fromkeys(("role", "model"), text),
}
TOOL: Mapping[str, Validator] = dict.fromkeys(("privileged", "side_effect", "output_trusted"), flag)
TRACE_1: Mapping[str, Validator] = {
    "system": text,
    "topology": one_of(model.TOPOLOGIES),
    "costs": costs(number),
    **dict.fromkeys(("trace_id", "task_id"), name),
    **dict.fromkeys(("rewards", "metrics"), NUMBERS),
    **dict.fromkeys(("events", "edges"), array),
}
TRACE_2: Mapping[str, Validator] = {
    **TRACE_1,
    "costs": costs(amount),
    "schema_version": matching(r"2\.[0-9]+", "2.0"),
    "time_unit": one_of(model.TIME_UNITS),
    "root_agents": names,
    "agents": table_of(object_of(AGENT)),
    "tools": table_of(object_of(TOOL)),
    "baseline": NUMBERS,
    "answer_available_at": amount,
    **dict.fromkeys(("rollout", "provenance", "annotations"), mapping),
}
OBJECTS: Mapping[str, Collection[str]] = {
    "rollout": model.ROLLOUT,
    "baseline": ("turns", "tokens", "success", "errors"),
    "costs": ("tokens", "wall_clock_s", "tool_calls", "messages", "cost_usd"),
    "provenance": (
        "format", "version", "importer", "file", "file_sha256", "companions", "started_at", "lossy", "unrecorded",
        "inferred",
    ),
}  # fmt: skip
"""The known members of open objects at the top level."""
TABLES: Mapping[str, Collection[str]] = {"agents": AGENT, "tools": TOOL}
"""The known members of the open objects in a table, by the table's name."""
TRACE_REQUIRED = ("trace_id", "task_id", "events", "edges", "rewards", "costs")


class ObjectShape(NamedTuple):
    """The fields of a trace, an event or an edge in one version.

    `required` fields must be there. A `closed` object, named by its noun, has no fields but those in `validators` and
    those that begin with one of the `prefixes`. `required_by_type` maps a type of event to the one more field that it
    requires.
    """

    validators: Mapping[str, Validator]
    required: tuple[str, ...]
    closed: str = ""
    prefixes: tuple[str, ...] = ()
    required_by_type: Mapping[str, str] = {}

    def fits(self, item: Any) -> bool:
        """True if `findings` would be empty; much faster, because nearly all objects are valid."""
        if type(item) is not dict:
            return False
        get, closed = self.validators.get, self.closed
        for key, value in item.items():
            validator = get(key)
            if validator is None:
                if closed:
                    return False
            elif validator(value) is not None:
                return False
        for key in self.required:
            if key not in item:
                return False
        needed = self.required_by_type.get(item["type"])
        return needed is None or needed in item

    def findings(self, item: Any, pointer: str) -> Iterator[TraceFinding]:
        """Everything wrong with the object at `pointer`."""
        if type(item) is not dict:
            yield TraceFinding(*wrong_type(item, "an object"), pointer)
            return
        missing = (key for key in self.required if key not in item)
        yield from (TraceFinding(rules.MISSING_FIELD, f"has no {key!r}", pointer) for key in missing)
        for key, value in item.items():
            validator = self.validators.get(key)
            if validator is not None:
                if broken := validator(value):
                    yield TraceFinding(broken[0], f"{key!r} {broken[1]}", f"{pointer}/{key}")
            elif self.closed and not key.startswith(self.prefixes):
                message = f"{key!r} is not a field of {self.closed}"
                yield TraceFinding(rules.UNKNOWN_FIELD, message, f"{pointer}/{escape(key)}")
        name = item.get("type")
        needed = self.required_by_type.get(name) if type(name) is str else None
        if needed is not None and needed not in item:
            yield TraceFinding(rules.MISSING_FOR_TYPE, f"an event of type {name!r} has no {needed!r}", pointer)


TRACES: Mapping[Version, ObjectShape] = {
    1: ObjectShape(TRACE_1, TRACE_REQUIRED, closed="a trace"),
    2: ObjectShape(TRACE_2, TRACE_REQUIRED, closed="a trace", prefixes=("x-",)),
}
ITEMS: Mapping[Version, Mapping[str, ObjectShape]] = {
    1: {
        "events": ObjectShape(EVENT_1, EVENT_REQUIRED),
        "edges": ObjectShape(EDGE_1, EDGE_REQUIRED, closed="an edge"),
    },
    2: {
        "events": ObjectShape(EVENT_2, EVENT_REQUIRED, required_by_type=REQUIRED_BY_TYPE),
        "edges": ObjectShape(EDGE_2, EDGE_REQUIRED, closed="an edge"),
    },
}


def version_of(document: Mapping[str, Any]) -> Version:
    """2 where `schema_version` is present, whatever its value; else 1."""
    return 2 if "schema_version" in document else 1


def findings(document: Any) -> Iterator[TraceFinding]:
    """Everything in a JSON value that the schema does not accept."""
    if type(document) is not dict:
        yield TraceFinding(rules.NOT_AN_OBJECT, f"a trace is an object, this is {json_type(document)}")
        return
    version = version_of(document)
    yield from TRACES[version].findings(document, "")
    for key, shape in ITEMS[version].items():
        fits, items = shape.fits, document.get(key)
        for i, item in enumerate(items if type(items) is list else ()):
            if not fits(item):
                yield from shape.findings(item, f"/{key}/{i}")
    if document.get("events") == []:
        yield TraceFinding(rules.EMPTY, "'events' is empty", "/events")


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def without_invalid_fields(event: dict[str, Any]) -> dict[str, Any]:
    """An event of v1, whose free fields can have a name of v2 with an invalid value: without those fields."""
    bad = {key for key, value in event.items() if key in EVENT_2 and EVENT_2[key](value) is not None}
    return {key: value for key, value in event.items() if key not in bad} if bad else event


NAMED_BY = {"tool_call": "tool", "tool_result": "call_id"}
OWN = ("x-", "content")
"""Beginnings of members that are nobody's misspelling; import writes `content`."""
SHORTEST = 6
"""Letters that a name needs to be compared letter by letter: `tools` beside `tool` is no mistake."""


def member_findings(trace: Trace) -> Iterator[TraceFinding]:
    """Misspelt members, and tool events that do not say which tool or which call."""
    if trace.version == 1:
        return
    for pointer, item, known in objects(trace):
        yield from misspelt(item, meant(item, known), pointer)
    events = meant(set().union(*(event.data for event in trace.events)), EVENT_2)
    for event in trace.events if events else ():
        yield from (found._replace(event=event) for found in misspelt(event.data, events, event.pointer))
    for event in trace.events:
        if event.type in NAMED_BY and NAMED_BY[event.type] not in event.data:
            yield TraceFinding.at(rules.UNNAMED, event, f"a {event.type} has no {NAMED_BY[event.type]!r}")


def objects(trace: Trace) -> Iterator[tuple[str, Mapping[str, Any], Collection[str]]]:
    """The open objects of the header: pointer, object, and the members that are known."""
    for name, known in OBJECTS.items():
        yield f"/{name}", trace.header.get(name, {}), known
    for name, known in TABLES.items():
        for key, item in trace.header.get(name, {}).items():
            yield f"/{name}/{escape(key)}", item, known


def misspelt(item: Mapping[str, Any], meant: Mapping[str, str], pointer: str) -> Iterator[TraceFinding]:
    """The findings for the members of an object that are among those of `meant`."""
    for name in (name for name in item if name in meant):
        # Without quotation marks, so that two names are two kinds of finding.
        message = f"{name} is not a known member; did you mean {meant[name]}?"
        yield TraceFinding(rules.MISSPELT, message, f"{pointer}/{escape(name)}")


def meant(names: Collection[str], known: Collection[str]) -> Mapping[str, str]:
    """For every name that is nearly a known one, that one."""
    others = [name for name in names if name not in known and not name.startswith(OWN)]
    return {name: near for name in others if (near := nearest(name, known)) is not None}


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name that differs in case, in hyphens, in the order or the ends of its words, or in few letters."""
    words = sorted(re.split(r"[_\W]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()))
    for each in known:
        own = sorted(each.split("_"))
        if len(words) == len(own) and all(alike(a, b, several=len(own) > 1) for a, b in zip(words, own, strict=True)):
            return each
    import difflib  # Imported here, since only unknown names need it.

    long = [each for each in known if len(each) >= SHORTEST]
    found = difflib.get_close_matches(name, long, n=1, cutoff=0.85) if len(name) >= SHORTEST else []
    return found[0] if found else None


def alike(a: str, b: str, *, several: bool) -> bool:
    """True if two words are the same, or among several words one begins with the other."""
    return a == b or (several and min(len(a), len(b)) > 1 and (a.startswith(b) or b.startswith(a)))
