"""Statistics of a corpus: totals, counts per axis with zeros, strengths, exclusions, cross-tabs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pandas as pd

from awesome_cli.analysis.statistics import SCREENED, SCREENED_PAIRS, SPLITS, frames
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import on_axis
from awesome_cli.model.taxonomy import NA, Axis, Taxonomy
from awesome_cli.reports.report import Block, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import ContestReading, Corpus
from awesome_cli.text.numbers import counted

Counts = Mapping[str, int]
Grid = Mapping[str, Mapping[str, int]]
TABLES = ("counts", "rollups", "parts", "strengths", "exclusions", "exclusion_crosstabs", "by", "crosstabs")


@dataclass(frozen=True)
class Stats:
    """The counts of a pool. All of them count papers, except `exclusions` and `exclusion_crosstabs`.

    `counts` are over leaf terms and `NA`, `rollups` over parents with all their children. All rest on main codings;
    `parts` counts the papers that have a leaf term as a part, on axes where any does.
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
    asked: tuple[str, ...]
    day: date | None
    reading: ContestReading | None
    where: str | None

    def __repr__(self) -> str:
        return f"Stats({', '.join(f'{name}={n}' for name, n in self.totals.items())})"

    def to_report(self) -> Report:
        """Every count, or those alone that were asked for."""
        if not self.asked:
            return self.report()
        kept: dict[str, Any] = {
            name: {axis: n for axis, n in getattr(self, name).items() if axis in self.asked} for name in TABLES
        }
        return replace(self, **kept).report()

    def report(self) -> Report:
        """All counts as tables, the most decisive ones for people."""
        sections = [Section(None, (Text(self._headline()),))]
        retired = self._retired()
        remarks = tuple(Text(f"{said}.", "warn") for said in retired.values())
        found = [*(self._asked_sections() if self.asked else self._sections()), Section("Retired", remarks)]
        sections += [section for section in found if section.blocks]
        data: dict[str, object] = {
            "as_of": self.day.isoformat() if self.day else None,
            "where": self.where,
            "reading": self.reading.to_json() if self.reading else None,
            "totals": self.totals,
            **{name: getattr(self, name) for name in TABLES},
            "retired": retired,
        }
        rows = Table.of(("table", "row", "column", "n"), list(self._rows()))
        return Report("awesome/stats/2", data, tuple(sections), "Statistics", rows)

    def _headline(self) -> str:
        total = self.totals
        retained = counted(total["retained"], "paper")
        text = f"{retained} retained, {total['excluded']} excluded, {total['audited']} audited"
        text += (f", as of {self.day}" if self.day else "") + (f", {self.reading}" if self.reading else "")
        return text + (f", where {self.where}" if self.where else "")

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
        given = {name: counts for name, counts in self.exclusions.items() if counts.keys() - {NA}}
        crossed = {name: grid for name, grid in self.exclusion_crosstabs.items() if {*name.split(" x ")} <= {*given}}
        blocks = (count_table(name, counts) for name, counts in given.items())
        yield Section("Exclusions", (*blocks, *(grid_table(name, grid) for name, grid in crossed.items())))
        for name, counts in ((name, counts) for name, counts in self.by.items() if counts):
            yield Section(f"By {name}", (count_table(name, counts),))

    def _asked_sections(self) -> Iterator[Section]:
        for name in self.asked:
            if name in self.crosstabs:
                yield Section(None, (grid_table(name, self.crosstabs[name]),))
            else:
                blocks: list[Block] = [count_table(name, self.counts.get(name) or self.by[name])]
                for title, found in (("parents", self.rollups), ("parts", self.parts)):
                    if name in found:
                        blocks.append(replace(count_table(name, found[name]), title=title))
                if name in self.strengths:
                    blocks.append(self._strengths(name))
                yield Section(None, tuple(blocks))

    def _retired(self) -> dict[str, str]:
        """The sentence on each retired term of what is counted, by `axis=term`."""
        asked = {part for name in self.asked for part in name.split(" x ")}
        terms = [(axis, term) for axis in self.taxonomy.axes for term in axis.terms if term.deprecated]
        return {
            on_axis(axis.id, term.id): axis.retirement(term.id) or ""
            for axis, term in terms
            if not asked or axis.id in asked
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
        yield from (("retired", name, said, None) for name, said in self._retired().items())


def _cells(grid: Grid) -> Iterator[tuple[str, str, int]]:
    return ((row, column, n) for row, counts in grid.items() for column, n in counts.items())


def count_table(name: str, counts: Counts) -> Table:
    """A two-column table."""
    return Table.of((name, "n"), list(counts.items()))


def grid_table(name: str, grid: Grid) -> Table:
    """A cross-tab with its row values in the first column; the title is the table's name."""
    columns = list(next(iter(grid.values()), {}))
    return Table.of(
        (name.partition(" x ")[0], *columns), [(r, *counts.values()) for r, counts in grid.items()], title=name
    )


def statistics(corpus: Corpus, *, by: Sequence[str] = (), as_of: date | None = None, where: str | None = None) -> Stats:
    """Count a corpus; `by` asks for single axes (`AXIS`) and pairs (`AXIS,AXIS`), of axes or `SPLITS`.

    `as_of` and `where` narrow the pool first. Raises `UsageError` for an unknown name.
    """
    if as_of is not None:
        corpus = corpus.as_of(as_of)
    corpus = corpus.where(where)
    taxonomy = corpus.taxonomy
    pairs = [(m.rows, m.columns) for m in taxonomy.maps if m.columns is not None]
    pairs += taxonomy.crosstabs
    asked = [tuple(part.strip() for part in name.split(",")) for name in by]
    pairs += [(names[0], names[1]) for names in asked if len(names) == 2]
    if any(len(names) > 2 for names in asked):
        raise UsageError("a table has one axis or two", hint="give --by several times for several tables")
    for name in (part for names in asked for part in names):
        frames.require_dimension(corpus, name)
    codings = frames.tags_frame(corpus)
    tags, parts = codings[~codings.part], codings[codings.part]
    return Stats(
        taxonomy=taxonomy,
        totals={
            "retained": len(corpus.papers),
            "excluded": len(corpus.exclusions),
            "audited": len(corpus.papers) + len(corpus.exclusions),
        },
        counts={axis.id: _count(frames.dimension(corpus, axis.id)[axis.id]) for axis in taxonomy.axes},
        rollups={
            axis.id: {
                parent: int(tags[(tags.axis == axis.id) & tags.term.isin(axis.family[parent])].key.nunique())
                for parent in axis.parents
            }
            for axis in taxonomy.axes
            if axis.parents
        },
        parts={
            axis.id: {term.id: int((own.term == term.id).sum()) for term in axis.leaves}
            for axis in taxonomy.axes
            if not (own := parts[parts.axis == axis.id]).empty
        },
        strengths={axis.id: _strengths(tags, axis) for axis in taxonomy.axes if axis.strengths},
        exclusions={name: _screened(corpus, name) for name in SCREENED},
        exclusion_crosstabs={f"{a} x {b}": _crossed(corpus, a, b) for a, b in SCREENED_PAIRS},
        by={
            name: {value: n for value, n in _count(frames.dimension(corpus, name)[name]).items() if n or value != NA}
            for name in SPLITS
        },
        crosstabs={f"{a} x {b}": _grid(frames.crosstab(corpus, a, b)) for a, b in dict.fromkeys(pairs)},
        asked=tuple(" x ".join(names) for names in asked),
        day=corpus.day,
        reading=corpus.reading,
        where=corpus.selection,
    )


def _count(values: "pd.Series[str]") -> dict[str, int]:
    return {str(name): int(n) for name, n in values.value_counts(sort=False).items()}


def _grid(frame: pd.DataFrame) -> dict[str, dict[str, int]]:
    return {str(row): {str(column): int(n) for column, n in cells.items()} for row, cells in frame.iterrows()}


def _strengths(tags: pd.DataFrame, axis: Axis) -> dict[str, dict[str, int]]:
    own = tags[tags.axis == axis.id]
    names = [strength.id for strength in reversed(axis.strengths)]
    return {
        term.id: {name: int(((own.term == term.id) & (own.strength == name)).sum()) for name in names}
        for term in axis.leaves
    }


def _screened(corpus: Corpus, name: str) -> dict[str, int]:
    """Exclusions by a word of their screening: stages and reasons as the taxonomy lists them, else those in use."""
    counts = Counter(getattr(exclusion.screening, name) or NA for exclusion in corpus.exclusions)
    listed = {"stage": corpus.taxonomy.stages, "reason": corpus.taxonomy.reasons}.get(name)
    return {value: counts[value] for value in (sorted(counts) if listed is None else [e.id for e in listed])}


def _crossed(corpus: Corpus, rows: str, columns: str) -> dict[str, dict[str, int]]:
    screenings = (exclusion.screening for exclusion in corpus.exclusions)
    pairs = Counter((getattr(one, rows) or NA, getattr(one, columns) or NA) for one in screenings)
    names = _screened(corpus, columns)
    return {row: {column: pairs[row, column] for column in names} for row in _screened(corpus, rows)}
