"""Where traces come from: files, folders, standard input; JSON, JSON Lines, either in gzip, and Parquet.

Inputs are divided into pieces of a few megabytes, which other processes or machines with the same files can read.
"""

import errno
import gzip
import io
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.files.paths import below
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.traces.model import MOST_LINES, TRACE, UNPACKED

PIECE = 4 << 20
BLANK = 8
"""So many blank lines may follow the first line of JSON Lines whose name does not say what they are."""
LINES = (".jsonl", ".ndjson")
SUFFIXES = (".json", *LINES, ".json.gz", ".jsonl.gz", ".ndjson.gz", ".parquet")
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
COLUMN = "trace"
Readable = BinaryIO | gzip.GzipFile


@dataclass(frozen=True, slots=True)
class Document:
    """The bytes of one trace and their place; without `data`, the `reason` why they could not be read."""

    path: str
    line: int
    data: bytes | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of an input: bytes `offset` to `offset + size` (to the end if `None`) of a file, beginning with line `line`.

    `data` holds the bytes of standard input, which no other process can read. For Parquet, `offset` is a row group.
    With a `why`, nothing is read: it says what to do about the logs of a folder, `path`.
    """

    path: str
    kind: Literal["json", "lines", "gzip", "parquet"]
    line: int = 1
    offset: int = 0
    size: int | None = None
    data: bytes | None = None
    why: str = ""


def pieces(paths: Iterable[str]) -> Iterator[Piece]:
    """The pieces of all inputs, in their order; for a folder, those of the trace files in it, sorted.

    Raises `UsageError` for a path that does not exist and for a folder without trace files.
    """
    found = [(name, expand(name)) for name in paths]
    for name, files in found:
        yield from of_folder(name, files) if Path(name).is_dir() else of_files(files)


def of_folder(folder: str, files: list[str]) -> Iterator[Piece]:
    """The pieces of the traces in a folder, after one for all logs of other programs in it."""
    from awesome_cli.traces.importers.finding import logs_in_folder

    why, logs = logs_in_folder(folder, files)
    if why:
        yield Piece(folder, "json", why=why)
    yield from of_files(file for file in files if file not in logs)


def of_files(files: Iterable[str]) -> Iterator[Piece]:
    for path in files:
        if path == "-":
            data = sys.stdin.buffer.read(allowed(UNPACKED) + 1)
            if len(data) > allowed(UNPACKED):
                raise UsageError(too_large("standard input", UNPACKED), hint="name the file instead of '-'")
            packed = data.startswith(GZIP)
            yield Piece(path, "gzip" if packed else "lines" if has_lines(path, io.BytesIO(data)) else "json", data=data)
            continue
        try:
            yield from of_file(path)
        except OSError:
            # Reading it will fail again, and then the reason is reported.
            yield Piece(path, "json")


def expand(name: str) -> list[str]:
    """The files that an argument stands for."""
    path = Path(name)
    if name != "-" and not path.exists():
        raise UsageError(f"no such file or folder: {name}")
    if not path.is_dir():
        return [name]
    files = sorted(str(file) for file in below(path) if file.name.endswith(SUFFIXES))
    if not files:
        raise UsageError(f"no trace files in {name}", hint=f"they end in {', '.join(SUFFIXES)}")
    return files


def of_file(path: str) -> Iterator[Piece]:
    with Path(path).open("rb") as file:
        head = file.read(len(PARQUET))
        if head.startswith(GZIP):
            yield Piece(path, "gzip")
        elif head.startswith(PARQUET):
            yield from of_parquet(path)
        elif has_lines(path, file):
            yield from blocks(path, file)
        else:
            yield Piece(path, "json")


def has_lines(path: str, file: Readable) -> bool:
    """True if a file is JSON Lines: by its name, or since a line follows its first one, which is a whole JSON value."""
    file.seek(0)
    if path.removesuffix(".gz").endswith(LINES):
        return True
    head, after = file.readline(allowed(TRACE) + 1), (file.readline(PIECE) for _ in range(BLANK + 1))
    follows = any(line.strip() for line in after) and is_json(head)
    file.seek(0)
    return follows


def is_json(text: bytes) -> bool:
    """True if a text is a complete JSON value."""
    import orjson

    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def blocks(path: str, file: BinaryIO) -> Iterator[Piece]:
    """Pieces of complete lines, a few megabytes each; of a line that is too long the rest is passed over."""
    line, offset = 1, 0
    while block := file.read(PIECE):
        block += file.readline(allowed(TRACE) + 1)
        yield Piece(path, "lines", line, offset, len(block))
        line += block.count(b"\n") + (not ended(block, file))
        offset = file.tell()


def ended(line: bytes, file: Readable) -> bool:
    """True if a line ends as it should; the rest of one that was cut is passed over."""
    cut = line
    while cut and not cut.endswith(b"\n"):
        cut = file.readline(PIECE)
    return cut is line


def of_parquet(path: str) -> Iterator[Piece]:
    """One piece per row group; one for a file that is not Parquet, so that reading it reports that.

    Raises `AwesomeError` where the library is not installed.
    """
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise AwesomeError(f"{path}: Parquet needs pyarrow", hint="pip install 'awesome-survey[parquet]'") from error
    try:
        groups = parquet.ParquetFile(path).num_row_groups
    except ArrowException:
        groups = 1
    for group in range(groups):
        yield Piece(path, "parquet", offset=group)


def documents(piece: Piece) -> Iterator[Document]:
    """The traces of a piece. Blank lines are skipped; what cannot be read is one document without data."""
    try:
        yield from read_piece(piece)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        yield Document(piece.path, piece.line, None, reason)


def read_piece(piece: Piece) -> Iterator[Document]:
    """The traces of a piece. Raises `OSError`, `EOFError` or `zlib.error` where reading fails."""
    if piece.kind == "parquet":
        yield from parquet_rows(piece)
        return
    with Path(piece.path).open("rb") if piece.data is None else io.BytesIO(piece.data) as file:
        if piece.kind == "gzip":
            with gzip.open(file) as plain:
                yield from lines(piece, plain) if has_lines(piece.path, plain) else [whole(piece, plain)]
        elif piece.kind == "json":
            yield whole(piece, file)
        else:
            file.seek(piece.offset)
            yield from lines(piece, file if piece.size is None else io.BytesIO(file.read(piece.size)))


def whole(piece: Piece, file: Readable) -> Document:
    """The only document of a file; raises `OSError` for one that is too large."""
    data = file.read(allowed(TRACE) + 1)
    if len(data) > allowed(TRACE):
        raise OSError(errno.EFBIG, too_large("the trace", TRACE))
    return Document(piece.path, piece.line, data)


def lines(piece: Piece, file: Readable) -> Iterator[Document]:
    """One document per line that is not blank; raises `OSError` where a packed file holds too much."""
    largest, most, last, number = allowed(TRACE), allowed(UNPACKED), allowed(MOST_LINES), piece.line
    while line := file.readline(largest + 1):
        if file.tell() > most:
            raise OSError(errno.EFBIG, too_large("what the file holds", UNPACKED))
        if number > last:
            raise OSError(errno.EFBIG, too_large("what the file holds", MOST_LINES, "lines"))
        if len(line) > largest:
            ended(line, file)
            yield Document(piece.path, number, None, too_large("the line", TRACE))
        elif line.strip():
            yield Document(piece.path, number, line)
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
        yield Document(piece.path, 1, None, f"not Parquet with a column {COLUMN!r} of JSON text")
        return
    for number, value in enumerate(column.to_pylist(), first):
        yield Document(piece.path, number, value.encode() if isinstance(value, str) else value)


def place(path: str, line: int) -> str:
    """A file, with the line in it if the file can hold more than one trace."""
    many = path.removesuffix(".gz").endswith((*LINES, ".parquet"))
    return f"{path}:{line}" if many or line > 1 else path
