"""Create a new survey: taxonomy, folders, README, project files, and the files rendered from them."""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from awesome_cli.errors import RefusedError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.taxonomy import Axis
from awesome_cli.publish.outputs import outputs
from awesome_cli.publish.starter.files import Answers, starter_files
from awesome_cli.survey import journal
from awesome_cli.survey.loading import TAXONOMY, load_corpus
from awesome_cli.survey.saving import Change, commit, locked

OWN = ("README.md", "LICENSE", "CITATION.cff", "CONTRIBUTING.md", ".gitignore")
"""Files that are kept if they exist before the survey is created."""


class Foundation(Protocol):
    """The basis of a new survey: `axes` replace the preset's axes, `files` extend or override the starter's files.

    `uncoded`: the lists (`stages`, `reasons`) that need a code for exclusions that state none. `incomplete`: the number
    of papers whose authors `awesome refresh` can add.
    """

    @property
    def axes(self) -> Sequence[Axis]: ...

    @property
    def uncoded(self) -> Collection[str]: ...

    @property
    def incomplete(self) -> int: ...

    @property
    def files(self) -> Mapping[str, bytes]: ...


def start(root: Path, answers: Answers, command: Sequence[str] = (), foundation: Foundation | None = None) -> None:
    """Write a new survey into a folder and render it. The same `command` resumes an interrupted start.

    Files that are `kept` stay unchanged. Raises `RefusedError` before writing if the folder contains a survey, a file
    of the new survey with other content, or an interrupted change of another command.
    """
    plan = journal.opened(root)
    if plan is None:
        starting(root, answers, foundation)
    elif plan.command != tuple(command):
        message = f"an earlier '{plan.name}' was interrupted in this folder; this command wrote nothing"
        raise RefusedError(message, hint=f"repeat that command, or {journal.AWAY}")
    root.mkdir(parents=True, exist_ok=True)
    with locked(root) as finished:
        if finished is None or not finished.did(command):
            preserved = {path: (root / path).read_bytes() for path in kept(root)}
            files, tree = _rendered({**starting(root, answers, foundation), **preserved}), WorkingTree(root)
            changes = (Change(path, tree.read(path), files[path]) for path in files if path not in preserved)
            commit(root, [change for change in changes if change.before != change.after], command=command)


def starting(root: Path, answers: Answers, foundation: Foundation | None = None) -> dict[str, bytes]:
    """Return the files of a new survey before rendering, without files that are `kept`.

    Raises `RefusedError` if such a file exists with other content.
    """
    files = starter_files(answers)
    if foundation:
        vocabulary = foundation.files.get(TAXONOMY)
        files = {**starter_files(answers, foundation.axes, foundation.uncoded, vocabulary), **foundation.files}
    files = {path: data for path, data in files.items() if path not in kept(root)}
    here = "this folder" if root == Path() else str(root)
    tree = WorkingTree(root)
    there = (path for path in files if os.path.lexists(root / path))
    present = [path for path in there if path == TAXONOMY or tree.read(path) != files[path]]
    if TAXONOMY in present:
        hint = "continue with 'awesome status'; 'awesome init --upgrade' updates the generated files"
        raise RefusedError(f"{here} already contains a survey; nothing was written", hint=hint)
    if present:
        hint = "choose another folder, or move these files away"
        raise RefusedError(f"{here} already contains {', '.join(present)}; nothing was written", hint=hint)
    return files


def kept(root: Path) -> list[str]:
    """Return the existing files that a new survey keeps unchanged; none while a start is interrupted."""
    candidates = () if journal.is_open(root) else OWN
    return [path for path in candidates if (root / path).is_file() and not (root / path).is_symlink()]


def _rendered(files: dict[str, bytes]) -> dict[str, bytes]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        tree = WorkingTree(folder)
        corpus = load_corpus(tree, candidates=True, evidence=True)
        made = (output.changes(tree) for output in outputs(corpus, folder))
        return files | {change.path: change.after or b"" for changes in made for change in changes}
