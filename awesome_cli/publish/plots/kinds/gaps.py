"""The gap matrix."""

from dataclasses import replace

from awesome_cli.analysis.gaps.matrix import MatrixCell
from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.axes import chosen_pair, matrix_grid
from awesome_cli.publish.plots.figures import Grid, GridCell
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind("rows", "columns")
def gaps(corpus: Corpus, plot: Plot) -> Grid:
    """The gap matrix of two axes, or of one by strength: numbers of papers with their states."""
    pair = chosen_pair(corpus, plot, strength=True)
    grid = matrix_grid(corpus, pair, "states", _with_state)
    weaker = any("(" in cell.text for row in grid.cells for cell in row)
    note = "In parentheses: papers with weaker evidence." if weaker else ""
    return replace(grid, title=plot.label or pair.label or grid.title, note=note)


def _with_state(cell: MatrixCell) -> GridCell:
    """A number with the word of its state; papers with weaker evidence stand in parentheses."""
    number = f"{cell.n} (+{cell.weaker})" if cell.weaker else str(cell.n)
    if cell.state is None:
        return GridCell(cell.n, number)
    return GridCell(cell.n, f"{number}\n{cell.state.word}", cell.state.value)
