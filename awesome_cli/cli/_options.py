"""Options that mean the same in every command."""

from datetime import date
from typing import Annotated

import typer

from awesome_cli.output import Format


def parse_date(text: str) -> date:
    """An ISO date; raises `BadParameter` otherwise."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a date like 2026-05-04") from None


def remark_retired(ctx: typer.Context, query: str | None) -> str | None:
    """Say what succeeds each retired term of a query, which finds only what still has it."""
    if query and not ctx.resilient_parsing:
        ctx.obj.remark_retired(query)
    return query


FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to print the answer.", case_sensitive=False)]
AsOfOption = Annotated[
    date | None,
    typer.Option("--as-of", metavar="DATE", parser=parse_date, help="The pool as it was on DATE (2026-05-04)."),
]
ReadingOption = Annotated[
    str | None,
    typer.Option(
        "--reading",
        metavar="[strict|generous]",
        autocompletion=lambda: ["strict", "generous"],
        help="Apply contests that weaken or remove codings (strict), or those that strengthen or add (generous).",
    ),
]
FromOption = Annotated[
    str | None, typer.Option("--from", metavar="GRADE", help="The weakest grade of contest that a reading applies.")
]
WhereOption = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="QUERY",
        callback=remark_retired,
        help="Only papers that match QUERY ('awesome explain query').",
    ),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what would change; write nothing.")]
DiffOption = Annotated[bool, typer.Option("--diff", help="Show the change as a diff; write nothing.")]
EvidenceOption = Annotated[str | None, typer.Option("--evidence", help="The evidence for the tags, in a sentence.")]
SourceOption = Annotated[
    str | None, typer.Option("--source", help="The source of the evidence: an identifier or address.")
]
