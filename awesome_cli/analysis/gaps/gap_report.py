"""The gap map in words and tables: whole, one axis, one pair of axes, one term."""

from collections.abc import Iterator, Mapping

from awesome_cli.analysis.gaps.cells import Cell, GapMap, Reason, State
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text, Tone, Toned
from awesome_cli.reports.report import Cell as TableCell
from awesome_cli.survey.corpus import Corpus

TONES: Mapping[State, Tone] = {
    State.GAP: "bad",
    State.SPARSE: "warn",
    State.COVERED: "good",
    State.NOT_APPLICABLE: "muted",
}
WORDS: Mapping[Reason, str] = {
    Reason.NOTHING: "no paper at any strength",
    Reason.WEAKER_ONLY: "weaker evidence only",
    Reason.NOT_CODED: "papers wait for coding",
    Reason.NEAR_MISSES_ONLY: "only near-misses that were screened out",
}
LEGEND = "Numbers are papers strong enough to count; ! gap, ~ sparse, ( ) papers with weaker evidence."


def to_report(gaps: GapMap, *, axes: tuple[str, ...] | None = None) -> Report:
    """The map; `axes` chooses the axes that people see, machines get all of it."""
    by_id = gaps.corpus.taxonomy.by_id
    shown = [axis for axis in gaps.axes if axes is None or axis in axes]
    sections = [Section(by_id[axis].label, (axis_table(by_id[axis], gaps.axes[axis]),)) for axis in shown]
    for name, rows in gaps.pairs.items():
        sections.append(Section(_pair_title(gaps.corpus, name), (pair_table(name, rows), Text(_tally(rows), "muted"))))
    return _report(gaps, tuple(sections), "Evidence gaps" + (f" as of {gaps.corpus.day}" if gaps.corpus.day else ""))


def _report(gaps: GapMap, sections: tuple[Section, ...], title: str) -> Report:
    data: dict[str, object] = {
        "as_of": gaps.corpus.day.isoformat() if gaps.corpus.day else None,
        "axes": {axis: {term: cell.to_json() for term, cell in cells.items()} for axis, cells in gaps.axes.items()},
        "pairs": {
            pair: {row: {column: cell.to_json() for column, cell in cells.items()} for row, cells in rows.items()}
            for pair, rows in gaps.pairs.items()
        },
        "measures": {},
    }
    columns = ("cell", "state", "reason", "covering", "n", "contested", "keys", "near")
    rows: list[tuple[TableCell, ...]] = [
        (
            name,
            cell.state.value,
            cell.reason.value if cell.reason else None,
            len(cell.covering),
            cell.n,
            len(cell.contested),
            " ".join(cell.keys),
            " ".join(cell.near),
        )
        for name, cell in gaps.cells()
    ]
    return Report("awesome/gaps/1", data, sections, title, Table.of(columns, rows))


def axis_table(axis: Axis, cells: Mapping[str, Cell]) -> Table:
    """A row a term: state, papers by strength, contested codings, reason."""
    strengths = [strength.id for strength in reversed(axis.strengths)]
    rows: list[tuple[TableCell, ...]] = []
    for term in axis.terms:
        cell = cells[term.id]
        label = f"{term.code} {term.label}" if term.code else f"  {term.label}" if term.parent else term.label
        counts = [cell.by_strength.get(s, 0) for s in strengths] or [cell.n]
        why = WORDS[cell.reason] if cell.reason else None
        rows.append((label, Toned(cell.state.value, TONES[cell.state]), *counts, len(cell.contested), why))
    return Table.of((axis.id, "state", *(strengths or ["papers"]), "contested", "why"), rows)


def pair_table(name: str, rows: Mapping[str, Mapping[str, Cell]]) -> Table:
    """The matrix of a pair of axes, with a mark for what is missing or thin."""
    columns = list(next(iter(rows.values()), {}))
    body: list[tuple[TableCell, ...]] = [(row, *(mark(cell) for cell in cells.values())) for row, cells in rows.items()]
    return Table.of((name, *columns), body, note=LEGEND)


def mark(cell: Cell) -> Toned:
    """A cell in a few characters, readable without colour."""
    if cell.state is State.NOT_APPLICABLE:
        return Toned("n/a", "muted")
    text = {State.GAP: "!", State.SPARSE: f"~{len(cell.covering)}", State.COVERED: str(len(cell.covering))}[cell.state]
    if cell.n > len(cell.covering):
        text += f" ({cell.n - len(cell.covering)})"
    return Toned(text, TONES[cell.state])


def _tally(rows: Mapping[str, Mapping[str, Cell]]) -> str:
    cells = [cell for columns in rows.values() for cell in columns.values()]
    counts = {state: sum(cell.state is state for cell in cells) for state in State}
    return f"{len(cells)} cells: " + ", ".join(f"{n} {state.value}" for state, n in counts.items() if n)


def _pair_title(corpus: Corpus, name: str) -> str:
    rows, _, columns = name.partition(" x ")
    by_id = corpus.taxonomy.by_id
    return f"{by_id[rows].label} by {by_id[columns].label.lower()}"


def term_report(gaps: GapMap, axis: Axis, term: Term) -> Report:
    """One term: what the pool holds on it, who contests that, and what came closest from outside."""
    cell = gaps.axes[axis.id][term.id]
    blocks = [Text(_sentence(axis, term, cell), TONES[cell.state]), Text(term.definition)]
    blocks += [Text(text) for text in _strength_sentences(axis, cell)]
    sections = [Section(f"{term.code + ' ' if term.code else ''}{term.label} ({axis.id})", tuple(blocks))]
    if cell.keys:
        sections.append(Section(f"Papers ({cell.n})", (_papers_table(gaps.corpus, axis, term),)))
    contested = list(_contested(gaps.corpus, axis, term))
    if contested:
        table = Table.of(("key", "grade", "because"), contested)
        sections.append(Section(f"Contested ({len(contested)})", (table,)))
    sections.append(Section("Nearest exclusions", tuple(_near_blocks(gaps.corpus, axis, term, cell))))
    return _report(gaps, tuple(sections), "")


def _sentence(axis: Axis, term: Term, cell: Cell) -> str:
    bar = f" at strength {axis.gap_strength!r} or above" if axis.gap_strength else ""
    n = len(cell.covering)
    state = f"{cell.state.value}: {n} {'paper' if n == 1 else 'papers'}{bar}"
    return (
        f"{term.label} is a {state}" + (f" ({WORDS[cell.reason]})." if cell.reason else ".")
        if (cell.state is State.GAP)
        else f"{term.label} is {state}."
    )


def _strength_sentences(axis: Axis, cell: Cell) -> Iterator[str]:
    if not axis.strengths:
        return
    counts = [f"{n} {strength}" for strength, n in cell.by_strength.items()]
    contested = f"; {len(cell.contested)} contested" if cell.contested else ""
    yield "By strength: " + ", ".join(counts) + contested + "."
    missing = [strength for strength, n in cell.by_strength.items() if not n]
    if missing:
        yield f"No paper at strength {' or '.join(missing)}."


def _papers_table(corpus: Corpus, axis: Axis, term: Term) -> Table:
    family = axis.family[term.id]
    rows: list[tuple[TableCell, ...]] = []
    for paper in corpus.papers:
        for tag in paper.tags_on(axis.id):
            if tag.term in family:
                grade = tag.contested.grade if tag.contested else None
                rows.append((paper.key, paper.year, tag.strength or tag.term, tag.confidence, grade, tag.evidence))
    rank = axis.rank
    rows.sort(key=lambda row: (-rank.get(str(row[2]), -1), str(row[0])))
    columns = ("key", "year", "strength" if axis.strengths else "term", "confidence", "contested", "evidence")
    used = [i for i in range(len(columns)) if any(row[i] is not None for row in rows)]
    return Table.of([columns[i] for i in used], [[row[i] for i in used] for row in rows])


def _contested(corpus: Corpus, axis: Axis, term: Term) -> Iterator[tuple[str, str, str]]:
    """Strongest grade first."""
    family, rank = axis.family[term.id], corpus.taxonomy.grade_rank
    found = [
        (paper.key, tag.contested.grade, tag.contested.because)
        for paper in corpus.papers
        for tag in paper.tags_on(axis.id)
        if tag.term in family and tag.contested is not None
    ]
    yield from sorted(found, key=lambda entry: (-rank.get(entry[1], -1), entry[0]))


def _near_blocks(corpus: Corpus, axis: Axis, term: Term, cell: Cell) -> Iterator[Block]:
    """Near-misses that would bring the term, else those that come nearest on the same axis."""
    family = axis.family[term.id]
    misses = [
        (exclusion.key, near.term, near.strength, near.because, exclusion.title)
        for exclusion in corpus.exclusions
        for near in exclusion.near_miss
        if near.axis == axis.id
    ]
    own = [miss for miss in misses if miss[1] in family]
    if own:
        yield Text(f"{len(cell.near)} screened-out records would bring it if they were re-admitted.")
    else:
        yield Text("No screened-out record would bring it if it were re-admitted.")
    rows = own or misses
    if rows:
        title = None if own else f"Near-misses on the same axis ({axis.id})"
        yield Table.of(("id", "term", "strength", "because", "title"), rows, title=title)
    elif not own:
        yield Bullets(("No exclusion is a near-miss on this axis.",))
