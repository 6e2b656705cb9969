"""Plots as files: the README's pictures, which can be stale, and pictures on request."""

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
"""The format of the data file beside a picture."""


def readme_plots(corpus: Corpus) -> tuple[Plot, ...]:
    """Return the README's plots, from the taxonomy."""
    return corpus.taxonomy.readme.plots if corpus.taxonomy.readme else ()


def figure(corpus: Corpus, plot: Plot) -> Figure:
    """Compute the figure of a plot; raises `SurveyError` for an unknown kind."""
    known = kinds.NAMES
    if plot.kind not in known:
        message = f"taxonomy.yaml: plot {plot.name!r}: {unknown(plot.kind, known, 'plot kind')}"
        raise SurveyError(message, hint=f"kinds: {', '.join(known)}")
    shown: Figure = visible(kinds.kind(plot.kind).figure(corpus, plot))
    return shown


def picture_file(name: str, theme: str) -> str:
    """Return the path of a README picture, relative to the survey's root."""
    return f"{freshness.PICTURES}/{name}-{theme}.svg"


def data_file(name: str) -> str:
    """Return the path of the data of a README picture, relative to the survey's root."""
    return f"{freshness.PICTURES}/{name}.{DATA}"


def table(shown: Figure, *, raw: bool = False) -> bytes:
    """Return the data of a figure as CSV; unless `raw`, cells that a spreadsheet would evaluate are escaped."""
    lines = ([str(cell).lower() if isinstance(cell, bool) else cell for cell in line] for line in rows(shown))
    return to_csv(lines, raw=raw).encode()


def stale_pictures(corpus: Corpus, root: Path) -> dict[str, bool]:
    """Return for each README picture and data file whether it is stale: missing, edited, or older than the records."""
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
    """Draw each stale picture and yield `(path, bytes)`."""
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
    """Return the sources of a picture's stamp: its figure, without theme and library."""
    data = {"kind": type(shown).__name__, **asdict(shown)}
    return {"figure": json.dumps(data, sort_keys=True).encode()}


def find(corpus: Corpus, name: str) -> Plot:
    """Return the README's plot or the kind of this name, with defaults; raises `UsageError` if unknown."""
    declared = {plot.name: plot for plot in readme_plots(corpus)}
    known = kinds.NAMES
    if name not in declared and name not in known:
        hint = f"kinds: {', '.join(known)}" + (f"; the README's plots: {', '.join(declared)}" if declared else "")
        require_known(name, [*declared, *known], "plot", hint=hint)
    return declared.get(name) or Plot(name=name, kind=name)


@dataclass(frozen=True, slots=True)
class Wish:
    """Options of requested pictures: format, look, and whether to write the data beside them (`raw`: unescaped)."""

    form: str
    look: Look
    with_data: bool = True
    raw: bool = False


def pictures(
    corpus: Corpus, names: Iterable[str], options: Mapping[str, str | None], wish: Wish
) -> Iterator[tuple[str, bytes]]:
    """Yield `(file name, bytes)` of each plot and its data; `options` overrides `rows`, `columns` and `measure`."""
    from awesome_cli.publish.plots.pictures import draw

    overrides = {field: value for field, value in options.items() if value is not None}
    for name in watched(tuple(names), "drawing plots"):
        shown = figure(corpus, find(corpus, name).model_copy(update=overrides))
        if wish.form != DATA:
            yield f"{name}.{wish.form}", draw(shown, wish.form, wish.look.theme, wish.look)
        if wish.form == DATA or wish.with_data:
            yield f"{name}.{DATA}", table(shown, raw=wish.raw)
