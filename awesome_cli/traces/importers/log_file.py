"""A log of another framework: one file, plain or gzip, JSON or JSON Lines."""

import gzip
import hashlib
import io
import json
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from awesome_cli.errors import AwesomeError
from awesome_cli.traces.importers.foreign import Json

SAMPLE = 50
BLOCK = 1 << 20
STANDARD = Path("-")


class LogFileError(AwesomeError):
    """The file cannot be read, or its format is unknown."""


@dataclass(frozen=True)
class LogFile:
    """A file to import; formats are detected from its `head`."""

    path: Path
    data: bytes | None = None

    @classmethod
    def at(cls, path: Path) -> "LogFile":
        """The file at `path`; `-` is standard input, which is kept in memory because it can be read only once."""
        return cls(path, sys.stdin.buffer.read() if path == STANDARD else None)

    @property
    def name(self) -> str:
        """The file's name without its folder, because traces must not contain paths of a machine."""
        return self.path.name if self.data is None else "stdin"

    @cached_property
    def sha256(self) -> str:
        """The hash of the file's bytes."""
        digest = hashlib.sha256()
        with self._bytes() as stream:
            for block in iter(partial(stream.read, BLOCK), b""):
                digest.update(block)
        return digest.hexdigest()

    @property
    def provenance(self) -> Json:
        """The fields of a trace that name the file that it was made from."""
        return {"file": self.name, "file_sha256": self.sha256}

    def _bytes(self) -> BinaryIO:
        return self.path.open("rb") if self.data is None else io.BytesIO(self.data)

    @cached_property
    def document(self) -> object:
        """The file as one JSON value; None if it is JSON Lines or not JSON."""
        if self._is_lines:
            return None
        try:
            return json.loads("".join(self._text()))
        except (ValueError, RecursionError):
            return None

    @cached_property
    def _is_lines(self) -> bool:
        """Whether the first two lines that are not empty are objects by themselves."""
        first = list(islice((line for line in self._text() if line.strip()), 2))
        return len(first) == 2 and all(isinstance(_value(line), dict | list) for line in first)

    @cached_property
    def head(self) -> list[Json]:
        """The first objects: the document, or the objects of its top-level list, or the first lines."""
        return list(islice(self.records(), SAMPLE))

    @property
    def first(self) -> Json:
        """The first object; an empty one where there is none."""
        return self.head[0] if self.head else {}

    def records(self) -> Iterator[Json]:
        """Every object of the file: one line or list item at a time; broken lines are left out."""
        document = self.document
        if document is not None:
            values = document if isinstance(document, list) else [document]
            yield from (value for value in values if isinstance(value, dict))
            return
        for line in self._text():
            value = _value(line)
            yield from (v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict))

    def broken(self) -> int:
        """How many lines of a JSON Lines file are not JSON, a cut last line among them."""
        if not self._is_lines:
            return 0
        return sum(1 for line in self._text() if line.strip() and _value(line) is None)

    def lines(self) -> Iterator[str]:
        """The file's lines as text, for logs with text before their JSON."""
        return self._text()

    def _text(self) -> Iterator[str]:
        try:
            with self._bytes() as plain:
                packed = plain.read(2) == b"\x1f\x8b"
                plain.seek(0)
                unpacked = cast("BinaryIO", gzip.GzipFile(fileobj=plain)) if packed else plain
                with io.TextIOWrapper(unpacked, encoding="utf-8-sig", errors="replace") as words:
                    yield from words
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise LogFileError(f"{self.name}: not readable as gzip: {error}", hint="unpack it and try again") from error


def _value(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
