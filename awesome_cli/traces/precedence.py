"""What happened before what: each agent's own order, and the edges between agents; chains, ancestors and descendants.

Two events of one agent are ordered when one ends before, or when, the other starts, so calls that overlap are not. A
cross edge (declared, or implied by a spawn, delegation, message, call, result, read return or input) orders its ends
only if the source is over when the target starts; otherwise it is counted and left out. A tool that signs its results
is no agent with an order of its own. A broadcast comes before whatever starts after it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from awesome_cli.traces.graph import Graph
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace

ADDRESSED = frozenset({"spawn", "delegate", "message"})
# These begin something elsewhere when they start; their interval is waiting.
STARTERS = frozenset({"spawn", "delegate"})


@dataclass(frozen=True, slots=True)
class Precedence:
    """`before[i]` lists the cross predecessors of event i; `order` is a linear extension of everything.

    `unordered` are the actors without an order of their own; `left_out` counts cross edges whose source was not over.
    """

    events: tuple[Event, ...]
    order: tuple[int, ...]
    before: Sequence[Sequence[int]]
    unordered: frozenset[str]
    left_out: int


def precedence(trace: Trace, graph: Graph, machine: Machine) -> Precedence:
    """Collect the cross edges; `graph` was made with no skew, `machine` has replayed the whole trace."""
    events = trace.events
    before: list[list[int]] = [[] for _ in events]
    left_out = 0
    for u, v in [*graph.pairs, *machine.reads, *implied(trace, graph, machine.answers)]:
        if effect_time(events[u]) <= events[v].start:
            before[v].append(u)
        else:
            left_out += 1
    # Agents that are declared as people keep the order of what they do.
    tools = {name for name, agent in trace.agents.items() if agent.get("kind") in ("tool", "environment")}
    unordered = frozenset(tools | {name for name in machine.non_agents if name not in trace.agents})
    return Precedence(events, graph.order, before, unordered, left_out)


def effect_time(event: Event) -> float:
    """When an event has its effect on others."""
    return event.start if event.type in STARTERS else event.end


def implied(trace: Trace, graph: Graph, answers: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Edges that the vocabulary implies, apart from the reading of returns: to the receiver's next event.

    `answers` maps a result to its call.
    """
    waiting: dict[str, list[Event]] = {}
    for i in graph.order:
        event = trace.events[i]
        box = waiting.pop(event.agent, None)
        if box:
            early = [source for source in box if effect_time(source) > event.start]
            if early:
                waiting[event.agent] = early
            yield from ((source.index, i) for source in box if effect_time(source) <= event.start)
        if event.type in ADDRESSED:
            if event.to is not None:
                waiting.setdefault(event.to, []).append(event)
        elif event.type == "tool_result" and i in answers:
            yield answers[i], i
            waiting.setdefault(trace.events[answers[i]].agent, []).append(event)
        for key in event.data.get("inputs", ()):
            source_index = graph.index.get(key)
            if source_index is not None and source_index != i:
                yield source_index, i


class BestChains:
    """The best chain among what each actor has finished by now; `None` is the actor of all broadcasts."""

    __slots__ = ("best", "pending")

    def __init__(self) -> None:
        self.best: dict[str | None, float] = {}
        self.pending: dict[str | None, list[tuple[float, float]]] = {}

    def at(self, actor: str | None, now: float) -> float:
        """The best chain of the actor's events that ended by `now`, which never decreases from call to call."""
        value = self.best.get(actor, 0.0)
        queue = self.pending.get(actor)
        while queue and queue[0][0] <= now:
            value = max(value, heappop(queue)[1])
            self.best[actor] = value
        return value

    def add(self, actor: str | None, event: Event, value: float) -> None:
        """A chain ends with an event of the actor."""
        if event.end > event.start:
            heappush(self.pending.setdefault(actor, []), (event.end, value))
        elif value > self.best.get(actor, 0.0):
            self.best[actor] = value


def longest_chain(p: Precedence, weights: Sequence[float]) -> float:
    """The greatest sum of weights along a chain of events, each of which is over when the next starts."""
    best = BestChains()
    chain: list[float] = [0.0] * len(p.events)
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
        chain[i] = value = value + weights[i]
        if own:
            best.add(event.agent, event, value)
        if talk and event.type == "message" and event.to is None:
            best.add(None, event, value)
    return max(chain)


def ancestors(p: Precedence, target: int) -> list[bool]:
    """For every event whether it came before `target`, which counts itself."""
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
    """For every event whether one of `sources` (which count themselves) came before it.

    An event that is `blocked` passes nothing on: neither is it reached, nor does its agent stay reached.
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
