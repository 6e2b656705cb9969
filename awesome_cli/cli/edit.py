"""`awesome edit`: a record in your editor."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._doors import say
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import show_plan
from awesome_cli.output import Format


def edit(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record; also one that cannot be read.")],
) -> None:
    """Open a record in $VISUAL or $EDITOR, and check it when the editor closes.

    If there are findings it offers to open the file again; your text is kept in any case. Example: awesome edit KEY
    """
    from awesome_cli.curation.editing.session import discard, edited
    from awesome_cli.system.programs import open_file

    workspace: Workspace = ctx.obj

    def again(findings: str) -> bool:
        say(findings)
        return workspace.interactive and typer.confirm("Open it again?", default=True, err=True)

    def open_copy(path: Path) -> None:
        open_file(path, workspace.environment)

    workspace.finish_open()
    plan = edited(workspace.root, key, open_file=open_copy, again=again)
    workspace.commit(plan.changes)
    discard(workspace.root, key)
    show_plan(workspace, plan, Format.TEXT, written=True, diff=False)
