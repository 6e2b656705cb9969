"""A replayed trace as columns of numbers, for whoever draws it.

The replay's rules live in `state` alone: what a drawing needs of them is shipped as changes, each with the value before
it, so that a scrubber can go both ways and no viewer ever decides what an event does.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.traces.codes import level
from awesome_cli.traces.consistency import cost_remarks
from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import EVENT_TYPES, Event, Trace, Version
from awesome_cli.traces.replay import loose_ends, walk

NOBODY = -1
AGENT, TASK, CALL, UNREAD, ANSWER, STOPPED = range(6)
STATUS = {"run": 1, "returned": 2, "despawned": 3, "stopped": 4}
CROSSING = frozenset({"spawn", "delegate", "message", "return", "aggregate", "data", "safety_flow", "causal"})
# Shown with an event where it carries them; contents stay out.
TOLD = ("role", "model", "mode", "reason", "status", "error_type", "correct", "sanitized", "delivery")
ERROR, TIMEOUT, INFERRED, UNTRUSTED = 1, 2, 4, 8

Issue = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events by replay order, agents by spawn tree, and what every event changed.

    `changes` holds four integers per change: what it is about (agent, task, call, unread return, answer, end), its key
    (an agent, else the event that opened it), the new value and the old one; 0 is "not there", an agent's value is its
    status, answer and end hold an event's place from 1. The changes of event k are `changes[offsets[k]:offsets[k+1]]`.
    `arrows` are pairs of events; `begin` lists the agents that run from the start.
    """

    trace: Trace
    order: tuple[Event, ...]
    names: tuple[str, ...]
    tools: tuple[str, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    begin: tuple[int, ...]
    changes: tuple[int, ...]
    offsets: tuple[int, ...]
    arrows: tuple[int, ...]
    issues: tuple[Issue, ...]
    machine: Machine

    @property
    def range(self) -> tuple[float, float]:
        """The first start and the last end, in the trace's unit."""
        return min(e.start for e in self.order), max(e.end for e in self.order)

    def lanes(self) -> list[list[int]]:
        """For each agent the places of its events in replay order."""
        index = {name: a for a, name in enumerate(self.names)}
        lanes: list[list[int]] = [[] for _ in self.names]
        for k, event in enumerate(self.order):
            lanes[index[event.agent]].append(k)
        return lanes


def timeline(trace: Trace) -> Timeline:
    """Replay the trace and write down what every event changed."""
    graph = graph_of(trace)
    machine = Machine(trace, graph.order)
    first = list(machine.agents)
    ledger = _Ledger(trace, graph, first)
    version = trace.version
    remarks = (*graph.remarks, *cost_remarks(trace))
    issues = [_issue(r.code, version, ledger.place_of(r.pointer), r.message) for r in remarks]
    for step in walk(trace, graph, machine):
        k = step.number - 1
        ledger.take(k, step.changes)
        issues += [_issue(breach.code, version, k, breach.message) for breach in step.breaches]
    for breach in loose_ends(trace, machine):
        place = ledger.places.get(breach.event.id, NOBODY) if breach.event else NOBODY
        issues.append(_issue(breach.code, version, place, breach.message))
    order = tuple(trace.events[i] for i in graph.order)
    names, parents, depths = _family(order, machine)
    index = {name: a for a, name in enumerate(names)}
    return Timeline(
        trace=trace,
        order=order,
        names=names,
        tools=tuple(sorted({e.tool for e in order if e.tool})),
        parents=parents,
        depths=depths,
        begin=tuple(index[name] for name in first if name in index),
        changes=ledger.numbers(index),
        offsets=tuple(ledger.offsets),
        arrows=tuple(_arrows(trace, graph, order, machine)),
        issues=tuple(sorted(issues, key=lambda i: (i["level"] != "error", i["event"], i["code"]))),
        machine=machine,
    )


def _issue(code: str, version: Version, place: int, message: str) -> Issue:
    return {"code": code, "level": level(code, version).value, "event": place, "message": message}


class _Ledger:
    """Changes as the replay says them, with what stood there before."""

    def __init__(self, trace: Trace, graph: Graph, first: Sequence[str]) -> None:
        self.trace = trace
        self.at = {i: k for k, i in enumerate(graph.order)}
        self.places: dict[str, int] = {}
        for k, i in enumerate(graph.order):
            self.places.setdefault(trace.events[i].id, k)
        self.opened: dict[str, int] = {}
        self.now: dict[tuple[int, str | int], int] = {(AGENT, name): STATUS["run"] for name in first}
        self.rows: list[tuple[int, str | int, int, int]] = []
        self.offsets = [0]

    def place_of(self, pointer: str) -> int:
        """The place of the event at a JSON pointer; an edge stands where it begins."""
        _, _, rest = pointer.partition("/")
        kind, _, number = rest.partition("/")
        number = number.partition("/")[0]
        if kind == "edges" and number.isdigit():
            return self.places.get(self.trace.edges[int(number)].src, NOBODY)
        return self.at.get(int(number), NOBODY) if number.isdigit() else NOBODY

    def take(self, k: int, changes: Sequence[Sequence[str | None]]) -> None:
        """The changes of the event at place k."""
        for what, *rest in changes:
            about = rest[0] or ""
            match what:
                case "agent":
                    self._set(AGENT, about, STATUS.get(rest[1] or "", 0))
                case "task":
                    self._set(TASK, self.places.get(about, k), int(rest[1] == "open"))
                case "call":
                    if rest[1] == "open":
                        self.opened[about] = k
                    self._set(CALL, self.opened.get(about, k), int(rest[1] == "open"))
                case "unread":
                    self._set(UNREAD, self.places.get(about, k), 1)
                case "read":
                    self._set(UNREAD, self.places.get(about, k), 0)
                case "answer":
                    self._set(ANSWER, 0, self.places.get(about, k) + 1)
                case "stopped":
                    self._set(STOPPED, 0, k + 1)
        self.offsets.append(4 * len(self.rows))

    def _set(self, kind: int, key: str | int, value: int) -> None:
        before = self.now.get((kind, key), 0)
        self.now[kind, key] = value
        self.rows.append((kind, key, value, before))

    def numbers(self, index: Mapping[str, int]) -> tuple[int, ...]:
        """All changes with agents as numbers."""
        flat: list[int] = []
        for kind, key, value, before in self.rows:
            flat += (kind, index[key] if isinstance(key, str) else key, value, before)
        return tuple(flat)


def _family(order: Sequence[Event], machine: Machine) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """Everyone who acts or is named, parents before their children, each with parent and depth in the spawn tree."""
    seen: dict[str, None] = dict.fromkeys(machine.agents)
    for event in order:
        seen.setdefault(event.agent)
        if event.to is not None:
            seen.setdefault(event.to)
    below: dict[str | None, list[str]] = defaultdict(list)
    for name in seen:
        agent = machine.agents.get(name)
        parent = agent.parent if agent is not None else None
        below[parent if parent in seen and parent != name else None].append(name)
    names: list[str] = []
    depth: dict[str, int] = {}
    stack = [(name, 0) for name in reversed(below[None])]
    while stack:
        name, deep = stack.pop()
        if name in depth:
            continue
        depth[name] = deep
        names.append(name)
        stack += [(child, deep + 1) for child in reversed(below[name])]
    # Parents that run in a circle are nobody's descendants.
    rest = [name for name in seen if name not in depth]
    names += rest
    index = {name: a for a, name in enumerate(names)}
    parents = (machine.agents[n].parent if n in machine.agents else None for n in names)
    return (
        tuple(names),
        tuple(index.get(p, NOBODY) if p is not None else NOBODY for p in parents),
        tuple(depth.get(name, 0) for name in names),
    )


def _arrows(trace: Trace, graph: Graph, order: Sequence[Event], machine: Machine) -> Iterator[int]:
    """Who reaches whom: declared edges between agents, returns as they were read, else the receiver's next event."""
    at = {i: k for k, i in enumerate(graph.order)}
    pairs: dict[tuple[int, int], None] = {}
    for edge in trace.edges:
        u, v = graph.index.get(edge.src), graph.index.get(edge.dst)
        if u is not None and v is not None and edge.type in CROSSING:
            pairs[at[u], at[v]] = None
    for u, v in machine.reads:
        pairs[at[u], at[v]] = None
    leaving = {u for u, _ in pairs}
    own: dict[str, list[int]] = defaultdict(list)
    for k, event in enumerate(order):
        own[event.agent].append(k)
    for k, event in enumerate(order):
        if k in leaving or event.to is None or event.type not in CROSSING:
            continue
        later = own.get(event.to, [])
        after = bisect_left(later, k + 1)
        if event.type != "return" and after < len(later):
            pairs[k, later[after]] = None
    for u, v in sorted(pairs):
        if order[u].agent != order[v].agent:
            yield u
            yield v


def columns(view: Timeline) -> dict[str, Any]:
    """The timeline as JSON for the page."""
    index = {name: a for a, name in enumerate(view.names)}
    tools = {name: n for n, name in enumerate(view.tools)}
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
        "tools": list(view.tools),
        "agents": [_agent(view, a, roles.get(view.names[a], ""), spent[a]) for a in range(len(view.names))],
        "begin": list(view.begin),
        "events": {
            "id": [e.id for e in order],
            "type": [types[e.type] for e in order],
            "agent": [index[e.agent] for e in order],
            "to": [index[e.to] if e.to is not None else NOBODY for e in order],
            "tool": [tools[e.tool] if e.tool else NOBODY for e in order],
            "start": [e.start for e in order],
            "end": [e.end for e in order],
            "tokens": tokens,
            "flags": [_flags(e) for e in order],
        },
        "extra": {k: told for k, e in enumerate(order) if (told := _told(e))},
        "changes": list(view.changes),
        "offsets": list(view.offsets),
        "arrows": list(view.arrows),
        "issues": list(view.issues),
    }


def _agent(view: Timeline, a: int, role: object, tokens: int) -> dict[str, Any]:
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


def _told(event: Event) -> list[str]:
    data = event.data
    told = [f"{key} {_word(data[key])}" for key in TOLD if key in data and data[key] != "ok"]
    if isinstance(data.get("reward"), dict):
        told += [f"reward {name} {value}" for name, value in sorted(data["reward"].items())]
    return [*told, *(["untrusted"] if data.get("trusted") is False else [])]


def _word(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else str(value)
