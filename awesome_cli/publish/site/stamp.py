"""The stamp of a built site, by which a build skips a site whose inputs and files have not changed."""

import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from stat import S_ISDIR

from awesome_cli.errors import AwesomeError
from awesome_cli.files.paths import contents, entries, read
from awesome_cli.files.tree import PARTS
from awesome_cli.publish import PACKAGE, shipped
from awesome_cli.publish.freshness import digest

STAMP = "build.txt"
"""The file with a digest of the inputs and a digest of the written files."""
INPUTS = (*PARTS, "LICENSE", "LICENSE-CORPUS", "templates", "traces")
"""The files and folders of a survey that determine its site."""


def inputs(root: Path, *options: object) -> str | None:
    """Return a digest of all inputs of a site: files of the survey, options, program and installed packages.

    None if it cannot be determined, because of a symlink or an unreadable file.
    """
    around = repr((options, sys.version, sorted(os.listdir(sysconfig.get_path("purelib")))))  # noqa: PTH208 - names only
    with suppress(AwesomeError, OSError, ValueError):
        return digest(chain([(around, b"")], _files(root, INPUTS), _files(PACKAGE), _files(shipped())))
    return None


def stamp(made_of: str, written: Mapping[str, bytes]) -> bytes:
    """Return the content of `STAMP`: the digest of the inputs, and one of the files' digests (`written`, by path)."""
    return f"{made_of}\n{digest(sorted(written.items()))}\n".encode()


def file_digest(data: bytes) -> bytes:
    """Return the SHA-256 of a file's content, as bytes."""
    return sha256(data).digest()


def unchanged(out: Path, listing: str, made_of: str | None) -> int:
    """Return the number of files in `listing` if a build from these inputs wrote exactly them, else 0."""
    with suppress(AwesomeError, OSError, ValueError):
        paths, stamped = read(out, listing), read(out, STAMP)
        if made_of and paths and stamped and stamped.startswith(made_of.encode()):
            names = [name for name in paths.decode().splitlines() if name != STAMP]
            written = {name: file_digest(data) for name in names if (data := read(out, name)) is not None}
            return len(names) if stamp(made_of, written) == stamped else 0
    return 0


def _files(root: Path, names: Sequence[str] = ("",)) -> Iterator[tuple[str, bytes]]:
    """Yield `(path below root, content)` of these files and of all files in these folders; raises on symlinks."""
    for shown, location, status in entries(root, names):
        cached = S_ISDIR(status.st_mode) or "__pycache__" in shown
        if not cached and (data := contents(location, shown)) is not None:
            yield shown, data
