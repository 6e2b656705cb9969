"""Safe paths in a survey: symlinks cannot leave its folder, and only regular files of limited size are read."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePath

from awesome_cli.errors import RefusedError, SurveyError

GIT = ".git"


class OutsideError(RefusedError):
    """A symlink in the survey leads out of it; its target is not read, written or deleted."""


def place(root: Path, path: str | PurePath) -> Path:
    """Resolve `path` relative to `root`; symlinks that stay inside `root` are followed.

    Raises `OutsideError` if a symlink leads out of `root`, into its `.git`, or in a loop. `root` is a survey, or a
    folder given by the user.
    """
    try:
        found, top = (root / path).resolve(), root.resolve()
        # A path that is still a symlink after `resolve` is part of a loop.
        inside = found.is_relative_to(top) and GIT not in found.relative_to(top).parts and not found.is_symlink()
    except (OSError, RuntimeError, ValueError):  # a loop, before Python 3.13; a null byte
        inside = False
    if not inside:
        hint = f"remove the symlink, or put the file or folder itself at {path}"
        raise OutsideError(f"{path} leads out of the survey", hint=hint)
    return found


def named(root: Path, path: Path) -> Path:
    """Resolve a path given by the user; raises `OutsideError` if a symlink in the survey leads out of the survey."""
    whole, top = Path(os.path.abspath(path)), root.resolve()  # noqa: PTH100 - links are looked at below
    above = next((folder for folder in whole.parents if os.path.realpath(folder) == str(top)), None)
    if above is None:
        return whole
    return place(root, whole.relative_to(above))


def is_file(root: Path, path: str | PurePath) -> bool:
    """Return True if `path`, relative to `root`, is a regular file inside `root`."""
    try:
        return place(root, path).is_file()
    except (OutsideError, OSError):  # a name that is too long
        return False


def below_named(root: Path, *names: str) -> Iterator[Path]:
    """Yield the files in `root` with these names, and all files below the folders in `root` with these names."""
    for name in names:
        if is_file(root, name):
            yield root / name
        elif not (root / name).is_symlink():
            yield from below(root / name)


def below(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder, except `.git`; symlinks to folders or out of the folder are skipped."""
    for above, folders, names in os.walk(folder):
        folders[:] = (name for name in folders if name != GIT)
        for path in (Path(above, name) for name in names if name != GIT):
            if is_file(folder, path.relative_to(folder)) if path.is_symlink() else path.is_file():
                yield path


def entries(root: Path, names: Iterable[str]) -> Iterator[tuple[str, str, os.stat_result]]:
    """Yield `(path below root, location, status)` of these files, and of these folders and all in them.

    Missing ones are left out. Raises `OutsideError` for a symlink.
    """
    waiting = [*names][::-1]
    while waiting:
        shown, location = waiting[-1], os.path.join(root, waiting.pop())  # noqa: PTH118 - called for thousands of files
        try:
            status = os.lstat(location)
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISLNK(status.st_mode):
            raise OutsideError(f"{shown} is a link")
        yield shown, location, status
        if stat.S_ISDIR(status.st_mode):
            inside = sorted(os.listdir(location), reverse=True)  # noqa: PTH208 - as above
            waiting += (f"{shown}/{name}" if shown else name for name in inside)


LARGEST = 50_000_000
"""Maximum size in bytes of a file of a survey."""
BLOCK = 1 << 20
FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_NOCTTY", "O_BINARY", "O_CLOEXEC"))
"""Flags of `os.open`: do not block on a pipe, and do not follow symlinks if the system supports that."""
FOLLOWS = not hasattr(os, "O_NOFOLLOW")
"""True if the system cannot refuse to open a symlink."""
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class UnusableError(SurveyError):
    """A file or folder of the survey cannot be read; `path` is relative to its root."""

    def __init__(self, path: str, reason: str, hint: str) -> None:
        super().__init__(f"{path} {reason}", hint=hint)
        self.path = path
        self.reason = reason


def read(root: Path, path: str, limit: int = LARGEST) -> bytes | None:
    """Return the bytes of a file, `path` relative to `root`; None if it does not exist.

    Raises `UnusableError` if it is not a regular file inside `root`, cannot be read, or exceeds `limit` bytes.
    """
    return contents(str(_inside(root, path)), path, limit)


def contents(place: str, path: str, limit: int = LARGEST) -> bytes | None:
    """Read a file as `read` does, at the absolute path `place` without symlinks; messages name the file `path`."""
    opened = _opened(place, path, limit)
    if opened is None:
        return None
    handle, size = opened
    try:
        # Ask for one byte more than the size: a shorter result means the end of the file.
        data = os.read(handle, size + 1)
        while len(data) != size and len(data) <= limit and (more := os.read(handle, BLOCK)):
            data += more
    except OSError as error:
        raise _unread(place, path, error) from None
    finally:
        os.close(handle)
    if len(data) > limit:  # The file grew in the meantime.
        raise too_large(path, limit)
    return data


def decoded(data: bytes, path: str) -> str:
    """Decode the bytes of a file; raises `SurveyError` with the position of a byte that is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line, start = data.count(b"\n", 0, error.start) + 1, data.rfind(b"\n", 0, error.start)
        message = f"{path}:{line}:{error.start - start}: the file is not UTF-8"
        raise SurveyError(message, hint=f"save {path} as UTF-8 in an editor") from None


def _opened(place: str, path: str, limit: int) -> tuple[int, int] | None:
    """Open a regular file and return its descriptor and size; None if it does not exist."""
    try:
        handle = os.open(place, os.O_RDONLY | FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:  # for instance a socket
        raise _unread(place, path, error) from None
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and status.st_size <= limit:
        return handle, status.st_size
    os.close(handle)
    raise too_large(path, limit) if stat.S_ISREG(status.st_mode) else _odd(path, status.st_mode)


def files(root: Path, folder: str) -> tuple[str, ...]:
    """Return the sorted names of the files directly in a folder; empty if the folder does not exist.

    Symlinks that stay in `root` are included. Raises `UnusableError` if `folder` is not a readable folder in `root`.
    """
    location = _inside(root, folder)
    try:
        with os.scandir(location) as entries:
            return tuple(sorted(entry.name for entry in entries if _is_file(root, folder, entry)))
    except FileNotFoundError:
        return ()
    except NotADirectoryError:
        raise UnusableError(folder, "is not a folder", f"move it away: the survey needs a folder {folder}") from None
    except OSError as error:
        raise _unread(str(location), folder, error) from None


def faults(root: Path, path: str, *, deep: bool = True) -> Iterator[UnusableError]:
    """Yield the faults of a file, or of a folder and (`deep`) all files below it; a missing path has no faults."""
    try:
        location = _inside(root, path)
        if not location.is_dir():
            opened = _opened(str(location), path, LARGEST)
            if opened is not None:
                os.close(opened[0])
            return
        names = sorted(inside.name for inside in location.iterdir()) if deep else []
    except UnusableError as error:
        yield error
        return
    except OSError as error:
        yield _unread(str(root / path), path, error)
        return
    for name in names:
        # Do not descend into a symlink to a folder: it may lead in a loop.
        yield from faults(root, f"{path}/{name}", deep=not (location / name).is_symlink())


def require(location: Path, path: str) -> None:
    """Raise `UnusableError` if `location` exists but is neither a file nor a folder."""
    with suppress(FileNotFoundError, NotADirectoryError):
        mode = location.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise _odd(path, mode)


def _inside(root: Path, path: str) -> Path:
    """Resolve a path as `place` does, but raise `UnusableError`."""
    try:
        return place(root, path)
    except OutsideError as error:
        raise UnusableError(path, "leads out of the survey", error.hint or "") from None


def _is_file(root: Path, folder: str, entry: os.DirEntry[str]) -> bool:
    return is_file(root, f"{folder}/{entry.name}") if entry.is_symlink() else entry.is_file()


def too_large(path: str, limit: int) -> UnusableError:
    """Return the error for a file of more than `limit` bytes."""
    return UnusableError(path, f"is larger than {limit:,} bytes", "store large data elsewhere and link to it")


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
    way = f"chmod u+r {path}" if isinstance(error, PermissionError) else f"check {path} and its permissions"
    return UnusableError(path, f"cannot be read: {error.strerror}", way)
