"""`awesome list`, `show` and `stats`: list, show and count records."""

from typing import Annotated

import typer

from awesome_cli.analysis.statistics import SPLITS
from awesome_cli.cli._corpus import readable_corpus, remark_unread, usable_corpus
from awesome_cli.cli._options import AsOfOption, FormatOption, GradeOption, KindOption, ReadingOption, WhereOption
from awesome_cli.cli._session import CommandContext
from awesome_cli.output import Format


def list_(
    ctx: CommandContext,
    where: WhereOption = None,
    kind: KindOption = None,
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns", metavar="NAME,NAME", help="Columns: fields, axes or measures. [default: key, year and title]"
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            "--sort", metavar="[-]COLUMN", help="Sort by a column; - sorts in descending order. [default: key]"
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=0, help="Stop after N records. [default: no limit]")
    ] = None,
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """List papers, or records of another kind, that match a query.

    Example: awesome list --where 'AXIS=TERM year>=2025' --columns key,year,title
    """
    from awesome_cli.analysis.listing import listing

    is_candidate = kind == "candidate"
    corpus = usable_corpus(ctx.obj, as_of, candidates=is_candidate, reading=reading, grade=grade, partly=True)
    code = remark_unread(ctx.obj, corpus, kind or "paper")
    chosen = [name.strip() for name in columns.split(",")] if columns else []
    answer = listing(corpus, where, kind=kind, columns=chosen, sort=sort, limit=limit)
    ctx.obj.emit(answer.to_report(), form, corpus.works)
    raise typer.Exit(code)


def show(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Key of a record, its citation key, or an identifier.")],
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show a record: metadata, codings with evidence, contests, corrections.

    Example: awesome show KEY
    """
    from awesome_cli.analysis.listing import page
    from awesome_cli.curation.editing import find

    corpus = readable_corpus(ctx.obj, candidates=True)
    record = find(corpus, key)
    code = remark_unread(ctx.obj, corpus)
    if as_of is not None:
        record = find(corpus.as_of(as_of), record.key)
    ctx.obj.emit(page(corpus, record), form)
    raise typer.Exit(code)


def stats(
    ctx: CommandContext,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="AXIS[,AXIS]",
            help=f"Count by an axis, {' or '.join(SPLITS)}, or cross-tabulate two; may be repeated.",
        ),
    ] = None,
    where: WhereOption = None,
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count papers by axis (including zeros), strength, exclusion and year; cross-tabulate axes.

    Example: awesome stats --by AXIS,year --where 'year>=2025'
    """
    from awesome_cli.analysis.statistics.counts import statistics

    corpus = usable_corpus(ctx.obj, as_of, reading=reading, grade=grade)
    answer = statistics(corpus, by=by or (), where=where)
    ctx.obj.emit(answer.to_report(), form)
