"""The shape of a trace, v1 and v2, by hand: as strict as `schema/trace.json`, faster, with places.

A differential test over thousands of mutants holds these rules against the schema.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from awesome_cli.traces.members import (
    EDGE_1,
    EDGE_2,
    EDGE_NEEDS,
    EVENT_1,
    EVENT_2,
    EVENT_NEEDS,
    TOP_NEEDS,
    TOPS,
    TYPE_NEEDS,
)
from awesome_cli.traces.model import Version
from awesome_cli.traces.values import Rule, kind, wrong


class Fault(NamedTuple):
    """A place in the document (JSON pointer) whose shape is wrong."""

    code: str
    pointer: str
    message: str


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
            yield Fault("TS010", pointer, f"an event of type {name_of_type!r} has no {need!r}")


EVENTS: Mapping[Version, Item] = {
    1: Item(EVENT_NEEDS, EVENT_1),
    2: Item(EVENT_NEEDS, EVENT_2, type_needs=TYPE_NEEDS),
}
EDGES: Mapping[Version, Item] = {1: Item(EDGE_NEEDS, EDGE_1, closed=True), 2: Item(EDGE_NEEDS, EDGE_2, closed=True)}


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
