"""Answer `paper.yaml`: each number, table, list and claim that a text can use, from the records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from awesome_cli.analysis.audit.report import AuditResult, find
from awesome_cli.analysis.claims import report as claims_report
from awesome_cli.analysis.claims.evaluation import Outcome, Value, answer
from awesome_cli.analysis.claims.perturbations import UNCHANGED
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.report import notes_on
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus, check_in
from awesome_cli.analysis.flow import flow
from awesome_cli.analysis.gaps import report as gap_report
from awesome_cli.analysis.listing import listing
from awesome_cli.analysis.statistics import measures
from awesome_cli.analysis.statistics.counts import statistics
from awesome_cli.errors import AwesomeError, SurveyError, UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.claims import Claim, CorpusQuestion
from awesome_cli.model.manuscript import PATH, Manuscript, Pooled, QuotedList, QuotedNumber, QuotedTable
from awesome_cli.reports.findings import RawFinding
from awesome_cli.reports.report import Report
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import citation_keys
from awesome_cli.survey.loading import locate
from awesome_cli.survey.readings import read_as, reading_of
from awesome_cli.text.known import LISTED, require_known
from awesome_cli.text.numbers import both, counted, either, percentage, rounded, shortened

KEYS = 3
"""Maximum number of papers that a qualification names."""


@dataclass(frozen=True, slots=True)
class NumberAnswer:
    """A number of the text: its value and text (`1,234`); for a share, the matching records of `base` and `percent`."""

    value: float
    text: str
    percent: str | None = None
    base: int | None = None


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A claim for the text: its status and, if it does not hold as coded, the `reason`.

    `qualification` says of a contested claim under which objections it fails.
    """

    claim: Claim
    status: ClaimStatus
    reason: str | None = None
    qualification: str | None = None


@dataclass(frozen=True)
class PaperAnswers:
    """The answers to a `manuscript`, by name; `lists` have citation keys, `cites` are those of all papers by key.

    `corpus` is the pool of the file, as coded.
    """

    corpus: Corpus
    manuscript: Manuscript
    numbers: Mapping[str, NumberAnswer]
    tables: Mapping[str, Report]
    lists: Mapping[str, tuple[str, ...]]
    claims: Mapping[str, StatedClaim]
    cites: Mapping[str, str]


def answers(corpus: Corpus, root: Path) -> PaperAnswers:
    """Answer every entry of `paper.yaml`; `corpus` must include claims and audits.

    Raises `SurveyError` with the line of the first entry that cannot be read or answered.
    """
    for finding in corpus.of_paper:
        raise _at(root, finding, SurveyError(finding.message, hint=finding.fix))
    if corpus.manuscript is None:
        raise UsageError(f"{PATH} not found", hint="write a start with 'awesome init --upgrade --with paper'")
    # Candidates change no answer, and would make titles ambiguous.
    entries = _Entries(replace(corpus, candidates=()), corpus.manuscript, root, citation_keys(corpus.papers))
    pool = entries.pool(Pooled(reading=None, grade=None))
    return PaperAnswers(
        pool.corpus,
        corpus.manuscript,
        entries.answered("numbers", entries.number),
        entries.answered("tables", entries.table),
        entries.answered("lists", entries.cited),
        _claims(check_in(pool)),
        entries.cites,
    )


def _at(root: Path, finding: RawFinding, error: AwesomeError) -> SurveyError:
    """Return an error with the place of a finding."""
    line, column = locate(WorkingTree(root).read, finding)
    return SurveyError(f"{finding.path}:{line}:{column}: {error.message}", hint=error.hint)


@dataclass(frozen=True)
class _Entries:
    """The entries of a file, the citation keys of papers, and the pools that the entries refer to."""

    corpus: Corpus
    manuscript: Manuscript
    root: Path
    cites: Mapping[str, str]
    pools: dict[tuple[Any, ...], Pool] = field(default_factory=dict)

    def pool(self, entry: Pooled) -> Pool:
        """Return the pool of an entry; what it does not set is as the file says."""
        day, reading, grade = (
            getattr(entry if name in entry.model_fields_set else self.manuscript, name)
            for name in ("as_of", "reading", "grade")
        )
        if grade and not reading:
            raise UsageError("'grade' needs 'reading'", hint="add 'reading: strict' or 'reading: generous'")
        key = (day, reading, grade)
        if key not in self.pools:
            corpus = self.corpus if day is None else self.corpus.as_of(day)
            self.pools[key] = Pool(read_as(corpus, reading_of(corpus.taxonomy, reading, grade)))
        return self.pools[key]

    def answered(self, group: str, answer_to: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the answers to a group of entries, by name; an error names the line of its entry."""
        found = {}
        for name, entry in getattr(self.manuscript, group).items():
            try:
                found[name] = answer_to(entry)
            except (UsageError, SurveyError) as error:
                named = SurveyError(f"{name}: {error.message}", hint=error.hint)
                raise _at(self.root, RawFinding("", PATH, (group, name), ""), named) from None
        return found

    def number(self, entry: QuotedNumber) -> NumberAnswer:
        """Answer a number; raises `UsageError` if it has no value."""
        pool = self.pool(entry)
        if entry.statistic is not None:
            value = statistic(statistics_of(pool), entry.statistic)
            return NumberAnswer(value, f"{value:,}")
        if entry.claim is not None:
            outcome = _outcome(check_in(pool, [entry.claim]), entry.figure)
            return _number(outcome.expectation, outcome.value, len(outcome.selection), outcome.cells)
        observed, selection = answer(entry, pool)
        base = len(pool.select(entry.of, entry.among, UNCHANGED)) if entry.kind == "share" else None
        return _number(entry, observed, len(selection), base)

    def table(self, entry: QuotedTable) -> Report:
        return REPORTS[entry.report](self.pool(entry), entry)

    def cited(self, entry: QuotedList) -> tuple[str, ...]:
        papers = listing(self.pool(entry).corpus, entry.where, kind="paper", sort=entry.sort, limit=entry.limit)
        # A pool of an earlier day may have papers that are not in the survey any more.
        return tuple(self.cites.get(paper.key, paper.key) for paper in papers.records)


def _outcome(checked: ClaimResults, figure: int) -> Outcome:
    """Return the outcome at a position of the only claim in `checked`; raises `UsageError` if the claim has ended."""
    for claim in checked.waiting:
        hint = f"write 'as_of: {claim.as_of}' or a later day, or another claim"
        raise UsageError(f"claim {claim.id!r} was made as of {claim.as_of}", hint=hint)
    (result,) = checked.results
    if result.ended is not None:
        by = [successor.claim.id for successor in result.successors]
        hint = f"write 'claim: {either(by)}'" if by else "write another claim, or remove the number"
        raise UsageError(f"claim {result.claim.id!r} was {result.life}", hint=hint)
    outcomes = result.verdict.outcomes
    if figure > len(outcomes):
        message = f"claim {result.claim.id!r} has {counted(len(outcomes), 'figure')}"
        raise UsageError(message, hint="write a smaller 'figure'")
    return outcomes[figure - 1]


def _number(question: CorpusQuestion, value: Value, n: int, base: int | None) -> NumberAnswer:
    if question.kind == "share" and not base:
        raise UsageError("no record matches 'among'", hint="see the query with 'awesome list --where QUERY'")
    if value is None:
        raise UsageError("there is nothing to measure", hint="see the query with 'awesome list --where QUERY'")
    if isinstance(value, tuple | str):
        return NumberAnswer(n, value if isinstance(value, str) else f"{n:,}")
    if question.kind == "share":
        return NumberAnswer(value, f"{n:,}", percentage(value), base)
    return NumberAnswer(value, rounded(value))


def statistics_of(pool: Pool) -> Mapping[str, Any]:
    """Return the JSON of `awesome stats` for a pool."""
    return pool.cached(("statistics",), lambda: statistics(pool.corpus).to_report().data)


def statistic(data: Mapping[str, Any], path: str) -> int:
    """Return the number at a path such as `totals.retained`; raises `UsageError` that suggests the nearest name."""
    value: Any = data
    for step in path.split("."):
        known = value if isinstance(value, Mapping) else {}
        value = known[
            require_known(step, known, "statistic", hint=f"{shortened(known, 20)}; see 'awesome stats --format json'")
        ]
    if not isinstance(value, int):
        raise UsageError(f"{path!r} is not a number", hint=f"add one of: {shortened(value, LISTED)}")
    return value


def _claims(checked: ClaimResults) -> dict[str, StatedClaim]:
    waiting = (StatedClaim(c, ClaimStatus.NOT_YET, f"made as of {c.as_of}") for c in checked.waiting)
    return {entry.claim.id: entry for entry in (*map(_claim, checked.results), *waiting)}


def _claim(result: ClaimResult) -> StatedClaim:
    claim, status = result.claim, result.status
    if status not in {ClaimStatus.HOLDS, ClaimStatus.CONTESTED}:
        notes = (str(note).removeprefix(claim.id).lstrip(": ") for note in notes_on(result))
        return StatedClaim(claim, status, "; ".join(notes) or status.words)
    objections = []
    for reading in result.fails_in:
        keys = dict.fromkeys(c.key for c in result.contested if c.side is reading.side)
        objections.append(f"in the {reading}, if the objections to {shortened(keys, KEYS)} are right")
    return StatedClaim(claim, status, qualification=f"contested: fails {both(objections)}" if objections else None)


def _gaps(pool: Pool, entry: QuotedTable) -> Report:
    corpus = pool.corpus.where(entry.where)
    if entry.measure is not None:
        return measures.compare(corpus, measures.find(corpus, entry.measure)).to_report()
    if len(entry.axes) > 1:
        rows, columns = entry.axes
        return gap_report.answer(corpus, None, rows=rows, columns=columns)[1]
    return gap_report.answer(corpus, next(iter(entry.axes), entry.term))[1]


REPORTS: Mapping[str, Callable[[Pool, QuotedTable], Report]] = {
    "stats": lambda pool, entry: statistics(
        pool.corpus, by=[",".join(entry.axes)] if entry.axes else (), where=entry.where
    ).to_report(),
    "gaps": _gaps,
    "list": lambda pool, entry: listing(
        pool.corpus, entry.where, columns=entry.columns, sort=entry.sort, limit=entry.limit
    ).to_report(),
    "claims": lambda pool, entry: claims_report.to_report(check_in(pool, entry.claims), full=True),
    "audit": lambda pool, entry: AuditResult.of(pool.corpus, find(pool.corpus, entry.audit)).to_report(),
    "flow": lambda pool, _: replace(flow(pool.corpus), about=()).to_report(),
}
"""The report of each table of `paper.yaml`."""
