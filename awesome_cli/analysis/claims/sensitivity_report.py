"""The report on sensitivity: claims by families of perturbations, each flip, and the effect of candidates."""

from dataclasses import asdict

from awesome_cli.analysis.claims import forecast_report
from awesome_cli.analysis.claims.evaluation import Verdict
from awesome_cli.analysis.claims.sensitivity import Sensitivity, Tally, Trial
from awesome_cli.analysis.claims.wording import expected, observed, to_json
from awesome_cli.model.claims import Claim
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned, as_tables
from awesome_cli.text.numbers import counted

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
    forecast: tuple[Section, ...] = ()
    if found.forecasts is not None:
        level = f" at confidence {found.confidence} or better" if found.confidence else ""
        forecast = tuple(forecast_report.sections(found.forecasts, level))
    forecasts = None if found.forecasts is None else [forecast_report.forecast_json(one) for one in found.forecasts]
    data: dict[str, object] = {
        "as_of": found.day.isoformat() if found.day else None,
        "where": found.where,
        "perturbations": len(found.perturbed),
        "inert": len(found.inert),
        "definitional": list(found.definitional),
        "not_yet": list(found.waiting),
        "claims": [_claim(verdict, found) for verdict in found.verdicts],
        "cells": [_trial(trial) for trial in found.trials],
        "candidates": forecasts,
    }
    columns = ("claim", "family", "perturbation", "holds", "flips", "inert", "before", "after", "expected")
    rows = [
        (
            t.claim,
            t.change.family.value,
            t.change.name,
            t.holds,
            t.flips,
            t.inert,
            *_both(t),
            expected(t.after.expectation),
        )
        for t in found.trials
    ]
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


def _claim(verdict: Verdict, found: Sensitivity) -> dict[str, object]:
    name = verdict.claim.id
    return {
        "claim": name,
        "holds": verdict.holds,
        "status": "holds" if verdict.holds else "fails",
        **asdict(found.tally(name)),
        "families": {family.value: asdict(found.tallies[name, family]) for family in found.families},
    }


def _trial(trial: Trial) -> dict[str, object]:
    return {
        "claim": trial.claim,
        "family": trial.change.family.value,
        "perturbation": trial.change.name,
        "holds": trial.holds,
        "flips": trial.flips,
        "inert": trial.inert,
        "expected": expected(trial.after.expectation),
        "before": to_json(trial.before.value),
        "observed": to_json(trial.after.value),
    }
