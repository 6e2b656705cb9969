"""`awesome render`: make the generated files from the records."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._doors import say, show
from awesome_cli.cli._options import DiffOption, DryRunOption
from awesome_cli.cli._workspace import Workspace

if TYPE_CHECKING:
    from awesome_cli.publish.outputs import Output


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
        show("".join(f"{name} is up to date\n" for name in names))
        return
    workspace.say_own_templates()
    # All is written before a word is said: the reader of the answer may go away.
    found, written = rendered(workspace, written=not (check or dry_run or diff))
    for output in found:
        if diff:
            show(output.diff())
        state = f"is stale; run '{output.command}'" if output.stale else "is up to date"
        line = f"{output.path} {'rendered' if output.path in written else state}"
        say(line) if diff else show(f"{line}\n")
    raise typer.Exit(int(check and any(output.stale for output in found)))


def rendered(workspace: Workspace, *, written: bool) -> "tuple[tuple[Output, ...], set[str]]":
    """The generated files, and the paths of those that were written."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.outputs import outputs

    with workspace.locked(written=written):
        found, tree = outputs(workspace.evidence(), workspace.root), WorkingTree(workspace.root)
        changes = [change for output in found for change in output.changes(tree) if written]
        workspace.commit(changes, written=written)
    return found, {change.path for change in changes}
