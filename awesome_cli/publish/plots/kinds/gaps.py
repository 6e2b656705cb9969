"""The gap matrix."""

from dataclasses import replace

from awesome_cli.analysis.gaps.matrix import MatrixCell
from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.plots.axes import chosen_pair, matrix_grid
from awesome_cli.publish.plots.figures import Grid, GridCell
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus

NOTES = {"(": "In parentheses: papers with weaker evidence.", "[": "In brackets: papers that have it as a part only."}
"""What stands beside a number, by the mark that shows it."""
CHILDREN = "A row above indented ones holds each of their papers once."
PARTS_OF_PAIR = "In brackets: papers that have both terms, at least one of them as a part."


@plot_kind("rows", "columns")
def gaps(corpus: Corpus, plot: Plot) -> Grid:
    """The gap matrix of two axes, or of one by strength: numbers of papers with their states."""
    pair = chosen_pair(corpus, plot, strength=True)
    grid = matrix_grid(corpus, pair, "states", _with_state)
    shown = "".join(cell.text for row in grid.cells for cell in row)
    notes = NOTES if pair.columns is None else NOTES | {"[": PARTS_OF_PAIR}
    said = [sentence for mark, sentence in notes.items() if mark in shown] + [CHILDREN] * any(grid.inner)
    note = " ".join(said)
    seen = {cell.state for row in grid.cells for cell in row}
    legend = tuple((state.value, f"{state.word}: {state.meaning}") for state in STATES if state.value in seen)
    return replace(grid, title=plot.label or pair.label or grid.title, note=note, legend=legend)


def _with_state(cell: MatrixCell) -> GridCell:
    """A number with the word of its state; beside it papers with weaker evidence, and those that have a part of it."""
    number = str(cell.n) + (f" (+{cell.weaker})" if cell.weaker else "") + (f" [{cell.parts}]" if cell.parts else "")
    if cell.state is None:
        return GridCell(cell.n, number)
    return GridCell(cell.n, f"{number}\n{cell.state.word}", cell.state.value)
