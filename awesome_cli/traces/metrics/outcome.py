"""Metrics of quality: outcome, stopping, sub-tasks, aggregation, errors and taint."""

from awesome_cli.traces.metrics import run as shared
from awesome_cli.traces.metrics.run import NO_REWARD, UNJUDGED, MeasuredRun, Value, metric, ratio, require
from awesome_cli.traces.model import FAILED
from awesome_cli.traces.precedence import descendants

OVERRUN = "it is unknown when the answer was available (answer_available_at, a correct return, or a recorded aggregate)"
NO_STOP = "no stop of the run is recorded"
NO_TASK = "the run has no spawn or delegate"
FIDES = "FIDES, arXiv 2505.23643"
DIVIDED = "the task was divided into parts that agents can do"
LOST = "a correct result did not reach the answer"
NO_SUBTASK = "no spawn or delegate names its subtask"


@metric("reward", "any", NO_REWARD, high="the run succeeded")
def success(run: MeasuredRun) -> Value:
    """The recorded outcome: rewards.team, else the sum of its reward events, else the annotation `success`."""
    return run.success


@metric("steps", null=f"{OVERRUN}, or {shared.NO_CALL}", high="the run should have stopped earlier", instrumented=True)
def overrun_steps(run: MeasuredRun) -> Value:
    """Steps of events that start after the answer was available: how late the decision to stop came.

    The answer is available at `answer_available_at`, else at the end of the first correct return, else at the end of
    the last aggregation that an importer did not infer.
    """
    correct = [event.end for event in run.by_type["return"] if event.data.get("correct")]
    recorded = [event.end for event in run.by_type["aggregate"] if not event.inferred]
    at: float | None = run.trace.header.get("answer_available_at")
    require(at is not None or correct or recorded, OVERRUN)
    if at is None:
        at = min(correct) if correct else recorded[-1]
    require(run.counts_model_calls, shared.NO_CALL)
    return sum(w for event, w in zip(run.events, run.steps, strict=True) if event.start > at)


@metric("0 or 1", "0, 1", f"{NO_STOP}, or {NO_REWARD}", high="the run gave up while results or tasks were still open")
def premature_stop(run: MeasuredRun) -> Value:
    """1 if the run failed (success ≤ 0) and stopped with unread returns, open tasks or open calls; else 0."""
    require(any(e.data.get("scope") != "agent" and not e.inferred for e in run.by_type["stop"]), NO_STOP)
    machine = run.replay.machine
    pending = [task for task in machine.tasks.values() if task.open]
    running = [call for call in machine.calls.values() if call.status == "open"]
    return int(run.success <= 0 and bool(machine.never_read or pending or running))


@metric("share", "[0, 1]", f"{UNJUDGED}, or {NO_TASK}", high=DIVIDED, instrumented=True)
def split_correctness(run: MeasuredRun) -> Value:
    """Returns recorded as correct / assigned sub-tasks (spawn, delegate), at most 1."""
    return min(ratio(run.correct_returns, len(run.assignments), NO_TASK), 1.0)


@metric("share", "[0, 1]", NO_SUBTASK, high="most assigned sub-tasks were returned", instrumented=True)
def subtask_coverage(run: MeasuredRun) -> Value:
    """Different `subtask` names that were assigned and returned / different `subtask` names that were assigned."""
    assigned, returned = (
        {e.data["subtask"] for e in events if isinstance(e.data.get("subtask"), str)}
        for events in (run.assignments, run.by_type["return"])
    )
    return ratio(len(assigned & returned), len(assigned))


@metric("reward", "any", f"{UNJUDGED}, or {NO_REWARD}", high=LOST, instrumented=True)
def aggregation_loss(run: MeasuredRun) -> Value:
    """max_i correct_i - success, where correct_i is 1 if return i was correct, else 0."""
    return int(run.correct_returns > 0) - run.success


@metric("ratio", null="no event has a status or says whether it was correct", high="one error brings many others")
def error_spread(run: MeasuredRun) -> Value:
    """Errors that follow from the first error / errors that start at the same time as the first error or earlier.

    An error is an event with the status error or timeout, or with `correct: false`. Results of calls that only wait
    (`waits`) do not count. Error amplification (arXiv 2512.08296) is another metric: it compares failure rates.
    """
    if run.trace.fields.isdisjoint({"status", "correct"}):
        return None
    wrong = {e.index for e in run.events if e.status in FAILED or e.data.get("correct") is False}
    errors = [run.events[i] for i in run.graph.order if i in wrong and i not in run.wait_results]
    if not errors:
        return 0
    reached = descendants(run.precedence, [errors[0].index])
    after = sum(reached[e.index] for e in errors) - 1
    return after / sum(e.start <= errors[0].start for e in errors)


@metric("share", "[0, 1]", shared.NO_TRUST, high="much of the run depends on untrusted content", source=FIDES)
def taint_reach(run: MeasuredRun) -> Value:
    """Untrusted events and events that follow from them / all events. An event with `sanitized` ends the taint."""
    return sum(run.tainted) / len(run.tainted)


@metric(
    "calls",
    null=f"{shared.NO_TRUST}, or no tool records if it is privileged",
    high="untrusted content may control tools with side effects",
    source=f"policy P-T, trusted action, of {FIDES}",
    instrumented=True,
)
def taint_violations(run: MeasuredRun) -> Value:
    """Calls of privileged tools that follow from untrusted content."""
    recorded = any("privileged" in tool for tool in run.trace.tools.values())
    require(recorded, "no tool records if it is privileged (tools.*.privileged)")
    privileged = {name for name, tool in run.trace.tools.items() if tool.get("privileged")}
    return sum(run.tainted[e.index] for e in run.by_type["tool_call"] if e.tool in privileged)


@metric("share", "[0, 1]", NO_TASK, high="most sub-tasks are finished", source=f"r_finish of PARL, {shared.KIMI}")
def parl_finish(run: MeasuredRun) -> Value:
    """Finished sub-tasks / assigned sub-tasks.

    As in the source, a sub-task that was returned with an error is finished; `returns_ok` counts only successes.
    """
    tasks = run.replay.machine.tasks.values()
    return ratio(sum(not task.open for task in tasks), len(tasks))


@metric("share", "[0, 1]", "no return has a status", high="children end without errors")
def returns_ok(run: MeasuredRun) -> Value:
    """Returns with status ok / returns with a status."""
    return run.ok_share("return")
