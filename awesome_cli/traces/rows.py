"""One flat row per trace: what processes and clusters compute for each trace, and what tables contain."""

import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from typing import Any

from awesome_cli.model.prices import Prices
from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces import rules
from awesome_cli.traces.cells import TaxonomyCell, TaxonomyMap, cells
from awesome_cli.traces.checking import findings
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import METRICS, measure_run
from awesome_cli.traces.metrics.details import details
from awesome_cli.traces.metrics.run import MeasuredRun
from awesome_cli.traces.model import ROLLOUT, Trace
from awesome_cli.traces.reading import Reading, read_document, read_trace, steady_memory
from awesome_cli.traces.replay import replay
from awesome_cli.traces.sources import Document, Piece, documents, is_json

Row = dict[str, Any]
IDENTITY = ("path", "line", "trace_id", "task_id", "version", "topology", *ROLLOUT)
DIGESTS = ("digest", "shape_digest", "errors", "warnings")
BASELINE = ("baseline_success", "baseline_errors", "reward")
COLUMNS = (*IDENTITY, *DIGESTS, *BASELINE, *METRICS, "error")


@dataclass(frozen=True, slots=True)
class Analysis:
    """A trace's row, and values that do not fit into a flat row.

    `not_computable` says why metrics are null, `agent_steps` are the model calls of each agent (for advantages per
    agent), `cells` those of the taxonomy and `details` the lists of `metrics.details`, if they were asked for.
    """

    row: Row
    not_computable: Mapping[str, str] = field(default_factory=dict)
    agent_steps: Mapping[str, int] = field(default_factory=dict)
    cells: tuple[TaxonomyCell, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for beside the row: `mapping` for the cells of a taxonomy, `prices` of models, the `details`."""

    mapping: TaxonomyMap | None = None
    prices: Prices | None = None
    details: bool = False


ROWS_ONLY = Wanted()


def analyze(document: Mapping[str, Any] | bytes | str) -> Row:
    """The flat row of one trace, given as a JSON object or as its text: pure, picklable, deterministic.

    The keys are always `COLUMNS`; values are strings, numbers or null. If the document is not a trace, `error` is a
    text and the metrics are null.
    """
    if isinstance(document, str):
        document = document.encode("utf-8", "surrogatepass")
    reading = read_trace(document) if isinstance(document, bytes) else read_document(document)
    return analyze_reading(reading).row


def analyze_reading(reading: Reading, wanted: Wanted = ROWS_ONLY) -> Analysis:
    """The row of a trace, also of one that could not be read, and what is wanted beside it."""
    if reading.trace is None:
        return Analysis(dict.fromkeys(COLUMNS) | {"path": reading.path, "line": reading.line, "error": reading.error})
    analysis = analyze_trace(reading.trace, wanted)
    return analysis if wanted.mapping is None else replace(analysis, cells=cells(reading.trace, wanted.mapping))


@steady_memory()
def analyze_trace(trace: Trace, wanted: Wanted = ROWS_ONLY) -> Analysis:
    """Check, replay and measure a trace."""
    graph = graph_of(trace)
    replayed = replay(trace, graph)
    run = MeasuredRun(trace, graph, replayed, wanted.prices)
    measures = measure_run(run)
    levels = [found.rule.levels[trace.version] for found in findings(trace, graph, replayed)]
    row: Row = {
        **trace.identity(),
        "task_id": trace.task_id,
        "version": trace.version,
        "topology": trace.header.get("topology"),
        **{name: scalar(trace.rollout.get(name)) for name in ROLLOUT},
        "digest": replayed.digest,
        "shape_digest": replayed.shape_digest,
        "errors": levels.count(Level.ERROR),
        "warnings": levels.count(Level.WARNING),
        "baseline_success": trace.baseline.get("success"),
        "baseline_errors": trace.baseline.get("errors"),
        "reward": trace.rewards.get("team"),
        **measures.values,
        "error": None,
    }
    steps = Counter(event.agent for event in trace.events if event.type == "llm_call")
    more = details(run) if wanted.details else {}
    return Analysis(row, measures.not_computable, dict(sorted(steps.items())), details=more)


def scalar(value: object) -> object:
    """A value that a table can hold: fields of `rollout` can have any value, others become text."""
    if value is None or isinstance(value, str | int | float):
        return value
    try:
        return str(value)
    except RecursionError:
        return reprlib.repr(value)


def cell_columns(analyses: Iterable[Analysis]) -> tuple[str, ...]:
    """The column `axis/term` of every cell of the taxonomy, in the mapping's order; none if it was not asked for."""
    return next((tuple(f"{cell.axis}/{cell.term}" for cell in a.cells) for a in analyses if a.cells), ())


def table_row(analysis: Analysis, columns: Iterable[str] = ()) -> Row:
    """The row with the columns of the cells: the number of events and reward channels of each; null if unreadable."""
    counts = {f"{cell.axis}/{cell.term}": cell.events + len(cell.rewards) for cell in analysis.cells}
    return analysis.row | {name: counts.get(name) for name in columns}


def read(document: Document) -> Reading:
    """Read the trace of a document; if its file could not be read, the reading has that finding."""
    if document.data is not None:
        return read_trace(document.data, document.path, document.line)
    return unreadable(document, f"cannot be read: {document.reason}", rules.UNREADABLE.fix)


def unreadable(place: Document | Piece, why: str, fix: str | None) -> Reading:
    """The reading of what cannot be read, with one finding."""
    code = rules.UNREADABLE.code
    finding = Finding(code, Level.ERROR, why, place.path, line=place.line, fix=fix, pointer="")
    return Reading(None, (finding,), place.path, place.line)


def readings_of(piece: Piece) -> Iterator[Reading]:
    """Read the traces of a piece; a log of another program, or lines that are no traces, are one reading."""
    if piece.why:
        yield unreadable(piece, piece.why, None)
        return
    for n, document in enumerate(documents(piece)):
        reading = read(document)
        if not n and reading.trace is None:
            if form := log_format(piece):
                if piece.offset == 0:
                    way = f"awesome trace import {quote(piece.path)} --out run.json"
                    yield unreadable(piece, f"this is a log of {form}; import it first: {way}", None)
                return
            if holds_no_trace(piece):
                yield unreadable(piece, "no line is a trace: none has 'trace_id' or 'events'", None)
                return
        yield reading


def holds_no_trace(piece: Piece) -> bool:
    """Whether a piece has several lines, all of them JSON, and none with a field that makes a trace."""
    count = 0
    for count, document in enumerate(documents(piece), 1):  # noqa: B007 - the last number stays
        line = document.data or b""
        if b'"events"' in line or b'"trace_id"' in line or not is_json(line):
            return False
    return count > 1


def log_format(piece: Piece) -> str:
    """The format of logs that the file of a piece has; empty if none."""
    from awesome_cli.traces.importers.importing import format_of
    from awesome_cli.traces.importers.log_file import LogFile

    return format_of(LogFile(Path(piece.path), piece.data))


def analyze_piece(piece: Piece, wanted: Wanted = ROWS_ONLY) -> list[Analysis]:
    """The rows of all traces in a piece of the input. Worker processes call this."""
    return [analyze_reading(reading, wanted) for reading in readings_of(piece)]


def readings(pieces: Iterable[Piece]) -> Iterator[Reading]:
    """Read all traces of the input, one after the other."""
    for piece in pieces:
        yield from readings_of(piece)
