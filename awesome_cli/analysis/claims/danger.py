"""Dangers to claims that hold: candidates that alone would end or weaken a claim by their present coding."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from awesome_cli.analysis.claims.admission import Ending, admitted, ending, proposed
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate
from awesome_cli.analysis.claims.perturbations import UNCHANGED, Perturbation, left_out
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.silence import doubts
from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.model.claims import Claim, Expectation
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import Candidate
from awesome_cli.reports.progress import watched
from awesome_cli.text.numbers import short

ENDS = "the claim holds today and fails if this candidate alone is admitted"
WEAKENS = "the claim still holds, but an answer comes nearer to its bound and loses part of its margin"
MEASURED = frozenset({"count", "share", "state", "largest", "median", "survive"})
"""Kinds of expectations that have a margin."""


@dataclass(frozen=True, slots=True)
class Provisional:
    """A candidate's coding or measure as on the command line (`axis=term`), with confidence and contest grade."""

    coding: str
    confidence: str | None
    contested: str | None

    def __str__(self) -> str:
        sure = f"confidence {self.confidence or 'not stated'}"
        return f"{self.coding} ({sure}{f', contested: {self.contested}' if self.contested else ''})"


@dataclass(frozen=True, slots=True)
class Danger:
    """A candidate that would end or weaken a claim if admitted alone (see `ENDS`, `WEAKENS`).

    `before` and `after` are outcomes of the expectation that fails; if none fails, of the expectation that loses most
    margin. `margins` are `(without, with)` the candidate (see `margin`), None if undefined. `loss` is the lost part of
    the margin, from 0 to 1 (1 if the claim ends). `codings` are the candidate's codings that the expectation queries.
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
    """Return verdicts on the claims that candidates can end: those that hold, and are not undecided or definitional."""
    day = pool.corpus.day
    due = (c for c in pool.corpus.claims.claims if c.is_due(day) and c.stands(day) and not c.definitional)
    return tuple(v for v in (evaluate(claim, pool) for claim in due) if v.holds and not doubts(v.claim, pool))


def dangers(pool: Pool, verdicts: Sequence[Verdict], candidates: Iterable[Candidate]) -> tuple[Danger, ...]:
    """Return dangers grouped by candidate: candidates that end most claims first, then by total loss, largest first."""
    each = [_of_candidate(pool, verdicts, candidate) for candidate in watched(list(candidates), "admitting candidates")]
    return tuple(danger for effects in sorted(filter(None, each), key=_rank) for danger in effects)


def together(pool: Pool, verdicts: Sequence[Verdict]) -> tuple[tuple[Claim, Ending], ...]:
    """Return the claims that two or more of the candidates proposed for retention, but none alone, would end."""
    waiting = proposed(pool.corpus)
    claims = [v.claim for v in verdicts if waiting and not any(e.survive for e in v.claim.expect)]
    endings = ((claim, ending(claim, pool, waiting)) for claim in watched(claims, "admitting candidates together"))
    return tuple((claim, effect) for claim, effect in endings if len(effect.fewest) > 1)


def reliances(pool: Pool, verdicts: Sequence[Verdict], key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the claims that fail without a paper, and of the others that count it."""
    (change,) = left_out([key])
    fail = tuple(v.claim.id for v in verdicts if not evaluate(v.claim, pool, change).holds)
    counting = (v.claim.id for v in verdicts if any(key in outcome.selection.keys for outcome in v.outcomes))
    return fail, tuple(id_ for id_ in counting if id_ not in fail)


def _of_candidate(pool: Pool, verdicts: Sequence[Verdict], candidate: Candidate) -> list[Danger]:
    change = admitted((candidate,))
    each = (_danger(verdict, pool, candidate, change) for verdict in verdicts)
    return sorted(filter(None, each), key=lambda danger: (danger.effect, -danger.loss, danger.claim.id))


def _rank(effects: Sequence[Danger]) -> tuple[int, float, str]:
    ends = sum(danger.effect == "ends" for danger in effects)
    return -ends, -sum(danger.loss for danger in effects), effects[0].candidate.key


def _danger(verdict: Verdict, pool: Pool, candidate: Candidate, change: Perturbation) -> Danger | None:
    after = evaluate(verdict.claim, pool, change)
    pairs = zip(verdict.outcomes, after.outcomes, strict=True)
    moved = [_moved(pool, before, then, change) for before, then in pairs if then.differs_from(before)]
    worst = min(moved, key=lambda effect: (effect[1].holds, -effect[3]), default=None)
    if worst is None or not worst[3]:
        return None
    before, then, margins, loss = worst
    codings = tuple(dict.fromkeys(_codings(verdict.claim, before.expectation, pool, candidate)))
    effect: Literal["ends", "weakens"] = "weakens" if then.holds else "ends"
    return Danger(candidate, verdict.claim, effect, before, then, margins, loss, codings)


def _moved(
    pool: Pool, before: Outcome, after: Outcome, change: Perturbation
) -> tuple[Outcome, Outcome, tuple[float | None, float | None], float]:
    """Return an expectation's outcomes and margins without and with a candidate, and the part of the margin lost."""
    had, has = margin(pool, before, UNCHANGED), margin(pool, after, change)
    loss = 0.0
    if not after.holds:
        loss = 1.0
    elif had is not None and has is not None and has < had < math.inf and not math.isclose(had, has, abs_tol=1e-12):
        loss = (had - has) / had
    return before, after, (had, has), loss


def margin(pool: Pool, outcome: Outcome, change: Perturbation) -> float | None:
    """Return the distance of an answer from its nearest bound, in the unit of the answer; negative beyond the bound.

    For a state: the number of papers by which the count may change with the state still allowed. None for an answer
    without a number, such as keys.
    """
    expectation = outcome.expectation
    if expectation.kind not in MEASURED or outcome.value is None:
        return None
    if expectation.kind == "state":
        papers = _papers(expectation, str(outcome.value), pool.sparse_limit(change))
        return _nearest(len(outcome.selection), *papers)
    if not isinstance(outcome.value, float | int):
        return None
    bounds = {name: bound for name, bound in expectation.bounds if not isinstance(bound, tuple)} or {"at_most": 0.0}
    same = bounds.get("equals")
    if same is not None:
        return -abs(outcome.value - same)
    return _nearest(outcome.value, bounds.get("at_least", -math.inf), bounds.get("at_most", math.inf))


def _nearest(value: float, least: float, most: float) -> float:
    return min(value - least, most - value)


def _papers(expectation: Expectation, state: str, limit: int) -> tuple[float, float]:
    """Return the lowest and highest number of papers in a state and its adjacent allowed states."""
    counted = [(s.value, s.times) for s in STATES if s.times is not None]
    first = last = [value for value, _ in counted].index(state)
    while first > 0 and counted[first - 1][0] in expectation.allowed:
        first -= 1
    while last + 1 < len(counted) and counted[last + 1][0] in expectation.allowed:
        last += 1
    greatest = [times if times in {0, math.inf} else math.floor(times * limit) for _, times in counted]
    return greatest[first - 1] + 1 if first else -math.inf, greatest[last]


def _codings(claim: Claim, expectation: Expectation, pool: Pool, candidate: Candidate) -> Iterator[Provisional]:
    """Yield a candidate's codings, or its measure, that an expectation queries."""
    if expectation.of_measure and (number := candidate.measures.get(expectation.topic)):
        yield Provisional(f"{expectation.topic}={short(number.value or 0)}", number.confidence, None)
    for query in pool.queries(claim.model_copy(update={"expect": (expectation,)})):
        for axis, term in sorted(query.terms):
            family = pool.corpus.taxonomy.axis(axis).family.get(term, {term})
            for tag in candidate.tags.get(axis, ()):
                if tag.term in family:
                    contested = tag.contested.grade if tag.contested else None
                    yield Provisional(on_axis(axis, tag), tag.confidence, contested)
