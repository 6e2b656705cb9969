"""The check of a JSON value against the tables of `schema`, and the rules about what these accept.

`broken` reads the keywords of JSON Schema that the tables use. Most objects are valid, which decoding by type finds out
much faster; `broken` then checks those of a part that fails. The rules are about misspelt members, and about tool
events without names.
"""

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from math import isfinite
from types import GenericAlias
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, ValidationError, convert, defstruct

from awesome_cli.traces import model, rules, schema
from awesome_cli.traces.model import Event, Trace, Version
from awesome_cli.traces.rules import RuleMessage, TraceFinding, escape
from awesome_cli.traces.schema import DEFINITIONS, JsonSchema

PART = 500
"""So many events or edges are decoded at a time; only those of a part that fails are checked one by one."""
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
TABLES: Mapping[str, Collection[str]] = {"agents": schema.AGENT["properties"], "tools": schema.TOOL["properties"]}
"""The known members of the open objects in a table, by the table's name."""
JSON_TYPES = {
    type(None): "null", bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "an array",
    dict: "an object",
}  # fmt: skip
EXAMPLES = {schema.VERSION["pattern"]: "2.0", schema.HASH["pattern"]: "sha256:0123abcd"}
GREATEST = sys.float_info.max


def json_type(value: object) -> str:
    return JSON_TYPES.get(type(value), type(value).__name__)


def broken(kind: JsonSchema, value: Any) -> RuleMessage | None:
    """Return the first schema rule that a value breaks, if any."""
    if "$ref" in kind:  # Events and edges are checked one by one.
        return None
    types, noun, check = TYPES[kind["type"]]
    if type(value) not in types:
        return rules.UNKNOWN_WORD if "enum" in kind else rules.WRONG_TYPE, f"is {json_type(value)}, not {noun}"
    return check(kind, value)


def broken_text(kind: JsonSchema, value: str) -> RuleMessage | None:
    if value not in kind.get("enum", (value,)):
        return rules.UNKNOWN_WORD, f"is {value!r}, not one of {', '.join(kind['enum'])}"
    if "pattern" in kind and not re.fullmatch(kind["pattern"], value):
        return rules.WRONG_FORM, f"is {value!r}, not like {EXAMPLES[kind['pattern']]}"
    return (rules.EMPTY, "is empty") if len(value) < kind.get("minLength", 0) else None


def broken_number(kind: JsonSchema, value: float) -> RuleMessage | None:
    """Check a number; as in JSON Schema, 3.0 is a whole number."""
    if kind["type"] == "integer" and type(value) is float and not value.is_integer():
        return rules.WRONG_TYPE, f"is {value}, not a whole number"
    if type(value) is float and not isfinite(value):
        return rules.NOT_A_NUMBER, "is not a finite number"
    return (rules.BELOW_MINIMUM, f"is {value}, below 0") if value < kind.get("minimum", value) else None


def broken_array(kind: JsonSchema, value: list[Any]) -> RuleMessage | None:
    for i, item in enumerate(value):
        if fault := broken(kind["items"], item):
            return fault[0], f"item {i} {fault[1]}"
    repeats = "uniqueItems" in kind and len(set(value)) < len(value)
    return (rules.REPEATED_NAME, "contains a name twice") if repeats else None


def broken_object(kind: JsonSchema, value: dict[str, Any]) -> RuleMessage | None:
    for key in kind.get("required", ()):
        if key not in value:
            return rules.MISSING_FIELD, f"has no {key!r}"
    known, unknown = kind.get("properties", {}), kind.get("additionalProperties")
    for key, item in value.items():
        member = known.get(key, unknown)
        if member is not None and (fault := broken(member, item)):
            return fault[0], f"{key!r} {fault[1]}"
    return None


TYPES: Mapping[str, tuple[tuple[type, ...], str, Callable[[JsonSchema, Any], RuleMessage | None]]] = {
    "string": ((str,), "a string", broken_text),
    "boolean": ((bool,), "a boolean", lambda _, __: None),
    "number": ((int, float), "a number", broken_number),
    "integer": ((int, float), "a number", broken_number),
    "array": ((list,), "an array", broken_array),
    "object": ((dict,), "an object", broken_object),
}
"""The Python types of each type of JSON Schema, its noun, and the check of values of these types."""


def decoded(kind: JsonSchema) -> Any:
    """Return a type for decoding that rejects every value that `broken` rejects."""
    match kind:
        case {"enum": choices}:
            return Literal[tuple(choices)]
        case {"type": "string"}:
            pattern = kind["pattern"].removesuffix("$") + r"\Z" if "pattern" in kind else None
            return Annotated[str, Meta(min_length=kind.get("minLength"), pattern=pattern)]
        case {"type": "boolean"}:
            return bool
        case {"type": "integer", "minimum": least}:
            return Annotated[int, Meta(ge=least)]
        case {"type": "number"}:
            return Annotated[float, Meta(ge=kind.get("minimum", -GREATEST), le=GREATEST)]
    return type("Checked", (), {"kind": kind})


def decode_checked(checked: Any, value: Any) -> Any:
    """Decode a value that only `broken` can validate."""
    if broken(checked.kind, value) is not None:
        raise ValueError
    return checked()


@cache
def decoded_items(definition: str) -> Any:
    """The type of an array of events or edges."""
    shape = DEFINITIONS[definition]
    known = {name: decoded(kind) for name, kind in shape["properties"].items()}
    fields = [(k, t) if k in shape["required"] else (k, t | UnsetType, UNSET) for k, t in known.items()]
    closed = not shape["additionalProperties"]
    return GenericAlias(list, defstruct("Decoded", fields, kw_only=True, gc=False, forbid_unknown_fields=closed))


def fit(definition: str, items: list[Any]) -> bool:
    """True if all events or edges are valid; much faster than a search for findings."""
    try:
        convert(items, decoded_items(definition), dec_hook=decode_checked)
    except ValidationError:
        return False
    needed = schema.REQUIRED_BY_TYPE if "allOf" in DEFINITIONS[definition] else {}
    return not any(item["type"] in needed and needed[item["type"]] not in item for item in items)


def version_of(document: Mapping[str, Any]) -> Version:
    """2 where `schema_version` is present, whatever its value; else 1."""
    return 2 if "schema_version" in document else 1


def findings(document: Any) -> Iterator[TraceFinding]:
    """Return the schema findings of a JSON value."""
    if type(document) is not dict:
        yield TraceFinding(rules.NOT_AN_OBJECT, f"a trace is an object, this is {json_type(document)}")
        return
    version = version_of(document)
    yield from object_findings(DEFINITIONS[f"trace{version}"], "a trace", document, "")
    for key, definition in schema.ITEMS[version].items():
        items = document[key] if type(document.get(key)) is list else []
        for start in range(0, len(items), PART):
            part = items[start : start + PART]
            for i, item in enumerate(() if fit(definition, part) else part, start):
                yield from object_findings(DEFINITIONS[definition], "an edge", item, f"/{key}/{i}")
    if document.get("events") == []:
        yield TraceFinding(rules.EMPTY, "'events' is empty", "/events")


def object_findings(shape: JsonSchema, noun: str, item: Any, pointer: str) -> Iterator[TraceFinding]:
    """Find the errors of the object at `pointer`; `noun` names it in messages about unknown fields."""
    if type(item) is not dict:
        yield TraceFinding(rules.WRONG_TYPE, f"is {json_type(item)}, not an object", pointer)
        return
    missing = (key for key in shape["required"] if key not in item)
    yield from (TraceFinding(rules.MISSING_FIELD, f"has no {key!r}", pointer) for key in missing)
    known, free = shape["properties"], shape.get("patternProperties", [""] if shape["additionalProperties"] else [])
    for key, value in item.items():
        if key in known:
            if fault := broken(known[key], value):
                yield TraceFinding(fault[0], f"{key!r} {fault[1]}", f"{pointer}/{key}")
        elif not any(re.match(pattern, key) for pattern in free):
            yield TraceFinding(rules.UNKNOWN_FIELD, f"{key!r} is not a field of {noun}", f"{pointer}/{escape(key)}")
    name = item.get("type")
    needed = schema.REQUIRED_BY_TYPE.get(name) if type(name) is str and "allOf" in shape else None
    if needed is not None and needed not in item:
        yield TraceFinding(rules.MISSING_FOR_TYPE, f"an event of type {name!r} has no {needed!r}", pointer)


def without_invalid_fields(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event of v1 without fields that v2 defines and that are not valid in v2."""
    known = DEFINITIONS["event2"]["properties"]
    bad = {key for key, value in event.items() if key in known and broken(known[key], value) is not None}
    return {key: value for key, value in event.items() if key not in bad} if bad else event


NAMED_BY = {"tool_call": "tool", "tool_result": "call_id"}
OWN = ("x-", "content")
"""Beginnings of members that are nobody's misspelling; import writes `content`."""
SHORTEST = 6
"""Letters that a name needs to be compared letter by letter: `tools` beside `tool` is allowed."""


def member_findings(trace: Trace) -> Iterator[TraceFinding]:
    """Misspelt members, and tool events that do not say which tool or which call."""
    if trace.version == 1:
        return
    header = trace.header
    objects = [(f"/{name}", header.get(name, {}), known) for name, known in OBJECTS.items()]
    for name, known in TABLES.items():
        objects += [(f"/{name}/{escape(key)}", item, known) for key, item in header.get(name, {}).items()]
    for pointer, item, known in objects:
        yield from misspelt(item, near_names(item, known), pointer)
    events = near_names(trace.fields, schema.EVENT_2)
    for event in trace.events if events else ():
        yield from misspelt(event.data, events, event.pointer, event)
    for event in trace.events:
        if event.type in NAMED_BY and NAMED_BY[event.type] not in event.data:
            yield TraceFinding.at(rules.UNNAMED, event, f"a {event.type} has no {NAMED_BY[event.type]!r}")


def misspelt(
    item: Mapping[str, Any], near: Mapping[str, str], pointer: str, event: Event | None = None
) -> Iterator[TraceFinding]:
    """Find members of an object whose names are nearly those of known members."""
    for name in (name for name in item if name in near):
        # Without quotation marks, so that two names are two kinds of finding.
        message = f"{name} is not a known member; did you mean {near[name]}?"
        yield TraceFinding(rules.MISSPELT, message, f"{pointer}/{escape(name)}", event)


def near_names(names: Collection[str], known: Collection[str]) -> Mapping[str, str]:
    """Map each misspelt name to the known name that it resembles."""
    unknown = [name for name in names if name not in known and not name.startswith(OWN)]
    return {name: near for name in unknown if (near := nearest(name, known)) is not None}


def nearest(name: str, known: Collection[str]) -> str | None:
    """Return the known name that differs only in case, hyphens, word order, word endings or a few letters."""
    words = sorted(re.split(r"[_\W]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()))
    for candidate in known:
        parts = sorted(candidate.split("_"))
        several = len(parts) > 1
        if len(words) == len(parts) and all(alike(a, b, several=several) for a, b in zip(words, parts, strict=True)):
            return candidate
    import difflib  # Imported here, since only unknown names need it.

    long = [candidate for candidate in known if len(candidate) >= SHORTEST]
    matches = difflib.get_close_matches(name, long, n=1, cutoff=0.85) if len(name) >= SHORTEST else []
    return matches[0] if matches else None


def alike(a: str, b: str, *, several: bool) -> bool:
    """True if two words are equal or, in names of several words, if one is a prefix of the other."""
    return a == b or (several and min(len(a), len(b)) > 1 and (a.startswith(b) or b.startswith(a)))
