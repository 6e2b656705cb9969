"""`awesome validate`: check all files of a survey, and print findings."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, paths_in
from awesome_cli.cli._printing import hand_over, show
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.reports.findings import Finding
    from awesome_cli.reports.report import Report


class FindingsFormat(StrEnum):
    """The output formats of commands that print findings."""

    TEXT = "text"
    MD = "md"
    JSON = "json"
    CSV = "csv"
    GITHUB = "github"
    SARIF = "sarif"
    ERRORFORMAT = "errorformat"


ANNOTATED = frozenset({FindingsFormat.GITHUB, FindingsFormat.SARIF, FindingsFormat.ERRORFORMAT})
"""The formats for editors and code hosts."""


def emit_findings(
    session: CommandSession,
    form: FindingsFormat,
    findings: Sequence["Finding"],
    manual: Callable[[], Mapping[str, str]],
    report: Callable[[], "Report"],
) -> None:
    """Print findings as a report, or as annotations with texts of the manual (for code hosts and editors)."""
    if form not in ANNOTATED:
        session.emit(report(), Format(form.value))
        return
    from awesome_cli.output.annotations import ANNOTATIONS

    text = ANNOTATIONS[form.value](findings, manual())
    (show if form is FindingsFormat.ERRORFORMAT else hand_over)(text)


def _fix(session: CommandSession, form: FindingsFormat, *, fix: bool, preview: bool) -> None:
    """Write the fixes that need no decision unless it is a preview, and show them as a diff."""
    if not (fix or preview):
        return
    from awesome_cli.cli._corpus import readable_corpus
    from awesome_cli.cli._writing import locked
    from awesome_cli.curation.editing.fixing import fixed
    from awesome_cli.errors import SurveyError
    from awesome_cli.files.tree import WorkingTree

    with locked(session, written=not preview) as lock:
        try:
            corpus = readable_corpus(session, candidates=True)
        except SurveyError:
            return  # the findings say why it cannot be read
        plan = fixed(WorkingTree(session.root), corpus)
        lock.commit(plan.changes)
    if form is FindingsFormat.TEXT:
        session.emit(plan.to_diff(), Format.TEXT)


FindingsOption = Annotated[FindingsFormat, typer.Option("--format", "-f", help="Output format.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Also exit 1 for warnings.")]


def validate(
    ctx: CommandContext,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Show only findings in these files or folders. [default: all]"),
    ] = None,
    form: FindingsOption = FindingsFormat.TEXT,
    strict: StrictOption = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="First apply the fixes that need no decision, and show them as a diff.")
    ] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Validate every record: schema, codebook, identifiers, duplicates, references, dates and formatting.

    Exit code 1 if there is an error. Findings with one cause share a line; --format csv lists each. --fix writes the
    canonical form, quotes field names, moves arXiv ids out of DOIs and removes repeated near-misses.

    Example: awesome validate corpus/KEY.yaml --format github
    """
    from awesome_cli.publish.manual import manual
    from awesome_cli.publish.plots.kinds import unknown_kinds
    from awesome_cli.reports.findings import is_bad, to_report
    from awesome_cli.rules.latest import latest
    from awesome_cli.text.numbers import counted

    session = ctx.obj
    _fix(session, form, fix=fix, preview=dry_run or diff)
    wanted = paths_in(session.root, paths or [])
    every, n = latest(session.root, unknown_kinds)
    findings = tuple(f for f in every if not wanted or f.path.startswith(wanted))
    checked = counted(n, "record") + (f", showing only {', '.join(wanted)}" if wanted else "")
    report = partial(to_report, findings, schema="awesome/validate/1", data={"records": n}, checked=checked)
    emit_findings(session, form, findings, lambda: manual().pages, report)
    raise typer.Exit(int(is_bad(findings, strict=strict)))
