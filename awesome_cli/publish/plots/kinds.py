"""The names of the kinds of plot, and what each uses; `charts` has their functions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from awesome_cli.reports.findings import RawFinding
from awesome_cli.rules.registry import spelt
from awesome_cli.text.known import unknown

if TYPE_CHECKING:
    from awesome_cli.publish.plots.charts import PlotKind
    from awesome_cli.survey.corpus import Corpus

NAMES = ("bubbles", "claims", "flow", "gaps", "heatmap", "measure", "timeline", "years")
"""The functions of `charts` decorated with `@plot_kind`; written out, so that validation imports none of them."""


def kind(name: str) -> "PlotKind":
    """The kind of a known name."""
    from awesome_cli.publish.plots import charts

    chosen: PlotKind = getattr(charts, name)
    return chosen


def users(use: str) -> tuple[str, ...]:
    """The kinds that use rows, columns or a measure; with `where`, those that use any: the others show all records."""
    wanted = {"rows", "columns", "measure"} if use == "where" else {use}
    return tuple(name for name in NAMES if wanted & {*kind(name).uses})


def completions() -> Iterator[tuple[str, str]]:
    """Each name with its description and its options, for completion and editors."""
    for name in NAMES:
        entry = kind(name)
        yield name, entry.description + (f" Uses: {', '.join(entry.uses)}." if entry.uses else "")


def unknown_kinds(corpus: "Corpus") -> Iterator[RawFinding]:
    """A finding for each plot of the README whose kind does not exist."""
    readme = corpus.taxonomy.readme
    for i, plot in enumerate(readme.plots if readme else ()):
        if plot.kind not in NAMES:
            route = ("readme", "plots", i, "kind")
            yield RawFinding(
                "A002", "taxonomy.yaml", route, unknown(plot.kind, NAMES, "plot kind"), spelt(plot.kind, NAMES)
            )
