"""The heat map of two axes."""

from dataclasses import replace

from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.axes import chosen_pair, matrix_grid
from awesome_cli.publish.plots.figures import Grid, GridCell, Style
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind("rows", "columns", "where")
def heatmap(corpus: Corpus, plot: Plot) -> Grid:
    """Papers with each pair of terms, at any strength, as a heat map."""
    return papers_by_pair(corpus, plot, "heat")


def papers_by_pair(corpus: Corpus, plot: Plot, style: Style) -> Grid:
    """Papers with each pair of terms, at any strength."""
    pair = chosen_pair(corpus, plot, strength=False)
    grid = matrix_grid(corpus, pair, style, lambda cell: GridCell(len(cell.keys), str(len(cell.keys))))
    return replace(grid, title=plot.label or f"Papers by {grid.row_label.lower()} and {grid.column_label.lower()}")
