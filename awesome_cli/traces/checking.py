"""All rules over one trace: shape (done by reading), graph, consistency, replay."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces.codes import RULES, level
from awesome_cli.traces.consistency import cost_remarks, metric_remarks
from awesome_cli.traces.graph import Graph, Remark, graph_of
from awesome_cli.traces.metrics import METRICS, measure
from awesome_cli.traces.model import Trace
from awesome_cli.traces.places import placed
from awesome_cli.traces.reading import Reading, steady_memory
from awesome_cli.traces.replay import Replay, replay


@steady_memory()
def check_trace(trace: Trace, *, skew: float = 0.0, with_replay: bool = True) -> tuple[Finding, ...]:
    """The findings of a trace; `skew` is how far clocks may disagree, in its time unit.

    Without the replay only the declared edges and costs are judged. Declared metrics are recomputed where a metric of
    that name exists.
    """
    graph = graph_of(trace, skew)
    return findings(trace, graph, replay(trace, graph) if with_replay else None, skew=skew)


def findings(trace: Trace, graph: Graph, replayed: Replay | None, *, skew: float = 0.0) -> tuple[Finding, ...]:
    """The findings of a trace that is already resolved and, unless that is left out, replayed."""
    return tuple(to_finding(trace, remark) for remark in remarks(trace, graph, replayed, skew=skew))


def remarks(trace: Trace, graph: Graph, replayed: Replay | None, *, skew: float) -> Iterator[Remark]:
    """Everything that the rules say."""
    yield from graph.remarks
    yield from cost_remarks(trace)
    if replayed is None:
        return
    for breach in (*replayed.breaches, *replayed.warnings):
        yield breach.remark()
    if trace.declared_metrics.keys() & METRICS.keys():
        # Chains are about time as it is written, without any allowance for clocks.
        measures = measure(trace) if skew else measure(trace, graph, replayed)
        yield from metric_remarks(trace, measures.values)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check says of one trace, without the trace itself: there may be thousands."""

    row: dict[str, Any]
    findings: tuple[Finding, ...]


def check_reading(reading: Reading, *, skew: float = 0.0, with_replay: bool = True) -> Checked:
    """Check a trace that was read, or say why there is none."""
    trace = reading.trace
    found = reading.findings
    if trace is not None:
        found = placed(check_trace(trace, skew=skew, with_replay=with_replay), reading.data, reading.line)
    row = {
        **reading.identity(),
        "version": trace.version if trace is not None else None,
        "readable": trace is not None,
        "errors": sum(f.level is Level.ERROR for f in found),
        "warnings": sum(f.level is Level.WARNING for f in found),
    }
    return Checked(row, found)


def to_finding(trace: Trace, remark: Remark) -> Finding:
    """A remark as a finding, with the level that its rule has for the trace's version."""
    return Finding(
        remark.code,
        level(remark.code, trace.version),
        remark.message,
        trace.path,
        line=trace.line,
        key=trace.trace_id,
        fix=RULES[remark.code].fix,
        pointer=remark.pointer,
    )
