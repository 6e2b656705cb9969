"""`awesome evidence`: what stands beside the codings, and whether quotes stand in their papers."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._corpus import usable_corpus
from awesome_cli.cli._options import AsOfOption, ByOption, FormatOption, WhereOption, axes_of, require_one, within
from awesome_cli.cli._session import CommandContext
from awesome_cli.errors import PartialError, UsageError
from awesome_cli.output import Format

evidence = typer.Typer(invoke_without_command=True)


@evidence.callback()
def coverage(
    ctx: CommandContext,
    missing: Annotated[
        str | None,
        typer.Option("--missing", metavar="WHAT", help="List the codings without evidence, source, locator or quote."),
    ] = None,
    by: ByOption = None,
    where: WhereOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Say by axis how many codings have evidence, a source, a place in it, a quote, and how many are contested.

    Example: awesome evidence --missing locator --by AXIS
    """
    from awesome_cli.analysis.evidence import coverage_report

    if ctx.invoked_subcommand is None:
        corpus = usable_corpus(ctx.obj, as_of)
        ctx.obj.emit(coverage_report(corpus, where=where, axes=axes_of(by), missing=missing), form)


def folder(ctx: CommandContext, path: Path | None) -> Path | None:
    """The folder of texts; raises `UsageError` where there is none, and as `within` does."""
    within(ctx, path)
    if path is not None and not path.is_dir():
        raise UsageError(f"no such folder: {path}", hint="it holds KEY.txt, KEY.md or KEY.html")
    return path


TextsOption = Annotated[
    Path | None,
    typer.Option("--texts", metavar="DIR", callback=folder, help="A folder with KEY.txt, KEY.md or KEY.html."),
]


@evidence.command()
def check(
    ctx: CommandContext,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY", help="The papers or candidates; by default the whole pool.")
    ] = None,
    where: WhereOption = None,
    texts: TextsOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Look the quotes of codings up in the texts of their papers: from a folder, what it lacks from arXiv's pages.

    A quote is found, near (the difference is shown) or missing. Exit code 1 when one is missing, 4 when a text could
    not be fetched; a paper without a text is named.
    Example: awesome evidence check --texts texts
    """
    from awesome_cli.analysis.evidence import check_quotes, chosen, codings, population, quote_report

    session = ctx.obj
    corpus = usable_corpus(session, as_of, candidates=bool(keys))
    require_one(keys or [], where)
    works = chosen(corpus, keys) if keys else corpus.select(where)
    found = codings(works, corpus.taxonomy)
    checked = check_quotes(found, texts, session.net())
    session.emit(quote_report(checked, population(corpus, found, works)), form)
    states = {one.state for one in checked}
    if "missing" in states:
        raise typer.Exit(1)
    if "not_fetched" in states:
        raise PartialError("not every text could be fetched", hint="each one is named above")
