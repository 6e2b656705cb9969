"""What a trace says about itself, held against what is in it (TC…)."""

from collections.abc import Iterator, Mapping

from awesome_cli.traces.graph import Remark
from awesome_cli.traces.model import Trace
from awesome_cli.traces.shape import escape

# Producers round what they declare, usually to two decimals or more.
TOLERANCE = 0.005


def cost_remarks(trace: Trace) -> Iterator[Remark]:
    """Negative costs, wrong counts, and a wall clock shorter than the events."""
    for name, cost in trace.costs.items():
        if cost < 0:
            yield Remark("TC001", f"/costs/{escape(name)}", f"the cost {name!r} is {cost}")
    for name, kind in (("tool_calls", "tool_call"), ("messages", "message")):
        declared = trace.costs.get(name)
        if declared is not None:
            counted = sum(event.type == kind for event in trace.events)
            if declared != counted:
                yield Remark(
                    "TC002", f"/costs/{name}", f"{name} is {declared}, but the trace has {counted} such events"
                )
    yield from wall_clock(trace)


def wall_clock(trace: Trace) -> Iterator[Remark]:
    """Only where the unit is a time; a trace without one is read in seconds."""
    if trace.time_unit == "step":
        return
    elapsed = max(e.end for e in trace.events) - min(e.start for e in trace.events)
    seconds = elapsed * (trace.seconds or 1.0)
    declared = trace.costs["wall_clock_s"]
    # A clock that is read twice rounds twice.
    if declared + 1e-6 * max(1.0, seconds) < seconds:
        yield Remark("TC003", "/costs/wall_clock_s", f"wall_clock_s is {declared}, but the events span {seconds:g} s")


def metric_remarks(trace: Trace, values: Mapping[str, float | int | None]) -> Iterator[Remark]:
    """Declared metrics that differ from the recomputed ones of the same name."""
    for name, declared in trace.declared_metrics.items():
        value = values.get(name)
        if value is not None and abs(declared - value) > TOLERANCE + 1e-6 * abs(value):
            yield Remark("TC004", f"/metrics/{escape(name)}", f"{name} is declared {declared}, recomputed {value:g}")
