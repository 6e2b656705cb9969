"""Evidence gap map: papers by term and by pair of terms, the reason for each gap, and near-misses."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, cast

from awesome_cli.analysis.gaps.states import GAP, NOT_APPLICABLE, STATES, UNKNOWN, GapState, state_of
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyWork, Exclusion
from awesome_cli.model.taxonomy import LISTED, Axis, Map, Term
from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.survey.corpus import Corpus, Side
from awesome_cli.survey.readings import read_as, reading_of
from awesome_cli.text.numbers import counted


class GapReason(StrEnum):
    """Reason why a cell is a gap, or unknown."""

    NOTHING = "nothing"
    WEAKER_ONLY = "weaker_only"
    PARTS_ONLY = "parts_only"
    NOT_CODED = "not_coded"
    NEAR_MISSES_ONLY = "near_misses_only"

    def words(self, papers: int | None = None) -> str:
        """Return the reason as text; `papers` is the number of papers with the term as a part (None: unknown)."""
        return _WORDS[self].format(papers="some papers" if papers is None else counted(papers, "paper"))


_WORDS: Mapping[GapReason, str] = {
    GapReason.NOTHING: "no paper at any strength",
    GapReason.WEAKER_ONLY: "weaker evidence only",
    GapReason.PARTS_ONLY: "only as a part, in {papers}",
    GapReason.NOT_CODED: "{papers} not coded yet",
    GapReason.NEAR_MISSES_ONLY: "only near-misses that were screened out",
}


@dataclass(frozen=True, slots=True)
class GapCell:
    """A cell of the gap map: one term, or a pair of terms.

    `keys` are papers with the term as their main coding; `covering` are the `keys` at `gap_strength` or above. `parts`
    are other papers, which have the term as a part and do not change the state. `by_strength` counts papers by the
    strength of their main coding, strongest first. `contested` are `keys` with a contested coding. `near` are keys of
    near-misses: screened-out records that would have the term. The cell rests on `coded` papers of the `total` to
    which its axes apply; if `listed`, its numbers are lower bounds. `uncoded` papers are not coded yet and could count.
    """

    state: GapState
    reason: GapReason | None
    keys: tuple[str, ...]
    covering: tuple[str, ...]
    by_strength: Mapping[str, int]
    contested: tuple[str, ...]
    near: tuple[str, ...]
    parts: tuple[str, ...] = ()
    coded: int = 0
    uncoded: int = 0
    listed: bool = False
    total: int = 0

    @property
    def n(self) -> int:
        """Number of papers with the term as their main coding, at any strength."""
        return len(self.keys)

    @property
    def why(self) -> str | None:
        """The reason as text; None if the cell is neither a gap nor unknown."""
        if self.reason is GapReason.NOT_CODED:
            return self.base
        return self.reason.words(len(self.parts)) if self.reason else None

    @property
    def word(self) -> str:
        """The state as text: `gap`; `gap, as listed` if unlisted papers could fill the cell."""
        return f"{self.state.word}, as listed" if self.listed and self.state.lacks else self.state.word

    @property
    def base(self) -> str:
        """The papers behind an absence: `0 of 20 coded; 153 of 173 not coded yet`, or `of 43 listed`; else empty."""
        if self.uncoded:
            return f"{len(self.covering):,} of {self.coded:,} coded; {self.uncoded:,} of {self.total:,} not coded yet"
        if not self.total:
            return "no paper coded"
        return f"of {self.coded:,} listed" if self.listed else ""

    @property
    def counts(self) -> tuple[str, ...]:
        """Numbers of papers by strength, strongest first: `3 tested`. Empty on an axis without strengths."""
        return tuple(f"{n} {strength}" for strength, n in self.by_strength.items())

    @property
    def tally(self) -> str:
        """Numbers of papers as text: `3 tested, 1 as a part`; without strengths `4 papers, 1 as a part`."""
        parts = (f"{len(self.parts)} as a part",) if self.parts else ()
        return ", ".join((*(self.counts or (counted(self.n, "paper"),)), *parts))

    def to_json(self) -> dict[str, object]:
        return {
            "state": self.state.value,
            "reason": self.reason.value if self.reason else None,
            "n": self.n,
            "covering": len(self.covering),
            "by_strength": dict(self.by_strength),
            "contested": len(self.contested),
            "keys": list(self.keys),
            "parts": list(self.parts),
            "near": list(self.near),
            "coded": self.coded,
            "uncoded": self.uncoded,
            "listed": self.listed,
            "total": self.total,
        }


Place = tuple[tuple[Axis, Term], ...]
"""The axes and terms of a cell: one pair, or two pairs for a cell of two axes."""


@dataclass(frozen=True)
class GapMap(SurveyAnswer):
    """Cells of the gap map: `axes` by axis and term, `pairs` by pair of axes, row term and column term."""

    corpus: Corpus
    axes: Mapping[str, Mapping[str, GapCell]]
    pairs: Mapping[str, Mapping[str, Mapping[str, GapCell]]]

    def __repr__(self) -> str:
        states = (cell.state for _, cell in self.cells())
        return f"GapMap({', '.join(f'{state}={n}' for state, n in Counter(states).items())})"

    def placed(self) -> Iterator[tuple[Place, GapCell]]:
        """Yield every cell with its place."""
        by_id = self.corpus.taxonomy.by_id
        for name, terms in self.axes.items():
            yield from ((((by_id[name], by_id[name].by_id[term]),), cell) for term, cell in terms.items())
        for pair, rows in self.pairs.items():
            first, second = (by_id[name] for name in pair.split(" x "))
            for row, columns in rows.items():
                for column, cell in columns.items():
                    yield ((first, first.by_id[row]), (second, second.by_id[column])), cell

    def cells(self) -> Iterator[tuple[str, GapCell]]:
        """Yield the name and cell of every cell; names are `axis=term` or `axis=term x axis=term`."""
        return ((" x ".join(on_axis(axis.id, term.id) for axis, term in place), cell) for place, cell in self.placed())


def gap_map(corpus: Corpus, *, axes: Sequence[str] | None = None, pairs: Sequence[Map] | None = None) -> GapMap:
    """Build the map of some axes [default: all but bookkeeping ones] and pairs of axes [default: the `maps`]."""
    taxonomy = corpus.taxonomy
    names = [axis.id for axis in taxonomy.axes if not axis.bookkeeping] if axes is None else axes
    chosen = [taxonomy.by_id[name] for name in names]
    maps = [pair for pair in (taxonomy.maps if pairs is None else pairs) if pair.columns is not None]
    return GapMap(
        corpus,
        {axis.id: {term.id: term_cell(corpus, axis, term) for term in axis.terms} for axis in chosen},
        {pair.name: pair_cells(corpus, pair, taxonomy.by_id[pair.rows].leaves) for pair in maps},
    )


class _Entry(NamedTuple):
    """A paper's coding in a cell; `covers` is True if the coding is strong enough on every axis."""

    key: str
    strength: str | None
    covers: bool
    contested: bool
    part: bool


@dataclass(frozen=True, slots=True)
class Silence:
    """Papers `coded` on the axes of a cell, and `uncoded` ones that could count; the rest as in `GapCell`."""

    coded: int
    uncoded: int
    listed: bool
    total: int

    @classmethod
    def of(cls, corpus: Corpus, axis: Axis) -> "Silence":
        """Return the coded and uncoded papers of one axis."""
        coded, uncoded = len(corpus.coded_on(axis)), len(corpus.uncoded.get(axis.id, ()))
        return cls(coded, uncoded, axis.silence == LISTED, coded + uncoded)


def silence_note(axis: Axis, papers: GapCell | Silence) -> str | None:
    """State how many papers the absences on an axis rest on; None if every paper was coded."""
    coded, uncoded = papers.coded, papers.uncoded
    if uncoded:
        return f"{axis.label}: {coded:,} of {counted(coded + uncoded, 'paper')} coded, {uncoded:,} not coded yet."
    if papers.listed:
        return f"{axis.label}: only terms that stand out were listed, for {coded:,} papers; others may apply."
    return None


def silence_notes(corpus: Corpus, *axes: Axis) -> tuple[str, ...]:
    """Return the notes of `silence_note` on some axes [default: those on which papers are not coded yet]."""
    chosen = axes or tuple(axis for axis in corpus.taxonomy.axes if axis.id in corpus.uncoded)
    return tuple(note for axis in chosen if (note := silence_note(axis, Silence.of(corpus, axis))))


def states_for(corpus: Corpus) -> tuple[GapState, ...]:
    """Return the states for a legend; without `UNKNOWN` if every paper is coded."""
    return tuple(state for state in STATES if state is not UNKNOWN or corpus.uncoded)


class PairSilence:
    """Coded and uncoded papers in the cells of a pair of axes, among the papers to which both axes apply."""

    def __init__(self, corpus: Corpus, rows: Axis, columns: Axis) -> None:
        self.corpus, self.axes = corpus, (rows, columns)
        self.uncoded = tuple(corpus.uncoded.get(axis.id, frozenset()) for axis in self.axes)
        coded = [corpus.coded_on(axis) for axis in self.axes]
        first, second = (known | waiting for known, waiting in zip(coded, self.uncoded, strict=True))
        self.coded, self.total = len(coded[0] & coded[1]), len(first & second)

    def at(self, row: Term, column: Term) -> Silence:
        """Return the papers of a cell: `coded` on both axes, or `uncoded` on one and able to count."""
        uncoded = 0
        if any(self.uncoded):
            coded = self.corpus.coded
            first, second = (
                waiting.union(paper.key for paper, tag in coded(axis.id, axis.family[term.id]) if not tag.part)
                for axis, term, waiting in zip(self.axes, (row, column), self.uncoded, strict=True)
            )
            uncoded = len((first & second) & (self.uncoded[0] | self.uncoded[1]))
        return Silence(self.coded, uncoded, any(axis.silence == LISTED for axis in self.axes), self.total)


def term_cell(corpus: Corpus, axis: Axis, term: Term) -> GapCell:
    """Return the cell of one term; the cell of a parent term also has the papers of its children."""
    if (known := ("cell", axis.id, term.id)) not in corpus.memo:
        corpus.memo[known] = _term_cell(corpus, axis, term)
    return cast("GapCell", corpus.memo[known])


def _term_cell(corpus: Corpus, axis: Axis, term: Term) -> GapCell:
    family = axis.family[term.id]
    codings = corpus.coded(axis.id, family)
    covers = {strength: axis.counts_at(strength) for strength in {tag.strength for _, tag in codings}}
    entries = [
        _Entry(paper.key, tag.strength, covers[tag.strength], tag.contested is not None, tag.part)
        for paper, tag in codings
    ]
    near = tuple(exclusion.key for exclusion in corpus.near_misses if _is_near(exclusion, axis, family))
    return _cell(axis, entries, near, sparse_limit(corpus), Silence.of(corpus, axis))


def sparse_limit(corpus: Corpus) -> int:
    """Return the maximum number of papers in a sparse cell."""
    sparse = corpus.taxonomy.sparse
    return sparse.limit(0 if sparse.share is None else len(corpus.select(sparse.among)))


def pair_cells(corpus: Corpus, pair: Map, terms: Sequence[Term]) -> dict[str, dict[str, GapCell]]:
    """Return cells by row term and column leaf; the cell of a parent term also has the papers of its children."""
    rows, columns = corpus.taxonomy.by_id[pair.rows], corpus.taxonomy.by_id[pair.columns or pair.rows]
    scale = rows if rows.strengths or not columns.strengths else columns
    above = {name: [row.id for row in terms if name in rows.family[row.id]] for name in rows.by_id}
    # One pass over the papers, so that the cost does not multiply with the cells.
    entries: dict[tuple[str, str], list[_Entry]] = {}
    for paper in corpus.papers:
        for tag in paper.tags.get(rows.id, ()):
            for second in paper.tags.get(columns.id, ()):
                covers = rows.counts_at(tag.strength) and columns.counts_at(second.strength)
                strength = tag.strength if scale is rows else second.strength
                contested = (tag.contested or second.contested) is not None
                entry = _Entry(paper.key, strength, covers, contested, tag.part or second.part)
                for row in above.get(tag.term, ()) if (tag.term, second.term) not in pair.impossible else ():
                    entries.setdefault((row, second.term), []).append(entry)
    limit = sparse_limit(corpus)
    silence = PairSilence(corpus, rows, columns)

    def cell(row: Term, column: Term) -> GapCell:
        if all((leaf, column.id) in pair.impossible for leaf in rows.family[row.id].difference(rows.parents)):
            return GapCell(NOT_APPLICABLE, None, (), (), {}, (), ())
        families = ((rows, rows.family[row.id]), (columns, columns.family[column.id]))
        near = tuple(e.key for e in corpus.near_misses if all(_is_near(e, axis, family) for axis, family in families))
        return _cell(scale, entries.get((row.id, column.id), []), near, limit, silence.at(row, column))

    return {row.id: {column.id: cell(row, column) for column in columns.leaves} for row in terms}


def _is_near(exclusion: Exclusion, axis: Axis, family: frozenset[str]) -> bool:
    return any(near.axis == axis.id and near.term in family for near in exclusion.near_miss)


def pools_to_compare(corpus: Corpus) -> tuple[tuple[str, Corpus], ...]:
    """Return labelled pools: as coded, in both readings and as of the cutoff; a pool in a reading is returned alone."""
    taxonomy, cutoff = corpus.taxonomy, corpus.taxonomy.survey.cutoff
    pools = [("as coded", corpus)]
    if corpus.reading is None and taxonomy.grades:
        readings = [reading_of(taxonomy, side) for side in Side]
        pools += [(str(reading), read_as(corpus, reading)) for reading in readings]
    if corpus.reading is None and cutoff is not None and (corpus.day is None or corpus.day > cutoff):
        pools.append((f"as of {cutoff}", corpus.as_of(cutoff)))
    return tuple(pools)


def term_readings(pools: Sequence[tuple[str, Corpus]], axis: Axis, term: Term) -> tuple[tuple[str, Axis, GapCell], ...]:
    """Return a term's cell in each pool, with the pool's label and axis; empty if all cells are equal."""
    cells: list[tuple[str, Axis, GapCell]] = []
    for label, pool in pools:
        then = pool.taxonomy.by_id.get(axis.id)
        if then is not None and term.id in then.by_id:
            cells.append((label, then, term_cell(pool, then, then.by_id[term.id])))
    counts = [(cell.by_strength, cell.keys, cell.parts) for _, _, cell in cells]
    return tuple(cells) if any(count != counts[0] for count in counts) else ()


def _cell(scale: Axis, codings: Sequence[_Entry], near: tuple[str, ...], limit: int, silence: Silence) -> GapCell:
    entries = [entry for entry in codings if not entry.part]
    keys = tuple(dict.fromkeys(entry.key for entry in entries))
    covering = tuple(dict.fromkeys(entry.key for entry in entries if entry.covers))
    parts = tuple(dict.fromkeys(entry.key for entry in codings if entry.part and entry.key not in keys))
    # Without a paper that is or could be coded, an absence rests on nothing.
    state = state_of(limit, len(covering), silence.uncoded if silence.total else limit + 1)
    return GapCell(
        state,
        _reason(keys, parts, near) if state is GAP else GapReason.NOT_CODED if state is UNKNOWN else None,
        keys,
        covering,
        {s.id: len({e.key for e in entries if e.strength == s.id}) for s in reversed(scale.strengths)},
        tuple(dict.fromkeys(entry.key for entry in entries if entry.contested)),
        near,
        parts,
        silence.coded,
        silence.uncoded,
        silence.listed,
        silence.total,
    )


def _reason(keys: tuple[str, ...], parts: tuple[str, ...], near: tuple[str, ...]) -> GapReason:
    """Return the reason for a gap; if several apply, return the reason nearest to a covered cell."""
    if keys:
        return GapReason.WEAKER_ONLY
    if parts:
        return GapReason.PARTS_ONLY
    return GapReason.NEAR_MISSES_ONLY if near else GapReason.NOTHING


def covered(work: AnyWork, axis: Axis) -> tuple[str, ...]:
    """The terms of a work's main codings that are strong enough to count on the gap map."""
    tags = work.tags.get(axis.id, ())
    return tuple(dict.fromkeys(tag.term for tag in tags if not tag.part and axis.counts_at(tag.strength)))
