"""`awesome template`: the templates of README and site, inherited from the tool until they are copied."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format

template = typer.Typer(
    name="template",
    help="List the templates of README and site, and make one the survey's own. The others come from the tool.",
    no_args_is_help=True,
)


def names() -> list[str]:
    """The names of the tool's templates, for completion."""
    from awesome_cli.publish.templates import inherited

    return list(inherited())


@template.command("list")
def list_(ctx: typer.Context, form: FormatOption = Format.TEXT) -> None:
    """List the templates: which are the tool's, which the survey's own, and whether these differ.

    Example: awesome template list
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.templates import listing

    workspace: Workspace = ctx.obj
    workspace.emit(listing(workspace.root, WorkingTree(workspace.root)), form)


@template.command()
def copy(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", autocompletion=names, help="As 'awesome template list' has it.")
    ],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Copy a template of the tool into templates/, where it can be changed; a file that is there is never overwritten.

    Later versions of the tool do not change the copy. Remove it to inherit the template again.

    Example: awesome template copy readme/papers.md.j2
    """
    from awesome_cli.publish.templates import copy as copied

    workspace: Workspace = ctx.obj
    carry_out(workspace, lambda tree, _: copied(tree, name), Format.TEXT, dry_run=dry_run, diff=diff)
