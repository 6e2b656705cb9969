"""The gap map as a picture or a page shows it: a matrix of two axes, or of an axis and its strengths."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from awesome_cli.analysis.gaps.cells import GapCell, pair_cells, term_cell
from awesome_cli.analysis.gaps.states import GapState
from awesome_cli.model.taxonomy import Axis, Map, Named, Term, tree
from awesome_cli.survey.corpus import Corpus

ANY = "any"
"""The column of a strength matrix that holds papers at any strength."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell: `n` papers count, `weaker` more have the terms without being strong enough, `parts` more as a part.

    `contested` are of the `n` and of the weaker ones, `doubted` of the `n` alone. `state` is None where a column
    only counts, such as a strength below the one that decides.
    """

    n: int
    weaker: int
    contested: int
    state: GapState | None
    keys: tuple[str, ...]
    parts: int = 0
    doubted: int = 0


@dataclass(frozen=True)
class Matrix:
    """Rows and columns in taxonomy order, each parent before its children, every cell there, zeros included.

    `decides` is the column that makes a term a gap in a strength matrix, None for a pair of axes.
    """

    rows: tuple[Term, ...]
    columns: tuple[Named, ...]
    decides: str | None
    cells: Mapping[str, Mapping[str, MatrixCell]]

    @cached_property
    def largest(self) -> int:
        """The most papers that count in a cell."""
        return max((cell.n for line in self.cells.values() for cell in line.values()), default=0)


def matrix(corpus: Corpus, pair: Map) -> Matrix:
    """The matrix of a pair of axes; of a pair without columns, the axis by strength.

    Parents are among the rows: each of their cells holds a paper of their children once.
    """
    rows = corpus.taxonomy.by_id[pair.rows]
    if pair.columns is None:
        return _by_strength(corpus, rows)
    columns = corpus.taxonomy.by_id[pair.columns]
    found = pair_cells(corpus, pair, tree(rows))
    cells = {row: {column: _matrix_cell(cell) for column, cell in line.items()} for row, line in found.items()}
    return Matrix(tree(rows), columns.leaves, None, cells)


def _matrix_cell(cell: GapCell) -> MatrixCell:
    weaker, doubted = cell.n - len(cell.covering), len(set(cell.contested).intersection(cell.covering))
    return MatrixCell(len(cell.covering), weaker, len(cell.contested), cell.state, cell.keys, len(cell.parts), doubted)


def _by_strength(corpus: Corpus, axis: Axis) -> Matrix:
    decides = axis.gap_strength or ANY
    label = "any strength" if axis.strengths else "papers"
    columns = (*reversed(axis.strengths), Named(id=ANY, label=label))

    def cell(term: Term, column: str) -> MatrixCell:
        if column == decides:
            return _matrix_cell(term_cell(corpus, axis, term))
        family = axis.family[term.id]
        found = {
            paper.key: any(tag.contested for tag in tags)
            for paper in corpus.papers
            if (tags := [t for t in paper.tags_on(axis.id) if t.term in family and column in (ANY, t.strength)])
        }
        return MatrixCell(len(found), 0, sum(found.values()), None, tuple(found), doubted=sum(found.values()))

    cells = {term.id: {column.id: cell(term, column.id) for column in columns} for term in tree(axis)}
    return Matrix(tree(axis), columns, decides, cells)
