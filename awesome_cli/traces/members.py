"""What the schema of version 2 accepts and a rule reports: misspelt members, and tool events without names."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from awesome_cli.traces import fields, rules
from awesome_cli.traces.model import Trace
from awesome_cli.traces.rules import TraceFinding
from awesome_cli.traces.schema_check import escape

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
    events = meant(set().union(*(event.data for event in trace.events)), fields.EVENT_2)
    for event in trace.events if events else ():
        yield from (found._replace(event=event) for found in misspelt(event.data, events, event.pointer))
    for event in trace.events:
        if event.type in NAMED_BY and NAMED_BY[event.type] not in event.data:
            yield TraceFinding.at(rules.UNNAMED, event, f"a {event.type} has no {NAMED_BY[event.type]!r}")


def objects(trace: Trace) -> Iterator[tuple[str, Mapping[str, Any], Collection[str]]]:
    """The open objects of the header: pointer, object, and the members that are known."""
    for name, known in fields.OBJECTS.items():
        yield f"/{name}", trace.header.get(name, {}), known
    for name, known in fields.TABLES.items():
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
    """Whether two words are the same, or among several words one begins with the other."""
    return a == b or (several and min(len(a), len(b)) > 1 and (a.startswith(b) or b.startswith(a)))
