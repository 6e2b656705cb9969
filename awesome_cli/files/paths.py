"""Paths and files inside a survey: no link leads out of its folder, and only plain files of bounded size are read."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath

from awesome_cli.errors import RefusedError, SurveyError

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
        hint = f"remove the link, or put the file or folder itself at {path}"
        raise OutsideError(f"{path} leads out of the survey", hint=hint)
    return found


def named(root: Path, path: Path) -> Path:
    """The place of a path that a person named; one in the survey must stay in it, else `OutsideError` is raised."""
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


LARGEST = 50_000_000
"""The size in bytes up to which a file of a survey is read."""
BLOCK = 1 << 20
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


class UnusableError(SurveyError):
    """A file or folder of the survey is not read: `path` names it from the root, `reason` says why, `hint` the way."""

    def __init__(self, path: str, reason: str, hint: str) -> None:
        super().__init__(f"{path} {reason}", hint=hint)
        self.path = path
        self.reason = reason


def read(root: Path, path: str, limit: int = LARGEST) -> bytes | None:
    """The bytes of a file, `path` relative to `root`; None if there is none.

    Raises `UnusableError` for what is no plain file inside of `root`, cannot be read, or has more than `limit` bytes.
    """
    return contents(str(_inside(root, path)), path, limit)


def contents(place: str, path: str, limit: int = LARGEST) -> bytes | None:
    """The bytes of the file at a place that is no link, as `read` gives them; errors call it `path`."""
    opened = _opened(place, path, limit)
    if opened is None:
        return None
    handle, size = opened
    try:
        # One byte more than the file has: less comes back at its end.
        data = os.read(handle, size + 1)
        while len(data) != size and len(data) <= limit and (more := os.read(handle, BLOCK)):
            data += more
    except OSError as error:
        raise _unread(place, path, error) from None
    finally:
        os.close(handle)
    if len(data) > limit:  # It grew meanwhile.
        raise too_large(path, limit)
    return data


def decoded(data: bytes, path: str) -> str:
    """The text of a file; raises `SurveyError`, which calls it `path`, where it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line, start = data.count(b"\n", 0, error.start) + 1, data.rfind(b"\n", 0, error.start)
        message = f"{path}:{line}:{error.start - start}: this is not UTF-8"
        raise SurveyError(message, hint=f"save {path} as UTF-8 in an editor") from None


def _opened(place: str, path: str, limit: int) -> tuple[int, int] | None:
    """The handle and the size of a plain file, which is left open; None if there is none."""
    try:
        handle = os.open(place, os.O_RDONLY | FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # for instance a socket
        raise _unread(place, path, error) from None
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_size <= limit:
        return handle, found.st_size
    os.close(handle)
    raise too_large(path, limit) if stat.S_ISREG(found.st_mode) else _odd(path, found.st_mode)


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
        raise UnusableError(folder, "is not a folder", f"move it away: {folder} is a folder of the survey") from None
    except OSError as error:
        raise _unread(str(found), folder, error) from None


def faults(root: Path, path: str, *, deep: bool = True) -> Iterator[UnusableError]:
    """What cannot be read of a file, or of a folder and (`deep`) what is in it; a missing one has no fault."""
    try:
        found = _inside(root, path)
        if not found.is_dir():
            opened = _opened(str(found), path, LARGEST)
            if opened is not None:
                os.close(opened[0])
            return
        names = sorted(inside.name for inside in found.iterdir()) if deep else []
    except UnusableError as error:
        yield error
        return
    except OSError as error:
        yield _unread(str(root / path), path, error)
        return
    for name in names:
        # A link to a folder is not gone into: it may lead in a circle.
        yield from faults(root, f"{path}/{name}", deep=not (found / name).is_symlink())


def require(found: Path, path: str) -> None:
    """Raise `UnusableError`, which calls it `path`, for what is there and neither file nor folder."""
    with suppress(FileNotFoundError, NotADirectoryError):
        mode = found.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise _odd(path, mode)


def _inside(root: Path, path: str) -> Path:
    """As `place`, for what is to be read."""
    try:
        return place(root, path)
    except OutsideError as error:
        raise UnusableError(path, "leads out of the survey", error.hint or "") from None


def _is_file(root: Path, folder: str, entry: os.DirEntry[str]) -> bool:
    return is_file(root, f"{folder}/{entry.name}") if entry.is_symlink() else entry.is_file()


def too_large(path: str, limit: int) -> UnusableError:
    """The fault of a file with more than `limit` bytes."""
    return UnusableError(path, f"is larger than {limit:,} bytes", "keep large data elsewhere, and link to it")


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
    way = f"chmod u+r {path}" if isinstance(error, PermissionError) else f"see what is at {path}, and correct it"
    return UnusableError(path, f"cannot be read: {error.strerror}", way)
