"""Where a survey may be written and read: inside of its folder, whatever the links in it say."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

from awesome_cli.errors import RefusedError

GIT = ".git"


class OutsideError(RefusedError):
    """A link in the survey leads out of it; nothing behind it is read, written or deleted."""


def place(root: Path, path: str | PurePath) -> Path:
    """The file or folder that `path`, relative to `root`, names; links that stay inside of `root` are followed.

    Raises `OutsideError` if a link on the way, or the last name itself, leads out of `root`, into its `.git`, or in a
    circle. `root` is a survey, or a folder that a person named.
    """
    try:
        found, top = (root / path).resolve(), root.resolve()
        # What is a link still is one of a circle.
        inside = found.is_relative_to(top) and GIT not in found.relative_to(top).parts and not found.is_symlink()
    except (OSError, RuntimeError, ValueError):  # a circle, before Python 3.13; a null byte
        inside = False
    if not inside:
        raise OutsideError(
            f"{path} leads out of the survey", hint=f"remove the link, or put the file or folder itself at {path}"
        )
    return found


def named(root: Path, path: Path) -> Path:
    """The place of a path that a person named: one in the survey must stay in it; elsewhere links are followed.

    Raises `OutsideError` as `place` does.
    """
    whole, top = Path(os.path.abspath(path)), root.resolve()  # noqa: PTH100 - links are looked at below
    above = next((folder for folder in whole.parents if os.path.realpath(folder) == str(top)), None)
    if above is None:
        return whole
    return place(root, whole.relative_to(above))


def is_file(root: Path, path: str | PurePath) -> bool:
    """Whether `path`, relative to `root`, is a plain file inside of it."""
    try:
        return place(root, path).is_file()
    except (OutsideError, OSError):  # a name that is too long
        return False


def below_named(root: Path, *names: str) -> Iterator[Path]:
    """The files of these names in a folder, and those below the folders of these names; links count as in `below`."""
    for name in names:
        if is_file(root, name):
            yield root / name
        elif not (root / name).is_symlink():
            yield from below(root / name)


def below(folder: Path) -> Iterator[Path]:
    """The files in a folder and in the folders in it; no link is followed out of it, and none to another folder."""
    for above, folders, names in os.walk(folder):
        folders[:] = (name for name in folders if name != GIT)
        for path in (Path(above, name) for name in names if name != GIT):
            if is_file(folder, path.relative_to(folder)) if path.is_symlink() else path.is_file():
                yield path
