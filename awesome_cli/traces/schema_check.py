"""The structure of a trace, v1 and v2: the same rules as `schema/trace.json`, checked faster and with places.

A test compares this module with the schema on thousands of changed documents.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from awesome_cli.traces import fields, rules
from awesome_cli.traces.model import Version
from awesome_cli.traces.rules import TraceFinding
from awesome_cli.traces.validators import Validator, json_type, wrong_type


class ObjectShape(NamedTuple):
    """The fields of an event or an edge in one version.

    `required` fields must be there. A `closed` object has no fields but those in `validators`. `required_by_type` maps
    a type of event to the one more field that it requires.
    """

    required: tuple[str, ...]
    validators: Mapping[str, Validator]
    closed: bool = False
    required_by_type: Mapping[str, str] = {}

    def fits(self, item: Any) -> bool:
        """Whether `findings` would be empty; much faster, because nearly all objects are valid."""
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
        """What is wrong with the object at `pointer`."""
        if type(item) is not dict:
            yield TraceFinding(*wrong_type(item, "an object"), pointer)
            return
        yield from missing(item, self.required, pointer)
        for key, value in item.items():
            validator = self.validators.get(key)
            if validator is not None:
                yield from invalid(key, validator, value, pointer)
            elif self.closed:
                yield unknown(key, "an edge", pointer)
        name = item.get("type")
        needed = self.required_by_type.get(name) if type(name) is str else None
        if needed is not None and needed not in item:
            yield TraceFinding(rules.MISSING_FOR_TYPE, f"an event of type {name!r} has no {needed!r}", pointer)


EVENTS: Mapping[Version, ObjectShape] = {
    1: ObjectShape(fields.EVENT_REQUIRED, fields.EVENT_1),
    2: ObjectShape(fields.EVENT_REQUIRED, fields.EVENT_2, required_by_type=fields.REQUIRED_BY_TYPE),
}
EDGES: Mapping[Version, ObjectShape] = {
    1: ObjectShape(fields.EDGE_REQUIRED, fields.EDGE_1, closed=True),
    2: ObjectShape(fields.EDGE_REQUIRED, fields.EDGE_2, closed=True),
}


def missing(item: Mapping[str, Any], required: tuple[str, ...], pointer: str) -> Iterator[TraceFinding]:
    """The required fields that an object does not have."""
    for key in required:
        if key not in item:
            yield TraceFinding(rules.MISSING_FIELD, f"has no {key!r}", pointer)


def invalid(key: str, validator: Validator, value: Any, pointer: str) -> Iterator[TraceFinding]:
    """What is wrong with the value of the field `key` of the object at `pointer`."""
    if found := validator(value):
        yield TraceFinding(found[0], f"{key!r} {found[1]}", f"{pointer}/{key}")


def unknown(key: str, what: str, pointer: str) -> TraceFinding:
    """The finding for a field that an object cannot have."""
    return TraceFinding(rules.UNKNOWN_FIELD, f"{key!r} is not a field of {what}", f"{pointer}/{escape(key)}")


def version_of(document: Mapping[str, Any]) -> Version:
    """2 where `schema_version` is present, whatever its value; else 1."""
    return 2 if "schema_version" in document else 1


def findings(document: Any) -> Iterator[TraceFinding]:
    """Everything in a JSON value that the schema does not accept."""
    if type(document) is not dict:
        yield TraceFinding(rules.NOT_AN_OBJECT, f"a trace is an object, this is {json_type(document)}")
        return
    version = version_of(document)
    yield from top_level(document, version)
    yield from items(document, "events", EVENTS[version])
    yield from items(document, "edges", EDGES[version])
    if document.get("events") == []:
        yield TraceFinding(rules.EMPTY, "'events' is empty", "/events")


def top_level(document: Mapping[str, Any], version: Version) -> Iterator[TraceFinding]:
    """Findings of the top level, without those inside the events and edges."""
    yield from missing(document, fields.TRACE_REQUIRED, "")
    for key, value in document.items():
        validator = fields.TRACE_FIELDS[version].get(key)
        if validator is not None:
            yield from invalid(key, validator, value, "")
        elif key not in ("events", "edges") and not (version == 2 and key.startswith("x-")):
            yield unknown(key, "a trace", "")


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def items(document: Mapping[str, Any], key: str, shape: ObjectShape) -> Iterator[TraceFinding]:
    """Findings of the events, or of the edges."""
    found = document.get(key, [])
    if type(found) is not list:
        rule, message = wrong_type(found, "an array")
        yield TraceFinding(rule, f"{key!r} {message}", "/" + key)
        return
    fits = shape.fits
    for i, item in enumerate(found):
        if not fits(item):
            yield from shape.findings(item, f"/{key}/{i}")


def without_invalid_fields(event: dict[str, Any]) -> dict[str, Any]:
    """An event of v1, whose free fields can have a name of v2 with an invalid value: without those fields."""
    validators = fields.EVENT_2
    bad = [key for key, value in event.items() if key in validators and validators[key](value) is not None]
    return {key: value for key, value in event.items() if key not in bad} if bad else event
