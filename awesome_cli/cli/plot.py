"""`awesome plot`: pictures for papers, slides and the README."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import UsageError


class PlotFormat(StrEnum):
    """The formats of a picture."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    VEGA = "vega"


class PlotTheme(StrEnum):
    """For a light or a dark page."""

    LIGHT = "light"
    DARK = "dark"


def plot(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            help="years, heatmap, gaps, bubbles, measure, flow, claims, or the name of a plot of the README.",
        ),
    ] = None,
    rows: Annotated[str | None, typer.Option("--rows", metavar="AXIS", help="The axis of the rows or bars.")] = None,
    cols: Annotated[str | None, typer.Option("--cols", metavar="AXIS", help="The axis of the columns.")] = None,
    measure: Annotated[str | None, typer.Option("--measure", metavar="M", help="The measure that is compared.")] = None,
    form: Annotated[PlotFormat, typer.Option("--format", "-f", help="The kind of file.")] = PlotFormat.SVG,
    theme: Annotated[PlotTheme, typer.Option("--theme", help="Colours for a light or dark page.")] = PlotTheme.LIGHT,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")] = Path(),
    readme: Annotated[bool, typer.Option("--readme", help="Write the README's pictures, light and dark.")] = False,
    as_of: AsOfOption = None,
) -> None:
    """Draw plots; the files are the same for the same records, and their text stays text.

    Example: awesome plot gaps measure --format pdf --out figures
    """
    from awesome_cli.publish.plots import writing

    if bool(names) is readme:
        raise UsageError("name at least one plot, or give --readme", hint="see 'awesome plot --help'")
    workspace: Workspace = ctx.obj
    corpus = workspace.evidence(as_of)
    asked = {"rows": rows, "columns": cols, "measure": measure}
    if readme:
        files = writing.readme_files(corpus, workspace.root)
    else:
        files = writing.files(corpus, names or [], asked, form=form.value, theme=theme.value)
    path: Path | None = None
    for path in writing.write(files, workspace.root if readme else out):
        workspace.say(f"wrote {path}")
    if path is None:
        workspace.say("nothing stale")
