"""The templates that a survey inherits from the tool, until it has a copy of its own."""

from collections.abc import Mapping
from pathlib import Path

from awesome_cli.errors import RefusedError
from awesome_cli.files.paths import below
from awesome_cli.files.tree import FileTree
from awesome_cli.publish import shipped
from awesome_cli.publish.environment import FOLDER, own_templates
from awesome_cli.reports.report import Report, Section, Table, Text
from awesome_cli.survey.changes import Change, Plan
from awesome_cli.text.known import listed, require_known

INHERITED = ("readme", "site")
"""The folders of the tool's templates that a survey may have copies of."""


def inherited() -> Mapping[str, Path]:
    """The files of the tool's templates, scripts and styles, by their names below `templates/`."""
    found = (file for folder in INHERITED for file in below(shipped() / folder))
    return {file.relative_to(shipped()).as_posix(): file for file in sorted(found)}


def listing(root: Path, tree: FileTree) -> Report:
    """Every template: the tool's, an equal copy, one that was changed, or one that only the survey has."""
    names = [*inherited(), *(path.removeprefix(f"{FOLDER}/") for path in own_templates(root))]
    rows = [(name, _state(tree, name)) for name in dict.fromkeys(names)]
    return Report(
        schema="awesome/templates/1",
        data={"templates": [{"name": name, "state": state} for name, state in rows]},
        sections=(
            Section(
                None,
                (
                    Table.of(("template", "whose"), rows),
                    Text("'awesome template copy NAME' makes one the survey's own."),
                ),
            ),
        ),
        rows=Table.of(("name", "state"), rows),
    )


def _state(tree: FileTree, name: str) -> str:
    own, file = tree.read(f"{FOLDER}/{name}"), inherited().get(name)
    if own is None:
        return "the tool's"
    if file is None:
        return "the survey's own"
    return "a copy of the tool's" if own == file.read_bytes() else "the survey's own, differs from the tool's"


def copy(tree: FileTree, name: str) -> Plan:
    """The copy of a template into the survey; raises `RefusedError` where it has one, `UsageError` for no such name."""
    known, path = inherited(), f"{FOLDER}/{name}"
    alike = [template for template in known if name in template]
    file = known[require_known(name, known, "template", hint=listed(alike) if alike else "see 'awesome template list'")]
    if tree.read(path) is not None:
        hint = f"change that file; or move it away, and 'awesome template copy {name}' gives the tool's"
        raise RefusedError(f"{path} is there already; nothing was written", hint=hint)
    return Plan((Change(path, None, file.read_bytes()),))
