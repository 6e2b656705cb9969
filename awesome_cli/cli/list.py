"""`awesome list`: the records that match a query."""

from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption, FormatOption, FromOption, ReadingOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def list_(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None, typer.Argument(metavar="QUERY", help="For instance: sub_decision=stop year>=2025")
    ] = None,
    columns: Annotated[str | None, typer.Option("--columns", metavar="A,B", help="Fields, axes or measures.")] = None,
    sort: Annotated[
        str | None,
        typer.Option("--sort", metavar="[-]COLUMN", help="The column to sort by; with - in front, descending."),
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=0, help="At most this many.")] = None,
    exclusions: Annotated[bool, typer.Option("--exclusions", help="List screened-out records.")] = False,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="List candidates, which wait for screening.")
    ] = False,
    reading: ReadingOption = None,
    grade: FromOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """List the papers that match QUERY; see 'awesome explain query' for the language.

    Example: awesome list 'credit_unit=message OR stop:joint' --columns key,year,credit_unit,title
    """
    from awesome_cli.analysis.listing import listing

    workspace: Workspace = ctx.obj
    kind = "exclusion" if exclusions else "candidate" if candidates else None
    corpus = workspace.read(workspace.corpus(as_of, candidates=candidates), reading, grade)
    chosen = [name.strip() for name in columns.split(",")] if columns else []
    answer = listing(corpus, " ".join(query or ()), kind=kind, columns=chosen, sort=sort, limit=limit)
    workspace.emit(answer.to_report(), form)
