"""Zip and tar archives of logs, unpacked into a folder of their own; what they hold is not trusted."""

import gzip
import io
import math
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, cast

from awesome_cli.system.signals import interrupting
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.known import shown
from awesome_cli.traces.importers.log_file import LogFileError, decompressed
from awesome_cli.traces.model import UNPACKED

MOST_MEMBERS = 100_000
"""So many files and folders of an archive are read."""
HEADER = 1 << 15
"""A member of a tar archive is described in at most so many bytes."""
CONTENTS = 20_000_000
"""The list of the members of a zip archive has at most so many bytes."""
DESCRIPTION = "the description of a member of {}"
BLOCK = 1 << 16
BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)
"""What reading a damaged, encrypted or unknown archive raises."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive; a folder cannot be opened."""

    name: str
    size: int
    open: Callable[[], IO[bytes]] | None


class _Stream(io.BufferedReader):
    """An archive of which at most `left` bytes are read; the libraries keep whole descriptions in memory."""

    what, bound = "", 0
    left: float = math.inf

    def allow(self, what: str, bound: int) -> None:
        self.what, self.bound, self.left = what, bound, allowed(bound)

    def read(self, size: int | None = -1, /) -> bytes:
        self.left -= size or 0
        if self.left < 0:
            raise LogFileError(too_large(self.what, self.bound))
        return super().read(size)


def is_archive(path: Path) -> bool:
    """Whether a file is a zip archive, or a tar archive that is plain or in gzip, by its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(512)
            if head.startswith(b"\x1f\x8b"):
                file.seek(0)
                with gzip.open(file) as unpacked:
                    head = unpacked.read(512)
    except (OSError, EOFError, zlib.error):
        return False
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06")) or head[257:262] == b"ustar"


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A folder with the files of an archive, for as long as the context lasts; SIGTERM ends it as Ctrl-C does.

    Raises `LogFileError` for an archive that is damaged or too large, and for one with a link, a device, or a name that
    leads out of it.
    """
    with interrupting(), tempfile.TemporaryDirectory(prefix="awesome-") as name:
        try:
            _unpack(path, Path(name))
        except (*BROKEN, OSError) as error:
            why = getattr(error, "strerror", None) or error
            raise LogFileError(f"{path.name}: not readable as an archive: {why}") from error
        yield Path(name)


def _unpack(path: Path, folder: Path) -> None:
    """Write the files of an archive, if it is not too large."""
    with path.open("rb") as file:
        if zipfile.is_zipfile(path):
            with _Stream(cast("io.RawIOBase", file)) as stream:
                stream.allow(f"the list of the members of {path.name}", CONTENTS)
                with zipfile.ZipFile(stream) as zipped:
                    stream.left = math.inf
                    _write(_bounded(_zipped(zipped, path.name), path.name), folder, path.name)
            return
        with _Stream(cast("io.RawIOBase", decompressed(file))) as stream:
            stream.allow(DESCRIPTION.format(path.name), HEADER)
            with tarfile.open(fileobj=stream, mode="r:") as tar:
                members = _bounded(_tarred(tar, stream, path.name), path.name)
                stream.left = math.inf
                _write(members, folder, path.name)


def _bounded(members: Iterator[Member], archive: str) -> Sequence[Member]:
    """All members; raises `LogFileError` at the first that is too many, or too large."""
    known: list[Member] = []
    left = allowed(UNPACKED)
    for member in members:
        known.append(member)
        left -= member.size
        if len(known) > allowed(MOST_MEMBERS):
            raise LogFileError(too_large(archive, MOST_MEMBERS, "members"))
        if left < 0:
            raise LogFileError(too_large(f"what {archive} holds", UNPACKED))
    return known


def _zipped(archive: zipfile.ZipFile, name: str) -> Iterator[Member]:
    for info in archive.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        _require(info.filename, name, plain=kind in {0, stat.S_IFREG, stat.S_IFDIR})
        yield Member(info.filename, info.file_size, None if info.is_dir() else partial(archive.open, info))


def _tarred(archive: tarfile.TarFile, stream: _Stream, name: str) -> Iterator[Member]:
    for info in archive:
        _require(info.name, name, plain=info.isreg() or info.isdir())
        content = partial(archive.extractfile, info) if info.isreg() else None
        yield Member(info.name, info.size, cast("Callable[[], IO[bytes]] | None", content))
        stream.allow(DESCRIPTION.format(name), HEADER)


def _require(member: str, archive: str, *, plain: bool) -> None:
    if not plain:
        raise LogFileError(f"{archive}: {shown(member)} is neither a file nor a folder", hint="unpack it yourself")


def _write(members: Sequence[Member], folder: Path, archive: str) -> None:
    """Write the files among the members. The libraries give no more bytes of one than its size."""
    for member in members:
        place = folder / member.name
        if not member.name or "\\" in member.name or ".." in place.parts or not place.is_relative_to(folder):
            raise LogFileError(f"{archive}: {shown(member.name)} leads out of the archive", hint="unpack it yourself")
        if member.open is None:
            continue
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with member.open() as content, place.open("wb") as file:
                shutil.copyfileobj(content, file, BLOCK)
        except OSError as error:
            raise LogFileError(f"{archive}: {shown(member.name)}: {error.strerror or error}") from error
