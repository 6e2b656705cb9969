"""The stamp of a built site: one that a build would write again as it is is neither loaded nor written."""

import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path

from awesome_cli.errors import AwesomeError
from awesome_cli.files.paths import OutsideError, contents, read
from awesome_cli.publish import PACKAGE, shipped
from awesome_cli.publish.freshness import digest
from awesome_cli.survey.loading import PARTS

STAMP = "build.txt"
"""The file with a digest of the inputs of a site and one of its files."""
INPUTS = (*PARTS, "LICENSE", "LICENSE-CORPUS", "templates", "traces")
"""The files and folders of a survey that its site is made of."""


def inputs(root: Path, *options: object) -> str | None:
    """A digest of all that a site is made of: a survey's files, the options, the program and the packages beside it.

    None where something leaves a doubt: a link, or a file that cannot be read.
    """
    around = repr((options, sys.version, sorted(os.listdir(sysconfig.get_path("purelib")))))  # noqa: PTH208 - names only
    try:
        return digest(chain([(around, b"")], _files(root, INPUTS), _files(PACKAGE), _files(shipped())))
    except (AwesomeError, OSError, ValueError):
        return None


def stamp(made_of: str, written: Mapping[str, bytes]) -> bytes:
    """The content of `STAMP` for a site: the digest of its inputs, and that of `file_digest` of its files by path."""
    return f"{made_of}\n{digest(sorted(written.items()))}\n".encode()


def file_digest(data: bytes) -> bytes:
    """The SHA-256 of a file's content."""
    return sha256(data).digest()


def unchanged(out: Path, listing: str, made_of: str | None) -> int:
    """How many files a site has if a build from these inputs wrote all as they are, 0 for any doubt.

    `listing` is the name of its list of files.
    """
    try:
        paths, stamped = read(out, listing), read(out, STAMP)
        if not (made_of and paths and stamped and stamped.startswith(made_of.encode())):
            return 0
        names = [name for name in paths.decode().splitlines() if name != STAMP]
        written = {name: file_digest(data) for name in names if (data := read(out, name)) is not None}
        return len(names) if stamp(made_of, written) == stamped else 0
    except (AwesomeError, OSError, ValueError):
        return 0


def _files(root: Path, names: Sequence[str] = ("",)) -> Iterator[tuple[str, bytes]]:
    """The files of these names, and those in the folders of these names, with their paths below `root`."""
    for name in names:
        top = root / name
        for folder, folders, inside in os.walk(top) if top.is_dir() else [(str(top.parent), [], [top.name])]:
            folders[:] = sorted(entry for entry in folders if entry != "__pycache__")
            for path in (Path(folder), *(Path(folder, entry) for entry in (*folders, *sorted(inside)))):
                if path.is_symlink():
                    raise OutsideError(f"{path} is a link")
                shown = path.relative_to(root).as_posix()
                if not path.is_dir() and (data := contents(str(path), shown)) is not None:
                    yield shown, data
