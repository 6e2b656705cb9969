"""Write records to files. All changes of records go through `commit`.

Writing has two steps. A plan is a tuple of changes, each with the old and the new content of a file. Making a plan
writes nothing, so a plan serves as preview. `commit` executes the plan under the survey's lock, unless a file has
changed in the meantime. One file is replaced atomically. Several files are first written to the journal: if the process
is killed, either no file has changed or the next writer finishes the plan. Files that the journal may not contain, such
as a survey's workflows, are replaced one by one before the others.
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
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates import Index, Match
from awesome_cli.survey.loading import FOLDERS, load_record
from awesome_cli.system import signals

__all__ = [
    "Change", "Changes", "KnownError", "LockedError", "Plan", "add_exclusion", "commit", "create", "delete",
    "diff", "edit", "hidden", "locked", "reread", "revised", "write",
]  # fmt: skip

LOCK_SECONDS = 10.0


class LockedError(AwesomeError):
    """Another process is writing to the survey."""


class KnownError(RefusedError):
    """The survey already has the work, as the record `match.b`; `way` is the last part of the hint."""

    def __init__(self, match: Match, path: str, *, way: str | None = None) -> None:
        because = "; ".join(match.because)
        if match.kind == "wrong_link":
            message = f"{path} has the same identifier but another title ({because}); one of the two is wrong"
            way = way or "correct the identifier"
        else:
            state = "already in the survey" if match.kind == "same" else "in the survey in another version"
            message = f"the work {'is' if match.certain else 'seems to be'} {state}: {path} ({because})"
            way = way or f"'awesome exclude {match.b}' screens out that record"
        super().__init__(message, hint=f"see 'awesome show {match.b}'; {way}")
        self.match = match


def create(tree: FileTree, record: AnyRecord | Audit, axes: Sequence[str] = ()) -> Change:
    """Return the change that creates a record's file, with tags in the order of `axes`.

    Raises `RefusedError` if the file exists.
    """
    if tree.read(record.path) is not None:
        hint = f"see 'awesome show {record.key}', or choose another key"
        raise RefusedError(f"{record.path} already exists", hint=hint)
    return Change(record.path, None, to_text(record, axes).encode())


def edit(tree: FileTree, before: AnyRecord, after: AnyRecord, axes: Sequence[str] = ()) -> Changes:
    """Return the change of a record's file from `before` to `after`; empty if nothing differs.

    A file in canonical form stays canonical; in other files only the changed values are rewritten. Both records must
    have the same key (for renames see `editing.naming`). Raises `RefusedError` if the file no longer contains `before`.
    """
    data = tree.read(before.path)
    if data is None or reread(before, data) != before:
        raise RefusedError(f"{before.path} has changed in the meantime", hint="run the command again")
    result = revised(data, before, after, axes)
    return () if result == data else (Change(before.path, data, result),)


def reread(record: AnyRecord, data: bytes) -> AnyRecord | None:
    """Parse bytes as a record with the kind and key of `record`; None if they are invalid."""
    return load_record(type(record), record.key, record.path, data)[0]


def revised(data: bytes, before: AnyRecord, after: AnyRecord, axes: Sequence[str] = ()) -> bytes:
    """Return the bytes of a record's file, changed from `before` to `after`.

    Raises `yaml_editing.YamlEditError` if the file cannot be edited in place.
    """
    if before == after:
        return data
    if data == to_text(before, axes).encode():
        return to_text(after, axes).encode()
    raw, _ = yaml_reading.read(data)
    wanted = yaml_editing.merge(raw, to_document(before, axes), to_document(after, axes))
    result = yaml_editing.rewrite(data, wanted, block=BLOCKS)
    if reread(after, result) != after:
        raise yaml_editing.YamlEditError(f"{before.path} cannot be edited in place", hint=f"awesome fmt {before.key}")
    return result


def delete(tree: FileTree, record: AnyRecord) -> Change:
    """Return the change that deletes a record's file."""
    return Change(record.path, tree.read(record.path), None)


def add_exclusion(tree: FileTree, exclusion: Exclusion, corpus: Corpus) -> Change:
    """Return the change that creates an exclusion; raises `KnownError` if the work is already in the survey.

    Records in `distinct_from` are not matched.
    """
    # With its own key it would not be compared with an existing record of that key.
    for match in Index.of(corpus).find(exclusion.model_copy(update={"key": ""})):
        if match.kind != "near":
            raise KnownError(match, corpus.by_key[match.b].path)
    return create(tree, exclusion, tuple(corpus.taxonomy.by_id))


@contextmanager
def locked(root: Path, *, timeout: float = LOCK_SECONDS, finish: bool = True) -> Iterator[journal.OpenPlan | None]:
    """Hold the survey's reentrant lock; raises `LockedError` after `timeout` seconds.

    If a change depends on other records (as a check for duplicates does), hold the lock while reading and committing.
    An interrupted plan is finished first and yielded; without `finish` the plan stays open.
    """
    from filelock import FileLock, Timeout

    hidden(root)
    shown = f"{HIDDEN}/lock"
    if (path := place(root, shown)).is_dir():
        raise SurveyError(f"{shown} is a folder, not a file", hint=f"remove {shown}; no command needs this folder")
    lock = FileLock(path, timeout=timeout, is_singleton=True)
    first = not lock.is_locked
    try:
        with lock:
            if first:
                journal.clean(root)
            yield journal.finish_open(root) if first and finish else None
    except Timeout:
        message = f"another process is writing to the survey: {shown} was locked for {timeout:g} seconds"
        raise LockedError(message, hint="wait until the other process has ended") from None


def commit(
    root: Path, changes: Sequence[Change], *, command: Sequence[str] = (), timeout: float = LOCK_SECONDS
) -> None:
    """Execute a plan; `command` is stored in the journal to name the plan in messages.

    If the process is killed, files that the journal may not contain can be incomplete; repeat the command.
    Raises `RefusedError` without writing anything if a file has changed since the plan was made, `AwesomeError` with
    the number of files written if the disk fails, `KeyboardInterrupt` after the last file if SIGINT or SIGTERM arrived.
    """
    if not changes:
        return
    with locked(root, timeout=timeout):
        tree = WorkingTree(root)
        for change in changes:
            if tree.read(change.path) != change.before:
                cause = "already exists" if change.before is None else "has changed in the meantime"
                raise RefusedError(f"{change.path} {cause}; nothing was written", hint="run the command again")
            _require_readable(change)
        if _carry_out(root, changes, command):
            raise KeyboardInterrupt("the change was completed")


def _require_readable(change: Change) -> None:
    """Raise `RefusedError` for a record that no command could read again."""
    if change.after is None or change.path.partition("/")[0] not in FOLDERS or not change.path.endswith(".yaml"):
        return
    for finding in yaml_reading.read(change.after)[1]:
        place = f"{change.path}:{finding.line}:{finding.column}"
        raise RefusedError(f"{place}: {finding.message}; nothing was written", hint=finding.fix or "shorten the value")


def _carry_out(root: Path, changes: Sequence[Change], command: Sequence[str]) -> list[int]:
    """Write files that the journal may not contain, then the rest as a journaled plan; return deferred signals."""
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
        raise AwesomeError(f"{reason(error)}; {written}", hint="fix the cause and run the command again") from None
    return came


def _write_alone(root: Path, change: Change) -> None:
    path = place(root, change.path)
    if change.after is not None:
        write(path, change.after)
    else:
        (root / change.path).unlink()  # removes a symlink, not its target
        sync_folder(path.parent)
