"""Precedence of events, from each agent's own order and from edges between agents.

Two events of one agent are ordered if the first ends before the other starts, or at the same time; overlapping calls
are not ordered. A cross edge (declared, or implied by a spawn, delegation, message, call, result, read return or input)
orders its two events only if the source has ended when the target starts; otherwise it is counted and left out. The
events of a tool that signs its own results have no order of their own. A broadcast comes before all events that start
after it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import chain

from awesome_cli.traces.graph import Graph
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace

ADDRESSED = frozenset({"spawn", "delegate", "message"})
# These have their effect when they start; their interval is waiting.
STARTERS = frozenset({"spawn", "delegate"})
NONE: list[int] = []
"""Shared by all events without a cross predecessor, and always empty."""


@dataclass(frozen=True, slots=True)
class Precedence:
    """`before[i]` lists the cross predecessors of event i; `order` is a linear extension of everything.

    `unordered` are actors whose events have no order of their own, `broadcasts` are messages to all;
    `left_out` counts cross edges that order nothing.
    """

    events: tuple[Event, ...]
    order: tuple[int, ...]
    before: Sequence[Sequence[int]]
    unordered: frozenset[str]
    broadcasts: frozenset[int]
    left_out: int


def precedence(trace: Trace, graph: Graph, machine: Machine) -> Precedence:
    """Collect the cross edges. `graph` must have been made without skew; `machine` has replayed the whole trace."""
    events = trace.events
    effects = [event.start if event.type in STARTERS else event.end for event in events]
    before = [NONE] * len(events)
    left_out = 0
    for u, v in chain(graph.pairs, machine.reads, implied(trace, graph, machine.answers, effects)):
        if effects[u] > events[v].start:
            left_out += 1
        elif before[v] is NONE:
            before[v] = [u]
        else:
            before[v].append(u)
    # Events of people stay ordered.
    tools = {name for name, agent in trace.agents.items() if agent.get("kind") in ("tool", "environment")}
    unordered = frozenset(tools | {name for name in machine.non_agents if name not in trace.agents})
    broadcasts = frozenset(event.index for event in events if event.type == "message" and event.to is None)
    return Precedence(events, graph.order, before, unordered, broadcasts, left_out)


def implied(
    trace: Trace, graph: Graph, answers: Mapping[int, int], effects: Sequence[float]
) -> Iterator[tuple[int, int]]:
    """Cross edges that event types imply, except those from returns to the events that read them.

    Spawns, delegations and messages lead to the receiver's next event, results to the next event of the caller, calls
    to their results, and inputs to the event that lists them. `answers` maps a result to its call, `effects` are the
    times from which events can have an effect on others.
    """
    events = trace.events
    waiting: dict[str, list[int]] = {}
    for i in graph.order:
        event = events[i]
        for source in waiting.pop(event.agent, ()):
            if effects[source] <= event.start:
                yield source, i
            else:
                waiting.setdefault(event.agent, []).append(source)
        if event.type in ADDRESSED:
            if event.to is not None:
                waiting.setdefault(event.to, []).append(i)
        elif event.type == "tool_result" and i in answers:
            yield answers[i], i
            waiting.setdefault(events[answers[i]].agent, []).append(i)
        if event.inputs:
            sources = (graph.index.get(key) for key in event.inputs)
            yield from ((source, i) for source in sources if source is not None and source != i)


@dataclass(slots=True)
class Chains:
    """Running maximum of the longest chains of one actor, or of all broadcasts."""

    best: float = 0.0
    pending: list[tuple[float, float]] = field(default_factory=list)

    def by(self, now: float) -> float:
        """Return the longest chain that ended by `now`; `now` must not decrease between calls."""
        pending = self.pending
        while pending and pending[0][0] <= now:
            value = heappop(pending)[1]
            if value > self.best:
                self.best = value
        return self.best

    def add(self, event: Event, value: float) -> None:
        if event.end > event.start:
            heappush(self.pending, (event.end, value))
        elif value > self.best:
            self.best = value


def longest_chains(p: Precedence, weights: Sequence[float]) -> tuple[list[float], list[float]]:
    """For every event, the greatest weight of a chain that ends there: without and with the event's own weight."""
    # Attributes of `p` are read once: these loops run over every event of a run.
    events, earlier, unordered = p.events, p.before, p.unordered
    actors: dict[str, Chains] = defaultdict(Chains)
    broadcasts = Chains() if p.broadcasts else None
    before, lengths = [0.0] * len(events), [0.0] * len(events)
    for i in p.order:
        event = events[i]
        chains = actors[event.agent] if event.agent not in unordered else None
        value = chains.by(event.start) if chains is not None else 0.0
        if broadcasts is not None:
            value = max(value, broadcasts.by(event.start))
        for u in earlier[i]:
            if lengths[u] > value:
                value = lengths[u]
        before[i] = value
        lengths[i] = value = value + weights[i]
        if chains is not None:
            chains.add(event, value)
        if broadcasts is not None and i in p.broadcasts:
            broadcasts.add(event, value)
    return before, lengths


def ancestors(p: Precedence, target: int) -> list[bool]:
    """True for every event that came before `target`, and for `target` itself."""
    events, earlier, unordered, broadcasts = p.events, p.before, p.unordered, p.broadcasts
    marked = [False] * len(events)
    marked[target] = True
    latest: dict[str, float] = {}
    never = newest = float("-inf")
    for i in reversed(p.order):
        event = events[i]
        agent = event.agent
        last = never if agent in unordered else latest.get(agent, never)
        if marked[i] or event.end <= last or (i in broadcasts and event.end <= newest):
            marked[i] = True
            for u in earlier[i]:
                marked[u] = True
            start = event.start
            if start > last:
                latest[agent] = start
            if start > newest:
                newest = start
    return marked


def descendants(p: Precedence, sources: Iterable[int], *, blocked: Callable[[Event], bool] | None = None) -> list[bool]:
    """True for every event that follows from one of `sources`, and for the sources themselves.

    A `blocked` event is not reached, and it stops the propagation to later events of its agent.
    """
    events, earlier, unordered = p.events, p.before, p.unordered
    marked = [False] * len(events)
    begin = set(sources)
    earliest: dict[str, float] = {}
    never = heard = float("inf")
    for i in p.order if begin else ():
        event = events[i]
        agent, start = event.agent, event.start
        if blocked is not None and blocked(event):
            earliest.pop(agent, None)
            continue
        first = never if agent in unordered else earliest.get(agent, never)
        if first > start and heard > start and i not in begin:
            for u in earlier[i]:
                if marked[u]:
                    break
            else:
                continue
        marked[i] = True
        if event.end < first and agent not in unordered:
            earliest[agent] = event.end
        if i in p.broadcasts:
            heard = min(heard, event.end)
    return marked
