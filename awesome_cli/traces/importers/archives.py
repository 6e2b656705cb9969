"""Zip and tar archives of logs, unpacked into a folder of their own; what they hold is not trusted."""

import gzip
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import IO

from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.known import shown
from awesome_cli.traces.importers.log_file import LogFileError
from awesome_cli.traces.sources import UNPACKED

MOST_MEMBERS = 100_000
"""So many files and folders of an archive are read."""
BLOCK = 1 << 16
BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)
"""What reading a damaged, encrypted or unknown archive raises."""
Member = tuple[str, IO[bytes] | None]


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
    """A folder with the files of an archive, for as long as the context lasts.

    Raises `LogFileError` for an archive that is damaged or too large, and for one with a link, a device, or a name that
    leads out of it.
    """
    with tempfile.TemporaryDirectory(prefix="awesome-") as name:
        try:
            with closing(_members(path)) as members:
                _unpack(members, Path(name), path.name)
        except (*BROKEN, OSError) as error:
            raise LogFileError(f"{path.name}: not readable as an archive: {error}") from error
        yield Path(name)


def _unpack(members: Iterator[Member], folder: Path, archive: str) -> None:
    left = allowed(UNPACKED)
    for number, (member, content) in enumerate(members):
        with content or nullcontext():
            if number >= allowed(MOST_MEMBERS):
                raise LogFileError(too_large(archive, MOST_MEMBERS, "members"))
            if content is not None:
                left = _write(_place(folder, member, archive), content, left, archive)


def _members(path: Path) -> Generator[Member]:
    """The name and content of each member; a folder has no content."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            for info in packed.infolist():
                kind = stat.S_IFMT(info.external_attr >> 16)
                _require(info.filename, path.name, plain=kind in {0, stat.S_IFREG, stat.S_IFDIR})
                yield info.filename, None if info.is_dir() else packed.open(info)
        return
    with tarfile.open(path, "r:*") as archive:
        for member in archive:
            _require(member.name, path.name, plain=member.isreg() or member.isdir())
            yield member.name, archive.extractfile(member)


def _require(member: str, archive: str, *, plain: bool) -> None:
    if not plain:
        raise LogFileError(f"{archive}: {shown(member)} is neither a file nor a folder", hint="unpack it yourself")


def _place(folder: Path, member: str, archive: str) -> Path:
    """Where a member is written, in a folder that is there."""
    place = folder / member
    if not member or "\\" in member or ".." in place.parts or not place.is_relative_to(folder):
        raise LogFileError(f"{archive}: {shown(member)} leads out of the archive", hint="unpack it yourself")
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _write(place: Path, content: IO[bytes], left: int, archive: str) -> int:
    """Write a member of at most `left` bytes; how many are left after it."""
    with place.open("wb") as file:
        while block := content.read(BLOCK):
            left -= len(block)
            if left < 0:
                raise LogFileError(too_large(f"what {archive} holds", UNPACKED))
            file.write(block)
    return left
