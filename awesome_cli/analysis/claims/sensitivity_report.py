"""The report on sensitivity: claims by families of perturbations, each flip, and the effect of candidates."""

from collections import Counter

from awesome_cli.analysis.claims.perturbations import Family
from awesome_cli.analysis.claims.sensitivity import Ending, Sensitivity, Trial
from awesome_cli.analysis.claims.wording import expected, listed_keys, observed, to_json
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Toned


def to_report(found: Sensitivity) -> Report:
    """One row per claim, one column per family; machines get every trial of a claim under a perturbation."""
    sections = [Section(None, (_summary(found), Text(_tally(found))))]
    if found.waiting:
        made = f"Made after {found.day}, and not asked: {', '.join(found.waiting)}"
        sections.append(Section(None, (Text(made, "muted"),)))
    flips = [Toned(_flip(trial), "warn") for trial in found.trials if trial.flips]
    if flips:
        sections.append(Section("What flips", (Bullets(tuple(flips)),)))
    if found.endings is not None:
        sections.append(_candidates(found, found.endings))
    data: dict[str, object] = {
        "as_of": found.day.isoformat() if found.day else None,
        "perturbations": len(found.perturbed),
        "definitional": list(found.definitional),
        "not_yet": list(found.waiting),
        "cells": [_trial(trial) for trial in found.trials],
        "candidates": None if found.endings is None else [_ending(ending) for ending in found.endings],
    }
    columns = ("claim", "family", "perturbation", "holds", "flips", "before", "after")
    rows = [
        (c.claim, c.change.family.value, c.change.name, str(c.holds).lower(), str(c.flips).lower(), *_both(c))
        for c in found.trials
    ]
    return Report("awesome/sensitivity/1", data, tuple(sections), "Sensitivity of claims", Table.of(columns, rows))


def _summary(found: Sensitivity) -> Table:
    asked = Counter(change.family for change in found.perturbed)
    flipping = Counter((trial.claim, trial.change.family) for trial in found.trials if trial.flips)
    families = [family for family in Family if asked[family]]
    rows: list[tuple[Cell, ...]] = []
    for verdict in found.verdicts:
        claim = verdict.claim
        flips = {family: flipping[claim.id, family] for family in families}
        cells = [
            Toned("definitional", "muted")
            if claim.definitional
            else Toned(f"{n} of {asked[family]}", "warn" if n else "good")
            for family, n in flips.items()
        ]
        rows.append((claim.id, "holds" if verdict.holds else Toned("fails", "bad"), *cells))
    names = [family.value.replace("_", " ") for family in families]
    return Table.of(("claim", "as coded", *names), rows, note="flips of changes; definitional claims are not perturbed")


def _tally(found: Sensitivity) -> str:
    flipping = {trial.claim for trial in found.trials if trial.flips}
    return (
        f"{len(found.perturbed)} perturbations, {len(found.verdicts)} claims, "
        f"{len(found.definitional)} of them definitional; {len(flipping)} flip under at least one"
    )


def _flip(trial: Trial) -> str:
    before, after = _both(trial)
    side = "holds" if trial.holds else "fails"
    asked = expected(trial.after.expectation)
    return f"{trial.claim} {side} under '{trial.change.name}': {before} becomes {after} ({asked})"


def _both(trial: Trial) -> tuple[str, str]:
    return observed(trial.before, keys=False), observed(trial.after, keys=False)


def _trial(trial: Trial) -> dict[str, object]:
    return {
        "claim": trial.claim,
        "family": trial.change.family.value,
        "perturbation": trial.change.name,
        "holds": trial.holds,
        "flips": trial.flips,
        "before": to_json(trial.before.value),
        "observed": to_json(trial.after.value),
    }


def _ending(ending: Ending) -> dict[str, object]:
    return {
        "claim": ending.claim.id,
        "holds": ending.holds,
        "falls": ending.first is not None,
        "first": ending.first,
        "needed": ending.needed,
        "alone": list(ending.alone),
        "admitted": ending.admitted,
        "observed": to_json(ending.after.value),
    }


def _candidates(found: Sensitivity, endings: tuple[Ending, ...]) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for e in endings:
        falls = Toned("falls", "bad") if e.first is not None else Toned("stays", "good") if e.holds else "fails already"
        by = f"{e.first} (number {e.needed} to appear)" if e.first else ""
        rows.append((e.claim.id, falls, by, listed_keys(e.alone), observed(e.after, keys=False)))
    n = endings[0].admitted if endings else 0
    level = f" at confidence {found.confidence} or better" if found.confidence else ""
    table = Table.of(("claim", "with them", "first by", "by one alone", "observed then"), rows)
    return Section(f"If the {n} candidates proposed for retention{level} were admitted", (table,))
