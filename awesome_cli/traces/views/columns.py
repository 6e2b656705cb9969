"""A timeline as the data that the HTML page reads."""

from typing import Any

from awesome_cli.traces.model import EVENT_TYPES, Event
from awesome_cli.traces.usage import usage_of
from awesome_cli.traces.views.changes import NONE
from awesome_cli.traces.views.families import families
from awesome_cli.traces.views.packing import pack, ticks
from awesome_cli.traces.views.timeline import Timeline
from awesome_cli.traces.views.waits import waits

DETAILS = (
    "role", "model", "mode", "reason", "status", "error_type", "correct", "sanitized", "delivery", "purpose",
    "attempts",
)  # fmt: skip
WORDS = {True: "yes", False: "no"}
ERROR, TIMEOUT, INFERRED, UNTRUSTED = 1, 2, 4, 8
DIFFERENCES = frozenset({"start", "offsets", "from", "waitStart", "waitAgent"})


def packed(view: Timeline) -> str:
    """The timeline as text for the page: events as columns of numbers, agents and tools by their positions."""
    index = {name: a for a, name in enumerate(view.names)}
    tools = {name: n for n, name in enumerate(sorted({e.tool for e in view.order if e.tool}))}
    types = {name: n for n, name in enumerate(EVENT_TYPES)}
    details: dict[tuple[str, ...], int] = {(): 0}
    order = view.order
    waiting = sorted(waits(view))
    whom = {word: n for n, word in enumerate(dict.fromkeys(wait.whom for wait in waiting))}
    times = [*(e.start for e in order), *(w.start for w in waiting)]
    lengths = [*(e.end for e in order), *(w.end for w in waiting)]
    scale, both = ticks([*times, *lengths])
    starts, ends = both[: len(times)], both[len(times) :]
    # A length is short where a time is long; without a scale there are times only.
    ends = [end - start for start, end in zip(starts, ends, strict=True)] if scale else ends
    fresh, cached, written, output, _ = zip(*map(usage_of, order), strict=True)
    columns: dict[str, Any] = {
        "type": [types[e.type] for e in order],
        "agent": [index[e.agent] for e in order],
        "to": [index[e.to] if e.to is not None else NONE for e in order],
        "tool": [tools[e.tool] if e.tool else NONE for e in order],
        "start": starts[: len(order)],
        "end": ends[: len(order)],
        "fresh": fresh,
        "cached": cached,
        "written": written,
        "output": output,
        "flags": [_flags(e) for e in order],
        "detail": [details.setdefault(_details(e), len(details)) for e in order],
        "kind": view.changes[::4],
        "key": view.changes[1::4],
        "value": view.changes[2::4],
        "before": view.changes[3::4],
        "offsets": [offset // 4 for offset in view.offsets],
        "from": view.arrows[::2],
        "into": view.arrows[1::2],
        "waitAgent": [wait.agent for wait in waiting],
        "waitStart": starts[len(order) :],
        "waitEnd": ends[len(order) :],
        "waitPlace": [wait.place for wait in waiting],
        "waitFor": [whom[wait.whom] for wait in waiting],
    }
    document = {
        "unit": view.trace.time_unit,
        "seconds": view.trace.seconds,
        "scale": scale,
        "range": list(view.range),
        "types": list(EVENT_TYPES),
        "tools": list(tools),
        "agents": [_agent(view, a) for a in range(len(view.names))],
        "groups": [{"label": family.label, "members": family.members} for family in families(view)],
        "begin": list(view.begin),
        "ids": [e.id for e in order],
        "details": list(details),
        "whom": list(whom),
        "findings": list(view.findings),
        "kinds": list(view.kinds),
    }
    return pack(document, columns, DIFFERENCES)


def _agent(view: Timeline, a: int) -> dict[str, Any]:
    """One agent; `about` is a line for people."""
    name, role = view.names[a], view.roles[a]
    about = view.trace.agents.get(name, {})
    kind = about.get("kind") or ("llm" if name in view.machine.agents else "tool")
    facts = [str(fact) for fact in (role, about.get("model")) if fact]
    return {
        "name": name,
        "role": role,
        "kind": kind,
        "depth": view.depths[a],
        "parent": view.parents[a],
        "about": ", ".join([*facts, *([kind] if kind != "llm" else [])]),
    }


def _flags(event: Event) -> int:
    flags = {"error": ERROR, "timeout": TIMEOUT}.get(event.status or "", 0)
    flags |= INFERRED if event.inferred else 0
    return flags | (UNTRUSTED if event.data.get("trusted") is False else 0)


def _details(event: Event) -> tuple[str, ...]:
    """What the page shows with an event; contents stay out."""
    data = event.data
    words = {key: WORDS[data[key]] if isinstance(data[key], bool) else data[key] for key in DETAILS if key in data}
    details = [f"{key} {word}" for key, word in words.items()]
    if isinstance(data.get("reward"), dict):
        details += [f"reward {name} {value}" for name, value in sorted(data["reward"].items())]
    return (*details, *(("untrusted",) if data.get("trusted") is False else ()))
