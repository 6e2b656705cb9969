"""Cells of the gap map that are worth a look: they lack papers, and single records would change them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from awesome_cli.analysis.claims.perturbations import contest, near_misses
from awesome_cli.analysis.gaps.cells import GapCell, pair_cells, term_cell
from awesome_cli.analysis.gaps.matrix import ANY, Place, counting
from awesome_cli.analysis.gaps.states import STATES, UNKNOWN
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import Axis, Map, Term
from awesome_cli.survey.corpus import Corpus

REASONS: Mapping[str, tuple[str, str]] = {
    "near": ("{n} near-miss", "{n} near-misses"),
    "contested": ("{n} objection", "{n} objections"),
    "candidates": ("{n} candidate", "{n} candidates"),
    "uncoded": ("{n} paper not coded yet", "{n} papers not coded yet"),
}
"""Records that could change a cell, singular and plural; the scripts of the site also fill in `{n}`."""


@dataclass(frozen=True, slots=True)
class Interest:
    """A cell that lacks papers; `columns` and `column` are None if the map shows one axis by strength.

    `changes` are the names of the records, by a key of `REASONS`, that each alone would change the number of papers
    that count: contests, if they were right, near-misses, if re-admitted, and candidates, if admitted as coded.
    """

    rows: Axis
    row: Term
    columns: Axis | None
    column: Term | None
    cell: GapCell
    changes: Mapping[str, tuple[str, ...]]

    @property
    def weight(self) -> tuple[int, int, int]:
        """Sort key: number of `changes`; then the state, fewest papers first; then the number of papers."""
        records = sum(map(len, self.changes.values()))
        return records, -STATES.index(self.cell.state), self.cell.n + len(self.cell.parts)

    @property
    def reason(self) -> str:
        """The records that could change the cell: `2 near-misses, 5 candidates`; empty if there are none."""
        numbers = {kind: len(self.changes.get(kind, ())) for kind in REASONS}
        numbers["uncoded"] = self.cell.uncoded if self.cell.state is UNKNOWN else 0
        return ", ".join(REASONS[kind][n != 1].format(n=f"{n:,}") for kind, n in numbers.items() if n)


def interesting(corpus: Corpus, maps: Sequence[Map] = ()) -> tuple[Interest, ...]:
    """Return the leaf cells that lack papers, highest `Interest.weight` first, ties in taxonomy order.

    `maps` are the maps to search [default: the maps of the taxonomy, or its first axis if it has no maps].
    """
    maps = maps or corpus.taxonomy.maps or (Map(rows=corpus.taxonomy.axes[0].id),)
    trials = tuple(_trials(corpus))
    cells = [interest for pair in maps for interest in _of_map(corpus, pair, trials) if interest.cell.state.lacks]
    return tuple(sorted(cells, key=lambda interest: interest.weight, reverse=True))


Trial = tuple[str, str, AnyWork | None, AnyWork]
"""A change of a single record: a key of `REASONS`, the name of the change, and the work before and after it."""


def _trials(corpus: Corpus) -> Iterator[Trial]:
    papers = {paper.key: paper for paper in corpus.papers}
    single = [("near", change) for change in near_misses(corpus) if not change.whole]
    for kind, change in (*single, *(("contested", change) for change in contest(corpus))):
        yield from ((kind, change.name, papers.get(key), work) for key, work in change.papers.items() if work)
    yield from (("candidates", c.key, None, c) for c in corpus.candidates if c.proposal != "exclude")


def _of_map(corpus: Corpus, pair: Map, trials: Sequence[Trial]) -> Iterator[Interest]:
    rows, columns = corpus.taxonomy.by_id[pair.rows], corpus.taxonomy.by_id.get(pair.columns or "")
    cells = counting(corpus.taxonomy, pair)
    changes: dict[Place, dict[str, tuple[str, ...]]] = {}
    for kind, name, before, after in trials:
        for place in (cells(before) if before else set()) ^ cells(after):
            known = changes.setdefault(place, {})
            known[kind] = (*known.get(kind, ()), name)
    lines = pair_cells(corpus, pair, rows.leaves) if columns else {}
    for row in rows.leaves:
        for column in columns.leaves if columns else (None,):
            cell = lines[row.id][column.id] if column else term_cell(corpus, rows, row)
            place = row.id, column.id if column else rows.gap_strength or ANY
            yield Interest(rows, row, columns, column, cell, changes.get(place, {}))
