"""Print findings, in the formats of every answer and in those that only findings have."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from awesome_cli.cli._doors import hand_over, show
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


ANNOTATED = frozenset({FindingsFormat.GITHUB, FindingsFormat.SARIF, FindingsFormat.ERRORFORMAT})
"""The formats that only findings have."""


def print_findings(form: FindingsFormat, findings: Sequence["Finding"], manual: Mapping[str, str]) -> None:
    """Print findings in one of those; only the commands of the format `github` are meant for a workflow."""
    from awesome_cli.output.annotations import ANNOTATIONS

    text = ANNOTATIONS[form.value](findings, manual)
    (show if form is FindingsFormat.ERRORFORMAT else hand_over)(text)


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
    from awesome_cli.reports.findings import to_report

    if form in ANNOTATED:
        from awesome_cli.publish.manual import manual

        print_findings(form, findings, manual())
    else:
        workspace.emit(to_report(findings, schema=f"awesome/{name}/1", data=data, checked=checked), Format(form.value))
