"""`awesome stats`: counts of the pool."""

from typing import Annotated

import typer

from awesome_cli.analysis.statistics import SPLITS
from awesome_cli.cli._options import AsOfOption, FormatOption, FromOption, ReadingOption, WhereOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def stats(
    ctx: typer.Context,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="A[,B]", help=f"Only this axis or {'|'.join(SPLITS)}, or the cross-tab of two."),
    ] = None,
    where: WhereOption = None,
    reading: ReadingOption = None,
    grade: FromOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count papers per axis (zeros included), strengths, cross-tabs, exclusions and years.

    Example: awesome stats --by reward_family,credit_unit --where 'year>=2025' --as-of 2026-05-04
    """
    from awesome_cli.analysis.statistics.counts import statistics

    workspace: Workspace = ctx.obj
    corpus = workspace.read(workspace.corpus(as_of), reading, grade)
    answer = statistics(corpus, by=by or (), where=where)
    workspace.emit(answer.to_report(), form)
