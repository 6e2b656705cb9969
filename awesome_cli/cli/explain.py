"""`awesome explain`: the manual page of a rule, a term, an axis, or the query language."""

from typing import Annotated

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def explain(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule's code, a term, its code, an axis, or 'query'.")],
    form: FormatOption = Format.TEXT,
) -> None:
    """Explain a rule (V002), a term (TERM, AXIS=TERM), an axis, a measure, a reason, a state of a gap, or queries.

    Example: awesome explain AXIS=TERM
    """
    from awesome_cli.analysis import explanation
    from awesome_cli.publish.manual import levels, manual

    workspace: Workspace = ctx.obj
    pages = manual()
    if name.upper() in pages:
        workspace.emit(explanation.manual_page(name.upper(), pages, levels()), form)
        return
    if name == "query":
        workspace.emit(explanation.query_page(), form)
        return
    corpus = workspace.corpus()
    page = explanation.entry_page(corpus, name)
    if page is None:
        raise explanation.no_page(corpus, name, pages)
    workspace.emit(page, form)
