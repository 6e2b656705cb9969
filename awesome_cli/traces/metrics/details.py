"""Spending of a run by role and sub-decision, and its critical path: values that are lists, and so no metrics.

Every event counts for exactly one role and one sub-decision. A model call counts for the sub-decision that its agent
takes next, before its next model call: spawn, delegate, communicate (message) or aggregate. A call that reads a return
and takes none of these counts for aggregate, a call whose agent stops next for stop, and every other call for execute.
Other events count by their own type; what is none of these, tools and returns among them, is execute. This tool defines
which calls count for which.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

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
"""The sub-decision that an event is by its type; every other event is `execute`."""
PARTS = ("spawn", "delegate", "communicate", "aggregate", "stop", EXECUTE)


class Spending(NamedTuple):
    """Tokens, working time (s) and money by event; None where the trace does not record them."""

    tokens: Sequence[int] | None
    work_s: Sequence[float] | None
    cost: Sequence[float] | None

    def of(self, indices: Sequence[int]) -> dict[str, float | None]:
        return {
            name: None if values is None else sum(values[i] for i in indices)
            for name, values in zip(self._fields, self, strict=True)
        }


def known(run: MeasuredRun, name: str) -> Any:
    """An attribute of a run; None if the trace does not support it."""
    try:
        return getattr(run, name)
    except NotComputableError:
        return None


def unread(run: MeasuredRun) -> list[tuple[Event, list[int]]]:
    """The unread returns in the order of the replay, with the events of their agents since the return before."""
    waiting = {event.index for event, _ in run.replay.machine.never_read}
    returns: list[tuple[Event, list[int]]] = []
    since: dict[str, list[int]] = {}
    for i in run.graph.order if waiting else ():
        event = run.events[i]
        since.setdefault(event.agent, []).append(i)
        if event.type == "return":
            indices = since.pop(event.agent)
            if i in waiting:
                returns.append((event, indices))
    return returns


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
    """The parts of a run, given the name of the part of every event."""
    parts: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        parts.setdefault(name, []).append(i)
    return [{"name": name, "events": len(indices)} | spending.of(indices) for name, indices in parts.items()]


def critical_path(run: MeasuredRun) -> list[Event]:
    """The working events of one longest chain, the first one first; the sum of their durations is `span_s`.

    Empty where no interval is recorded.
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
    """True if a chain can go from one event to another, which comes later in the order."""
    event, following = p.events[u], p.events[v]
    ended = event.end <= following.start or event.end == event.start
    ordered = event.agent == following.agent and event.agent not in p.unordered
    return u in p.before[v] or (ended and (ordered or u in p.broadcasts))


def over_time(run: MeasuredRun) -> list[dict[str, float]]:
    """The number of running agents and their greatest depth from a time `t` on, for every `t` at which one changes."""
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
    """The parts of a run, its critical path, its unread returns, and its agents over time, in their published form.

    Roles are sorted by tokens, the dearest first; the id of an agent without a role is its role.
    Times are in seconds, null where the trace's unit is not a time; `t` is in the trace's unit.
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
    returns = unread(run) if UNREAD_RETURN.holds_for(run.trace) else []
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
