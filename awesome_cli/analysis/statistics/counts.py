"""Statistics of a corpus: totals, counts by axis including zeros, strengths, exclusions, cross-tabs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import chain, product
from typing import Any

from awesome_cli.analysis.gaps.cells import Silence, silence_note
from awesome_cli.analysis.statistics import SCREENED, SCREENED_PAIRS, SPLITS
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import on_axis
from awesome_cli.model.taxonomy import NA, Axis, Taxonomy
from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.reports.report import Block, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import ContestReading, Corpus
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import both, counted

Counts = Mapping[str, int]
Grid = Mapping[str, Mapping[str, int]]
TABLES = ("counts", "rollups", "parts", "strengths", "exclusions", "exclusion_crosstabs", "by", "crosstabs")


@dataclass(frozen=True)
class Stats(SurveyAnswer):
    """Counts of the papers of a pool; `exclusions` and `exclusion_crosstabs` count exclusions.

    `counts` are by leaf term and `NA`, `rollups` by parent including its children; both count main codings. `parts`
    counts papers with a leaf term as a part, on axes that have parts. `requested` are the tables to show [empty: all].
    `silence` has the coded and uncoded papers of axes on which not every paper has all its terms.
    """

    taxonomy: Taxonomy
    totals: Counts
    counts: Mapping[str, Counts]
    rollups: Mapping[str, Counts]
    parts: Mapping[str, Counts]
    strengths: Mapping[str, Grid]
    exclusions: Mapping[str, Counts]
    exclusion_crosstabs: Mapping[str, Grid]
    by: Mapping[str, Counts]
    crosstabs: Mapping[str, Grid]
    requested: tuple[str, ...]
    day: date | None
    reading: ContestReading | None
    where: str | None
    base: str
    silence: Mapping[str, Silence]

    def __repr__(self) -> str:
        return f"Stats({', '.join(f'{name}={n}' for name, n in self.totals.items())})"

    def to_report(self) -> Report:
        """Report every table, or the requested ones; the frame has a row per count."""
        tables: dict[str, Any] = {
            name: {axis: n for axis, n in getattr(self, name).items() if axis in (self.requested or (axis,))}
            for name in TABLES
        }
        return replace(self, **tables).report()

    def report(self) -> Report:
        sections = [Section(None, (Text(self._headline()),))]
        retired = self._retired()
        remarks = tuple(Text(f"{text}.", "warn") for text in retired.values())
        notes = tuple(Text(text, "muted") for text in self._notes())
        further = [*(self._requested_sections() if self.requested else self._sections())]
        further += [Section("Papers that are not coded", notes), Section("Retired", remarks)]
        sections += [section for section in further if section.blocks]
        data: dict[str, object] = {
            "as_of": self.day.isoformat() if self.day else None,
            "where": self.where,
            "base": self.base,
            "reading": self.reading.to_json() if self.reading else None,
            "totals": self.totals,
            **{name: getattr(self, name) for name in TABLES},
            "retired": retired,
            "silence": {axis: asdict(papers) for axis, papers in self.silence.items()},
        }
        rows = Table.of(("table", "row", "column", "n"), list(self._rows()))
        return Report("awesome/stats/2", data, tuple(sections), "Statistics", rows)

    def _headline(self) -> str:
        total = self.totals
        retained = counted(total["retained"], "paper")
        text = f"{retained} retained, {total['excluded']} excluded, {total['audited']} audited"
        text += (f", as of {self.day}" if self.day else "") + (f", {self.reading}" if self.reading else "")
        return text + (f", where {self.where}" if self.where else "") + (f" ({self.base})" if self.base else "")

    def _sections(self) -> Iterator[Section]:
        rows: list[tuple[Cell, ...]] = []
        for axis in self.taxonomy.axes:
            words = [f"{term} {n}" for term, n in self.counts[axis.id].items()]
            words += [f"({parent} {n})" for parent, n in self.rollups.get(axis.id, {}).items()]
            rows.append((axis.id, " · ".join(words)))
            if axis.id in self.parts:
                rows.append(("  parts", " · ".join(f"{term} {n}" for term, n in self.parts[axis.id].items())))
        yield Section("Papers by axis", (Table.of(("axis", "papers with each term"), rows),))
        strong = tuple(self._strengths(axis) for axis in self.strengths)
        if strong:
            yield Section("By strength", strong)
        yield Section("Cross-tabs", tuple(grid_table(name, grid) for name, grid in self.crosstabs.items()))
        recorded = {name: counts for name, counts in self.exclusions.items() if counts.keys() - {NA}}
        crossed = {name: grid for name, grid in self.exclusion_crosstabs.items() if {*name.split(" x ")} <= {*recorded}}
        screened = (_listed_counts(("field", "exclusions with each value"), recorded),) if recorded else ()
        yield Section("Exclusions", (*screened, *(grid_table(name, grid) for name, grid in crossed.items())))
        if by := {name: counts for name, counts in self.by.items() if counts}:
            yield Section("Papers by " + both([*by]), (_listed_counts(("field", "papers with each value"), by),))

    def _requested_sections(self) -> Iterator[Section]:
        for name in self.requested:
            if name in self.crosstabs:
                yield Section(None, (grid_table(name, self.crosstabs[name]),))
            else:
                blocks: list[Block] = [count_table(name, self.counts.get(name) or self.by[name])]
                for title, tables in (("parents", self.rollups), ("parts", self.parts)):
                    if name in tables:
                        blocks.append(replace(count_table(name, tables[name]), title=title))
                if name in self.strengths:
                    blocks.append(self._strengths(name))
                yield Section(None, tuple(blocks))

    def _notes(self) -> Iterator[str]:
        """Yield a sentence for each axis in the tables whose zeros do not rest on all papers."""
        axes = {part for name in self.requested for part in name.split(" x ")}
        for axis, papers in self.silence.items():
            if (not axes or axis in axes) and (note := silence_note(self.taxonomy.by_id[axis], papers)):
                yield note

    def _retired(self) -> dict[str, str]:
        """Return a sentence on each retired term in the tables, by `axis=term`."""
        axes = {part for name in self.requested for part in name.split(" x ")}
        terms = [(axis, term) for axis in self.taxonomy.axes for term in axis.terms if term.deprecated]
        return {
            on_axis(axis.id, term.id): axis.retirement(term.id) or ""
            for axis, term in terms
            if not axes or axis.id in axes
        }

    def _strengths(self, axis: str) -> Table:
        return grid_table(f"{axis} x strength", self.strengths[axis])

    def _rows(self) -> Iterator[tuple[Cell, ...]]:
        yield from (("totals", name, None, n) for name, n in self.totals.items())
        for name, tables in (("counts", self.counts), ("rollups", self.rollups), ("parts", self.parts)):
            for axis, counts in tables.items():
                yield from ((name, f"{axis}={term}", None, n) for term, n in counts.items())
        for axis, grid in self.strengths.items():
            yield from (("strengths", f"{axis}={term}", strength, n) for term, strength, n in _cells(grid))
        for name, counts in (*self.exclusions.items(), *self.by.items()):
            yield from ((name, value, None, n) for value, n in counts.items())
        for name, grid in (*self.exclusion_crosstabs.items(), *self.crosstabs.items()):
            yield from ((name, *cell) for cell in _cells(grid))
        for axis, papers in self.silence.items():
            yield from (("silence", axis, name, int(n)) for name, n in asdict(papers).items())
        yield from (("retired", name, text, None) for name, text in self._retired().items())


def _cells(grid: Grid) -> Iterator[tuple[str, str, int]]:
    return ((row, column, n) for row, counts in grid.items() for column, n in counts.items())


def _listed_counts(columns: tuple[str, str], counts: Mapping[str, Counts]) -> Table:
    """Return a row per field with its values and their counts: `2025 (36) · 2026 (23)`."""
    rows = [(name, " · ".join(f"{value} ({n:,})" for value, n in values.items())) for name, values in counts.items()]
    return Table.of(columns, rows)


def count_table(name: str, counts: Counts) -> Table:
    """Return a table of two columns, value and count."""
    return Table.of((name, "n"), list(counts.items()))


def grid_table(name: str, grid: Grid) -> Table:
    """Return a cross-tab with row values in the first column; its title is `name`."""
    columns = list(next(iter(grid.values()), {}))
    return Table.of(
        (name.partition(" x ")[0], *columns), [(r, *counts.values()) for r, counts in grid.items()], title=name
    )


def statistics(corpus: Corpus, *, by: Sequence[str] = (), as_of: date | None = None, where: str | None = None) -> Stats:
    """Count a corpus; `by` requests tables of axes or `SPLITS`: `AXIS` or `AXIS,AXIS`.

    `as_of` and `where` restrict the pool. Raises `UsageError` for an unknown name.
    """
    if as_of is not None:
        corpus = corpus.as_of(as_of)
    corpus = corpus.where(where)
    taxonomy = corpus.taxonomy
    pairs = [(m.rows, m.columns) for m in taxonomy.maps if m.columns is not None]
    pairs += taxonomy.crosstabs
    requested = [tuple(part.strip() for part in name.split(",")) for name in by]
    pairs += [(names[0], names[1]) for names in requested if len(names) == 2]
    if any(len(names) > 2 for names in requested):
        raise UsageError("a table has one or two axes", hint="repeat --by for several tables")
    for name in (part for names in requested for part in names):
        _require_dimension(taxonomy, name)
    return Stats(
        taxonomy=taxonomy,
        totals={
            "retained": len(corpus.papers),
            "excluded": len(corpus.exclusions),
            "audited": len(corpus.papers) + len(corpus.exclusions),
        },
        counts={axis.id: _counts(corpus, axis.id) for axis in taxonomy.axes},
        rollups={axis.id: _rollups(corpus, axis) for axis in taxonomy.axes if axis.parents},
        parts={axis.id: parts for axis in taxonomy.axes if (parts := _parts(corpus, axis))},
        strengths={axis.id: _strengths(corpus, axis) for axis in taxonomy.axes if axis.strengths},
        exclusions={name: _screened(corpus, name) for name in SCREENED},
        exclusion_crosstabs={f"{a} x {b}": _crossed(corpus, a, b) for a, b in SCREENED_PAIRS},
        by={name: {value: n for value, n in _counts(corpus, name).items() if n or value != NA} for name in SPLITS},
        crosstabs={f"{a} x {b}": crosstab(corpus, a, b) for a, b in dict.fromkeys(pairs)},
        requested=tuple(" x ".join(names) for names in requested),
        day=corpus.day,
        reading=corpus.reading,
        where=corpus.selection,
        base=corpus.selection_base,
        silence={axis.id: papers for axis in taxonomy.axes if silence_note(axis, papers := Silence.of(corpus, axis))},
    )


def crosstab(corpus: Corpus, rows: str, columns: str) -> dict[str, dict[str, int]]:
    """Count the papers by pair of values, zeros included; a paper with several terms counts in each.

    Raises `UsageError` for a name that is neither an axis nor one of `SPLITS`.
    """
    (names, first), (heads, second) = _dimension(corpus, rows), _dimension(corpus, columns)
    counts = Counter(chain.from_iterable(map(product, first, second)))
    return {name: {head: counts[name, head] for head in heads} for name in names}


def _require_dimension(taxonomy: Taxonomy, name: str) -> None:
    taxonomy.refuse_former(name)
    require_known(name, [*taxonomy.by_id, *SPLITS], "axis")


def _dimension(corpus: Corpus, name: str) -> tuple[list[str], list[list[str]]]:
    """Return all values of a dimension, `NA` last, and the values of each paper: its leaf terms, or a field's value."""
    _require_dimension(corpus.taxonomy, name)
    axis = corpus.taxonomy.by_id.get(name)
    if axis is None:
        values = [[str(getattr(paper, name) or NA)] for paper in corpus.papers]
        return [*sorted({value for (value,) in values} - {NA}), NA], values
    terms = [*(term.id for term in axis.leaves), NA]
    coded = ([tag.term for tag in paper.tags_on(name)] or [NA] for paper in corpus.papers)
    return terms, [[term for term in paper if term in terms] for paper in coded]


def _counts(corpus: Corpus, name: str) -> dict[str, int]:
    names, values = _dimension(corpus, name)
    counts = Counter(chain.from_iterable(values))
    return {name: counts[name] for name in names}


def _rollups(corpus: Corpus, axis: Axis) -> dict[str, int]:
    """Count the papers with a parent term or one of its children."""
    coded = [{tag.term for tag in paper.tags_on(axis.id)} for paper in corpus.papers]
    return {parent: sum(not axis.family[parent].isdisjoint(terms) for terms in coded) for parent in axis.parents}


def _parts(corpus: Corpus, axis: Axis) -> dict[str, int]:
    """Count the papers with a leaf term as a part; empty if the axis has no parts."""
    counts = Counter(tag.term for paper in corpus.papers for tag in paper.tags.get(axis.id, ()) if tag.part)
    return {term.id: counts[term.id] for term in axis.leaves} if counts else {}


def _strengths(corpus: Corpus, axis: Axis) -> dict[str, dict[str, int]]:
    counts = Counter((tag.term, tag.strength) for paper in corpus.papers for tag in paper.tags_on(axis.id))
    names = [strength.id for strength in reversed(axis.strengths)]
    return {term.id: {name: counts[term.id, name] for name in names} for term in axis.leaves}


def _screened(corpus: Corpus, name: str) -> dict[str, int]:
    """Count exclusions by a field of their screening; stages and reasons in taxonomy order, including zeros."""
    counts = Counter(getattr(exclusion.screening, name) or NA for exclusion in corpus.exclusions)
    entries = {"stage": corpus.taxonomy.stages, "reason": corpus.taxonomy.reasons}.get(name)
    return {value: counts[value] for value in (sorted(counts) if entries is None else [e.id for e in entries])}


def _crossed(corpus: Corpus, rows: str, columns: str) -> dict[str, dict[str, int]]:
    screenings = (exclusion.screening for exclusion in corpus.exclusions)
    pairs = Counter((getattr(s, rows) or NA, getattr(s, columns) or NA) for s in screenings)
    names = _screened(corpus, columns)
    return {row: {column: pairs[row, column] for column in names} for row in _screened(corpus, rows)}
