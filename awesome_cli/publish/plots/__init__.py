"""Pictures for papers, slides and the README. What is plotted is plain data; only `drawing` needs a library."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import get_args

from awesome_cli.model.taxonomy import Plot, PlotKind
from awesome_cli.publish.plots.figures import Figure, digest
from awesome_cli.publish.plots.making import KINDS
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known

PICTURES = "docs/pictures"
"""Where the README's pictures and the hashes of what they show lie, relative to the survey's root."""
THEMES = ("light", "dark")


def readme_plots(corpus: Corpus) -> tuple[Plot, ...]:
    """The plots that the README shows, as the taxonomy names them."""
    return corpus.taxonomy.readme.plots if corpus.taxonomy.readme else ()


def find(corpus: Corpus, name: str) -> Plot:
    """The README's plot of that name, else the kind of that name with its defaults; raises `UsageError`."""
    declared = {plot.name: plot for plot in readme_plots(corpus)}
    if name in declared:
        return declared[name]
    kinds: dict[str, PlotKind] = {kind: kind for kind in get_args(PlotKind)}
    require_known(name, [*declared, *kinds], "plot", hint=_listed(declared, kinds))
    return Plot(name=name, kind=kinds[name])


def _listed(declared: Iterable[str], kinds: Iterable[str]) -> str:
    """What can be asked for, the README's plots apart from the kinds."""
    names = ", ".join(declared)
    return f"kinds: {', '.join(kinds)}" + (f"; the README's plots: {names}" if names else "")


def figure(corpus: Corpus, plot: Plot) -> Figure:
    """What a plot shows."""
    return KINDS[plot.kind](corpus, plot)


def hash_file(name: str) -> str:
    """Where the hashes of a README plot's data and pictures are kept, relative to the survey's root."""
    return f"{PICTURES}/{name}.sha256"


def picture_file(name: str, theme: str) -> str:
    """Where a README picture lies, relative to the survey's root."""
    return f"{PICTURES}/{name}-{theme}.svg"


def sums(name: str, shown: Figure, pictures: Mapping[str, bytes | None]) -> str:
    """The hash file of a README plot: the SHA-256 of its data and of its picture in each theme; needs no library."""
    lines = [f"{digest(shown)}  data"]
    for theme, data in pictures.items():
        found = hashlib.sha256(data).hexdigest() if data is not None else "-"
        lines.append(f"{found}  {name}-{theme}.svg")
    return "".join(f"{line}\n" for line in lines)


def stale(corpus: Corpus, root: Path) -> Iterator[str]:
    """Names of the README's plots whose picture is missing, was changed, or shows other data than the records hold."""
    for plot in readme_plots(corpus):
        kept = _bytes(root / hash_file(plot.name))
        pictures = {theme: _bytes(root / picture_file(plot.name, theme)) for theme in THEMES}
        if None in pictures.values() or kept != sums(plot.name, figure(corpus, plot), pictures).encode():
            yield plot.name


def _bytes(path: Path) -> bytes | None:
    """What a file holds; None where there is none."""
    return path.read_bytes() if path.is_file() else None
