"""The plots that somebody asks for, as files."""

from collections.abc import Iterable, Iterator, Mapping

from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots import kinds
from awesome_cli.publish.plots.pictures import draw
from awesome_cli.publish.plots.readme_pictures import figure, readme_plots
from awesome_cli.publish.plots.vega import vega
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known

ENDINGS = {"vega": "vl.json"}


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
    overrides = {field: value for field, value in asked.items() if value is not None}
    for name in names:
        shown = figure(corpus, find(corpus, name).model_copy(update=overrides))
        data = vega(shown).encode() if form == "vega" else draw(shown, form, theme)
        yield f"{name}.{ENDINGS.get(form, form)}", data
