"""Reports on audits: a list of all, and the agreement, terms, disagreements and adjudication of a single audit."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import chain
from shlex import quote

from awesome_cli.analysis.audit import agreement
from awesome_cli.analysis.audit.agreement import COEFFICIENTS, Agreement, CodedColumn, Subset, main_of, tags_of
from awesome_cli.analysis.audit.sheets import coding_of
from awesome_cli.errors import UsageError
from awesome_cli.model.audits import NA, Audit, CoderEvidence, Coding
from awesome_cli.model.codings import Contest, Tag, on_axis, split_axis
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis
from awesome_cli.query.query_words import lowered
from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Section, Table, Text, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.known import unknown
from awesome_cli.text.numbers import both, counted, precise, short

NONE = "The survey has no audit. To draw papers and make a sheet for a second coder, run: awesome audit sample"


def find(corpus: Corpus, name: str | None) -> Audit:
    """Return an audit by name [default: the latest]; raises `UsageError` if it does not exist."""
    audits = {audit.key: audit for audit in corpus.audits}
    if name is None and audits:
        return max(audits.values(), key=lambda audit: (audit.on, audit.key))
    if name not in audits:
        message = unknown(name, audits, "audit") if name else "the survey has no audit"
        hint = "draw a sheet with 'awesome audit sample', bring it back with 'awesome audit import'"
        raise UsageError(message, hint=hint)
    return audits[name]


def coding_words(audit: Audit) -> tuple[str, str]:
    """Describe the blindness and the choice of the papers: `7 blind, 2 not blind` and `drawn at random`."""
    words = (Counter(part[i] for part, keys in audit.parts.items() for _ in keys) for i in (0, 1))
    blind, choice = ("".join(n) if len(n) == 1 else ", ".join(f"{n[word]} {word}" for word in n) for n in words)
    return blind, choice


def agreement_on(corpus: Corpus, axis: str) -> list[dict[str, Cell]]:
    """Return the agreement on the terms of an axis, by audit and part of its papers (`Audit.parts`)."""
    rows: list[dict[str, Cell]] = []
    for audit in corpus.audits:
        for part in audit.parts if axis in audit.columns else ():
            columns = agreement.columns(audit, corpus.taxonomy, audit.group_of(part))
            cells = columns.get(axis) or columns[f"{axis}=*"]
            words = part[0] + ", by a program" * audit.program
            facts = {"audit": audit.key, "blind": words, "choice": part[1]}
            rows.append({**facts, "agree": cells.agree, "cells": cells.n})
    return rows


def agreement_sentences(corpus: Corpus, *axes: str | None) -> Iterator[str]:
    """State the agreement on the terms of each axis in all audits, named if there are several; skip other axes."""
    for axis in filter(None, axes):
        rows = agreement_on(corpus, axis)
        several = len({row["audit"] for row in rows}) > 1
        cells = [f"{row['agree']} of {row['cells']} cells (" + f"{row['audit']}: " * several for row in rows]
        parts = [f"{n}{row['blind']}, papers {row['choice']})" for n, row in zip(cells, rows, strict=True)]
        if parts:
            yield f"Two coders agree on {lowered(corpus.taxonomy.by_id[axis].label)} in {both(parts)}."


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """Summary of an audit; `coder` is the second coder, `axes` are the ids of the axes covered."""

    name: str
    on: str
    coder: str
    papers: int
    blind: str
    choice: str
    axes: tuple[str, ...]


def summaries(corpus: Corpus) -> tuple[AuditSummary, ...]:
    """Return summaries of all audits, oldest first."""
    return tuple(map(_summary, sorted(corpus.audits, key=lambda audit: (audit.on, audit.key))))


def _summary(audit: Audit) -> AuditSummary:
    axes = tuple(dict.fromkeys(column.partition(".")[0] for column in audit.columns))
    return AuditSummary(audit.key, audit.on.isoformat(), audit.coder, len(audit.codings), *coding_words(audit), axes)


def to_table(audits: tuple[AuditSummary, ...]) -> Table:
    """Return a table with one row per audit."""
    columns = ("audit", "day", "second coder", "papers", "blind", "choice of papers", "axes")
    return Table.of(columns, [astuple(audit) for audit in audits])


def listing(corpus: Corpus) -> Report:
    audits = summaries(corpus)
    shown = (to_table(audits), Text("Next: awesome audit report NAME")) if audits else (Text(NONE),)
    data = {"audits": [asdict(audit) for audit in audits]}
    return Report("awesome/audits/1", data, (Section(None, shown),), "Second codings", to_table(audits))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two different values of a paper in a column: an axis, its strength or one of its terms.

    `command` writes the second coder's value into the record; None if the record already has it. It is `withheld` if
    the value is by a program and has no quote from the text that was sent.
    """

    key: str
    axis: str
    first: str
    second: str
    command: str | None
    withheld: bool


def disagreements(corpus: Corpus, audit: Audit, columns: Sequence[CodedColumn]) -> Iterator[Disagreement]:
    """Yield each disagreement once, without those of pooled columns and the strengths of different terms."""
    codings = {coding.key: coding for coding in audit.codings}
    differ = {(column.name, key) for column in columns for key, *_ in column.disagreements}
    for column in columns:
        for key, first, second in () if column.pooled else column.disagreements:
            coding, (axis, term) = codings[key], split_axis(column.name.removesuffix(".strength"))
            if column.name == f"{axis}.strength" and (axis, key) in differ:
                continue
            evidence = coding.evidence.get(on_axis(axis, term or main_of(coding.second.get(axis)) or NA))
            # The history of a program's value names the person who adopts it.
            command = _command(corpus, coding, column.name, evidence, None if audit.program else audit.second)
            withheld = bool(command and audit.program and not (evidence and evidence.found))
            yield Disagreement(key, column.name, first, second, None if withheld else command, withheld)


def _command(corpus: Corpus, coding: Coding, column: str, evidence: CoderEvidence | None, by: str | None) -> str | None:
    """Return the command that writes the second coder's value; None if the record is missing or already has it."""
    paper = corpus.by_key.get(coding.key)
    name, term = split_axis(column)
    axis = corpus.taxonomy.by_id.get(name.partition(".")[0])
    if not isinstance(paper, Paper) or axis is None:
        return None
    current = coding_of(paper, (axis.id, f"{axis.id}.strength"), corpus.taxonomy)
    arguments = _wanted(axis, current, coding.second, term or "", column)
    if arguments is None:
        return None
    texts = {"--evidence": evidence and evidence.evidence, "--quote": evidence and evidence.quote, "--who": by}
    options = (f"{name} {quote(' '.join(text.split()))}" for name, text in texts.items() if text)
    return " ".join((f"awesome tag {paper.key} {arguments} --revised", *options))


def _wanted(axis: Axis, current: Mapping[str, str], second: Mapping[str, str], term: str, column: str) -> str | None:
    if axis.kind == "many":
        cells = (values.get(axis.id, NA) for values in (current, second))
        mine, theirs = ({tag.term: tag.strength or "" for tag in tags_of(cell)} for cell in cells)
        if mine.get(term) == theirs.get(term):
            return None
        strength = theirs.get(term) or (axis.strengths[0].id if axis.strengths else "")
        tag = Tag(term=term, strength=strength)
        return on_axis(axis.id, tag) if term in theirs else f"{on_axis(axis.id, term)} --remove"
    now = main_of(current.get(axis.id)) or NA
    value = main_of(second.get(axis.id)) or now
    inline = next((tag.strength for tag in tags_of(second.get(axis.id, "")) if not tag.part), None)
    strength = inline or second.get(f"{axis.id}.strength", "")
    strength = strength if strength in axis.rank else current.get(f"{axis.id}.strength", "")
    if value == NA:
        return f"{axis.id} --remove" if now != NA else None
    if now == value and (not column.endswith(".strength") or current.get(f"{axis.id}.strength") == strength):
        return None
    return on_axis(axis.id, Tag(term=value, strength=strength if strength in axis.rank else None))


@dataclass(frozen=True, slots=True)
class FoundTerms:
    """Terms on an axis, main or part, as `(key, term)`: given by both coders, by the first or the second only."""

    axis: str
    both: tuple[tuple[str, str], ...]
    first: tuple[tuple[str, str], ...]
    second: tuple[tuple[str, str], ...]


def found_terms(audit: Audit, corpus: Corpus) -> Iterator[FoundTerms]:
    """Compare the terms of both coders on axes of kind `one` for which the second coder also gave parts."""
    for name, cells in audit.pairs.items():
        axis = corpus.taxonomy.by_id.get(name)
        if axis is None or axis.kind == "many" or name not in audit.with_parts:
            continue
        both, first, second = [], [], []
        for key, a, b in cells:
            mine, theirs = ({(key, tag.term) for tag in tags_of(cell)} for cell in (a or "", b or ""))
            if a and b:
                both += sorted(mine & theirs)
                first += sorted(mine - theirs)
                second += sorted(theirs - mine)
        yield FoundTerms(name, tuple(both), tuple(first), tuple(second))


@dataclass(frozen=True, slots=True)
class Siding:
    """Contests on an axis, of a grade or above, that propose another main term.

    `sides` are keys of papers for which the second coder gave a proposed term, as main term or second choice; `others`
    are the remaining keys.
    """

    axis: str
    grade: str
    sides: tuple[str, ...]
    others: tuple[str, ...]


def sidings(audit: Audit, corpus: Corpus) -> Iterator[Siding]:
    """Yield, by axis of kind `one` and grade, the papers for which the second coder sides with the contest."""
    rank = corpus.taxonomy.grade_rank
    for name in audit.columns:
        axis = corpus.taxonomy.by_id.get(name)
        if axis is None or axis.kind == "many":
            continue
        contests = [(key, rank.get(contest.grade, -1), sides) for key, contest, sides in _contests(audit, corpus, name)]
        for grade, least in rank.items():
            at = [(key, sides) for key, place, sides in contests if place >= least]
            if at:
                agreeing, opposing = (tuple(key for key, sides in at if sides is wanted) for wanted in (True, False))
                yield Siding(name, grade, agreeing, opposing)


def _contests(audit: Audit, corpus: Corpus, axis: str) -> Iterator[tuple[str, Contest, bool]]:
    """Yield `(key, contest, sides)` of audited main codings; `sides` is True if the second coder agrees with it."""
    for coding in audit.codings:
        paper = corpus.by_key.get(coding.key)
        terms_given = {main_of(cell) for cell in (coding.second.get(axis), coding.second_choice.get(axis)) if cell}
        for tag in paper.tags_on(axis) if isinstance(paper, Paper) and terms_given else ():
            contest = tag.contested
            # A coder could not know a contest that was raised later.
            if contest is None or contest.reads_as is None or (contest.on is not None and contest.on > audit.on):
                continue
            terms = {challenge.term or tag.term for challenge in contest.reads_as} or {NA}
            if tag.term not in terms:
                yield coding.key, contest, bool(terms & terms_given)


HEADS = {"kappa": "Cohen's kappa", "alpha": "Krippendorff's alpha", "ac1": "Gwet's AC1"}
LEFT_OUT = "kappa, alpha and AC1 are omitted (--coefficients shows them)"
SHOWN = "kappa, alpha and AC1 do not measure independent agreement"
UNRECORDED = "It is not recorded whether the second coder had seen earlier codings."
NO_COMMAND = "The program gave no quote from the text that was sent. Read the paper before you adopt the value:"
CHOSEN = "Not all papers were drawn at random: figures and intervals apply to these papers, not to the pool."
POOLED = (
    "Rows with * combine the cells of other rows. Cells of one paper are not independent, so intervals are too narrow."
)


@dataclass(frozen=True)
class AuditResult(SurveyAnswer):
    """The agreement of an audit's two coders, by group of papers; the group `""` has all papers."""

    corpus: Corpus
    audit: Audit
    subsets: Mapping[str, Subset]
    seed: int

    @classmethod
    def of(cls, corpus: Corpus, audit: Audit, *, seed: int = 0, coefficients: bool = False) -> "AuditResult":
        """Compute the agreement; papers that were not coded blind have coefficients only on request."""
        groups = ("", *audit.subsets)
        subsets = {name: Subset.of(corpus, audit, name, seed, coefficients=coefficients) for name in groups}
        return cls(corpus, audit, subsets, seed)

    def __repr__(self) -> str:
        return f"AuditResult({self.audit.key!r}, {counted(self.subsets[''].papers, 'paper')})"

    def to_report(self) -> Report:
        """Report agreement with 95 % intervals, terms, disagreements; the frame has a row per group and column."""
        audit, (whole, *groups) = self.audit, self.subsets.values()
        differ = tuple(disagreements(self.corpus, audit, [agreement.column for agreement in whole.columns]))
        terms, contests = tuple(found_terms(audit, self.corpus)), tuple(sidings(audit, self.corpus))
        head, notes = tuple(_head(audit)), tuple(_notes(audit, whole))
        details = tuple(_details(terms, contests, audit, differ))
        sections = (Section(None, (*head, table(whole), *notes)), *map(_group, groups), *details)
        data = {
            "audit": audit.key,
            "on": audit.on.isoformat(),
            "first": audit.first,
            "second": audit.second,
            "program": audit.program,
            "first_of": dict(audit.first_of),
            **dict(zip(("blind", "choice"), coding_words(audit), strict=True)),
            "chosen": audit.chosen,
            "note": audit.note,
            "prompt": audit.prompt,
            "usage": _usage(audit),
            "seed": self.seed,
            **whole.to_json(),
            "groups": {name: group.to_json() for name, group in zip(audit.subsets, groups, strict=True)},
            "terms": [asdict(axis) | {"jaccard": _together((axis,))["jaccard"]} for axis in terms],
            "together": _together(terms),
            "challengers": [asdict(siding) for siding in contests],
            "disagreements": [asdict(disagreement) for disagreement in differ],
        }
        rows = (_rows(whole, *groups), *as_tables((Section("audit", (*head, *notes)), *details)))
        return Report("awesome/audit/2", data, sections, "Agreement of two coders", rows)


def _head(audit: Audit) -> Iterator[Text]:
    coders = f"{audit.first} and {audit.coder}, {counted(len(audit.codings), 'paper')}"
    yield Text(f"{audit.key}, {audit.on}: {coders}")
    yield Text(f"Second coding: {'; papers: '.join(coding_words(audit))}.", "strong")
    if audit.chosen:
        yield Text(f"Chosen: {audit.chosen}")
    if audit.note:
        yield Text(audit.note)
    if origins := dict.fromkeys(coding.answer.origin for coding in audit.codings if coding.answer):
        yield Text(f"Coded by {'; '.join(origins)}.")
    if usage := [f"{short(n)} {unit.replace('_', ' ')}" for unit, n in _usage(audit).items()]:
        yield Text(f"Usage, where answers state it: {', '.join(usage)}.")


def _usage(audit: Audit) -> dict[str, float]:
    """Sum the tokens by kind, and the costs by currency, that a program's answers state."""
    facts = [coding.answer for coding in audit.codings if coding.answer]
    costs = ((answer.cost.currency, answer.cost.amount) for answer in facts if answer.cost)
    sums = group_pairs((*(pair for answer in facts for pair in answer.usage.items()), *costs))
    return {unit: precise(sum(numbers, 0.0)) for unit, numbers in sums.items()}


def _notes(audit: Audit, whole: Subset) -> Iterator[Text]:
    if whole.seen:
        yield _seen(whole)
    elif audit.blind is None and any(coding.blind is None for coding in audit.codings):
        yield Text(UNRECORDED, "warn")
    if audit.chosen:
        yield Text(CHOSEN, "warn")
    for column, coder in audit.first_of.items():
        yield Text(f"{column}: the first coding is by {coder}.", "warn")
    if any(agreement.column.pooled for agreement in whole.columns):
        yield Text(POOLED)
    for each in whole.columns:
        yield from _column_notes(each.column)


def _column_notes(column: CodedColumn) -> Iterator[Text]:
    if not column.varies and column.n:
        value = column.values[0][0]
        yield Text(f"{column.name}: every value is {value!r}; agreement beyond chance is undefined.", "warn")
    if column.missing:
        yield Text(f"{column.name}: left out {counted(len(column.missing), 'paper')} without a value.", "warn")
    first, second = column.one_sided
    if column.name.endswith("=*") and (first or second):
        alone = f"{counted(first, 'term')} given only by the first coder, {second} only by the second"
        yield Text(f"{column.name}: of {column.n - column.agree} disagreements, {alone}.")


def _group(group: Subset) -> Section:
    blocks: list[Block] = [table(group), *([_seen(group)] if group.seen else [])]
    return Section(f"Of these: {group.label} ({counted(group.papers, 'paper')})", tuple(blocks))


def _seen(subset: Subset) -> Text:
    seen = f"The second coder had seen earlier codings of {len(subset.seen)} of these {subset.papers} papers"
    return Text(f"{seen}: {SHOWN if subset.coefficients else LEFT_OUT}.", "warn")


def table(subset: Subset) -> Table:
    """Return a table of the agreement on each column, with intervals."""
    rows = [
        (a.column.name, a.column.n, a.column.agree, *(_shown(a, name) for name in a.values)) for a in subset.columns
    ]
    heads = ("column", "cells", "agree", "percent", *(HEADS.values() if subset.coefficients else ()))
    bootstrap = ", by bootstrap for kappa, alpha and AC1" if subset.coefficients else ""
    return Table.of(heads, rows, note=f"in brackets: 95 % intervals, exact for percent (Clopper-Pearson){bootstrap}")


def _shown(agreement: Agreement, name: str) -> Cell:
    value, interval = agreement.values[name], agreement.intervals[name]
    if value is None:
        return "all values equal" if agreement.column.n else "nothing coded"
    scale, digits = (100, 1) if name == "percent" else (1, 2)
    # Round half up, as readers do: 0.625 is shown as 0.63.
    shown, *ends = (f"{scale * number + 1e-9:.{digits}f}" for number in (value, *(interval or ())))
    return f"{shown} [{', '.join(ends)}]" if ends else shown


def _together(terms: tuple[FoundTerms, ...]) -> dict[str, float]:
    """Count terms; `jaccard` is the share that both coders gave (Jaccard, New Phytologist 11:37-50, 1912)."""
    both, first, second = (sum(len(getattr(axis, side)) for axis in terms) for side in ("both", "first", "second"))
    return {"both": both, "first": first, "second": second, "jaccard": both / ((both + first + second) or 1)}


def _details(
    terms: tuple[FoundTerms, ...], contests: tuple[Siding, ...], audit: Audit, differ: tuple[Disagreement, ...]
) -> Iterator[Section]:
    if terms:
        found: list[tuple[Cell, ...]] = [(each.axis, *_together((each,)).values()) for each in terms]
        found.append(("together", *_together(terms).values()))
        columns = ("axis", "both", "only first", "only second", "Jaccard")
        yield Section("Terms found, main or part", (Table.of(columns, found),))
    if contests:
        rows = [(c.axis, c.grade, len(c.sides) + len(c.others), len(c.sides)) for c in contests]
        note = "contests of main codings at or above the grade that propose another term; a second choice counts, too"
        yield Section("Contests", (Table.of(("axis", "grade", "contests", "second coder agrees"), rows, note=note),))
    if differ:
        lines = [f"{d.key}: {d.axis}, {audit.first} {d.first}, {audit.second} {d.second}" for d in differ]
        yield Section(f"Disagreements ({len(differ)})", (Bullets(tuple(lines)),))
    commands = [d.command for d in differ if d.command]
    withheld = tuple(f"{d.key}: {d.axis}" for d in differ if d.withheld)
    if commands:
        lead = Text("To adjudicate, leave the record as it is, or take the second coder's value:")
        yield Section("Adjudication", (lead, Code("\n".join(commands), "sh")))
    elif differ and not withheld:
        yield Section("Adjudication", (Text("No disagreement requires a change of the records.", "good"),))
    if withheld:
        yield Section(f"Without a command ({len(withheld)})", (Text(NO_COMMAND), Bullets(withheld)))


def _rows(*subsets: Subset) -> Table:
    measured = ("percent", *COEFFICIENTS)
    heads = ("cells", "column", "n", "agree", *(f"{name}{part}" for name in measured for part in ("", "_low", "_high")))
    rows: list[list[Cell]] = []
    for subset in subsets:
        for a in subset.columns:
            shown = ((a.values.get(name), *(a.intervals.get(name) or (None, None))) for name in measured)
            rows.append([subset.label, a.column.name, a.column.n, a.column.agree, *chain.from_iterable(shown)])
    return Table.of(heads, rows, title="agreement")
