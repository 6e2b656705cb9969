"""Lists about a run: spending by role and sub-decision, the critical path, unread returns, and agents over time.

Every event counts for one role and one sub-decision. A model call counts for the sub-decision that the agent takes
before its next model call: spawn, delegate, communicate (message), aggregate, stop, or else execute. A model call that
reads a return counts for aggregate instead of execute or stop. Other events count by their type; tool calls, returns
and all further types count for execute. This tool defines these assignments.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from awesome_cli.text.grouping import group_pairs
from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError
from awesome_cli.traces.model import Event
from awesome_cli.traces.precedence import Precedence
from awesome_cli.traces.rules import UNREAD_RETURN
from awesome_cli.traces.state import roles

EXECUTE = "execute"
SUB_DECISIONS: Mapping[str, str] = {
    "spawn": "spawn", "delegate": "delegate", "message": "communicate", "aggregate": "aggregate",
    "stop": "stop", "despawn": "stop",
}  # fmt: skip
"""The sub-decision of each event type; other event types count for `execute`."""
PARTS = ("spawn", "delegate", "communicate", "aggregate", "stop", EXECUTE)


class Spending(NamedTuple):
    """Tokens, working time in seconds and cost of each event; a list is None if the trace does not record it."""

    tokens: Sequence[int] | None
    work_s: Sequence[float] | None
    cost: Sequence[float] | None

    def of(self, indices: Sequence[int]) -> dict[str, float | None]:
        return {
            name: None if values is None else sum(values[i] for i in indices)
            for name, values in zip(self._fields, self, strict=True)
        }


def known(run: MeasuredRun, name: str) -> Any:
    """Return an attribute of a run; None if the trace does not support the attribute."""
    try:
        return getattr(run, name)
    except NotComputableError:
        return None


def unread(run: MeasuredRun) -> Iterator[tuple[Event, list[int]]]:
    """Yield unread returns in replay order, each with the indices of its agent's events since the previous return."""
    waiting = {event.index for event, _ in run.replay.machine.never_read}
    since: dict[str, list[int]] = {}
    for i in run.graph.order if waiting else ():
        event = run.events[i]
        since.setdefault(event.agent, []).append(i)
        if event.type == "return":
            indices = since.pop(event.agent)
            if i in waiting:
                yield event, indices


def sub_decisions(run: MeasuredRun) -> list[str]:
    readers = {reader for _, reader in run.replay.machine.reads}
    parts = [SUB_DECISIONS.get(event.type, EXECUTE) for event in run.events]
    coming: dict[str, str] = {}
    for i in reversed(run.graph.order):
        event = run.events[i]
        if event.type in SUB_DECISIONS:
            coming[event.agent] = parts[i]
        elif event.type in ("llm_call", "orchestrator_decision"):
            decided = coming.get(event.agent, EXECUTE)
            parts[i] = "aggregate" if i in readers and decided in (EXECUTE, "stop") else decided
            if event.type == "llm_call":
                coming.pop(event.agent, None)
    return parts


def grouped(spending: Spending, names: Iterable[str]) -> list[dict[str, Any]]:
    """Sum events and spending by part (role or sub-decision); `names` has the part of every event."""
    parts = group_pairs((name, i) for i, name in enumerate(names))
    return [{"name": name, "events": len(indices)} | spending.of(indices) for name, indices in parts.items()]


def critical_path(run: MeasuredRun) -> list[Event]:
    """Return the working events of a longest chain in order. The sum of their durations is `span_s`.

    The list is empty if no working interval is recorded.
    """
    if known(run, "chains") is None:
        return []
    before, with_it = run.chains
    p = run.precedence
    target = max(range(len(with_it)), key=with_it.__getitem__)
    path = [target]
    for i in reversed(p.order[: p.order.index(target)]):
        if with_it[i] == before[target] > 0 and leads(p, i, target):
            target = i
            path.append(i)
    return [run.events[i] for i in reversed(path) if run.durations[i] > 0]


def leads(p: Precedence, u: int, v: int) -> bool:
    """Return True if a chain can go from event `u` to event `v`, which comes later in replay order."""
    event, following = p.events[u], p.events[v]
    ended = event.end <= following.start or event.end == event.start
    ordered = event.agent == following.agent and event.agent not in p.unordered
    return u in p.before[v] or (ended and (ordered or u in p.broadcasts))


def over_time(run: MeasuredRun) -> list[dict[str, float]]:
    """Return the number of running agents and their greatest depth at each time `t` when either number changes."""
    machine = run.replay.machine
    at_depth = {0: len(run.roots)}
    deepest, live = 0, len(run.roots)
    series: list[dict[str, float]] = [{"t": min(event.start for event in run.events), "agents": live, "depth": 0}]
    for index, name, begins in machine.lifecycle:
        depth, change = machine.agents[name].depth, 1 if begins else -1
        at_depth[depth] = at_depth.get(depth, 0) + change
        live += change
        deepest = max(deepest, depth)
        while deepest and not at_depth.get(deepest):
            deepest -= 1
        t = run.events[index].start
        if t == series[-1]["t"]:
            series.pop()
        series.append({"t": t, "agents": live, "depth": deepest})
    return series


def details(run: MeasuredRun) -> dict[str, Any]:
    """Return the lists about a run (see the module) for JSON.

    Roles are sorted by tokens in descending order; an agent without a role has its id as role. `work_s` is in seconds,
    null if the trace's time unit is unknown or a step; `t` is in the trace's time unit.
    """
    unit, money = run.trace.seconds, known(run, "money")
    durations: list[float] = known(run, "durations") or [0.0] * len(run.events)
    spending = Spending(
        run.tokens if any(run.tokens) else None,
        None if unit is None else [duration * unit for duration in durations],
        money and money.events,
    )
    role_of = roles(run.trace)
    by_role = grouped(spending, [role_of[event.agent] for event in run.events])
    by_role.sort(key=lambda part: (-(part["tokens"] or 0), -(part["work_s"] or 0), part["name"]))
    returns = unread(run) if UNREAD_RETURN.holds_for(run.trace) else ()
    return {
        "by_role": by_role,
        "by_sub_decision": sorted(grouped(spending, sub_decisions(run)), key=lambda part: PARTS.index(part["name"])),
        "critical_path": [
            {"id": event.id, "agent": event.agent, "type": event.type, "tool": event.tool, "t": event.start}
            | {"work_s": spending.work_s and spending.work_s[event.index]}
            for event in critical_path(run)
        ],
        "unread": [{"id": event.id, "agent": event.agent} | spending.of(indices) for event, indices in returns],
        "end": max(event.end for event in run.events),
        "over_time": over_time(run),
        "currency": money and money.currency,
        "cost_from": money and money.origin,
    }
