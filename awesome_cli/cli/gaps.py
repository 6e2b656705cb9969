"""`awesome gaps`: the evidence gap map of terms and pairs of terms."""

from typing import Annotated

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
from awesome_cli.cli._session import CommandContext
from awesome_cli.errors import UsageError
from awesome_cli.output import Format

LACKING = tuple(state.value for state in STATES if state.lacks)


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
    gap_map, report = gap_report.answer(corpus, name, rows=rows, columns=columns, full=full)
    session.emit(report, form, corpus.papers)
    failing = [name for name, cell in gap_map.cells() if cell.state.value in (fail_on or ())]
    if failing:
        session.say(f"{len(failing)} cells fail: {', '.join(failing[:8])}{' …' if len(failing) > 8 else ''}")
    raise typer.Exit(int(bool(failing)))
