"""`awesome taxonomy show`: axes and terms."""

from typing import Annotated

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def show(
    ctx: typer.Context,
    axis: Annotated[str | None, typer.Argument(help="One axis; by default all.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show axes with their terms, codes and definitions, and what retired terms have become.

    Example: awesome taxonomy show reward_family
    """
    from awesome_cli.curation.vocabulary.usage import shown

    workspace: Workspace = ctx.obj
    workspace.emit(shown(workspace.readable().taxonomy, axis), form)
