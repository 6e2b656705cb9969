"""Spending of a run by role and sub-decision, and its critical path: values that are lists, and so no metrics.

Every event counts for exactly one role and one sub-decision. A model call counts for the sub-decision that its agent
takes next, before its next model call: spawn, delegate, communicate (message) or aggregate. A call that reads a return
and takes none of these counts for aggregate, a call whose agent stops next for stop, and every other call for execute.
Other events count by their own type; what is none of these, tools among them, is execute. Which calls count for which
is defined by this tool.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError
from awesome_cli.traces.model import Event
from awesome_cli.traces.precedence import Precedence
from awesome_cli.traces.rules import UNREAD_RETURN
from awesome_cli.traces.state import roles
from awesome_cli.traces.usage import Money


@dataclass(slots=True, kw_only=True)
class Spent:
    """Tokens and money where they are known, and working time in the trace's unit."""

    tokens: int | None = None
    work: float = 0.0
    cost: float | None = None

    def add(self, tokens: int | None, work: float, cost: float | None) -> None:
        if tokens is not None:
            self.tokens = (self.tokens or 0) + tokens
        self.work += work
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost

    def to_json(self, seconds: float | None) -> dict[str, Any]:
        """The published form; `seconds` are those of a unit of time, without them the time is null."""
        work = None if seconds is None else self.work * seconds
        return {"tokens": self.tokens, "work_s": work, "cost": self.cost}


def money_known(run: MeasuredRun) -> Money | None:
    """The cost of the run; None where that is unknown."""
    try:
        return run.money
    except NotComputableError:
        return None


def spending(run: MeasuredRun) -> list[tuple[int | None, float, float | None]]:
    """Tokens, working time and money of every event; no interval is no work, unknown tokens and money are None."""
    money = money_known(run)
    try:
        work = run.durations
    except NotComputableError:
        work = [0.0] * len(run.events)
    tokens = run.tokens if any(run.tokens) else repeat(None)
    return list(zip(tokens, work, (money and money.events) or repeat(None), strict=False))


def unread(run: MeasuredRun) -> list[tuple[Event, Spent]]:
    """The unread returns in the order of the replay; an agent's own work since its return before counts, no child's."""
    waiting = {each.event.index for each in run.replay.machine.never_read}
    found: list[tuple[Event, Spent]] = []
    if not waiting:
        return found
    used = spending(run)
    since: dict[str, Spent] = {}
    for i in run.graph.order:
        event = run.events[i]
        spent = since.setdefault(event.agent, Spent(tokens=0))
        spent.add(*used[i])
        if event.type == "return":
            del since[event.agent]
            if i in waiting:
                found.append((event, spent))
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
class RunPart(Spent):
    """A part of a run: what its events spent, and their number."""

    name: str | None
    events: int = 0


def by_role(run: MeasuredRun) -> list[RunPart]:
    """By the role of the agent, the dearest first; a root without a role by its name, other such agents together."""
    names = {root: root for root in run.roots} | roles(run.trace)
    parts = grouped(run, [names.get(event.agent) for event in run.events])
    return sorted(parts, key=lambda part: (-(part.tokens or 0), -part.work, part.name or ""))


def by_sub_decision(run: MeasuredRun) -> list[RunPart]:
    """By sub-decision, in the order of `PARTS`; those that no event counts for are left out."""
    return sorted(grouped(run, sub_decisions(run)), key=lambda part: PARTS.index(part.name or EXECUTE))


def sub_decisions(run: MeasuredRun) -> list[str]:
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
    parts: dict[str | None, RunPart] = {}
    for name, used in zip(names, spending(run), strict=True):
        part = parts.setdefault(name, RunPart(name))
        part.events += 1
        part.add(*used)
    return list(parts.values())


def critical_path(run: MeasuredRun) -> list[Event]:
    """The working events of one longest chain, the first one first; the sum of their durations is `span_s`.

    Empty where no interval is recorded.
    """
    try:
        before, with_it = run.chains
    except NotComputableError:
        return []
    p = run.precedence
    target = max(range(len(with_it)), key=with_it.__getitem__)
    path = [target]
    for i in reversed(p.order[: p.order.index(target)]):
        if with_it[i] == before[target] > 0 and leads(p, i, target):
            target = i
            path.append(i)
    return [run.events[i] for i in reversed(path) if run.durations[i] > 0]


def leads(p: Precedence, u: int, v: int) -> bool:
    """True if a chain can go from one event to another, which comes later in the order."""
    event, following = p.events[u], p.events[v]
    if u in p.before[v]:
        return True
    ended = event.end <= following.start or event.end == event.start
    own = event.agent == following.agent and event.agent not in p.unordered
    return ended and (own or u in p.broadcasts)


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
    for point, until in zip(series, [*(s.t for s in series[1:]), end], strict=True):
        first, last = (min(int((t - begin) / length), SLICES - 1) for t in (point.t, until))
        for i in range(first, last + 1):
            slices[i] = Live(slices[i].t, max(slices[i].agents, point.agents), max(slices[i].depth, point.depth))
    return slices


def details(run: MeasuredRun) -> dict[str, Any]:
    """The parts of a run, its critical path, its unread returns, and its agents over time, in their published form.

    Times are in seconds, null where the trace's unit is no time; `t` is in the trace's unit.
    """
    unit = run.trace.seconds
    cost = money_known(run)
    parts = {"by_role": by_role(run), "by_sub_decision": by_sub_decision(run)}
    returns = unread(run) if UNREAD_RETURN.holds_for(run.trace) else []
    return {
        **{
            title: [{"name": part.name, "events": part.events} | part.to_json(unit) for part in found]
            for title, found in parts.items()
        },
        "critical_path": [on_path(event, unit) for event in critical_path(run)],
        "unread": [{"id": event.id, "agent": event.agent} | spent.to_json(unit) for event, spent in returns],
        "end": max(event.end for event in run.events),
        "over_time": [point._asdict() for point in over_time(run)],
        "currency": cost and cost.currency,
        "cost_from": cost and cost.origin,
    }


def on_path(event: Event, unit: float | None) -> dict[str, Any]:
    lasts = None if unit is None else (event.end - event.start) * unit
    about = {"id": event.id, "agent": event.agent, "type": event.type, "tool": event.tool}
    return about | {"t": event.start, "work_s": lasts}
