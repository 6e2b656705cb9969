"""Answer `paper.yaml`: each number, table, list and claim that a text can use, from the records."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from awesome_cli.analysis.audit.report import AuditResult, find
from awesome_cli.analysis.claims import report as claims_report
from awesome_cli.analysis.claims.evaluation import Value, answer
from awesome_cli.analysis.claims.perturbations import UNCHANGED
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.report import notes_on
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus, check
from awesome_cli.analysis.flow import flow
from awesome_cli.analysis.gaps import report as gap_report
from awesome_cli.analysis.listing import listing
from awesome_cli.analysis.statistics import measures
from awesome_cli.analysis.statistics.counts import statistics
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.claims import Claim, CorpusQuestion
from awesome_cli.model.manuscript import PATH, Manuscript, Pooled, QuotedNumber, QuotedTable
from awesome_cli.reports.findings import RawFinding
from awesome_cli.reports.report import Report
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import citation_keys
from awesome_cli.survey.loading import locate
from awesome_cli.survey.readings import read_as, reading_of
from awesome_cli.text.known import LISTED, require_known
from awesome_cli.text.numbers import both, shortened

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
    """The answers to `paper.yaml`, by name; `lists` have citation keys, `cites` are those of all papers by key."""

    corpus: Corpus
    numbers: Mapping[str, NumberAnswer]
    tables: Mapping[str, Report]
    lists: Mapping[str, tuple[str, ...]]
    claims: Mapping[str, StatedClaim]
    cites: Mapping[str, str]

    @property
    def day(self) -> date | None:
        """The day of the file's pool."""
        return self.corpus.last_day


def answers(corpus: Corpus, root: Path) -> PaperAnswers:
    """Answer every entry of `paper.yaml`; `corpus` must include claims and audits.

    Raises `SurveyError` with the line of the first entry that cannot be answered.
    """
    manuscript = corpus.manuscript
    if manuscript is None:
        raise UsageError(f"{PATH} not found", hint="write a start with 'awesome init --upgrade --with paper'")
    # Candidates change no answer, and would make titles ambiguous.
    work = _Work(replace(corpus, candidates=()), manuscript, root)
    pool = work.pool(Pooled(reading=None, grade=None))
    return PaperAnswers(
        pool.corpus,
        dict(work.each("numbers", work.number)),
        dict(work.each("tables", work.table)),
        dict(work.each("lists", work.cited)),
        work.claims(pool.corpus),
        work.cites,
    )


@dataclass(frozen=True)
class _Work:
    """The entries of a file, and the pools that they refer to."""

    corpus: Corpus
    manuscript: Manuscript
    root: Path
    pools: dict[tuple[Any, ...], Pool] = field(default_factory=dict)

    @property
    def cites(self) -> Mapping[str, str]:
        return citation_keys(self.corpus.papers)

    def pool(self, entry: Pooled) -> Pool:
        """Return the pool of an entry; what it does not set is as the file says."""
        day, reading, grade = (
            getattr(entry if name in entry.model_fields_set else self.manuscript, name)
            for name in ("as_of", "reading", "grade")
        )
        key = (day, reading, grade)
        if key not in self.pools:
            corpus = self.corpus if day is None else self.corpus.as_of(day)
            self.pools[key] = Pool(read_as(corpus, reading_of(corpus.taxonomy, reading, grade)))
        return self.pools[key]

    def each(self, group: str, work: Callable[[Any], Any]) -> Iterator[tuple[str, Any]]:
        for name, entry in getattr(self.manuscript, group).items():
            with self._placed(group, name):
                yield name, work(entry)

    @contextmanager
    def _placed(self, group: str, name: str) -> Iterator[None]:
        """Add the line of an entry to an error."""
        try:
            yield
        except (UsageError, SurveyError) as error:
            tree = WorkingTree(self.root)
            line, column = locate(tree.read, RawFinding("", PATH, (group, name), ""))
            raise SurveyError(f"{PATH}:{line}:{column}: {name}: {error.message}", hint=error.hint) from None

    def number(self, entry: QuotedNumber) -> NumberAnswer:
        """Answer a number; raises `UsageError` if it has no value."""
        pool = self.pool(entry)
        if entry.statistic is not None:
            value = statistic(statistics_of(pool), entry.statistic)
            return NumberAnswer(value, f"{value:,}")
        if entry.claim is not None:
            outcomes = check(pool.corpus, [entry.claim]).results[0].verdict.outcomes
            if entry.figure > len(outcomes):
                raise UsageError(f"claim {entry.claim!r} has {len(outcomes)} figures", hint="write a smaller 'figure'")
            outcome = outcomes[entry.figure - 1]
            return _number(outcome.expectation, outcome.value, len(outcome.selection), outcome.cells)
        observed, selection = answer(entry, pool)
        base = len(pool.select(entry.of, entry.among, UNCHANGED)) if entry.kind == "share" else None
        return _number(entry, observed, len(selection), base)

    def table(self, entry: QuotedTable) -> Report:
        return REPORTS[entry.report](self.pool(entry).corpus, entry)

    def cited(self, entry: Any) -> tuple[str, ...]:
        papers = listing(self.pool(entry).corpus, entry.where, kind="paper", sort=entry.sort, limit=entry.limit)
        return tuple(self.cites[paper.key] for paper in papers.records)

    def claims(self, corpus: Corpus) -> dict[str, StatedClaim]:
        checked = check(corpus)
        waiting = (StatedClaim(c, ClaimStatus.NOT_YET, f"made as of {c.as_of}") for c in checked.waiting)
        return {entry.claim.id: entry for entry in (*map(_claim, checked.results), *waiting)}


def _number(question: CorpusQuestion, value: Value, n: int, base: int | None) -> NumberAnswer:
    if value is None:
        raise UsageError("there is nothing to measure", hint="see the query with 'awesome list --where QUERY'")
    if isinstance(value, tuple | str):
        return NumberAnswer(n, value if isinstance(value, str) else f"{n:,}")
    if base is not None and question.kind == "share":
        return NumberAnswer(value, f"{n:,}", f"{100 * value:.3g} %", base)
    return NumberAnswer(value, f"{float(f'{value:.4g}'):,.12g}" if value % 1 else f"{value:,.0f}")


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


def _claim(result: ClaimResult) -> StatedClaim:
    status = result.status
    if status in {ClaimStatus.HOLDS, ClaimStatus.CONTESTED}:
        texts = [
            f"in the {r}, if the objections to {shortened(keys, KEYS)} are right" for r, keys in _objections(result)
        ]
        return StatedClaim(result.claim, status, qualification=f"contested: fails {both(texts)}" if texts else None)
    notes = (str(note).removeprefix(result.claim.id).lstrip(": ") for note in notes_on(result))
    return StatedClaim(result.claim, status, "; ".join(notes))


def _objections(result: ClaimResult) -> Iterator[tuple[str, list[str]]]:
    """Yield each reading in which a claim fails, with the papers whose codings are contested."""
    for reading in result.fails_in:
        yield str(reading), list(dict.fromkeys(c.key for c in result.contested if c.side is reading.side))


def _gaps(corpus: Corpus, entry: QuotedTable) -> Report:
    corpus = corpus.where(entry.where)
    if entry.measure is not None:
        return measures.compare(corpus, measures.find(corpus, entry.measure)).to_report()
    axes = [name.strip() for name in ",".join(entry.by).split(",")]
    if len(axes) > 1:
        return gap_report.answer(corpus, None, rows=axes[0], columns=",".join(axes[1:]))[1]
    return gap_report.answer(corpus, axes[0] or entry.term)[1]


def _list(corpus: Corpus, entry: QuotedTable) -> Report:
    return listing(corpus, entry.where, columns=entry.columns, sort=entry.sort, limit=entry.limit).to_report()


REPORTS: Mapping[str, Callable[[Corpus, QuotedTable], Report]] = {
    "stats": lambda corpus, entry: statistics(corpus, by=entry.by, where=entry.where).to_report(),
    "gaps": _gaps,
    "list": _list,
    "claims": lambda corpus, entry: claims_report.to_report(check(corpus, entry.claims), full=True),
    "audit": lambda corpus, entry: AuditResult.of(corpus, find(corpus, entry.audit)).to_report(),
    "flow": lambda corpus, _: replace(flow(corpus), about=()).to_report(),
}
"""The report of each table of `paper.yaml`."""
