"""How a finding changed, in words and tables."""

from collections.abc import Iterator
from dataclasses import replace

from awesome_cli.analysis.audit.audit_report import CHOSEN
from awesome_cli.analysis.audit.summary import blindness, choice
from awesome_cli.analysis.claims.second_codings import SecondCell, SecondCoding
from awesome_cli.analysis.claims.succession import CodingChange, Succession, TermChange
from awesome_cli.analysis.gaps.cells import GapCell
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.codings import Contest, Tag
from awesome_cli.model.taxonomy import Term
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, as_tables
from awesome_cli.text.numbers import counted

READ = (
    "read: what the source of today's coding names (full text; paper: a place in it; code: a file of a repository; "
    "abstract; secondary: what others wrote of it); empty where it does not tell"
)


def extended(report: Report, found: Succession) -> Report:
    """The report on a claim, with how it changed as further sections and as `succession` in its data."""
    told = Section("How the finding changed", tuple(Text(paragraph) for paragraph in found.account))
    sections = [section for change in found.terms for section in _term(change, found)]
    data = {**report.data, "succession": found.to_json()}
    added = (*((told,) if found.account else ()), *sections)
    rows = report.rows if isinstance(report.rows, tuple) else ()
    return replace(report, data=data, sections=(*report.sections, *added), rows=(*rows, *as_tables(added)))


def _term(change: TermChange, found: Succession) -> Iterator[Section]:
    day, name = found.result.claim.as_of, f"{change.axis.id}={change.term.id}"
    if change.rules:
        yield Section(f"Rules of the reading ({change.axis.label.lower()})", tuple(_rules(change, str(day))))
    if change.readings:
        lines = tuple(f"{label}: {cell.state.word}; {counts(cell)}" for label, _, cell in change.readings)
        yield Section(f"Counts of {name}", (Bullets(lines),))
    heads = ("key", f"as of {day}", "now", "contested", "would be", "second coder", "read")
    rows = [_row(one, change.term) for one in change.codings]
    blocks: list[Block] = [Table.of(heads, rows, note=READ)]
    blocks += [Text("What the codings rest on:"), Bullets(tuple(map(_basis, change.codings)))]
    contests = [
        f"{one.paper.key} ({c.would_be or 'doubt'}): {c.because}" for one in change.codings if (c := _contest(one))
    ]
    if contests:
        blocks += [Text("What challengers say:"), Bullets(tuple(contests))]
    yield Section(f"Codings of {name} ({len(rows)})", tuple(blocks))
    for second in change.seconds:
        yield Section(f"Second coding: {second.audit.key}", tuple(_second(second)))


def _rules(change: TermChange, day: str) -> Iterator[Block]:
    yield from (Text(f"{rule.on}: {rule.because}") for rule in change.rules if rule.because)
    for title, axis in ((f"Strengths as of {day}", change.before), ("Strengths now", change.axis)):
        if axis is not None and axis.strengths:
            rows = [(s.id, "yes" if axis.counts_at(s.id) else "", s.definition) for s in reversed(axis.strengths)]
            yield Table.of(("strength", "covers", "definition"), rows, title=title)


def counts(cell: GapCell) -> str:
    """The papers of a cell by strength, strongest first."""
    parts = (f"{len(cell.parts)} as a part",) if cell.parts else ()
    found = ", ".join((*(f"{n} {strength}" for strength, n in cell.by_strength.items()), *parts))
    return found or counted(cell.n, "paper")


def coded(tag: Tag | None, term: Term) -> str:
    """A coding with a term in words: its strength where it has one."""
    if tag is None:
        return "none"
    word = tag.strength if tag.strength and tag.term == term.id else str(tag.model_copy(update={"part": False}))
    return f"{word}, part" if tag.part else word


def second_words(cell: SecondCell) -> str:
    """What a second coder gave, and whether blind where somebody recorded it."""
    value = "none" if cell.value == NA else cell.value
    return value if cell.blind is None else f"{value} ({'blind' if cell.blind else 'not blind'})"


def _contest(one: CodingChange) -> Contest | None:
    return one.now.contested if one.now else None


def _row(one: CodingChange, term: Term) -> tuple[Cell, ...]:
    contest = _contest(one)
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


def _second(second: SecondCoding) -> Iterator[Block]:
    audit = second.audit
    yield Text(f"{audit.on}, {audit.second}: {blindness(audit)}; papers: {choice(audit)}.", "strong")
    yield from (Text(text) for text in (audit.note, *remarks(audit)) if text)
    rows = [(r.cells, r.column, r.n, r.agree, percent(r.agree, r.n), kappa(r.kappa)) for r in second.rows]
    yield Table.of(("cells", "column", "n", "agree", "percent", "Cohen's kappa"), rows)
    if second.alone:
        yield Text("Coded so by the second coder alone:")
        yield Bullets(tuple(f"{value}: {', '.join(keys)}" for value, keys in by_value(second).items()))


def remarks(audit: Audit) -> Iterator[str]:
    """What the figures of an audit cannot say."""
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


def percent(agree: int, n: int) -> str:
    """A share in percent, a half rounded up."""
    return f"{100 * agree / n + 1e-9:.0f} %"


def kappa(value: float | None) -> str:
    """Cohen's kappa with two digits, a half rounded up; empty where there is none."""
    return "" if value is None else f"{value + 1e-9:.2f}"
