"""`awesome status`, and what the program prints without a verb."""

from pathlib import Path

from awesome_cli.cli._corpus import readable_corpus, remark_open
from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.errors import SurveyError
from awesome_cli.output import Format


def status(ctx: CommandContext, form: FormatOption = Format.TEXT) -> None:
    """Count records, findings, stale files and open tasks, and name the next command.

    Example: awesome status --format json
    """
    from awesome_cli.publish.status import survey_status

    session = ctx.obj
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    session.emit(survey_status(session.root, corpus).to_report(), form)


FOLDERS = ("corpus", "exclusions", "candidates")
QUICK = 200
"""The greatest number of records that are checked on the way; to check more would be felt."""
WHAT = "A literature survey as data: kept, checked, counted and published by awesome."
OUTSIDE = {
    "awesome init DIR": "start a survey in a folder",
    "awesome init DIR --from FILE": "start one from a list: Markdown, BibTeX, CSV",
    "awesome help": "list the commands and the pages of the manual",
}
"""Commands where there is no survey, and what each is for."""
EMPTY = {
    "awesome add REFERENCE": "add a paper: an arXiv id, a DOI or a web address",
    "awesome import FILE": "add the papers of a list: Markdown, BibTeX, CSV, …",
    "awesome status": "show what there is to do",
}
INSIDE = {
    "awesome status": "show what the survey holds, and what there is to do",
    "awesome gaps": "show which terms have no paper, or few",
    "awesome add REFERENCE": "add a paper: an arXiv id, a DOI or a web address",
}
TRACES = "Traces of multi-agent runs are checked, replayed and measured by awesome trace."
FAULTY = {"awesome validate": "show what is wrong in the files, and how to correct it"}


def front(session: CommandSession) -> str:
    """The page; it takes no longer than the help."""
    try:
        root = session.root
    except SurveyError:
        return _page("There is no survey here.", OUTSIDE)
    remark_open(session)
    return _page(f"The survey here is in {root}.", _inside(root))


def _inside(root: Path) -> dict[str, str]:
    """The commands in a survey; what is wrong comes first, where looking for it is quick."""
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
