"""One flat row per trace: the unit that processes and clusters map, and that tables are made of."""

import reprlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces.cells import Cell, TaxonomyMap, cells
from awesome_cli.traces.checking import remarks as all_remarks
from awesome_cli.traces.checking import to_finding
from awesome_cli.traces.codes import RULES
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import METRICS, measure
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import Reading, read_document, read_trace, steady_memory
from awesome_cli.traces.replay import replay
from awesome_cli.traces.sources import Document, Piece, documents

Row = dict[str, Any]
ROLLOUT = ("group_id", "sample", "policy_version", "seed", "train_step")
IDENTITY = ("path", "line", "trace_id", "task_id", "version", "topology", *ROLLOUT)
DIGESTS = ("digest", "shape_digest", "errors", "warnings")
BASELINE = ("baseline_success", "baseline_errors", "reward")
COLUMNS = (*IDENTITY, *DIGESTS, *BASELINE, *METRICS, "error")


@dataclass(frozen=True, slots=True)
class Analysis:
    """A trace's row, and what no flat table can hold.

    Why metrics are null, the steps of each agent (for advantages per agent), and the taxonomy's cells if asked for.
    """

    row: Row
    not_computable: Mapping[str, str] = field(default_factory=dict)
    agent_steps: Mapping[str, int] = field(default_factory=dict)
    cells: tuple[Cell, ...] = ()


def analyze(document: Mapping[str, Any] | bytes | str) -> Row:
    """The flat row of one trace, given as a JSON object or as its text: pure, picklable, deterministic.

    The keys are always `COLUMNS`; values are strings, numbers or null. What is no trace has a text in `error` and
    nulls in place of metrics.
    """
    if isinstance(document, str):
        document = document.encode("utf-8", "surrogatepass")
    reading = read_trace(document) if isinstance(document, bytes) else read_document(document)
    return analyze_reading(reading).row


def analyze_reading(reading: Reading, mapping: TaxonomyMap | None = None) -> Analysis:
    """The row of a trace that was read, or of one that could not be; with a `mapping`, its cells too."""
    if reading.trace is None:
        return Analysis(broken(reading))
    analysis = analyze_trace(reading.trace)
    return analysis if mapping is None else replace(analysis, cells=cells(reading.trace, mapping))


@steady_memory()
def analyze_trace(trace: Trace) -> Analysis:
    """Check, replay and measure a trace."""
    graph = graph_of(trace)
    replayed = replay(trace, graph)
    measures = measure(trace, graph, replayed)
    found = [to_finding(trace, remark).level for remark in all_remarks(trace, graph, replayed, skew=0)]
    rollout = {name: scalar(trace.rollout.get(name)) for name in ROLLOUT}
    row: Row = {
        "path": trace.path,
        "line": trace.line,
        "trace_id": trace.trace_id,
        "task_id": trace.task_id,
        "version": trace.version,
        "topology": trace.header.get("topology"),
        **rollout,
        "digest": replayed.digest,
        "shape_digest": replayed.shape_digest,
        "errors": found.count(Level.ERROR),
        "warnings": found.count(Level.WARNING),
        "baseline_success": trace.baseline.get("success"),
        "baseline_errors": trace.baseline.get("errors"),
        "reward": trace.rewards.get("team"),
        **measures.values,
        "error": None,
    }
    return Analysis(row, measures.not_computable, steps_by_agent(trace))


def scalar(value: object) -> object:
    """A value that a table can hold; the schema leaves the members of `rollout` free."""
    if value is None or isinstance(value, str | int | float):
        return value
    try:
        return str(value)
    except RecursionError:
        return reprlib.repr(value)


def steps_by_agent(trace: Trace) -> dict[str, int]:
    """Model calls of each agent."""
    steps: dict[str, int] = {}
    for event in trace.events:
        if event.type == "llm_call":
            steps[event.agent] = steps.get(event.agent, 0) + 1
    return dict(sorted(steps.items()))


def broken(reading: Reading) -> Row:
    """The row of what is no trace."""
    return dict.fromkeys(COLUMNS) | {"path": reading.path, "line": reading.line, "error": reading.error}


def cell_columns(analyses: Iterable[Analysis]) -> tuple[str, ...]:
    """`axis/term` for every cell of the taxonomy that was asked for, in the mapping's order."""
    return next((tuple(f"{cell.axis}/{cell.term}" for cell in a.cells) for a in analyses if a.cells), ())


def table_row(analysis: Analysis, columns: Iterable[str] = ()) -> Row:
    """The row with the columns of the cells: how many events and reward channels stand for each; null if unreadable."""
    counts = {f"{cell.axis}/{cell.term}": cell.events + len(cell.rewards) for cell in analysis.cells}
    return analysis.row | {name: counts.get(name) for name in columns}


def read(document: Document) -> Reading:
    """The trace of a document; one that could not be read is a finding."""
    if document.data is not None:
        return read_trace(document.data, document.path, document.line)
    finding = Finding(
        "TP005", Level.ERROR, f"cannot be read: {document.reason}", document.path, line=document.line,
        fix=RULES["TP005"].fix, pointer="",
    )  # fmt: skip
    return Reading(None, (finding,), document.path, document.line)


def analyze_piece(piece: Piece, mapping: TaxonomyMap | None = None) -> list[Analysis]:
    """The rows of all traces in a piece of the input: what a worker process does."""
    return [analyze_reading(read(document), mapping) for document in documents(piece)]


def readings(pieces: Iterable[Piece]) -> Iterator[Reading]:
    """All traces of the input, one after the other."""
    for piece in pieces:
        for document in documents(piece):
            yield read(document)
