"""Metrics of time: when something was done, when people were waited for, and when nothing happened."""

from awesome_cli.traces.metrics.run import UNTIMED, WORK_SPAN, MeasuredRun, NotComputableError, Value, metric

NO_UNIT = "the time unit is not a time"
NO_TIME = f"{NO_UNIT}, or {UNTIMED}"
IDLE = "agents wait for each other, or time goes where the log records nothing: queues, retries"
NO_WAIT = "no human_intervention has an end (t_end) after its start"


@metric("s", null=NO_UNIT, high="a slow run")
def elapsed_s(run: MeasuredRun) -> Value:
    """From the first start to the last end. Equals busy_s + person_wait_s + idle_s."""
    return run.seconds(run.elapsed)


@metric("s", "≥ 0, ≤ elapsed_s", NO_TIME, high="models and tools take the time")
def busy_s(run: MeasuredRun) -> Value:
    """Length of the union of all working intervals, in which some agent or tool was busy.

    Working intervals are all with a length, except waiting: spawn, delegate, human_intervention, and calls that only
    wait for other agents (`waits`). An interval that another names as its `parent` does not count.
    """
    return run.seconds(run.concurrency.busy)


@metric("s", "≥ 0, ≤ elapsed_s", f"{NO_UNIT}, {UNTIMED}, or {NO_WAIT}", high="the run waits for approvals and prompts")
def person_wait_s(run: MeasuredRun) -> Value:
    """Length of the union of all `human_intervention` intervals, without the time in which something was busy."""
    if run.work and not run.waits:
        raise NotComputableError(NO_WAIT)
    return run.seconds(run.occupied - run.concurrency.busy)


@metric("s", "≥ 0, ≤ elapsed_s", NO_TIME, high=IDLE)
def idle_s(run: MeasuredRun) -> Value:
    """elapsed_s - busy_s - person_wait_s: time in which nobody worked and no person was waited for.

    Agents that only wait for each other (`waits`) are idle then, and so is everything that the log does not record.
    """
    return run.seconds(max(run.elapsed - run.occupied, 0.0))


@metric("share", "[0, 1]", UNTIMED, high=IDLE)
def idle_share(run: MeasuredRun) -> Value:
    """idle_s / elapsed_s."""
    return max(1 - run.occupied / run.elapsed, 0.0)


@metric("s", null=NO_TIME, high="much work, whether in turn or at once", source=WORK_SPAN)
def work_s(run: MeasuredRun) -> Value:
    """T1 = Σ durations of working intervals. Waiting is not work, and the parent of an interval does not count."""
    return run.seconds(sum(run.durations))


@metric("s", "≥ 0, ≤ busy_s", NO_TIME, high="more workers would not make it faster", source=WORK_SPAN)
def span_s(run: MeasuredRun) -> Value:
    """T∞ = the longest chain of working intervals. Two intervals of one agent form a chain if they do not overlap.

    The critical path lists its events.
    """
    return run.seconds(max(run.chains[1]))
