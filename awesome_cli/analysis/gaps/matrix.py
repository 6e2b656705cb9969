"""Matrices of the gap map for plots and pages: two axes, or an axis by strength."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from awesome_cli.analysis.claims.perturbations import contest
from awesome_cli.analysis.gaps.cells import GapCell, covered, pair_cells, silence_notes, term_cell
from awesome_cli.analysis.gaps.states import GapState
from awesome_cli.model.codings import Tag
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import Axis, Map, Named, Taxonomy, Term, tree
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs

ANY = "any"
"""The column of a strength matrix with papers at any strength."""
Place = tuple[str, str | None]
"""The ids of a row and a column."""
Counted = Mapping[Place, Sequence[str]]
"""Keys of papers by cell."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell with the numbers of papers that count (`n`), have too low a strength (`weaker`) or only a part (`parts`).

    `contested` counts the papers among `n` and `weaker` that one contest, if right, would add to or remove from `n`;
    `doubted` counts those among `n`. `state` is None in the columns of a strength matrix that do not decide the state
    of a term. `word` and `base` are as in `GapCell`.
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


def counting(taxonomy: Taxonomy, pair: Map) -> Callable[[AnyWork], set[Place]]:
    """Return a function that gives the cells of a matrix in which a work counts, including those of parent terms."""
    rows, columns = taxonomy.by_id[pair.rows], taxonomy.by_id.get(pair.columns or "")
    above = {name: [row for row in rows.by_id if name in rows.family[row]] for name in rows.by_id}
    decides = rows.gap_strength or ANY

    def across(work: AnyWork, tag: Tag) -> Iterable[str | None]:
        counts = rows.counts_at(tag.strength)
        if columns is None:
            return {tag.strength, ANY, decides} if counts else {tag.strength, ANY}
        return [term for term in covered(work, columns) if counts and (tag.term, term) not in pair.impossible]

    def cells(work: AnyWork) -> set[Place]:
        tags = [tag for tag in work.tags.get(rows.id, ()) if not tag.part]
        return {(row, column) for tag in tags for column in across(work, tag) for row in above.get(tag.term, ())}

    return cells


def matrix(corpus: Corpus, pair: Map) -> Matrix:
    """Return the matrix of a pair of axes, or of the row axis by strength if the pair has no column axis.

    The rows include parent terms. The cell of a parent counts a paper once, even if the paper has several children.
    """
    rows, cells = corpus.taxonomy.by_id[pair.rows], counting(corpus.taxonomy, pair)
    papers = {paper.key: paper for paper in corpus.papers}
    changes = ((papers[key], paper) for change in contest(corpus) for key, paper in change.papers.items() if paper)
    moved = group_pairs((place, old.key) for old, new in changes for place in cells(old) ^ cells(new))
    if pair.columns is None:
        return _by_strength(corpus, rows, group_pairs((p, w.key) for w in papers.values() for p in cells(w)), moved)
    columns = corpus.taxonomy.by_id[pair.columns]
    lines = pair_cells(corpus, pair, tree(rows))
    made = {row: {c: _cell(cell, moved.get((row, c), ())) for c, cell in line.items()} for row, line in lines.items()}
    return Matrix(tree(rows), columns.leaves, None, made, silence_notes(corpus, rows, columns))


def _by_strength(corpus: Corpus, axis: Axis, counted: Counted, moved: Counted) -> Matrix:
    decides = axis.gap_strength or ANY
    columns = (*reversed(axis.strengths), Named(id=ANY, label="any strength" if axis.strengths else "papers"))

    def cell(term: Term, column: str) -> MatrixCell:
        keys, changed = (tuple(places.get((term.id, column), ())) for places in (counted, moved))
        if column == decides:
            return _cell(term_cell(corpus, axis, term), changed)
        n = len(set(keys).intersection(changed))
        return MatrixCell(len(keys), 0, n, None, keys, doubted=n)

    cells = {term.id: {column.id: cell(term, column.id) for column in columns} for term in tree(axis)}
    return Matrix(tree(axis), columns, decides, cells, silence_notes(corpus, axis))


def _cell(cell: GapCell, moved: Iterable[str]) -> MatrixCell:
    contested, doubted = (len(set(keys).intersection(moved)) for keys in (cell.keys, cell.covering))
    return MatrixCell(
        len(cell.covering), cell.n - len(cell.covering), contested, cell.state, cell.keys, len(cell.parts), doubted,
        cell.word, cell.base if cell.uncoded or cell.state.lacks else "",
    )  # fmt: skip
