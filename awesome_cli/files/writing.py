"""Atomic writes: a file has either its old or its new bytes; temporary files are in the survey's hidden folder."""

import errno
import glob
import os
from contextlib import suppress
from pathlib import Path

from awesome_cli.errors import AwesomeError, SurveyError, UsageError
from awesome_cli.files.paths import place

HIDDEN = ".awesome"
"""A survey's folder for the lock, the journal, drafts and temporary files; git ignores it."""
MARK = "taxonomy.yaml"
"""The file that marks the root folder of a survey."""


def nearest(start: Path, *, upwards: bool = True) -> Path:
    """Return the root of the survey: `start` or, with `upwards`, the nearest parent that contains `taxonomy.yaml`.

    Raises `UsageError` if `start` is not a folder, `SurveyError` if there is no survey.
    """
    if not start.is_dir():
        why = f"{start} is not a folder" if start.exists() else f"no such folder: {start}"
        raise UsageError(why, hint="name the survey's folder with -C DIR")
    here = start.absolute()
    for folder in [here, *here.parents] if upwards else [start]:
        if os.path.lexists(folder / MARK):  # anything else than a file is reported when it is read
            return folder
    where = ("here" if start == Path() else f"in {start}") + " or in any parent folder" * upwards
    hint = "go to a survey's folder, name it with -C DIR, or start one with 'awesome init DIR'"
    if (start / "taxonomy.yml").exists():
        hint = f"rename taxonomy.yml, which is not read: mv taxonomy.yml {MARK}"
    raise SurveyError(f"no {MARK} {where}", hint=hint)


def hidden(root: Path) -> Path:
    """Return the survey's hidden folder; it is created if missing."""
    folder, ignore = place(root, HIDDEN), place(root, f"{HIDDEN}/.gitignore")
    if not ignore.exists() or (ignore.is_file() and not ignore.stat().st_size):
        try:
            folder.mkdir(exist_ok=True)
        except FileExistsError:
            hint = "remove the file: commands need a folder of that name"
            raise SurveyError(f"{HIDDEN} is not a folder", hint=hint) from None
        ignore.write_bytes(b"*\n")
    return folder


def write(path: Path, data: bytes, *, last: bool = True, aside: Path | None = None) -> None:
    """Write a file atomically. Symlinks are followed, the mode stays, and missing parent folders are created.

    Devices and other special files, such as `/dev/null`, are written in place.

    With `last`, the file is synced to disk. Without `last`, thousands of files are written much faster, but a system
    crash may lose the new bytes; use this only for files that can be generated again. `aside` is the folder for the
    temporary file [default: `folder_aside`, which takes long for thousands of files].
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    aside = aside or folder_aside(path)
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


def folder_aside(path: Path) -> Path:
    """Return the folder for a temporary file: the survey's hidden folder, or the file's own folder outside a survey."""
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
            error.filename = str(path)  # the system does not set it if `write` fails
        raise


def sweep(folder: Path, name: str | None = None) -> None:
    """Remove temporary files of killed processes from a folder; with `name`, only temporary files of that file."""
    for path in folder.glob(f".{'*' if name is None else glob.escape(name[:50])}.*.tmp"):
        writer = path.suffixes[-2][1:]
        if writer.isdecimal() and not _runs(int(writer)):
            path.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Return False only if a process is certainly not running."""
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
    """Sync a folder's entries to disk, if the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
