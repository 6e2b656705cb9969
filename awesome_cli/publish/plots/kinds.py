"""The names of the kinds of plot and their options; their functions are in `charts`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from awesome_cli.reports.findings import RawFinding
from awesome_cli.text.known import unknown

if TYPE_CHECKING:
    from awesome_cli.publish.plots.charts import PlotKind
    from awesome_cli.survey.corpus import Corpus

NAMES = ("claims", "flow", "gaps", "heatmap", "measure", "timeline", "years")
"""The functions of `charts` decorated with `@plot_kind`; listed here so that validation need not import them."""


def kind(name: str) -> "PlotKind":
    """Return the kind of a known name."""
    from awesome_cli.publish.plots import charts

    chosen: PlotKind = getattr(charts, name)
    return chosen


def users(use: str) -> tuple[str, ...]:
    """Return the kinds that support an option: rows, columns, measure, or `where` (kinds with any of these)."""
    wanted = {"rows", "columns", "measure"} if use == "where" else {use}
    return tuple(name for name in NAMES if wanted & {*kind(name).uses})


def completions() -> Iterator[tuple[str, str]]:
    """Yield each name with its description and options, for shell completion and editors."""
    for name in NAMES:
        entry = kind(name)
        yield name, entry.description + (f" Uses: {', '.join(entry.uses)}." if entry.uses else "")


def unknown_kinds(corpus: "Corpus") -> Iterator[RawFinding]:
    """Yield a finding for each README plot of an unknown kind."""
    from awesome_cli.rules.registry import spelt  # Imported here, since it imports the models.

    readme = corpus.taxonomy.readme
    for i, plot in enumerate(readme.plots if readme else ()):
        if plot.kind not in NAMES:
            route = ("readme", "plots", i, "kind")
            yield RawFinding(
                "A002", "taxonomy.yaml", route, unknown(plot.kind, NAMES, "plot kind"), spelt(plot.kind, NAMES)
            )
