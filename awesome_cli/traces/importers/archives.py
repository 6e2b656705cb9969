"""Unpack zip and tar archives of logs into a temporary folder; the contents of an archive are not trusted."""

import gzip
import io
import math
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from awesome_cli.system.signals import interrupting
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.known import shown
from awesome_cli.traces.importers.log_file import LogFileError, decompressed
from awesome_cli.traces.model import UNPACKED

MOST_MEMBERS = 100_000
"""The limit of files and folders in an archive."""
HEADER = 1 << 15
"""The limit in bytes of the header of a tar archive's member."""
CONTENTS = 20_000_000
"""The limit in bytes of a zip archive's list of members."""
BLOCK = 1 << 16
UNPACK = "unpack the archive and import the folder"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)
"""The errors of reading a damaged, encrypted or unknown archive."""


class _Stream(io.BufferedReader):
    """An archive of which at most `left` bytes can be read, because libraries keep whole headers in memory."""

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
    """Return True if a file begins like a zip archive, or like a tar archive (plain or compressed with gzip)."""
    try:
        with path.open("rb") as file:
            head = file.read(512)
            if head.startswith(b"\x1f\x8b"):
                file.seek(0)
                with gzip.open(file) as unpacked:
                    head = unpacked.read(512)
    except (OSError, EOFError, zlib.error):
        return False
    return head.startswith(ZIP) or head[257:262] == b"ustar"


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Unpack an archive into a temporary folder. The folder is deleted when the context ends, also by SIGTERM.

    Raises `LogFileError` if the archive is damaged or too large, or if it contains a link, a device, or a path that
    leads out of the archive.
    """
    with interrupting(), tempfile.TemporaryDirectory(prefix="awesome-") as name:
        try:
            _unpack(path, Path(name))
        except (*BROKEN, OSError) as error:
            why = getattr(error, "strerror", None) or error
            raise LogFileError(f"{path.name}: not readable as an archive: {why}") from error
        yield Path(name)


def _unpack(path: Path, folder: Path) -> None:
    """Write the files of an archive to `folder`; raise for special files, paths out of `folder` and excess data."""
    left = allowed(UNPACKED)
    with path.open("rb") as file:
        zipped = file.read(len(ZIP[0])) in ZIP
        file.seek(0)
        with _Stream(cast("io.RawIOBase", file if zipped else decompressed(file))) as stream:
            members = _zipped(stream, path.name) if zipped else _tarred(stream, path.name)
            for number, (name, size, plain, content) in enumerate(members, 1):
                left -= size
                if number > allowed(MOST_MEMBERS):
                    raise LogFileError(too_large(path.name, MOST_MEMBERS, "members"))
                if left < 0:
                    raise LogFileError(too_large(f"the contents of {path.name}", UNPACKED))
                place, member = folder / name, f"{path.name}: {shown(name)}"
                if not plain:
                    raise LogFileError(f"{member} is neither a file nor a folder", hint=UNPACK)
                if not name or "\\" in name or ".." in place.parts or not place.is_relative_to(folder):
                    raise LogFileError(f"{member} leads out of the archive", hint=UNPACK)
                if content is not None:
                    _write(content, place, member)


Members = Iterator[tuple[str, int, bool, IO[bytes] | None]]
"""Name, size in bytes, True for a plain file or a folder, and the content (None for a folder), limited to the size."""


def _zipped(stream: _Stream, name: str) -> Members:
    stream.allow(f"the list of the members of {name}", CONTENTS)
    with zipfile.ZipFile(stream) as archive:
        stream.left = math.inf
        for info in archive.infolist():
            plain = stat.S_IFMT(info.external_attr >> 16) in {0, stat.S_IFREG, stat.S_IFDIR}
            yield info.filename, info.file_size, plain, None if info.is_dir() else archive.open(info)


def _tarred(stream: _Stream, name: str) -> Members:
    stream.allow(f"the description of a member of {name}", HEADER)
    with tarfile.open(fileobj=stream, mode="r:") as archive:
        for info in archive:
            stream.left = math.inf
            content = archive.extractfile(info) if info.isreg() else None
            yield info.name, info.size, info.isreg() or info.isdir(), content
            stream.left = allowed(HEADER)


def _write(content: IO[bytes], place: Path, member: str) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with content, place.open("wb") as file:
            shutil.copyfileobj(content, file, BLOCK)
    except OSError as error:
        raise LogFileError(f"{member}: {error.strerror or error}") from error
