"""The kinds of plot: each module of this package holds one, under the module's name."""

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from awesome_cli.reports.findings import RawFinding
from awesome_cli.rules.registry import spelt
from awesome_cli.text.known import unknown

if TYPE_CHECKING:
    from awesome_cli.model.taxonomy import Plot
    from awesome_cli.publish.plots.figures import Figure
    from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class PlotKind:
    """A kind of plot: its name, what it shows, which options it uses, and the function that makes its figure."""

    name: str
    description: str
    uses: tuple[str, ...]
    figure: "Callable[[Corpus, Plot], Figure]"


def plot_kind(*uses: str) -> "Callable[[Callable[[Corpus, Plot], Figure]], PlotKind]":
    """Make a kind of plot out of the documented function of its name; `uses`: rows, columns, measure, where."""

    def made(figure: "Callable[[Corpus, Plot], Figure]") -> PlotKind:
        return PlotKind(figure.__name__, (inspect.getdoc(figure) or "").partition("\n")[0], uses, figure)

    return made


def names() -> tuple[str, ...]:
    """The names of all kinds; none is imported for it, so that validation stays fast."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def kind(name: str) -> PlotKind:
    """The kind of a known name."""
    found: PlotKind = getattr(import_module(f"{__name__}.{name}"), name)
    return found


def users(option: str) -> tuple[str, ...]:
    """The kinds that use an option of `awesome plot`; `by` names the rows or the columns."""
    wanted = {"rows", "columns"} if option == "by" else {option}
    return tuple(name for name in names() if wanted & {*kind(name).uses})


def completions() -> Iterator[tuple[str, str]]:
    """Each name with its description and its options, for completion and editors."""
    for name in names():
        found = kind(name)
        yield name, found.description + (f" Uses: {', '.join(found.uses)}." if found.uses else "")


def unknown_kinds(corpus: "Corpus") -> Iterator[RawFinding]:
    """A finding for each plot of the README whose kind does not exist."""
    known = names()
    readme = corpus.taxonomy.readme
    for i, plot in enumerate(readme.plots if readme else ()):
        if plot.kind not in known:
            route = ("readme", "plots", i, "kind")
            yield RawFinding(
                "A002", "taxonomy.yaml", route, unknown(plot.kind, known, "plot kind"), spelt(plot.kind, known)
            )
