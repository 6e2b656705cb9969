"""One term of the gap map in words and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from awesome_cli.analysis.gaps.cells import GapCell, GapMap, pools_to_compare, term_readings
from awesome_cli.analysis.gaps.gap_report import cell_table, pool_words, report
from awesome_cli.analysis.gaps.states import GAP
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted, either


def term_report(gaps: GapMap, axis: Axis, term: Term) -> Report:
    """One term: its papers, the codings that are contested, and the near-misses among the exclusions."""
    cell = gaps.axes[axis.id][term.id]
    blocks: list[Block] = [
        Text(_sentence(gaps.corpus, axis, term, cell), cell.state.tone, f"{cell.state.word} in this pool"),
        Text(term.definition),
    ]
    if retired := axis.retirement(term.id):
        blocks.append(Text(f"{retired}.", "warn"))
    blocks += [Text(text) for text in _strength_sentences(axis, cell)]
    readings = term_readings(pools_to_compare(gaps.corpus), axis, term)
    if readings:
        blocks.append(Bullets(tuple(_reading(*reading) for reading in readings)))
    sections = [Section(f"{term.code + ' ' if term.code else ''}{term.label} ({axis.id})", tuple(blocks))]
    papers, parts = (_papers_table(gaps.corpus, axis, term, part=part) for part in (False, True))
    contested = _contested(gaps.corpus, axis, term)
    for table, n, title in (
        (papers, cell.n, "Papers"),
        (parts, len(cell.parts), "Papers that have it as a part"),
        (contested, len(contested.rows), "Contested"),
    ):
        if n:
            sections.append(Section(f"{title} ({n})", (_used(table),)))
    near = _near_table(gaps.corpus, axis, term)
    sections.append(Section("Nearest exclusions", tuple(_near_blocks(axis, cell, near))))
    made = report(gaps, tuple(sections), "")
    named = Table.of(
        ("axis", "id", "code", "label", "definition", "retired"),
        [(axis.id, term.id, term.code, term.label, term.definition, retired)],
        title="term",
    )
    told: dict[str, object] = {
        "term": named.records()[0],
        "readings": [_reading_json(*reading) for reading in readings],
        "codings": [*papers.records(), *parts.records()],
        "contests": contested.records(),
        "nearest": near.records(),
    }
    tables = (named, cell_table(gaps), _readings_table(readings), papers, parts, contested, near)
    return replace(made, data={**made.data, **told}, rows=tables)


def _readings_table(readings: Sequence[tuple[str, Axis, GapCell]]) -> Table:
    rows = [
        (label, cell.state.value, len(cell.covering), cell.n, cell.counts, len(cell.parts))
        for label, _, cell in readings
    ]
    return Table.of(("reading", "state", "covering", "n", "by_strength", "parts"), rows, title="readings")


def _reading(label: str, _: Axis, cell: GapCell) -> str:
    counts = [*cell.counts] or [counted(cell.n, "paper")]
    if cell.parts:
        counts.append(f"{len(cell.parts)} as a part")
    return f"{label}: {cell.state.word}; {', '.join(counts)}"


def _reading_json(label: str, axis: Axis, cell: GapCell) -> dict[str, object]:
    return {"reading": label, "gap_strength": axis.gap_strength, **cell.to_json()}


def _sentence(corpus: Corpus, axis: Axis, term: Term, cell: GapCell) -> str:
    bar = f" at strength {axis.gap_strength!r} or above" if axis.gap_strength else ""
    n = len(cell.covering)
    state = f"{'a ' if cell.state is GAP else ''}{cell.state.word} in this pool{pool_words(corpus)}"
    state += f": {counted(n, 'paper')}{bar}"
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
    """The codings with a term, those as a main coding or as a part, strongest first."""
    family = axis.family[term.id]
    rows: list[tuple[Cell, ...]] = []
    for paper in corpus.papers:
        for tag in paper.tags.get(axis.id, ()):
            if tag.term in family and tag.part is part:
                shown = tag.strength if axis.strengths else tag.term
                grade = tag.contested.grade if tag.contested else None
                rows.append((paper.key, paper.year, shown, tag.confidence, grade, tag.evidence))
    rank = axis.rank
    rows.sort(key=lambda row: (-rank.get(str(row[2]), -1), str(row[0])))
    columns = ("key", "year", "strength" if axis.strengths else "term", "confidence", "contested", "evidence")
    return Table.of(columns, rows, title="parts" if part else "papers")


def _used(table: Table) -> Table:
    """The table without its title and without columns that are empty."""
    used = [i for i in range(len(table.columns)) if any(row[i] not in (None, "") for row in table.rows)]
    return Table.of([table.columns[i] for i in used], [[row[i] for i in used] for row in table.rows])


def _contested(corpus: Corpus, axis: Axis, term: Term) -> Table:
    """The contests of codings with a term, strongest grade first."""
    family, rank = axis.family[term.id], corpus.taxonomy.grade_rank
    found: list[tuple[Cell, ...]] = [
        (paper.key, tag.contested.grade, str(tag.contested.on or ""), tag.contested.would_be, tag.contested.because)
        for paper in corpus.papers
        for tag in paper.tags.get(axis.id, ())
        if tag.term in family and tag.contested is not None
    ]
    found.sort(key=lambda entry: (-rank.get(str(entry[1]), -1), str(entry[0])))
    return Table.of(("key", "grade", "raised", "would be", "because"), found, title="contested")


def _near_table(corpus: Corpus, axis: Axis, term: Term) -> Table:
    """Near-misses that would have the term; where there are none, all near-misses on the same axis."""
    misses: list[tuple[Cell, ...]] = [
        (exclusion.key, near.term, axis.said(near.strength), near.because, exclusion.title)
        for exclusion in corpus.exclusions
        for near in exclusion.near_miss
        if near.axis == axis.id
    ]
    own = [miss for miss in misses if miss[1] in axis.family[term.id]]
    return Table.of(("id", "term", "strength", "because", "title"), own or misses, title="near")


def _near_blocks(axis: Axis, cell: GapCell, near: Table) -> Iterator[Block]:
    if cell.near:
        yield Text(f"{len(cell.near)} screened-out records would have this term if they were re-admitted.")
    else:
        yield Text("No screened-out record would have this term if it were re-admitted.")
    if near.rows:
        yield replace(near, title=None if cell.near else f"Near-misses on the same axis ({axis.id})")
    elif not cell.near:
        yield Bullets(("No exclusion is a near-miss on this axis.",))
