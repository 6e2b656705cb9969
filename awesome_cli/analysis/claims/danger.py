"""What each candidate alone, as it is coded so far, would do to each claim that holds: end it, or weaken it."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from awesome_cli.analysis.claims.admission import admitted
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate
from awesome_cli.analysis.claims.perturbations import UNCHANGED, Perturbation
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.model.claims import Claim, Expectation
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import Candidate
from awesome_cli.reports.progress import watched
from awesome_cli.text.numbers import short

ENDS = "the claim holds today and fails if this candidate alone is admitted"
WEAKENS = "the claim still holds, and an answer is nearer to a bound that it must keep, by that part of its margin"
MEASURED = frozenset({"count", "share", "state", "largest", "median", "survive"})
"""Kinds of expectations that have a margin."""
ABOUT_MEASURES = frozenset({"largest", "median"})


@dataclass(frozen=True, slots=True)
class Provisional:
    """A coding or a number of a candidate, as it is written on the command line, with how sure it is."""

    coding: str
    confidence: str | None
    contested: str | None

    def __str__(self) -> str:
        sure = f"confidence {self.confidence or 'not stated'}"
        return f"{self.coding} ({sure}{f', contested: {self.contested}' if self.contested else ''})"


@dataclass(frozen=True, slots=True)
class Danger:
    """A candidate that, admitted alone, would end or weaken a claim (see `ENDS`, `WEAKENS`), by one expectation of it.

    `margins` are those without and with the candidate (see `margin`), None where there is none; `loss` is the part of
    the margin that goes, from 0 to 1, and 1 if the claim ends. Of several expectations the one that fails stands here,
    else the one that loses most. `codings` are those of the candidate that the expectation asks for.
    """

    candidate: Candidate
    claim: Claim
    effect: Literal["ends", "weakens"]
    before: Outcome
    after: Outcome
    margins: tuple[float | None, float | None]
    loss: float
    codings: tuple[Provisional, ...]


def judged(pool: Pool) -> tuple[Verdict, ...]:
    """The verdicts on the claims that a candidate can end: those that hold today, and not by definition."""
    day = pool.corpus.day
    due = (c for c in pool.corpus.claims.claims if c.is_due(day) and c.stands(day) and not c.definitional)
    return tuple(verdict for verdict in (evaluate(claim, pool) for claim in due) if verdict.holds)


def dangers(pool: Pool, verdicts: Sequence[Verdict], candidates: Iterable[Candidate]) -> tuple[Danger, ...]:
    """By candidate, the most dangerous first: the most claims ended, then the most of their margins lost."""
    each = [_of_candidate(pool, verdicts, one) for one in watched(list(candidates), "admitting candidates")]
    ranked = sorted((found for found in each if found), key=_rank)
    return tuple(one for found in ranked for one in found)


def _of_candidate(pool: Pool, verdicts: Sequence[Verdict], candidate: Candidate) -> list[Danger]:
    change = admitted((candidate,))
    each = (_danger(verdict, pool, candidate, change) for verdict in verdicts)
    return sorted((one for one in each if one), key=lambda one: (one.effect, -one.loss, one.claim.id))


def _rank(found: Sequence[Danger]) -> tuple[int, float, str]:
    ends = sum(one.effect == "ends" for one in found)
    return -ends, -sum(one.loss for one in found), found[0].candidate.key


def _danger(verdict: Verdict, pool: Pool, candidate: Candidate, change: Perturbation) -> Danger | None:
    """Return a candidate's effect on a claim that holds; None if neither the answer nor a margin suffers."""
    after = evaluate(verdict.claim, pool, change)
    pairs = zip(verdict.outcomes, after.outcomes, strict=True)
    moved = [_moved(pool, before, then, change) for before, then in pairs if then.differs_from(before)]
    worst = min(moved, key=lambda one: (one[1].holds, -one[3]), default=None)
    if worst is None or not worst[3]:
        return None
    before, then, margins, loss = worst
    codings = tuple(dict.fromkeys(_codings(verdict.claim, before.expectation, pool, candidate)))
    effect: Literal["ends", "weakens"] = "weakens" if then.holds else "ends"
    return Danger(candidate, verdict.claim, effect, before, then, margins, loss, codings)


def _moved(
    pool: Pool, before: Outcome, after: Outcome, change: Perturbation
) -> tuple[Outcome, Outcome, tuple[float | None, float | None], float]:
    """An expectation without and with a candidate: its outcomes, its margins, and the part of the margin that goes."""
    had, has = margin(pool, before, UNCHANGED), margin(pool, after, change)
    loss = 0.0
    if not after.holds:
        loss = 1.0
    elif had is not None and has is not None and has < had < math.inf and not math.isclose(had, has, abs_tol=1e-12):
        loss = (had - has) / had
    return before, after, (had, has), loss


def margin(pool: Pool, outcome: Outcome, change: Perturbation) -> float | None:
    """How far an answer is from the nearest bound that it must keep, in the unit of the answer; 0 where it is equal.

    For a state, in papers: with so many more, or fewer, it is still one of the states that are allowed. Negative for
    an answer across its bound; None for an answer without a number, such as keys.
    """
    e = outcome.expectation
    if e.kind not in MEASURED or outcome.value is None:
        return None
    if e.kind == "state":
        axis, _ = pool.covering(e.asked)
        limit = axis.sparse.limit(len(pool.select("papers", axis.sparse.of, change)))
        return _nearest(len(outcome.selection), *_papers(e, str(outcome.value), limit))
    if not isinstance(outcome.value, float | int):
        return None
    bounds = {name: bound for name, bound in e.bounds if not isinstance(bound, tuple)} or {"at_most": 0.0}
    same = bounds.get("equals")
    if same is not None:
        return -abs(outcome.value - same)
    return _nearest(outcome.value, bounds.get("at_least", -math.inf), bounds.get("at_most", math.inf))


def _nearest(value: float, least: float, most: float) -> float:
    return min(value - least, most - value)


def _papers(expectation: Expectation, state: str, limit: int) -> tuple[float, float]:
    """The least and the greatest number of papers in a state, and in those beside it as long as they are allowed."""
    counted = [(one.value, one.times) for one in STATES if one.times is not None]
    first = last = [value for value, _ in counted].index(state)
    while first > 0 and counted[first - 1][0] in expectation.allowed:
        first -= 1
    while last + 1 < len(counted) and counted[last + 1][0] in expectation.allowed:
        last += 1
    greatest = [times if times in {0, math.inf} else math.floor(times * limit) for _, times in counted]
    return greatest[first - 1] + 1 if first else -math.inf, greatest[last]


def _codings(claim: Claim, expectation: Expectation, pool: Pool, candidate: Candidate) -> Iterator[Provisional]:
    """Yield a candidate's codings, or its number, that an expectation asks for."""
    if expectation.kind in ABOUT_MEASURES and (number := candidate.measures.get(expectation.asked)):
        yield Provisional(f"{expectation.asked}={short(number.value or 0)}", number.confidence, None)
    for query in pool.queries(claim.model_copy(update={"expect": (expectation,)})):
        for axis, term in sorted(query.terms):
            family = pool.corpus.taxonomy.axis(axis).family.get(term, {term})
            for tag in candidate.tags.get(axis, ()):
                if tag.term in family:
                    contested = tag.contested.grade if tag.contested else None
                    yield Provisional(on_axis(axis, tag), tag.confidence, contested)
