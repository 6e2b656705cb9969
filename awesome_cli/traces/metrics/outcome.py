"""Metrics of quality: sub-tasks, aggregation, errors, taint, and the terms of rewards that a trace can give."""

from awesome_cli.traces.metrics._metric import NO_TASK, Value, metric, ratio
from awesome_cli.traces.metrics.run import NO_REWARD, NO_TRUST, UNJUDGED, MeasuredRun, NotComputableError
from awesome_cli.traces.model import FAILED, Event
from awesome_cli.traces.precedence import descendants

NO_SUBTASK = "no spawn or delegate names its subtask"


@metric("reward", "any", NO_REWARD)
def success(run: MeasuredRun) -> Value:
    """rewards.team."""
    return run.success


def assignments(run: MeasuredRun) -> list[Event]:
    """The events that give an agent a sub-task."""
    return [e for e in run.events if e.type in ("spawn", "delegate") and e.to is not None]


def subtasks(events: list[Event]) -> list[str]:
    """The `subtask` keys of some events."""
    return [e.data["subtask"] for e in events if isinstance(e.data.get("subtask"), str)]


@metric("share", "[0, 1]", f"{UNJUDGED}, or {NO_TASK}")
def split_correctness(run: MeasuredRun) -> Value:
    """Correct sub-task returns / sub-tasks that were assigned (spawn, delegate)."""
    return min(ratio(run.correct_returns, len(assignments(run)), NO_TASK), 1.0)


@metric("share", "[0, 1]", NO_SUBTASK)
def subtask_coverage(run: MeasuredRun) -> Value:
    """Different `subtask` keys that were assigned and returned / different keys that were assigned."""
    assigned = set(subtasks(assignments(run)))
    returned = set(subtasks([e for e in run.events if e.type == "return"]))
    return ratio(len(assigned & returned), len(assigned))


@metric("share", "[0, 1)", NO_SUBTASK)
def subtask_overlap(run: MeasuredRun) -> Value:
    """1 - different `subtask` keys / assigned keys: the share of sub-tasks that were assigned again."""
    assigned = subtasks(assignments(run))
    return 1 - len(set(assigned)) / len(assigned) if assigned else None


@metric("reward", "any", f"{UNJUDGED}, none was, or {NO_REWARD}")
def aggregation_quality(run: MeasuredRun) -> Value:
    """rewards.team, given that at least one sub-return was correct: a sample of P(success given a right sub-return)."""
    if not run.correct_returns:
        raise NotComputableError("no sub-return was correct, so none could be lost")
    return run.success


@metric("reward", "any", f"{UNJUDGED}, one was not, or {NO_REWARD}")
def aggregation_quality_all(run: MeasuredRun) -> Value:
    """rewards.team, given that every judged sub-return was correct."""
    if run.correct_returns < len(run.judged_returns):
        raise NotComputableError("not every sub-return was correct")
    return run.success


@metric("reward", "any", f"{UNJUDGED}, or {NO_REWARD}")
def aggregation_loss(run: MeasuredRun) -> Value:
    """max_i correct_i - rewards.team: what was right in a sub-return and did not reach the answer."""
    return int(run.correct_returns > 0) - run.success


@metric("ratio", null="no event has a status or says whether it was correct")
def error_spread(run: MeasuredRun) -> Value:
    """Erroneous events that follow from the first error / errors that start no later than it.

    Erroneous: status error or timeout, or `correct: false`. Not the error amplification of arXiv 2512.08296, which
    compares failure rates with a single agent's.
    """
    if not any("status" in e.data or "correct" in e.data for e in run.events):
        return None
    replayed = (run.events[i] for i in run.graph.order)
    errors = [e for e in replayed if e.data.get("status") in FAILED or e.data.get("correct") is False]
    if not errors:
        return 0
    first = errors[0]
    reached = descendants(run.precedence, [first.index])
    after = sum(reached[e.index] for e in errors) - 1
    return after / sum(e.start <= first.start for e in errors)


@metric("share", "[0, 1]", NO_TRUST)
def taint_reach(run: MeasuredRun) -> Value:
    """Untrusted events and events that follow from one / all events; an event with `sanitized` ends the taint."""
    return sum(run.tainted) / len(run.tainted)


@metric("calls", null=f"{NO_TRUST}, or which tools are privileged")
def taint_violations(run: MeasuredRun) -> Value:
    """Tainted calls of privileged tools: violations of policy P-T, trusted action, of FIDES (arXiv 2505.23643)."""
    if not any("privileged" in tool for tool in run.trace.tools.values()):
        raise NotComputableError("no tool says whether it is privileged (tools.*.privileged)")
    privileged = {name for name, tool in run.trace.tools.items() if tool.get("privileged")}
    return sum(run.tainted[e.index] for e in run.events if e.type == "tool_call" and e.tool in privileged)


@metric("share", "[0, 1]", NO_TASK)
def parl_finish(run: MeasuredRun) -> Value:
    """r_finish of PARL = finished / assigned sub-tasks (Kimi K2.5 report, arXiv 2602.02276)."""
    tasks = run.replay.machine.tasks.values()
    return ratio(sum(not task.open for task in tasks), len(tasks))


@metric("reward", "any", NO_REWARD)
def parl_performance(run: MeasuredRun) -> Value:
    """r_perf of PARL = rewards.team."""
    return run.success


@metric("events")
def recorded_credit(run: MeasuredRun) -> Value:
    """Number of `reward` events: credit that another program computed and recorded."""
    return run.counts["reward"]
