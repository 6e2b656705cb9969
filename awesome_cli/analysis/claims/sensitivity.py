"""How robust claims are: each under every perturbation, and with the candidates that wait for screening."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from awesome_cli.analysis.claims.admission import Forecast, forecast
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate
from awesome_cli.analysis.claims.forecast_report import outlook
from awesome_cli.analysis.claims.perturbations import FAMILIES, Family, Perturbation, left_out
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.errors import UsageError
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Trial:
    """A claim under one perturbation; `flips` if it holds only before or only after.

    It is `inert` if every answer of the claim keeps its value and the records that it rests on; under `survive`, if it
    is inert for each claim that is named. `before` and `after` are outcomes of the expectation that flipped, else of
    the first one that is not dated.
    """

    claim: str
    change: Perturbation
    holds: bool
    flips: bool
    inert: bool
    before: Outcome
    after: Outcome


@dataclass(frozen=True, slots=True)
class Tally:
    """How many perturbations a claim met, how many of them were able to touch it, and how many flip it."""

    met: int
    touching: int
    flipping: int

    def __str__(self) -> str:
        return f"{self.flipping}/{self.touching}/{self.met}"


@dataclass(frozen=True)
class Sensitivity:
    """The claims that stand, by perturbations.

    `waiting` are the ids of claims that had not been made on the day of the pool, `where` the query that chose it.
    """

    verdicts: tuple[Verdict, ...]
    perturbed: tuple[Perturbation, ...]
    trials: tuple[Trial, ...]
    forecasts: tuple[Forecast, ...] | None
    confidence: str | None
    day: date | None
    waiting: tuple[str, ...]
    where: str | None = None

    @property
    def families(self) -> tuple[Family, ...]:
        """The families that have a perturbation, in their order."""
        met = {change.family for change in self.perturbed}
        return tuple(family for family in Family if family in met)

    @property
    def definitional(self) -> tuple[str, ...]:
        return tuple(v.claim.id for v in self.verdicts if v.claim.definitional)

    @cached_property
    def tallies(self) -> Mapping[tuple[str, Family], Tally]:
        """By claim and family."""
        sums: dict[tuple[str, Family], list[int]] = {}
        for trial in self.trials:
            entry = sums.setdefault((trial.claim, trial.change.family), [0, 0, 0])
            for i, counts in enumerate((True, not trial.inert, trial.flips)):
                entry[i] += counts
        return {key: Tally(*entry) for key, entry in sums.items()}

    def tally(self, claim: str) -> Tally:
        """Of a claim, over all families."""
        found = [tally for (name, _), tally in self.tallies.items() if name == claim]
        return Tally(*(sum(getattr(t, name) for t in found) for name in ("met", "touching", "flipping")))

    @cached_property
    def inert(self) -> tuple[str, ...]:
        """The names of the perturbations that are inert for every claim."""
        touching = {trial.change.name for trial in self.trials if not trial.inert}
        return tuple(change.name for change in self.perturbed if change.name not in touching)

    def flips(self, claim: str) -> tuple[Trial, ...]:
        """The perturbations that flip a claim."""
        return tuple(trial for trial in self.trials if trial.claim == claim and trial.flips)


def perturbations(pool: Pool, verdicts: Iterable[Verdict]) -> Iterator[Perturbation]:
    """Every perturbation of every family, then each paper behind a claim left out."""
    for family in FAMILIES:
        yield from pool.changes(family).values()
    counted = (o for v in verdicts for o in v.outcomes if o.expectation.of == "papers")
    supporting = {key for outcome in counted if outcome.expectation.kind != "survive" for key in outcome.selection.keys}
    yield from left_out(sorted(supporting))


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
    waiting = tuple(claim.id for claim in standing if not claim.is_due(corpus.day))
    asked = tuple(perturbations(pool, verdicts))
    named = {v.claim.id: {v.claim.id, *(c.id for e in v.claim.expect for c in pool.survivors(e))} for v in verdicts}
    trials = tuple(
        trial for change in watched(asked, "perturbing claims") for trial in _trials(verdicts, named, pool, change)
    )
    found = None
    if with_candidates:
        found = tuple(forecast(v.claim, pool, confidence) for v in verdicts if not v.claim.definitional)
    return Sensitivity(verdicts, asked, trials, found, confidence, corpus.day, waiting, corpus.selection)


def _trials(
    verdicts: Sequence[Verdict], named: Mapping[str, set[str]], pool: Pool, change: Perturbation
) -> Iterator[Trial]:
    """Each claim under one perturbation; `named` are the ids of each claim and of those that it is about."""
    pairs = [(before, evaluate(before.claim, pool, change)) for before in verdicts]
    touched = {
        before.claim.id
        for before, after in pairs
        if after is not before and any(map(Outcome.differs_from, after.outcomes, before.outcomes))
    }
    for before, after in pairs:
        yield _trial(before, after, change, inert=touched.isdisjoint(named[before.claim.id]))


def _trial(before: Verdict, after: Verdict, change: Perturbation, *, inert: bool) -> Trial:
    pairs = list(zip(before.outcomes, after.outcomes, strict=True))
    moved = next(((a, b) for a, b in pairs if a.holds != b.holds), None)
    shown = moved or next(((a, b) for a, b in pairs if not a.expectation.dated), pairs[0])
    return Trial(before.claim.id, change, after.holds, before.holds != after.holds, inert, *shown)


def forecasts(found: ClaimResults) -> dict[str, str]:
    """By claim id, what the candidates would do to it in a sentence; a claim that none would end has no line."""
    return {name: outlook(one) for name, one in endangered(found).items()}


def endangered(found: ClaimResults) -> dict[str, Forecast]:
    """By id, the forecast for each claim that candidates would end, or would have ended on its own day.

    A claim about other claims has none: each of these has its own.
    """
    standing = [r.claim for r in found.results if r.stands and r.verdict.holds]
    asked = [c for c in standing if not c.definitional and not any(e.survive for e in c.expect)]
    made = [forecast(claim, found.pool) for claim in asked]
    return {one.claim.id: one for one in made if one.proposed.fewest or one.missed.fewest}
