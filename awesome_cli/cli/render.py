"""`awesome render`: make the generated files from the records."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption
from awesome_cli.cli._workspace import Workspace


def render(
    ctx: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Render the README's islands and statistics.json from the records.

    In the README only the text between the marks changes. Example: awesome render --diff
    """
    from awesome_cli.publish.freshness import untouched

    workspace: Workspace = ctx.obj
    # A difference is looked for in what is rendered now; without one, unchanged bytes are enough.
    if check and not diff and (names := untouched(workspace.root)):
        typer.echo("\n".join(f"{name} is up to date" for name in names))
        return
    from awesome_cli.publish.outputs import outputs

    found = outputs(workspace.evidence(), workspace.root)
    # All is written before a word is said: the reader of the answer may go away.
    written = {output.path for output in found if not (check or dry_run or diff) and output.write(workspace.root)}
    for output in found:
        if diff:
            typer.echo(output.diff(), nl=False)
        state = f"is stale; run '{output.command}'" if output.stale else "is up to date"
        typer.echo(f"{output.path} {'rendered' if output.path in written else state}", err=diff)
    raise typer.Exit(int(check and any(output.stale for output in found)))
