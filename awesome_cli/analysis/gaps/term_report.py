"""One term of the gap map in words and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from awesome_cli.analysis.gaps.cells import GapCell, GapMap, pools_to_compare, term_readings
from awesome_cli.analysis.gaps.gap_report import pool_words, report
from awesome_cli.analysis.gaps.states import GAP
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted


def term_report(gaps: GapMap, axis: Axis, term: Term) -> Report:
    """One term: its papers, the codings that are contested, and the near-misses among the exclusions."""
    cell = gaps.axes[axis.id][term.id]
    blocks: list[Block] = [Text(_sentence(gaps.corpus, axis, term, cell), cell.state.tone), Text(term.definition)]
    if retired := axis.retirement(term.id):
        blocks.append(Text(f"{retired}.", "warn"))
    blocks += [Text(text) for text in _strength_sentences(axis, cell)]
    readings = term_readings(pools_to_compare(gaps.corpus), axis, term)
    if readings:
        blocks.append(Bullets(tuple(_reading(*reading) for reading in readings)))
    sections = [Section(f"{term.code + ' ' if term.code else ''}{term.label} ({axis.id})", tuple(blocks))]
    if cell.keys:
        sections.append(Section(f"Papers ({cell.n})", (_papers_table(gaps.corpus, axis, term),)))
    if cell.parts:
        table = _papers_table(gaps.corpus, axis, term, parts=True)
        sections.append(Section(f"Papers that have it as a part ({len(cell.parts)})", (table,)))
    contested = list(_contested(gaps.corpus, axis, term))
    if contested:
        table = _used(("key", "grade", "raised", "would be", "because"), contested)
        sections.append(Section(f"Contested ({len(contested)})", (table,)))
    sections.append(Section("Nearest exclusions", tuple(_near_blocks(gaps.corpus, axis, term, cell))))
    made = report(gaps, tuple(sections), "")
    return replace(made, data={**made.data, "readings": [_reading_json(*reading) for reading in readings]})


def _reading(label: str, _: Axis, cell: GapCell) -> str:
    counts = [f"{n} {strength}" for strength, n in cell.by_strength.items()] or [counted(cell.n, "paper")]
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
    counts = [f"{n} {strength}" for strength, n in cell.by_strength.items()]
    contested = f"; {len(cell.contested)} contested" if cell.contested else ""
    yield "By strength: " + ", ".join(counts) + contested + "."
    missing = [strength for strength, n in cell.by_strength.items() if not n]
    if missing:
        yield f"No paper at strength {' or '.join(missing)}."


def _papers_table(corpus: Corpus, axis: Axis, term: Term, *, parts: bool = False) -> Table:
    family = axis.family[term.id]
    rows: list[tuple[Cell, ...]] = []
    for paper in corpus.papers:
        for tag in paper.tags.get(axis.id, ()):
            if tag.term in family and tag.part is parts:
                grade = tag.contested.grade if tag.contested else None
                rows.append((paper.key, paper.year, tag.strength or tag.term, tag.confidence, grade, tag.evidence))
    rank = axis.rank
    rows.sort(key=lambda row: (-rank.get(str(row[2]), -1), str(row[0])))
    columns = ("key", "year", "strength" if axis.strengths else "term", "confidence", "contested", "evidence")
    return _used(columns, rows)


def _used(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    """The table without columns that are empty."""
    used = [i for i in range(len(columns)) if any(row[i] not in (None, "") for row in rows)]
    return Table.of([columns[i] for i in used], [[row[i] for i in used] for row in rows])


def _contested(corpus: Corpus, axis: Axis, term: Term) -> Iterator[tuple[Cell, ...]]:
    """Strongest grade first."""
    family, rank = axis.family[term.id], corpus.taxonomy.grade_rank
    found: list[tuple[Cell, ...]] = [
        (paper.key, tag.contested.grade, str(tag.contested.on or ""), tag.contested.would_be, tag.contested.because)
        for paper in corpus.papers
        for tag in paper.tags.get(axis.id, ())
        if tag.term in family and tag.contested is not None
    ]
    yield from sorted(found, key=lambda entry: (-rank.get(str(entry[1]), -1), str(entry[0])))


def _near_blocks(corpus: Corpus, axis: Axis, term: Term, cell: GapCell) -> Iterator[Block]:
    """Near-misses that would have the term; where there are none, all near-misses on the same axis."""
    family = axis.family[term.id]
    misses = [
        (exclusion.key, near.term, axis.said(near.strength), near.because, exclusion.title)
        for exclusion in corpus.exclusions
        for near in exclusion.near_miss
        if near.axis == axis.id
    ]
    own = [miss for miss in misses if miss[1] in family]
    if own:
        yield Text(f"{len(cell.near)} screened-out records would have this term if they were re-admitted.")
    else:
        yield Text("No screened-out record would have this term if it were re-admitted.")
    rows = own or misses
    if rows:
        title = None if own else f"Near-misses on the same axis ({axis.id})"
        yield Table.of(("id", "term", "strength", "because", "title"), rows, title=title)
    elif not own:
        yield Bullets(("No exclusion is a near-miss on this axis.",))
