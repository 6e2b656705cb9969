"""What a run spent on whom, and in which order: values that are lists, and so no metrics."""

from typing import Any

from awesome_cli.traces.metrics.lifecycle import over_time
from awesome_cli.traces.metrics.parts import by_role, by_sub_decision
from awesome_cli.traces.metrics.path import critical_path
from awesome_cli.traces.metrics.returns import Spent, money_known, unread
from awesome_cli.traces.metrics.run import MeasuredRun
from awesome_cli.traces.model import Event
from awesome_cli.traces.rules import UNREAD_RETURN


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
