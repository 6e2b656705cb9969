"""`awesome trace show`: a run as lanes in the terminal, or as one HTML page."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._options import FormatOption, within
from awesome_cli.cli._session import Context
from awesome_cli.cli.trace._files import deliver
from awesome_cli.output import Format

IdOption = Annotated[str | None, typer.Option("--id", metavar="TRACE", help="Which trace, if the file holds several.")]


def show(
    ctx: Context,
    path: Annotated[str, typer.Argument(metavar="FILE", callback=within, help="A trace; '-' is standard input.")],
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT", callback=within, help="Write one self-contained HTML page there."),
    ] = None,
    trace_id: IdOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show a run: one lane per agent, the spawn tree, what each agent did, and the findings; many agents in groups.

    The page needs no network. It has a timeline with zoom, arrows between agents, and a slider to replay the state.

    Example: awesome trace show run.json --html run.html
    """
    from awesome_cli.publish import shipped
    from awesome_cli.traces.inputs import pick
    from awesome_cli.traces.views import lanes, page, timeline

    view = timeline.timeline(pick(path, trace_id))
    if html is not None:
        deliver(page.render(view, sheet=(shipped() / "site/assets/site.css").read_text(encoding="utf-8")), html)
    else:
        ctx.obj.emit(lanes.report(view, width=shutil.get_terminal_size((lanes.WIDTH, 0)).columns), form)
