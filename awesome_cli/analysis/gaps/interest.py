"""Gaps ranked by how near they are to being filled: by near-misses, contested codings and candidates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from awesome_cli.analysis.gaps.cells import GapCell, gap_map
from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.model.records import Candidate
from awesome_cli.model.taxonomy import Axis, Map, Term
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted


@dataclass(frozen=True, slots=True)
class Interest:
    """A cell that lacks papers; `columns` and `column` are None for a term of an axis by strength.

    `candidates` are the keys of those that would count in it, as they are coded so far.
    """

    rows: Axis
    row: Term
    columns: Axis | None
    column: Term | None
    cell: GapCell
    candidates: tuple[str, ...]

    @property
    def near(self) -> tuple[str, ...]:
        """The near-misses that would have the cell's terms."""
        return self.cell.near

    @property
    def contested(self) -> tuple[str, ...]:
        """The papers in the cell whose coding is contested."""
        return self.cell.contested

    @property
    def weight(self) -> tuple[int, int, int]:
        """What ranks it: the records near it; then its state, that with the fewest papers first; then its papers."""
        records = len(self.near) + len(self.contested) + len(self.candidates)
        return records, -STATES.index(self.cell.state), self.cell.n + len(self.cell.parts)

    @property
    def reason(self) -> str:
        """`2 near-misses, 3 contested codings, 5 candidates would fill it`; empty where nothing is near."""
        near, contested, candidates = len(self.near), len(self.contested), len(self.candidates)
        would = "would count in it" if self.cell.covering else "would fill it"
        said = (
            (near, counted(near, "near-miss")),
            (contested, counted(contested, "contested coding")),
            (candidates, f"{counted(candidates, 'candidate')} {would}"),
        )
        return ", ".join(words for n, words in said if n)


def interesting(corpus: Corpus, maps: Sequence[Map] = ()) -> tuple[Interest, ...]:
    """The leaf cells of some maps that lack papers, the most interesting first (see `Interest.weight`).

    Without a choice these are the taxonomy's maps, else the first axis. Of cells that weigh the same the first in the
    taxonomy comes first.
    """
    maps = maps or corpus.taxonomy.maps or (Map(rows=corpus.taxonomy.axes[0].id),)
    found = [one for pair in maps for one in _of_map(corpus, pair) if one.cell.state.lacks]
    return tuple(sorted(found, key=lambda one: one.weight, reverse=True))


def fillers(corpus: Corpus, pair: Map) -> Mapping[tuple[str, str | None], tuple[str, ...]]:
    """By row and column term (None in a map by strength), the candidates that would count there.

    Candidates that are proposed for exclusion are left out.
    """
    rows, columns = corpus.taxonomy.by_id[pair.rows], corpus.taxonomy.by_id.get(pair.columns or "")
    found: dict[tuple[str, str | None], tuple[str, ...]] = {}
    for candidate in corpus.candidates:
        if candidate.proposal != "exclude":
            for row in _covered(candidate, rows):
                for column in (None,) if columns is None else _covered(candidate, columns):
                    found[row, column] = (*found.get((row, column), ()), candidate.key)
    return found


def _covered(candidate: Candidate, axis: Axis) -> tuple[str, ...]:
    tags = candidate.tags.get(axis.id, ())
    return tuple(dict.fromkeys(tag.term for tag in tags if not tag.part and axis.counts_at(tag.strength)))


def _of_map(corpus: Corpus, pair: Map) -> Iterator[Interest]:
    rows, columns = corpus.taxonomy.by_id[pair.rows], corpus.taxonomy.by_id.get(pair.columns or "")
    filling = fillers(corpus, pair)
    if columns is None:
        cells = gap_map(corpus, axes=(rows.id,), pairs=()).axes[rows.id]
        for row in rows.leaves:
            yield Interest(rows, row, None, None, cells[row.id], filling.get((row.id, None), ()))
        return
    lines = gap_map(corpus, axes=(), pairs=(pair,)).pairs[pair.name]
    for row in rows.leaves:
        for column in columns.leaves:
            cell = lines[row.id][column.id]
            yield Interest(rows, row, columns, column, cell, filling.get((row.id, column.id), ()))
