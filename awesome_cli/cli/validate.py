"""`awesome validate`: check all files of a survey, and print findings."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import paths_in
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
) -> None:
    """Validate every record: schema, codebook, identifiers, duplicates, references, dates and formatting.

    Exit code 1 if there is an error.

    Example: awesome validate corpus/KEY.yaml --format github
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.manual import manual
    from awesome_cli.publish.plots.kinds import unknown_kinds
    from awesome_cli.reports.findings import is_bad, to_report
    from awesome_cli.rules.checking import check, files
    from awesome_cli.text.numbers import counted

    session = ctx.obj
    wanted, tree = paths_in(session.root, paths or []), WorkingTree(session.root)
    findings = tuple(f for f in check(tree, also=unknown_kinds) if not wanted or f.path.startswith(wanted))
    n = files(tree)
    checked = counted(n, "record") + (f", showing only {', '.join(wanted)}" if wanted else "")
    report = partial(to_report, findings, schema="awesome/validate/1", data={"records": n}, checked=checked)
    emit_findings(session, form, findings, manual, report)
    raise typer.Exit(int(is_bad(findings, strict=strict)))
