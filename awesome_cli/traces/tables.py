"""Rows into a file: CSV, JSON Lines, or Parquet."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Literal

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files.writing import write
from awesome_cli.text.inert import to_csv, to_json
from awesome_cli.text.numbers import precise
from awesome_cli.traces.metrics import METRICS
from awesome_cli.traces.rows import COLUMNS, Row

Kind = Literal["number", "count", "text"]
NUMBERS = {"baseline_success", "baseline_errors", "reward", *METRICS}
COUNTS = {"line", "version", "errors", "warnings"}
BATCH = 50_000
"""So many rows at a time become columns of Parquet."""


def write_rows(rows: Sequence[Row], path: Path, more: Sequence[str] = (), *, raw: bool = False) -> None:
    """Write one row per trace as `write_table` does. The columns are `COLUMNS`, then `more`, which are counts."""
    write_table(rows, kinds(COLUMNS, NUMBERS, COUNTS) | dict.fromkeys(more, "count"), path, raw=raw)


def kinds(columns: Iterable[str], numbers: set[str], counts: set[str]) -> dict[str, Kind]:
    """The kind of each column; those that are neither numbers nor counts are text."""
    return {name: "number" if name in numbers else "count" if name in counts else "text" for name in columns}


def write_table(rows: Iterable[Row], columns: Mapping[str, Kind], path: Path, *, raw: bool = False) -> None:
    """Write rows in the format of the file's suffix; the file is replaced completely or not at all.

    Unless `raw`, no cell of CSV is a formula. Raises `UsageError` for another suffix, `AwesomeError` where Parquet is
    asked for and `pyarrow` is absent.
    """
    write(path, writer_for(path)(rows, columns, raw))


def writer_for(path: Path) -> "Writer":
    """The writer of a file's format; raises `UsageError` for a suffix without one."""
    if path.suffix not in WRITERS:
        raise UsageError(f"no table format is called {path.suffix or path.name!r}", hint=f"use {', '.join(WRITERS)}")
    return WRITERS[path.suffix]


def as_csv(rows: Iterable[Row], columns: Mapping[str, Kind], raw: bool) -> bytes:  # noqa: FBT001 - as the other writers
    """A header, then a line per row, as `--format csv` writes it; null is empty."""
    cells = ([precise(v) if isinstance(v := row[name], float) else v for name in columns] for row in rows)
    return to_csv((columns, *cells), raw=raw).encode()


def as_jsonl(rows: Iterable[Row], columns: Mapping[str, Kind], _raw: bool) -> bytes:  # noqa: FBT001
    """A JSON object per line."""
    return "".join(to_json({name: row[name] for name in columns}, allow_nan=False) + "\n" for row in rows).encode()


def as_parquet(rows: Iterable[Row], columns: Mapping[str, Kind], _raw: bool) -> bytes:  # noqa: FBT001
    """Numbers as doubles, counts as integers, everything else as text; rows in input order.

    Fields of `rollout` can have any value, so their columns are text: a column must have one type.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise AwesomeError("Parquet needs pyarrow", hint="pip install 'awesome-survey[parquet]'") from error
    types = {"number": (pyarrow.float64(), float), "count": (pyarrow.int64(), int), "text": (pyarrow.string(), str)}
    schema = pyarrow.schema([(name, types[kind][0]) for name, kind in columns.items()])
    file = BytesIO()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in _batches(rows):
            arrays = {
                name: [None if row[name] is None else types[kind][1](row[name]) for row in batch]
                for name, kind in columns.items()
            }
            writer.write_table(pyarrow.table(arrays, schema))
    return file.getvalue()


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Lists of up to `BATCH` rows; one that is empty where there is no row."""
    left = iter(rows)
    batch = list(islice(left, BATCH))
    yield batch
    while batch := list(islice(left, BATCH)):
        yield batch


Writer = Callable[[Iterable[Row], Mapping[str, Kind], bool], bytes]
WRITERS: Mapping[str, Writer] = {".csv": as_csv, ".jsonl": as_jsonl, ".parquet": as_parquet}
