"""`awesome render`: fill the README's islands from the records."""

from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption, DiffOption
from awesome_cli.cli._workspace import Workspace


def render(
    ctx: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if the README is stale.")] = False,
    diff: DiffOption = False,
    as_of: AsOfOption = None,
) -> None:
    """Render the README from the records; only what stands between the marks changes.

    Example: awesome render --diff
    """
    from awesome_cli.render import readme
    from awesome_cli.saving import write

    workspace: Workspace = ctx.obj
    before = readme.read(workspace.root)
    after = readme.render(before, workspace.corpus(as_of), workspace.root)
    if diff:
        typer.echo(readme.diff(before, after), nl=False)
    elif not check and before != after:
        write(workspace.root / readme.README, after.encode())
    stale = before != after
    verdict = ("is stale; run 'awesome render'" if check or diff else "rendered") if stale else "is up to date"
    typer.echo(f"{readme.README} {verdict}", err=diff)
    raise typer.Exit(int(stale and check))
