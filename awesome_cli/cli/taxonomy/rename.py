"""`awesome taxonomy rename`: give a term or an axis another id."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli.taxonomy._changing import YesOption, migrate_with
from awesome_cli.output import Format


def rename(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(metavar="AXIS[=TERM]", help="The term, or the axis.")],
    new: Annotated[str, typer.Argument(help="The new id.")],
    label: Annotated[str | None, typer.Option("--label", help="A new label.")] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rename a term or an axis in the taxonomy, records, queries and claims; the old id is logged.

    Example: awesome taxonomy rename scenario=web browsing --label "web browsing"
    """
    from awesome_cli.curation.vocabulary import requests
    from awesome_cli.system.clock import today

    migrate_with(
        ctx.obj,
        lambda corpus: requests.rename(corpus.taxonomy, old, new, on=today(), label=label),
        form,
        yes=yes,
        dry_run=dry_run,
        diff=diff,
    )
