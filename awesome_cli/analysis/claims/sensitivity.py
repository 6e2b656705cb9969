"""How robust claims are: each under every change that a reader could ask for, and under what waits outside."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from awesome_cli.analysis.claims import changes
from awesome_cli.analysis.claims.changes import Family, Perturbation
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate, first_failure
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.errors import UsageError
from awesome_cli.model.claims import Claim
from awesome_cli.model.records import Candidate
from awesome_cli.model.taxonomy import did_you_mean
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class SensitivityCell:
    """A claim under one change; `flips` where it held before and no longer does, or the other way round.

    `before` and `after` are the outcome that tells most: the one that changed sides, else the claim's main one.
    """

    claim: str
    change: Perturbation
    holds: bool
    flips: bool
    before: Outcome
    after: Outcome


@dataclass(frozen=True, slots=True)
class Ending:
    """What candidates would do to a claim if they were admitted.

    `alone` would end it one by one; `first` is the paper with which it falls when they enter by the day they
    appeared (None: it outlives all of them), and `needed` how many had to enter by then.
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
    """Claims by changes; definitional claims are listed and not perturbed.

    `waiting` are the ids of claims that had not been made on the day that was asked about.
    """

    verdicts: tuple[Verdict, ...]
    perturbed: tuple[Perturbation, ...]
    cells: tuple[SensitivityCell, ...]
    endings: tuple[Ending, ...] | None
    confidence: str | None
    day: date | None
    waiting: tuple[str, ...]

    @property
    def definitional(self) -> tuple[str, ...]:
        return tuple(v.claim.id for v in self.verdicts if v.claim.definitional)

    def flips(self, claim: str) -> tuple[SensitivityCell, ...]:
        """The changes that flip a claim."""
        return tuple(cell for cell in self.cells if cell.claim == claim and cell.flips)


def perturbations(corpus: Corpus, verdicts: Iterable[Verdict]) -> Iterator[Perturbation]:
    """Every change of every family, then each paper left out that stands behind a claim."""
    for family in changes.FAMILIES.values():
        yield from family(corpus)
    supporting = {
        key
        for verdict in verdicts
        for outcome in verdict.outcomes
        if outcome.expectation.of == "papers" and outcome.expectation.kind != "survive"
        for key in outcome.selection.keys
    }
    yield from changes.left_out(sorted(supporting & {paper.key for paper in corpus.papers}))


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
    verdicts = tuple(evaluate(claim, pool) for claim in corpus.claims.claims if claim.is_due(corpus.day))
    waiting = tuple(claim.id for claim in corpus.claims.claims if not claim.is_due(corpus.day))
    asked = tuple(perturbations(corpus, verdicts))
    cells = tuple(_cell(v, pool, change) for change in asked for v in verdicts if not v.claim.definitional)
    endings = None
    if with_candidates:
        endings = tuple(ending(v.claim, pool, confidence) for v in verdicts if not v.claim.definitional)
    return Sensitivity(verdicts, asked, cells, endings, confidence, corpus.day, waiting)


def _cell(verdict: Verdict, pool: Pool, change: Perturbation) -> SensitivityCell:
    after = evaluate(verdict.claim, pool, change)
    pairs = list(zip(verdict.outcomes, after.outcomes, strict=True))
    moved = next(((a, b) for a, b in pairs if a.holds != b.holds), None)
    told = moved or next(((a, b) for a, b in pairs if not a.expectation.dated), pairs[0])
    return SensitivityCell(verdict.claim.id, change, after.holds, verdict.holds != after.holds, *told)


def ended_by(corpus: Corpus, claim: Claim, *, confidence: str | None = None) -> Ending:
    """Which candidates proposed for retention would end a claim; the corpus must have been loaded with candidates."""
    return ending(claim, Pool(corpus), confidence)


def ending(claim: Claim, pool: Pool, confidence: str | None = None) -> Ending:
    """`ended_by` in a pool of which something was asked before."""
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
    if confidence is not None and confidence not in rank:
        raise UsageError(
            f"no confidence {confidence!r}{did_you_mean(confidence, rank)}", hint=f"one of: {', '.join(rank)}"
        )
    least = rank[confidence] if confidence is not None else -1
    chosen = [c for c in corpus.candidates if c.proposal == "retain" and rank.get(c.confidence or "", -1) >= least]
    return tuple(sorted(chosen, key=lambda c: (c.first_public or "9999", c.key)))


def _all(waiting: Sequence[Candidate]) -> Perturbation:
    return Perturbation("all candidates admitted", Family.CANDIDATES, {c.key: c for c in waiting}, whole=True)


def _alone(claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> tuple[str, ...]:
    """The candidates that end a claim one by one; those that answer its queries alike are tried once."""
    asked = tuple(pool.queries(claim))
    named = (claim, *(pool.claim(name) for expectation in claim.expect for name in expectation.survive))
    singled = any(expectation.kind == "ids" and not expectation.dated for c in named for expectation in c.expect)
    fates: dict[object, bool] = {}
    found: list[str] = []
    for candidate in waiting:
        matches = tuple(query.matches(candidate) for query in asked)
        # What is asked of single keys or numbers can differ between papers that match alike.
        alike = candidate.key if candidate.measures or singled else matches
        if alike not in fates:
            change = Perturbation(candidate.key, Family.CANDIDATES, {candidate.key: candidate})
            fates[alike] = evaluate(claim, pool, change).holds
        if not fates[alike]:
            found.append(candidate.key)
    return tuple(found)


def _fewest(claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> int:
    """How many candidates, in their order, until the claim falls."""
    counts = range(1, len(waiting) + 1)
    return counts[first_failure(counts, lambda n: evaluate(claim, pool, _all(waiting[:n])).holds)]
