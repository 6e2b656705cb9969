"""`awesome set`: set fields of a record."""

from functools import partial
from typing import Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import ByOption, RevisedOption, carry_out, revising
from awesome_cli.output import Format


def set_(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(help="The record: a paper, a candidate or an exclusion.")],
    assignments: Annotated[
        list[str], typer.Argument(metavar="FIELD=VALUE", help="Empty removes; += and -= change a list.")
    ],
    revised: RevisedOption = None,
    by: ByOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Set fields of a record; the rest of its file stays as it is.

    Lists take `;` between texts. Example: awesome set marft venue="ICLR 2026" identifiers.doi=10.1/x authors+="Doe, J"
    """
    from awesome_cli.curation.editing.recoding import set_fields

    workspace: Workspace = ctx.obj
    history = revising(workspace, revised=revised, by=by)
    planner = partial(set_fields, key=key, assignments=assignments, revising=history)
    carry_out(workspace, planner, form, dry_run=dry_run, diff=diff)
