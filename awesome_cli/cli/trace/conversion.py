"""`awesome trace import` and `export`: runs of other programs to traces, and traces for other programs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._options import OutOption, from_option, within
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli.trace._files import IdOption, write_output


def formats() -> list[str]:
    """The names of the formats, for completion."""
    from awesome_cli.traces.importers import FORMATS

    return list(FORMATS)


def import_(
    ctx: CommandContext,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE|DIR|PROGRAM:ID",
            callback=within,
            help="Logs, folders or archives of logs, or runs that a program keeps; '-' is standard input.",
        ),
    ],
    out: OutOption = None,
    source: Annotated[str | None, from_option(formats)] = None,
    with_content: Annotated[
        bool, typer.Option("--with-content", help="Keep prompts and outputs; by default only their hashes.")
    ] = False,
) -> None:
    """Turn runs of other frameworks into orchestration traces (version 2).

    One run is written as a JSON document, several as JSON Lines. Events that the log implies but
    does not record are marked `inferred`. `provenance.lossy` lists what is in the log and not in the trace.
    A run that a program keeps is named by its id or the beginning of it: claude:ID; claude:latest; claude: lists them.

    Example: awesome trace import logs/ --out traces.jsonl
    """
    from awesome_cli.traces.importers import summary

    imported = summary.run(paths, ctx.obj.environment, with_content=with_content, form=source)
    if imported.traces:
        write_output(imported.text(as_lines=out is not None and out.suffix in {".jsonl", ".ndjson"}), out)
    for line in imported.lines():
        ctx.obj.say(line)
    imported.raise_for_failures()


class Target(StrEnum):
    """The formats of `traces.exports`, which would slow down the start."""

    CHROME = "chrome"
    OTEL = "otel"


def export(
    ctx: CommandContext,
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
    write_output(text, out)
    for what in lost:
        ctx.obj.say(f"lost: {what}")
