"""Check a valid trace (its edges, replay, declared totals and metrics), and report the findings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from awesome_cli.reports.findings import Finding, count, to_report
from awesome_cli.reports.report import Report
from awesome_cli.text.numbers import counted
from awesome_cli.traces import rules
from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.metrics import METRICS, measure
from awesome_cli.traces.model import Trace
from awesome_cli.traces.parsing import with_positions
from awesome_cli.traces.reading import Reading, sentence, steady_memory
from awesome_cli.traces.replay import Replay, replay
from awesome_cli.traces.rules import TraceFinding, applicable, collapse, escape, listed
from awesome_cli.traces.schema_check import member_findings
from awesome_cli.traces.usage import COUNTED, recount

# Producers round what they declare, usually to two decimals or more.
TOLERANCE = 0.005
PARTS = {"tokens_in": ("tokens_cached", "tokens_cache_write"), "tokens_out": ("tokens_reasoning",)}
TOTALS = {"tokens": tuple(PARTS), "cost_usd": ("cost_usd",)}
"""The declared costs of a trace, and the event fields whose sum each cost should equal."""


def cost_findings(trace: Trace) -> Iterator[TraceFinding]:
    """Find negative costs, wrong counts and totals, and a wall clock shorter than the span of the events."""
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
    """Find events with more cached tokens than prompt tokens, or more reasoning tokens than answer tokens."""
    recorded = trace.fields.intersection(chain.from_iterable(PARTS.values()))
    for event in trace.events if recorded else ():
        data = event.data
        if recorded.isdisjoint(data):
            continue
        for whole, parts in PARTS.items():
            total = sum(data.get(part, 0) for part in parts)
            if total > data.get(whole, total):
                message = f"{' + '.join(p for p in parts if p in data)} is {total}, more than {whole}, {data[whole]}"
                yield TraceFinding.at(rules.PART_ABOVE_WHOLE, event, message)


def total_findings(trace: Trace, counted: Mapping[str, float]) -> Iterator[TraceFinding]:
    """Find declared totals that differ from the sum over events. A larger total is valid if some usage is unknown."""
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
    """Return True if every model call records at least one of `fields`, and no event has partial token counts."""
    calls = [event.data for event in trace.events if event.type == "llm_call"]
    partial = any(event.data.get("tokens_partial") for event in trace.events)
    return bool(calls) and not partial and all(any(field in data for field in fields) for data in calls)


def wall_clock(trace: Trace) -> Iterator[TraceFinding]:
    """Find a wall clock shorter than the span of the events. Times without a unit are seconds; steps are ignored."""
    if trace.time_unit == "step":
        return
    elapsed = max(e.end for e in trace.events) - min(e.start for e in trace.events)
    seconds = elapsed * (trace.seconds or 1.0)
    declared = trace.costs["wall_clock_s"]
    # Both values can be rounded.
    if declared + 1e-6 * max(1.0, seconds) < seconds:
        message = f"wall_clock_s is {declared}, but the events span {seconds:g} s"
        yield TraceFinding(rules.WALL_CLOCK_TOO_SHORT, message, "/costs/wall_clock_s")


@steady_memory()
def check_trace(trace: Trace, *, skew: float = 0.0, with_replay: bool = True) -> tuple[Finding, ...]:
    """Return the findings of a trace; `skew` is the allowed difference of clocks, in the trace's time unit.

    Without the replay, only field names, edges and costs are checked; declared metrics are not recomputed.
    """
    graph = graph_of(trace, skew)
    faults = findings(trace, graph, replay(trace, graph) if with_replay else None, skew=skew)
    version, path, line, key = trace.version, trace.path, trace.line, trace.trace_id
    return tuple(
        Finding(rule.code, rule.levels[version], message, path, line=line, key=key, fix=rule.fix, pointer=pointer)
        for rule, message, pointer, *_ in listed(faults)
    )


def findings(trace: Trace, graph: Graph, replayed: Replay | None, *, skew: float = 0.0) -> Iterator[TraceFinding]:
    """Return all findings of a trace from its graph and its replay (None to skip the checks by replay).

    The level of a finding is `rule.levels[trace.version]`. Use `collapse` to keep only the first of similar findings.
    """
    yield from member_findings(trace)
    yield from graph.findings
    yield from applicable(cost_findings(trace), trace)
    if replayed is None:
        return
    yield from replayed.findings
    declared = {name: value for name, value in trace.declared_metrics.items() if name in METRICS}
    # Metrics allow no clock skew.
    values = (measure(trace) if skew else measure(trace, graph, replayed)).values if declared else {}
    for name, number in declared.items():
        value = values[name]
        if value is not None and abs(number - value) > TOLERANCE + 1e-6 * abs(value):
            message = f"{name} is declared {number}, recomputed {value:g}"
            yield TraceFinding(rules.WRONG_METRIC, message, f"/metrics/{escape(name)}")


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a trace. The trace itself is not stored, to save memory."""

    row: dict[str, Any]
    findings: tuple[Finding, ...]
    fingerprint: object


def check_reading(reading: Reading, *, skew: float = 0.0, with_replay: bool = True) -> Checked:
    """Check a trace. If the trace is unreadable, return the reader's findings."""
    trace, faults = reading.trace, reading.findings
    if trace is not None:
        faults = with_positions(check_trace(trace, skew=skew, with_replay=with_replay), reading.data, reading.line)
    row = {
        **reading.identity(),
        "version": trace.version if trace is not None else None,
        "readable": trace is not None,
        **{f"{level}s": n for level, n in count(faults).items()},
    }
    return Checked(row, faults, trace and trace.fingerprint)


def check_report(checked: Sequence[Checked], *, every: bool = False) -> Report:
    """Report the findings of all traces. The text shows one finding of each kind per trace, or all if `every` is true.

    JSON has a row per trace, with all findings, their number by level, and `readable`.
    """
    faults = [finding for each in checked for finding in each.findings]
    lines = [(f, 1) for f in faults] if every else [line for each in checked for line in collapse(each.findings)]
    return to_report(
        faults,
        schema="awesome/trace-check/1",
        data={"rows": [{**each.row, "findings": [f.to_json() for f in each.findings]} for each in checked]},
        checked=counted(len(checked), "trace"),
        sentences=[(f, sentence(f, n)) for f, n in lines],
    )
