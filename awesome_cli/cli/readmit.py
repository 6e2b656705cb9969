"""`awesome readmit`: an exclusion becomes a paper."""

from functools import partial
from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, KeyOption
from awesome_cli.cli._writing import carry_out
from awesome_cli.output import Format


def readmit(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="ID", help="The exclusion's id.")],
    new_key: KeyOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Make an exclusion a paper (again). What it kept comes back; near-misses become tags.

    Example: awesome readmit ID --key KEY
    """
    from awesome_cli.curation.editing import admitting
    from awesome_cli.system.clock import today

    planner = partial(admitting.readmit, key=key, on=today(), new_key=new_key)
    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)
