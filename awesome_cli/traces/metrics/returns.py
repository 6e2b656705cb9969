"""Returns that nobody read, with what was spent on them."""

from dataclasses import dataclass

from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError
from awesome_cli.traces.model import Event
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
