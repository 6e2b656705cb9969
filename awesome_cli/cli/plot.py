"""`awesome plot`: pictures for papers, slides and the README."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from awesome_cli.cli._options import AsOfOption
from awesome_cli.errors import UsageError
from awesome_cli.publish.plots.kinds import completions
from awesome_cli.publish.plots.kinds import names as kinds

PlotFormat = Literal["svg", "png", "pdf", "vega"]
PlotTheme = Literal["light", "dark"]


def plot(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            help=f"{', '.join(kinds())}, or the name of a plot of the README.",
            autocompletion=completions,
        ),
    ] = None,
    rows: Annotated[str | None, typer.Option("--rows", metavar="AXIS", help="The axis of the rows or bars.")] = None,
    cols: Annotated[str | None, typer.Option("--cols", metavar="AXIS", help="The axis of the columns.")] = None,
    measure: Annotated[str | None, typer.Option("--measure", metavar="M", help="The measure that is compared.")] = None,
    form: Annotated[PlotFormat, typer.Option("--format", "-f", help="The kind of file.")] = "svg",
    theme: Annotated[PlotTheme, typer.Option("--theme", help="Colours for a light or dark page.")] = "light",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")] = Path(),
    readme: Annotated[bool, typer.Option("--readme", help="Write the README's pictures, light and dark.")] = False,
    as_of: AsOfOption = None,
) -> None:
    """Draw plots; the same records give the same files, and text in them stays text.

    Example: awesome plot gaps measure --format pdf --out figures
    """
    from awesome_cli.publish.plots.picture_files import drawn_pictures, pictures
    from awesome_cli.survey import saving

    if bool(names) is readme:
        raise UsageError("name at least one plot, or give --readme", hint="see 'awesome plot --help'")
    workspace, folder = ctx.obj, out if names else ctx.obj.root
    corpus = workspace.evidence(as_of)
    options = {"rows": rows, "columns": cols, "measure": measure}
    drawn = pictures(corpus, names or (), options, form=form, theme=theme)
    files = tuple(drawn_pictures(corpus, folder) if readme else drawn)
    for name, data in files:
        saving.write(folder / name, data)
        workspace.say(f"wrote {folder / name}")
    if not files:
        workspace.say("no picture is stale")
