"""What a run spent on whom, and in which order: values that are lists, and so no metrics.

Every event counts for exactly one role and one sub-decision. A model call counts for the sub-decision that its agent
takes next, before its next model call: spawn, delegate, communicate (message) or aggregate. A call that reads a return
and takes none of these counts for aggregate, a call whose agent stops next for stop, and every other call for execute.
Other events count by their own type; what is none of these, tools among them, is execute. Which calls count for which
is defined by this tool.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError
from awesome_cli.traces.model import Event
from awesome_cli.traces.rules import UNREAD_RETURN
from awesome_cli.traces.state import roles
from awesome_cli.traces.usage import Money


@dataclass(slots=True)
class Spent:
    """What an agent spent on a return: tokens, working time in the trace's unit, and money where that is known."""

    event: Event
    tokens: int = 0
    work: float = 0.0
    cost: float | None = None


def money_known(run: MeasuredRun) -> Money | None:
    """What the run cost; None where that is unknown."""
    try:
        return run.money
    except NotComputableError:
        return None


def money_of(run: MeasuredRun) -> list[float] | None:
    """What each event cost; None where that is unknown."""
    known = money_known(run)
    return known.events if known else None


def work_of(run: MeasuredRun) -> list[float]:
    """Work by event, in the trace's time unit; 0 where no interval is recorded."""
    try:
        return run.durations
    except NotComputableError:
        return [0.0] * len(run.events)


def unread(run: MeasuredRun) -> list[Spent]:
    """The unread returns in the order of the replay; an agent's own work since its return before counts, no child's."""
    waiting = {one.event.index for one in run.replay.machine.unread.values()}
    found: list[Spent] = []
    if not waiting:
        return found
    costs, work = money_of(run), work_of(run)
    spent: dict[str, Spent] = {}
    for i in run.graph.order:
        event = run.events[i]
        one = spent.setdefault(event.agent, Spent(event, cost=None if costs is None else 0.0))
        one.tokens += run.tokens[i]
        one.work += work[i]
        if costs is not None:
            one.cost = (one.cost or 0.0) + costs[i]
        if event.type == "return":
            one.event = event
            found += [spent.pop(event.agent)] if i in waiting else []
            spent.pop(event.agent, None)
    return found


EXECUTE = "execute"
SUB_DECISIONS: Mapping[str, str] = {
    "spawn": "spawn", "delegate": "delegate", "message": "communicate", "return": "communicate",
    "aggregate": "aggregate", "stop": "stop", "despawn": "stop",
}  # fmt: skip
"""The sub-decision that an event is by its type; every other event is `execute`."""
PARTS = ("spawn", "delegate", "communicate", "aggregate", "stop", EXECUTE)
DECIDED = frozenset(SUB_DECISIONS) - {"return"}


@dataclass(slots=True)
class RunPart:
    """A part of a run: its events, tokens and money where they are known, and working time in the trace's unit."""

    name: str | None
    events: int = 0
    tokens: int | None = None
    work: float = 0.0
    cost: float | None = None

    def to_json(self, seconds: float | None) -> dict[str, Any]:
        """The published form; `seconds` are those of a unit of time, without them the time is null."""
        work = None if seconds is None else self.work * seconds
        return {"name": self.name, "events": self.events, "tokens": self.tokens, "work_s": work, "cost": self.cost}


def by_role(run: MeasuredRun) -> list[RunPart]:
    """By the role of the agent, the dearest first; a root without a role by its name, other such agents together."""
    names = {root: root for root in run.roots} | roles(run.trace)
    parts = grouped(run, [names.get(event.agent) for event in run.events])
    return sorted(parts, key=lambda part: (-(part.tokens or 0), -part.work, part.name or ""))


def by_sub_decision(run: MeasuredRun) -> list[RunPart]:
    """By sub-decision, in the order of `PARTS`; those that no event counts for are left out."""
    return sorted(grouped(run, sub_decisions(run)), key=lambda part: PARTS.index(part.name or EXECUTE))


def sub_decisions(run: MeasuredRun) -> list[str]:
    """The sub-decision of every event."""
    readers = {reader for _, reader in run.replay.machine.reads}
    found = [SUB_DECISIONS.get(event.type, EXECUTE) for event in run.events]
    coming: dict[str, str] = {}
    for i in reversed(run.graph.order):
        event = run.events[i]
        if event.type in DECIDED:
            coming[event.agent] = found[i]
        elif event.type in ("llm_call", "orchestrator_decision"):
            decided = coming.get(event.agent, EXECUTE)
            found[i] = "aggregate" if i in readers and decided in (EXECUTE, "stop") else decided
            if event.type == "llm_call":
                coming.pop(event.agent, None)
    return found


def grouped(run: MeasuredRun, names: Iterable[str | None]) -> list[RunPart]:
    """The parts of a run, given the name of the part of every event."""
    costs, work, known = money_of(run), work_of(run), any(run.tokens)
    parts: dict[str | None, RunPart] = {}
    for i, name in enumerate(names):
        part = parts.setdefault(name, RunPart(name, cost=None if costs is None else 0.0))
        part.events += 1
        if known:
            part.tokens = (part.tokens or 0) + run.tokens[i]
        part.work += work[i]
        if costs is not None:
            part.cost = (part.cost or 0.0) + costs[i]
    return list(parts.values())


def critical_path(run: MeasuredRun) -> list[Event]:
    """The working events of one longest chain, the first one first; the sum of their durations is `span_s`.

    Empty where no interval is recorded.
    """
    try:
        before, with_it = run.chains
    except NotComputableError:
        return []
    ends = Ends(run, with_it)
    at: int | None = max(range(len(with_it)), key=with_it.__getitem__)
    path = []
    while at is not None:
        if run.durations[at] > 0:
            path.append(run.events[at])
        at = ends.leading_to(at, before[at]) if before[at] > 0 else None
    return path[::-1]


class Ends:
    """Where chains end: by actor and length the event that ended first; the actor None stands for all broadcasts."""

    def __init__(self, run: MeasuredRun, lengths: list[float]) -> None:
        self.run, self.lengths = run, lengths
        self.place = {index: place for place, index in enumerate(run.precedence.order)}
        self.first: dict[tuple[str | None, float], int] = {}
        for index in run.precedence.order:
            event = run.events[index]
            self.add(event.agent, index)
            if event.type == "message" and event.to is None:
                self.add(None, index)

    def add(self, actor: str | None, index: int) -> None:
        """A chain of the actor ends with this event."""
        key = (actor, self.lengths[index])
        known = self.first.get(key)
        if known is None or self.run.events[index].end < self.run.events[known].end:
            self.first[key] = index

    def leading_to(self, index: int, length: float) -> int | None:
        """The event before this one in its chain, which ends with this length."""
        event, p = self.run.events[index], self.run.precedence
        actors = (None,) if event.agent in p.unordered else (event.agent, None)
        own = [u for actor in actors if (u := self.first.get((actor, length))) is not None]
        found = [*(u for u in p.before[index] if self.lengths[u] == length), *own]
        return next((u for u in found if self.place[u] < self.place[index]), None)


SLICES = 10


class Live(NamedTuple):
    """From the time `t` on, in the trace's unit, `agents` run, the deepest of them at `depth`."""

    t: float
    agents: int
    depth: int


def over_time(run: MeasuredRun) -> list[Live]:
    """The number of running agents and their greatest depth, at every time at which one of them changes."""
    machine = run.replay.machine
    at_depth = {0: len(run.roots)}
    deepest, live = 0, len(run.roots)
    found = [Live(min(event.start for event in run.events), live, 0)]
    for index, name, begins in machine.lifecycle:
        depth, change = machine.agents[name].depth, 1 if begins else -1
        at_depth[depth] = at_depth.get(depth, 0) + change
        live += change
        deepest = max(deepest, depth)
        while deepest and not at_depth.get(deepest):
            deepest -= 1
        now = Live(run.events[index].start, live, deepest)
        if now.t == found[-1].t:
            found.pop()
        found.append(now)
    return found


def sliced(series: list[Live], end: float) -> list[Live]:
    """The most agents, and the greatest depth, in each of ten equal parts of the time."""
    begin = series[0].t
    length = (end - begin) / SLICES or 1.0
    slices = [Live(begin + i * length, 0, 0) for i in range(SLICES)]
    for one, following in zip(series, [*(s.t for s in series[1:]), end], strict=True):
        first = min(int((one.t - begin) / length), SLICES - 1)
        last = min(int((following - begin) / length), SLICES - 1)
        for i in range(first, last + 1):
            slices[i] = Live(slices[i].t, max(slices[i].agents, one.agents), max(slices[i].depth, one.depth))
    return slices


def details(run: MeasuredRun) -> dict[str, Any]:
    """The parts of a run, its critical path, its unread returns, and its agents over time, in their published form.

    Times are in seconds, null where the trace's unit is no time; `t` is in the trace's unit.
    """
    unit = run.trace.seconds
    cost = money_known(run)
    return {
        "by_role": [part.to_json(unit) for part in by_role(run)],
        "by_sub_decision": [part.to_json(unit) for part in by_sub_decision(run)],
        "critical_path": [on_path(event, unit) for event in critical_path(run)],
        "unread": [spent(one, unit) for one in unread(run)] if UNREAD_RETURN.holds_for(run.trace) else [],
        "end": max(event.end for event in run.events),
        "over_time": [one._asdict() for one in over_time(run)],
        "currency": cost and cost.currency,
        "cost_from": cost and cost.origin,
    }


def on_path(event: Event, unit: float | None) -> dict[str, Any]:
    """An event of the critical path with its working time."""
    lasts = None if unit is None else (event.end - event.start) * unit
    return {
        "id": event.id,
        "agent": event.agent,
        "type": event.type,
        "tool": event.tool,
        "t": event.start,
        "work_s": lasts,
    }


def spent(one: Spent, unit: float | None) -> dict[str, Any]:
    """An unread return with what was spent on it."""
    work = None if unit is None else one.work * unit
    return {"id": one.event.id, "agent": one.event.agent, "tokens": one.tokens, "work_s": work, "cost": one.cost}
