"""`awesome edit`: a record in your editor."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import show_plan
from awesome_cli.output import Format


def edit(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(help="The record; one that cannot be read can be mended this way.")],
) -> None:
    """Open a record in $VISUAL or $EDITOR and check it when the editor closes.

    With faults it offers to open again; what you typed is kept in any case. Example: awesome edit marft
    """
    from awesome_cli.editing.session import discard, edited
    from awesome_cli.editor import open_file
    from awesome_cli.saving import commit

    workspace: Workspace = ctx.obj

    def again(faults: str) -> bool:
        typer.echo(faults, err=True)
        return workspace.interactive and typer.confirm("Open it again?", default=True, err=True)

    def open_copy(path: Path) -> None:
        open_file(path, workspace.environment)

    plan = edited(workspace.root, key, open_file=open_copy, again=again)
    commit(workspace.root, plan.changes)
    discard(workspace.root, key)
    show_plan(workspace, plan, Format.TEXT, written=True, diff=False)
