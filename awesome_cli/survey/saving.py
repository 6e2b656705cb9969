"""From values back to files: the only way a record reaches the disk.

Writing has two steps. A plan is a tuple of changes, each with the old and the new content of a file; making a plan
writes nothing, so it serves as the preview. `commit` carries it out under the survey's lock. It refuses if a file is
not as the plan found it, and it replaces each file atomically: a kill at any moment leaves each file either old or
new.
"""

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from awesome_cli.errors import AwesomeError, RefusedError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.places import place
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.model.audits import Audit
from awesome_cli.model.records import BLOCKS, AnyRecord, Exclusion, to_document, to_text
from awesome_cli.survey.changes import Change, Changes, Plan, diff
from awesome_cli.survey.duplicates import Index, Match
from awesome_cli.survey.loading import load_record

__all__ = [
    "HIDDEN", "Change", "Changes", "KnownError", "LockedError", "Plan", "add_exclusion", "commit", "create", "delete",
    "diff", "edit", "hidden", "locked", "reread", "revised", "write",
]  # fmt: skip

HIDDEN = ".awesome"
"""The folder for the lock and for texts that wait for their author; it ignores itself in git."""
LOCK_SECONDS = 10.0
MANY = 100
"""From how many new files on they are synchronised together: one call for all instead of one for each."""
SYNC_WAITS = sys.platform.startswith("linux")


class LockedError(AwesomeError):
    """Somebody else is writing to the survey."""


class KnownError(RefusedError):
    """The work is in the survey already; `match.b` is the key of the record that holds it, `way` says what to do."""

    def __init__(self, match: Match, path: str, *, way: str | None = None) -> None:
        because = "; ".join(match.because)
        if match.kind == "wrong_link":
            message = f"{path} carries the same identifier under another title ({because}): one of the two is wrong"
            way = way or "correct the identifier"
        else:
            what = "in the survey already" if match.kind == "same" else "in the survey in another version"
            message = f"the work {'is' if match.certain else 'seems to be'} {what}: {path} ({because})"
            way = way or f"'awesome exclude {match.b}' screens out that record"
        super().__init__(message, hint=f"see 'awesome show {match.b}'; {way}")
        self.match = match


def create(tree: FileTree, record: AnyRecord | Audit, axes: Sequence[str] = ()) -> Change:
    """A new record's file; `axes` gives the order of its tags. Raises `RefusedError` where the file exists."""
    if tree.read(record.path) is not None:
        raise RefusedError(f"{record.path} exists already", hint=f"see 'awesome show {record.key}', or choose a key")
    return Change(record.path, None, to_text(record, axes).encode())


def edit(tree: FileTree, before: AnyRecord, after: AnyRecord, axes: Sequence[str] = ()) -> Changes:
    """The change that turns a record's file from `before` to `after`; empty if nothing differs.

    A file in canonical form stays canonical; in any other, only the changed values are rewritten. Both records have
    one key (a new key is a move, see `editing.naming`). Raises `RefusedError` when the file has changed since
    `before` was read.
    """
    data = tree.read(before.path)
    if data is None or reread(before, data) != before:
        raise RefusedError(f"{before.path} has changed meanwhile", hint="run the command again")
    result = revised(data, before, after, axes)
    return () if result == data else (Change(before.path, data, result),)


def reread(record: AnyRecord, data: bytes) -> AnyRecord | None:
    """The bytes as a record of the same kind and key; None if they are none."""
    return load_record(type(record), record.key, record.path, data)[0]


def revised(data: bytes, before: AnyRecord, after: AnyRecord, axes: Sequence[str] = ()) -> bytes:
    """The bytes of a record's file, changed from `before` to `after`.

    Raises `yaml_editing.YamlEditError` if that is not possible in place.
    """
    if before == after:
        return data
    if data == to_text(before, axes).encode():
        return to_text(after, axes).encode()
    raw, _ = yaml_reading.read(data)
    wanted = yaml_editing.merge(raw, to_document(before, axes), to_document(after, axes))
    result = yaml_editing.rewrite(data, wanted, block=BLOCKS)
    if reread(after, result) != after:
        raise yaml_editing.YamlEditError(f"{before.path} cannot be changed in place", hint=f"awesome fmt {before.key}")
    return result


def delete(tree: FileTree, record: AnyRecord) -> Change:
    """The removal of a record's file."""
    return Change(record.path, tree.read(record.path), None)


def add_exclusion(tree: FileTree, exclusion: Exclusion, index: Index, axes: Sequence[str] = ()) -> Change:
    """A new exclusion's file; raises `KnownError` if the work is retained or excluded already.

    `index` holds the survey's records (`dedupe.Index.of(corpus)`); `distinct_from` names other works.
    """
    # Under its own key the record would pass for the one that has that key already.
    for match in index.find(exclusion.model_copy(update={"key": ""})):
        if match.kind != "near":
            raise KnownError(match, index.paths.get(match.b, match.b))
    return create(tree, exclusion, axes)


@contextmanager
def locked(root: Path, *, timeout: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the survey's lock; whoever holds it may take it again. Raises `LockedError` after `timeout` seconds.

    Hold it while reading and committing if the change depends on what was read (is this work known?).
    """
    from filelock import FileLock, Timeout

    hidden(root)
    path = place(root, f"{HIDDEN}/lock")
    try:
        with FileLock(path, timeout=timeout, is_singleton=True):
            yield
    except Timeout:
        shown = f"{HIDDEN}/lock"
        message = f"somebody else is writing to the survey: {shown} was held for {timeout:g} seconds"
        raise LockedError(message, hint="wait until the other awesome has ended; its lock ends with it") from None


def hidden(root: Path) -> Path:
    """The survey's hidden folder, made if it is missing; raises `OutsideError` where it is a link out."""
    folder = place(root, HIDDEN)
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        write(folder / ".gitignore", b"*\n")
    return folder


def commit(root: Path, changes: Sequence[Change], *, timeout: float = LOCK_SECONDS) -> None:
    """Carry out a plan; raises `RefusedError`, having written nothing, where a file is not what the plan found.

    New files are written first and removals come last: a kill between two files loses no record.
    """
    if not changes:
        return
    order = {"create": 0, "change": 1, "delete": 2}
    with locked(root, timeout=timeout):
        tree = WorkingTree(root)
        for change in changes:
            if tree.read(change.path) != change.before:
                what = "exists already" if change.before is None else "has changed meanwhile"
                raise RefusedError(f"{change.path} {what}; nothing was written", hint="run the command again")
        created = [change for change in changes if change.before is None]
        if len(created) >= MANY:
            _create_together(root, created)
            changes = [change for change in changes if change.before is not None]
        for change in sorted(changes, key=lambda change: order[change.verb]):
            if change.after is None:
                (root / change.path).unlink()
            else:
                write(root / change.path, change.after, last=False)
        for folder in {(root / change.path).parent for change in changes}:
            _sync_folder(folder)


def _create_together(root: Path, changes: Sequence[Change]) -> None:
    """Create many files: they are written under other names, synchronised at once, then get their names.

    What a kill leaves in the hidden folder goes with the next such commit.
    """
    waiting = hidden(root) / "new"
    shutil.rmtree(waiting, ignore_errors=True)
    waiting.mkdir()
    folders = {(root / change.path).parent for change in changes}
    try:
        for place, change in enumerate(changes):
            (waiting / str(place)).write_bytes(change.after or b"")
        _sync_files(waiting)
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        for place, change in enumerate(changes):
            _give_name(waiting / str(place), root / change.path)
        for folder in folders:
            _sync_folder(folder)
    finally:
        shutil.rmtree(waiting, ignore_errors=True)


def _give_name(waiting: Path, path: Path) -> None:
    try:
        waiting.replace(path)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        write(path, waiting.read_bytes())  # its folder is a link to another disk


def _sync_files(folder: Path) -> None:
    """Make sure that the files of a folder are on the disk; only Linux's `sync` promises to wait for that."""
    if SYNC_WAITS:
        os.sync()
        return
    for path in folder.iterdir():
        with path.open("r+b") as file:
            os.fsync(file.fileno())


def write(path: Path, data: bytes, *, last: bool = True) -> None:
    """Write a file atomically: it holds the old or the new bytes at every moment. A link is followed, a mode kept.

    What is there and no regular file, such as `/dev/null`, takes the bytes and stays what it is.

    With `last` the file's name is on the disk, too, when this returns; for many files, one such call is enough.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    try:
        mode = path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    if last:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make sure that the new name is on the disk; not every system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return
    finally:
        os.close(handle)
