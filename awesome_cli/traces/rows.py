"""One flat row per trace: computed in this process or in others, and written as a table."""

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files.writing import write
from awesome_cli.reports.findings import Level
from awesome_cli.reports.progress import watched
from awesome_cli.system.extras import install
from awesome_cli.text.inert import to_csv, to_json
from awesome_cli.text.numbers import precise
from awesome_cli.traces.cells import Cells, TaxonomyMap, cells
from awesome_cli.traces.checking import findings
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import METRICS, measure_run
from awesome_cli.traces.metrics.details import details
from awesome_cli.traces.metrics.run import MeasuredRun
from awesome_cli.traces.model import ROLLOUT, Trace
from awesome_cli.traces.reading import Reading, read_document, read_trace, steady_memory
from awesome_cli.traces.replay import replay
from awesome_cli.traces.rewards import NO_REWARDS, RewardTable, disagreement, rewards_of
from awesome_cli.traces.sources import Piece, readings_of
from awesome_cli.traces.state import calls_by_role, roles
from awesome_cli.traces.usage import Prices

Row = dict[str, Any]
IDENTITY = ("path", "line", "trace_id", "task_id", "version", "topology", *ROLLOUT)
DIGESTS = ("digest", "shape_digest", "errors", "warnings")
BASELINE = ("baseline_success", "baseline_errors", "reward")
COLUMNS = (*IDENTITY, *DIGESTS, *BASELINE, *METRICS, "error")


@dataclass(frozen=True, slots=True)
class Analysis:
    """A trace's row, and values that do not fit into a flat row.

    `not_computable` gives the reasons for null metrics, `calls` the number of model calls by role, `disagreement` the
    message of `rewards`. If requested, `cells` are taxonomy cells and `details` the lists of `metrics.details`.
    """

    row: Row
    not_computable: Mapping[str, str] = field(default_factory=dict)
    calls: Mapping[str, int] = field(default_factory=dict)
    cells: Cells = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    disagreement: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options of an analysis: the taxonomy `mapping` for cells, `prices` of models, whether to compute `details`.

    `rewards` are joined to the trace before measuring.
    """

    mapping: TaxonomyMap | None = None
    prices: Prices | None = None
    details: bool = False
    rewards: RewardTable = NO_REWARDS


ROWS_ONLY = Wanted()


def analyze(document: Mapping[str, Any] | bytes | str) -> Row:
    """Return the flat row of one trace, which is a JSON object or its text.

    The keys of the row are always `COLUMNS`; its values are strings, numbers or null. If the document is not a trace,
    the column `error` holds the reason, and the metrics are null.
    """
    if isinstance(document, str):
        document = document.encode("utf-8", "surrogatepass")
    return analyze_reading(read_trace(document) if isinstance(document, bytes) else read_document(document)).row


def analyze_reading(reading: Reading, wanted: Wanted = ROWS_ONLY) -> Analysis:
    """Return the row of a readable or unreadable trace, and the additional results of `wanted`."""
    if reading.trace is None:
        return Analysis(dict.fromkeys(COLUMNS) | {"path": reading.path, "line": reading.line, "error": reading.error})
    return analyze_trace(wanted.rewards.join(reading.trace), wanted)


@steady_memory()
def analyze_trace(trace: Trace, wanted: Wanted = ROWS_ONLY) -> Analysis:
    """Check, replay and measure a trace, and assign its events to cells."""
    graph = graph_of(trace)
    replayed = replay(trace, graph)
    run = MeasuredRun(trace, graph, replayed, wanted.prices)
    measures = measure_run(run)
    levels = [finding.rule.levels[trace.version] for finding in findings(trace, graph, replayed)]
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
        "reward": rewards_of(trace).get("team"),
        **measures.values,
        "error": None,
    }
    return Analysis(
        row,
        measures.not_computable,
        calls_by_role(trace, roles(trace)),
        cells(trace, wanted.mapping) if wanted.mapping is not None else {},
        details(run) if wanted.details else {},
        disagreement(trace),
    )


def scalar(value: object) -> object:
    """Convert a value of `rollout` for a table: numbers and strings are unchanged, other values become text."""
    if value is None or isinstance(value, str | int | float):
        return value
    try:
        return str(value)
    except RecursionError:
        return reprlib.repr(value)


def with_cells(analyses: Sequence[Analysis]) -> tuple[tuple[str, ...], list[Row]]:
    """Return the taxonomy's columns `axis/term`, if any, and the rows with these columns.

    The value is the number of events and reward channels of the cell, null for an unreadable trace.
    """
    sizes = [
        {
            f"{axis}/{term}": cell["events"] + len(cell["rewards"])
            for axis, terms in a.cells.items()
            for term, cell in terms.items()
        }
        for a in analyses
    ]
    columns = tuple(next(filter(None, sizes), ()))
    return columns, [a.row | dict.fromkeys(columns) | size for a, size in zip(analyses, sizes, strict=True)]


def analyze_piece(piece: Piece, wanted: Wanted) -> list[Analysis]:
    """The rows of all traces in a piece of the input. Worker processes call this."""
    return [analyze_reading(reading, wanted) for reading in readings_of(piece)]


Kind = Literal["number", "count", "text"]
NUMBERS = {"baseline_success", "baseline_errors", "reward", *METRICS}
COUNTS = {"line", "version", "errors", "warnings"}
SUFFIXES = (".csv", ".jsonl", ".parquet")
BATCH = 50_000
"""Rows that become columns of Parquet at a time."""


def write_rows(rows: Sequence[Row], path: Path, more: Sequence[str] = (), *, raw: bool = False) -> None:
    """Write one row per trace as `write_table` does. The columns are `COLUMNS`, then `more`, which are counts."""
    write_table(rows, kinds(COLUMNS, NUMBERS, COUNTS) | dict.fromkeys(more, "count"), path, raw=raw)


def kinds(columns: Iterable[str], numbers: set[str], counts: set[str]) -> dict[str, Kind]:
    """Return the kind of each column; columns not in `numbers` or `counts` are text."""
    return {name: "number" if name in numbers else "count" if name in counts else "text" for name in columns}


def write_table(rows: Iterable[Row], columns: Mapping[str, Kind], path: Path, *, raw: bool = False) -> None:
    """Write rows in the format of the file's suffix; the file is replaced completely or not at all.

    Unless `raw`, CSV cells that a spreadsheet would evaluate are escaped. Raises `UsageError` for an unknown suffix,
    `AwesomeError` for Parquet without `pyarrow`.
    """
    require_suffix(path)
    if path.suffix == ".parquet":
        content = as_parquet(rows, columns)
    elif path.suffix == ".csv":
        cells = ([precise(v) if isinstance(v := row[name], float) else v for name in columns] for row in rows)
        content = to_csv((columns, *cells), raw=raw).encode()
    else:
        lines = (to_json({name: row[name] for name in columns}) + "\n" for row in rows)
        content = "".join(lines).encode()
    write(path, content)


def require_suffix(path: Path) -> None:
    """Raise `UsageError` for a suffix that is not one of `SUFFIXES`."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"no table format is called {path.suffix or path.name!r}", hint=f"use {', '.join(SUFFIXES)}")


def as_parquet(rows: Iterable[Row], columns: Mapping[str, Kind]) -> bytes:
    """Numbers as doubles, counts as integers, everything else as text; rows in input order.

    Fields of `rollout` can have any value, so their columns are text: a column must have one type.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise AwesomeError("Parquet needs pyarrow", hint=install("parquet")) from error
    types = {"number": (pyarrow.float64(), float), "count": (pyarrow.int64(), int), "text": (pyarrow.string(), str)}
    schema = pyarrow.schema([(name, types[kind][0]) for name, kind in columns.items()])
    file = BytesIO()
    remaining = iter(rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(remaining, BATCH)):
            arrays = {
                name: [None if row[name] is None else types[kind][1](row[name]) for row in batch]
                for name, kind in columns.items()
            }
            writer.write_table(pyarrow.table(arrays, schema))
    return file.getvalue()


MEASURING = "measuring parts of the input"
Work = Callable[[Piece], list[Analysis]]


def analyze_all(
    pieces: Iterable[Piece], *, jobs: int = 1, dask: str | None = None, wanted: Wanted = ROWS_ONLY
) -> Iterator[Analysis]:
    """Yield the analysis of every trace, in the order of the input.

    `jobs` processes share the work. `dask` is a scheduler's address, or `local` for a cluster on this machine with
    `jobs` workers; remote workers read the files themselves, by the given paths.
    """
    parts, work = list(pieces), partial(analyze_piece, wanted=wanted)
    if dask is not None:
        yield from on_dask(parts, work, dask, jobs)
    elif jobs > 1:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(jobs) as pool:
            yield from chain.from_iterable(watched(pool.map(work, parts), MEASURING, len(parts)))
    else:
        yield from chain.from_iterable(map(work, watched(parts, MEASURING)))


def on_dask(pieces: list[Piece], work: Work, address: str, jobs: int) -> Iterator[Analysis]:
    """Run one Dask task per piece and yield the results."""
    try:
        from distributed import Client
    except ImportError as error:
        raise AwesomeError("Dask is not installed", hint=install("dask")) from error
    if not pieces:
        return
    cluster: dict[str, Any] = {"address": address, "timeout": "10s"}
    if address == "local":
        cluster = {"n_workers": jobs, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    elif ":" not in address:
        raise UsageError(f"{address!r} is not a scheduler", hint="give an address like tcp://host:8786, or 'local'")
    try:
        with Client(**cluster) as client:
            # Not pure: the same path can have other traces the next time.
            yield from chain.from_iterable(client.gather(client.map(work, pieces, pure=False)))
    except OSError as error:
        raise AwesomeError(f"no Dask scheduler answers at {address}", hint="run: dask scheduler") from error
