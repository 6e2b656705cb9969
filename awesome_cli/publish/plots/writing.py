"""Plots as files: those that somebody asked for, and the README's with the hash of what they show."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awesome_cli.publish.plots import THEMES, figure, find, hash_file, picture_file, readme_plots, stale, sums
from awesome_cli.publish.plots.drawing import draw
from awesome_cli.publish.plots.vega import vega
from awesome_cli.survey import saving
from awesome_cli.survey.corpus import Corpus

ENDINGS = {"vega": "vl.json"}


def files(
    corpus: Corpus, names: Iterable[str], asked: Mapping[str, str | None], *, form: str, theme: str
) -> Iterator[tuple[str, bytes]]:
    """`(file name, bytes)` of each plot; `asked` overrides its `rows`, `columns` and `measure`."""
    overrides = {field: value for field, value in asked.items() if value is not None}
    for name in names:
        shown = figure(corpus, find(corpus, name).model_copy(update=overrides))
        data = vega(shown).encode() if form == "vega" else draw(shown, form, theme)
        yield f"{name}.{ENDINGS.get(form, form)}", data


def readme_files(corpus: Corpus, root: Path) -> Iterator[tuple[str, bytes]]:
    """The README's pictures that are stale, in every theme, each plot with its hash file."""
    names = set(stale(corpus, root))
    for plot in readme_plots(corpus):
        if plot.name not in names:
            continue
        shown = figure(corpus, plot)
        pictures = {theme: draw(shown, "svg", theme) for theme in THEMES}
        for theme, data in pictures.items():
            yield picture_file(plot.name, theme), data
        yield hash_file(plot.name), sums(plot.name, shown, pictures).encode()


def write(pictures: Iterable[tuple[str, bytes]], folder: Path) -> Iterator[Path]:
    """Write the files into a folder, and name each."""
    for name, data in pictures:
        path = folder / name
        saving.write(path, data)
        yield path
