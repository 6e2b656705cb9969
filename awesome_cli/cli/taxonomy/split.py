"""`awesome taxonomy split`: divide a term into narrower ones."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli.taxonomy._changing import TermArgument, YesOption, migrate_with
from awesome_cli.output import Format


def split(
    ctx: typer.Context,
    old: TermArgument,
    parts: Annotated[list[str], typer.Argument(metavar="ID[:LABEL]...", help="The new terms, two or more.")],
    assign: Annotated[
        list[str] | None,
        typer.Option("--assign", metavar="ID=QUERY", help="Papers that get a new term at once; may be repeated."),
    ] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Split a term: it becomes the parent of the new terms, and its papers wait to be coded again.

    'awesome status' shows the queue. Example: awesome taxonomy split scenario=web browser:"Browser" desktop:"Desktop"
    """
    from awesome_cli.curation.vocabulary import requests
    from awesome_cli.system.clock import today

    migrate_with(
        ctx.obj,
        lambda corpus: requests.split(corpus, old, parts, on=today(), assign=assign or ()),
        form,
        yes=yes,
        dry_run=dry_run,
        diff=diff,
    )
