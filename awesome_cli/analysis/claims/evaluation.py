"""Evaluate claims on a pool: unchanged, under a perturbation, and under readings of the contested codings."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar, cast

from awesome_cli.analysis.claims.perturbations import UNCHANGED, Family, Perturbation, challenged
from awesome_cli.analysis.claims.pool import Pool, Selection
from awesome_cli.analysis.gaps.states import STATES, state_of
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.model.claims import Claim, CorpusQuestion, Expectation
from awesome_cli.model.codings import Contest, on_axis
from awesome_cli.survey.corpus import ContestReading, Corpus, Side
from awesome_cli.survey.readings import in_reading

T = TypeVar("T")
Value = float | str | tuple[str, ...] | None
NONE_SELECTED = Selection(frozenset())
COUNTING = frozenset({"count", "share", "state", "ids"})
"""Kinds of expectations whose answer depends only on the papers that match queries."""
LACKING = frozenset(state.value for state in STATES if state.lacks)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to an expectation: a number, keys or a state (None: not measurable); `selection` has its papers."""

    expectation: Expectation
    value: Value
    holds: bool
    selection: Selection
    cells: int | None = None
    """The number of cells that both coders coded, for an agreement; of records in the base, for a share."""
    base: str = ""
    """The papers on which an absence rests, if some are not coded yet or only listed: `Robot coded: 0 of 173`."""

    @property
    def fails(self) -> bool:
        """True if the expectation does not hold, and not only because nothing is coded yet."""
        return not self.holds and not (self.value is None and self.base)

    def differs_from(self, before: "Outcome") -> bool:
        """True if the answer or the papers behind the answer differ from `before`."""
        return self.value != before.value or not self.selection.same_as(before.selection)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answers to all expectations of a claim."""

    claim: Claim
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> bool:
        return all(outcome.holds for outcome in self.outcomes)

    @property
    def decisive(self) -> Outcome:
        """The first outcome that fails; if none fails, the first whose expectation is not dated."""
        return next((outcome for outcome in self.outcomes if not outcome.holds), None) or self.living

    @property
    def living(self) -> Outcome:
        """The first outcome whose expectation is not dated; if all are, the first."""
        return next((outcome for outcome in self.outcomes if not outcome.expectation.dated), self.outcomes[0])


def evaluate(claim: Claim, pool: Pool, change: Perturbation = UNCHANGED) -> Verdict:
    """Return the verdict on a claim under a perturbation; raises `SurveyError` if the claim uses an unknown name."""
    touched = None if change is UNCHANGED else pool.touched(claim, change)
    if touched is not None and not any(touched):
        return evaluate(claim, pool)
    # A claim about other claims reuses their verdicts; only those of the last perturbation are cached.
    known = pool.of_last("verdicts", change)
    if (verdict := known.get(claim.id)) is None or verdict.claim is not claim:
        try:
            verdict = known[claim.id] = _judged(claim, pool, change, touched)
        except UsageError as error:
            message = f"claim {claim.id!r} cannot be checked: {error.message}"
            raise SurveyError(message, hint="see 'awesome validate'") from None
    return cast("Verdict", verdict)


def _judged(claim: Claim, pool: Pool, change: Perturbation, touched: Sequence[bool] | None) -> Verdict:
    if touched is None:
        return Verdict(claim, tuple(outcome(claim, e, pool, change) for e in claim.expect))
    pairs = zip(evaluate(claim, pool).outcomes, touched, strict=True)
    after = (outcome(claim, old.expectation, pool, change) if moves else old for old, moves in pairs)
    return Verdict(claim, tuple(after))


def first_failure(items: Sequence[T], holds: Callable[[T], bool]) -> int:
    """Return the index of the first item for which `holds` is False, by bisection; it must be False for the last item.

    If it changes more than once, the result is one of the changes to False.
    """
    return bisect_left(items[:-1], 1, key=lambda item: not holds(item))


def outcome(claim: Claim, expectation: Expectation, pool: Pool, change: Perturbation) -> Outcome:
    """Answer an expectation under a perturbation; a dated expectation uses the pool on the date of the claim."""
    then = pool.as_of(claim.as_of) if expectation.dated else pool
    applied = change if then is pool else then.counterpart(change)
    if applied is UNCHANGED:  # most perturbations of today do not exist in the pool of an earlier day
        return then.cached(("outcome", expectation), lambda: observe(expectation, then, applied))
    return observe(expectation, then, applied)


def observe(expectation: Expectation, pool: Pool, change: Perturbation) -> Outcome:
    """Answer an expectation in a pool."""
    value, selection = answer(expectation, pool, change)
    cells = None
    if expectation.kind == "agreement":
        cells = pool.agreement(expectation).n
    elif expectation.kind == "share":
        cells = len(pool.select(expectation.of, expectation.among, change))
    holds = meets(expectation, value, selection) and expectation.cells in {None, cells}
    absent = not value or value in LACKING
    base = pool.base(expectation) if absent and expectation.kind in COUNTING else ""
    return Outcome(expectation, value, holds, selection, cells, base)


def answer(question: CorpusQuestion, pool: Pool, change: Perturbation = UNCHANGED) -> "Answer":
    """Answer a question in a pool: a number, keys or a state (None: not measurable), and the papers behind it."""
    value, selection = ANSWERS[question.kind](question, pool, change)
    if isinstance(value, float | int):
        value = _compared(question, value, pool, change)
    return value, selection


def _compared(expectation: CorpusQuestion, value: float, pool: Pool, change: Perturbation) -> float | None:
    base = expectation.over or expectation.minus
    if base is None:
        return value
    if expectation.kind == "count":
        second: Value = float(len(pool.select(expectation.of, base, change)))
    else:
        regrouped = expectation.model_copy(update={"group": base})
        second = ANSWERS[expectation.kind](regrouped, pool, change)[0]
    return combined(expectation, value, second) if isinstance(second, float | int) else None


def combined(expectation: CorpusQuestion, value: float, second: float) -> float | None:
    """Return the difference of two values, or their ratio (None for a ratio to zero), as the expectation says."""
    if expectation.minus is not None:
        return value - second
    return value / second if second else None


Answer = tuple[Value, Selection]


def _count(expectation: CorpusQuestion, pool: Pool, change: Perturbation) -> Answer:
    records = pool.select(expectation.of, expectation.topic, change)
    return float(len(records)), records


def _share(expectation: CorpusQuestion, pool: Pool, change: Perturbation) -> Answer:
    query, base = expectation.topic, expectation.among
    among = pool.select(expectation.of, base, change)
    part = pool.select(expectation.of, query if base == "*" else f"({query}) AND ({base})", change)
    return (len(part) / len(among) if len(among) else None), part


def _state(expectation: Any, pool: Pool, change: Perturbation) -> Answer:
    papers = pool.select("papers", pool.covering(expectation.topic), change)
    return state_of(pool.sparse_limit(change), len(papers)).value, papers


def _ids(expectation: Any, pool: Pool, change: Perturbation) -> Answer:
    records = pool.select(expectation.of, expectation.topic, change)
    return records.keys, records


def _largest(expectation: CorpusQuestion, pool: Pool, change: Perturbation) -> Answer:
    first = next(iter(pool.values(expectation, change)), None)
    return (None, NONE_SELECTED) if first is None else (first[0], Selection(frozenset({first[1]})))


def _median(expectation: CorpusQuestion, pool: Pool, change: Perturbation) -> Answer:
    import statistics

    values = list(pool.values(expectation, change))
    keys = Selection(frozenset(key for _, key in values))
    return (statistics.median(value for value, _ in values) if values else None), keys


def _agreement(expectation: CorpusQuestion, pool: Pool, change: Perturbation) -> Answer:  # noqa: ARG001 - shared signature
    column = pool.agreement(expectation)
    return float(column.agree), Selection(frozenset(key for key, _, _ in column.disagreements))


def _survive(expectation: Any, pool: Pool, change: Perturbation) -> Answer:
    flipped = set()
    for claim in pool.survivors(expectation):
        if any(inner.kind == "survive" for inner in claim.expect):
            raise UsageError(f"'survive' cannot name claim {claim.id!r}, because that claim also uses 'survive'")
        if evaluate(claim, pool, change).holds and not all(
            evaluate(claim, perturbed, change).holds for perturbed in pool.under(expectation.under or "")
        ):
            flipped.add(claim.id)
    return float(len(flipped)), Selection(frozenset(flipped))


ANSWERS: Mapping[str, Callable[[Any, Pool, Perturbation], Answer]] = {
    "count": _count,
    "share": _share,
    "state": _state,
    "ids": _ids,
    "largest": _largest,
    "median": _median,
    "agreement": _agreement,
    "survive": _survive,
}


def meets(expectation: Expectation, value: Value, selection: Selection = NONE_SELECTED) -> bool:
    """Return True if an answer is within the bounds of an expectation; `selection` has the papers behind keys."""
    if value is None:
        return False
    if isinstance(value, str):
        return value in expectation.allowed
    bounds = expectation.bounds or (("at_most", 0.0),)
    if isinstance(value, tuple):
        return all(_meets_ids(name, cast("tuple[str, ...]", bound), selection) for name, bound in bounds)
    return all(_meets_number(name, cast("float", bound), value) for name, bound in bounds)


def _meets_number(name: str, bound: float, value: float) -> bool:
    close = math.isclose(value, bound, rel_tol=1e-9, abs_tol=1e-12)
    return close or (name == "at_least" and value > bound) or (name == "at_most" and value < bound)


def _meets_ids(name: str, bound: tuple[str, ...], selection: Selection) -> bool:
    wanted = frozenset(bound)
    inside = sum(key in selection for key in wanted)
    return (name == "at_most" or inside == len(wanted)) and (name == "at_least" or inside == len(selection))


@dataclass(frozen=True, slots=True)
class Contested:
    """A contested coding of a paper: grade and reason of the contest, and the reading (`side`) that applies it."""

    key: str
    tag: str
    grade: str
    side: Side
    because: str

    def to_json(self) -> dict[str, str]:
        return {**asdict(self), "side": self.side.value}


def weakest(corpus: Corpus) -> tuple[ContestReading, ...]:
    """Return both readings that apply contests of every grade; empty if the taxonomy has no grades."""
    return tuple(ContestReading(side, grade.id) for grade in corpus.taxonomy.grades[:1] for side in Side)


def every_reading(corpus: Corpus) -> tuple[ContestReading, ...]:
    """Return both readings for each minimum grade, weakest first; empty if the taxonomy has no grades."""
    return tuple(ContestReading(side, grade.id) for side in Side for grade in corpus.taxonomy.grades)


def by_reading(claims: Sequence[Claim], pool: Pool) -> Mapping[ContestReading, tuple[Verdict, ...]]:
    return {
        reading: tuple(evaluate(claim, pool, under(reading, pool)) for claim in claims)
        for reading in every_reading(pool.corpus)
    }


def under(reading: ContestReading, pool: Pool) -> Perturbation:
    """Return the perturbation that applies a reading to a pool."""
    return pool.changes(Family(reading.side.value))[str(reading)]


def failing(
    verdict: Verdict, pool: Pool, readings: Sequence[ContestReading], *, because: bool = True
) -> Iterator[tuple[ContestReading, tuple[Contested, ...]]]:
    """Yield the readings in which a claim that holds as coded fails, each `because` of some contests, if asked for."""
    if verdict.claim.definitional or not verdict.holds:
        return
    for reading in readings:
        read = evaluate(verdict.claim, pool, under(reading, pool))
        if not read.holds:
            fails = [before for before, after in zip(verdict.outcomes, read.outcomes, strict=True) if not after.holds]
            yield reading, tuple(_behind(verdict.claim, fails, pool, reading) if because else ())


def _behind(claim: Claim, fails: Sequence[Outcome], pool: Pool, reading: ContestReading) -> Iterator[Contested]:
    """Yield the contests that alone change the answer to a failing expectation."""
    singles = pool.cached(("single contests", reading), lambda: tuple(_singles(pool.corpus, reading)))
    for contest, coding, change in singles:
        if not any(pool.touched(claim, change)):
            continue
        if any(outcome(claim, coded.expectation, pool, change).differs_from(coded) for coded in fails):
            yield Contested(next(iter(change.papers)), coding, contest.grade, reading.side, contest.because)


def _singles(corpus: Corpus, reading: ContestReading) -> Iterator[tuple[Contest, str, Perturbation]]:
    """Yield each contest that a reading applies, with the contested coding and its own perturbation."""
    axes, applies = corpus.taxonomy.by_id, in_reading(corpus.taxonomy, reading)
    for paper in corpus.papers:
        for axis in paper.tags.keys() & axes.keys():
            for tag in paper.tags[axis]:
                if tag.contested is not None and applies(axes[axis], tag):
                    yield tag.contested, on_axis(axis, tag), challenged(corpus, paper, axis, tag)
