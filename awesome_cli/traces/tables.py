"""Rows into a file: CSV, JSON Lines, or Parquet."""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files.writing import write
from awesome_cli.text.inert import to_csv, to_json
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
    write(path, writer(rows, (*COLUMNS, *more), raw))


def as_csv(rows: Sequence[Row], columns: Sequence[str], raw: bool) -> bytes:  # noqa: FBT001 - as the other writers
    """A header, then a line per row, as `--format csv` writes it; null is empty."""
    cells = ([precise(v) if isinstance(v := row[name], float) else v for name in columns] for row in rows)
    return to_csv((columns, *cells), raw=raw).encode()


def as_jsonl(rows: Sequence[Row], columns: Sequence[str], _raw: bool) -> bytes:  # noqa: FBT001
    """A JSON object per line."""
    return "".join(to_json({name: row[name] for name in columns}, allow_nan=False) + "\n" for row in rows).encode()


def as_parquet(rows: Sequence[Row], columns: Sequence[str], _raw: bool) -> bytes:  # noqa: FBT001
    """Metrics as doubles, counts as integers, everything else as text; rows in input order.

    Fields of `rollout` can have any value, so their columns are text: a column must have one type.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise AwesomeError("Parquet needs pyarrow", hint="pip install 'awesome-survey[parquet]'") from error
    arrays, file = {}, BytesIO()
    for name in columns:
        values = [row[name] for row in rows]
        if name in NUMBERS:
            arrays[name] = pyarrow.array([None if v is None else float(v) for v in values], pyarrow.float64())
        elif name in COUNTS or name not in COLUMNS:
            arrays[name] = pyarrow.array(values, pyarrow.int64())
        else:
            arrays[name] = pyarrow.array([None if v is None else str(v) for v in values], pyarrow.string())
    parquet.write_table(pyarrow.table(arrays), file, compression="zstd")
    return file.getvalue()


WRITERS: Mapping[str, Callable[[Sequence[Row], Sequence[str], bool], bytes]] = {
    ".csv": as_csv,
    ".jsonl": as_jsonl,
    ".parquet": as_parquet,
}
