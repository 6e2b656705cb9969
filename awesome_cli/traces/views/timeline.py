"""A replayed trace as columns of numbers, from which lanes, pages and other formats are drawn.

The rules of the replay are in `traces.effects` alone. A drawing gets the changes that the replay made, so no viewer
decides what an event does.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.reports.findings import RANK
from awesome_cli.traces.actors import roles
from awesome_cli.traces.checking import findings
from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.loose_ends import loose_ends
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.replay import Replay, findings_of
from awesome_cli.traces.rules import TraceFinding, collapse, listed
from awesome_cli.traces.views.changes import NONE, ChangeLog

CROSSING = frozenset({"spawn", "delegate", "message", "return", "aggregate", "data", "safety_flow", "causal"})


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events in replay order, agents in the order of the spawn tree, and what every event changed.

    - `parents`, `depths`, `roles`: of each of `names` in the spawn tree; -1 is the parent of a root
    - `begin`: positions of the agents that run from the start
    - `changes`: four integers per change: its kind (agent, task, call, unread return, answer, stop), its key (an agent,
      else the event that opened it), the new value and the old one. 0 means absent; the value of an agent is its
      status, that of answer and stop is the place of an event, from 1
    - `offsets`: the changes of event k are `changes[offsets[k]:offsets[k+1]]`
    - `arrows`: pairs of places, flat
    - `findings`: code, level, place of the event (-1 for none) and message of each, errors first
    - `kinds`: of each kind of finding the position of the first in `findings`, and how many there are
    """

    trace: Trace
    order: tuple[Event, ...]
    names: tuple[str, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    roles: tuple[str, ...]
    begin: tuple[int, ...]
    changes: tuple[int, ...]
    offsets: tuple[int, ...]
    arrows: tuple[int, ...]
    findings: tuple[dict[str, Any], ...]
    kinds: tuple[tuple[int, int], ...]
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
    """Replay the trace and record what every event changed."""
    graph = graph_of(trace)
    machine = Machine(trace, graph.order)
    running = list(machine.agents)
    log = ChangeLog(trace, graph, running)
    illegal: list[TraceFinding] = []
    for k, i in enumerate(graph.order):
        machine.step(trace.events[i])
        log.add(k, machine.changes)
        illegal += findings_of(trace, trace.events[i], machine)
    # The digests of the replay are not drawn.
    ends = tuple(loose_ends(trace, machine))
    replayed = Replay("", "", "", tuple(illegal), ends, machine, len(trace.events))
    found = [(log.place_of(f), f) for f in listed(findings(trace, graph, replayed))]
    found.sort(key=lambda each: (RANK[each[1].rule.levels[trace.version]], each[0], each[1].code))
    number = {id(f): n for n, (_, f) in enumerate(found)}
    order = tuple(trace.events[i] for i in graph.order)
    names, parents, depths = _spawn_tree(order, machine)
    index, role_of = {name: a for a, name in enumerate(names)}, roles(trace)
    return Timeline(
        trace=trace,
        order=order,
        names=names,
        parents=parents,
        depths=depths,
        roles=tuple(role_of.get(name, "") for name in names),
        begin=tuple(index[name] for name in running if name in index),
        changes=log.numbers(index),
        offsets=tuple(log.offsets),
        arrows=tuple(_arrows(trace, graph, order, machine)),
        findings=tuple(
            {"code": f.code, "level": f.rule.levels[trace.version].value, "event": place, "message": f.message}
            for place, f in found
        ),
        kinds=tuple((number[id(f)], n) for f, n in collapse(f for _, f in found)),
        machine=machine,
    )


def _spawn_tree(order: Sequence[Event], machine: Machine) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """Everyone who acts or is addressed, parents before their children: names, positions of the parents, and depths."""
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
    # Agents whose parents form a cycle cannot be reached from a root.
    rest = [name for name in seen if name not in depth]
    names += rest
    index = {name: a for a, name in enumerate(names)}
    parents = (machine.agents[n].parent if n in machine.agents else None for n in names)
    return (
        tuple(names),
        tuple(index.get(p, NONE) if p is not None else NONE for p in parents),
        tuple(depth.get(name, 0) for name in names),
    )


def _arrows(trace: Trace, graph: Graph, order: Sequence[Event], machine: Machine) -> Iterator[int]:
    """Arrows between agents: declared edges, and returns to their readers, else to the receiver's next event."""
    at = {i: k for k, i in enumerate(graph.order)}
    pairs = {(at[u], at[v]) for u, v in machine.reads}
    for edge in trace.edges:
        u, v = graph.index.get(edge.src), graph.index.get(edge.dst)
        if u is not None and v is not None and edge.type in CROSSING:
            pairs.add((at[u], at[v]))
    pairs |= _to_next_event(order, {u for u, _ in pairs})
    for u, v in sorted(pairs):
        if order[u].agent != order[v].agent:
            yield u
            yield v


def _to_next_event(order: Sequence[Event], drawn: set[int]) -> set[tuple[int, int]]:
    """Arrows of addressed events that have none yet: to the receiver's next event. An unread return gets none."""
    own: dict[str, list[int]] = defaultdict(list)
    for k, event in enumerate(order):
        own[event.agent].append(k)
    pairs = set()
    for k, event in enumerate(order):
        if k not in drawn and event.to is not None and event.type in CROSSING - {"return"}:
            later = own.get(event.to, [])
            after = bisect_right(later, k)
            if after < len(later):
                pairs.add((k, later[after]))
    return pairs
