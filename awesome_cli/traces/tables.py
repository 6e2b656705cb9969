"""Rows into a file: CSV, JSON Lines, or Parquet."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.text.inert import to_cell, to_json
from awesome_cli.text.numbers import precise
from awesome_cli.traces.metrics import METRICS
from awesome_cli.traces.rows import COLUMNS, Row

NUMBERS = {"baseline_success", "baseline_errors", "reward", *METRICS}
COUNTS = {"line", "version", "errors", "warnings"}


def write_rows(rows: Sequence[Row], path: Path, more: Sequence[str] = (), *, raw: bool = False) -> None:
    """Write one row per trace, in the format of the file's suffix; the file is replaced completely or not at all.

    The columns are `COLUMNS`, then `more`, which are counts. Unless `raw`, no cell of CSV is a formula.

    Raises `UsageError` for another suffix, `AwesomeError` where Parquet is asked for and `pyarrow` is absent.
    """
    writer = WRITERS.get(path.suffix)
    if writer is None:
        raise UsageError(f"no table format is called {path.suffix or path.name!r}", hint=f"use {', '.join(WRITERS)}")
    part = path.with_name(f".{path.name}.part")
    try:
        writer(rows if raw or writer is not write_csv else map(_inert, rows), part, (*COLUMNS, *more))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _inert(row: Row) -> Row:
    return {name: to_cell(value) for name, value in row.items()}


def write_csv(rows: Iterable[Row], path: Path, columns: Sequence[str]) -> None:
    """A header, then a line per row, as `--format csv` writes it; null is empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({k: precise(v) if isinstance(v, float) else v for k, v in row.items()})


def write_jsonl(rows: Iterable[Row], path: Path, columns: Sequence[str]) -> None:
    """A JSON object per line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(to_json({name: row[name] for name in columns}, allow_nan=False) + "\n")


def write_parquet(rows: Iterable[Row], path: Path, columns: Sequence[str]) -> None:
    """Metrics as doubles, counts as integers, everything else as text; rows in input order.

    Fields of `rollout` can have any value, so their columns are text: a column must have one type.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise AwesomeError("Parquet needs pyarrow", hint="pip install 'awesome-survey[parquet]'") from error
    arrays, rows = {}, [*rows]
    for name in columns:
        values = [row[name] for row in rows]
        if name in NUMBERS:
            arrays[name] = pyarrow.array([None if v is None else float(v) for v in values], pyarrow.float64())
        elif name in COUNTS or name not in COLUMNS:
            arrays[name] = pyarrow.array(values, pyarrow.int64())
        else:
            arrays[name] = pyarrow.array([None if v is None else str(v) for v in values], pyarrow.string())
    parquet.write_table(pyarrow.table(arrays), path, compression="zstd")


WRITERS: Mapping[str, Callable[[Iterable[Row], Path, Sequence[str]], None]] = {
    ".csv": write_csv,
    ".jsonl": write_jsonl,
    ".parquet": write_parquet,
}
