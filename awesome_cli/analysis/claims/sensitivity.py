"""How robust claims are: each under every perturbation, and with the candidates that wait for screening."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate, first_failure
from awesome_cli.analysis.claims.perturbations import FAMILIES, Family, Perturbation, left_out
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.errors import UsageError
from awesome_cli.model.claims import Claim
from awesome_cli.model.records import Candidate
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


@dataclass(frozen=True, slots=True)
class Trial:
    """A claim under one perturbation; `flips` if it holds only before or only after.

    `before` and `after` are outcomes of the expectation that flipped, else of the first one that is not dated.
    """

    claim: str
    change: Perturbation
    holds: bool
    flips: bool
    before: Outcome
    after: Outcome


@dataclass(frozen=True, slots=True)
class Ending:
    """What would happen to a claim if candidates were admitted.

    Each candidate in `alone` would end it by itself. Admitted in the order of the days they appeared, it falls with
    `first`, after `needed` of them (None and 0: it holds with all of them).
    """

    claim: Claim
    holds: bool
    alone: tuple[str, ...]
    first: str | None
    needed: int
    admitted: int
    after: Outcome

    def __str__(self) -> str:
        held = f"as of {self.claim.as_of} it {'holds' if self.holds else 'fails'}"
        if self.alone:
            one = len(self.alone) == 1
            return f"{held}; {len(self.alone)} candidate{'' if one else 's'} would end it"
        if self.first is not None:
            return f"{held}; the first {self.needed} candidates to appear would end it together"
        return f"{held}; no candidate would end it"


@dataclass(frozen=True)
class Sensitivity:
    """Claims by perturbations; definitional claims are listed and not perturbed.

    `waiting` are the ids of claims that had not been made on the day of the pool.
    """

    verdicts: tuple[Verdict, ...]
    perturbed: tuple[Perturbation, ...]
    trials: tuple[Trial, ...]
    endings: tuple[Ending, ...] | None
    confidence: str | None
    day: date | None
    waiting: tuple[str, ...]

    @property
    def definitional(self) -> tuple[str, ...]:
        return tuple(v.claim.id for v in self.verdicts if v.claim.definitional)

    def flips(self, claim: str) -> tuple[Trial, ...]:
        """The perturbations that flip a claim."""
        return tuple(trial for trial in self.trials if trial.claim == claim and trial.flips)


def perturbations(corpus: Corpus, verdicts: Iterable[Verdict]) -> Iterator[Perturbation]:
    """Every perturbation of every family, then each paper behind a claim left out."""
    for family in FAMILIES.values():
        yield from family(corpus)
    supporting = {
        key
        for verdict in verdicts
        for outcome in verdict.outcomes
        if outcome.expectation.of == "papers" and outcome.expectation.kind != "survive"
        for key in outcome.selection.keys
    }
    yield from left_out(sorted(supporting & {paper.key for paper in corpus.papers}))


def sensitivity(corpus: Corpus, *, with_candidates: bool = False, confidence: str | None = None) -> Sensitivity:
    """Every claim under every perturbation; on request, under the candidates proposed for retention.

    `confidence` is the least at which a candidate counts. Raises `UsageError` for a level or name that is unknown,
    and for candidates in the pool of another day: they have no past.
    """
    if confidence is not None and not with_candidates:
        raise UsageError("--confidence chooses candidates, and none are asked for", hint="add --with-candidates")
    if with_candidates and corpus.day is not None:
        hint = "leave out --as-of, or --with-candidates"
        raise UsageError(f"the candidates are those of today, not of {corpus.day}", hint=hint)
    pool = Pool(corpus)
    standing = [claim for claim in corpus.claims.claims if claim.stands(corpus.day)]
    verdicts = tuple(evaluate(claim, pool) for claim in standing if claim.is_due(corpus.day))
    waiting = tuple(claim.id for claim in corpus.claims.claims if not claim.is_due(corpus.day))
    asked = tuple(perturbations(corpus, verdicts))
    trials = tuple(_trial(v, pool, change) for change in asked for v in verdicts if not v.claim.definitional)
    endings = None
    if with_candidates:
        endings = tuple(ending(v.claim, pool, confidence) for v in verdicts if not v.claim.definitional)
    return Sensitivity(verdicts, asked, trials, endings, confidence, corpus.day, waiting)


def _trial(verdict: Verdict, pool: Pool, change: Perturbation) -> Trial:
    after = evaluate(verdict.claim, pool, change)
    pairs = list(zip(verdict.outcomes, after.outcomes, strict=True))
    moved = next(((a, b) for a, b in pairs if a.holds != b.holds), None)
    shown = moved or next(((a, b) for a, b in pairs if not a.expectation.dated), pairs[0])
    return Trial(verdict.claim.id, change, after.holds, verdict.holds != after.holds, *shown)


def forecasts(found: ClaimResults) -> dict[str, str]:
    """By claim id, `as of DAY it holds; N candidates would end it`; a claim that none would end has no line."""
    asked = [r.claim for r in found.results if r.stands and r.verdict.holds and not r.claim.definitional]
    endings = [ending(claim, found.pool) for claim in asked]
    return {e.claim.id: str(e) for e in endings if e.first is not None or e.alone}


def ending(claim: Claim, pool: Pool, confidence: str | None = None) -> Ending:
    """Which candidates proposed for retention would end a claim; the pool must have been loaded with candidates."""
    waiting = proposed(pool.corpus, confidence)
    now, then = evaluate(claim, pool), evaluate(claim, pool, _all(waiting))
    alone = _alone(claim, pool, waiting) if now.holds else ()
    first, needed = None, 0
    if now.holds and not then.holds:
        needed = _fewest(claim, pool, waiting)
        first = waiting[needed - 1].key
    return Ending(claim, now.holds, alone, first, needed, len(waiting), then.decisive)


def proposed(corpus: Corpus, confidence: str | None = None) -> tuple[Candidate, ...]:
    """The candidates proposed for retention at some confidence or above, by the day they appeared."""
    rank = corpus.taxonomy.confidence_rank
    least = -1 if confidence is None else rank[require_known(confidence, rank, "confidence")]
    chosen = [c for c in corpus.candidates if c.proposal == "retain" and rank.get(c.confidence or "", -1) >= least]
    return tuple(sorted(chosen, key=lambda c: (c.first_public or "9999", c.key)))


def _all(waiting: Sequence[Candidate]) -> Perturbation:
    return Perturbation("all candidates admitted", Family.CANDIDATES, {c.key: c for c in waiting}, whole=True)


def _alone(claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> tuple[str, ...]:
    """The candidates that end a claim by themselves; of those that match the same queries one is tried."""
    asked = tuple(pool.queries(claim))
    named = (claim, *(pool.claim(name) for expectation in claim.expect for name in expectation.survive))
    singled = any(expectation.kind == "ids" and not expectation.dated for c in named for expectation in c.expect)
    outcomes: dict[object, bool] = {}
    found: list[str] = []
    for candidate in waiting:
        matches = tuple(query.matches(candidate) for query in asked)
        # What is asked of single keys or numbers can differ between papers that match alike.
        alike = candidate.key if candidate.measures or singled else matches
        if alike not in outcomes:
            change = Perturbation(candidate.key, Family.CANDIDATES, {candidate.key: candidate})
            outcomes[alike] = evaluate(claim, pool, change).holds
        if not outcomes[alike]:
            found.append(candidate.key)
    return tuple(found)


def _fewest(claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> int:
    """How many candidates, in their order, until the claim falls; found by bisection.

    A claim that could fall and hold again with more candidates may give any of its falls.
    """
    counts = range(1, len(waiting) + 1)
    return counts[first_failure(counts, lambda n: evaluate(claim, pool, _all(waiting[:n])).holds)]
