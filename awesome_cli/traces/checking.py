"""All rules for one trace. Reading has already checked the text and the schema; here come edges, totals and replay."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces.consistency import cost_findings, metric_findings
from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.members import member_findings
from awesome_cli.traces.metrics import METRICS, measure
from awesome_cli.traces.model import Trace
from awesome_cli.traces.pointers import with_positions
from awesome_cli.traces.reading import Reading, steady_memory
from awesome_cli.traces.replay import Replay, replay
from awesome_cli.traces.rules import TraceFinding, listed


@steady_memory()
def check_trace(trace: Trace, *, skew: float = 0.0, with_replay: bool = True) -> tuple[Finding, ...]:
    """The findings of a trace; `skew` is how far clocks may disagree, in its time unit.

    Without the replay only the declared edges and costs are checked. Declared metrics are recomputed where a metric of
    that name exists.
    """
    graph = graph_of(trace, skew)
    found = findings(trace, graph, replay(trace, graph) if with_replay else None, skew=skew)
    return tuple(to_finding(trace, each) for each in listed(found))


def findings(trace: Trace, graph: Graph, replayed: Replay | None, *, skew: float = 0.0) -> Iterator[TraceFinding]:
    """All findings of a trace, whose graph and, unless it is left out, replay are known.

    Every command and page takes them from here. Their levels are `rule.levels[trace.version]`; `collapse` shows each
    kind once.
    """
    yield from member_findings(trace)
    yield from graph.findings
    yield from (found for found in cost_findings(trace) if found.rule.holds_for(trace))
    if replayed is None:
        return
    yield from replayed.findings
    if trace.declared_metrics.keys() & METRICS.keys():
        # The metrics take times as they are written: no allowance for clocks.
        measures = measure(trace) if skew else measure(trace, graph, replayed)
        yield from metric_findings(trace, measures.values)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking one trace, without the trace itself: there may be thousands."""

    row: dict[str, Any]
    findings: tuple[Finding, ...]


def check_reading(reading: Reading, *, skew: float = 0.0, with_replay: bool = True) -> Checked:
    """Check a trace that was read; the findings of a trace that could not be read say why."""
    trace = reading.trace
    found = reading.findings
    if trace is not None:
        found = with_positions(check_trace(trace, skew=skew, with_replay=with_replay), reading.data, reading.line)
    row = {
        **reading.identity(),
        "version": trace.version if trace is not None else None,
        "readable": trace is not None,
        "errors": sum(f.level is Level.ERROR for f in found),
        "warnings": sum(f.level is Level.WARNING for f in found),
        "notes": sum(f.level is Level.NOTE for f in found),
    }
    return Checked(row, found)


def to_finding(trace: Trace, found: TraceFinding) -> Finding:
    """The published finding, with the level that its rule has for the trace's version."""
    return Finding(
        found.code,
        found.rule.levels[trace.version],
        found.message,
        trace.path,
        line=trace.line,
        key=trace.trace_id,
        fix=found.rule.fix,
        pointer=found.pointer,
    )
