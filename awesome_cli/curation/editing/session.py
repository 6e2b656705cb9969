"""`edit`: a record's file in the person's editor, checked before it is saved; the text is kept if it has errors."""

from collections.abc import Callable
from pathlib import Path

from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.files.paths import place
from awesome_cli.files.tree import WorkingTree
from awesome_cli.files.writing import HIDDEN
from awesome_cli.reports.findings import RawFinding
from awesome_cli.survey.loading import FOLDERS, KEY, load_record, locate
from awesome_cli.survey.saving import Change, Plan, hidden, write
from awesome_cli.text.known import unknown

Open = Callable[[Path], None]
Again = Callable[[str], bool]


def edited(root: Path, key: str, *, open_file: Open, again: Again) -> Plan:
    """Let a person edit a record's text, even one that cannot be read; the plan writes the new text.

    A copy is edited. If it has findings, `again` shows them and says whether to open it once more; if not, raises
    `RefusedError`, and the copy is opened the next time.
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
                hint=f"your text is kept in {name}; 'awesome edit {key}' opens it again",
            )


def discard(root: Path, key: str) -> None:
    """Delete the copy after its text was written."""
    place(root, _copy(_path(WorkingTree(root), key))).unlink(missing_ok=True)


def _copy(path: str) -> str:
    """Where the copy of a record lies that a person edits."""
    return f"{HIDDEN}/edit-{path.rpartition('/')[2]}"


def check(path: str, data: bytes) -> tuple[RawFinding, ...]:
    """The findings in a text that is to be the record at a path."""
    folder, _, name = path.rpartition("/")
    return load_record(FOLDERS[folder], name.removesuffix(".yaml"), path, data)[1]


def _path(tree: WorkingTree, key: str) -> str:
    """The path of a record by key, also of one that cannot be read."""
    for folder in FOLDERS if KEY.fullmatch(key) else ():
        if tree.read(f"{folder}/{key}.yaml") is not None:
            return f"{folder}/{key}.yaml"
    known = [path.rpartition("/")[2].removesuffix(".yaml") for folder in FOLDERS for path in tree.list(folder)]
    raise UsageError(unknown(key, known, "record"), hint="list the keys with 'awesome list'")


def _shown(path: str, data: bytes, finding: RawFinding) -> str:
    line, column = locate(lambda _: data, finding)
    return f"{path}:{line}:{column}: {finding.code} {finding.message}"
