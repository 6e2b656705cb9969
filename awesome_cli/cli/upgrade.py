"""`awesome upgrade`: the files of a survey in the form of today."""

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import show_plan
from awesome_cli.output import Format


def upgrade(
    ctx: typer.Context,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Bring a survey of an earlier release to the form of today, all files or none. Comments stay.

    `format` in taxonomy.yaml is the number of the form; a survey without it is of today's, unless something
    in it is of an earlier form.

    Example: awesome upgrade --diff
    """
    from awesome_cli.curation.upgrading import upgraded
    from awesome_cli.files.tree import WorkingTree

    workspace: Workspace = ctx.obj
    written = not (dry_run or diff)
    with workspace.locked(written=written):
        plan = upgraded(WorkingTree(workspace.root))
        workspace.commit(plan.changes, written=written)
    show_plan(workspace, plan, form, written=written, diff=diff)
