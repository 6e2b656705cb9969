"""Pictures as files: those of the README, which may be stale, and those that somebody asks for."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from awesome_cli.errors import SurveyError
from awesome_cli.files import paths
from awesome_cli.model.appearance import Plot
from awesome_cli.publish import freshness
from awesome_cli.publish.plots import kinds
from awesome_cli.publish.plots.figures import Figure, rows, visible
from awesome_cli.publish.plots.themes import Look
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import to_csv
from awesome_cli.text.known import require_known, unknown

THEMES = ("light", "dark")
DATA = "csv"
"""The format of a picture's data, which lie beside it."""


def readme_plots(corpus: Corpus) -> tuple[Plot, ...]:
    """The plots that the README shows, as the taxonomy names them."""
    return corpus.taxonomy.readme.plots if corpus.taxonomy.readme else ()


def figure(corpus: Corpus, plot: Plot) -> Figure:
    """The figure of a plot; raises `SurveyError` for a kind that does not exist."""
    known = kinds.NAMES
    if plot.kind not in known:
        message = f"taxonomy.yaml: plot {plot.name!r}: {unknown(plot.kind, known, 'plot kind')}"
        raise SurveyError(message, hint=f"kinds: {', '.join(known)}")
    shown: Figure = visible(kinds.kind(plot.kind).figure(corpus, plot))
    return shown


def picture_file(name: str, theme: str) -> str:
    """Where a README picture lies, relative to the survey's root."""
    return f"{freshness.PICTURES}/{name}-{theme}.svg"


def data_file(name: str) -> str:
    """Where the data of a README picture lie, relative to the survey's root."""
    return f"{freshness.PICTURES}/{name}.{DATA}"


def table(shown: Figure, *, raw: bool = False) -> bytes:
    """The data of a figure as CSV; unless `raw`, no cell is a formula for a spreadsheet."""
    lines = ([str(cell).lower() if isinstance(cell, bool) else cell for cell in line] for line in rows(shown))
    return to_csv(lines, raw=raw).encode()


def stale_pictures(corpus: Corpus, root: Path) -> dict[str, bool]:
    """For each of the README's pictures, and their data, whether it is missing, changed, or not as the records are."""
    stale = {}
    for plot in readme_plots(corpus):
        sources = _sources(shown := figure(corpus, plot))
        for theme in THEMES:
            data = paths.read(root, name := picture_file(plot.name, theme))
            stale[name] = data is None or not freshness.is_fresh(data, sources)
        name = data_file(plot.name)
        stale[name] = paths.read(root, name) != table(shown)
    return stale


def drawn_pictures(corpus: Corpus, root: Path) -> Iterator[tuple[str, bytes]]:
    """The path and the bytes of each stale picture."""
    from awesome_cli.publish.plots.pictures import draw

    stale = stale_pictures(corpus, root)
    for plot in watched(readme_plots(corpus), "drawing plots"):
        shown = figure(corpus, plot)
        if stale[name := data_file(plot.name)]:
            yield name, table(shown)
        for theme in THEMES:
            if stale[name := picture_file(plot.name, theme)]:
                yield name, freshness.stamped(draw(shown, "svg", theme) + freshness.COMMENT, _sources(shown))


def _sources(shown: Figure) -> dict[str, bytes]:
    """The sources of a picture's stamp: its data, without theme and library."""
    data = {"kind": type(shown).__name__, **asdict(shown)}
    return {"figure": json.dumps(data, sort_keys=True).encode()}


def find(corpus: Corpus, name: str) -> Plot:
    """The README's plot of that name, else the kind of that name with its defaults; raises `UsageError`."""
    declared = {plot.name: plot for plot in readme_plots(corpus)}
    known = kinds.NAMES
    if name not in declared and name not in known:
        hint = f"kinds: {', '.join(known)}" + (f"; the README's plots: {', '.join(declared)}" if declared else "")
        require_known(name, [*declared, *known], "plot", hint=hint)
    return declared.get(name) or Plot(name=name, kind=name)


@dataclass(frozen=True, slots=True)
class Wish:
    """How pictures are asked for: the format, how they look, and whether their data lie beside them."""

    form: str
    look: Look
    with_data: bool = True
    raw: bool = False


def pictures(
    corpus: Corpus, names: Iterable[str], options: Mapping[str, str | None], wish: Wish
) -> Iterator[tuple[str, bytes]]:
    """`(file name, bytes)` of each plot and its data; `options` overrides its `rows`, `columns` and `measure`."""
    from awesome_cli.publish.plots.pictures import draw

    overrides = {field: value for field, value in options.items() if value is not None}
    for name in watched(tuple(names), "drawing plots"):
        shown = figure(corpus, find(corpus, name).model_copy(update=overrides))
        if wish.form != DATA:
            yield f"{name}.{wish.form}", draw(shown, wish.form, wish.look.theme, wish.look)
        if wish.form == DATA or wish.with_data:
            yield f"{name}.{DATA}", table(shown, raw=wish.raw)
