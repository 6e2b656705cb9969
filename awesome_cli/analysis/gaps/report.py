"""Reports on the gap map, an axis, a pair of axes or a term; definitions of its states and reasons."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from awesome_cli.analysis.audit.report import agreement_on, agreement_sentences
from awesome_cli.analysis.gaps.cells import (
    GapCell,
    GapMap,
    GapReason,
    gap_map,
    pools_to_compare,
    silence_note,
    silence_notes,
    term_cell,
    term_readings,
)
from awesome_cli.analysis.gaps.states import COVERED, GAP, NOT_APPLICABLE, SPARSE, STATES, UNKNOWN, GapState
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import NONE, split_axis, which_axis
from awesome_cli.model.taxonomy import LISTED, Axis, Map, Sparse, Term, tree
from awesome_cli.query.query_words import lowered
from awesome_cli.reports.answer import report_of
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, Toned
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.folding import forms
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.numbers import counted, either


@report_of.register
def to_report(gaps: GapMap) -> Report:
    """Report every axis and pair of a map."""
    by_id = gaps.corpus.taxonomy.by_id
    sections = [
        Section(by_id[axis].label, (axis_table(by_id[axis], cells), *map(Text, agreement_sentences(gaps.corpus, axis))))
        for axis, cells in gaps.axes.items()
    ]
    for name, rows in gaps.pairs.items():
        pair = name.split(" x ")
        notes = silence_notes(gaps.corpus, *(by_id[axis] for axis in dict.fromkeys(pair)))
        agreement = () if gaps.axes else map(Text, agreement_sentences(gaps.corpus, *pair))
        remarks = (*(Text(text, "muted") for text in (_tally(rows, "cell"), *notes)), *agreement)
        sections.append(Section(_pair_label(gaps, name), (pair_table(name, rows), *remarks)))
    return report(gaps, tuple(sections), f"Evidence gaps{pool_words(gaps.corpus)}")


def _pair_label(gaps: GapMap, name: str) -> str:
    rows, columns = (gaps.corpus.taxonomy.by_id[axis].label for axis in name.split(" x "))
    return f"{rows} by {lowered(columns)}"


def pool_words(corpus: Corpus) -> str:
    """Describe a pool: ` as of DAY, in the strict reading, where QUERY`; empty for today's pool as coded."""
    day, reading, where, base = corpus.day, corpus.reading, corpus.selection, corpus.selection_base
    words = f"{f' as of {day}' if day else ''}{f', in the {reading}' if reading else ''}"
    return words + (f", where {where}" if where else "") + (f" ({base})" if base else "")


def report(gaps: GapMap, sections: tuple[Section, ...], title: str) -> Report:
    """Build a report with `sections` for the terminal, and every cell of the map for JSON and CSV."""
    axes = [*gaps.axes, *(axis for pair in gaps.pairs for axis in pair.split(" x "))]
    agreement = {axis: agreement_on(gaps.corpus, axis) for axis in axes}
    rows = [(axis, *row.values()) for axis, parts in agreement.items() for row in parts]
    data: dict[str, object] = {
        **pool_json(gaps.corpus),
        "agreement": agreement,
        "axes": {axis: {term: cell.to_json() for term, cell in cells.items()} for axis, cells in gaps.axes.items()},
        "pairs": {
            pair: {row: {column: cell.to_json() for column, cell in cells.items()} for row, cells in rows.items()}
            for pair, rows in gaps.pairs.items()
        },
        "measures": {},
    }
    second = Table.of(("axis", "audit", "blind", "choice", "agree", "cells"), rows, title="agreement")
    return Report("awesome/gaps/3", data, sections, title, (cell_table(gaps), second))


def pool_json(corpus: Corpus) -> dict[str, object]:
    """The day, reading and query that define a pool."""
    return {
        "as_of": corpus.day.isoformat() if corpus.day else None,
        "reading": corpus.reading.to_json() if corpus.reading else None,
        "where": corpus.selection,
    }


def cell_table(gaps: GapMap) -> Table:
    """Return a table for CSV with one row per cell."""
    columns = ("cell", "state", "reason", "covering", "n", "by_strength", "contested", "keys", "parts", "near",
               "coded", "uncoded", "listed", "total")  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (name, cell.state.value, cell.reason and cell.reason.value, len(cell.covering), cell.n, cell.counts,
         len(cell.contested), cell.keys, cell.parts, cell.near, cell.coded, cell.uncoded, cell.listed,
         cell.total)
        for name, cell in gaps.cells()
    ]  # fmt: skip
    return Table.of(columns, rows, title="cells")


def axis_table(axis: Axis, cells: Mapping[str, GapCell]) -> Table:
    """Return a row per term: state, papers by strength, papers with the term as a part, contested codings, reason."""
    strengths = [strength.id for strength in reversed(axis.strengths)]
    any_parts = any(cell.parts for cell in cells.values())
    rows: list[tuple[Cell, ...]] = []
    for term in tree(axis):
        cell = cells[term.id]
        label = f"{term.code} {term.label}" if term.code else f"  {term.label}" if term.parent else term.label
        counts = [cell.by_strength.get(s, 0) for s in strengths] or [cell.n]
        counts += [len(cell.parts)] if any_parts else []
        rows.append((label, Toned(cell.word, cell.state.tone), *counts, len(cell.contested), cell.why))
    columns = (*(strengths or ["papers"]), *(["parts"] if any_parts else []))
    return Table.of(
        (axis.id, "state", *columns, "contested", "why"), rows, note=silence_note(axis, next(iter(cells.values())))
    )


def pair_table(name: str, rows: Mapping[str, Mapping[str, GapCell]]) -> Table:
    """Return the matrix of a pair of axes; gaps and sparse cells are marked."""
    columns = list(next(iter(rows.values()), {}))
    body: list[tuple[Cell, ...]] = [(row, *(mark(cell) for cell in cells.values())) for row, cells in rows.items()]
    seen = {cell.state for cells in rows.values() for cell in cells.values()}
    marks = ", ".join(f"{s.mark.format(n='')} {s.word}" for s in STATES if s.lacks and (s is not UNKNOWN or s in seen))
    listed = ", as listed" if any(cell.listed for cells in rows.values() for cell in cells.values()) else ""
    legend = f"Numbers are papers strong enough to count{listed}; {marks}, ( ) papers with weaker evidence."
    return Table.of((name, *columns), body, note=legend)


def mark(cell: GapCell) -> Toned:
    """Return a cell as text: `!` for a gap, `~2` if sparse, `9` if covered; `9 (1)` has one weaker paper."""
    text = cell.state.mark.format(n=len(cell.covering))
    weaker = cell.n - len(cell.covering)
    return Toned(f"{text} ({weaker})" if weaker else text, cell.state.tone)


def _tally(rows: Mapping[str, Mapping[str, GapCell]], noun: str) -> str:
    cells = [cell for columns in rows.values() for cell in columns.values()]
    counts = [(sum(cell.state is state for cell in cells), state.word) for state in STATES]
    return f"{counted(len(cells), noun)}: " + ", ".join(f"{n:,} {word}" for n, word in counts if n)


def overview(gaps: GapMap) -> Report:
    """Report the terms that lack papers, and count the states of pairs; the data are those of `to_report`."""
    by_id = gaps.corpus.taxonomy.by_id
    cells = [(by_id[axis], term, cell) for axis, terms in gaps.axes.items() for term, cell in terms.items()]
    groups = group_pairs((cell.state, (axis, term, cell)) for axis, term, cell in cells)
    sections = [Section(None, (Text(_tally(gaps.axes, "term")),))]
    for state in STATES:
        if state.lacks and (terms := groups.get(state)):
            title = f"{state.word.capitalize()} ({len(terms):,}): {state.meaning}"
            notes = dict.fromkeys(silence_note(axis, cell) for axis, _, cell in terms if cell.listed)
            sections.append(Section(title, (_lacking_table(terms), *(Text(note, "muted") for note in notes if note))))
    if gaps.pairs:
        tallies = tuple(f"{_pair_label(gaps, name)}, {_tally(rows, 'cell')}" for name, rows in gaps.pairs.items())
        command = f"awesome gaps --by {next(iter(gaps.pairs)).replace(' x ', ',')}"
        sections.append(Section("Pairs of terms", (Bullets(tallies), Text(f"As a matrix: {command}", "muted"))))
    rest = f"{counted(len(groups[COVERED]), 'covered term')} and all tables" if COVERED in groups else "All tables"
    sections.append(Section(None, (Text(f"{rest}: awesome gaps --all", "muted"),)))
    return report(gaps, tuple(sections), f"Evidence gaps{pool_words(gaps.corpus)}")


def _lacking_table(cells: Sequence[tuple[Axis, str, GapCell]]) -> Table:
    """Return a row per term with the reason why it lacks papers, or per axis with numbers of papers."""
    labels = [(axis, axis.by_id[term].full_label, cell) for axis, term, cell in cells]
    if any(cell.why for _, _, cell in labels):
        return Table.of(("axis", "term", "why"), [(axis.label, label, cell.why) for axis, label, cell in labels])
    groups = group_pairs((axis.label, f"{label} {len(cell.covering):,}") for axis, label, cell in labels)
    return Table.of(("axis", "terms, with numbers of papers"), [(a, " · ".join(terms)) for a, terms in groups.items()])


def term_report(gaps: GapMap, axis: Axis, term: Term) -> Report:
    """Report a term's papers, its contested codings, and near-misses among the screened-out records."""
    cell = gaps.axes[axis.id][term.id]
    blocks: list[Block] = [
        Text(_sentence(gaps.corpus, axis, term, cell), cell.state.tone, f"{cell.word} in this pool"),
        Text(term.definition),
    ]
    if retired := axis.retirement(term.id):
        blocks.append(Text(f"{retired}.", "warn"))
    blocks += [*map(Text, _strength_sentences(axis, cell)), *map(Text, agreement_sentences(gaps.corpus, axis.id))]
    readings = term_readings(pools_to_compare(gaps.corpus), axis, term)
    if readings:
        blocks.append(Bullets(tuple(f"{label}: {then.word}; {then.tally}" for label, _, then in readings)))
    sections = [Section(f"{term.code + ' ' if term.code else ''}{term.label} ({axis.id})", tuple(blocks))]
    papers, parts = (_papers_table(gaps.corpus, axis, term, part=part) for part in (False, True))
    contested = _contested(gaps.corpus, axis, term)
    for table, n, title in (
        (papers, cell.n, "Papers"),
        (parts, len(cell.parts), "Papers with the term as a part"),
        (contested, len(contested.rows), "Contested"),
    ):
        if n:
            sections.append(Section(f"{title} ({n})", (replace(table.without_empty(), title=None),)))
    near = _near_table(gaps.corpus, axis, term)
    sections.append(Section("Nearest exclusions", tuple(_near_blocks(axis, cell, near))))
    summary = report(gaps, tuple(sections), "")
    term_table = Table.of(
        ("axis", "id", "code", "label", "definition", "retired"),
        [(axis.id, term.id, term.code, term.label, term.definition, retired)],
        title="term",
    )
    details: dict[str, object] = {
        "term": term_table.records()[0],
        "readings": [
            {"reading": label, "gap_strength": axis_then.gap_strength, **then.to_json()}
            for label, axis_then, then in readings
        ],
        "codings": [*papers.records(), *parts.records()],
        "contests": contested.records(),
        "nearest": near.records(),
    }
    tables = (term_table, *summary.tables(), _readings_table(readings), papers, parts, contested, near)
    return replace(summary, data={**summary.data, **details}, rows=tables)


def _readings_table(readings: Sequence[tuple[str, Axis, GapCell]]) -> Table:
    rows = [
        (label, cell.state.value, len(cell.covering), cell.n, cell.counts, len(cell.parts))
        for label, _, cell in readings
    ]
    return Table.of(("reading", "state", "covering", "n", "by_strength", "parts"), rows, title="readings")


def _sentence(corpus: Corpus, axis: Axis, term: Term, cell: GapCell) -> str:
    bar = f" at strength {axis.gap_strength!r} or above" if axis.gap_strength else ""
    n = len(cell.covering)
    state = f"{'a ' if cell.state is GAP else ''}{cell.word} in this pool{pool_words(corpus)}"
    state += f": {counted(n, 'paper')}{bar}" + (f"; {cell.base}" if cell.listed else "")
    return f"{term.label} is {state}" + (f" ({cell.why})." if cell.why else ".")


def _strength_sentences(axis: Axis, cell: GapCell) -> Iterator[str]:
    if not axis.strengths:
        return
    contested = f"; {len(cell.contested)} contested" if cell.contested else ""
    yield "By strength: " + ", ".join(cell.counts) + contested + "."
    missing = [strength for strength, n in cell.by_strength.items() if not n]
    if missing:
        yield f"No paper at strength {either(missing)}."


def _papers_table(corpus: Corpus, axis: Axis, term: Term, *, part: bool) -> Table:
    """The codings with a term, either main codings or parts, strongest first."""
    rows: list[tuple[Cell, ...]] = []
    for paper, tag in corpus.coded(axis.id, axis.family[term.id]):
        if tag.part is part:
            shown = tag.strength if axis.strengths else tag.term
            grade = tag.contested.grade if tag.contested else None
            rows.append((paper.key, paper.year, shown, tag.confidence, grade, tag.mark or None, tag.evidence))
    rank = axis.rank
    rows.sort(key=lambda row: (-rank.get(str(row[2]), -1), str(row[0])))
    columns = ("key", "year", "strength" if axis.strengths else "term", "confidence", "contested", "mark", "evidence")
    return Table.of(columns, rows, title="parts" if part else "papers")


def _contested(corpus: Corpus, axis: Axis, term: Term) -> Table:
    rank = corpus.taxonomy.grade_rank
    rows: list[tuple[Cell, ...]] = [
        (paper.key, tag.contested.grade, str(tag.contested.on or ""), tag.contested.would_be, tag.contested.because)
        for paper, tag in corpus.coded(axis.id, axis.family[term.id])
        if tag.contested is not None
    ]
    rows.sort(key=lambda entry: (-rank.get(str(entry[1]), -1), str(entry[0])))
    return Table.of(("key", "grade", "raised", "would be", "because"), rows, title="contested")


def _near_table(corpus: Corpus, axis: Axis, term: Term) -> Table:
    """Near-misses that would have the term; if there are none, all near-misses on the axis."""
    misses: list[tuple[Cell, ...]] = [
        (exclusion.key, near.term, axis.display(near.strength), near.because, exclusion.title)
        for exclusion in corpus.exclusions
        for near in exclusion.near_miss
        if near.axis == axis.id
    ]
    matches = [miss for miss in misses if miss[1] in axis.family[term.id]]
    return Table.of(("id", "term", "strength", "because", "title"), matches or misses, title="near")


def _near_blocks(axis: Axis, cell: GapCell, near: Table) -> Iterator[Block]:
    records = counted(len(cell.near), "screened-out record") if cell.near else "No screened-out record"
    yield Text(f"{records} would have this term if re-admitted.")
    if near.rows:
        yield replace(near, title=None if cell.near else f"Near-misses on the same axis ({axis.id})")
    elif not cell.near:
        yield Bullets(("The axis has no near-misses.",))


MEANINGS: Mapping[GapState, str] = {
    GAP: "No paper in the pool counts for the cell.",
    SPARSE: "At least one paper counts for the cell, but not more than the `sparse` limit of the taxonomy.",
    COVERED: "More papers count for the cell than the `sparse` limit of the taxonomy.",
    UNKNOWN: "Papers that are not coded yet on an axis of the cell could fill it; see `silence` of the axis.",
    NOT_APPLICABLE: "The taxonomy declares the two terms impossible together.",
}
WORDS = (*(state.value for state in MEANINGS), *(reason.value for reason in GapReason))


def counting_rule(axis: Axis, sparse: Sparse) -> str:
    """State which papers count for a term of an axis, and when the term is a gap or sparse."""
    if axis.bookkeeping:
        return "The axis describes the records, so the gap map leaves it out."
    bar = f" with strength {axis.gap_strength!r} or above" if axis.gap_strength else ""
    unless = {NONE: "", LISTED: ", as listed"}.get(axis.silence or "", ", or unknown if papers are not coded yet")
    return (
        f"A paper counts for a term if the term is its main coding{bar}. "
        f"A term without such papers is a gap; with {sparse} it is sparse{unless}."
    )


def word_sections(corpus: Corpus | None, word: str) -> Iterator[tuple[Section, dict[str, object]]]:
    """Yield the section and JSON that define a state or a reason; with a corpus, also the limits of each axis."""
    for state, text in MEANINGS.items():
        if forms(state.value) & forms(word):
            blocks: tuple[Block, ...] = (Text(text), *_word_tables(corpus, state))
            yield Section(f"{state.word} (state of a cell in the gap map)", blocks), _word_data("state", word, text)
    for reason in GapReason:
        if forms(reason.value) & forms(word):
            text = f"The cell is a gap: {reason.words()}."
            yield Section(f"{word} (reason of a gap)", (Text(text),)), _word_data("reason of a gap", word, text)


def _word_tables(corpus: Corpus | None, state: GapState) -> Iterator[Block]:
    if state is GAP:
        yield Table.of(("reason", "meaning"), [(reason.value, reason.words()) for reason in GapReason])
    if state is SPARSE and corpus is not None:
        yield Text(f"Sparse: {corpus.taxonomy.sparse}.")
        axes = [(axis.id, axis.gap_strength) for axis in corpus.taxonomy.axes if axis.gap_strength]
        yield Table.of(("axis", "counts from strength"), axes)


def _word_data(kind: str, word: str, text: str) -> dict[str, object]:
    return {"what": kind, "id": word, "text": text}


def answer(
    corpus: Corpus, name: str | None, *, rows: str | None = None, columns: str | None = None, full: bool = True
) -> tuple[GapMap, Report]:
    """Return the gap map of an axis, a term or a pair of axes, and the report on that map.

    `name` is an axis, a term (an id, a code, or `axis=term`) or None for the whole map; `rows` and `columns` name a
    pair of axes instead. The report on the whole map is an overview unless `full`. Raises `UsageError` for a name that
    is not in the taxonomy.
    """
    by_id = corpus.taxonomy.by_id
    if rows is not None or columns is not None:
        pair = Map(rows=_axis(corpus, rows).id, columns=_axis(corpus, columns).id)
        declared = next((m for m in corpus.taxonomy.maps if m.name == pair.name), pair)
        gaps = gap_map(corpus, axes=(), pairs=(declared,))
        return gaps, to_report(gaps)
    if name is None or name in by_id:
        gaps = gap_map(corpus) if name is None else gap_map(corpus, axes=(_axis(corpus, name).id,), pairs=())
        return gaps, to_report(gaps) if full or name else overview(gaps)
    axis, term = find_term(corpus, name)
    gaps = GapMap(corpus, {axis.id: {term.id: term_cell(corpus, axis, term)}}, {})
    return gaps, term_report(gaps, axis, term)


def _axis(corpus: Corpus, name: str | None) -> Axis:
    if not name:
        raise UsageError(
            "a pair needs two axes", hint=f"write --by AXIS,AXIS; available axes: {', '.join(corpus.taxonomy.by_id)}"
        )
    return _of_literature(corpus.taxonomy.axis(name))


def _of_literature(axis: Axis) -> Axis:
    """Return an axis, or raise `UsageError` if it describes the records."""
    if axis.bookkeeping:
        hint = f"count its terms with 'awesome stats --by {axis.id}'"
        raise UsageError(f"{axis.id!r} is a bookkeeping axis, so it cannot have gaps", hint=hint)
    return axis


def find_term(corpus: Corpus, name: str) -> tuple[Axis, Term]:
    """Return the axis and term of an id, a code or `axis=term`; raises `UsageError` if unknown or ambiguous."""
    taxonomy = corpus.taxonomy
    axis_id, word = split_axis(name)
    if word is not None:
        axis = _of_literature(taxonomy.axis(axis_id))
        return axis, axis.term(word)
    axes = taxonomy.axes_with(name)
    if len(axes) > 1:
        raise UsageError(f"{name!r} is a term of {len(axes)} axes", hint=which_axis(axes, name))
    if not axes:
        raise taxonomy.unknown_term(name)
    axis = _of_literature(taxonomy.by_id[axes[0]])
    return axis, axis.term(name)
