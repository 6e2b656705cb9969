"""`awesome screen simulate`: how an order would have done in a finished screening."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from awesome_cli.cli._intake import ColumnOption, DecisionOption, EncodingOption, SourceFormatOption, sources
from awesome_cli.cli._options import FormatOption, SeedOption, within
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.analysis.screening.simulation_report import Simulation

SimulatedOrder = Literal["relevance", "random"]
PLOTTED = (".svg", ".png", ".pdf")


def simulate(
    ctx: typer.Context,
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", callback=within, help="A labelled set: CSV, TSV or RIS; - is standard input."),
    ],
    column: ColumnOption = None,
    decision: DecisionOption = None,
    source: SourceFormatOption = None,
    encoding: EncodingOption = None,
    order: Annotated[SimulatedOrder, typer.Option("--order", help="By learnt relevance, or random.")] = "relevance",
    start: Annotated[
        str, typer.Option("--start", metavar="R,I", help="From how many relevant and irrelevant papers to start.")
    ] = "1,1",
    seeds: Annotated[int, typer.Option("--seeds", metavar="N", min=1, help="How many replays, each with a seed.")] = 3,
    seed: SeedOption = 0,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", callback=within, help="Draw the recall curves: .svg, .png or .pdf."),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Replay a labelled set, and say how early an order finds what is relevant.

    Nothing of a survey is read or written.

    Example: awesome screen simulate labelled.csv --column included=decision --plot recall.svg
    """
    from awesome_cli.analysis.ranking import order as order_of
    from awesome_cli.analysis.screening.labelled import labelled
    from awesome_cli.analysis.screening.simulation import replays
    from awesome_cli.analysis.screening.simulation_report import Simulation, report
    from awesome_cli.formats.options import without_axes

    workspace: Workspace = ctx.obj
    beginning, picture = _start(start), _picture(plot)
    given = labelled(sources([data])[0], without_axes(column or [], decision or [], form=source, encoding=encoding))
    orders = [order_of(order, seed + n) for n in range(seeds)]
    simulation = Simulation(given, orders[0], replays(given, orders, beginning))
    if picture is not None:
        _draw(workspace, simulation, picture)
    workspace.emit(report(simulation), form)


def _start(text: str) -> tuple[int, int]:
    """The two numbers of `--start`; raises `UsageError` for anything else."""
    numbers = text.split(",")
    if len(numbers) != 2 or not all(number.strip().isdecimal() for number in numbers):
        raise UsageError(f"--start {text!r} is not two numbers", hint="for example --start 1,1 or --start 5,10")
    return int(numbers[0]), int(numbers[1])


def _picture(path: Path | None) -> Path | None:
    """The picture to draw; raises, before the work, for one that cannot be drawn after it."""
    from awesome_cli.publish.plots.themes import INSTALL, can_draw

    if path is not None and path.suffix not in PLOTTED:
        raise UsageError(f"--plot {path} is no picture that is drawn", hint=f"endings: {', '.join(PLOTTED)}")
    if path is not None and not can_draw():
        raise AwesomeError("plotting needs matplotlib", hint=f"install it with: {INSTALL}")
    return path


def _draw(workspace: Workspace, simulation: "Simulation", path: Path) -> None:
    from awesome_cli.publish.plots.pictures import draw
    from awesome_cli.publish.plots.recall import recall
    from awesome_cli.survey.saving import write

    write(path, draw(recall(simulation), path.suffix[1:]))
    workspace.say(f"wrote {path}")
