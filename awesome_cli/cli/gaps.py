"""`awesome gaps`: which terms and pairs of terms have no paper or few, and why."""

from typing import Annotated

import typer

from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.cli._options import AsOfOption, FormatOption, FromOption, ReadingOption, WhereOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format

LACKING = tuple(state.value for state in STATES if state.lacks)


def lacking_state(text: str) -> str:
    """The id of a state that lacks papers; raises `BadParameter` otherwise."""
    if text not in LACKING:
        raise typer.BadParameter(f"{text!r} is not one of: {', '.join(LACKING)}")
    return text


def gaps(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="TERM|AXIS", help="stop, O5, axis=term, or an axis.")] = None,
    rows: Annotated[str | None, typer.Option("--rows", metavar="AXIS", help="Rows of a pair of axes.")] = None,
    cols: Annotated[str | None, typer.Option("--cols", metavar="AXIS", help="Columns of a pair of axes.")] = None,
    measure: Annotated[str | None, typer.Option("--measure", metavar="M", help="Compare a measure instead.")] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar=f"[{'|'.join(LACKING)}]",
            parser=lacking_state,
            autocompletion=lambda: list(LACKING),
            help="Exit 1 if a shown cell is in this state.",
        ),
    ] = None,
    where: WhereOption = None,
    reading: ReadingOption = None,
    grade: FromOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show which cells have no paper, few or enough: of every axis, of one term, or of a pair of axes.

    Example: awesome gaps stop
    """
    from awesome_cli.analysis.gaps import gap_question
    from awesome_cli.analysis.statistics import measures

    workspace: Workspace = ctx.obj
    corpus = workspace.read(workspace.corpus(as_of), reading, grade).where(where)
    if measure is not None:
        workspace.emit(measures.compare(corpus, measures.find(corpus, measure)).to_report(), form)
        return
    found, report = gap_question.answer(corpus, name, rows=rows, columns=cols)
    workspace.emit(report, form)
    failing = [name for name, cell in found.cells() if cell.state.value in (fail_on or ())]
    if failing:
        workspace.say(f"{len(failing)} cells fail: {', '.join(failing[:8])}{' …' if len(failing) > 8 else ''}")
    raise typer.Exit(int(bool(failing)))
