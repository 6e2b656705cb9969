"""Metrics of quality: sub-tasks, aggregation, errors, taint, and the terms of rewards that a trace can give."""

from awesome_cli.traces.metrics.run import Missing, Run, Value
from awesome_cli.traces.model import Event
from awesome_cli.traces.precedence import descendants

NOT_JUDGED = Missing("no return says whether it was correct")
NO_TEAM = Missing("there is no reward 'team'")


def _handed(run: Run) -> list[Event]:
    """The events that give somebody a sub-task."""
    return [e for e in run.events if e.type in ("spawn", "delegate") and e.to is not None]


def split_correctness(run: Run) -> Value:
    """Correct sub-task returns / sub-tasks handed out (spawn, delegate), in [0, 1]."""
    if not run.judged_returns:
        return NOT_JUDGED
    tasks = len(_handed(run))
    right = sum(e.data["correct"] for e in run.judged_returns)
    return min(right / tasks, 1.0) if tasks else Missing("no sub-task was handed out")


def _subtasks(run: Run) -> list[str]:
    return [e.data["subtask"] for e in _handed(run) if isinstance(e.data.get("subtask"), str)]


def subtask_coverage(run: Run) -> Value:
    """Different `subtask` keys that a return names / different keys that were handed out, in [0, 1]."""
    given = set(_subtasks(run))
    back = {e.data["subtask"] for e in run.events if e.type == "return" and isinstance(e.data.get("subtask"), str)}
    return len(given & back) / len(given) if given else Missing("no spawn or delegate names its subtask")


def subtask_overlap(run: Run) -> Value:
    """1 - different `subtask` keys / keys handed out, in [0, 1): work that was given twice."""
    given = _subtasks(run)
    return 1 - len(set(given)) / len(given) if given else Missing("no spawn or delegate names its subtask")


def aggregation_quality(run: Run) -> Value:
    """rewards.team, given that at least one sub-return was correct: a sample of P(success given a right sub-return)."""
    if not run.judged_returns:
        return NOT_JUDGED
    if not any(e.data["correct"] for e in run.judged_returns):
        return Missing("no sub-return was correct, so there was nothing to lose")
    return run.success if run.success is not None else NO_TEAM


def aggregation_quality_all(run: Run) -> Value:
    """rewards.team, given that every judged sub-return was correct."""
    if not run.judged_returns:
        return NOT_JUDGED
    if not all(e.data["correct"] for e in run.judged_returns):
        return Missing("not every sub-return was correct")
    return run.success if run.success is not None else NO_TEAM


def aggregation_loss(run: Run) -> Value:
    """max_i correct_i - rewards.team: what was right in some sub-return and lost on the way to the answer."""
    if not run.judged_returns:
        return NOT_JUDGED
    best = max(int(e.data["correct"]) for e in run.judged_returns)
    return best - run.success if run.success is not None else NO_TEAM


def error_spread(run: Run) -> Value:
    """Erroneous events after the first error (in the order of causes) / errors that start no later than it, ≥ 0.

    Erroneous: status error or timeout, or `correct: false`. Not the error amplification of arXiv 2512.08296, which
    compares failure rates with a single agent's.
    """
    if not any("status" in e.data or "correct" in e.data for e in run.events):
        return Missing("no event has a status or says whether it was correct")
    if not run.errors:
        return 0
    first = run.errors[0]
    reached = descendants(run.precedence, [first.index])
    after = sum(reached[e.index] for e in run.errors) - 1
    return after / sum(e.start <= first.start for e in run.errors)


def taint_reach(run: Run) -> Value:
    """Events with an untrusted ancestor, themselves counted, / all events, in [0, 1]; `sanitized` ends it."""
    tainted = run.tainted
    return tainted if isinstance(tainted, Missing) else sum(tainted) / len(tainted)


def taint_violations(run: Run) -> Value:
    """Calls of privileged tools with an untrusted ancestor: policy P-T, trusted action, of FIDES (arXiv 2505.23643)."""
    if not any("privileged" in tool for tool in run.trace.tools.values()):
        return Missing("no tool says whether it is privileged (tools.*.privileged)")
    tainted = run.tainted
    if isinstance(tainted, Missing):
        return tainted
    privileged = {name for name, tool in run.trace.tools.items() if tool.get("privileged")}
    return sum(tainted[e.index] for e in run.events if e.type == "tool_call" and e.tool in privileged)


def success(run: Run) -> Value:
    """rewards.team."""
    return run.success if run.success is not None else NO_TEAM


def parl_finish(run: Run) -> Value:
    """r_finish of PARL = finished / assigned sub-tasks, in [0, 1] (Kimi K2.5 report, arXiv 2602.02276)."""
    tasks = run.replay.machine.tasks.values()
    return sum(not task.open for task in tasks) / len(tasks) if tasks else Missing("no sub-task was handed out")


def parl_performance(run: Run) -> Value:
    """r_perf of PARL = rewards.team."""
    return run.success if run.success is not None else NO_TEAM


def parl_parallel(run: Run) -> Value:  # noqa: ARG001  (a metric like the others)
    """r_parallel of PARL: its exact form is not public, so it is always null, and so is the whole reward."""
    return Missing("the exact form of r_parallel is not public; see potential_speedup_steps")


def recorded_credit(run: Run) -> Value:
    """Number of `reward` events: credit that somebody else computed and recorded."""
    return run.counts["reward"]


def counterfactual_credit(run: Run) -> Value:  # noqa: ARG001  (a metric like the others)
    """Shapley or counterfactual credit of agents and messages: always null, a single run cannot say."""
    return Missing("needs runs with an agent or a message masked; record its result as reward events")
