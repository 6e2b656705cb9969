"""`awesome rename`: give a record another key."""

from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format


def rename(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The record's key.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new key.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Rename a record; the old key becomes an alias, and records and claims that name it are updated.

    Example: awesome rename OLD NEW
    """
    from awesome_cli.curation.editing import naming

    carry_out(ctx.obj, lambda tree, corpus: naming.rename(tree, corpus, old, new), form, dry_run=dry_run, diff=diff)
