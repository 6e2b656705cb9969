"""Metrics of time: working time, waits for people, and idle time."""

from awesome_cli.traces.metrics.run import UNTIMED, WORK_SPAN, MeasuredRun, Value, metric, require

NO_UNIT = "the time unit is not a time"
NO_TIME = f"{NO_UNIT}, or {UNTIMED}"
IDLE = "agents wait for each other, or for queues and retries that the log does not record"
NO_WAIT = "no human_intervention has an end (t_end) after its start"


@metric("s", null=NO_UNIT, high="a slow run")
def elapsed_s(run: MeasuredRun) -> Value:
    """Time from the first start to the last end. Equals busy_s + person_wait_s + idle_s."""
    return run.seconds(run.elapsed)


@metric("s", "≥ 0, ≤ elapsed_s", NO_TIME, high="models and tools take the time")
def busy_s(run: MeasuredRun) -> Value:
    """Time in which at least one agent or tool worked: the length of the union of all working intervals.

    Working intervals are the intervals of all events except spawn, delegate, human_intervention, calls that only wait
    for other agents (`waits`), and events that another event names as its `parent`.
    """
    return run.seconds(run.concurrency.busy)


@metric("s", "≥ 0, ≤ elapsed_s", f"{NO_UNIT}, {UNTIMED}, or {NO_WAIT}", high="the run waits for approvals and prompts")
def person_wait_s(run: MeasuredRun) -> Value:
    """Length of the union of all `human_intervention` intervals, without the time in which an agent or tool worked."""
    require(not run.work or run.waits, NO_WAIT)
    return run.seconds(run.occupied - run.concurrency.busy)


@metric("s", "≥ 0, ≤ elapsed_s", NO_TIME, high=IDLE)
def idle_s(run: MeasuredRun) -> Value:
    """elapsed_s - busy_s - person_wait_s: time without work and without a wait for a person.

    This includes the time in which agents only wait for each other (`waits`), and time that the log does not record.
    """
    return run.seconds(max(run.elapsed - run.occupied, 0.0))


@metric("share", "[0, 1]", UNTIMED, high=IDLE)
def idle_share(run: MeasuredRun) -> Value:
    """idle_s / elapsed_s."""
    return max(1 - run.occupied / run.elapsed, 0.0)


@metric("s", null=NO_TIME, high="much work, in sequence or in parallel", source=WORK_SPAN)
def work_s(run: MeasuredRun) -> Value:
    """T1 = Σ durations of working intervals (defined at busy_s)."""
    return run.seconds(sum(run.durations))


@metric("s", "≥ 0, ≤ busy_s", NO_TIME, high="more workers would not make the run faster", source=WORK_SPAN)
def span_s(run: MeasuredRun) -> Value:
    """T∞ = duration of the longest chain of working intervals. An agent's intervals that do not overlap form a chain.

    The critical path lists the events of the longest chain.
    """
    return run.seconds(max(run.chains[1]))
