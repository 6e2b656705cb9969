"""`awesome stats`: counts of the pool."""

from typing import Annotated

import typer

from awesome_cli.analysis.statistics import SPLITS
from awesome_cli.cli._options import AsOfOption, FormatOption, GradeOption, ReadingOption, WhereOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def stats(
    ctx: typer.Context,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="AXIS[,AXIS]", help=f"An axis, or several; also {' or '.join(SPLITS)}."),
    ] = None,
    where: WhereOption = None,
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count papers per axis (zeros included), strengths, cross-tabs, exclusions and years.

    Two axes make a cross-tab; --by may be repeated.

    Example: awesome stats --by AXIS,year --where 'year>=2025'
    """
    from awesome_cli.analysis.statistics.counts import statistics

    workspace: Workspace = ctx.obj
    corpus = workspace.read(workspace.corpus(as_of), reading, grade)
    answer = statistics(corpus, by=by or (), where=where)
    workspace.emit(answer.to_report(), form)
