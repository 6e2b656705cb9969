"""`awesome taxonomy usage`: how often each term is used."""

from typing import Annotated

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def usage(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[AXIS[=TERM]]", help="An axis or a term.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count the papers, candidates and near-misses of every term; for one term, name them.

    Example: awesome taxonomy usage scenario
    """
    from awesome_cli.curation.vocabulary.usage import usage as usage_of

    workspace: Workspace = ctx.obj
    workspace.emit(usage_of(workspace.readable(candidates=True), name), form)
