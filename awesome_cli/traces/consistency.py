"""What a trace declares about itself, compared with its events (TC…)."""

from collections.abc import Collection, Iterator, Mapping

from awesome_cli.traces import rules
from awesome_cli.traces.model import Trace
from awesome_cli.traces.rules import TraceFinding
from awesome_cli.traces.schema_check import escape
from awesome_cli.traces.usage import COUNTED, recount

# Producers round what they declare, usually to two decimals or more.
TOLERANCE = 0.005
PARTS = {"tokens_in": ("tokens_cached", "tokens_cache_write"), "tokens_out": ("tokens_reasoning",)}
TOTALS = {"tokens": tuple(PARTS), "cost_usd": ("cost_usd",)}
"""Costs of a trace and the fields of events that they sum."""


def cost_findings(trace: Trace) -> Iterator[TraceFinding]:
    """Negative costs, wrong counts, and a wall clock that is shorter than the events."""
    for name, cost in trace.costs.items():
        if cost < 0:
            yield TraceFinding(rules.NEGATIVE_COST, f"the cost {name!r} is {cost}", f"/costs/{escape(name)}")
    counted = recount(trace)
    for name in COUNTED:
        declared = trace.costs.get(name)
        if declared is not None and declared != counted[name]:
            message = f"{name} is {declared}, but the trace has {counted[name]} such events"
            yield TraceFinding(rules.WRONG_COUNT, message, f"/costs/{name}")
    yield from wall_clock(trace)
    yield from token_findings(trace)
    yield from total_findings(trace, counted)


def token_findings(trace: Trace) -> Iterator[TraceFinding]:
    """Parts of a prompt or an answer that are more than the whole."""
    for event in trace.events:
        data = event.data
        if "tokens_cached" not in data and "tokens_cache_write" not in data and "tokens_reasoning" not in data:
            continue
        for whole, parts in PARTS.items():
            total = sum(data.get(part, 0) for part in parts)
            if total > data.get(whole, total):
                message = f"{' + '.join(p for p in parts if p in data)} is {total}, more than {whole}, {data[whole]}"
                yield TraceFinding.at(rules.PART_ABOVE_WHOLE, event, message)


def total_findings(trace: Trace, counted: Mapping[str, float]) -> Iterator[TraceFinding]:
    """Declared totals that are not the sums of the events; more is legal where the usage is known only in part."""
    for name, fields in TOTALS.items():
        declared = trace.costs.get(name)
        if declared is None:
            continue
        total = counted.get(name, 0)
        rounding = TOLERANCE * max(1, total)
        if declared < total - rounding or (declared > total + rounding and is_whole(trace, fields)):
            message = f"{name} is declared {declared}, the events have {total:g}"
            yield TraceFinding(rules.WRONG_TOTAL, message, f"/costs/{name}")


def is_whole(trace: Trace, fields: Collection[str]) -> bool:
    """Whether the events have all that was used: every model call says it in one of the fields, and none in part."""
    calls = [event.data for event in trace.events if event.type == "llm_call"]
    partial = any(event.data.get("tokens_partial") for event in trace.events)
    return bool(calls) and not partial and all(any(field in data for field in fields) for data in calls)


def wall_clock(trace: Trace) -> Iterator[TraceFinding]:
    """Whether the wall clock covers the events; times without a unit are read as seconds, steps are not compared."""
    if trace.time_unit == "step":
        return
    elapsed = max(e.end for e in trace.events) - min(e.start for e in trace.events)
    seconds = elapsed * (trace.seconds or 1.0)
    declared = trace.costs["wall_clock_s"]
    # Both values can be rounded.
    if declared + 1e-6 * max(1.0, seconds) < seconds:
        message = f"wall_clock_s is {declared}, but the events span {seconds:g} s"
        yield TraceFinding(rules.WALL_CLOCK_TOO_SHORT, message, "/costs/wall_clock_s")


def metric_findings(trace: Trace, values: Mapping[str, float | int | None]) -> Iterator[TraceFinding]:
    """Declared metrics that differ from the recomputed ones of the same name."""
    for name, declared in trace.declared_metrics.items():
        value = values.get(name)
        if value is not None and abs(declared - value) > TOLERANCE + 1e-6 * abs(value):
            message = f"{name} is declared {declared}, recomputed {value:g}"
            yield TraceFinding(rules.WRONG_METRIC, message, f"/metrics/{escape(name)}")
