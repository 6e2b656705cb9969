"""Where traces come from: files, folders, standard input; JSON, JSON Lines, either in gzip, and Parquet.

Inputs are divided into pieces of a few megabytes, which other processes or machines with the same files can read.
"""

import errno
import gzip
import io
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO, Literal

import orjson

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files.paths import below
from awesome_cli.reports.findings import Finding, Level
from awesome_cli.system.extras import install
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.numbers import shortened
from awesome_cli.traces.model import MOST_LINES, TRACE, UNPACKED, Trace
from awesome_cli.traces.reading import Reading, read_trace
from awesome_cli.traces.rules import UNREADABLE

PIECE = 4 << 20
BLANK = 8
"""So many blank lines may follow the first line of JSON Lines whose name does not say what they are."""
LINES = (".jsonl", ".ndjson")
SUFFIXES = (".json", *LINES, ".json.gz", ".jsonl.gz", ".ndjson.gz", ".parquet")
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
COLUMN = "trace"
SHOWN = 5
"""So many traces of one id are listed."""
Readable = BinaryIO | gzip.GzipFile
Kind = Literal["json", "lines", "gzip", "parquet"]
Document = tuple[int, bytes | str]
"""The line at which a trace begins, and its bytes or the reason why they could not be read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of an input: bytes `offset` to `offset + size` (to the end if `None`) of a file, beginning with line `line`.

    `data` holds the bytes of standard input, which no other process can read. For Parquet, `offset` is a row group.
    """

    path: str
    kind: Kind
    line: int = 1
    offset: int = 0
    size: int | None = None
    data: bytes | None = None


def pieces(paths: Iterable[str]) -> Iterator[Piece]:
    """The pieces of all inputs, in their order; for a folder, those of the trace files in it, sorted.

    Raises `UsageError` for a path that does not exist and for a folder without trace files.
    """
    for file in [file for name in paths for file in expand(name)]:
        if file == "-":
            yield standard_input()
        else:
            yield from of_file(file)


def standard_input() -> Piece:
    """Standard input as one piece; raises `UsageError` if it is too large."""
    data = sys.stdin.buffer.read(allowed(UNPACKED) + 1)
    if len(data) > allowed(UNPACKED):
        raise UsageError(too_large("standard input", UNPACKED), hint="name the file instead of '-'")
    kind = kind_of("-", io.BytesIO(data))
    return Piece("-", "json" if kind == "parquet" else kind, data=data)


def expand(name: str) -> list[str]:
    path = Path(name)
    if name != "-" and not path.exists():
        raise UsageError(f"no such file or folder: {name}")
    if not path.is_dir():
        return [name]
    files = sorted(str(file) for file in below(path) if file.name.endswith(SUFFIXES))
    if not files:
        raise UsageError(f"no trace files in {name}", hint=f"trace files end in {', '.join(SUFFIXES)}")
    return files


def of_file(path: str) -> Iterator[Piece]:
    """Return the pieces of a file; an unreadable file is a single piece, whose reading reports the reason."""
    try:
        with Path(path).open("rb") as file:
            kind = kind_of(path, file)
            if kind == "parquet":
                yield from of_parquet(path)
            elif kind == "lines":
                yield from blocks(path, file)
            else:
                yield Piece(path, kind)
    except OSError:
        yield Piece(path, "json")


def kind_of(path: str, file: BinaryIO) -> Kind:
    head = file.read(len(PARQUET))
    if head.startswith(GZIP):
        return "gzip"
    return "parquet" if head == PARQUET else "lines" if has_lines(path, file) else "json"


def has_lines(path: str, file: Readable) -> bool:
    """True if a file is JSON Lines: by its name, or if the first of several lines is a complete JSON value."""
    file.seek(0)
    if path.removesuffix(".gz").endswith(LINES):
        return True
    head, after = file.readline(allowed(TRACE) + 1), (file.readline(PIECE) for _ in range(BLANK + 1))
    follows = any(line.strip() for line in after) and is_json(head)
    file.seek(0)
    return follows


def is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def blocks(path: str, file: BinaryIO) -> Iterator[Piece]:
    """Yield pieces of complete lines, a few megabytes each; a line that is too long is cut."""
    line, offset = 1, 0
    while block := file.read(PIECE):
        block += file.readline(allowed(TRACE) + 1)
        yield Piece(path, "lines", line, offset, len(block))
        line += block.count(b"\n") + (not ended(block, file))
        offset = file.tell()


def ended(line: bytes, file: Readable) -> bool:
    """True if a line is complete; the rest of a cut line is skipped."""
    cut = line
    while cut and not cut.endswith(b"\n"):
        cut = file.readline(PIECE)
    return cut is line


def of_parquet(path: str) -> Iterator[Piece]:
    """Return a piece per row group; a file that is not Parquet is a single piece, whose reading reports the error.

    Raises `AwesomeError` if `pyarrow` is not installed.
    """
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise AwesomeError(f"{path}: Parquet needs pyarrow", hint=install("parquet")) from error
    try:
        groups = parquet.ParquetFile(path).num_row_groups
    except ArrowException:
        groups = 1
    for group in range(groups):
        yield Piece(path, "parquet", offset=group)


def documents(piece: Piece) -> Iterator[Document]:
    """The traces of a piece, and the reason where reading fails. Blank lines are skipped."""
    try:
        if piece.kind == "parquet":
            yield from parquet_rows(piece)
            return
        with Path(piece.path).open("rb") if piece.data is None else io.BytesIO(piece.data) as file:
            if piece.kind == "lines":
                file.seek(piece.offset)
                yield from lines(piece, io.BytesIO(file.read(piece.size)))
            else:
                plain = gzip.GzipFile(fileobj=file) if piece.kind == "gzip" else file
                several = piece.kind == "gzip" and has_lines(piece.path, plain)
                yield from lines(piece, plain) if several else [whole(piece, plain)]
    except (OSError, EOFError, zlib.error) as error:
        yield piece.line, getattr(error, "strerror", None) or str(error)


def whole(piece: Piece, file: Readable) -> Document:
    """Return the only document of a file; raises `OSError` if it is too large."""
    data = file.read(allowed(TRACE) + 1)
    if len(data) > allowed(TRACE):
        raise OSError(errno.EFBIG, too_large("the trace", TRACE))
    return piece.line, data


def lines(piece: Piece, file: Readable) -> Iterator[Document]:
    """Yield a document per non-blank line; raises `OSError` if the decompressed file is too large."""
    largest, most, last, number = allowed(TRACE), allowed(UNPACKED), allowed(MOST_LINES), piece.line
    while line := file.readline(largest + 1):
        if file.tell() > most:
            raise OSError(errno.EFBIG, too_large("what the file holds", UNPACKED))
        if number > last:
            raise OSError(errno.EFBIG, too_large("what the file holds", MOST_LINES, "lines"))
        if len(line) > largest:
            ended(line, file)
            yield number, too_large("the line", TRACE)
        elif line.strip():
            yield number, line
        number += 1


def parquet_rows(piece: Piece) -> Iterator[Document]:
    """One document per row of the column `trace`, which holds JSON text; `line` counts rows in the group."""
    from pyarrow import ArrowException, parquet

    try:
        file = parquet.ParquetFile(piece.path)
        first = 1 + sum(file.metadata.row_group(i).num_rows for i in range(piece.offset))
        if file.metadata.row_group(piece.offset).total_byte_size > allowed(UNPACKED):
            raise OSError(errno.EFBIG, too_large("the row group", UNPACKED))
        column = file.read_row_group(piece.offset, columns=[COLUMN])[COLUMN]
    except (ArrowException, KeyError):
        yield 1, f"not Parquet with a column {COLUMN!r} of JSON text"
        return
    for number, value in enumerate(column.to_pylist(), first):
        data = value.encode() if isinstance(value, str) else value
        yield number, data if isinstance(data, bytes) else f"the column {COLUMN!r} has no JSON text in this row"


def readings(parts: Iterable[Piece]) -> Iterator[Reading]:
    """Read all traces of the input, one after the other."""
    return chain.from_iterable(map(readings_of, parts))


def readings_of(piece: Piece) -> Iterator[Reading]:
    """Read the traces of a piece; a piece without traces gives one reading with the reason."""
    for n, (line, data) in enumerate(documents(piece)):
        if isinstance(data, str):
            reading = unreadable(piece, line, f"cannot be read: {data}", UNREADABLE.fix)
        else:
            reading = read_trace(data, piece.path, line)
        if not n and reading.trace is None and (why := why_no_trace(piece)) is not None:
            if why:
                yield unreadable(piece, piece.line, why)
            return
        yield reading


def unreadable(piece: Piece, line: int, why: str, fix: str | None = None) -> Reading:
    finding = Finding(UNREADABLE.code, Level.ERROR, why, piece.path, line=line, fix=fix, pointer="")
    return Reading(None, (finding,), piece.path, line)


def why_no_trace(piece: Piece) -> str | None:
    """Return why a piece holds no traces: it is a log, or lines of other JSON; None if it can hold traces.

    Later pieces of a log return an empty text, because the first piece reports the reason.
    """
    from awesome_cli.traces.importers.finding import format_of
    from awesome_cli.traces.importers.log_file import LogFile

    if form := format_of(LogFile(Path(piece.path), piece.data)):
        way = f"awesome trace import {quote(piece.path)} --out run.json"
        return "" if piece.offset else f"this is a log of {form}; import it first: {way}"
    count = 0
    for count, (_, line) in enumerate(documents(piece), 1):  # noqa: B007 - the last number stays
        if isinstance(line, str) or b'"events"' in line or b'"trace_id"' in line or not is_json(line):
            return None
    return "no line is a trace: none has 'trace_id' or 'events'" if count > 1 else None


def pick(path: str, trace_id: str | None = None) -> Trace:
    """The only trace of a file, or the one named `trace_id`; `-` is standard input.

    Raises `UsageError` if the choice is not clear, `AwesomeError` if the text is not a trace.
    """
    traces: list[Trace] = []
    for reading in readings(pieces([path])):
        trace = reading.trace
        if trace is None and trace_id is None:
            first = reading.findings[0]
            way = f"awesome trace check {path}; a log of another framework: awesome trace import {path}"
            hint = way if first.fix or first.code != UNREADABLE.code else None
            raise AwesomeError(f"{reading.path}:{reading.line}: {first.code} {first.message}", hint=hint)
        if trace is not None and trace_id in {None, trace.trace_id}:
            traces.append(trace)
        if trace_id is None and len(traces) > 1:
            names = f"{traces[0].trace_id}, {traces[1].trace_id}, …"
            raise UsageError(
                f"{path} holds more than one trace: {names}", hint="choose one: --id ID, or a file that holds only it"
            )
    if not traces:
        raise UsageError(f"{path} holds no trace named {trace_id}" if trace_id else f"{path} holds no trace")
    if len(traces) > 1:
        lines = shortened((f"{trace.path}:{trace.line} (task {trace.task_id})" for trace in traces), SHOWN)
        hint = "give each an id of its own; 'awesome trace import' of all logs at once does that"
        raise UsageError(f"{path} holds {len(traces)} traces named {trace_id}: {lines}", hint=hint)
    return traces[0]


def copies(keys: Iterable[object], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a message for every trace with the key of an earlier trace; `rows` have their paths and lines."""
    first: dict[object, str] = {}
    for key, row in zip(keys, rows, strict=True):
        where = place(row["path"], row["line"])
        if key is not None and key in first:
            yield f"{where}: a copy of {first[key]}, with the same id and the same events; both count"
        first.setdefault(key, where)


def place(path: str, line: int) -> str:
    """Return the path, with the line number if the file can hold several traces."""
    many = path.removesuffix(".gz").endswith((*LINES, ".parquet"))
    return f"{path}:{line}" if many or line > 1 else path
