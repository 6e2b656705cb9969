"""Matrices of the gap map for plots and pages: two axes, or an axis by strength."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from awesome_cli.analysis.gaps.cells import GapCell, pair_cells, silence_notes, term_cell
from awesome_cli.analysis.gaps.states import GapState
from awesome_cli.model.taxonomy import Axis, Map, Named, Term, tree
from awesome_cli.survey.corpus import Corpus

ANY = "any"
"""The column of a strength matrix with papers at any strength."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell with the numbers of papers that count (`n`), have too low a strength (`weaker`) or only a part (`parts`).

    `contested` counts the contested papers among `n` and `weaker`, `doubted` only those among `n`. `state` is None in
    the columns of a strength matrix that do not decide the state of a term. `word` and `base` are as in `GapCell`.
    """

    n: int
    weaker: int
    contested: int
    state: GapState | None
    keys: tuple[str, ...]
    parts: int = 0
    doubted: int = 0
    word: str = field(default="", compare=False)
    base: str = field(default="", compare=False)


@dataclass(frozen=True)
class Matrix:
    """Rows and columns in taxonomy order, parents before children; cells without papers are included.

    In a strength matrix, `decides` is the column that decides the state of a term; None for a pair of axes. `notes`
    state the number of papers that absences rest on.
    """

    rows: tuple[Term, ...]
    columns: tuple[Named, ...]
    decides: str | None
    cells: Mapping[str, Mapping[str, MatrixCell]]
    notes: tuple[str, ...] = ()

    @cached_property
    def largest(self) -> int:
        """The highest `n` of any cell."""
        return max((cell.n for line in self.cells.values() for cell in line.values()), default=0)


def matrix(corpus: Corpus, pair: Map) -> Matrix:
    """Return the matrix of a pair of axes, or of the row axis by strength if the pair has no column axis.

    The rows include parent terms. The cell of a parent counts a paper once, even if the paper has several children.
    """
    rows = corpus.taxonomy.by_id[pair.rows]
    if pair.columns is None:
        return _by_strength(corpus, rows)
    columns = corpus.taxonomy.by_id[pair.columns]
    lines = pair_cells(corpus, pair, tree(rows))
    cells = {row: {column: _matrix_cell(cell) for column, cell in line.items()} for row, line in lines.items()}
    return Matrix(tree(rows), columns.leaves, None, cells, silence_notes(corpus, rows, columns))


def _matrix_cell(cell: GapCell) -> MatrixCell:
    weaker, doubted = cell.n - len(cell.covering), len(set(cell.contested).intersection(cell.covering))
    return MatrixCell(
        len(cell.covering), weaker, len(cell.contested), cell.state, cell.keys, len(cell.parts), doubted,
        cell.word, cell.base if cell.uncoded or cell.state.lacks else "",
    )  # fmt: skip


def _by_strength(corpus: Corpus, axis: Axis) -> Matrix:
    decides = axis.gap_strength or ANY
    label = "any strength" if axis.strengths else "papers"
    columns = (*reversed(axis.strengths), Named(id=ANY, label=label))

    def cell(term: Term, column: str) -> MatrixCell:
        if column == decides:
            return _matrix_cell(term_cell(corpus, axis, term))
        family = axis.family[term.id]
        contested = {
            paper.key: any(tag.contested for tag in tags)
            for paper in corpus.papers
            if (tags := [t for t in paper.tags_on(axis.id) if t.term in family and column in (ANY, t.strength)])
        }
        n = sum(contested.values())
        return MatrixCell(len(contested), 0, n, None, tuple(contested), doubted=n)

    cells = {term.id: {column.id: cell(term, column.id) for column in columns} for term in tree(axis)}
    return Matrix(tree(axis), columns, decides, cells, silence_notes(corpus, axis))
