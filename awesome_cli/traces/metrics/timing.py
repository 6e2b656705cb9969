"""Metrics of time: work, span and concurrency of the intervals in which something was done."""

from awesome_cli.traces.metrics._metric import Value, metric
from awesome_cli.traces.metrics.run import UNTIMED, MeasuredRun, NotComputableError

NO_UNIT = "the time unit is not a time"


def in_seconds(run: MeasuredRun, value: float) -> float:
    """A length of time in seconds, where the trace's unit is a time."""
    if run.trace.seconds is None:
        unit = run.trace.time_unit
        raise NotComputableError(f"the time unit is {unit!r}, not a time" if unit else "the trace has no time_unit")
    return value * run.trace.seconds


@metric("s", null=NO_UNIT)
def elapsed_s(run: MeasuredRun) -> Value:
    """From the first start to the last end."""
    return in_seconds(run, run.elapsed)


@metric("s", "≥ 0, ≤ elapsed_s", f"{NO_UNIT}, or {UNTIMED}")
def busy_s(run: MeasuredRun) -> Value:
    """Length of the union of all working intervals, in which some agent or tool was busy."""
    return in_seconds(run, run.concurrency.busy)


@metric("s", null=f"{NO_UNIT}, or {UNTIMED}")
def work_s(run: MeasuredRun) -> Value:
    """T1 = Σ durations of working intervals. Waiting is not work, and the parent of an interval does not count."""
    return in_seconds(run, run.total_work)


@metric("s", "≥ 0, ≤ busy_s", f"{NO_UNIT}, or {UNTIMED}")
def span_s(run: MeasuredRun) -> Value:
    """T∞ = the longest chain of working intervals. Two intervals of one agent form a chain if they do not overlap."""
    return in_seconds(run, run.critical_time)


@metric("ratio", "≥ 1", UNTIMED)
def potential_speedup(run: MeasuredRun) -> Value:
    """T1 / T∞ by duration: the speedup that the dependencies alone would allow (work-span model)."""
    return run.total_work / run.critical_time


@metric("ratio", "≥ 1, ≤ potential_speedup, ≤ max_concurrency", UNTIMED)
def achieved_speedup(run: MeasuredRun) -> Value:
    """T1 / busy union = mean concurrency while anything was busy."""
    return run.total_work / run.concurrency.busy


@metric("share", "(0, 1]", UNTIMED)
def parallelism_used(run: MeasuredRun) -> Value:
    """achieved_speedup / potential_speedup = T∞ / busy union."""
    return run.critical_time / run.concurrency.busy


@metric("intervals", "≥ 1", UNTIMED)
def max_concurrency(run: MeasuredRun) -> Value:
    """Most working intervals at once. An interval that ends when another starts does not overlap it."""
    return run.concurrency.peak


@metric("share", "[0, 1]", UNTIMED)
def idle_share(run: MeasuredRun) -> Value:
    """1 - busy union / elapsed."""
    return 1 - run.concurrency.busy / run.elapsed


@metric("edges")
def edges_left_out(run: MeasuredRun) -> Value:
    """Edges between agents whose source ended after the target started. Chains do not follow them."""
    return run.precedence.left_out
