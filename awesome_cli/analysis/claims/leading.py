"""The claims that introduce a survey, each with its figure as coded and in the two readings of the contests."""

from collections.abc import Iterator
from dataclasses import dataclass

from awesome_cli.analysis.claims.contests import under
from awesome_cli.analysis.claims.evaluation import Outcome, evaluate
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus
from awesome_cli.survey.corpus import ContestReading, Side
from awesome_cli.survey.readings import reading_of

FEW = 3
"""So many claims introduce a survey at most."""


@dataclass(frozen=True, slots=True)
class LeadAnswer:
    """What a claim's decisive expectation finds, and whether the claim holds; `reading` is None for "as coded"."""

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
    """What stands in place of a revised claim comes first, then what is contested, then as in the file."""
    return not one.claim.succeeds, one.status is not ClaimStatus.CONTESTED


def _answers(one: ClaimResult, found: ClaimResults) -> Iterator[LeadAnswer]:
    decisive = one.verdict.outcomes.index(one.verdict.decisive)
    yield LeadAnswer(None, one.verdict.outcomes[decisive], one.verdict.holds)
    for side in Side if found.pool.corpus.taxonomy.grades else ():
        reading = reading_of(found.pool.corpus.taxonomy, side)
        if reading is not None:
            read = evaluate(one.claim, found.pool, under(reading, found.pool))
            yield LeadAnswer(reading, read.outcomes[decisive], read.holds)
