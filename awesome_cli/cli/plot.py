"""`awesome plot`: pictures for papers, slides and the README."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from awesome_cli.cli._corpus import whole_corpus
from awesome_cli.cli._options import (
    AsOfOption,
    ByOption,
    DiffOption,
    DryRunOption,
    MeasureOption,
    WhereOption,
    axes_of,
    within,
)
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import in_part, locked, preview
from awesome_cli.errors import UsageError
from awesome_cli.publish.plots.kinds import NAMES, completions

if TYPE_CHECKING:
    from awesome_cli.publish.plots.themes import Look

PlotFormat = Literal["svg", "png", "pdf", "csv"]
PlotTheme = Literal["light", "dark"]
PlotStyle = Literal["screen", "paper"]
OPTIONS = {"rows": "--by", "columns": "--by with two axes"}
"""How the axes of a plot are asked for."""


def plot(
    ctx: CommandContext,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help=f"{', '.join(NAMES)}, or the name of a plot of the README.", autocompletion=completions
        ),
    ] = None,
    by: ByOption = None,
    measure: MeasureOption = None,
    where: WhereOption = None,
    form: Annotated[PlotFormat, typer.Option("--format", "-f", help="The kind of file.")] = "svg",
    theme: Annotated[PlotTheme, typer.Option("--theme", help="Colours for a light or dark page.")] = "light",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", callback=within, help="Output folder; by default the survey's."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title of the picture.")] = None,
    no_title: Annotated[bool, typer.Option("--no-title", help="Without a title, for a figure with a caption.")] = False,
    style: Annotated[
        PlotStyle, typer.Option("--style", help="paper: serif, small, black on white, one column (84mm) wide.")
    ] = "screen",
    width: Annotated[
        str | None, typer.Option("--width", metavar="LENGTH", help="The width of the picture: 84mm, 8.4cm, 3.3in.")
    ] = None,
    height: Annotated[
        str | None, typer.Option("--height", metavar="LENGTH", help="The height of the picture: 60mm, 6cm, 2.4in.")
    ] = None,
    font: Annotated[
        str | None, typer.Option("--font", metavar="NAME", help="The family of the letters, as it is installed.")
    ] = None,
    dpi: Annotated[int | None, typer.Option("--dpi", metavar="N", help="Dots to an inch of a PNG.")] = None,
    no_data: Annotated[bool, typer.Option("--no-data", help="Do not write NAME.csv, the data of the picture.")] = False,
    readme: Annotated[bool, typer.Option("--readme", help="Write the README's pictures, light and dark.")] = False,
    as_of: AsOfOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Draw plots; the same records give the same files, and text in them stays text.

    Example: awesome plot gaps measure --format pdf --out figures
    """
    from awesome_cli.publish.plots.picture_files import Wish, drawn_pictures, pictures

    if bool(names) is readme:
        raise UsageError("name at least one plot, or give --readme", hint="see 'awesome plot --help'")
    options = {
        **dict(zip(("rows", "columns"), (axis or None for axis in axes_of(by, 2)), strict=False)),
        "measure": measure,
    }
    require_use(names or [], {**options, "where": where})
    look = look_of(names or (), form, style, theme, title, no_title, (width, height), font, dpi)
    if readme:
        require_plain(format=form != "svg", out=out is not None, no_data=no_data, **differing(look))
    session, folder = ctx.obj, out or ctx.obj.place()
    corpus = whole_corpus(session, as_of).where(where)
    wish = Wish(form, look, not no_data, session.raw)
    drawn = drawn_pictures(corpus, folder) if readme else pictures(corpus, names or (), options, wish)
    show = partial(preview, diff=diff) if dry_run or diff else replace_files if readme else write_files
    show(session, folder, drawn)


def look_of(
    names: Sequence[str],
    form: str,
    style: str,
    theme: str,
    title: str | None,
    no_title: bool,
    size: tuple[str | None, str | None],
    font: str | None,
    dpi: int | None,
) -> "Look":
    """How the pictures are to look; raises `UsageError` for options that contradict each other or are out of bounds."""
    from awesome_cli.publish.plots.themes import Look, wished

    if style == "paper" and theme == "dark":
        raise UsageError("--style paper is black on white", hint="leave out --theme dark")
    if title is not None and no_title:
        raise UsageError("--title and --no-title contradict each other", hint="give one of the two")
    if title is not None and len(names) > 1:
        raise UsageError("--title is of one picture, and several are named", hint="draw each by itself")
    colours = "paper" if style == "paper" else theme
    return wished(form, Look(colours, "" if no_title else title, font=font, dpi=dpi), *size)


def differing(look: "Look") -> dict[str, bool]:
    """Which options of the look were given: a README's picture has none of them."""
    plain = type(look)()
    return {one.name: getattr(look, one.name) != getattr(plain, one.name) for one in fields(look)}


def replace_files(session: CommandSession, folder: Path, drawn: Iterable[tuple[str, bytes]]) -> None:
    """Write the README's pictures, as one change of the survey, and name them."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import Change

    with locked(session) as lock:
        tree = WorkingTree(folder)
        changes = [Change(name, tree.read(name), data) for name, data in drawn]
        lock.commit(changes)
    for change in changes:
        session.say(f"wrote {folder / change.path}")
    if not changes:
        session.say("no picture is stale")


def write_files(session: CommandSession, folder: Path, drawn: Iterable[tuple[str, bytes]]) -> None:
    """Write pictures and name them."""
    from awesome_cli.files.paths import place
    from awesome_cli.survey import saving

    with in_part("the pictures"):
        for name, data in tuple(drawn):
            saving.write(place(folder, name), data)
            session.say(f"wrote {folder / name}")


def require_use(names: Sequence[str], given: Mapping[str, str | None]) -> None:
    """Raise `UsageError` for an option that one of the kinds does not use, or that the README's pictures do not."""
    from awesome_cli.publish.plots.kinds import users

    for use in (use for use, value in given.items() if value is not None):
        option, fitting = OPTIONS.get(use, f"--{use}"), users(use)
        if not names:
            require_plain(**{use: True})
        if wrong := next((name for name in names if name in NAMES and name not in fitting), None):
            raise UsageError(f"the plot {wrong!r} takes no {option}", hint=f"plots that do: {', '.join(fitting)}")


def require_plain(**given: bool) -> None:
    """Raise `UsageError` for the first option that was given with --readme."""
    if use := next(filter(given.get, given), None):
        option = OPTIONS.get(use, f"--{use.replace('_', '-')}")
        raise UsageError(f"{option} does not go with --readme", hint="taxonomy.yaml says what its pictures show")
