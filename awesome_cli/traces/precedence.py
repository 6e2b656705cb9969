"""Which events came before which: by each agent's own order, and by edges between agents.

Two events of one agent are ordered if the first ends before the other starts, or at the same time; overlapping calls
are not ordered. A cross edge (declared, or implied by a spawn, delegation, message, call, result, read return or input)
orders its two events only if the source has ended when the target starts; otherwise it is counted and left out. The
events of a tool that signs its own results have no order of their own. A broadcast comes before all events that start
after it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from awesome_cli.traces.graph import Graph
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace

ADDRESSED = frozenset({"spawn", "delegate", "message"})
# These have their effect when they start; their interval is waiting.
STARTERS = frozenset({"spawn", "delegate"})


@dataclass(frozen=True, slots=True)
class Precedence:
    """`before[i]` lists the cross predecessors of event i; `order` is a linear extension of everything.

    `unordered` are actors whose events have no order of their own; `left_out` counts cross edges that order nothing.
    """

    events: tuple[Event, ...]
    order: tuple[int, ...]
    before: Sequence[Sequence[int]]
    unordered: frozenset[str]
    left_out: int


def precedence(trace: Trace, graph: Graph, machine: Machine) -> Precedence:
    """Collect the cross edges. `graph` must have been made without skew; `machine` has replayed the whole trace."""
    events = trace.events
    before: list[list[int]] = [[] for _ in events]
    left_out = 0
    for u, v in [*graph.pairs, *machine.reads, *implied(trace, graph, machine.answers)]:
        if effect_time(events[u]) <= events[v].start:
            before[v].append(u)
        else:
            left_out += 1
    # Events of people stay ordered.
    tools = {name for name, agent in trace.agents.items() if agent.get("kind") in ("tool", "environment")}
    unordered = frozenset(tools | {name for name in machine.non_agents if name not in trace.agents})
    return Precedence(events, graph.order, before, unordered, left_out)


def effect_time(event: Event) -> float:
    """The time from which an event can have an effect on others."""
    return event.start if event.type in STARTERS else event.end


def implied(trace: Trace, graph: Graph, answers: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Cross edges that event types imply, except those from returns to the events that read them.

    Spawns, delegations and messages lead to the receiver's next event, results to the next event of the caller, calls
    to their results, and inputs to the event that lists them. `answers` maps a result to its call.
    """
    waiting: dict[str, list[Event]] = {}
    for i in graph.order:
        event = trace.events[i]
        inbox = waiting.get(event.agent)
        if inbox:
            yield from ((source.index, i) for source in inbox if effect_time(source) <= event.start)
            waiting[event.agent] = [source for source in inbox if effect_time(source) > event.start]
        if event.type in ADDRESSED:
            if event.to is not None:
                waiting.setdefault(event.to, []).append(event)
        elif event.type == "tool_result" and i in answers:
            yield answers[i], i
            waiting.setdefault(trace.events[answers[i]].agent, []).append(event)
        inputs = (graph.index.get(key) for key in event.data.get("inputs", ()))
        yield from ((source, i) for source in inputs if source is not None and source != i)


class BestChains:
    """The longest chain that each actor has finished by a time; `None` is the actor of all broadcasts."""

    __slots__ = ("best", "pending")

    def __init__(self) -> None:
        self.best: dict[str | None, float] = {}
        self.pending: dict[str | None, list[tuple[float, float]]] = {}

    def at(self, actor: str | None, now: float) -> float:
        """The longest chain of the actor's events that ended by `now`, which must not decrease from call to call."""
        value = self.best.get(actor, 0.0)
        queue = self.pending.get(actor)
        while queue and queue[0][0] <= now:
            value = max(value, heappop(queue)[1])
            self.best[actor] = value
        return value

    def add(self, actor: str | None, event: Event, value: float) -> None:
        """Add a chain that ends with an event of the actor."""
        if event.end > event.start:
            heappush(self.pending.setdefault(actor, []), (event.end, value))
        elif value > self.best.get(actor, 0.0):
            self.best[actor] = value


def longest_chains(p: Precedence, weights: Sequence[float]) -> tuple[list[float], list[float]]:
    """For every event the greatest sum of weights along a chain that ends with it: without the event, and with it.

    In a chain, each event ends before the next starts.
    """
    best = BestChains()
    before, chain = [0.0] * len(p.events), [0.0] * len(p.events)
    talk = any(event.type == "message" and event.to is None for event in p.events)
    for i in p.order:
        event = p.events[i]
        own = event.agent not in p.unordered
        value = best.at(event.agent, event.start) if own else 0.0
        if talk:
            value = max(value, best.at(None, event.start))
        for u in p.before[i]:
            if chain[u] > value:
                value = chain[u]
        before[i] = value
        chain[i] = value = value + weights[i]
        if own:
            best.add(event.agent, event, value)
        if talk and event.type == "message" and event.to is None:
            best.add(None, event, value)
    return before, chain


def longest_chain(p: Precedence, weights: Sequence[float]) -> float:
    """The greatest sum of weights along a chain of events."""
    return max(longest_chains(p, weights)[1])


def ancestors(p: Precedence, target: int) -> list[bool]:
    """For every event whether it came before `target`; also true for `target` itself."""
    marked = [False] * len(p.events)
    marked[target] = True
    latest: dict[str, float] = {}
    never = newest = float("-inf")
    for i in reversed(p.order):
        event = p.events[i]
        broadcast = event.type == "message" and event.to is None
        own = event.agent not in p.unordered
        if marked[i] or (own and event.end <= latest.get(event.agent, never)) or (broadcast and event.end <= newest):
            marked[i] = True
            for u in p.before[i]:
                marked[u] = True
            if event.start > latest.get(event.agent, never):
                latest[event.agent] = event.start
            if event.start > newest:
                newest = event.start
    return marked


def descendants(p: Precedence, sources: Iterable[int], *, blocked: Callable[[Event], bool] | None = None) -> list[bool]:
    """For every event whether one of `sources` came before it; also true for the sources themselves.

    A `blocked` event is not reached, and later events of its agent are not reached through earlier ones.
    """
    marked = [False] * len(p.events)
    start = set(sources)
    earliest: dict[str, float] = {}
    never = said = float("inf")
    for i in p.order:
        event = p.events[i]
        if blocked is not None and blocked(event):
            earliest.pop(event.agent, None)
            continue
        own = event.agent not in p.unordered
        reached = i in start or (own and earliest.get(event.agent, never) <= event.start) or said <= event.start
        if not reached:
            for u in p.before[i]:
                if marked[u]:
                    break
            else:
                continue
        marked[i] = True
        if own:
            earliest[event.agent] = min(earliest.get(event.agent, never), event.end)
        if event.type == "message" and event.to is None:
            said = min(said, event.end)
    return marked
