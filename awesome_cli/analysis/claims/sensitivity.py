"""How robust claims are: each under every perturbation, and with the candidates that wait for screening."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property

from awesome_cli.analysis.claims.admission import Forecast, forecast, forecast_json, forecast_report
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate
from awesome_cli.analysis.claims.perturbations import FAMILIES, Family, Perturbation, left_out
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.claims.wording import expected, observed, to_json
from awesome_cli.errors import UsageError
from awesome_cli.model.claims import Claim
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted


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
    """The claims that stand under perturbations; `waiting` had not been made on the day of the pool."""

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


def endangered(found: ClaimResults) -> dict[str, Forecast]:
    """By id, the forecast for each claim that candidates would end, or would have ended on its own day.

    A claim about other claims has none: each of these has its own.
    """
    standing = [r.claim for r in found.results if r.stands and r.verdict.holds]
    asked = [c for c in standing if not c.definitional and not any(e.survive for e in c.expect)]
    made = (forecast(claim, found.pool) for claim in asked)
    return {one.claim.id: one for one in made if one.proposed.fewest or one.missed.fewest}


NOTE = "readings that flip the claim / that can touch it / that it met"


def to_report(found: Sensitivity) -> Report:
    """One row per claim, one column per family; machines get every trial of a claim under a perturbation."""
    sections = [Section(None, (_summary(found), Text(_tally(found))))]
    if found.waiting:
        made = f"Made after {found.day}, and not asked: {', '.join(found.waiting)}"
        sections.append(Section(None, (Text(made, "muted"),)))
    flips = [Toned(_flip(t), "warn") for t in found.trials if t.flips and t.claim not in found.definitional]
    if flips:
        sections.append(Section("What flips", (Bullets(tuple(flips)),)))
    level = f" at confidence {found.confidence} or better" if found.confidence else ""
    forecast = tuple(forecast_report(found.forecasts or (), level))
    data: dict[str, object] = {
        "as_of": found.day.isoformat() if found.day else None,
        "where": found.where,
        "perturbations": len(found.perturbed),
        "inert": len(found.inert),
        "definitional": list(found.definitional),
        "not_yet": list(found.waiting),
        "claims": [_claim_json(verdict, found) for verdict in found.verdicts],
        "cells": [_trial_json(trial) for trial in found.trials],
        "candidates": None if found.forecasts is None else [forecast_json(one) for one in found.forecasts],
    }
    columns = ("claim", "family", "perturbation", "holds", "flips", "inert", "before", "after", "expected")
    rows = [(*_facts(trial).values(), *_both(trial), expected(trial.after.expectation)) for trial in found.trials]
    title = "Sensitivity of claims" + (f", where {found.where}" if found.where else "")
    tables = (Table.of(columns, rows, title="cells"), *as_tables((Section("claims", (_summary(found),)), *forecast)))
    return Report("awesome/sensitivity/2", data, (*sections, *forecast), title, tables)


def _summary(found: Sensitivity) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for verdict in found.verdicts:
        claim = verdict.claim
        tallies = [found.tally(claim.id), *(found.tallies[claim.id, family] for family in found.families)]
        status = "holds" if verdict.holds else Toned("fails", "bad")
        rows.append((claim.id, status, *(Toned(str(tally), _tone(tally, claim)) for tally in tallies)))
    names = [family.value.replace("_", " ") for family in found.families]
    return Table.of(("claim", "as coded", "all", *names), rows, note=NOTE)


def _tone(tally: Tally, claim: Claim) -> Tone:
    if claim.definitional or not tally.touching:
        return "muted"
    return "warn" if tally.flipping else "good"


def _tally(found: Sensitivity) -> str:
    flipping = {trial.claim for trial in found.trials if trial.flips} - set(found.definitional)
    touch, flip = ("touches" if len(found.inert) == 1 else "touch"), ("flips" if len(flipping) == 1 else "flip")
    counts = f"{counted(len(found.perturbed), 'perturbation')}, {len(found.inert)} of them {touch} no claim"
    counts += f"; {counted(len(found.verdicts), 'claim')}, {len(flipping)} {flip} under at least one"
    if not found.definitional:
        return counts
    return f"{counts}; only counts of the records, which change by definition: {', '.join(found.definitional)}"


def _flip(trial: Trial) -> str:
    before, after = _both(trial)
    side = "holds" if trial.holds else "fails"
    asked = expected(trial.after.expectation)
    return f"{trial.claim} {side} under '{trial.change.name}': {before} becomes {after} ({asked})"


def _both(trial: Trial) -> tuple[str, str]:
    return observed(trial.before, keys=False), observed(trial.after, keys=False)


def _claim_json(verdict: Verdict, found: Sensitivity) -> dict[str, object]:
    name = verdict.claim.id
    return {
        "claim": name,
        "holds": verdict.holds,
        "status": "holds" if verdict.holds else "fails",
        **asdict(found.tally(name)),
        "families": {family.value: asdict(found.tallies[name, family]) for family in found.families},
    }


def _facts(trial: Trial) -> dict[str, str | bool]:
    return {
        "claim": trial.claim,
        "family": trial.change.family.value,
        "perturbation": trial.change.name,
        "holds": trial.holds,
        "flips": trial.flips,
        "inert": trial.inert,
    }


def _trial_json(trial: Trial) -> dict[str, object]:
    return {
        **_facts(trial),
        "expected": expected(trial.after.expectation),
        "before": to_json(trial.before.value),
        "observed": to_json(trial.after.value),
    }
