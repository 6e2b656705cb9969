"""Reports of `list` and `show`: records as a table, and one record as a page."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from awesome_cli.model.codings import Tag, on_axis
from awesome_cli.model.fields import COLUMNS, FIELDS, RECORD_FIELDS
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Paper, to_document
from awesome_cli.model.taxonomy import Axis, Named
from awesome_cli.query.parser import parse, untagged
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, Toned, as_tables
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.survey.keys import citation_keys
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.known import require_known

SCHEMA = "awesome/show/2"
DEFAULT_COLUMNS = {
    "paper": ("key", "year", "title"),
    "exclusion": ("key", "stage", "reason", "title"),
    "candidate": ("key", "year", "proposal", "confidence", "title"),
}
# Fields of exclusions only: a query with one of them lists exclusions.
OF_EXCLUSIONS = {"stage", "reason", "near_miss", "screened", "source", "query_family"}


@dataclass(frozen=True)
class Listing:
    """Records of one kind, in order, with the columns of the table."""

    kind: str
    records: tuple[AnyRecord, ...]
    columns: tuple[str, ...]
    total: int
    corpus: Corpus
    query: str | None = None

    def to_report(self) -> Report:
        """Report the columns as a table, whole records as JSON."""
        rows = [[cell(self.corpus, record, name) for name in self.columns] for record in self.records]
        table = Table.of(self.columns, rows)
        n = len(self.records)
        noun = GROUPS[self.kind] if n != 1 else self.kind
        line = f"{n} {noun}" + (f" of {self.total} that match" if n < self.total else "")
        line += f", {self.corpus.reading}" if self.corpus.reading else ""
        base = self._base()
        line = (line if rows else f"no {GROUPS[self.kind]} match{self._wider()}") + (f" ({base})" if base else "")
        blocks: tuple[Block, ...] = (table, Text(line, "muted")) if rows else (Text(line),)
        axes = list(self.corpus.taxonomy.by_id)
        data = {
            GROUPS[self.kind]: [to_json(record, axes) for record in self.records],
            "rows": table.records(),
            "total": self.total,
            "where": self.query,
            "base": base,
            "reading": self.corpus.reading.to_json() if self.corpus.reading else None,
        }
        return Report("awesome/list/2", data, (Section(None, blocks),), rows=table)

    def _wider(self) -> str:
        """Return a remark if a query that compares words of texts, not whole texts, matches records."""
        wider = self.corpus.query(self.query).wider if self.query else None
        n = len(self.corpus.query(wider).select(getattr(self.corpus, GROUPS[self.kind]))) if wider else 0
        return f"; = compares whole texts, and {wider} matches {n:,}" if n else ""

    def _base(self) -> str:
        """Return on how many records the absences on the axes of the query rest."""
        axes = self.corpus.query(self.query).axes if self.query else ()
        if not axes:
            return ""
        works: Any = self.corpus.candidates if self.kind == "candidate" else self.corpus.papers
        coded = replace(self.corpus, papers=works).base(axes)
        return "exclusions are not coded" if self.kind == "exclusion" else coded


def to_json(record: AnyRecord, axes: Sequence[str]) -> dict[str, object]:
    """Convert a record to JSON as in its file, with its key; dates are strings."""
    return {"key": record.key, **to_document(record, axes, mode="json")}


def listing(
    corpus: Corpus,
    query: str | None = None,
    *,
    kind: str | None = None,
    columns: Sequence[str] = (),
    sort: str | None = None,
    limit: int | None = None,
) -> Listing:
    """List the records that match a query; without `kind`, papers, or exclusions if the query uses their fields.

    `columns` are fields, axes or measures; `sort` is one of these, with `-` for descending order.
    """
    parsed = parse(query, corpus.taxonomy) if query is not None else None
    if kind is None:
        kind = "exclusion" if parsed is not None and parsed.names & OF_EXCLUSIONS else "paper"
    records: tuple[AnyRecord, ...] = getattr(corpus, GROUPS[kind])
    if parsed is not None:
        records = parsed.select(records)
    group = corpus.taxonomy.readme.group_by if corpus.taxonomy.readme and kind != "exclusion" else None
    default = DEFAULT_COLUMNS[kind]
    chosen = tuple(columns) or (*default[:-1], *([group] if group else ()), default[-1])
    known = list(dict.fromkeys([*FIELDS, *corpus.taxonomy.by_id, *(m.id for m in corpus.taxonomy.measures), *COLUMNS]))
    for name in (*chosen, *([sort.lstrip("-")] if sort else ())):
        corpus.taxonomy.refuse_former(name)
        require_known(name, known, "column")
    if sort is not None:
        name = sort.lstrip("-")
        # Records without a value come last in both directions.
        present = [record for record in records if cell(corpus, record, name) is not None]
        missing = [record for record in records if cell(corpus, record, name) is None]
        present.sort(key=lambda record: _order(cell(corpus, record, name)), reverse=sort.startswith("-"))
        records = (*present, *missing)
    return Listing(kind, records[:limit], chosen, len(records), corpus, query)


def _order(value: Cell) -> tuple[int, float, str]:
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, 0.0, (", ".join(value) if isinstance(value, tuple) else str(value)).casefold()


def cell(corpus: Corpus, record: AnyRecord, name: str) -> Cell:
    """Return a record's value in a column, None if empty."""
    if name in corpus.taxonomy.by_id:
        tags = () if isinstance(record, Exclusion) else record.tags.get(name, ())
        return tuple(tag.marked for tag in tags) or None
    if name == "key":
        return record.key
    if name in FIELDS:
        values = FIELDS[name].get(record)
        if len(values) == 1 and isinstance(values[0], int | float):
            return values[0]
        return tuple(map(str, values)) or None
    if name in COLUMNS:
        return tuple(map(str, COLUMNS[name].values(record))) or None
    fact = None if isinstance(record, Exclusion) else record.measures.get(name)
    return fact.value if fact is not None else None


def page(corpus: Corpus, record: AnyRecord) -> Report:
    """Report a record: identity, codings with evidence and contests, corrections and versions."""
    works: Any = () if isinstance(record, Exclusion) else getattr(corpus, GROUPS[record.KIND])
    cited = citation_keys(works).get(record.key)
    identity = Section(None, tuple(_identity(record, cited)))
    data = data_of(corpus, record, cited)
    if isinstance(record, Exclusion):
        reason = next((entry for entry in corpus.taxonomy.reasons if entry.id == record.screening.reason), None)
        data["reason"] = reason and {"id": reason.id, "definition": reason.definition}
        shown = complete = tuple(_screening(record, reason))
    else:
        codings, remarks = _codings(corpus, record), tuple(_remarks(record))
        shown = (*_by_axis(codings), *remarks)
        complete = (Section("Coding", (codings,)), *remarks)
    title = Table.of(("field", "value"), [("title", record.title)], title=record.KIND)
    tables = (title, *as_tables((identity, *complete), record.KIND))
    return Report(SCHEMA, data, (identity, *shown), record.title, tables)


def data_of(corpus: Corpus, record: AnyRecord, cited: str | None) -> dict[str, object]:
    """Return the data of the report on a paper or candidate; `cited` is its citation key in exports."""
    return {record.KIND: to_json(record, list(corpus.taxonomy.by_id)), "citation_key": cited}


def _identity(record: AnyRecord, cited: str | None) -> Iterator[Block]:
    facts: list[tuple[str, object]] = []
    for field in RECORD_FIELDS:
        values = field.values(record) if "show" in field.uses else ()
        values = ("; ".join(map(str, values)),) if field.many and values else values
        facts += [(field.name.replace("_", " "), value) for value in values]
    facts[1:1] = [("citation key", cited)] if cited else []
    yield Table.of(("field", "value"), [(name, str(value)) for name, value in [*facts, ("file", record.path)]])
    if (notice := getattr(record, "retraction", None)) and notice.status != "none":
        yield Text(f"The work is {notice}" + (f"; handled: {notice.handled}" if notice.handled else ""), "warn")
    if text := getattr(record, "summary", None) or record.note:
        yield Text(text)


def _codings(corpus: Corpus, record: Paper | Candidate) -> Table:
    """Return a row per coding, and per axis without a main coding."""
    rows: list[tuple[Cell, ...]] = []
    for axis in corpus.taxonomy.axes:
        tags = (*record.tags_on(axis.id), *record.parts_on(axis.id))
        if not record.tags_on(axis.id):
            word = untagged(axis, corpus.taxonomy, record)
            waits = word == "not coded yet" or axis.id in record.not_coded
            state = Toned("no main coding" if tags and not waits else word, "warn" if waits else "muted")
            rows.append((axis.label, state, None, None, None, None))
        rows += [_tag_row(axis, tag) for tag in tags]
    return Table.of(("axis", "term", "strength", "confidence", "contested", "evidence"), rows)


def _by_axis(codings: Table) -> Iterator[Section]:
    """Yield the codings with each axis named once and the axes without a main coding grouped, then the evidence."""
    coded = [row for row in codings.rows if not isinstance(row[1], Toned)]
    before = [None, *(row[0] for row in coded)]
    rows = [(None if row[0] == axis else row[0], *_shown(*row[1:5])) for axis, row in zip(before, coded, strict=False)]
    groups = group_pairs((row[1], str(row[0])) for row in codings.rows if isinstance(row[1], Toned))
    blocks: list[Block] = [Table.of(codings.columns[:4], rows, minor=("confidence",)).without_empty()] if rows else []
    blocks += [Text(f"{state.text.capitalize()}: {', '.join(axes)}", state.tone) for state, axes in groups.items()]
    yield Section("Coding", tuple(blocks))
    labels = Counter(row[1] for row in coded)
    names = [str(row[1]) if labels[row[1]] == 1 else f"{row[0]}: {row[1]}" for row in coded]
    evidence = tuple(f"{name}: {row[-1]}" for name, row in zip(names, coded, strict=True) if row[-1])
    if evidence:
        yield Section("Evidence", (Bullets(evidence),))


def _shown(term: Cell, strength: Cell, sure: Cell, grade: Cell) -> tuple[Cell, ...]:
    """Return the cells with the contest beside the term, so that a narrow terminal needs one table."""
    return Toned(f"{term}, contested ({grade.text})", grade.tone) if isinstance(grade, Toned) else term, strength, sure


def _remarks(record: Paper | Candidate) -> Iterator[Section]:
    tagged = [(on_axis(axis, tag), tag) for axis, tags in record.tags.items() for tag in tags]
    quotes = tuple(f"{name}: \u201c{tag.quote}\u201d" for name, tag in tagged if tag.quote)
    contests = tuple(f"{name} ({tag.contested}): {tag.contested.because}" for name, tag in tagged if tag.contested)
    if quotes:
        yield Section("Quotes", (Bullets(quotes),))
    if contests:
        yield Section("Contested", (Bullets(contests),))
    if record.measures:
        facts = [(name, fact.value, fact.basis, fact.confidence, fact.source) for name, fact in record.measures.items()]
        yield Section("Measures", (Table.of(("measure", "value", "basis", "confidence", "source"), facts),))
    past = [_past(c.corrected_on, c.field, c.published, c.because) for c in record.corrections]
    past += [_past(r.on, r.field, r.was, r.because or r.by) for r in record.history]
    if past:
        yield Section("Corrections and history", (Bullets(tuple(past)),))
    if record.versions:
        rows = []
        for version in record.versions:
            ids = ", ".join(f"{scheme}:{value}" for scheme, value in version.identifiers.pairs())
            rows.append((version.year, version.venue, ids, version.url))
        yield Section("Other versions of the same work", (Table.of(("year", "venue", "identifiers", "url"), rows),))


def _past(day: date, field: str, value: object, why: str | None) -> str:
    entries = value if isinstance(value, list | tuple) else () if value is None else (value,)
    if field.startswith("tags."):
        entries = tuple(_coded(entry) for entry in entries)
    shown = "; ".join(map(str, entries)) or "empty"
    return f"until {day}, {field} was {shown}" + (f" ({why})" if why else "")


def _coded(entry: object) -> str:
    tag = Tag.model_validate({"term": entry} if isinstance(entry, str) else entry)
    return tag.marked + (f" (contested: {tag.contested})" if tag.contested else "")


def _tag_row(axis: Axis, tag: Tag) -> tuple[Cell, ...]:
    term = axis.by_id.get(tag.term)
    label = term.full_label if term else tag.term
    evidence = (text := tag.marked_evidence) and text + (f" [{tag.source}]" if tag.source else "")
    shown = f"{label} (part)" if tag.part else label
    grade = Toned(tag.contested.grade.replace("_", " "), "warn") if tag.contested else None
    return (axis.label, shown, axis.display(tag.strength), tag.confidence, grade, evidence)


def _screening(record: Exclusion, reason: Named | None) -> Iterator[Section]:
    screening = record.screening
    rows = [
        ("stage", screening.stage),
        ("reason", f"{screening.reason}: {reason.definition}" if reason is not None else screening.reason),
        ("source", screening.source),
        ("query family", screening.query_family),
        ("screened on", screening.on.isoformat()),
    ]
    yield Section("Screening", (Table.of(("field", "value"), [row for row in rows if row[1]]),))
    if record.near_miss:
        misses = [(n.axis, n.term, n.strength, n.because) for n in record.near_miss]
        yield Section("Codings if re-admitted", (Table.of(("axis", "term", "strength", "because"), misses),))
