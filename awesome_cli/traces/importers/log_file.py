"""Log files of other frameworks (JSON or JSON Lines, plain or compressed), the files of a run, and log formats."""

import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from awesome_cli.errors import AwesomeError
from awesome_cli.system.extras import install
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.traces.importers.foreign import Json, decoded, decoded_all, objects
from awesome_cli.traces.model import MOST_LINES, TRACE, UNPACKED

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def decompressed(plain: BinaryIO) -> BinaryIO:
    """Return a stream without gzip or zstd; raises `ModuleNotFoundError` if zstd needs the missing `zstandard`."""
    start = plain.read(4)
    plain.seek(0)
    if start.startswith(GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=plain))
    if start != ZSTD:
        return plain
    import zstandard

    return cast("BinaryIO", zstandard.ZstdDecompressor().stream_reader(plain, read_across_frames=True))


def damages() -> tuple[type[Exception], ...]:
    """Return the exceptions that damaged gzip and zstd files raise."""
    zstandard = sys.modules.get("zstandard")
    return (EOFError, zlib.error, gzip.BadGzipFile, *((zstandard.ZstdError,) if zstandard else ()))


SAMPLE = 50
BEGINNING = 1 << 16
"""A format is detected in the first `SAMPLE` objects and the first `BEGINNING` characters of lines."""
STANDARD = Path("-")


class LogFileError(AwesomeError):
    """The file cannot be read, or its format is unknown."""


class UnknownFormatError(LogFileError):
    """The file can be read, but its format is unknown."""


class StrangeFileError(UnknownFormatError):
    """The file contains JSON without any key of a known format."""


@dataclass(frozen=True)
class LogFile:
    """A file to import; formats are detected from its `head`."""

    path: Path
    data: bytes | None = None

    @classmethod
    def at(cls, path: Path) -> "LogFile":
        """Return the file at `path`; `-` is standard input, kept in memory because it can be read only once."""
        data = sys.stdin.buffer.read(allowed(TRACE) + 1) if path == STANDARD else None
        if data is not None and len(data) > allowed(TRACE):
            raise LogFileError(too_large("standard input", TRACE))
        return cls(path, data)

    @property
    def name(self) -> str:
        """The file's name without its folder, because traces must not contain paths of a machine."""
        return self.path.name if self.data is None else "stdin"

    @property
    def stem(self) -> str:
        """The file's name without the suffixes of compression and format."""
        return Path(self.name.removesuffix(".gz").removesuffix(".zst")).stem

    @cached_property
    def provenance(self) -> Json:
        """The name and the hash of the file, as fields of a trace's `provenance`."""
        with self._bytes() as stream:
            return {"file": self.name, "file_sha256": hashlib.file_digest(stream, "sha256").hexdigest()}

    def _bytes(self) -> io.BufferedReader | io.BytesIO:
        return self.path.open("rb") if self.data is None else io.BytesIO(self.data)

    @cached_property
    def document(self) -> object:
        """The file as one JSON value, or a list of successive values; None for JSON Lines and for other text."""
        return self._parsed[0]

    @cached_property
    def _parsed(self) -> tuple[object, bool]:
        """The `document`, and True if it is a list of values and the last value is cut off."""
        # A file is JSON Lines if each of the first two lines is an object or a list.
        is_lines = len(self._first_values) == 2 and all(isinstance(value, dict | list) for value in self._first_values)
        words = "" if is_lines else "".join(self.lines(TRACE))
        value = decoded(words)
        if value is not None or self._first_values[:1] != [None]:
            return value, False
        values, cut = decoded_all(words)
        return (values, cut) if objects(values) else (None, False)

    @cached_property
    def _first_values(self) -> list[object]:
        """The values of the first two lines (without empty lines), cached because a line can be long."""
        return [decoded(line) for line in islice(filter(str.strip, self.lines()), 2)]

    @cached_property
    def head(self) -> list[Json]:
        """The first objects: the document, the objects in its top-level list, or the lines."""
        return list(self.begin())

    @cached_property
    def first(self) -> Json:
        """The first object; {} if the file has no objects."""
        return next(self.begin(), None) or next(self.records(), {})

    def begin(self) -> Iterator[Json]:
        """Yield the objects of the `head` without reading the rest of the file."""
        return islice(_objects(self._beginning()) if self.document is None else self.records(), SAMPLE)

    def _beginning(self) -> Iterator[object]:
        """Yield the values of the first two lines, and of the lines that begin in the first `BEGINNING` characters."""
        yield from self._first_values
        begins = 0
        for i, line in enumerate(filter(str.strip, self.lines())):
            if begins > BEGINNING:
                return
            if i > 1:
                yield decoded(line)
            begins += len(line)

    def records(self) -> Iterator[Json]:
        """Yield every object of the file: one line or list item at a time; broken lines are left out."""
        return _objects(map(decoded, self.lines()) if self.document is None else [self.document])

    def broken(self) -> int:
        """Return the number of lines that are not JSON, such as a cut last line; 1 for a document that is cut off."""
        if self.document is not None:
            return int(self._parsed[1])
        return sum(1 for line in self.lines() if line.strip() and decoded(line) is None)

    def is_readable(self) -> bool:
        """Return True if every line of the file can be read."""
        try:
            return sum(1 for _ in self.lines()) >= 0
        except (LogFileError, OSError):
            return False

    def lines(self, most: int | None = None) -> Iterator[str]:
        """Yield the file's lines as text; raises `LogFileError` if a line or the file is too long."""
        most = most or UNPACKED
        left, longest = allowed(most), allowed(TRACE)
        try:
            with self._bytes() as plain, io.TextIOWrapper(decompressed(plain), "utf-8-sig", "replace") as words:
                for line in islice(iter(partial(words.readline, longest + 1), ""), allowed(MOST_LINES)):
                    left -= len(line)
                    if left < 0 or len(line) > longest:
                        raise LogFileError(too_large(self.name, TRACE if len(line) > longest else most))
                    yield line
                if words.read(1):
                    raise LogFileError(too_large(self.name, MOST_LINES, "lines"))
        except ModuleNotFoundError as error:
            message = f"{self.name}: a file compressed with zstd needs zstandard"
            raise LogFileError(message, hint=install("zstd")) from error
        except damages() as error:
            raise LogFileError(f"{self.name}: not readable as gzip or zstd", hint="unpack it first") from error


def _objects(values: Iterable[object]) -> Iterator[Json]:
    """Yield the objects among some values and inside values that are lists; leave out all other values."""
    for value in values:
        yield from objects(value if isinstance(value, list) else [value])


@dataclass(frozen=True)
class RunFiles:
    """The logs of one run.

    - `main`: the log that names the run; `others`: its further logs, such as the logs of sub-agents
    - `before`: logs of other runs; a fork, for example, repeats lines of these logs
    - `side`: files that belong to the run and are not logs by themselves, such as descriptions and outputs of tasks
    - `second`: logs that are not read, because another log of the same agent is in `main` or `others`
    - `id`: the id that the program gave the run; empty if the program gave none
    """

    main: LogFile
    others: tuple[LogFile, ...] = ()
    before: tuple[LogFile, ...] = ()
    side: frozenset[Path] = frozenset()
    id: str = ""
    second: frozenset[Path] = frozenset()

    @property
    def paths(self) -> frozenset[Path]:
        """Every file of the run."""
        return self.side | self.second | {log.path for log in (self.main, *self.others)}

    @property
    def provenance(self) -> Json:
        """The names and the hashes of the logs, as fields of a trace's `provenance`."""
        return self.main.provenance | ({"companions": [log.provenance for log in self.others]} if self.others else {})

    def described(self, path: Path) -> Json:
        """Return the object in a side file; {} if the run has no such file."""
        return LogFile(path).first if path in self.side else {}

    def broken(self) -> int:
        """Return the number of lines, in all logs, that are not JSON."""
        return sum(log.broken() for log in (self.main, *self.others))


@dataclass(frozen=True, slots=True)
class Home:
    """Where a program keeps its runs: the folders `runs` in the folder that `variable` names, else in `folder`.

    `program` is the program's name in `awesome trace import PROGRAM:latest`; several formats can share it.
    """

    program: str
    variable: str
    folder: str
    runs: tuple[str, ...]

    def folders(self, environment: Mapping[str, str]) -> list[Path]:
        """Return the folders with runs according to the environment variables; these folders may not exist."""
        top = Path(environment.get(self.variable) or Path(self.folder).expanduser())
        return [top / name for name in self.runs]

    def within(self, top: Path) -> list[Path]:
        """Return the folders of runs in the folder `top`; `top` itself if it has no such folder."""
        return [top / name for name in self.runs if (top / name).is_dir()] or [top]


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """A log format that can be imported.

    - `detect(log)`: true if a file's content is in this format; `keys`: JSON keys that suggest the format
    - `convert(run, with_content=...)`: yields traces of version 2; `detect` and `convert` do not raise for bad content
    - `reads`, `spawns`, `inferred`, `lost`: the format's row in the manual
    - `around(path)`: for runs of several files, the folder that holds all files of the run of `path`
    - `group(logs)`: groups the logs of a folder into runs, by default one per log; `home`: where the program keeps them
    """

    name: str
    detect: Callable[[LogFile], bool]
    convert: Callable[..., Iterator[Json]]
    keys: tuple[str, ...]
    reads: str
    spawns: str
    inferred: str
    lost: str
    group: Callable[[Sequence[LogFile]], Iterable[RunFiles]] = lambda logs: map(RunFiles, logs)
    around: Callable[[Path], Path] | None = None
    home: Home | None = None
