"""`awesome list`: the records that match a query."""

from typing import Annotated

import typer

from awesome_cli.cli._options import (
    AsOfOption,
    FormatOption,
    GradeOption,
    KindOption,
    ReadingOption,
    WhereOption,
)
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def list_(
    ctx: typer.Context,
    where: WhereOption = None,
    kind: KindOption = None,
    columns: Annotated[
        str | None, typer.Option("--columns", metavar="NAME,NAME", help="Fields, axes or measures.")
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option("--sort", metavar="[-]COLUMN", help="The column to sort by; with - in front, descending."),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=0, help="At most this many.")] = None,
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """List the papers that match a query, or the records of another kind.

    Example: awesome list --where 'AXIS=TERM year>=2025' --columns key,year,title
    """
    from awesome_cli.analysis.listing import listing

    workspace: Workspace = ctx.obj
    corpus = workspace.read(workspace.corpus(as_of, candidates=kind == "candidate"), reading, grade)
    chosen = [name.strip() for name in columns.split(",")] if columns else []
    answer = listing(corpus, where, kind=kind, columns=chosen, sort=sort, limit=limit)
    workspace.emit(answer.to_report(), form)
