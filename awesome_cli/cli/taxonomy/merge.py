"""`awesome taxonomy merge`: several terms become one."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli.taxonomy._changing import YesOption, migrate_with
from awesome_cli.output import Format


def merge(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(metavar="AXIS=TERM,TERM", help="The terms.")],
    into: Annotated[str, typer.Option("--into", help="The term that stays, or a new one.")],
    label: Annotated[str | None, typer.Option("--label", help="Its label.")] = None,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Merge terms. Where a work carries several of them, the strongest tag stays and takes over the others' evidence.

    Example: awesome taxonomy merge scenario=web,tool_use --into tool_use
    """
    from awesome_cli.curation.vocabulary import requests
    from awesome_cli.system.clock import today

    migrate_with(
        ctx.obj,
        lambda corpus: requests.merge(corpus.taxonomy, old, into, on=today(), label=label),
        form,
        yes=yes,
        dry_run=dry_run,
        diff=diff,
    )
