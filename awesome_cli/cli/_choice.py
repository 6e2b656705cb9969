"""Print findings, in the formats of every answer and in those that only findings have."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from awesome_cli.cli._workspace import Workspace
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


def show_findings(
    workspace: Workspace,
    findings: Sequence["Finding"],
    form: FindingsFormat,
    *,
    name: str,
    data: Mapping[str, object],
    checked: str,
) -> None:
    """Print findings; `name` is that of the JSON contract, `checked` says what was looked at."""
    from awesome_cli.output.annotations import ANNOTATIONS
    from awesome_cli.reports.findings import to_report

    if form.value in ANNOTATIONS:
        from awesome_cli.publish.manual import manual

        typer.echo(ANNOTATIONS[form.value](findings, manual()), nl=False)
    else:
        workspace.emit(to_report(findings, schema=f"awesome/{name}/1", data=data, checked=checked), Format(form.value))
