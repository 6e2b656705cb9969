"""The results of checking claims: each holds, holds as coded but is contested, or fails, with the papers behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from awesome_cli.analysis.claims.evaluation import Verdict, evaluate, first_failure
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.wording import expected, listed_keys, to_json
from awesome_cli.model.claims import Claim
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


class ClaimStatus(StrEnum):
    """The answer to a claim."""

    HOLDS = "holds"
    CONTESTED = "contested"
    FAILS = "fails"
    NOT_YET = "not_yet"


@dataclass(frozen=True, slots=True)
class Contested:
    """A paper whose coding public evidence contests, at a grade, for a reason."""

    key: str
    grade: str
    because: str


@dataclass(frozen=True, slots=True)
class Since:
    """When a claim began to fail: a day or a revision, and the records of the claim that changed then."""

    when: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"since {self.when}" + (f", with {listed_keys(self.keys)}" if self.keys else "")


@dataclass(frozen=True)
class ClaimResult:
    """The verdict on a claim; `contested` are papers that would end it if their challengers are right.

    `strict` is the grade from which contested codings were read as the challenger does.
    """

    verdict: Verdict
    contested: tuple[Contested, ...]
    since: Since | None
    strict: str | None

    @property
    def claim(self) -> Claim:
        return self.verdict.claim

    @property
    def status(self) -> ClaimStatus:
        if not self.verdict.holds:
            return ClaimStatus.FAILS
        return ClaimStatus.CONTESTED if self.contested else ClaimStatus.HOLDS

    def to_json(self) -> dict[str, object]:
        """The published form."""
        return {
            **not_judged(self.claim),
            "holds": self.verdict.holds,
            "status": self.status.value,
            "contested": [{"key": c.key, "grade": c.grade} for c in self.contested],
            "observed": [to_json(outcome.value) for outcome in self.verdict.outcomes],
            "keys": list(self.verdict.decisive.selection.keys) if not self.claim.definitional else [],
            "since": {"when": self.since.when, "keys": list(self.since.keys)} if self.since else None,
        }


def not_judged(claim: Claim) -> dict[str, object]:
    """The published form of a claim that had not been made on the day of the pool."""
    return {
        "id": claim.id,
        "statement": claim.statement,
        "as_of": claim.as_of.isoformat(),
        "holds": False,
        "status": ClaimStatus.NOT_YET.value,
        "definitional": claim.definitional,
        "contested": [],
        "expected": [expected(expectation) for expectation in claim.expect],
        "observed": [],
        "keys": [],
        "since": None,
        "boundary": claim.boundary,
        "stated": list(claim.stated),
    }


@dataclass(frozen=True)
class ClaimResults:
    """The claims of a survey with their verdicts, and the pool that was asked.

    `waiting` are claims that had not been made on the day of the pool: they are listed and not judged.
    """

    pool: Pool
    results: tuple[ClaimResult, ...]
    strict: str | None
    waiting: tuple[Claim, ...] = ()

    @property
    def day(self) -> date | None:
        """The day of the pool, None for what it is now."""
        return self.pool.corpus.day

    @property
    def hold(self) -> bool:
        return all(result.verdict.holds for result in self.results)


def check(corpus: Corpus, names: Sequence[str] = (), *, strict: str | None = None) -> ClaimResults:
    """The results for the claims of those names, or for all claims.

    `strict` reads codings contested at that grade or above as the challenger does; an empty text means the grade
    that the survey names. Raises `UsageError` for an unknown claim or grade,
    and `SurveyError` for a claim that names something unknown.
    """
    pool = Pool(corpus)
    if not strict and strict is not None:
        strict = corpus.claims.strict_from or next(iter(corpus.taxonomy.grade_rank), "")
    if strict is not None:
        require_known(strict, corpus.taxonomy.grade_rank, "grade")
    claims = [pool.claim(name) for name in names] if names else corpus.claims.claims
    due = [claim for claim in claims if claim.is_due(corpus.day)]
    waiting = tuple(claim for claim in claims if not claim.is_due(corpus.day))
    return ClaimResults(pool, tuple(result(claim, pool, strict=strict) for claim in due), strict, waiting)


def result(claim: Claim, pool: Pool, *, strict: str | None = None) -> ClaimResult:
    """The result for one claim, with what contests it and since when it fails."""
    as_coded = evaluate(claim, pool)
    verdict = as_coded
    if strict is not None:
        verdict = evaluate(claim, pool, pool.challenged(strict)[0])
    threats = _contested(claim, pool, as_coded, strict)
    since = None if as_coded.holds else first_failing_day(claim, pool)
    return ClaimResult(verdict, threats, since, strict)


def _contested(claim: Claim, pool: Pool, as_coded: Verdict, strict: str | None) -> tuple[Contested, ...]:
    """If the claim fails as its challengers read the papers: the papers whose reading contributes to that."""
    taxonomy = pool.corpus.taxonomy
    if claim.definitional or not as_coded.holds or not taxonomy.grades:
        return ()
    whole, *singles = pool.challenged(strict or taxonomy.grades[0].id)
    challenged = evaluate(claim, pool, whole)
    failing = [i for i, outcome in enumerate(challenged.outcomes) if not outcome.holds]
    found: list[Contested] = []
    for single in singles if failing else ():
        alone = evaluate(claim, pool, single)
        if any(alone.outcomes[i].value != as_coded.outcomes[i].value for i in failing):
            found += [_contest(pool.corpus, key) for key in single.papers]
    rank = taxonomy.grade_rank
    return tuple(sorted(found, key=lambda c: (-rank[c.grade], c.key)))


def _contest(corpus: Corpus, key: str) -> Contested:
    """The strongest contest of a paper's codings."""
    rank = corpus.taxonomy.grade_rank
    tags = corpus.by_key[key].tags.values()  # type: ignore[union-attr]
    contests = [tag.contested for on_axis in tags for tag in on_axis if tag.contested is not None]
    strongest = max(contests, key=lambda contest: rank.get(contest.grade, -1))
    return Contested(key, strongest.grade, strongest.because)


def first_failing_day(claim: Claim, pool: Pool) -> Since | None:
    """The first day on which a failing claim failed, by bisection of the days on which something was recorded.

    None if it failed on its own day already: then a record was edited without a dated history.
    """
    events = _events(pool.corpus)
    days = [day for day in sorted(events) if day > claim.as_of]
    if not days or not evaluate(claim, pool.as_of(claim.as_of)).holds:
        return None
    day = days[first_failure(days, lambda day: evaluate(claim, pool.as_of(day)).holds)]
    failing = (outcome for outcome in evaluate(claim, pool.as_of(day)).outcomes if not outcome.holds)
    behind = {key for outcome in failing for key in outcome.selection.keys}
    keys = sorted(events[day] & behind) or sorted(events[day])
    return Since(day.isoformat(), tuple(keys))


def _events(corpus: Corpus) -> dict[date, set[str]]:
    """The days on which something was recorded, with the keys of the records."""
    events: dict[date, set[str]] = {}
    for paper in corpus.papers:
        days = {paper.added, *(c.corrected_on for c in paper.corrections), *(r.on for r in paper.history)}
        for day in days:
            events.setdefault(day, set()).add(paper.key)
    for exclusion in corpus.exclusions:
        events.setdefault(exclusion.screening.on, set()).add(exclusion.key)
    return events
