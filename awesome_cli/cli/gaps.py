"""`awesome gaps`: the evidence gap map of terms and pairs of terms."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.cli._corpus import usable_corpus
from awesome_cli.cli._options import (
    AsOfOption,
    ByOption,
    FormatOption,
    GradeOption,
    MeasureOption,
    ReadingOption,
    WhereOption,
    axes_of,
)
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.errors import UsageError
from awesome_cli.output import Format
from awesome_cli.text.numbers import counted, shortened

if TYPE_CHECKING:
    from awesome_cli.analysis.gaps.cells import GapMap

LACKING = tuple(state.value for state in STATES if state.lacks)
NAMED = 8
"""Maximum number of failing cells that are named."""


def lacking_state(text: str) -> str:
    """Return a value of --fail-on unchanged; raise `BadParameter` if it is not the id of a state that lacks papers."""
    if text not in LACKING:
        raise typer.BadParameter(f"{text!r} is not a valid state (use one of: {', '.join(LACKING)})")
    return text


def requested_cells(name: str | None, by: str | None) -> tuple[str | None, str | None, str | None]:
    """Return `(term or axis, None, None)` or `(None, rows, columns)`; `UsageError` for name and --by, or three axes."""
    axes = axes_of(by, 2)
    if axes and name is not None:
        raise UsageError(f"{name!r} cannot be combined with --by", hint="give a term, an axis, or --by AXIS,AXIS")
    rows, columns = axes if len(axes) == 2 else (None, None)
    return (axes[0] if len(axes) == 1 else name), rows, columns


def require_unset(*options: object) -> None:
    """Raise `UsageError` if an option is set that cannot be combined with --measure."""
    if any(options):
        message = "--measure cannot be combined with TERM, --by or --fail-on"
        raise UsageError(message, hint="awesome gaps --measure MEASURE")


def gaps(
    ctx: CommandContext,
    name: Annotated[
        str | None, typer.Argument(metavar="TERM|AXIS", help="An axis; or a term: its id, its code or AXIS=TERM.")
    ] = None,
    by: ByOption = None,
    measure: MeasureOption = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar=f"[{'|'.join(LACKING)}]",
            parser=lacking_state,
            autocompletion=lambda: list(LACKING),
            help="Exit 1 if a shown cell has this state.",
        ),
    ] = None,
    where: WhereOption = None,
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    full: Annotated[bool, typer.Option("--all", help="Print everything, not only a summary.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show the evidence gap map: the terms that lack papers; with --all, or for an axis, a term or a pair, all numbers.

    JSON and CSV are always complete, as with --all.

    Example: awesome gaps --by AXIS,AXIS --where 'year>=2025'
    """
    from awesome_cli.analysis.gaps import report as gap_report
    from awesome_cli.analysis.statistics import measures

    session = ctx.obj
    corpus = usable_corpus(session, as_of, evidence=True, reading=reading, grade=grade).where(where)
    if measure is not None:
        require_unset(name, by, fail_on)
        session.emit(measures.compare(corpus, measures.find(corpus, measure)).to_report(), form, corpus.papers)
        return
    name, rows, columns = requested_cells(name, by)
    gap_map, report = gap_report.answer(corpus, name, rows=rows, columns=columns)
    is_overview = name is rows is None and not full
    session.emit(gap_report.overview(gap_map, report) if is_overview else report, form, corpus.papers)
    raise typer.Exit(_failing(session, gap_map, fail_on or ()))


def _failing(session: CommandSession, gap_map: "GapMap", states: Sequence[str]) -> int:
    """Name the cells with one of the states, and return the exit code."""
    names = [name for name, cell in gap_map.cells() if cell.state.value in states]
    if names:
        verb = "fails" if len(names) == 1 else "fail"
        session.say(f"{counted(len(names), 'cell')} {verb}: {shortened(names, NAMED)}")
    return int(bool(names))
