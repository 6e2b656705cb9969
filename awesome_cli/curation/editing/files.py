"""`edit` and `fmt`: edit a record's file in a text editor, or write it in canonical form."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath

from awesome_cli.errors import RefusedError, SurveyError, UsageError
from awesome_cli.files.comments import carried
from awesome_cli.files.paths import UnusableError, place
from awesome_cli.files.tree import FileTree, WorkingTree, is_named_like_a_record
from awesome_cli.files.writing import HIDDEN
from awesome_cli.model.records import to_text
from awesome_cli.reports.findings import RawFinding
from awesome_cli.reports.progress import watched
from awesome_cli.survey.loading import FOLDERS, KEY, load_record, locate, misnamed
from awesome_cli.survey.saving import Change, Plan, hidden, write
from awesome_cli.text.known import require_known, unknown

Open = Callable[[Path], None]
Again = Callable[[str], bool]


def edited(root: Path, key: str, *, open_file: Open, again: Again) -> Plan:
    """Open a record's file in an editor, even an invalid one; return the plan that writes the new text.

    A copy is edited. If it has findings, `again` shows them and returns True to reopen it; else `RefusedError` is
    raised, and the next call opens the same copy.
    """
    tree = WorkingTree(root)
    path = _path(tree, key)
    before = tree.read(path) or b""
    hidden(root)
    copy = place(root, name := _copy(path))
    if tree.read(name) is None:
        write(copy, before)
    while True:
        open_file(copy)
        after = copy.read_bytes()
        findings = check(path, after) if after != before else ()
        if not findings:
            return Plan(() if after == before else (Change(path, before, after),))
        shown = "\n".join(_shown(path, after, finding) for finding in findings)
        if not again(shown):
            raise RefusedError(
                f"nothing was changed:\n{shown}",
                hint=f"your text is saved in {name}; 'awesome edit {key}' opens it again",
            )


def discard(root: Path, key: str) -> None:
    """Delete the edited copy."""
    place(root, _copy(_path(WorkingTree(root), key))).unlink(missing_ok=True)


def _copy(path: str) -> str:
    return f"{HIDDEN}/edit-{path.rpartition('/')[2]}"


def check(path: str, data: bytes) -> tuple[RawFinding, ...]:
    """Return the findings in a new text of the record at a path."""
    return load_record(FOLDERS[path.rpartition("/")[0]], _key(path), path, data)[1]


def _path(tree: WorkingTree, key: str) -> str:
    """Return the path of a record by key, also of an unreadable one."""
    for folder in FOLDERS if KEY.fullmatch(key) else ():
        if tree.read(f"{folder}/{key}.yaml") is not None:
            return f"{folder}/{key}.yaml"
    known = {_key(path): path for folder in FOLDERS for path in tree.list(folder) if is_named_like_a_record(path)}
    if key in known:
        finding = misnamed(tree, known[key])
        raise SurveyError(f"{finding.path} is not a valid record: {finding.message}", hint=finding.fix)
    raise UsageError(unknown(key, known, "record"), hint="list the keys with 'awesome list'")


def _shown(path: str, data: bytes, finding: RawFinding) -> str:
    line, column = locate(lambda _: data, finding)
    return f"{path}:{line}:{column}: {finding.code} {finding.message}"


def formatted(tree: FileTree, names: Sequence[str], axes: Sequence[str]) -> Plan:
    """Return the plan that writes files in canonical form [default: all records].

    A name is a key, a path or a folder. Comments move with their values. An unreadable file is not changed but listed
    as failed. Raises `UsageError` for a name without a file.
    """
    changes: list[Change] = []
    failed: list[str] = []
    for path in watched(tuple(_paths(tree, names)), "formatting records"):
        data = None
        with suppress(UnusableError):
            data = tree.read(path)
        # None for a file in a folder of a folder, or with another ending.
        model = FOLDERS.get(path.rpartition("/")[0]) if path.endswith(".yaml") else None
        record = load_record(model, _key(path), path, data)[0] if model and data is not None else None
        if data is None or record is None:
            failed.append(f"{path} cannot be read and is not changed: see 'awesome validate {path}'")
            continue
        after = carried(data, to_text(record, axes)).encode()
        if after != data:
            changes.append(Change(path, data, after))
    return Plan(tuple(changes), failed=tuple(failed))


def _paths(tree: FileTree, names: Sequence[str]) -> Iterator[str]:
    every = [path for folder in FOLDERS for path in tree.list(folder) if is_named_like_a_record(path)]
    strays = [path for folder in FOLDERS for path in tree.strays(folder)]
    if not names:
        yield from (*every, *strays)
    for name in names:
        matches = [path for path in (*every, *strays) if name.rstrip("/") in {path, path.rpartition("/")[0]}]
        matches += [path for path in every if _key(path) == name]
        if not matches:
            require_known(name, [_key(path) for path in every], "record", hint="name a key, a path or a folder")
        yield from matches


def _key(path: str) -> str:
    return PurePath(path).stem
