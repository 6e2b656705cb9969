"""Sensitivity of claims to perturbations and to the candidates that await screening."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property

from awesome_cli.analysis.claims.admission import Forecast, forecast, forecast_json, forecast_report
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate
from awesome_cli.analysis.claims.perturbations import FAMILIES, Family, Perturbation, left_out
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.claims.silence import doubts
from awesome_cli.analysis.claims.wording import expected, observed, to_json
from awesome_cli.errors import UsageError
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned, as_tables
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.numbers import counted


@dataclass(frozen=True, slots=True)
class Trial:
    """A claim under one perturbation; `flips` is True if the verdict on the claim changes, but not `by_definition`.

    It changes by definition if the claim is `definitional`, or if a paper is left out and only exact counts fail.
    `inert` is True if no answer changes its value or records; a claim with `survive` is inert if each claim named there
    is. `before` and `after` are outcomes of the expectation that flipped, else of the first that is not dated.
    """

    claim: str
    change: Perturbation
    holds: bool
    flips: bool
    by_definition: bool
    inert: bool
    before: Outcome
    after: Outcome


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of perturbations: `met` were applied to a claim, `touching` affect its answers, `flipping` flip it."""

    met: int
    touching: int
    flipping: int

    def __str__(self) -> str:
        return f"{self.flipping}/{self.touching}/{self.met}"


@dataclass(frozen=True)
class Sensitivity:
    """Claims that stand, under perturbations; `waiting` are ids of claims made after the day of the pool.

    `undecided` are ids of claims that hold as coded, but that missing codings could overturn.
    """

    verdicts: tuple[Verdict, ...]
    perturbed: tuple[Perturbation, ...]
    trials: tuple[Trial, ...]
    forecasts: tuple[Forecast, ...] | None
    confidence: str | None
    day: date | None
    waiting: tuple[str, ...]
    where: str | None = None
    undecided: frozenset[str] = frozenset()

    def word(self, claim: str, *, holds: bool) -> str:
        """Return the verdict on a claim as text: `holds`, `fails`, or `undecided` if it is undecided as coded."""
        return "undecided" if claim in self.undecided else "holds" if holds else "fails"

    @property
    def families(self) -> tuple[Family, ...]:
        """The families that have a perturbation, in the order of `Family`."""
        met = {change.family for change in self.perturbed}
        return tuple(family for family in Family if family in met)

    @cached_property
    def tallies(self) -> Mapping[tuple[str, Family], Tally]:
        """Tallies by claim id and family."""
        groups = group_pairs(((trial.claim, trial.change.family), trial) for trial in self.trials)
        return {
            key: Tally(len(trials), sum(not t.inert for t in trials), sum(t.flips for t in trials))
            for key, trials in groups.items()
        }

    def tally(self, claim: str) -> Tally:
        """Return the tally of a claim, summed over all families."""
        tallies = [tally for (name, _), tally in self.tallies.items() if name == claim]
        return Tally(*(sum(getattr(t, name) for t in tallies) for name in ("met", "touching", "flipping")))

    @cached_property
    def inert(self) -> tuple[str, ...]:
        """Names of the perturbations that affect no claim."""
        touching = {trial.change.name for trial in self.trials if not trial.inert}
        return tuple(change.name for change in self.perturbed if change.name not in touching)

    def flips(self, claim: str) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if trial.claim == claim and trial.flips)

    @property
    def read_first(self) -> tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]:
        """Return `(paper, codings, claims)` of the papers of which a single contest or second coding flips a claim.

        Papers with most claims come first, then those with most leading claims.
        """
        leading = {verdict.claim.id for verdict in self.verdicts if verdict.claim.headline}
        flips: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for trial in self.trials:
            if trial.flips and trial.change.family in SINGLE and not trial.change.whole:
                (key,) = trial.change.papers
                codings, claims = flips.setdefault(key, ({}, {}))
                name = trial.change.name.removeprefix(f"contest of {key} ")
                codings[name.replace(f"second reader on {key}", "second coding")] = claims[trial.claim] = None
        entries = ((key, tuple(codings), tuple(claims)) for key, (codings, claims) in flips.items())
        return tuple(
            sorted(entries, key=lambda entry: (-len(entry[2]), -len(leading.intersection(entry[2])), entry[0]))
        )


def perturbations(pool: Pool, verdicts: Iterable[Verdict]) -> Iterator[Perturbation]:
    """Yield the perturbations of every family, then the removal of each paper behind a claim."""
    for family in FAMILIES:
        yield from pool.changes(family).values()
    counted = (o for v in verdicts for o in v.outcomes if o.expectation.of == "papers")
    supporting = {key for outcome in counted if outcome.expectation.kind != "survive" for key in outcome.selection.keys}
    yield from left_out(sorted(supporting))


def sensitivity(
    corpus: Corpus, *, with_candidates: bool = False, confidence: str | None = None, pool: Pool | None = None
) -> Sensitivity:
    """Evaluate every claim under every perturbation; `with_candidates` adds forecasts for admitting candidates.

    `confidence` is the minimum confidence of these candidates, `pool` that of the corpus, if it was already used.
    Raises `UsageError` for an unknown level or name, and for candidates with the pool of an earlier day.
    """
    if confidence is not None and not with_candidates:
        raise UsageError("--confidence requires --with-candidates", hint="add --with-candidates")
    if with_candidates and corpus.day is not None:
        raise UsageError("--with-candidates cannot be combined with --as-of", hint="leave out one option")
    pool = pool or Pool(corpus)
    standing = [claim for claim in corpus.claims.claims if claim.stands(corpus.day)]
    verdicts = tuple(evaluate(claim, pool) for claim in standing if claim.is_due(corpus.day))
    waiting = tuple(claim.id for claim in standing if not claim.is_due(corpus.day))
    changes = tuple(perturbations(pool, verdicts))
    related = {v.claim.id: {v.claim.id, *(c.id for e in v.claim.expect for c in pool.survivors(e))} for v in verdicts}
    trials = tuple(
        trial for change in watched(changes, "perturbing claims") for trial in _trials(verdicts, related, pool, change)
    )
    forecasts = None
    if with_candidates:
        forecasts = tuple(forecast(v.claim, pool, confidence) for v in verdicts if not v.claim.definitional)
    undecided = frozenset(v.claim.id for v in verdicts if doubts(v.claim, pool))
    day, where = corpus.day, corpus.selection
    return Sensitivity(verdicts, changes, trials, forecasts, confidence, day, waiting, where, undecided)


def _trials(
    verdicts: Sequence[Verdict], related: Mapping[str, set[str]], pool: Pool, change: Perturbation
) -> Iterator[Trial]:
    """Yield each claim under a perturbation; `related` has each claim's id and the ids that its `survive` names."""
    pairs = [(before, evaluate(before.claim, pool, change)) for before in verdicts]
    touched = {
        before.claim.id
        for before, after in pairs
        if after is not before and any(map(Outcome.differs_from, after.outcomes, before.outcomes))
    }
    for before, after in pairs:
        yield _trial(before, after, change, inert=touched.isdisjoint(related[before.claim.id]))


def _trial(before: Verdict, after: Verdict, change: Perturbation, *, inert: bool) -> Trial:
    if after is before:
        same, one = (before.holds, False, False, inert), before.living
        return Trial(before.claim.id, change, *same, one, one)
    pairs = list(zip(before.outcomes, after.outcomes, strict=True))
    moved = [(a, b) for a, b in pairs if a.holds != b.holds]
    shown = next(iter(moved), (before.living, after.living))
    flips, changed = before.holds != after.holds, [a.expectation for a, _ in moved]
    counts = change.family is Family.LEFT_OUT and all((e.count or e.ids) and e.equals is not None for e in changed)
    exact = before.claim.definitional or counts
    return Trial(before.claim.id, change, after.holds, flips and not exact, flips and exact, inert, *shown)


def endangered(checked: ClaimResults) -> dict[str, Forecast]:
    """Return forecasts by id of the claims that candidates would end, or would have ended on the claim's date.

    Claims about other claims are left out: those other claims have their own forecasts.
    """
    standing = [r.claim for r in checked.results if r.stands and r.verdict.holds and not r.doubts]
    claims = [c for c in standing if not c.definitional and not any(e.survive for e in c.expect)]
    forecasts = (forecast(claim, checked.pool) for claim in claims)
    return {each.claim.id: each for each in forecasts if each.proposed.fewest or each.missed.fewest}


FIRST = 3
"""Maximum number of papers to read again first that are shown; JSON has all."""
SINGLE = (Family.CONTEST, Family.SECOND_READER)
"""The families of which single changes show which coding to read again."""
NOTE = "perturbations that flip the claim / that affect the claim's answers / all"


def to_report(result: Sensitivity) -> Report:
    """Report one row per claim and one column per family; JSON and CSV have every trial."""
    sections = [Section(None, (_summary(result), Text(_tally(result))))]
    if result.read_first:
        names = ("paper", "contested, or coded otherwise", "claims that one of these fells")
        sections.append(Section("Codings to read again first", (Table.of(names, result.read_first[:FIRST]),)))
    if result.waiting:
        text = f"Not evaluated, because made after {result.day}: {', '.join(result.waiting)}"
        sections.append(Section(None, (Text(text, "muted"),)))
    flips = [Toned(_flip(t), "warn") for t in result.trials if t.flips]
    exact = list(dict.fromkeys(t.claim for t in result.trials if t.by_definition))
    if exact:
        text = f"Leaving out one paper changes the exact counts of {counted(len(exact), 'claim')}, by definition: "
        flips.append(Toned(text + ", ".join(exact), "muted"))
    if flips:
        sections.append(Section("Flips", (Bullets(tuple(flips)),)))
    level = f" at confidence {result.confidence} or better" if result.confidence else ""
    forecast = tuple(forecast_report(result.forecasts or (), level))
    data: dict[str, object] = {
        "as_of": result.day.isoformat() if result.day else None,
        "where": result.where,
        "perturbations": len(result.perturbed),
        "inert": len(result.inert),
        "not_yet": list(result.waiting),
        "claims": [_claim_json(verdict, result) for verdict in result.verdicts],
        "cells": [_trial_json(trial, result) for trial in result.trials],
        "read_first": [dict(zip(("key", "codings", "claims"), entry, strict=True)) for entry in result.read_first],
        "candidates": None if result.forecasts is None else [forecast_json(each) for each in result.forecasts],
    }
    facts = ("claim", "family", "perturbation", "holds", "flips", "by_definition", "inert")
    columns = (*facts, "before", "after", "expected")
    rows = [
        (*_facts(trial, result).values(), *_both(trial), expected(trial.after.expectation)) for trial in result.trials
    ]
    title = "Sensitivity of claims" + (f", where {result.where}" if result.where else "")
    tables = (Table.of(columns, rows, title="cells"), *as_tables((Section("claims", (_summary(result),)), *forecast)))
    return Report("awesome/sensitivity/2", data, (*sections, *forecast), title, tables)


def _summary(result: Sensitivity) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for verdict in result.verdicts:
        claim = verdict.claim
        tallies = [result.tally(claim.id), *(result.tallies[claim.id, family] for family in result.families)]
        word = result.word(claim.id, holds=verdict.holds)
        status = word if word == "holds" else Toned(word, "bad" if word == "fails" else "warn")
        rows.append((claim.id, status, *(Toned(str(tally), _tone(tally)) for tally in tallies)))
    names = [family.value.replace("_", " ") for family in result.families]
    return Table.of(("claim", "as coded", "all", *names), rows, note=NOTE)


def _tone(tally: Tally) -> Tone:
    if not tally.touching:
        return "muted"
    return "warn" if tally.flipping else "good"


def _tally(result: Sensitivity) -> str:
    flipping = {trial.claim for trial in result.trials if trial.flips}
    affect, flip = ("affects" if len(result.inert) == 1 else "affect"), ("flips" if len(flipping) == 1 else "flip")
    counts = f"{counted(len(result.perturbed), 'perturbation')}, {len(result.inert)} of them {affect} no claim"
    return f"{counts}; {counted(len(result.verdicts), 'claim')}, {len(flipping)} {flip} under at least one"


def _flip(trial: Trial) -> str:
    before, after = _both(trial)
    side = "holds" if trial.holds else "fails"
    expectation = expected(trial.after.expectation)
    return f"{trial.claim} {side} under '{trial.change.name}': {before} becomes {after} ({expectation})"


def _both(trial: Trial) -> tuple[str, str]:
    return observed(trial.before, keys=False), observed(trial.after, keys=False)


def _claim_json(verdict: Verdict, result: Sensitivity) -> dict[str, object]:
    name = verdict.claim.id
    return {
        "claim": name,
        "holds": verdict.holds and name not in result.undecided,
        "status": result.word(name, holds=verdict.holds),
        **asdict(result.tally(name)),
        "families": {family.value: asdict(result.tallies[name, family]) for family in result.families},
    }


def _facts(trial: Trial, result: Sensitivity) -> dict[str, str | bool]:
    return {
        "claim": trial.claim,
        "family": trial.change.family.value,
        "perturbation": trial.change.name,
        "holds": trial.holds and trial.claim not in result.undecided,
        "flips": trial.flips or trial.by_definition,
        "by_definition": trial.by_definition,
        "inert": trial.inert,
    }


def _trial_json(trial: Trial, result: Sensitivity) -> dict[str, object]:
    return {
        **_facts(trial, result),
        "expected": expected(trial.after.expectation),
        "before": to_json(trial.before.value),
        "observed": to_json(trial.after.value),
    }
