"""`awesome render`: make the generated files from the records."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption
from awesome_cli.cli._workspace import Workspace


def render(
    ctx: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a generated file is stale.")] = False,
    diff: DiffOption = False,
) -> None:
    """Render the README's islands and statistics.json from the records.

    Of the README, only what stands between its marks changes. Example: awesome render --diff
    """
    from awesome_cli.render.outputs import outputs

    workspace: Workspace = ctx.obj
    found = outputs(workspace.corpus(), workspace.root)
    for output in found:
        if diff:
            typer.echo(output.diff(), nl=False)
        elif output.stale and not check:
            from awesome_cli.saving import write

            write(workspace.root / output.path, output.after().encode())
        verdict = "is stale; run 'awesome render'" if check or diff else "rendered"
        state = verdict if output.stale else "is up to date"
        typer.echo(f"{output.path} {state}", err=diff)
    raise typer.Exit(int(check and any(output.stale for output in found)))
