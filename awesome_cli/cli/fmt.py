"""`awesome fmt`: records in canonical form."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import show_plan
from awesome_cli.output import Format


def fmt(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="KEY|PATH", help="Records or folders; by default all.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Write records in their canonical form: order of fields, quotes, lines. Comments move with their values.

    Example: awesome fmt corpus --diff
    """
    from awesome_cli.curation.editing.formatting import formatted
    from awesome_cli.files.tree import WorkingTree

    workspace: Workspace = ctx.obj
    preview = check or dry_run or diff
    with workspace.locked(written=not preview):
        axes = tuple(workspace.readable().taxonomy.by_id)
        plan = formatted(WorkingTree(workspace.root), workspace.names(names or []), axes)
        workspace.commit(plan.changes, written=not preview)
    show_plan(workspace, plan, form, written=not preview, diff=diff)
    raise typer.Exit(int(check and bool(plan.changes)))
