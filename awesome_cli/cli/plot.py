"""`awesome plot`: draw pictures for papers, slides and the README."""

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
OPTIONS = {"rows": "--by", "columns": "--by with two axes"}
"""The options that set the axes of a plot, for messages."""


def plot(
    ctx: CommandContext,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help=f"Plots: {', '.join(NAMES)}, or the name of a plot in taxonomy.yaml.",
            autocompletion=completions,
        ),
    ] = None,
    by: ByOption = None,
    measure: MeasureOption = None,
    where: WhereOption = None,
    form: Annotated[PlotFormat, typer.Option("--format", "-f", help="File format.")] = "svg",
    theme: Annotated[PlotTheme, typer.Option("--theme", help="Colours for a light or a dark page.")] = "light",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", callback=within, help="Output folder. [default: the survey]"),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Title of the picture.")] = None,
    no_title: Annotated[bool, typer.Option("--no-title", help="Draw no title, for figures with a caption.")] = False,
    style: Annotated[
        Literal["screen", "paper"],
        typer.Option("--style", help="Use 'paper' for small serif text, black on white, one column (77mm) wide."),
    ] = "screen",
    width: Annotated[
        str | None, typer.Option("--width", metavar="LENGTH", help="Width of the picture: 77mm, 8.4cm, 3.3in.")
    ] = None,
    height: Annotated[
        str | None, typer.Option("--height", metavar="LENGTH", help="Height of the picture: 60mm, 6cm, 2.4in.")
    ] = None,
    font: Annotated[
        str | None, typer.Option("--font", metavar="NAME", help="Name of an installed font family.")
    ] = None,
    dpi: Annotated[int | None, typer.Option("--dpi", metavar="N", help="Resolution of a PNG in dots per inch.")] = None,
    no_data: Annotated[
        bool, typer.Option("--no-data", help="Do not write the data of the picture to NAME.csv.")
    ] = False,
    readme: Annotated[
        bool, typer.Option("--readme", help="Update the pictures of the README, light and dark.")
    ] = False,
    as_of: AsOfOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Draw plots. Equal records give identical files, and text in pictures stays selectable.

    Example: awesome plot gaps measure --format pdf --out figures
    """
    from awesome_cli.publish.plots.picture_files import Wish, drawn_pictures, pictures

    if bool(names) is readme:
        raise UsageError("expected either NAME or --readme", hint="see 'awesome plot --help'")
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
    """Return the appearance of pictures; raise `UsageError` for contradicting options and invalid values."""
    from awesome_cli.publish.plots.themes import Look, wished

    if style == "paper" and theme == "dark":
        raise UsageError("--style paper cannot be combined with --theme dark", hint="leave out --theme dark")
    if title is not None and no_title:
        raise UsageError("--title cannot be combined with --no-title", hint="leave out one option")
    if title is not None and len(names) > 1:
        raise UsageError("--title needs a single NAME", hint="draw one plot per command")
    colours = "paper" if style == "paper" else theme
    return wished(form, Look(colours, "" if no_title else title, font=font, dpi=dpi), *size)


def differing(look: "Look") -> dict[str, bool]:
    """Map each appearance option to True if its value is not the default."""
    plain = type(look)()
    return {field.name: getattr(look, field.name) != getattr(plain, field.name) for field in fields(look)}


def replace_files(session: CommandSession, folder: Path, drawn: Iterable[tuple[str, bytes]]) -> None:
    """Write the README's pictures as one change of the survey, and print their names."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import Change

    with locked(session) as lock:
        tree = WorkingTree(folder)
        changes = [Change(name, tree.read(name), data) for name, data in drawn]
        lock.commit(changes)
    for change in changes:
        session.say(f"wrote {folder / change.path}")
    if not changes:
        session.say("all pictures are up to date")


def write_files(session: CommandSession, folder: Path, drawn: Iterable[tuple[str, bytes]]) -> None:
    """Write pictures, and print their names."""
    from awesome_cli.files.paths import place
    from awesome_cli.survey import saving

    with in_part("the pictures"):
        for name, data in tuple(drawn):
            saving.write(place(folder, name), data)
            session.say(f"wrote {folder / name}")


def require_use(names: Sequence[str], options: Mapping[str, str | None]) -> None:
    """Raise `UsageError` for an option that a named plot does not use; without names (--readme), for any option."""
    from awesome_cli.publish.plots.kinds import users

    for use in (use for use, value in options.items() if value is not None):
        option, fitting = OPTIONS.get(use, f"--{use}"), users(use)
        if not names:
            require_plain(**{use: True})
        if wrong := next((name for name in names if name in NAMES and name not in fitting), None):
            raise UsageError(f"the plot {wrong!r} does not take {option}", hint=f"plot one of: {', '.join(fitting)}")


def require_plain(**options: bool) -> None:
    """Raise `UsageError` for the first option that is set: --readme takes no option of appearance."""
    if use := next(filter(options.get, options), None):
        option = OPTIONS.get(use, f"--{use.replace('_', '-')}")
        raise UsageError(
            f"{option} cannot be combined with --readme", hint="edit the section 'readme' of taxonomy.yaml instead"
        )
