"""Metrics of time: work, span and concurrency of the intervals in which something was done."""

from awesome_cli.traces.metrics._metric import Value, metric
from awesome_cli.traces.metrics.run import MeasuredRun, NotComputable

NO_UNIT = "the time unit is not a time"
NO_WORK = "no working event has an end (t_end) after its start"
NO_INTERVAL = NotComputable(NO_WORK)


def in_seconds(run: MeasuredRun, value: float) -> Value:
    """A length of time in seconds, where the trace's unit is a time."""
    if run.trace.seconds is None:
        unit = run.trace.time_unit
        return NotComputable(f"the time unit is {unit!r}, not a time" if unit else "the trace has no time_unit")
    return value * run.trace.seconds


@metric("s", null=NO_UNIT)
def elapsed_s(run: MeasuredRun) -> Value:
    """From the first start to the last end."""
    return in_seconds(run, run.elapsed)


@metric("s", "≥ 0, ≤ elapsed_s", f"{NO_UNIT}, or {NO_WORK}")
def busy_s(run: MeasuredRun) -> Value:
    """Length of the union of all working intervals, in which some agent or tool was busy."""
    return in_seconds(run, run.concurrency.busy) if run.work else NO_INTERVAL


@metric("s", null=f"{NO_UNIT}, or {NO_WORK}")
def work_s(run: MeasuredRun) -> Value:
    """T1 = Σ durations of working intervals. Waiting is not work, and the parent of an interval does not count."""
    return in_seconds(run, run.total_work) if run.work else NO_INTERVAL


@metric("s", "≥ 0, ≤ busy_s", f"{NO_UNIT}, or {NO_WORK}")
def span_s(run: MeasuredRun) -> Value:
    """T∞ = the longest chain of working intervals. Two intervals of one agent form a chain if they do not overlap."""
    return in_seconds(run, run.critical_time) if run.work else NO_INTERVAL


@metric("ratio", "≥ 1", NO_WORK)
def potential_speedup(run: MeasuredRun) -> Value:
    """T1 / T∞ by duration: the speedup that the dependencies alone would allow (work-span model)."""
    return run.total_work / run.critical_time if run.work else NO_INTERVAL


@metric("ratio", "≥ 1, ≤ potential_speedup, ≤ max_concurrency", NO_WORK)
def achieved_speedup(run: MeasuredRun) -> Value:
    """T1 / busy union = mean concurrency while anything was busy."""
    return run.total_work / run.concurrency.busy if run.work else NO_INTERVAL


@metric("share", "(0, 1]", NO_WORK)
def parallelism_used(run: MeasuredRun) -> Value:
    """achieved_speedup / potential_speedup = T∞ / busy union."""
    return run.critical_time / run.concurrency.busy if run.work else NO_INTERVAL


@metric("intervals", "≥ 1", NO_WORK)
def max_concurrency(run: MeasuredRun) -> Value:
    """Most working intervals at once. An interval that ends when another starts does not overlap it."""
    return run.concurrency.peak if run.work else NO_INTERVAL


@metric("share", "[0, 1]", NO_WORK)
def idle_share(run: MeasuredRun) -> Value:
    """1 - busy union / elapsed."""
    return 1 - run.concurrency.busy / run.elapsed if run.work else NO_INTERVAL


@metric("edges")
def edges_left_out(run: MeasuredRun) -> Value:
    """Edges between agents whose source ended after the target started. Chains do not follow them."""
    return run.precedence.left_out
