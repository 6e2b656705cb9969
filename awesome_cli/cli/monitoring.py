"""`awesome refresh`, `check-links` and `watch`: keep records up to date."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus, whole_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, WhereOption, require_one, since_option
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import FAILED, finish_open, locked
from awesome_cli.errors import NetError, PartialError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.abstracts import Abstracts
    from awesome_cli.curation.refresh import Refresh
    from awesome_cli.model.records import AnyWork
    from awesome_cli.survey.corpus import Corpus


def refresh(
    ctx: CommandContext,
    keys: Annotated[list[str] | None, typer.Argument(metavar="KEY", help="Records to look up. [default: all]")] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the differences to the records.")] = False,
    reject: Annotated[
        list[str] | None,
        typer.Option("--reject", metavar="FIELD", help="Reject the proposed value of FIELD; may be repeated."),
    ] = None,
    abstracts: Annotated[bool, typer.Option("--abstracts", help="Fetch missing abstracts instead.")] = False,
    where: WhereOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare records with arXiv, Crossref and others: versions, venues, titles, authors, retractions.

    The report lists the differences of each record, and the records that cannot be looked up. --apply writes the
    differences. --reject writes that a difference is an error of the registry, which is not shown again; with --apply,
    the other differences are written. If no service reports on retraction, the retraction status is 'unknown'.

    Example: awesome refresh KEY --apply
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import Plan

    session = ctx.obj
    written = (apply or bool(reject)) and not (dry_run or diff)
    if written:
        finish_open(session)
    chosen = (session, *chosen_works(session, keys or [], where, reject or (), abstracts=abstracts))
    work = fetch_abstracts(*chosen) if abstracts else look_up(*chosen, reject or (), rest=apply)
    with locked(session, written=written) as lock:
        changes = work.changes(WorkingTree(session.root))
        lock.commit(changes)
    session.emit(Plan(changes).to_diff() if diff else work.to_report(changes, written=written), form)
    _require_whole(work)


def chosen_works(
    session: CommandSession, keys: Sequence[str], where: str | None, reject: Sequence[str], *, abstracts: bool
) -> "tuple[Corpus, tuple[AnyWork, ...]]":
    """Return the corpus, and the works with these keys or the papers that match; with `abstracts`, also candidates."""
    from awesome_cli.curation.editing import find_work

    require_one(keys, where)
    if reject and abstracts:
        raise UsageError("--abstracts cannot be combined with --reject", hint="leave out one option")
    if reject and not (keys or where):
        raise UsageError("--reject needs KEY or --where", hint=f"awesome refresh KEY --reject {reject[0]}")
    corpus = readable_corpus(session, candidates=abstracts or bool(keys), remark=not keys)
    return corpus, tuple(find_work(corpus, key) for key in keys) or corpus.where(where, "papers", "candidates").works


def fetch_abstracts(session: CommandSession, corpus: "Corpus", works: "tuple[AnyWork, ...]") -> "Abstracts":
    from awesome_cli.curation.abstracts import Abstracts

    return Abstracts(session.root, corpus, works).fetched(session.net())


def look_up(
    session: CommandSession, corpus: "Corpus", works: "Sequence[AnyWork]", reject: Sequence[str], *, rest: bool
) -> "Refresh":
    """Look up works; reject values of some fields, apply others if `rest`. Raise `NetError` if every work fails."""
    work = _looked_up(session, corpus, works)
    failed = [look.failure for look in work.looks if look.failure]
    if failed and len(failed) == sum(look.record.identifiers.is_askable for look in work.looks):
        hint = "leave out --offline" if session.offline else "check the connection, or try again later"
        again = "--reject looks the value up again: " if reject else ""
        raise NetError(f"no record could be looked up: {failed[0]}", hint=again + hint)
    if reject:
        work.reject(reject, rest=rest)
    return work


def check_links(
    ctx: CommandContext,
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY", help="Check the links of these records. [default: all]")
    ] = None,
    max_age: Annotated[
        int, typer.Option("--max-age", min=0, metavar="DAYS", help="Reuse stored results up to this age.")
    ] = 7,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="STATE,STATE",
            help="Exit 1 for links in these states: moved, dead, blocked, unknown or identity.",
        ),
    ] = None,
    where: WhereOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check whether links are alive, moved, dead or blocked, and whether the page has the paper's title ('identity').

    Requests to one host are spaced out; several hosts are checked in parallel. A second run resumes an interrupted one.

    Example: awesome check-links --fail-on dead,identity
    """
    from awesome_cli.curation.links import FAILURES, check, collect, records_of, to_report

    wanted = set(filter(None, (fail_on or "").split(",")))
    if wanted - set(FAILURES):
        message = f"{fail_on!r} is not a valid value of --fail-on"
        raise UsageError(message, hint=f"one or several of: {', '.join(FAILURES)}")
    require_one(keys or [], where)
    corpus = readable_corpus(ctx.obj, candidates=bool(keys), remark=not keys)
    checks = check(collect(records_of(corpus, keys or [], where)), ctx.obj.net(), max_age=timedelta(days=max_age))
    if checks and all(c.state == "unknown" and c.status is None for c in checks):
        raise NetError(f"no link could be checked: {checks[0].remark}", hint="check the connection, or run again later")
    ctx.obj.emit(to_report(checks), form)
    raise typer.Exit(int(any(wanted & c.failures for c in checks)))


def watch(
    ctx: CommandContext,
    since: Annotated[
        date | None, since_option("Report candidates found on DATE (YYYY-MM-DD) or later. [default: seven days ago]")
    ] = None,
    full: Annotated[bool, typer.Option("--all", help="Print everything, not only a summary.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Report retractions, dead links, claims that new candidates would overturn, and other changes.

    What needs a decision comes first, with the claims that rest on it; the rest is folded. JSON and CSV are complete.
    Except with --offline, the command looks up papers and checks links. Records do not change.

    Example: awesome watch --offline --format md
    """
    from awesome_cli.analysis.watching import WEEK
    from awesome_cli.curation.links import check, collect, records_of
    from awesome_cli.publish import watch as watching
    from awesome_cli.system.clock import today

    session = ctx.obj
    corpus, day = whole_corpus(session), today()
    looked = None if session.offline else _looked_up(session, corpus, corpus.papers)
    checks = () if session.offline else check(collect(records_of(corpus, ())), session.net(), max_age=WEEK)
    news = watching.watch(corpus, day, since or day - WEEK + timedelta(days=1), looked, checks)
    session.emit(watching.to_report(news, whole=full), form)
    if looked:
        _require_whole(looked)


def _looked_up(session: CommandSession, corpus: "Corpus", records: "Sequence[AnyWork]") -> "Refresh":
    from awesome_cli.curation.refresh import Refresh
    from awesome_cli.system.clock import today

    work = Refresh(session.net(), today(), tuple(corpus.taxonomy.by_id))
    work.look_up(records)
    return work


def _require_whole(work: "Refresh | Abstracts") -> None:
    if work.trouble:
        raise PartialError(work.trouble, hint=FAILED)
