"""Metrics of time: work, span and concurrency of the intervals in which something was done."""

from awesome_cli.traces.metrics.run import Missing, Run, Value

NO_INTERVAL = Missing("no working event has an end (t_end) after its start")


def in_seconds(run: Run, value: float) -> Value:
    """A length of time in seconds, where the trace's unit is a time."""
    if run.trace.seconds is None:
        unit = run.trace.time_unit
        return Missing(f"the time unit is {unit!r}, not a time" if unit else "the trace has no time_unit")
    return value * run.trace.seconds


def elapsed_s(run: Run) -> Value:
    """From the first start to the last end, in seconds."""
    return in_seconds(run, run.elapsed)


def busy_s(run: Run) -> Value:
    """Length of the union of all working intervals, in seconds: some agent or tool was busy. ≤ elapsed_s."""
    return in_seconds(run, run.sweep.busy) if run.work else NO_INTERVAL


def work_s(run: Run) -> Value:
    """T1 = Σ durations of leaf intervals, in seconds; a parent around its children and waiting are no work."""
    return in_seconds(run, run.total_work) if run.work else NO_INTERVAL


def span_s(run: Run) -> Value:
    """T∞ = the longest chain of working intervals, in seconds. Program order is the interval order; ≤ busy_s."""
    return in_seconds(run, run.critical_time) if run.work else NO_INTERVAL


def potential_speedup(run: Run) -> Value:
    """T1 / T∞ by duration, at least 1: what the dependencies alone would allow (work-span model)."""
    return run.total_work / run.critical_time if run.work else NO_INTERVAL


def achieved_speedup(run: Run) -> Value:
    """T1 / busy union = mean concurrency while anything was busy; ≤ potential_speedup, ≤ max_concurrency."""
    return run.total_work / run.sweep.busy if run.work else NO_INTERVAL


def parallelism_used(run: Run) -> Value:
    """achieved_speedup / potential_speedup = T∞ / busy union, in (0, 1]."""
    return run.critical_time / run.sweep.busy if run.work else NO_INTERVAL


def max_concurrency(run: Run) -> Value:
    """Most working intervals at once; one that ends when another starts does not overlap it."""
    return run.sweep.peak if run.work else NO_INTERVAL


def idle_share(run: Run) -> Value:
    """1 - busy union / elapsed, in [0, 1]: the union, not the sum, so it is never negative."""
    return 1 - run.sweep.busy / run.elapsed if run.work else NO_INTERVAL
