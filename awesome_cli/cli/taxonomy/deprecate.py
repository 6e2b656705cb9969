"""`awesome taxonomy deprecate`: a term is retired in favour of another."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli.taxonomy._changing import TermArgument, YesOption, migrate_with
from awesome_cli.output import Format


def deprecate(
    ctx: typer.Context,
    old: TermArgument,
    use: Annotated[str, typer.Option("--use", metavar="TERM", help="Its successor.")],
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Retire a term: it stays in the taxonomy with its definition, names its successor, and records move to that.

    Example: awesome taxonomy deprecate scenario=web --use tool_use
    """
    from awesome_cli.curation.vocabulary import requests
    from awesome_cli.system.clock import today

    migrate_with(
        ctx.obj,
        lambda corpus: requests.deprecate(corpus.taxonomy, old, use, on=today()),
        form,
        yes=yes,
        dry_run=dry_run,
        diff=diff,
    )
