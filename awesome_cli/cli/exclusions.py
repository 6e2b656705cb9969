"""`awesome exclude`, `readmit` and `flow`: the screening log."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Annotated, Any, Literal

import typer

from awesome_cli.cli._corpus import whole_corpus
from awesome_cli.cli._options import (
    REASON,
    STAGE,
    AsOfOption,
    DiffOption,
    DryRunOption,
    FormatOption,
    KeyOption,
    OutOption,
)
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import carry_out, deliver
from awesome_cli.errors import NetError, UsageError
from awesome_cli.output import Format


def exclude(
    ctx: CommandContext,
    work: Annotated[
        str,
        typer.Argument(metavar="KEY|REFERENCE", help="A paper or candidate, or a work that is not in the survey yet."),
    ],
    stage: Annotated[str, STAGE],
    reason: Annotated[str, REASON],
    note: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="The reason in a sentence.")] = None,
    near_miss: Annotated[
        list[str] | None,
        typer.Option("--near-miss", metavar="AXIS=TERM:STRENGTH", help="A tag that it would bring; may be repeated."),
    ] = None,
    because: Annotated[str | None, typer.Option("--because", metavar="TEXT", help="Why it is a near-miss.")] = None,
    found_in: Annotated[
        str | None, typer.Option("--found-in", metavar="NAME", help="The database or list in which it was found.")
    ] = None,
    query_family: Annotated[
        str | None, typer.Option("--query-family", metavar="NAME", help="The query family that found it.")
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            "--title", metavar="TEXT", help="The title of a work that is not in the survey, so that nothing is fetched."
        ),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Screen a work out. A paper keeps all its fields, and 'awesome readmit' brings it back.

    Example: awesome exclude KEY --stage STAGE --reason REASON --near-miss AXIS=TERM
    """
    from awesome_cli.curation.editing import excluding
    from awesome_cli.files.paths import is_file
    from awesome_cli.model.records import Screening
    from awesome_cli.survey.loading import FOLDERS
    from awesome_cli.system.clock import today

    session = ctx.obj
    screening = Screening(source=found_in, query_family=query_family, stage=stage, reason=reason, on=today())
    fetch = fields_of(session, title=title)
    if not any(is_file(session.root, f"{folder}/{work}.yaml") for folder in FOLDERS):
        with suppress(UsageError):
            fetch(work)  # A service is asked before the lock is taken.
    planner = partial(
        excluding.screen_out,
        work=work,
        decision=excluding.ScreeningDecision(screening, note),
        near_miss=near_miss or (),
        because=because,
        fetch=fetch,
    )
    carry_out(session, planner, form, dry_run=dry_run, diff=diff)


def fields_of(session: CommandSession, *, title: str | None) -> Callable[[str], Mapping[str, Any]]:
    """A function from a reference to the fields of that work; with a title nothing is fetched."""

    @cache
    def fields(reference: str) -> Mapping[str, Any]:
        from awesome_cli import sources
        from awesome_cli.model.identifiers import parse_reference

        named = parse_reference(reference)
        if title is not None:
            return {**sources.stub(named).fields, "title": title}
        try:
            return sources.fetch(named, session.net()).fields
        except NetError as error:
            error.hint = "; ".join(filter(None, (error.hint, "with --title TEXT nothing is fetched")))
            raise

    return fields


def readmit(
    ctx: CommandContext,
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


# The words of `analysis.flow.FlowLevel`, which help and completion do not load.
FlowLevel = Literal["total", "stage", "reason"]
FlowFormat = Literal["text", "md", "json", "csv", "mermaid", "svg"]


def flow(
    ctx: CommandContext,
    level: Annotated[FlowLevel, typer.Option("--level", help="Totals, stages, or stages with reasons.")] = "reason",
    empty: Annotated[bool, typer.Option("--empty/--no-empty", help="Stages at which nothing was excluded.")] = True,
    identified: Annotated[
        int | None, typer.Option("--identified", metavar="N", help="Fail unless the log accounts for N records.")
    ] = None,
    out: OutOption = None,
    as_of: AsOfOption = None,
    form: Annotated[FlowFormat, typer.Option("--format", "-f", help="How to print the answer.")] = "text",
) -> None:
    """Show how many records were audited, screened out at each stage and for what reason, and retained.

    The protocol of the survey, if it has one, stands below: how it searched, and what it retained.

    Example: awesome flow --format svg --out flow.svg
    """
    from awesome_cli.analysis.flow import flow as draw
    from awesome_cli.publish import flow as pictures

    session = ctx.obj
    found = draw(whole_corpus(session, as_of), level=level, identified=identified, empty=empty)
    drawings = {"mermaid": pictures.mermaid, "svg": pictures.svg}
    if form not in drawings:
        session.emit(found.to_report(), Format(form))
    else:
        deliver(session, drawings[form](found), out)
