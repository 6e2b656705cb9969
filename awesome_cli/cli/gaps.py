"""`awesome gaps`: what nobody has done, and why the pool says so."""

from enum import StrEnum
from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption, FormatOption, WhereOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


class FailOn(StrEnum):
    """States of a cell that make the answer no."""

    GAP = "gap"
    SPARSE = "sparse"


def gaps(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[TERM|AXIS]", help="stop, O5, axis=term, or an axis.")] = None,
    rows: Annotated[str | None, typer.Option("--rows", metavar="AXIS", help="Rows of a pair of axes.")] = None,
    cols: Annotated[str | None, typer.Option("--cols", metavar="AXIS", help="Columns of a pair of axes.")] = None,
    measure: Annotated[str | None, typer.Option("--measure", metavar="M", help="Compare a measure instead.")] = None,
    fail_on: Annotated[
        list[FailOn] | None, typer.Option("--fail-on", help="Exit 1 if a shown cell is in this state.")
    ] = None,
    where: WhereOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show gaps, sparse and covered cells: of every axis, of one term, or of a pair of axes.

    Example: awesome gaps stop
    """
    from awesome_cli.analysis.gaps import gap_question
    from awesome_cli.analysis.gaps.cells import State

    workspace: Workspace = ctx.obj
    corpus = workspace.corpus(as_of).where(where)
    if measure is not None:
        workspace.emit(gap_question.compare_measure(corpus, measure), form)
        return
    found, report = gap_question.answer(corpus, name, rows=rows, columns=cols)
    workspace.emit(report, form)
    failing = gap_question.fails(found, [State(state.value) for state in fail_on or ()])
    if failing:
        workspace.say(f"{len(failing)} cells fail: {', '.join(failing[:8])}{' …' if len(failing) > 8 else ''}")
    raise typer.Exit(int(bool(failing)))
