"""Where a survey may be written and read: inside of its folder, whatever the links in it say, and only in plain files."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePath

from awesome_cli.errors import RefusedError, SurveyError

LARGEST = 50_000_000
"""The size in bytes up to which a file of a survey is read."""
GIT = ".git"
FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_BINARY", "O_CLOEXEC"))
"""Opening waits for nobody at the other end of a pipe, and follows no link where the system can refuse to."""
FOLLOWS = not hasattr(os, "O_NOFOLLOW")
"""Whether opening a link follows it all the same."""
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class OutsideError(RefusedError):
    """A link in the survey leads out of it; nothing behind it is read, written or deleted."""


class UnusableError(SurveyError):
    """A file or folder of the survey is not read: `path` names it from the root, `reason` says why, `hint` the way."""

    def __init__(self, path: str, reason: str, hint: str) -> None:
        super().__init__(f"{path} {reason}", hint=hint)
        self.path = path
        self.reason = reason


def place(root: Path, path: str | PurePath) -> Path:
    """The file or folder that `path`, relative to `root`, names; links that stay inside of `root` are followed.

    Raises `OutsideError` if a link on the way, or the last name itself, leads out of `root`, into its `.git`, or in a
    circle. `root` is a survey, or a folder that a person named.
    """
    try:
        found, top = (root / path).resolve(), root.resolve()
        inside = found.is_relative_to(top) and GIT not in found.relative_to(top).parts
    except (OSError, RuntimeError):  # a circle of links
        inside = False
    if not inside:
        raise OutsideError(f"{path} leads out of the survey", hint=f"remove the link, or put the file itself at {path}")
    return found


def named(root: Path, path: Path) -> Path:
    """The place of a path that a person named: one in the survey must stay in it; elsewhere links are followed.

    Raises `OutsideError` as `place` does, and `UnusableError` for what is in the survey and no file or folder.
    """
    whole, top = Path(os.path.abspath(path)), os.path.realpath(root)
    above = next((folder for folder in whole.parents if os.path.realpath(folder) == top), None)
    if above is None:
        return whole
    found = place(root, whole.relative_to(above))
    if os.path.exists(found) and not os.path.isfile(found) and not os.path.isdir(found):
        raise _odd(str(path), found.stat().st_mode)
    return found


def read(root: Path, path: str, limit: int = LARGEST) -> bytes | None:
    """The bytes of a file, `path` relative to `root`; None if there is none.

    Raises `UnusableError` for what is no plain file inside of `root`, cannot be read, or has more than `limit` bytes.
    """
    return contents(str(_inside(root, path)), path, limit)


def contents(place: str, path: str, limit: int = LARGEST) -> bytes | None:
    """The bytes of the file at a place that is no link, as `read` gives them; errors call it `path`."""
    try:
        handle = os.open(place, os.O_RDONLY | FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # for instance a socket
        raise _unread(place, path, error) from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise _odd(path, found.st_mode)
        # One byte more than the file has: less comes back at its end.
        data = os.read(handle, min(found.st_size, limit) + 1)
        while len(data) != found.st_size and len(data) <= limit and (more := os.read(handle, 1 << 20)):
            data += more
    except OSError as error:
        raise _unread(place, path, error) from None
    finally:
        os.close(handle)
    if len(data) > limit:
        raise UnusableError(path, f"has more than {limit:,} bytes", "keep large data elsewhere, and link to it")
    return data


def files(root: Path, folder: str) -> tuple[str, ...]:
    """The sorted names of the files directly in a folder, with links that stay in `root`; empty without the folder.

    Raises `UnusableError` for what is no folder inside of `root` or cannot be read.
    """
    found = _inside(root, folder)
    try:
        with os.scandir(found) as entries:
            return tuple(sorted(entry.name for entry in entries if _is_file(root, folder, entry)))
    except FileNotFoundError:
        return ()
    except NotADirectoryError:
        raise UnusableError(folder, "is no folder", f"move it away: {folder} is a folder of the survey") from None
    except OSError as error:
        raise _unread(str(found), folder, error) from None


def is_file(root: Path, path: str | PurePath) -> bool:
    """Whether `path`, relative to `root`, is a plain file inside of it."""
    try:
        return os.path.isfile(place(root, path))
    except (OutsideError, ValueError):  # a name with a null byte
        return False


def below(folder: Path) -> Iterator[Path]:
    """The files in a folder and in the folders in it; no link is followed out of it, and none to another folder."""
    for above, _, names in os.walk(folder):
        yield from (Path(above, name) for name in names if is_file(folder, Path(above, name).relative_to(folder)))


def faults(root: Path, path: str) -> Iterator[UnusableError]:
    """What cannot be read of a file, or of a folder and the folders in it; a missing one has no fault."""
    try:
        found = _inside(root, path)
        kind = found.stat().st_mode
        names = sorted(os.listdir(found)) if stat.S_ISDIR(kind) else []
        if not stat.S_ISDIR(kind) and not stat.S_ISREG(kind):
            yield _odd(path, kind)
        elif not os.access(found, os.R_OK):
            yield UnusableError(path, "cannot be read: Permission denied", f"chmod u+r {path}")
    except (FileNotFoundError, NotADirectoryError):
        return
    except UnusableError as error:
        yield error
        return
    except OSError as error:
        yield _unread(str(root / path), path, error)
        return
    for name in names:
        # A link to a folder is not gone into: it may lead in a circle.
        if not ((root / path / name).is_symlink() and (found / name).is_dir()):
            yield from faults(root, f"{path}/{name}")


def _inside(root: Path, path: str) -> Path:
    """As `place`, for what is to be read."""
    try:
        return place(root, path)
    except OutsideError as error:
        raise UnusableError(path, error.message.removeprefix(f"{path} "), error.hint or "") from None


def _is_file(root: Path, folder: str, entry: os.DirEntry[str]) -> bool:
    return is_file(root, f"{folder}/{entry.name}") if entry.is_symlink() else entry.is_file()


def _odd(path: str, mode: int) -> UnusableError:
    kind = KINDS.get(stat.S_IFMT(mode), "something else")
    return UnusableError(path, f"is {kind}, not a file", f"move it away, or put the file itself at {path}")


def _unread(place: str, path: str, error: OSError) -> UnusableError:
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        mode = stat.S_IFREG
    if stat.S_IFMT(mode) in {stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK}:
        return _odd(path, mode)
    way = f"chmod u+r {path}" if isinstance(error, PermissionError) else f"see what is at {path}, and put it right"
    return UnusableError(path, f"cannot be read: {error.strerror}", way)
