"""The gap map in words and tables: whole, one axis, one pair of axes."""

from collections.abc import Mapping

from awesome_cli.analysis.gaps.cells import GapCell, GapMap
from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.model.taxonomy import Axis, tree
from awesome_cli.reports.report import Cell, Report, Section, Table, Text, Toned
from awesome_cli.survey.corpus import Corpus

_MARKS = ", ".join(f"{state.mark.format(n='')} {state.word}" for state in STATES if state.lacks)
LEGEND = f"Numbers are papers strong enough to count; {_MARKS}, ( ) papers with weaker evidence."


def to_report(gaps: GapMap) -> Report:
    """The whole map."""
    by_id = gaps.corpus.taxonomy.by_id
    sections = [Section(by_id[axis].label, (axis_table(by_id[axis], cells),)) for axis, cells in gaps.axes.items()]
    for name, rows in gaps.pairs.items():
        sections.append(Section(_pair_title(gaps.corpus, name), (pair_table(name, rows), Text(_tally(rows), "muted"))))
    return report(gaps, tuple(sections), f"Evidence gaps{pool_words(gaps.corpus)}")


def pool_words(corpus: Corpus) -> str:
    """` as of DAY, in the strict reading from grade GRADE, where QUERY`; empty for the pool of today as coded."""
    day, reading, where = corpus.day, corpus.reading, corpus.selection
    words = f"{f' as of {day}' if day else ''}{f', in the {reading}' if reading else ''}"
    return words + (f", where {where}" if where else "")


def report(gaps: GapMap, sections: tuple[Section, ...], title: str) -> Report:
    """A report with these sections for people, and every cell of the map for machines."""
    data: dict[str, object] = {
        **pool_json(gaps.corpus),
        "axes": {axis: {term: cell.to_json() for term, cell in cells.items()} for axis, cells in gaps.axes.items()},
        "pairs": {
            pair: {row: {column: cell.to_json() for column, cell in cells.items()} for row, cells in rows.items()}
            for pair, rows in gaps.pairs.items()
        },
        "measures": {},
    }
    return Report("awesome/gaps/3", data, sections, title, (cell_table(gaps),))


def pool_json(corpus: Corpus) -> dict[str, object]:
    """Which pool was asked."""
    return {
        "as_of": corpus.day.isoformat() if corpus.day else None,
        "reading": corpus.reading.to_json() if corpus.reading else None,
        "where": corpus.selection,
    }


def cell_table(gaps: GapMap) -> Table:
    """Every cell in a row, for CSV."""
    columns = ("cell", "state", "reason", "covering", "n", "by_strength", "contested", "keys", "parts", "near")
    rows: list[tuple[Cell, ...]] = [
        (name, cell.state.value, cell.reason and cell.reason.value, len(cell.covering), cell.n, cell.counts,
         len(cell.contested), cell.keys, cell.parts, cell.near)
        for name, cell in gaps.cells()
    ]  # fmt: skip
    return Table.of(columns, rows, title="cells")


def axis_table(axis: Axis, cells: Mapping[str, GapCell]) -> Table:
    """A row a term: state, papers by strength, papers that have it as a part, contested codings, reason."""
    strengths = [strength.id for strength in reversed(axis.strengths)]
    rows: list[tuple[Cell, ...]] = []
    for term in tree(axis):
        cell = cells[term.id]
        label = f"{term.code} {term.label}" if term.code else f"  {term.label}" if term.parent else term.label
        counts = [cell.by_strength.get(s, 0) for s in strengths] or [cell.n]
        why = cell.why
        parts = [len(cell.parts)] if any(other.parts for other in cells.values()) else []
        rows.append((label, Toned(cell.state.word, cell.state.tone), *counts, *parts, len(cell.contested), why))
    columns = (*(strengths or ["papers"]), *(["parts"] if any(cell.parts for cell in cells.values()) else []))
    return Table.of((axis.id, "state", *columns, "contested", "why"), rows)


def pair_table(name: str, rows: Mapping[str, Mapping[str, GapCell]]) -> Table:
    """The matrix of a pair of axes, with a mark for what is missing or thin."""
    columns = list(next(iter(rows.values()), {}))
    body: list[tuple[Cell, ...]] = [(row, *(mark(cell) for cell in cells.values())) for row, cells in rows.items()]
    return Table.of((name, *columns), body, note=LEGEND)


def mark(cell: GapCell) -> Toned:
    """A cell in a few characters, readable without colour."""
    text = cell.state.mark.format(n=len(cell.covering))
    weaker = cell.n - len(cell.covering)
    return Toned(f"{text} ({weaker})" if weaker else text, cell.state.tone)


def _tally(rows: Mapping[str, Mapping[str, GapCell]]) -> str:
    cells = [cell for columns in rows.values() for cell in columns.values()]
    counts = [(sum(cell.state is state for cell in cells), state.word) for state in STATES]
    return f"{len(cells)} cells: " + ", ".join(f"{n} {word}" for n, word in counts if n)


def _pair_title(corpus: Corpus, name: str) -> str:
    rows, _, columns = name.partition(" x ")
    by_id = corpus.taxonomy.by_id
    return f"{by_id[rows].label} by {by_id[columns].label.lower()}"
