"""What the verbs that change the vocabulary share: preview, question, commit."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.vocabulary import VocabularyStep
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask on a terminal.")]
TermArgument = Annotated[str, typer.Argument(metavar="AXIS=TERM", help="The term.")]


def migrate_with(
    workspace: Workspace,
    request: Callable[["Corpus"], "tuple[VocabularyStep, dict[str, str]]"],
    form: Format,
    *,
    yes: bool,
    dry_run: bool,
    diff: bool,
) -> None:
    """Plan the change that was asked for, say what it touches, ask a person, and carry it out."""

    def planner(tree: "WorkingTree", corpus: "Corpus") -> "Plan":
        from awesome_cli.curation.vocabulary import change

        step, labels = request(corpus)
        plan = change(tree, corpus, step, labels)
        preview(workspace, plan, str(step), ask=not (yes or dry_run or diff))
        return plan

    carry_out(workspace, planner, form, dry_run=dry_run, diff=diff)


def preview(workspace: Workspace, plan: "Plan", what: str, *, ask: bool) -> None:
    """Say what a change of the vocabulary touches; on a terminal, ask whether to go on."""
    folders = [change.path.rpartition("/")[0] for change in plan.changes]
    counts = ", ".join(f"{folders.count(name)} in {name}/" for name in sorted(set(folders)) if name)
    workspace.say(f"{what}: {len(plan.changes)} files{f' ({counts})' if counts else ''}")
    if ask and workspace.interactive:
        typer.confirm("Go on?", default=True, abort=True, err=True)
