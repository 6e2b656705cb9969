"""`awesome validate`: check all files of a survey, and print findings in every format."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._options import paths_in
from awesome_cli.cli._printing import hand_over, show
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.reports.findings import Finding


class FindingsFormat(StrEnum):
    """The formats of commands that answer with findings."""

    TEXT = "text"
    MD = "md"
    JSON = "json"
    CSV = "csv"
    GITHUB = "github"
    SARIF = "sarif"
    ERRORFORMAT = "errorformat"


ANNOTATED = frozenset({FindingsFormat.GITHUB, FindingsFormat.SARIF, FindingsFormat.ERRORFORMAT})
"""The formats that only findings have."""


def print_findings(form: FindingsFormat, findings: Sequence["Finding"], manual: Mapping[str, str]) -> None:
    """Print findings in one of those; only the commands of the format `github` are meant for a workflow."""
    from awesome_cli.output.annotations import ANNOTATIONS

    text = ANNOTATIONS[form.value](findings, manual)
    (show if form is FindingsFormat.ERRORFORMAT else hand_over)(text)


def show_findings(
    session: CommandSession,
    findings: Sequence["Finding"],
    form: FindingsFormat,
    *,
    name: str,
    data: Mapping[str, object],
    checked: str,
) -> None:
    """Print findings; `name` is that of the JSON contract, `checked` says what was looked at."""
    from awesome_cli.reports.findings import to_report

    if form in ANNOTATED:
        from awesome_cli.publish.manual import manual

        print_findings(form, findings, manual())
    else:
        session.emit(to_report(findings, schema=f"awesome/{name}/1", data=data, checked=checked), Format(form.value))


def validate(
    ctx: CommandContext,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Show findings of these files or folders only.")
    ] = None,
    form: Annotated[FindingsFormat, typer.Option("--format", "-f", help="How to print the answer.")] = (
        FindingsFormat.TEXT
    ),
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 on warnings, too.")] = False,
) -> None:
    """Check shape, vocabulary, identifiers, duplicates, references, dates and form of every record.

    Exit code 1 when there is an error. Example: awesome validate corpus/KEY.yaml --format github
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.plots.kinds import unknown_kinds
    from awesome_cli.reports.findings import is_bad
    from awesome_cli.rules.checking import check, files
    from awesome_cli.text.numbers import counted

    session = ctx.obj
    wanted = paths_in(session.root, paths or [])
    tree = WorkingTree(session.root)
    findings = tuple(f for f in check(tree, also=unknown_kinds) if not wanted or f.path.startswith(wanted))
    n = files(tree)
    checked = counted(n, "record") + (f", findings of {', '.join(wanted)} alone" if wanted else "")
    show_findings(session, findings, form, name="validate", data={"records": n}, checked=checked)
    raise typer.Exit(int(is_bad(findings, strict=strict)))
