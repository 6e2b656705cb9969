"""`awesome diff`: what changed between two states of the survey, claims included."""

from enum import StrEnum
from typing import Annotated

import typer

from awesome_cli.cli._options import FormatOption, WhereOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


class DiffFailOn(StrEnum):
    """What makes the answer no."""

    CLAIMS = "claims"
    CELLS = "cells"


def diff(
    ctx: typer.Context,
    before: Annotated[str, typer.Argument(metavar="REV", help="A git revision.")] = "HEAD",
    after: Annotated[
        str | None, typer.Argument(metavar="REV", help="Another revision; by default the files as they are.")
    ] = None,
    fail_on: Annotated[
        list[DiffFailOn] | None, typer.Option("--fail-on", help="Exit 1 if a claim flips, or a cell opens or closes.")
    ] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show records added, removed, retagged and edited, changed counts, gaps opened or closed, flipped claims.

    Works on any two revisions without a checkout. With --where: the changes of records that match in one of them.

    Example: awesome diff HEAD~1 --format md
    """
    from awesome_cli.analysis.diff.diff_report import to_report
    from awesome_cli.analysis.diff.revisions import between
    from awesome_cli.rules.preconditions import require_usable

    workspace: Workspace = ctx.obj
    if after is None:
        workspace.warn_open()
    found = between(workspace.root, before, after, sound=require_usable, where=where)
    workspace.emit(to_report(found), form)
    failing = {DiffFailOn.CLAIMS: found.flipped, DiffFailOn.CELLS: found.turned}
    raise typer.Exit(int(any(failing[what] for what in fail_on or ())))
