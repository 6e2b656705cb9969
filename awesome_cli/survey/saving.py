"""From values back to files: the only way a record reaches the disk.

Writing has two steps. A plan is a tuple of changes, each with the old and the new content of a file; making a plan
writes nothing, so it serves as the preview. `commit` carries it out under the survey's lock. It refuses if a file is
not as the plan found it, and it replaces each file atomically: a kill at any moment leaves each file either old or
new.
"""

import difflib
import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import AwesomeError, RefusedError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.model.audits import Audit
from awesome_cli.model.records import BLOCKS, AnyRecord, Exclusion, to_document, to_text
from awesome_cli.reports.report import Code, Report, Section, Table, Text
from awesome_cli.survey.duplicates import Index, Match
from awesome_cli.survey.loading import load_record

HIDDEN = ".awesome"
"""The folder for the lock and for texts that wait for their author; it ignores itself in git."""
LOCK_SECONDS = 10.0
MANY = 100
"""From how many new files on they are synchronised together: one call for all instead of one for each."""


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


@dataclass(frozen=True, slots=True)
class Change:
    """The content of a file before and after; None for no file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def verb(self) -> str:
        """What happens to the file."""
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "change"


Changes = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes that belong together, warnings on them, and what could not be processed, each with its reason.

    `unchanged` are files that were meant, too, and hold already what they should.
    """

    changes: Changes
    warnings: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    def to_report(self, *, written: bool) -> Report:
        """What happens, or would happen, to each file."""
        done = {"create": "created", "change": "changed", "delete": "deleted"}
        words = done if written else {verb: f"would {verb}" for verb in done}
        lines = [Text(f"{words[change.verb]} {change.path}") for change in self.changes]
        lines += [Text(f"unchanged {path}") for path in self.unchanged]
        return Report(
            schema="awesome/changes/1",
            data={
                "written": written,
                "changes": [{"path": c.path, "verb": c.verb} for c in self.changes],
                "unchanged": list(self.unchanged),
                "failed": list(self.failed),
            },
            sections=(Section(None, tuple(lines or [Text("nothing to change")])),),
            rows=Table.of(("verb", "path"), [(change.verb, change.path) for change in self.changes]),
        )

    def to_diff(self) -> Report:
        """The plan as a unified diff."""
        text = diff(self.changes)
        return Report(
            schema="awesome/changes/1",
            data={"written": False, "changes": [{"path": c.path, "verb": c.verb} for c in self.changes], "diff": text},
            sections=(Section(None, (Code(text, "diff") if text else Text("nothing to change"),)),),
            rows=Table.of(("verb", "path", "diff"), [(c.verb, c.path, diff((c,))) for c in self.changes]),
        )


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

    path = hidden(root) / "lock"
    try:
        with FileLock(path, timeout=timeout, is_singleton=True):
            yield
    except Timeout:
        shown = f"{HIDDEN}/lock"
        message = f"somebody else is writing to the survey: {shown} was held for {timeout:g} seconds"
        raise LockedError(message, hint="wait until the other awesome has ended; its lock ends with it") from None


def hidden(root: Path) -> Path:
    """The survey's hidden folder, made if it is missing."""
    folder = root / HIDDEN
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
    if sys.platform == "linux":
        os.sync()
        return
    for path in folder.iterdir():
        with path.open("r+b") as file:
            os.fsync(file.fileno())


def write(path: Path, data: bytes, *, last: bool = True) -> None:
    """Write a file atomically: it holds the old or the new bytes at every moment. A link is followed, a mode kept.

    With `last` the file's name is on the disk, too, when this returns; for many files, one such call is enough.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
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


def diff(changes: Sequence[Change]) -> str:
    """A plan as a unified diff."""
    return "".join(line for change in changes for line in _diff(change))


def _diff(change: Change) -> Iterator[str]:
    before, after = (
        [] if data is None else data.decode(errors="replace").splitlines(keepends=True)
        for data in (change.before, change.after)
    )
    old = "/dev/null" if change.before is None else f"a/{change.path}"
    new = "/dev/null" if change.after is None else f"b/{change.path}"
    if b"\0" in (change.before or b"") + (change.after or b""):
        yield f"Binary files {old} and {new} differ\n"
        return
    for line in difflib.unified_diff(before, after, old, new):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
