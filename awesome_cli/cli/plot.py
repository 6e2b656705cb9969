"""`awesome plot`: pictures for papers, slides and the README."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from awesome_cli.cli._options import (
    AsOfOption,
    ByOption,
    DiffOption,
    DryRunOption,
    MeasureOption,
    WhereOption,
    axes_of,
)
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import preview
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
            metavar="NAME",
            help=f"{', '.join(kinds())}, or the name of a plot of the README.",
            autocompletion=completions,
        ),
    ] = None,
    by: ByOption = None,
    measure: MeasureOption = None,
    where: WhereOption = None,
    form: Annotated[PlotFormat, typer.Option("--format", "-f", help="The kind of file.")] = "svg",
    theme: Annotated[PlotTheme, typer.Option("--theme", help="Colours for a light or dark page.")] = "light",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")] = Path(),
    readme: Annotated[bool, typer.Option("--readme", help="Write the README's pictures, light and dark.")] = False,
    as_of: AsOfOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Draw plots; the same records give the same files, and text in them stays text.

    Example: awesome plot gaps measure --format pdf --out figures
    """
    from awesome_cli.publish.plots.picture_files import drawn_pictures, pictures

    chosen = {"by": by, "measure": measure, "where": where}
    require_fit(names or [], chosen, readme=readme)
    workspace, folder = ctx.obj, out if names else ctx.obj.root
    rows, columns = (*axes_of(by), None, None)[:2]
    options = {"rows": rows, "columns": columns, "measure": measure}
    corpus = workspace.evidence(as_of).where(where)
    drawn = drawn_pictures(corpus, folder) if readme else pictures(corpus, names or (), options, form=form, theme=theme)
    if dry_run or diff:
        preview(workspace, folder, drawn, diff=diff)
        return
    write_files(workspace, folder, drawn)


def write_files(workspace: Workspace, folder: Path, drawn: Iterable[tuple[str, bytes]]) -> None:
    """Write pictures and name them."""
    from awesome_cli.survey import saving

    files = tuple(drawn)
    for name, data in files:
        saving.write(folder / name, data)
        workspace.say(f"wrote {folder / name}")
    if not files:
        workspace.say("no picture is stale")


def require_fit(names: Sequence[str], given: Mapping[str, str | None], *, readme: bool) -> None:
    """Raise `UsageError` unless plots are named or --readme is given, and for options that none of them uses."""
    from awesome_cli.publish.plots.kinds import users

    options = [option for option, value in given.items() if value is not None]
    if bool(names) is readme:
        raise UsageError("name at least one plot, or give --readme", hint="see 'awesome plot --help'")
    if readme and options:
        raise UsageError(f"--{options[0]} does not go with --readme", hint="taxonomy.yaml says what its pictures show")
    if given["by"] and len(axes_of(given["by"])) > 2:
        raise UsageError("a plot has one axis or two", hint="write --by AXIS or --by AXIS,AXIS")
    for option in options:
        users_of = users(option)
        if wrong := next((name for name in names if name in kinds() and name not in users_of), None):
            raise UsageError(f"the plot {wrong!r} takes no --{option}", hint=f"plots that do: {', '.join(users_of)}")
