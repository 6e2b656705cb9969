"""`awesome trace export`: a trace for other programs."""

from enum import StrEnum
from typing import Annotated

import typer

from awesome_cli.cli._options import OutOption, within
from awesome_cli.cli._session import Context
from awesome_cli.cli.trace._files import deliver
from awesome_cli.cli.trace.show import IdOption


class Target(StrEnum):
    """The formats of `traces.exports`, which would slow down the start."""

    CHROME = "chrome"
    OTEL = "otel"


def export(
    ctx: Context,
    target: Annotated[Target, typer.Argument(metavar="chrome|otel", help="The format.")],
    path: Annotated[str, typer.Argument(metavar="FILE", callback=within, help="A trace; '-' is standard input.")],
    out: OutOption = None,
    trace_id: IdOption = None,
) -> None:
    """Write a trace for other programs: Chrome trace JSON (Perfetto) or OpenTelemetry.

    What the format cannot express is listed on standard error.

    Example: awesome trace export chrome run.json --out run.perfetto.json
    """
    from awesome_cli.traces.exports import EXPORTS
    from awesome_cli.traces.inputs import pick

    text, lost = EXPORTS[target.value](pick(path, trace_id))
    deliver(text, out)
    for what in lost:
        ctx.obj.say(f"lost: {what}")
