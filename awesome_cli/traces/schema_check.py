"""Whether a JSON value is a trace: what the schema does not accept, and what it accepts and a rule reports.

The latter are misspelt members, and tool events without names.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from awesome_cli.traces import model, rules
from awesome_cli.traces.model import Trace, Version
from awesome_cli.traces.rules import TraceFinding
from awesome_cli.traces.schema import AGENT, EVENT_2, ITEMS, TOOL, TRACES, escape, json_type

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
TABLES: Mapping[str, Collection[str]] = {"agents": AGENT, "tools": TOOL}
"""The known members of the open objects in a table, by the table's name."""


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
        items = document[key] if type(document.get(key)) is list else []
        for start in range(0, len(items), PART):
            part = items[start : start + PART]
            for i, item in enumerate(() if shape.fit(part) else part, start):
                yield from shape.findings(item, f"/{key}/{i}")
    if document.get("events") == []:
        yield TraceFinding(rules.EMPTY, "'events' is empty", "/events")


def without_invalid_fields(event: dict[str, Any]) -> dict[str, Any]:
    """An event of v1, whose free fields can have a name of v2 with an invalid value: without those fields."""
    bad = {key for key, value in event.items() if key in EVENT_2 and EVENT_2[key][0].check(value) is not None}
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
    events = meant(trace.fields, EVENT_2)
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
