"""`awesome trace export`: a trace for other programs and for version 1."""

from enum import StrEnum
from typing import Annotated

import typer

from awesome_cli.cli._options import OutOption, within
from awesome_cli.cli.trace._files import deliver
from awesome_cli.cli.trace.show import IdOption


class Target(StrEnum):
    """The formats of `views.exports`, whose modules would slow down the start."""

    ATIF = "atif"
    CHROME = "chrome"
    MERMAID = "mermaid"
    OTEL = "otel"
    V1 = "v1"


def export(
    ctx: typer.Context,
    target: Annotated[Target, typer.Argument(metavar="atif|chrome|mermaid|otel|v1", help="The format.")],
    path: Annotated[str, typer.Argument(metavar="FILE", callback=within, help="A trace; '-' is standard input.")],
    out: OutOption = None,
    trace_id: IdOption = None,
) -> None:
    """Write a trace for other programs: Chrome trace JSON (Perfetto), Mermaid, OpenTelemetry, ATIF, or version 1.

    What the format cannot express is listed on standard error.

    Example: awesome trace export chrome run.json --out run.perfetto.json
    """
    from awesome_cli.traces.views import exports, picking

    text, lost = exports.EXPORTS[target.value](picking.pick(path, trace_id))
    deliver(text, out)
    for what in lost:
        ctx.obj.say(f"lost: {what}")
