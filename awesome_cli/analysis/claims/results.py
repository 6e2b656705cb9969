"""Check claims: answers and first failing days."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import partial
from pathlib import Path

from awesome_cli.analysis.claims.evaluation import (
    Contested,
    Outcome,
    Verdict,
    evaluate,
    failing,
    first_failure,
    under,
    weakest,
)
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.silence import Doubt, doubts
from awesome_cli.analysis.claims.wording import expected, listed_keys, observed, to_json
from awesome_cli.errors import AwesomeError, GitError, SurveyError
from awesome_cli.files import git
from awesome_cli.files.git import GitTree
from awesome_cli.files.tree import PARTS
from awesome_cli.model.claims import Claim, Revised, Withdrawn
from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import ContestReading, Corpus
from awesome_cli.survey.loading import RecordCache, load_corpus


class ClaimStatus(StrEnum):
    """The status of a claim; claims with one of the last three do not stand."""

    HOLDS = "holds"
    CONTESTED = "contested"
    UNDECIDED = "undecided"
    FAILS = "fails"
    REVISED = "revised"
    WITHDRAWN = "withdrawn"
    NOT_YET = "not_yet"

    @property
    def words(self) -> str:
        special = {ClaimStatus.CONTESTED: "holds as coded, contested", ClaimStatus.NOT_YET: "not made yet"}
        return special.get(self, self.value)


ENDED = (ClaimStatus.REVISED, ClaimStatus.WITHDRAWN, ClaimStatus.NOT_YET)
"""The status of claims that do not stand."""


@dataclass(frozen=True, slots=True)
class Successor:
    """A claim that replaces a revised one, with its status."""

    claim: Claim
    status: ClaimStatus


@dataclass(frozen=True, slots=True)
class Since:
    """The day or revision on which a claim began to fail, and the claim's records that changed then."""

    when: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"since {self.when}" + (f", with {listed_keys(self.keys)}" if self.keys else "")


@dataclass(frozen=True)
class ClaimResult:
    """The verdict on a claim, as coded or under a `reading` of the contested codings.

    `fails_in` are the readings in which a claim that holds as coded fails; `contested` are the contests that cause
    this. `doubts` are expectations that hold, but that missing codings could overturn. A claim that no longer stands
    is evaluated on its own date; `successors` replace it.
    """

    verdict: Verdict
    reading: ContestReading | None = None
    fails_in: tuple[ContestReading, ...] = ()
    contested: tuple[Contested, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    since: Since | None = None
    stands: bool = True
    successors: tuple[Successor, ...] = ()

    @property
    def claim(self) -> Claim:
        return self.verdict.claim

    @property
    def status(self) -> ClaimStatus:
        if not self.stands:
            return ClaimStatus.REVISED if self.claim.revised else ClaimStatus.WITHDRAWN
        if any(o.fails for o in self.verdict.outcomes) or not (self.verdict.holds or self.doubts):
            return ClaimStatus.FAILS
        if self.doubts:
            return ClaimStatus.UNDECIDED
        return ClaimStatus.CONTESTED if self.fails_in else ClaimStatus.HOLDS

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the records that the claim's expectations select."""
        return tuple(sorted({key for outcome in self.verdict.outcomes for key in outcome.selection.keys}))

    def answer(self, outcome: Outcome) -> str:
        """Return `yes` or `no`, whether an outcome holds; `undecided` if missing codings could overturn it."""
        if any(doubt.expectation is outcome.expectation for doubt in self.doubts):
            return "undecided"
        return "yes" if outcome.holds else "no"

    @property
    def ended(self) -> Revised | Withdrawn | None:
        """The revision or withdrawal of the claim; None if the claim stands."""
        return None if self.stands else self.claim.revised or self.claim.withdrawn

    @property
    def records(self) -> tuple[str, ...]:
        """The keys of the records that caused the revision of the claim."""
        return self.ended.records if isinstance(self.ended, Revised) else ()

    @property
    def life(self) -> str:
        """`revised on DAY by ID (status), because of KEYS`; empty if the claim stands."""
        if self.ended is None:
            return ""
        by = ", ".join(f"{s.claim.id} ({s.status.words})" for s in self.successors)
        text = f"{self.status} on {self.ended.on}" + (f" by {by}" if by else "")
        return text + (f", because of {listed_keys(self.records)}" if self.records else "")

    def to_json(self) -> dict[str, object]:
        return {
            **not_judged(self.claim),
            "holds": self.verdict.holds and not self.doubts,
            "status": self.status.value,
            "revised": self._revised(),
            "withdrawn": self.ended.model_dump(mode="json") if isinstance(self.ended, Withdrawn) else None,
            "readings": [reading.to_json() for reading in self.fails_in],
            "contested": [c.to_json() for c in self.contested],
            "undecided": [doubt.to_json() for doubt in self.doubts],
            "outcomes": [
                {"expected": expected(o.expectation), "observed": observed(o, keys=False), "holds": answer == "yes"}
                for o, answer in ((o, self.answer(o)) for o in self.verdict.outcomes)
            ],
            "observed": [to_json(outcome.value) for outcome in self.verdict.outcomes],
            "keys": [] if self.claim.definitional else list(self.keys),
            "since": {"when": self.since.when, "keys": list(self.since.keys)} if self.since else None,
        }

    def _revised(self) -> dict[str, object] | None:
        if not isinstance(self.ended, Revised):
            return None
        by = [{"id": s.claim.id, "status": s.status.value, "statement": s.claim.statement} for s in self.successors]
        return {**self.ended.model_dump(mode="json"), "by": by}


def not_judged(claim: Claim) -> dict[str, object]:
    """Return the JSON of a claim that was made after the day of the pool."""
    return {
        "id": claim.id,
        "statement": claim.statement,
        "as_of": claim.as_of.isoformat(),
        "holds": False,
        "status": ClaimStatus.NOT_YET.value,
        "succeeds": list(claim.succeeds),
        "revised": None,
        "withdrawn": None,
        "definitional": claim.definitional,
        "record_of_day": claim.record_of_day,
        "readings": [],
        "contested": [],
        "undecided": [],
        "expected": [expected(expectation) for expectation in claim.expect],
        "outcomes": [],
        "observed": [],
        "keys": [],
        "since": None,
        "boundary": claim.boundary,
        "stated": list(claim.stated),
    }


@dataclass(frozen=True)
class ClaimResults(SurveyAnswer):
    """Results of claims in a pool; `waiting` are claims made after the day of the pool, without a verdict."""

    pool: Pool
    results: tuple[ClaimResult, ...]
    reading: ContestReading | None
    waiting: tuple[Claim, ...] = ()

    def __repr__(self) -> str:
        return f"ClaimResults({', '.join(f'{status}={n}' for status, n in self.answers.items())})"

    @property
    def answers(self) -> Counter[ClaimStatus]:
        """The numbers of claims by status."""
        return Counter(result.status for result in self.results)

    @property
    def day(self) -> date | None:
        """The day of the pool, None for today."""
        return self.pool.corpus.day

    @property
    def hold(self) -> bool:
        """True if every claim that stands holds, or is undecided."""
        return not self.answers[ClaimStatus.FAILS]

    @property
    def undecided(self) -> int:
        """The number of claims that hold, but that missing codings could overturn."""
        return self.answers[ClaimStatus.UNDECIDED]


def check(corpus: Corpus, names: Sequence[str] = (), *, reading: ContestReading | None = None) -> ClaimResults:
    """Check claims by id [default: all], as coded or under a reading of the contested codings.

    Raises `UsageError` for an unknown claim, and `SurveyError` if a claim uses an unknown name.
    """
    return check_in(Pool(corpus), names, reading=reading)


def check_in(pool: Pool, names: Sequence[str] = (), *, reading: ContestReading | None = None) -> ClaimResults:
    """Check claims as `check` does; the pool keeps their results."""
    claims = [pool.claim(name) for name in names] if names else pool.corpus.claims.claims
    due = [claim for claim in claims if claim.is_due(pool.corpus.day)]
    waiting = tuple(claim for claim in claims if not claim.is_due(pool.corpus.day))
    results = tuple(
        pool.cached(("result", claim.id, reading), partial(result, claim, pool, reading))
        for claim in watched(due, "checking claims")
    )
    return ClaimResults(pool, results, reading, waiting)


def result(claim: Claim, pool: Pool, reading: ContestReading | None = None) -> ClaimResult:
    """Check one claim, with its contests and, if it fails, its first failing day; a revised claim has successors."""
    result = judged(claim, pool, reading)
    if result.stands and not result.verdict.holds and not evaluate(claim, pool).holds:
        return replace(result, since=first_failing_day(claim, pool))
    return result


def judged(claim: Claim, pool: Pool, reading: ContestReading | None = None, *, because: bool = True) -> ClaimResult:
    """Check one claim without the first day on which it fails, which is slow, and the contests if not `because`."""
    if not claim.stands(pool.corpus.day):
        by = claim.revised.by if claim.revised else ()
        successors = tuple(_successor(claim, name, pool, reading) for name in by)
        then = pool.as_of(claim.as_of)
        verdict, open_ = evaluate(claim, then), doubts(claim, then)
        return ClaimResult(verdict, reading, doubts=open_, stands=False, successors=successors)
    as_coded = evaluate(claim, pool)
    readings = (reading,) if reading is not None else weakest(pool.corpus)
    contests = dict(failing(as_coded, pool, readings, because=because))
    verdict = as_coded if reading is None else evaluate(claim, pool, under(reading, pool))
    rank = pool.corpus.taxonomy.grade_rank
    contested = sorted((c for each in contests.values() for c in each), key=lambda c: (-rank[c.grade], c.key, c.tag))
    return ClaimResult(verdict, reading, tuple(contests), tuple(contested), doubts(claim, pool))


def _successor(claim: Claim, name: str, pool: Pool, reading: ContestReading | None) -> Successor:
    successor = pool.corpus.claims.by_id.get(name)
    if successor is None:
        message = f"claim {claim.id!r} is revised by {name!r}, which is not in claims.yaml"
        raise SurveyError(message, hint="see 'awesome validate'")
    day = pool.corpus.day
    if not successor.is_due(day):
        return Successor(successor, ClaimStatus.NOT_YET)
    # Do not follow further successors: claims that replace each other would never end.
    ended = ClaimStatus.REVISED if successor.revised else ClaimStatus.WITHDRAWN
    return Successor(successor, judged(successor, pool, reading).status if successor.stands(day) else ended)


def first_failing_day(claim: Claim, pool: Pool) -> Since | None:
    """Return the first day on which a failing claim failed, by bisection of the days with changes.

    None if the claim failed on its own date already: then a record was edited without an entry in its history.
    """
    events = _events(pool.corpus)
    days = [day for day in sorted(events) if day > claim.as_of]
    if not days or not evaluate(claim, pool.as_of(claim.as_of)).holds:
        return None
    day = days[first_failure(days, lambda day: evaluate(claim, pool.as_of(day)).holds)]
    failed = (outcome for outcome in evaluate(claim, pool.as_of(day)).outcomes if not outcome.holds)
    behind = {key for outcome in failed for key in outcome.selection.keys}
    keys = sorted(events[day] & behind) or sorted(events[day])
    return Since(day.isoformat(), tuple(keys))


def _events(corpus: Corpus) -> dict[date, set[str]]:
    events: dict[date, set[str]] = {}
    for paper in corpus.papers:
        days = {paper.added, *(c.corrected_on for c in paper.corrections), *(r.on for r in paper.history)}
        for day in days:
            events.setdefault(day, set()).add(paper.key)
    for day in (change.on for axis in corpus.taxonomy.axes for change in axis.history):
        events.setdefault(day, set())
    for exclusion in corpus.exclusions:
        events.setdefault(exclusion.screening.on, set()).add(exclusion.key)
    return events


def bisected(root: Path, checked: ClaimResults) -> ClaimResults:
    """Add the first failing Git revision to results that fail as coded but have no first failing day."""
    known: RecordCache = {}
    if checked.reading is not None:
        return checked
    return replace(checked, results=tuple(_bisected(root, result, known) for result in checked.results))


def _bisected(root: Path, result: ClaimResult, known: RecordCache) -> ClaimResult:
    if result.status is not ClaimStatus.FAILS or result.since is not None:
        return result
    try:
        history = git.history(root, "HEAD")
    except GitError:
        return result
    if not history or _holds(root, history[-1], result.claim, known):
        return replace(result, since=Since("the uncommitted changes", ()))
    first = first_failure(history, lambda rev: _holds(root, rev, result.claim, known))
    return replace(result, since=Since(f"revision {git.describe(root, history[first])}", ()))


def _holds(root: Path, rev: str, claim: Claim, known: RecordCache) -> bool:
    """True if the claim in its present wording held in a revision, or cannot be evaluated there."""
    try:
        then = load_corpus(GitTree(root, rev, PARTS), evidence=True, known=known)
        return evaluate(claim, Pool(then)).holds
    except AwesomeError:
        return True
