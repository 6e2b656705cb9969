"""History of a revised claim: codings and coding rules then and now, contests, and second codings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from awesome_cli.analysis.audit import agreement
from awesome_cli.analysis.audit.agreement import kappa
from awesome_cli.analysis.audit.report import CHOSEN, coding_words
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus
from awesome_cli.analysis.gaps.cells import GapCell, pools_to_compare, term_readings
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.codings import Contest, Tag
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, AxisChange, Term
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.passages import what_was_read


@dataclass(frozen=True, slots=True)
class SecondCell:
    """A second coder's value for a paper and a term: a strength, `yes` or `NA`; `blind` is None if not recorded."""

    audit: str
    value: str
    blind: bool | None


@dataclass(frozen=True, slots=True)
class CellsAlike:
    """Agreement of two coders on `n` cells; `kappa` is None if undefined or if a paper was not coded blind."""

    cells: str
    column: str
    n: int
    agree: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class SecondCoding:
    """An audit that covers an axis; `alone` has `(key, value)` of papers with the term only by the second coder."""

    audit: Audit
    rows: tuple[CellsAlike, ...]
    alone: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, object]:
        return {
            "audit": self.audit.key,
            "note": self.audit.note,
            "rows": [asdict(row) for row in self.rows],
            "second_alone": [{"key": key, "value": value} for key, value in self.alone],
        }


def _audits(axis: Axis, corpus: Corpus) -> Iterator[Audit]:
    return (audit for audit in corpus.audits if axis.id in audit.columns)


def second_cells(axis: Axis, term: Term, corpus: Corpus) -> Mapping[str, tuple[SecondCell, ...]]:
    """Return a term's second codings by paper: one for each audit that covers the axis."""
    cells: dict[str, tuple[SecondCell, ...]] = {}
    for audit in _audits(axis, corpus):
        blind = {coding.key: coding.blind for coding in reversed(audit.codings)}
        for key, value in _column(audit, axis, term, corpus).items():
            known = blind.get(key)
            cell = SecondCell(audit.key, value, audit.blind if known is None else known)
            cells[key] = (*cells.get(key, ()), cell)
    return cells


def _name(axis: Axis, term: Term) -> str:
    return axis.id if axis.kind == "one" else f"{axis.id}={term.id}"


def _column(audit: Audit, axis: Axis, term: Term, corpus: Corpus) -> Mapping[str, str]:
    """Return the second coder's values by paper; on an axis of kind `one`, the main terms."""
    column = agreement.columns(audit, corpus.taxonomy).get(_name(axis, term))
    return {key: second for key, _, second in column.pairs} if column else {}


def second_codings(axis: Axis, term: Term, corpus: Corpus, coded: Collection[str]) -> Iterator[SecondCoding]:
    """Yield the audits that cover the axis; `coded` are keys of the papers that have the term in the records."""
    for audit in _audits(axis, corpus):
        values = _column(audit, axis, term, corpus)
        has = {term.id} if axis.kind == "one" else set(values.values()) - {NA}
        alone = sorted((value, key) for key, value in values.items() if value in has and key not in coded)
        yield SecondCoding(audit, tuple(_alike(audit, axis, term, corpus)), tuple((key, value) for value, key in alone))


def _alike(audit: Audit, axis: Axis, term: Term, corpus: Corpus) -> Iterator[CellsAlike]:
    """Yield agreement on the term and on the whole axis, for all cells and by subset."""
    names = dict.fromkeys((_name(axis, term), axis.id if axis.kind == "one" else f"{axis.id}=*"))
    for group in (None, *audit.subsets):
        columns = agreement.columns(audit, corpus.taxonomy, group)
        label = audit.subsets[group].label if group else "all cells"
        for name in names:
            column = columns[name]
            if column.n:
                yield CellsAlike(label, name, column.n, column.agree, None if audit.seen else kappa(column.values))


FULL_TEXT = "full text"


@dataclass(frozen=True, slots=True)
class CodingChange:
    """A paper's coding with a term on the claim's date and now (None: not coded), and the kinds of source read.

    `because` is the reason of the last revision on the axis. `read` has the kinds of today's source (see
    `what_was_read`); `full text` replaces places in the paper, and applies if any coding of the paper has it.
    """

    paper: Paper
    term: str
    then: Tag | None
    now: Tag | None
    because: str | None
    seconds: tuple[SecondCell, ...]
    read: tuple[str, ...]

    @property
    def changed(self) -> bool:
        return str(self.then) != str(self.now)

    @property
    def contest(self) -> Contest | None:
        """The contest of today's coding."""
        return self.now.contested if self.now else None

    def to_json(self) -> dict[str, object]:
        return {
            "key": self.paper.key,
            "then": self.then.model_dump(mode="json", by_alias=True) if self.then else None,
            "now": self.now.model_dump(mode="json", by_alias=True) if self.now else None,
            "because": self.because,
            "second": [asdict(cell) for cell in self.seconds],
            "read": list(self.read),
        }


@dataclass(frozen=True, slots=True)
class TermChange:
    """A term that a revised claim queries: the axis then and now, and the coding `rules` that changed in between.

    `readings` has `(label, axis, cell)` for each compared pool.
    """

    axis: Axis
    before: Axis | None
    term: Term
    rules: tuple[AxisChange, ...]
    codings: tuple[CodingChange, ...]
    readings: tuple[tuple[str, Axis, GapCell], ...]
    seconds: tuple[SecondCoding, ...]

    def to_json(self) -> dict[str, object]:
        return {
            "axis": self.axis.id,
            "term": self.term.id,
            "strengths": _strengths(self.axis),
            "strengths_then": _strengths(self.before),
            "rules": [{"on": rule.on.isoformat(), "because": rule.because} for rule in self.rules],
            "codings": [coding.to_json() for coding in self.codings],
            "readings": [{"reading": label, **cell.to_json()} for label, _, cell in self.readings],
            "second_codings": [second.to_json() for second in self.seconds],
        }


def _strengths(axis: Axis | None) -> Mapping[str, str]:
    return {strength.id: strength.definition for strength in axis.strengths} if axis else {}


@dataclass(frozen=True, slots=True)
class Succession:
    """A revised claim, the changes in the terms that the claim queries, and the curators' `account` of the revision."""

    result: ClaimResult
    terms: tuple[TermChange, ...]

    def to_json(self) -> dict[str, object]:
        return {"account": list(self.result.claim.paragraphs), "terms": [change.to_json() for change in self.terms]}


def of_results(checked: ClaimResults) -> tuple[Succession, ...]:
    """Return the history of each revised claim."""
    return tuple(_succession(r, checked.pool) for r in checked.results if r.status is ClaimStatus.REVISED)


def _succession(result: ClaimResult, pool: Pool) -> Succession:
    then = pool.as_of(result.claim.as_of)
    terms = {pair for query in then.queries(result.claim) for pair in query.terms}
    axes = pool.corpus.taxonomy.axes
    pairs = ((axis, term) for axis in axes for term in axis.terms if (axis.id, term.id) in terms)
    pools = [(label, other) for label, other in pools_to_compare(pool.corpus) if other.day != then.corpus.day]
    changes = (_term_change(axis, term, then.corpus, pool.corpus, pools) for axis, term in pairs)
    return Succession(result, tuple(change for change in changes if any(coding.changed for coding in change.codings)))


def _term_change(axis: Axis, term: Term, then: Corpus, now: Corpus, pools: Sequence[tuple[str, Corpus]]) -> TermChange:
    before = then.taxonomy.by_id.get(axis.id)
    known = before.history if before else ()
    codings = _codings(axis, term, then, now)
    return TermChange(
        axis,
        before,
        term,
        tuple(change for change in axis.history if change not in known),
        codings,
        term_readings([(f"as of {then.day}", then), *pools], axis, term),
        tuple(second_codings(axis, term, now, {coding.paper.key for coding in codings if coding.now})),
    )


def _codings(axis: Axis, term: Term, then: Corpus, now: Corpus) -> tuple[CodingChange, ...]:
    """Return today's codings, strongest first, then removed ones."""
    tagged = (pool.coded(axis.id, axis.family[term.id]) for pool in (then, now))
    earlier, today = ({(paper.key, tag.term): tag for paper, tag in pairs} for pairs in tagged)
    papers = {paper.key: paper for pool in (then, now) for paper in pool.papers}
    seconds = second_cells(axis, term, now)
    codings = ((papers[key], name, earlier.get((key, name)), today.get((key, name))) for key, name in earlier | today)
    changes = [
        CodingChange(paper, name, was, tag, _because(paper, axis, then), seconds.get(paper.key, ()), _read(paper, tag))
        for paper, name, was, tag in codings
    ]
    rank = axis.rank
    changes.sort(key=lambda c: (c.now is None, -rank.get((c.now and c.now.strength) or "", -1), c.paper.key))
    return tuple(changes)


def _because(paper: Paper, axis: Axis, then: Corpus) -> str | None:
    field = f"tags.{axis.id}"
    later = [entry for entry in paper.history if entry.field == field and (then.day is None or entry.on > then.day)]
    return max(later, key=lambda entry: entry.on).because if later else None


def _read(paper: Paper, tag: Tag | None) -> tuple[str, ...]:
    kinds = what_was_read(tag.source) if tag else ()
    in_full = any(FULL_TEXT in what_was_read(other.source) for tags in paper.tags.values() for other in tags)
    return (FULL_TEXT, *(kind for kind in kinds if kind not in {FULL_TEXT, "paper"})) if kinds and in_full else kinds


READ = (
    "read: the source of today's coding (full text; paper: a place in it; code: a file in a repository; abstract; "
    "secondary: another publication); empty if unknown"
)


def extended_report(report: Report, succession: Succession) -> Report:
    """Add the history of a claim to the claim's report: sections, and `succession` in the data."""
    account = tuple(map(Text, succession.result.claim.paragraphs))
    added = [Section("How the finding changed", account)] if account else []
    added += [section for change in succession.terms for section in _term_report(change, succession)]
    data = {**report.data, "succession": succession.to_json()}
    return replace(report, data=data, sections=(*report.sections, *added), rows=(*report.tables(), *as_tables(added)))


def _term_report(change: TermChange, succession: Succession) -> Iterator[Section]:
    day, name = succession.result.claim.as_of, f"{change.axis.id}={change.term.id}"
    if change.rules:
        yield Section(f"Coding rules ({change.axis.label.lower()})", tuple(_rules_report(change, str(day))))
    if change.readings:
        lines = tuple(f"{label}: {cell.word}; {cell.tally}" for label, _, cell in change.readings)
        yield Section(f"Counts of {name}", (Bullets(lines),))
    heads = ("key", f"as of {day}", "now", "contested", "would be", "second coder", "read")
    rows = [_row_words(c, change.term) for c in change.codings]
    blocks: list[Block] = [Table.of(heads, rows, note=READ)]
    blocks += [Text("Evidence for the codings:"), Bullets(tuple(map(_basis, change.codings)))]
    contests = [
        f"{coding.paper.key} ({c.would_be or 'doubt'}): {c.because}"
        for coding in change.codings
        if (c := coding.contest)
    ]
    if contests:
        blocks += [Text("Reasons of the contests:"), Bullets(tuple(contests))]
    yield Section(f"Codings of {name} ({len(rows)})", tuple(blocks))
    for second in change.seconds:
        yield Section(f"Second coding: {second.audit.key}", tuple(_second_report(second)))


def _rules_report(change: TermChange, day: str) -> Iterator[Block]:
    yield from (Text(f"{rule.on}: {rule.because}") for rule in change.rules if rule.because)
    for title, axis in ((f"Strengths as of {day}", change.before), ("Strengths now", change.axis)):
        if axis is not None and axis.strengths:
            rows = [(s.id, "yes" if axis.counts_at(s.id) else "", s.definition) for s in reversed(axis.strengths)]
            yield Table.of(("strength", "covers", "definition"), rows, title=title)


def coded(tag: Tag | None, term: Term) -> str:
    """Describe a coding with a term by its strength, if it has one."""
    if tag is None:
        return "none"
    word = tag.strength if tag.strength and tag.term == term.id else str(tag.model_copy(update={"part": False}))
    return f"{word}, part" if tag.part else word


def second_words(cell: SecondCell) -> str:
    """Format a second coder's value, with `blind` or `not blind` if recorded."""
    value = "none" if cell.value == NA else cell.value
    return value if cell.blind is None else f"{value} ({'blind' if cell.blind else 'not blind'})"


def _row_words(change: CodingChange, term: Term) -> tuple[Cell, ...]:
    contest = change.contest
    return (
        change.paper.key,
        coded(change.then, term),
        coded(change.now, term),
        contest.grade if contest else None,
        contest.would_be if contest else None,
        "; ".join(map(second_words, change.seconds)),
        ", ".join(change.read),
    )


def _basis(change: CodingChange) -> str:
    if change.now is None:
        return f"{change.paper.key}: coding removed. {change.because or ''}".rstrip()
    source = f" [{change.now.source}]" if change.now.source else ""
    return f"{change.paper.key}: {change.now.marked_evidence or 'no evidence'}{source}"


def _second_report(second: SecondCoding) -> Iterator[Block]:
    audit = second.audit
    yield Text(f"{audit.on}, {audit.second}: {'; papers: '.join(coding_words(audit))}.", "strong")
    yield from (Text(text) for text in (audit.note, *remarks(audit)) if text)
    rows = [(r.cells, r.column, r.n, r.agree, percent_words(r.agree, r.n), kappa_words(r.kappa)) for r in second.rows]
    yield Table.of(("cells", "column", "n", "agree", "percent", "Cohen's kappa"), rows)
    if second.alone:
        yield Text("Coded by the second coder only:")
        yield Bullets(tuple(f"{value}: {', '.join(keys)}" for value, keys in by_value(second).items()))


def remarks(audit: Audit) -> Iterator[str]:
    """Yield the caveats on an audit's figures."""
    if audit.chosen:
        yield CHOSEN
    if audit.seen:
        yield f"Kappa is not computed: {len(audit.seen)} of the {len(audit.codings)} papers were not coded blind."


def by_value(second: SecondCoding) -> dict[str, list[str]]:
    """Group the papers that have the term only by the second coder, by that coder's value."""
    return group_pairs((value, key) for key, value in second.alone)


def percent_words(agree: int, n: int) -> str:
    """Format a share in percent, rounding half up."""
    return f"{100 * agree / n + 1e-9:.0f} %"


def kappa_words(value: float | None) -> str:
    """Format Cohen's kappa with two decimals, rounding half up; empty if None."""
    return "" if value is None else f"{value + 1e-9:.2f}"
