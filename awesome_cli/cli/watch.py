"""`awesome watch`: what a living survey should look at this week."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import FormatOption, since_option
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import PartialError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.refresh import Refresh
    from awesome_cli.reports.report import Report
    from awesome_cli.survey.corpus import Corpus


def watch(
    ctx: typer.Context,
    since: Annotated[
        date | None,
        since_option("New are candidates found on DATE (YYYY-MM-DD) or later; by default in the last seven days."),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Say which claims a candidate would end or weaken, what sources did not answer, and what else changed.

    For a candidate without codings: the cells that its words point to, marked as a guess. Papers are compared with the
    registries, and links are checked; --offline leaves that out. Nothing is written into a record.

    Example: awesome watch --offline --format md
    """
    from awesome_cli.analysis.watching import WEEK
    from awesome_cli.publish import watch as watching
    from awesome_cli.publish.watch.report import to_report
    from awesome_cli.system.clock import today

    workspace: Workspace = ctx.obj
    corpus, day = workspace.evidence(), today()
    looked = None if workspace.offline else _look_up(workspace, corpus, day)
    answers = (None, None) if looked is None else (_registries(workspace, looked), _links(workspace, corpus))
    found = watching.watch(corpus, day, since or day - WEEK + timedelta(days=1), *answers)
    workspace.emit(to_report(found), form)
    if looked and (failed := sum(look.failure is not None for look in looked.looks)):
        raise PartialError(f"{failed} records could not be looked up", hint="each one is named above")


def _look_up(workspace: Workspace, corpus: "Corpus", day: date) -> "Refresh":
    from awesome_cli.curation.refresh import Refresh

    work = Refresh(workspace.net(), day, tuple(corpus.taxonomy.by_id))
    work.look_up(corpus.papers)
    return work


def _registries(workspace: Workspace, work: "Refresh") -> "Report":
    from awesome_cli.files.tree import WorkingTree

    return work.to_report(work.changes(WorkingTree(workspace.root)), written=False)


def _links(workspace: Workspace, corpus: "Corpus") -> "Report":
    from awesome_cli.analysis.watching import WEEK
    from awesome_cli.curation.links import check, collect, records_of, to_report

    checks = check(collect(records_of(corpus, ())), workspace.net(), max_age=WEEK)
    return to_report(checks, ("dead", "identity"))
