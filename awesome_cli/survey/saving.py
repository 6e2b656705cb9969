"""From values back to files: the only way a record reaches the disk.

Writing has two steps. A plan is a tuple of changes, each with the old and the new content of a file; making a plan
writes nothing, so it serves as the preview. `commit` carries it out under the survey's lock. It refuses if a file is
not as the plan found it. One file is replaced atomically; a plan over several is written down first (`journal`), so
that a kill at any moment leaves all files old, or a plan that the next writer finishes. Files that no plan may name
(hidden ones around a survey, such as its workflows) are replaced one by one before.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from awesome_cli.errors import AwesomeError, RefusedError, SurveyError, reason
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.paths import place
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.files.writing import HIDDEN, hidden, sync_folder, write
from awesome_cli.model.audits import Audit
from awesome_cli.model.records import BLOCKS, AnyRecord, Exclusion, to_document, to_text
from awesome_cli.survey import journal
from awesome_cli.survey.changes import Change, Changes, Plan, diff
from awesome_cli.survey.duplicates import Index, Match
from awesome_cli.survey.loading import load_record
from awesome_cli.system import signals

__all__ = [
    "Change", "Changes", "KnownError", "LockedError", "Plan", "add_exclusion", "commit", "create", "delete",
    "diff", "edit", "hidden", "locked", "reread", "revised", "write",
]  # fmt: skip

LOCK_SECONDS = 10.0


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
def locked(root: Path, *, timeout: float = LOCK_SECONDS, finish: bool = True) -> Iterator[journal.OpenPlan | None]:
    """Hold the survey's lock; whoever holds it may take it again. Raises `LockedError` after `timeout` seconds.

    Hold it while reading and committing if the change depends on what was read (is this work known?). A plan that a
    kill left open is finished first, and given; without `finish` it stays as it is.
    """
    from filelock import FileLock, Timeout

    hidden(root)
    shown = f"{HIDDEN}/lock"
    if (path := place(root, shown)).is_dir():
        raise SurveyError(f"{shown} is a folder, not a file", hint=f"remove {shown}: no command needs what is in it")
    lock = FileLock(path, timeout=timeout, is_singleton=True)
    first = not lock.is_locked
    try:
        with lock:
            if first:
                journal.clean(root)
            yield journal.finish_open(root) if first and finish else None
    except Timeout:
        message = f"somebody else is writing to the survey: {shown} was held for {timeout:g} seconds"
        raise LockedError(message, hint="wait until the other awesome has ended; its lock ends with it") from None


def commit(
    root: Path, changes: Sequence[Change], *, command: Sequence[str] = (), timeout: float = LOCK_SECONDS
) -> None:
    """Carry out a plan whole; `command` are the words that it is remembered by.

    A kill may leave some hidden files around the survey new; the same command again must write the rest.
    Raises `RefusedError`, having written nothing, where a file is not what the plan found, and an `AwesomeError` that
    says what was written where the disk does not take it. A `KeyboardInterrupt` says, too, what was done.
    """
    if not changes:
        return
    with locked(root, timeout=timeout):
        tree = WorkingTree(root)
        for change in changes:
            if tree.read(change.path) != change.before:
                what = "exists already" if change.before is None else "has changed meanwhile"
                raise RefusedError(f"{change.path} {what}; nothing was written", hint="run the command again")
        if _carry_out(root, changes, command):
            raise KeyboardInterrupt("the change was carried out whole")


def _carry_out(root: Path, changes: Sequence[Change], command: Sequence[str]) -> list[int]:
    """Write single files, then several as a plan that is written down before; the signals that came and waited."""
    together = [change for change in changes if journal.WRITTEN.fullmatch(change.path)]
    alone = [change for change in changes if not journal.WRITTEN.fullmatch(change.path)]
    if len(together) == 1:
        alone, together = alone + together, []
    done = 0
    try:
        plan = journal.prepare(root, together, command) if together else None
        with signals.waiting() as came:
            for change in alone:
                _write_alone(root, change)
                done += 1
            if plan is not None:
                journal.seal(root, plan)
                journal.carry_out(root, plan, range(len(together)))
    except (OSError, KeyboardInterrupt) as error:
        journal.discard(root)
        if isinstance(error, KeyboardInterrupt):
            raise
        written = f"{done} of {len(changes)} files are written" if done else "nothing was written"
        raise AwesomeError(f"{reason(error)}; {written}", hint="correct that and run the command again") from None
    return came


def _write_alone(root: Path, change: Change) -> None:
    path = place(root, change.path)
    if change.after is not None:
        write(path, change.after)
    else:
        (root / change.path).unlink()  # a link itself, not the file behind it
        sync_folder(path.parent)
