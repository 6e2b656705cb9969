"""`awesome evidence`: coverage of codings by evidence, and checks of quotes against the papers."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._corpus import usable_corpus
from awesome_cli.cli._options import (
    AsOfOption,
    ByOption,
    DirectionOption,
    FormatOption,
    WhereOption,
    axes_of,
    require_one,
    within,
)
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli._writing import FAILED
from awesome_cli.errors import PartialError, UsageError
from awesome_cli.output import Format

evidence = typer.Typer(invoke_without_command=True)


@evidence.callback()
def coverage(
    ctx: CommandContext,
    missing: Annotated[
        str | None,
        typer.Option(
            "--missing", metavar="FIELD", help="List codings without this field: evidence, source, locator or quote."
        ),
    ] = None,
    direction: DirectionOption = None,
    same_source: Annotated[
        bool, typer.Option("--same-source", help="List sources that codings of different strength share.")
    ] = False,
    by: ByOption = None,
    where: WhereOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Count codings by axis: with evidence for or against them, source, locator or quote, and contested.

    Example: awesome evidence --missing locator --by AXIS
    """
    from awesome_cli.analysis.evidence import coverage_report

    if ctx.invoked_subcommand is None:
        if (missing is not None) + (direction is not None) + same_source > 1:
            message = "--missing, --direction and --same-source cannot be combined"
            raise UsageError(message, hint="give only one of these options")
        corpus, axes = usable_corpus(ctx.obj, as_of), axes_of(by)
        report = coverage_report(
            corpus, where=where, axes=axes, missing=missing, direction=direction, same_source=same_source
        )
        ctx.obj.emit(report, form)


def folder(ctx: CommandContext, path: Path | None) -> Path | None:
    """Return the path of a folder unchanged; raise `UsageError` if it does not exist, or an error of `within`."""
    within(ctx, path)
    if path is not None and not path.is_dir():
        raise UsageError(f"no such folder: {path}", hint="name a folder with files KEY.txt, KEY.md or KEY.html")
    return path


TextsOption = Annotated[
    Path | None,
    typer.Option("--texts", metavar="DIR", callback=folder, help="Folder with the texts: KEY.txt, KEY.md or KEY.html."),
]


@evidence.command()
def check(
    ctx: CommandContext,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY", help="Papers or candidates. [default: all papers]")
    ] = None,
    where: WhereOption = None,
    texts: TextsOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check the quotes of codings against the texts of their papers, from a folder or else from arXiv.

    Each quote is found, near (the report shows the difference) or missing. The report names papers without a text. Exit
    code 1 if a quote is missing, 4 if a text could not be fetched.

    Example: awesome evidence check --texts texts
    """
    from awesome_cli.analysis.evidence import check_quotes, chosen, codings, population, quote_report, text_of

    session = ctx.obj
    corpus = usable_corpus(session, as_of, candidates=bool(keys))
    require_one(keys or [], where)
    works = chosen(corpus, keys) if keys else corpus.select(where)
    coded = codings(works, corpus.taxonomy)
    checked = check_quotes(coded, partial(text_of, folder=texts, net=session.net()))
    session.emit(quote_report(checked, population(corpus, coded, works)), form)
    states = {quote.state for quote in checked}
    if "missing" in states:
        raise typer.Exit(1)
    if "not_fetched" in states:
        raise PartialError("some texts could not be fetched", hint=FAILED)
