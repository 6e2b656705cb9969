"""What kinds of plot share: the axes that they were asked for, their labels, and the matrix of two axes."""

from collections.abc import Callable
from datetime import date

from awesome_cli.analysis.gaps.matrix import MatrixCell, matrix
from awesome_cli.model.appearance import Plot
from awesome_cli.model.taxonomy import Axis, Map, Named, Term
from awesome_cli.publish.plots.figures import Grid, GridCell, Style
from awesome_cli.survey.corpus import Corpus


def chosen_axis(corpus: Corpus, name: str | None, default: str | None) -> Axis:
    """The axis that was asked for, else the default, else the first; raises `UsageError` for an unknown one."""
    return corpus.taxonomy.axis(name or default or corpus.taxonomy.axes[0].id)


def chosen_pair(corpus: Corpus, plot: Plot, *, strength: bool) -> Map:
    """The pair of axes asked for; without one the taxonomy's first that fits.

    `strength` allows a pair without columns, which stands for an axis by its strengths.
    """
    maps = corpus.taxonomy.maps
    if plot.rows is None and plot.columns is None:
        fitting = [pair for pair in maps if strength or pair.columns is not None]
        if fitting:
            return fitting[0]
    ids = list(corpus.taxonomy.by_id)
    rows = chosen_axis(corpus, plot.rows, ids[0])
    if plot.columns is None and strength:
        return Map(rows=rows.id)
    other = next((axis for axis in ids if axis != rows.id), rows.id)
    pair = Map(rows=rows.id, columns=chosen_axis(corpus, plot.columns, other).id)
    return next((known for known in maps if known.name == pair.name), pair)


def last_day(corpus: Corpus) -> date | None:
    """The day until which the pool was gathered: that of an earlier pool, else the last paper's or the cutoff."""
    if corpus.day is not None:
        return corpus.day
    cutoff = corpus.taxonomy.survey.cutoff
    return max([paper.added for paper in corpus.papers] + ([cutoff] if cutoff else []), default=None)


def short_title(title: str, most: int = 40) -> str:
    """A title as a label: what stands before its colon, cut after a word."""
    head = title.partition(": ")[0]
    return head if len(head) <= most else head[:most].rpartition(" ")[0] + "…"


def label(entry: Named) -> str:
    """The label of a term with its code, or of a strength."""
    return f"{entry.code} {entry.label}" if isinstance(entry, Term) and entry.code else entry.label


def matrix_grid(corpus: Corpus, pair: Map, style: Style, content: Callable[[MatrixCell], GridCell]) -> Grid:
    """The matrix of a pair of axes, or of one by strength, as a grid called after both."""
    axes, found = corpus.taxonomy.by_id, matrix(corpus, pair)
    rows, columns = axes[pair.rows].label, axes[pair.columns].label if pair.columns else "Strength"
    cells = tuple(tuple(map(content, found.cells[row.id].values())) for row in found.rows)
    names = tuple(map(label, found.rows)), tuple(map(label, found.columns))
    known = {row.id for row in found.rows}
    inner = tuple(row.parent in known for row in found.rows)
    return Grid(f"{rows} by {columns.lower()}", rows, columns, *names, cells, style, inner=inner)
