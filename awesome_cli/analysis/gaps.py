"""The evidence-gap map: for each term and pair of terms, what the pool holds and why it holds no more."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from awesome_cli.coding import Tag
from awesome_cli.corpus import Corpus
from awesome_cli.records import Exclusion, Paper
from awesome_cli.taxonomy import Axis, Map, Term


class State(StrEnum):
    """What a cell of the map is, by its papers at the axis' `gap_strength` or above."""

    GAP = "gap"
    SPARSE = "sparse"
    COVERED = "covered"
    NOT_APPLICABLE = "not_applicable"


class Reason(StrEnum):
    """Why a cell is a gap."""

    NOTHING = "nothing"
    WEAKER_ONLY = "weaker_only"
    NOT_CODED = "not_coded"
    NEAR_MISSES_ONLY = "near_misses_only"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: `keys` are papers at any strength, `covering` those at `gap_strength` or above.

    `by_strength` counts the papers of each strength, strongest first; `contested` counts those whose
    coding is contested; `near` names the near-miss exclusions that would bring the term.
    """

    state: State
    reason: Reason | None
    keys: tuple[str, ...]
    covering: tuple[str, ...]
    by_strength: Mapping[str, int]
    contested: tuple[str, ...]
    near: tuple[str, ...]

    @property
    def n(self) -> int:
        """Papers at any strength."""
        return len(self.keys)

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            "state": self.state.value,
            "reason": self.reason.value if self.reason else None,
            "n": self.n,
            "covering": len(self.covering),
            "by_strength": dict(self.by_strength),
            "contested": len(self.contested),
            "keys": list(self.keys),
            "near": list(self.near),
        }


@dataclass(frozen=True)
class GapMap:
    """Cells per axis and term, and per pair of axes, row term and column term."""

    corpus: Corpus
    axes: Mapping[str, Mapping[str, Cell]]
    pairs: Mapping[str, Mapping[str, Mapping[str, Cell]]]

    def cells(self) -> Iterator[tuple[str, Cell]]:
        """Every cell with its name, `axis=term` or `axis=term x axis=term`."""
        for axis, terms in self.axes.items():
            for term, cell in terms.items():
                yield f"{axis}={term}", cell
        for pair, rows in self.pairs.items():
            row_axis, _, column_axis = pair.partition(" x ")
            for row, columns in rows.items():
                for column, cell in columns.items():
                    yield f"{row_axis}={row} x {column_axis}={column}", cell


def gap_map(corpus: Corpus, *, axes: Sequence[str] | None = None, pairs: Sequence[Map] | None = None) -> GapMap:
    """The map of some axes (all without a choice) and of some pairs (the taxonomy's `maps`)."""
    taxonomy = corpus.taxonomy
    chosen = [taxonomy.by_id[axis] for axis in axes] if axes is not None else list(taxonomy.axes)
    maps = [pair for pair in (taxonomy.maps if pairs is None else pairs) if pair.columns is not None]
    return GapMap(
        corpus,
        {axis.id: {term.id: term_cell(corpus, axis, term) for term in axis.terms} for axis in chosen},
        {pair.name: _pair_cells(corpus, pair) for pair in maps},
    )


def term_cell(corpus: Corpus, axis: Axis, term: Term) -> Cell:
    """The cell of one term; a parent's cell holds the papers of its children."""
    family = axis.family[term.id]
    found = [(p, tags) for p in corpus.papers if (tags := _in(family, p.tags_on(axis.id)))]
    near = [e for e in corpus.exclusions if _is_near(e, axis, family)]
    waiting = any(axis.id in paper.not_coded for paper in corpus.papers)
    return _cell(axis, found, near, waiting=waiting)


def _pair_cells(corpus: Corpus, pair: Map) -> dict[str, dict[str, Cell]]:
    rows, columns = corpus.taxonomy.by_id[pair.rows], corpus.taxonomy.by_id[pair.columns or pair.rows]
    impossible = set(pair.impossible)
    # One pass over the papers, so that the cost does not multiply with the cells.
    found: dict[tuple[str, str], list[tuple[Paper, tuple[Tag, ...]]]] = {}
    for paper in corpus.papers:
        for tag in paper.tags_on(rows.id):
            for other in paper.tags_on(columns.id):
                if columns.counts_at(other.strength):
                    found.setdefault((tag.term, other.term), []).append((paper, (tag,)))
    waiting = any(rows.id in p.not_coded or columns.id in p.not_coded for p in corpus.papers)
    cells: dict[str, dict[str, Cell]] = {}
    for row in rows.leaves:
        cells[row.id] = {}
        for column in columns.leaves:
            if (row.id, column.id) in impossible:
                cells[row.id][column.id] = Cell(State.NOT_APPLICABLE, None, (), (), {}, (), ())
                continue
            near = [
                e
                for e in corpus.exclusions
                if _is_near(e, rows, rows.family[row.id]) and _is_near(e, columns, columns.family[column.id])
            ]
            cells[row.id][column.id] = _cell(rows, found.get((row.id, column.id), []), near, waiting=waiting)
    return cells


def _in(family: frozenset[str], tags: tuple[Tag, ...]) -> tuple[Tag, ...]:
    return tuple(tag for tag in tags if tag.term in family)


def _is_near(exclusion: Exclusion, axis: Axis, family: frozenset[str]) -> bool:
    return any(near.axis == axis.id and near.term in family for near in exclusion.near_miss)


def _cell(
    axis: Axis, found: Iterable[tuple[Paper, tuple[Tag, ...]]], near: Sequence[Exclusion], *, waiting: bool
) -> Cell:
    found = list(found)
    covering = tuple(paper.key for paper, tags in found if any(axis.counts_at(tag.strength) for tag in tags))
    state = State.GAP if not covering else State.SPARSE if len(covering) <= axis.sparse_at_most else State.COVERED
    reason = None
    if state is State.GAP:
        reason = (
            Reason.WEAKER_ONLY
            if found
            else Reason.NOT_CODED
            if waiting
            else Reason.NEAR_MISSES_ONLY
            if near
            else Reason.NOTHING
        )
    return Cell(
        state,
        reason,
        tuple(paper.key for paper, _ in found),
        covering,
        {
            strength.id: sum(any(tag.strength == strength.id for tag in tags) for _, tags in found)
            for strength in reversed(axis.strengths)
        },
        tuple(paper.key for paper, tags in found if any(tag.contested for tag in tags)),
        tuple(exclusion.key for exclusion in near),
    )
