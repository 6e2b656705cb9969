"""`awesome status`: what the survey holds, what is to do, and the next command to type."""

import typer

from awesome_cli.cli._options import FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def status(ctx: typer.Context, form: FormatOption = Format.TEXT) -> None:
    """Count records, findings, stale files and open tasks, and name the next command.

    Example: awesome status --format json
    """
    from awesome_cli.publish.status import survey_status

    workspace: Workspace = ctx.obj
    corpus = workspace.surveyed(candidates=True, evidence=True)
    workspace.emit(survey_status(workspace.root, corpus).to_report(), form)
