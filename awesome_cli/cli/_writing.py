"""What commands that change records share: history, a plan made under the lock, and showing or carrying it out."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import PartialError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.editing.recoding import Revising
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.saving import Plan

Planner = Callable[["WorkingTree", "Corpus"], "Plan"]
RevisedOption = Annotated[
    bool | None,
    typer.Option(
        "--revised/--not-revised",
        help="Keep the old coding for --as-of: it counted until today. Asked on a terminal.",
    ),
]
ByOption = Annotated[str | None, typer.Option("--by", help="Who revised the coding, for the history.")]


def revising(workspace: Workspace, *, revised: bool | None, by: str | None) -> "Revising":
    """How to treat history: as the option says; without it, ask a person; without one, keep nothing."""
    from awesome_cli.curation.editing.recoding import Revising
    from awesome_cli.system.clock import today

    def decide(fields: str) -> bool:
        if revised is not None:
            return revised
        if not workspace.interactive:
            if by is None:
                undo = "take the file back with git and repeat the command with --revised"
                workspace.say(f"the old coding of {fields} is not kept; if it counted until today, {undo}")
            return by is not None
        return typer.confirm(f"Keep the old coding of {fields} in the history?", default=False, err=True)

    return Revising(today(), decide, by)


def carry_out(workspace: Workspace, planner: Planner, form: Format, *, dry_run: bool, diff: bool) -> None:
    """Make a plan from the present survey and carry it out or show it; messages go to standard error."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import commit, locked

    tree = WorkingTree(workspace.root)
    if dry_run or diff:
        show_plan(workspace, planner(tree, workspace.readable(candidates=True)), form, written=False, diff=diff)
        return
    with locked(workspace.root):
        plan = planner(tree, workspace.readable(candidates=True))
        commit(workspace.root, plan.changes)
    show_plan(workspace, plan, form, written=True, diff=False)


def show_plan(workspace: Workspace, plan: "Plan", form: Format, *, written: bool, diff: bool) -> None:
    """Print what was done or would be done; as a diff with `diff`. Exits with 4 where something was left out."""
    for warning in (*plan.warnings, *plan.failed):
        workspace.say(warning)
    workspace.emit(plan.to_diff() if diff else plan.to_report(written=written), form)
    if plan.failed:
        raise typer.Exit(PartialError.exit_code)
