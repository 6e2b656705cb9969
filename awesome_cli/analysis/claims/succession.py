"""How a finding changed: codings and rules on the day of a revised claim and now, contests, second codings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from awesome_cli.analysis.audit import agreement
from awesome_cli.analysis.audit.agreement import kappa
from awesome_cli.analysis.audit.report import CHOSEN, blindness, choice
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus
from awesome_cli.analysis.gaps.cells import GapCell, pools_to_compare, term_readings
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.codings import Contest, Tag
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, AxisChange, Term
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.passages import what_was_read


@dataclass(frozen=True, slots=True)
class SecondCell:
    """A second coder's value for a paper and a term: a strength, `yes`, or `NA`; `blind` as in the audit."""

    audit: str
    value: str
    blind: bool | None


@dataclass(frozen=True, slots=True)
class CellsAlike:
    """On how many of `n` cells two coders agree; `kappa` is None where it is not defined or a paper was not blind."""

    cells: str
    column: str
    n: int
    agree: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class SecondCoding:
    """An audit that covers the term's axis; `alone` are `(key, value)` of the term where the records have none."""

    audit: Audit
    rows: tuple[CellsAlike, ...]
    alone: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            "audit": self.audit.key,
            "note": self.audit.note,
            "rows": [asdict(row) for row in self.rows],
            "second_alone": [{"key": key, "value": value} for key, value in self.alone],
        }


def _audits(axis: Axis, corpus: Corpus) -> Iterator[Audit]:
    return (audit for audit in corpus.audits if axis.id in audit.columns)


def second_cells(axis: Axis, term: Term, corpus: Corpus) -> Mapping[str, tuple[SecondCell, ...]]:
    """By paper, what each audit that covers the axis has for a term."""
    found: dict[str, tuple[SecondCell, ...]] = {}
    for audit in _audits(axis, corpus):
        blind = {coding.key: coding.blind for coding in reversed(audit.codings)}
        for key, value in _column(audit, axis, term, corpus).items():
            own = blind.get(key)
            cell = SecondCell(audit.key, value, audit.blind if own is None else own)
            found[key] = (*found.get(key, ()), cell)
    return found


def _name(axis: Axis, term: Term) -> str:
    return axis.id if axis.kind == "one" else f"{axis.id}={term.id}"


def _column(audit: Audit, axis: Axis, term: Term, corpus: Corpus) -> Mapping[str, str]:
    """Return the second coder's values by paper; on an axis of kind one, main terms."""
    found = agreement.columns(audit, corpus.taxonomy).get(_name(axis, term))
    return {key: second for key, _, second in found.pairs} if found else {}


def second_codings(axis: Axis, term: Term, corpus: Corpus, coded: Collection[str]) -> Iterator[SecondCoding]:
    """Each audit that covers the axis; `coded` are the papers that have the term in the records."""
    for audit in _audits(axis, corpus):
        given = _column(audit, axis, term, corpus)
        has = {term.id} if axis.kind == "one" else set(given.values()) - {NA}
        alone = sorted((value, key) for key, value in given.items() if value in has and key not in coded)
        yield SecondCoding(audit, tuple(_alike(audit, axis, term, corpus)), tuple((key, value) for value, key in alone))


def _alike(audit: Audit, axis: Axis, term: Term, corpus: Corpus) -> Iterator[CellsAlike]:
    """The cells of the term and those of the whole axis, all of them and by group."""
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
    """The coding of a paper with a term on the claim's day and now (None: none), and what was read for it.

    `because` is the reason of the last revision on the axis. `read` are the kinds of `what_was_read` of today's
    source; `full text` stands for all places in it, and counts where the source of any coding of the paper says so.
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
        """The published form."""
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
    """A term that a revised claim asks about: the axis then and now, with the `rules` that came between.

    `readings` are its cell in each pool to compare, with the label of the pool and the axis there.
    """

    axis: Axis
    before: Axis | None
    term: Term
    rules: tuple[AxisChange, ...]
    codings: tuple[CodingChange, ...]
    readings: tuple[tuple[str, Axis, GapCell], ...]
    seconds: tuple[SecondCoding, ...]

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            "axis": self.axis.id,
            "term": self.term.id,
            "strengths": _strengths(self.axis),
            "strengths_then": _strengths(self.before),
            "rules": [{"on": rule.on.isoformat(), "because": rule.because} for rule in self.rules],
            "codings": [one.to_json() for one in self.codings],
            "readings": [{"reading": label, **cell.to_json()} for label, _, cell in self.readings],
            "second_codings": [one.to_json() for one in self.seconds],
        }


def _strengths(axis: Axis | None) -> Mapping[str, str]:
    return {strength.id: strength.definition for strength in axis.strengths} if axis else {}


@dataclass(frozen=True, slots=True)
class Succession:
    """A revised claim, and what changed in the terms that it asks about; `account` is what curators tell of it."""

    result: ClaimResult
    terms: tuple[TermChange, ...]

    @property
    def account(self) -> tuple[str, ...]:
        """The paragraphs of the claim's account."""
        text = self.result.claim.account or ""
        return tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip())

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {"account": list(self.account), "terms": [one.to_json() for one in self.terms]}


def of_results(found: ClaimResults) -> tuple[Succession, ...]:
    """Those of the results that are of a revised claim."""
    return tuple(_succession(one, found.pool) for one in found.results if one.status is ClaimStatus.REVISED)


def _succession(result: ClaimResult, pool: Pool) -> Succession:
    """Collect the terms that a revised claim asks about and in which a coding changed."""
    then = pool.as_of(result.claim.as_of)
    asked = {pair for query in then.queries(result.claim) for pair in query.terms}
    axes = pool.corpus.taxonomy.axes
    pairs = ((axis, term) for axis in axes for term in axis.terms if (axis.id, term.id) in asked)
    pools = [one for one in pools_to_compare(pool.corpus) if one[1].day != then.corpus.day]
    changes = (_term_change(axis, term, then.corpus, pool.corpus, pools) for axis, term in pairs)
    return Succession(result, tuple(change for change in changes if any(one.changed for one in change.codings)))


def _term_change(axis: Axis, term: Term, then: Corpus, now: Corpus, pools: Sequence[tuple[str, Corpus]]) -> TermChange:
    before = then.taxonomy.by_id.get(axis.id)
    known = before.history if before else ()
    codings = tuple(_codings(axis, term, then, now))
    return TermChange(
        axis,
        before,
        term,
        tuple(change for change in axis.history if change not in known),
        codings,
        term_readings([(f"as of {then.day}", then), *pools], axis, term),
        tuple(second_codings(axis, term, now, {one.paper.key for one in codings if one.now})),
    )


def _codings(axis: Axis, term: Term, then: Corpus, now: Corpus) -> Iterator[CodingChange]:
    """Strongest coding of today first, then those that are gone."""
    earlier, today = (dict(_tagged(pool, axis, term)) for pool in (then, now))
    papers = {paper.key: paper for pool in (then, now) for paper in pool.papers}
    seconds = second_cells(axis, term, now)
    codings = ((papers[key], name, earlier.get((key, name)), today.get((key, name))) for key, name in earlier | today)
    found = [
        CodingChange(paper, name, was, tag, _because(paper, axis, then), seconds.get(paper.key, ()), _read(paper, tag))
        for paper, name, was, tag in codings
    ]
    rank = axis.rank
    found.sort(key=lambda one: (one.now is None, -rank.get((one.now and one.now.strength) or "", -1), one.paper.key))
    yield from found


def _tagged(pool: Corpus, axis: Axis, term: Term) -> Iterator[tuple[tuple[str, str], Tag]]:
    return (((paper.key, tag.term), tag) for paper, tag in pool.coded(axis.id, axis.family[term.id]))


def _because(paper: Paper, axis: Axis, then: Corpus) -> str | None:
    field = f"tags.{axis.id}"
    later = [entry for entry in paper.history if entry.field == field and (then.day is None or entry.on > then.day)]
    return max(later, key=lambda entry: entry.on).because if later else None


def _read(paper: Paper, tag: Tag | None) -> tuple[str, ...]:
    own = what_was_read(tag.source) if tag else ()
    in_full = any(FULL_TEXT in what_was_read(other.source) for tags in paper.tags.values() for other in tags)
    return (FULL_TEXT, *(kind for kind in own if kind not in {FULL_TEXT, "paper"})) if own and in_full else own


READ = (
    "read: what the source of today's coding names (full text; paper: a place in it; code: a file of a repository; "
    "abstract; secondary: what others wrote of it); empty where it does not tell"
)


def extended_report(report: Report, found: Succession) -> Report:
    """The report on a claim, with how it changed as further sections and as `succession` in its data."""
    added = [Section("How the finding changed", tuple(map(Text, found.account)))] if found.account else []
    added += [section for change in found.terms for section in _term_report(change, found)]
    data = {**report.data, "succession": found.to_json()}
    return replace(report, data=data, sections=(*report.sections, *added), rows=(*report.tables(), *as_tables(added)))


def _term_report(change: TermChange, found: Succession) -> Iterator[Section]:
    day, name = found.result.claim.as_of, f"{change.axis.id}={change.term.id}"
    if change.rules:
        yield Section(f"Rules of the reading ({change.axis.label.lower()})", tuple(_rules_report(change, str(day))))
    if change.readings:
        lines = tuple(f"{label}: {cell.state.word}; {cell.tally}" for label, _, cell in change.readings)
        yield Section(f"Counts of {name}", (Bullets(lines),))
    heads = ("key", f"as of {day}", "now", "contested", "would be", "second coder", "read")
    rows = [_row_words(one, change.term) for one in change.codings]
    blocks: list[Block] = [Table.of(heads, rows, note=READ)]
    blocks += [Text("What the codings rest on:"), Bullets(tuple(map(_basis, change.codings)))]
    contests = [
        f"{one.paper.key} ({c.would_be or 'doubt'}): {c.because}" for one in change.codings if (c := one.contest)
    ]
    if contests:
        blocks += [Text("What challengers say:"), Bullets(tuple(contests))]
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
    """A coding with a term in words: its strength where it has one."""
    if tag is None:
        return "none"
    word = tag.strength if tag.strength and tag.term == term.id else str(tag.model_copy(update={"part": False}))
    return f"{word}, part" if tag.part else word


def second_words(cell: SecondCell) -> str:
    """Return a second coder's value, with `blind` or `not blind` where that was recorded."""
    value = "none" if cell.value == NA else cell.value
    return value if cell.blind is None else f"{value} ({'blind' if cell.blind else 'not blind'})"


def _row_words(one: CodingChange, term: Term) -> tuple[Cell, ...]:
    contest = one.contest
    return (
        one.paper.key,
        coded(one.then, term),
        coded(one.now, term),
        contest.grade if contest else None,
        contest.would_be if contest else None,
        "; ".join(map(second_words, one.seconds)),
        ", ".join(one.read),
    )


def _basis(one: CodingChange) -> str:
    if one.now is None:
        return f"{one.paper.key}: coding removed. {one.because or ''}".rstrip()
    return f"{one.paper.key}: {one.now.evidence or 'no evidence'}" + (f" [{one.now.source}]" if one.now.source else "")


def _second_report(second: SecondCoding) -> Iterator[Block]:
    audit = second.audit
    yield Text(f"{audit.on}, {audit.second}: {blindness(audit)}; papers: {choice(audit)}.", "strong")
    yield from (Text(text) for text in (audit.note, *remarks(audit)) if text)
    rows = [(r.cells, r.column, r.n, r.agree, percent_words(r.agree, r.n), kappa_words(r.kappa)) for r in second.rows]
    yield Table.of(("cells", "column", "n", "agree", "percent", "Cohen's kappa"), rows)
    if second.alone:
        yield Text("Coded so by the second coder alone:")
        yield Bullets(tuple(f"{value}: {', '.join(keys)}" for value, keys in by_value(second).items()))


def remarks(audit: Audit) -> Iterator[str]:
    """Yield the limits of an audit's figures."""
    if audit.chosen:
        yield CHOSEN
    if audit.seen:
        yield f"No kappa is given: {len(audit.seen)} of the {len(audit.codings)} papers were not coded blind."


def by_value(second: SecondCoding) -> dict[str, list[str]]:
    """The papers in which the second coder alone has the term, by what that coder gave."""
    found: dict[str, list[str]] = {}
    for key, value in second.alone:
        found.setdefault(value, []).append(key)
    return found


def percent_words(agree: int, n: int) -> str:
    """A share in percent, a half rounded up."""
    return f"{100 * agree / n + 1e-9:.0f} %"


def kappa_words(value: float | None) -> str:
    """Cohen's kappa with two digits, a half rounded up; empty where there is none."""
    return "" if value is None else f"{value + 1e-9:.2f}"
