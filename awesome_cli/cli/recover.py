"""`awesome recover`: finish a change of several files that was interrupted, or take it back."""

from contextlib import nullcontext
from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import show_plan
from awesome_cli.output import Format


def recover(
    ctx: typer.Context,
    undo: Annotated[bool, typer.Option("--undo", help="Take back what was done of the change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Finish a change of several files that was interrupted, or take it back.

    Every command that writes finishes it first. Example: awesome recover --dry-run
    """
    from awesome_cli.survey import journal
    from awesome_cli.survey.saving import Plan, locked

    workspace: Workspace = ctx.obj
    preview = dry_run or diff
    with nullcontext() if preview else locked(workspace.root, finish=False):
        plan = journal.opened(workspace.root)
        changes = () if plan is None else journal.finish(workspace.root, plan, undo=undo, dry_run=preview)
    if plan is None:
        workspace.say("nothing to recover")
    else:
        ended = "taken back" if undo or plan.undo else "carried out"
        workspace.say(f"the interrupted '{plan.name}'" + (":" if changes else f" was {ended} already"))
    show_plan(workspace, Plan(changes), form, written=not preview, diff=diff)
