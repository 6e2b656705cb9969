"""`awesome status`, and the front page of `awesome` without a verb."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli.cli._corpus import readable_corpus, remark_open
from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.errors import SurveyError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.publish.status import SurveyStatus
    from awesome_cli.survey.loading import RecordCache


def status(ctx: CommandContext, form: FormatOption = Format.TEXT) -> None:
    """Show records, findings, stale files and open tasks, with the commands to run next.

    Example: awesome status --format json
    """
    from awesome_cli.publish.status import SurveyStatus
    from awesome_cli.survey import kept

    session = ctx.obj
    made_of = kept.around(session.root)
    fields = kept.read(session.root, "status", made_of)
    answer = SurveyStatus.of(fields) if fields is not None else _computed(session, made_of)
    session.emit(answer.to_report(), form)


def _computed(session: CommandSession, made_of: str | None) -> "SurveyStatus":
    """Compute the status, and keep it if all files can be read; `made_of` is the digest of what it depends on."""
    from awesome_cli.publish.plots.kinds import unknown_kinds
    from awesome_cli.publish.tasks import survey_status
    from awesome_cli.rules.latest import latest
    from awesome_cli.survey import kept

    known: RecordCache = {}  # what validation reads is not read again
    findings, _ = latest(session.root, unknown_kinds, known)
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True, known=known)
    answer = survey_status(session.root, corpus, findings)
    if not corpus.findings:
        kept.keep(session.root, "status", made_of, asdict(answer))
    return answer


FOLDERS = ("corpus", "exclusions", "candidates")
QUICK = 200
"""Maximum number of records that the front page validates; more would be slow."""
WHAT = "Keep, validate, analyse and publish a literature survey as data."
OUTSIDE = {
    "awesome init DIR": "start a survey in a folder",
    "awesome init DIR --input FILE": "start one from a list: Markdown, BibTeX, CSV",
    "awesome help": "list the commands and the pages of the manual",
}
"""Commands to show outside a survey."""
EMPTY = {
    "awesome add REFERENCE": "add a paper by arXiv id, DOI or URL",
    "awesome import FILE": "import a list of papers: Markdown, BibTeX, CSV, …",
    "awesome status": "show the open tasks",
}
INSIDE = {
    "awesome status": "show the survey's contents and open tasks",
    "awesome gaps": "show terms with no or few papers",
    "awesome add REFERENCE": "add a paper by arXiv id, DOI or URL",
}
TRACES = "To check, replay and measure traces of multi-agent runs: awesome trace --help"
FAULTY = {"awesome validate": "show errors in the files and their fixes"}


def front(session: CommandSession) -> str:
    """Return the front page. It must be as fast as --help."""
    try:
        root = session.root
    except SurveyError:
        return _page("This folder contains no survey.", OUTSIDE)
    remark_open(session)
    return _page(f"The survey here is in {root}.", _inside(root))


def _inside(root: Path) -> dict[str, str]:
    """Select the commands to show in a survey; a small survey with errors gets `validate` first."""
    n = sum(1 for folder in FOLDERS for _ in (root / folder).glob("*.yaml"))
    if n <= QUICK:
        from awesome_cli.files.tree import WorkingTree
        from awesome_cli.reports.findings import is_bad
        from awesome_cli.rules.checking import check

        if is_bad(check(WorkingTree(root))):
            return dict(list((FAULTY | INSIDE).items())[:3])
    return INSIDE if n else EMPTY


def _page(where: str, commands: dict[str, str]) -> str:
    width = max(map(len, commands))
    lines = [f"  {command:{width}}  {what}" for command, what in commands.items()]
    return "\n".join([WHAT, "", f"{where} Next:", *lines, "", TRACES, ""])
