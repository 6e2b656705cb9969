"""A timeline as the JSON that the HTML page reads."""

from typing import Any

from awesome_cli.traces.model import EVENT_TYPES, Event
from awesome_cli.traces.views.changes import NONE
from awesome_cli.traces.views.timeline import Timeline

DETAILS = ("role", "model", "mode", "reason", "status", "error_type", "correct", "sanitized", "delivery")
WORDS = {True: "yes", False: "no"}
ERROR, TIMEOUT, INFERRED, UNTRUSTED = 1, 2, 4, 8


def columns(view: Timeline) -> dict[str, Any]:
    """The timeline as JSON for the page: events as columns of numbers, agents and tools by their positions."""
    index = {name: a for a, name in enumerate(view.names)}
    tools = {name: n for n, name in enumerate(sorted({e.tool for e in view.order if e.tool}))}
    types = {name: n for n, name in enumerate(EVENT_TYPES)}
    order = view.order
    tokens = [e.tokens or 0 for e in order]
    spent = [0] * len(view.names)
    roles: dict[str, object] = {}
    for e, n in zip(order, tokens, strict=True):
        spent[index[e.agent]] += n
        if e.type == "spawn" and e.to is not None and "role" in e.data:
            roles.setdefault(e.to, e.data["role"])
    return {
        "unit": view.trace.time_unit,
        "range": list(view.range),
        "types": list(EVENT_TYPES),
        "tools": list(tools),
        "agents": [_agent(view, a, roles.get(view.names[a], ""), spent[a]) for a in range(len(view.names))],
        "begin": list(view.begin),
        "events": {
            "id": [e.id for e in order],
            "type": [types[e.type] for e in order],
            "agent": [index[e.agent] for e in order],
            "to": [index[e.to] if e.to is not None else NONE for e in order],
            "tool": [tools[e.tool] if e.tool else NONE for e in order],
            "start": [e.start for e in order],
            "end": [e.end for e in order],
            "tokens": tokens,
            "flags": [_flags(e) for e in order],
        },
        "extra": {k: details for k, e in enumerate(order) if (details := _details(e))},
        "changes": list(view.changes),
        "offsets": list(view.offsets),
        "arrows": list(view.arrows),
        "findings": list(view.findings),
    }


def _agent(view: Timeline, a: int, role: object, tokens: int) -> dict[str, Any]:
    """One agent: `role` is that of its spawn, `about` a line for people."""
    name = view.names[a]
    about = view.trace.agents.get(name, {})
    facts = [str(about[key]) for key in ("role", "model") if about.get(key)]
    kind = about.get("kind") or ("llm" if name in view.machine.agents else "tool")
    return {
        "name": name,
        "role": str(about.get("role") or role),
        "kind": kind,
        "depth": view.depths[a],
        "parent": view.parents[a],
        "tokens": tokens,
        "about": ", ".join([*facts, *([kind] if kind != "llm" else [])]),
    }


def _flags(event: Event) -> int:
    flags = {"error": ERROR, "timeout": TIMEOUT}.get(event.status or "", 0)
    flags |= INFERRED if event.inferred else 0
    return flags | (UNTRUSTED if event.data.get("trusted") is False else 0)


def _details(event: Event) -> list[str]:
    """What the page shows with an event; contents stay out."""
    data = event.data
    words = {key: WORDS[data[key]] if isinstance(data[key], bool) else data[key] for key in DETAILS if key in data}
    details = [f"{key} {word}" for key, word in words.items() if word != "ok"]
    if isinstance(data.get("reward"), dict):
        details += [f"reward {name} {value}" for name, value in sorted(data["reward"].items())]
    return [*details, *(["untrusted"] if data.get("trusted") is False else [])]
