"""`awesome show`: one record, as a person reads it."""

from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def show(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key of a record, or a former key.")],
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show a record: identity, coding with evidence, contests, corrections.

    Example: awesome show KEY
    """
    from awesome_cli.analysis.listing import page
    from awesome_cli.curation.editing import find

    workspace: Workspace = ctx.obj
    corpus = workspace.readable(candidates=True)
    record = find(corpus, key)
    if as_of is not None:
        record = find(corpus.as_of(as_of), record.key)
    workspace.emit(page(corpus, record), form)
