"""The gap matrix."""

from awesome_cli.analysis.gaps.matrix import MatrixCell, matrix
from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.axes import axis_labels, chosen_pair, entry_labels
from awesome_cli.publish.plots.figures import Grid, GridCell
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind("rows", "columns")
def gaps(corpus: Corpus, plot: Plot) -> Grid:
    """The gap matrix of two axes, or of one by strength: numbers of papers with their states."""
    pair = chosen_pair(corpus, plot, strength=True)
    found = matrix(corpus, pair)
    row_label, column_label = axis_labels(corpus, pair)
    rows = [found.cells[row.id].values() for row in found.rows]
    title = plot.label or pair.label or f"{row_label} by {column_label.lower()}"
    note = "In parentheses: papers with weaker evidence." if any(cell.weaker for row in rows for cell in row) else ""
    cells = tuple(tuple(map(_with_state, row)) for row in rows)
    return Grid(title, row_label, column_label, *entry_labels(found), cells, "states", note)


def _with_state(cell: MatrixCell) -> GridCell:
    """A number with the word of its state; papers with weaker evidence stand in parentheses."""
    number = f"{cell.n} (+{cell.weaker})" if cell.weaker else str(cell.n)
    if cell.state is None:
        return GridCell(cell.n, number)
    return GridCell(cell.n, f"{number}\n{cell.state.word}", cell.state.value)
