"""`awesome remove`: delete a record."""

from functools import partial
from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format


def remove(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The record's key.")],
    force: Annotated[
        bool, typer.Option("--force", help="Remove it even if a record, a claim or an audit names it.")
    ] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Delete a record's file. To screen a paper out and keep its fields, use 'awesome exclude'.

    Example: awesome remove KEY --dry-run
    """
    from awesome_cli.curation.editing import moving

    planner = partial(moving.remove, key=key, force=force)
    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)
