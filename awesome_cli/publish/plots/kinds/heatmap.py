"""The heat map of two axes."""

from awesome_cli.analysis.gaps.matrix import matrix
from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.axes import axis_labels, chosen_pair, entry_labels
from awesome_cli.publish.plots.figures import Grid, GridCell
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind("rows", "columns")
def heatmap(corpus: Corpus, plot: Plot) -> Grid:
    """Papers with each pair of terms, at any strength, as a heat map."""
    pair = chosen_pair(corpus, plot, strength=False)
    found = matrix(corpus, pair)
    row_label, column_label = axis_labels(corpus, pair)
    counts = [[len(cell.keys) for cell in found.cells[row.id].values()] for row in found.rows]
    cells = tuple(tuple(GridCell(n, str(n)) for n in row) for row in counts)
    title = plot.label or f"Papers by {row_label.lower()} and {column_label.lower()}"
    return Grid(title, row_label, column_label, *entry_labels(found), cells, "heat")
