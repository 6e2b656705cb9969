"""`awesome flow`: the screening log as a flow, and the protocol."""

from typing import Annotated, Literal

import typer

from awesome_cli.cli._options import AsOfOption, OutOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import deliver
from awesome_cli.output import Format

# The words of `analysis.flow.FlowLevel`, which help and completion do not load.
FlowLevel = Literal["total", "stage", "reason"]
FlowFormat = Literal["text", "md", "json", "csv", "mermaid", "svg"]


def flow(
    ctx: typer.Context,
    level: Annotated[
        FlowLevel, typer.Option("--level", help="Totals, stages, or stages with their reasons.")
    ] = "reason",
    empty: Annotated[bool, typer.Option("--empty/--no-empty", help="Stages at which nothing was excluded.")] = True,
    identified: Annotated[
        int | None, typer.Option("--identified", metavar="N", help="Fail unless the log accounts for N records.")
    ] = None,
    out: OutOption = None,
    as_of: AsOfOption = None,
    form: Annotated[FlowFormat, typer.Option("--format", "-f", help="How to print the answer.")] = "text",
) -> None:
    """Show how many records were audited, screened out at each stage and for what reason, and retained.

    The protocol of the survey, if it has one, stands below: how it searched, and what it retained.

    Example: awesome flow --format svg --out flow.svg
    """
    from awesome_cli.analysis.flow import flow as draw
    from awesome_cli.publish import flow as pictures

    workspace: Workspace = ctx.obj
    found = draw(workspace.evidence(as_of), level=level, identified=identified, empty=empty)
    drawings = {"mermaid": pictures.mermaid, "svg": pictures.svg}
    if form not in drawings:
        workspace.emit(found.to_report(), Format(form))
    else:
        deliver(workspace, drawings[form](found), out)
