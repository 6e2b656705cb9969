"""`awesome search`: run the saved searches and log them."""

from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, since_option
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import locked
from awesome_cli.errors import NetError, PartialError
from awesome_cli.output import Format
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.curation.searching import Ask, NotAsked
    from awesome_cli.curation.searching.running import Searching
    from awesome_cli.reports.report import Report
    from awesome_cli.survey.changes import Change

Wanted = tuple[list[str], list[str], date | None]
"""`(names of searches, names of sources, start date)`; empty lists mean all."""
PAGE = "(a page of it)"
"""Suffix of the journal's command, so that finishing an interrupted page does not count as finishing the search."""


def search(
    ctx: CommandContext,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Saved searches to run. [default: all]")
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source", metavar="NAME", help="Query only arxiv, openalex or crossref; may be repeated. [default: all]"
        ),
    ] = None,
    since: Annotated[
        date | None,
        since_option("Search for works that appeared on DATE or later. [default: 30 days before the last run]"),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", min=1, help="Read more than N works of a search at a source only if you confirm it."
        ),
    ] = 2_000,
    who: Annotated[str | None, typer.Option("--who", metavar="NAME", help="Record the name of the searcher.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print the exact requests without sending them.")] = False,
    log: Annotated[bool, typer.Option("--log", help="Print the requests and results of earlier runs.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Print the retained works that no search finds.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Run the saved searches of search.yaml; new works become candidates.

    Every request and its results are logged in searches/, page by page. If a request fails, the exit code is 4, and the
    next run resumes with that request. It also resumes a request that stopped at --limit, for lack of a confirmation.

    Example: awesome search --explain
    """
    from awesome_cli.curation.searching.running import UNLOGGED, outcome
    from awesome_cli.survey.saving import Plan

    session = ctx.obj
    scope = (names or [], source or [], since)
    if explain or log or check:
        session.emit(preview_report(session, scope, log=log, check=check), form)
        return
    written = not (dry_run or diff)
    work, changes = run_searches(session, scope, who, limit, written=written)
    session.emit(Plan(changes).to_diff() if diff else outcome(work, written=written), form)
    if work.failed:
        message = (
            f"{counted(len(work.failed), 'request')} of {len(work.run.asked)} failed{UNLOGGED * (not work.logged)}"
        )
        raise PartialError(message, hint="the report names them; run the same command again to resume")
    if any(search.failed for search in work.left_out):
        raise PartialError("some searches are not valid", hint="see 'awesome validate'")


def preview_report(session: CommandSession, scope: Wanted, *, log: bool, check: bool) -> "Report":
    """Report the requests of the next run; with `log` those of earlier runs, with `check` the relative recall."""
    from awesome_cli.analysis import recall
    from awesome_cli.curation.searching import asks, chosen, named
    from awesome_cli.curation.searching.running import explained, logged

    corpus = readable_corpus(session, remark=True, candidates=check, evidence=True)
    if check:
        return recall.to_report(recall.retrievals(corpus, saved := chosen(corpus, scope[0])), saved)
    if log:
        ran = [request.search for run in corpus.runs for request in run.asked]
        return logged(corpus.runs, named(scope[0], [*(search.id for search in corpus.searches), *ran]))
    return explained(asks(corpus, session.net(), *scope))


def run_searches(
    session: CommandSession, scope: Wanted, by: str | None, limit: int, *, written: bool
) -> "tuple[Searching, tuple[Change, ...]]":
    """Run searches page by page, write each page under the lock, and return the run with all changes."""
    session = replace(session, command=(*session.command, PAGE))
    work, wanted = begin_run(session, scope, by, limit, written=written)
    changes: dict[str, Change] = {}
    try:
        for step in work.steps(wanted):
            with locked(session, written=written) as lock:
                made = step()
                lock.commit(made)
            changes.update((change.path, change) for change in made)
    except KeyboardInterrupt:
        saved = "complete pages are saved; run the same command again to resume"
        raise KeyboardInterrupt(saved if written else "nothing was written") from None
    return work, tuple(changes.values())


def begin_run(
    session: CommandSession, scope: Wanted, by: str | None, limit: int, *, written: bool
) -> "tuple[Searching, tuple[Ask | NotAsked, ...]]":
    """Finish an interrupted page, then prepare a run and its requests."""
    from awesome_cli.curation.searching import asks
    from awesome_cli.curation.searching.running import Searching
    from awesome_cli.files.tree import WorkingTree

    if session.offline:
        raise NetError("searching needs the network", hint="leave out --offline, or use --explain or --log")
    with locked(session, written=written):
        corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    confirm = partial(typer.confirm, err=True) if session.interactive else lambda _question: False
    net = session.net()
    return Searching.of(corpus, WorkingTree(session.root), net, by, limit, confirm), asks(corpus, net, *scope)
