"""Pictures as files: those of the README, which may be stale, and those that somebody asks for."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from awesome_cli.errors import SurveyError
from awesome_cli.files import plain
from awesome_cli.model.appearance import Plot
from awesome_cli.publish import freshness
from awesome_cli.publish.plots import kinds
from awesome_cli.publish.plots.figures import Figure, visible
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known, unknown

THEMES = ("light", "dark")
ENDINGS = {"vega": "vl.json"}


def readme_plots(corpus: Corpus) -> tuple[Plot, ...]:
    """The plots that the README shows, as the taxonomy names them."""
    return corpus.taxonomy.readme.plots if corpus.taxonomy.readme else ()


def figure(corpus: Corpus, plot: Plot) -> Figure:
    """What a plot shows; raises `SurveyError` for a kind that does not exist."""
    known = kinds.names()
    if plot.kind not in known:
        message = f"taxonomy.yaml: plot {plot.name!r}: {unknown(plot.kind, known, 'plot kind')}"
        raise SurveyError(message, hint=f"kinds: {', '.join(known)}")
    shown: Figure = visible(kinds.kind(plot.kind).figure(corpus, plot))
    return shown


def picture_file(name: str, theme: str) -> str:
    """Where a README picture lies, relative to the survey's root."""
    return f"{freshness.PICTURES}/{name}-{theme}.svg"


def stale_pictures(corpus: Corpus, root: Path) -> dict[str, bool]:
    """For each of the README's pictures whether it is missing, was changed, or shows other data than the records."""
    found = {}
    for plot in readme_plots(corpus):
        sources = _sources(figure(corpus, plot))
        for theme in THEMES:
            data = plain.read(root, name := picture_file(plot.name, theme))
            found[name] = data is None or not freshness.is_fresh(data, sources)
    return found


def drawn_pictures(corpus: Corpus, root: Path) -> Iterator[tuple[str, bytes]]:
    """The path and the bytes of each stale picture."""
    from awesome_cli.publish.plots.pictures import draw

    stale = stale_pictures(corpus, root)
    for plot in watched(readme_plots(corpus), "drawing plots"):
        for theme in THEMES:
            if stale[name := picture_file(plot.name, theme)]:
                shown = figure(corpus, plot)
                yield name, freshness.stamped(draw(shown, "svg", theme) + freshness.COMMENT, _sources(shown))


def _sources(shown: Figure) -> dict[str, bytes]:
    """What a picture is stamped with: its data, without theme and library."""
    data = {"kind": type(shown).__name__, **asdict(shown)}
    return {"figure": json.dumps(data, sort_keys=True).encode()}


def find(corpus: Corpus, name: str) -> Plot:
    """The README's plot of that name, else the kind of that name with its defaults; raises `UsageError`."""
    declared = {plot.name: plot for plot in readme_plots(corpus)}
    known = kinds.names()
    if name not in declared and name not in known:
        hint = f"kinds: {', '.join(known)}" + (f"; the README's plots: {', '.join(declared)}" if declared else "")
        require_known(name, [*declared, *known], "plot", hint=hint)
    return declared.get(name) or Plot(name=name, kind=name)


def pictures(
    corpus: Corpus, names: Iterable[str], asked: Mapping[str, str | None], *, form: str, theme: str
) -> Iterator[tuple[str, bytes]]:
    """`(file name, bytes)` of each plot; `asked` overrides its `rows`, `columns` and `measure`."""
    from awesome_cli.publish.plots.pictures import draw
    from awesome_cli.publish.plots.vega import vega

    overrides = {field: value for field, value in asked.items() if value is not None}
    for name in watched(tuple(names), "drawing plots"):
        shown = figure(corpus, find(corpus, name).model_copy(update=overrides))
        data = vega(shown).encode() if form == "vega" else draw(shown, form, theme)
        yield f"{name}.{ENDINGS.get(form, form)}", data
