"""Check claims: the answer to each, since when it fails, and which claims lead."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
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
from awesome_cli.analysis.claims.wording import expected, listed_keys, observed, to_json
from awesome_cli.errors import AwesomeError, GitError, SurveyError
from awesome_cli.files import git
from awesome_cli.files.git import GitTree
from awesome_cli.model.claims import Claim, Revised, Withdrawn
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import ContestReading, Corpus, Side
from awesome_cli.survey.loading import PARTS, RecordCache, load_corpus
from awesome_cli.survey.readings import reading_of


class ClaimStatus(StrEnum):
    """The answer to a claim: the first three are of a claim that stands."""

    HOLDS = "holds"
    CONTESTED = "contested"
    FAILS = "fails"
    REVISED = "revised"
    WITHDRAWN = "withdrawn"
    NOT_YET = "not_yet"

    @property
    def words(self) -> str:
        """The answer as people read it."""
        special = {ClaimStatus.CONTESTED: "holds as coded, contested", ClaimStatus.NOT_YET: "not made yet"}
        return special.get(self, self.value)


ENDED = (ClaimStatus.REVISED, ClaimStatus.WITHDRAWN, ClaimStatus.NOT_YET)
"""The answers to claims that do not stand."""


@dataclass(frozen=True, slots=True)
class Successor:
    """A claim that stands in the place of a revised one, with its own answer."""

    claim: Claim
    status: ClaimStatus


@dataclass(frozen=True, slots=True)
class Since:
    """When a claim began to fail: a day or a revision, and the records of the claim that changed then."""

    when: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"since {self.when}" + (f", with {listed_keys(self.keys)}" if self.keys else "")


@dataclass(frozen=True)
class ClaimResult:
    """The verdict on a claim, as it stands or under a `reading` of its contested codings.

    `fails_in` are the readings in which it fails although it holds as coded, `contested` the contests behind that.
    The verdict on a claim that does not stand any more is that of its own day; `successors` stand in its place.
    """

    verdict: Verdict
    reading: ContestReading | None = None
    fails_in: tuple[ContestReading, ...] = ()
    contested: tuple[Contested, ...] = ()
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
        if not self.verdict.holds:
            return ClaimStatus.FAILS
        return ClaimStatus.CONTESTED if self.fails_in else ClaimStatus.HOLDS

    @property
    def keys(self) -> tuple[str, ...]:
        """The records that any of its expectations selects."""
        return tuple(sorted({key for outcome in self.verdict.outcomes for key in outcome.selection.keys}))

    @property
    def ended(self) -> Revised | Withdrawn | None:
        """How the claim ended, None for one that stands."""
        return None if self.stands else self.claim.revised or self.claim.withdrawn

    @property
    def records(self) -> tuple[str, ...]:
        """The records because of which the claim was revised."""
        return self.ended.records if isinstance(self.ended, Revised) else ()

    @property
    def life(self) -> str:
        """`revised on DAY by ID (answer), because of KEYS`; empty for a claim that stands."""
        if self.ended is None:
            return ""
        by = ", ".join(f"{s.claim.id} ({s.status.words})" for s in self.successors)
        text = f"{self.status} on {self.ended.on}" + (f" by {by}" if by else "")
        return text + (f", because of {listed_keys(self.records)}" if self.records else "")

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            **not_judged(self.claim),
            "holds": self.verdict.holds,
            "status": self.status.value,
            "revised": self._revised(),
            "withdrawn": self.ended.model_dump(mode="json") if isinstance(self.ended, Withdrawn) else None,
            "readings": [reading.to_json() for reading in self.fails_in],
            "contested": [c.to_json() for c in self.contested],
            "outcomes": [
                {"expected": expected(o.expectation), "observed": observed(o, keys=False), "holds": o.holds}
                for o in self.verdict.outcomes
            ],
            "observed": [to_json(outcome.value) for outcome in self.verdict.outcomes],
            "keys": [] if self.claim.definitional else list(self.keys),
            "since": {"when": self.since.when, "keys": list(self.since.keys)} if self.since else None,
        }

    def _revised(self) -> dict[str, object] | None:
        if not isinstance(self.ended, Revised):
            return None
        by = [
            {"id": one.claim.id, "status": one.status.value, "statement": one.claim.statement}
            for one in self.successors
        ]
        return {**self.ended.model_dump(mode="json"), "by": by}


def not_judged(claim: Claim) -> dict[str, object]:
    """The published form of a claim that had not been made on the day of the pool."""
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
        "readings": [],
        "contested": [],
        "expected": [expected(expectation) for expectation in claim.expect],
        "outcomes": [],
        "observed": [],
        "keys": [],
        "since": None,
        "boundary": claim.boundary,
        "stated": list(claim.stated),
    }


@dataclass(frozen=True)
class ClaimResults:
    """The results of claims in a pool; `waiting` had not been made on its day, and are listed without a verdict."""

    pool: Pool
    results: tuple[ClaimResult, ...]
    reading: ContestReading | None
    waiting: tuple[Claim, ...] = ()

    def __repr__(self) -> str:
        return f"ClaimResults({', '.join(f'{status}={n}' for status, n in self.answers.items())})"

    @property
    def answers(self) -> Counter[ClaimStatus]:
        """How many of the claims have which answer."""
        return Counter(result.status for result in self.results)

    @property
    def holding(self) -> tuple[int, int, int]:
        """How many claims hold as coded, of how many that stand, and how many of those that hold are contested."""
        answers = self.answers
        holds, contested = answers[ClaimStatus.HOLDS], answers[ClaimStatus.CONTESTED]
        return holds + contested, holds + contested + answers[ClaimStatus.FAILS], contested

    @property
    def day(self) -> date | None:
        """The day of the pool, None for what it is now."""
        return self.pool.corpus.day

    @property
    def hold(self) -> bool:
        """True if every claim that stands holds."""
        return all(result.verdict.holds for result in self.results if result.stands)


def check(corpus: Corpus, names: Sequence[str] = (), *, reading: ContestReading | None = None) -> ClaimResults:
    """The results for the claims of those names, or for all claims, as coded or under a reading of the contests.

    Raises `UsageError` for an unknown claim, and `SurveyError` for a claim that names something unknown.
    """
    pool = Pool(corpus)
    claims = [pool.claim(name) for name in names] if names else corpus.claims.claims
    due = [claim for claim in claims if claim.is_due(corpus.day)]
    waiting = tuple(claim for claim in claims if not claim.is_due(corpus.day))
    results = tuple(result(claim, pool, reading) for claim in watched(due, "checking claims"))
    return ClaimResults(pool, results, reading, waiting)


def result(claim: Claim, pool: Pool, reading: ContestReading | None = None) -> ClaimResult:
    """The result for one claim: what contests it and since when it fails, or what stands in its place."""
    found = judged(claim, pool, reading)
    if found.stands and not found.verdict.holds and not evaluate(claim, pool).holds:
        return replace(found, since=first_failing_day(claim, pool))
    return found


def judged(claim: Claim, pool: Pool, reading: ContestReading | None = None) -> ClaimResult:
    """The result for one claim without the day since when it fails, which takes longer to find than all the rest."""
    if not claim.stands(pool.corpus.day):
        by = claim.revised.by if claim.revised else ()
        successors = tuple(_successor(claim, name, pool, reading) for name in by)
        return ClaimResult(evaluate(claim, pool.as_of(claim.as_of)), reading, stands=False, successors=successors)
    as_coded = evaluate(claim, pool)
    readings = (reading,) if reading is not None else weakest(pool.corpus)
    found = dict(failing(as_coded, pool, readings))
    verdict = as_coded if reading is None else evaluate(claim, pool, under(reading, pool))
    rank = pool.corpus.taxonomy.grade_rank
    contested = sorted((c for each in found.values() for c in each), key=lambda c: (-rank[c.grade], c.key, c.tag))
    return ClaimResult(verdict, reading, tuple(found), tuple(contested))


def _successor(claim: Claim, name: str, pool: Pool, reading: ContestReading | None) -> Successor:
    found = pool.corpus.claims.by_id.get(name)
    if found is None:
        message = f"claim {claim.id!r} is revised by {name!r}, which does not exist"
        raise SurveyError(message, hint="see 'awesome validate'")
    day = pool.corpus.day
    if not found.is_due(day):
        return Successor(found, ClaimStatus.NOT_YET)
    # Not judged any further: claims that succeed each other would have no end.
    ended = ClaimStatus.REVISED if found.revised else ClaimStatus.WITHDRAWN
    return Successor(found, judged(found, pool, reading).status if found.stands(day) else ended)


def first_failing_day(claim: Claim, pool: Pool) -> Since | None:
    """The first day on which a failing claim failed, by bisection of the days on which something was recorded.

    None if it failed on its own day already: then a record was edited without a dated history.
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
    """The days on which something was recorded, with the keys of the records."""
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


def bisected(root: Path, found: ClaimResults) -> ClaimResults:
    """The results. A claim that fails as coded gets the revision since which it does, unless a day is known."""
    known: RecordCache = {}
    if found.reading is not None:
        return found
    fails = [r.status is ClaimStatus.FAILS and r.since is None for r in found.results]
    results = [_bisected(root, r, known) if asked else r for r, asked in zip(found.results, fails, strict=True)]
    return replace(found, results=tuple(results))


def _bisected(root: Path, result: ClaimResult, known: RecordCache) -> ClaimResult:
    try:
        history = git.history(root, "HEAD")
    except GitError:
        return result
    if not history or _holds(root, history[-1], result.claim, known):
        return replace(result, since=Since("the changes that are not committed", ()))
    first = first_failure(history, lambda rev: _holds(root, rev, result.claim, known))
    return replace(result, since=Since(f"revision {git.describe(root, history[first])}", ()))


def _holds(root: Path, rev: str, claim: Claim, known: RecordCache) -> bool:
    """True if the claim in its present words held in a revision, or the revision cannot answer it."""
    try:
        then = load_corpus(GitTree(root, rev, PARTS), evidence=True, known=known)
        return evaluate(claim, Pool(then)).holds
    except AwesomeError:
        return True


FEW = 3
"""So many claims introduce a survey at most."""


@dataclass(frozen=True, slots=True)
class LeadAnswer:
    """The outcome of a claim's decisive expectation, and the claim's answer; `reading` is None for "as coded"."""

    reading: ContestReading | None
    outcome: Outcome
    holds: bool


@dataclass(frozen=True, slots=True)
class Lead:
    """A claim that leads, with its answers: as coded, then strict and generous where the taxonomy has grades."""

    result: ClaimResult
    answers: tuple[LeadAnswer, ...]


def leading(found: ClaimResults) -> tuple[Lead, ...]:
    """The claims marked `lead`; without any the first that says something of the field: see `_rank`."""
    telling = [one for one in found.results if one.stands and not one.claim.definitional]
    marked = [one for one in telling if one.claim.lead]
    chosen = marked[:FEW] or sorted(telling, key=_rank)[:1]
    return tuple(Lead(one, tuple(_answers(one, found))) for one in chosen)


def _rank(one: ClaimResult) -> tuple[bool, bool]:
    """Successors of revised claims come first, then contested claims, then the order of the file."""
    return not one.claim.succeeds, one.status is not ClaimStatus.CONTESTED


def _answers(one: ClaimResult, found: ClaimResults) -> Iterator[LeadAnswer]:
    decisive = one.verdict.outcomes.index(one.verdict.decisive)
    yield LeadAnswer(None, one.verdict.outcomes[decisive], one.verdict.holds)
    for side in Side if found.pool.corpus.taxonomy.grades else ():
        reading = reading_of(found.pool.corpus.taxonomy, side)
        if reading is not None:
            read = evaluate(one.claim, found.pool, under(reading, found.pool))
            yield LeadAnswer(reading, read.outcomes[decisive], read.holds)
