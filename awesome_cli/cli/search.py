"""`awesome search`: run the saved searches, and say what was asked."""

from dataclasses import replace
from datetime import date
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
"""The searches and sources that were named, and the day from which on."""
PAGE = "(a page of it)"
"""What the plan of a page is remembered by: to end it is not to have run the search."""


def search(
    ctx: CommandContext,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="The saved searches to run; by default all.")
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="NAME", help="Ask only arxiv, openalex or crossref; repeat it for several."),
    ] = None,
    since: Annotated[
        date | None,
        since_option("Ask for works that appeared from DATE on; by default from 30 days before the last good run."),
    ] = None,
    who: Annotated[str | None, typer.Option("--who", metavar="NAME", help="Who runs it, for the records.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print the exact requests; ask nothing.")] = False,
    log: Annotated[bool, typer.Option("--log", help="Print what earlier runs asked and found; ask nothing.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Run the saved searches of search.yaml: works that the survey does not have become candidates.

    What each service was asked, and what came of it, is written to searches/ after every page. A service that fails is
    named, and the exit code is 4; the next run goes on where this one stopped.

    Example: awesome search --explain
    """
    from awesome_cli.curation.searching.running import outcome
    from awesome_cli.survey.saving import Plan

    session = ctx.obj
    asked = (names or [], source or [], since)
    if explain or log:
        session.emit(preview_report(session, asked, log=log), form)
        return
    written = not (dry_run or diff)
    work, changes = run_searches(session, asked, who, written=written)
    session.emit(Plan(changes).to_diff() if diff else outcome(work, written=written), form)
    if work.failed:
        what = f"{counted(len(work.failed), 'request')} of {len(work.run.asked)} failed"
        raise PartialError(what, hint="each is named in the answer; the same command goes on where they stopped")
    if any(one.failed for one in work.left_out):
        raise PartialError("not every search can be read", hint="see 'awesome validate'")


def preview_report(session: CommandSession, asked: Wanted, *, log: bool) -> "Report":
    """What would be asked, or with `log` what earlier runs asked."""
    from awesome_cli.curation.searching import asks, named
    from awesome_cli.curation.searching.running import explained, logged

    corpus = readable_corpus(session, remark=True, evidence=True)
    if log:
        ids = [search.id for search in corpus.searches] + [one.search for run in corpus.runs for one in run.asked]
        return logged(corpus.runs, named(asked[0], ids))
    return explained(asks(corpus, session.net(), *asked))


def run_searches(
    session: CommandSession, asked: Wanted, by: str | None, *, written: bool
) -> "tuple[Searching, tuple[Change, ...]]":
    """Ask page by page, and write each page under the lock; the run, and all changes that it makes."""
    session = replace(session, command=(*session.command, PAGE))
    work, wanted = begin_run(session, asked, by, written=written)
    changes: dict[str, Change] = {}
    try:
        for step in work.steps(wanted):
            with locked(session, written=written) as lock:
                made = step()
                lock.commit(made)
            changes.update((change.path, change) for change in made)
    except KeyboardInterrupt:
        kept = "what had arrived is written; the same command goes on from there"
        raise KeyboardInterrupt(kept if written else "nothing was written") from None
    return work, tuple(changes.values())


def begin_run(
    session: CommandSession, asked: Wanted, by: str | None, *, written: bool
) -> "tuple[Searching, tuple[Ask | NotAsked, ...]]":
    """A run that has asked nothing yet, and what it is to ask; a page that was interrupted is written first."""
    from awesome_cli.curation.searching import asks
    from awesome_cli.curation.searching.running import Searching
    from awesome_cli.files.tree import WorkingTree

    if session.offline:
        raise NetError("a search asks services, and the network is off", hint="--explain and --log ask nothing")
    with locked(session, written=written):
        corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    net = session.net()
    return Searching.of(corpus, WorkingTree(session.root), net, by), asks(corpus, net, *asked)
