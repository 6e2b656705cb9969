"""Files written whole: a file holds the old or the new bytes at every moment, and what a kill leaves is hidden."""

import errno
import glob
import os
from contextlib import suppress
from pathlib import Path

from awesome_cli.errors import AwesomeError, SurveyError, UsageError
from awesome_cli.files.paths import place

HIDDEN = ".awesome"
"""A survey's folder for the lock, an open plan and texts that wait for their author; it ignores itself in git."""
MARK = "taxonomy.yaml"
"""The file that makes a folder a survey."""


def nearest(start: Path, *, upwards: bool = True) -> Path:
    """The survey's folder: `start`, or the nearest one above it that holds `taxonomy.yaml`.

    Raises `UsageError` where `start` is no folder, `SurveyError` where there is no survey.
    """
    if not start.is_dir():
        why = f"{start} is not a folder" if start.exists() else f"no such folder: {start}"
        raise UsageError(why, hint="name the survey's folder with -C DIR")
    here = start.absolute()
    for folder in [here, *here.parents] if upwards else [start]:
        if os.path.lexists(folder / MARK):  # what is no file there is a finding
            return folder
    where = ("here" if start == Path() else f"in {start}") + " or in any folder above" * upwards
    hint = "go to a survey's folder, name it with -C DIR, or start one with 'awesome init DIR'"
    raise SurveyError(f"no {MARK} {where}", hint=hint)


def hidden(root: Path) -> Path:
    """The survey's hidden folder, made if it is missing."""
    folder, ignore = place(root, HIDDEN), place(root, f"{HIDDEN}/.gitignore")
    if not ignore.exists() or (ignore.is_file() and not ignore.stat().st_size):
        try:
            folder.mkdir(exist_ok=True)
        except FileExistsError:
            hint = "remove it: the commands need a folder of that name"
            raise SurveyError(f"{HIDDEN} is not a folder", hint=hint) from None
        ignore.write_bytes(b"*\n")
    return folder


def write(path: Path, data: bytes, *, last: bool = True) -> None:
    """Write a file atomically: it holds the old or the new bytes at every moment. A link is followed, a mode kept.

    What is there and no regular file, such as `/dev/null`, takes the bytes and stays what it is.

    With `last` the file is on the disk when this returns. Without it a crash of the system may lose the new bytes: for
    what is made again with ease, and far faster for thousands of files.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    aside = _aside(path)
    if last and aside == path.parent:
        sweep(aside, path.name)
    try:
        _replace(path, aside, data, sync=last)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _replace(path, path.parent, data, sync=last)  # its folder is on another disk than the survey
    if last:
        sync_folder(path.parent)


def _aside(path: Path) -> Path:
    """Where a file waits for its name: hidden from git, or beside its place where no survey is around it."""
    for folder in path.parents:
        if (folder / HIDDEN / "lock").is_file() or (folder / MARK).is_file():
            try:
                return hidden(folder)
            except (OSError, AwesomeError):
                break
    return path.parent


def _replace(path: Path, folder: Path, data: bytes, *, sync: bool) -> None:
    waiting = folder / f".{path.name[:50]}.{os.getpid()}.tmp"
    mode = path.stat().st_mode & 0o7777 if path.exists() else None
    waiting.unlink(missing_ok=True)
    try:
        with waiting.open("xb") as file:
            if mode is not None:
                waiting.chmod(mode)
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        waiting.replace(path)
    except BaseException as error:
        waiting.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # the system names no file where writing to it fails
        raise


def sweep(folder: Path, name: str | None = None) -> None:
    """Remove what writers that were killed left in a folder: of the file `name`, or of any."""
    for path in folder.glob(f".{'*' if name is None else glob.escape(name[:50])}.*.tmp"):
        writer = path.suffixes[-2][1:]
        if writer.isdecimal() and not _runs(int(writer)):
            path.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Whether a process may be running; where that cannot be asked, it may."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk; not every system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
