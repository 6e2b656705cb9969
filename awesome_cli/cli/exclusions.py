"""`awesome exclude`, `readmit` and `flow`: change and summarise the screening log."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Annotated, Any, Literal

import typer

from awesome_cli.cli._corpus import readable_corpus, whole_corpus
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
        str, typer.Argument(metavar="KEY|REFERENCE", help="Paper, candidate, or a work that is not in the survey yet.")
    ],
    stage: Annotated[str, STAGE],
    reason: Annotated[str, REASON],
    note: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="Explain the reason in a sentence.")
    ] = None,
    near_miss: Annotated[
        list[str] | None,
        typer.Option("--near-miss", metavar="AXIS=TERM:STRENGTH", help="Tag that a work nearly has; may be repeated."),
    ] = None,
    because: Annotated[
        str | None, typer.Option("--because", metavar="TEXT", help="Explain why the work is a near-miss.")
    ] = None,
    found_in: Annotated[
        str | None, typer.Option("--found-in", metavar="NAME", help="Database or list where the work was found.")
    ] = None,
    query_family: Annotated[
        str | None, typer.Option("--query-family", metavar="NAME", help="Query family that found the work.")
    ] = None,
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TEXT", help="Title of a new work; without it the metadata are fetched."),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Screen a work out. A paper keeps all fields, and 'awesome readmit' restores it.

    Example: awesome exclude KEY --stage STAGE --reason REASON --near-miss AXIS=TERM
    """
    from awesome_cli.curation.editing import excluding
    from awesome_cli.model.records import Screening
    from awesome_cli.system.clock import today

    session = ctx.obj
    screening = Screening(source=found_in, query_family=query_family, stage=stage, reason=reason, on=today())
    fetch = fields_of(session, title=title)
    if not excluding.is_known(readable_corpus(session, candidates=True), work):
        with suppress(UsageError):
            fetch(work)  # before the lock is taken
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
    """Return a function that fetches the fields of a reference; with a `title`, the function fetches nothing."""

    @cache
    def fields(reference: str) -> Mapping[str, Any]:
        from awesome_cli import sources
        from awesome_cli.model.identifiers import parse_reference

        parsed = parse_reference(reference)
        if title is not None:
            return {**sources.stub(parsed).fields, "title": title}
        try:
            return sources.fetch(parsed, session.net()).fields
        except NetError as error:
            error.hint = "; ".join(filter(None, (error.hint, "--title TEXT adds it without fetching")))
            raise

    return fields


def readmit(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="ID", help="Id of the exclusion.")],
    new_key: KeyOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Turn an exclusion into a paper, with its former fields; near-misses become tags.

    Example: awesome readmit ID --key KEY
    """
    from awesome_cli.curation.editing import admitting
    from awesome_cli.system.clock import today

    planner = partial(admitting.readmit, key=key, on=today(), new_key=new_key)
    carry_out(ctx.obj, planner, form, dry_run=dry_run, diff=diff)


# A copy of `analysis.flow.FlowLevel`, so that help and completion need not import that module.
FlowLevel = Literal["total", "stage", "reason"]
FlowFormat = Literal["text", "md", "json", "csv", "latex", "mermaid", "svg"]


def flow(
    ctx: CommandContext,
    level: Annotated[
        FlowLevel, typer.Option("--level", help="Level of detail: totals, stages, or stages with reasons.")
    ] = "reason",
    empty: Annotated[bool, typer.Option("--empty/--no-empty", help="Include stages without exclusions.")] = True,
    identified: Annotated[
        int | None,
        typer.Option("--identified", metavar="N", help="Fail unless the log accounts for N identified records."),
    ] = None,
    out: OutOption = None,
    as_of: AsOfOption = None,
    form: Annotated[FlowFormat, typer.Option("--format", "-f", help="Output format.")] = "text",
) -> None:
    """Show the selection flow (PRISMA): records audited, screened out by stage and reason, and retained.

    If the survey has a protocol, its searches and inclusion criteria follow.

    Example: awesome flow --format svg --out flow.svg
    """
    from awesome_cli.analysis.flow import flow as draw
    from awesome_cli.publish import flow as pictures

    session = ctx.obj
    chart = draw(whole_corpus(session, as_of), level=level, identified=identified, empty=empty)
    drawings = {"mermaid": pictures.mermaid, "svg": pictures.svg}
    if form not in drawings:
        session.emit(chart.to_report(), Format(form))
    else:
        deliver(session, drawings[form](chart), out)
