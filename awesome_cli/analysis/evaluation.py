"""One evaluator for claims: over a pool as it is, and over a pool as a change would make it.

What a query selects is found once per pool; a change then costs only the records that it touches, so that
thousands of changes of a large pool stay linear.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar, cast

from awesome_cli.analysis import agreement, measures
from awesome_cli.analysis.changes import FAMILIES, Change, Family, challenged
from awesome_cli.claims import Claim, Expectation
from awesome_cli.corpus import Corpus
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.query import Query
from awesome_cli.taxonomy import did_you_mean

if TYPE_CHECKING:
    from awesome_cli.records import Paper

T = TypeVar("T")
Value = float | tuple[str, ...] | None
AS_IT_IS = Change("as it is", Family.LEFT_OUT, {})


@dataclass(frozen=True, slots=True)
class Selection:
    """Keys of records: those of a pool without what a change takes, and with what it brings."""

    base: frozenset[str]
    gone: frozenset[str] = frozenset()
    come: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.base) - len(self.gone) + len(self.come)

    def __contains__(self, key: str) -> bool:
        return key in self.come or (key in self.base and key not in self.gone)

    @property
    def keys(self) -> tuple[str, ...]:
        """All of them, sorted."""
        return tuple(sorted((self.base - self.gone) | self.come))


NOBODY = Selection(frozenset())


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one expectation found: `value` is None where there is nothing to measure or to divide by.

    `selection` holds the papers behind the value.
    """

    expectation: Expectation
    value: Value
    holds: bool
    selection: Selection


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all expectations of a claim found."""

    claim: Claim
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> bool:
        return all(outcome.holds for outcome in self.outcomes)

    @property
    def telling(self) -> Outcome:
        """The outcome that decides: the first that fails, else the first that a change could move."""
        failing = next((outcome for outcome in self.outcomes if not outcome.holds), None)
        living = next((outcome for outcome in self.outcomes if not outcome.expectation.dated), None)
        return failing or living or self.outcomes[0]


@dataclass(frozen=True)
class Pool:
    """A corpus and what was already asked of it; `origin` is the pool that a family of changes was applied to."""

    corpus: Corpus
    origin: "Pool | None" = None
    _known: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False, compare=False)

    def _once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        if key not in self._known:
            self._known[key] = make()
        return cast("T", self._known[key])

    def query(self, text: str) -> Query:
        return self._once(("query", text), lambda: self.corpus.query(text))

    def queries(self, claim: Claim) -> Iterator[Query]:
        """Every query over papers that a claim asks, and that the claims ask whose survival it is about."""
        for expectation in claim.expect:
            if expectation.kind in {"count", "share", "ids"} and expectation.of == "papers" and not expectation.dated:
                other = (expectation.over, expectation.minus, expectation.among)
                yield from (self.query(text) for text in (expectation.asked, *other) if text)
            for name in expectation.survive:
                yield from self.queries(self.claim(name))

    def select(self, of: str, text: str, change: Change) -> Selection:
        """The records that match a query after a change."""
        query = self.query(text)
        records = self.corpus.exclusions if of == "exclusions" else self.corpus.papers
        base = self._once(("select", of, text), lambda: frozenset(r.key for r in records if query.matches(r)))
        if of == "exclusions":
            return Selection(base, base & change.readmitted)
        gone = frozenset(key for key in change.papers if key in base)
        come = frozenset(key for key, paper in change.papers.items() if paper is not None and query.matches(paper))
        return Selection(base, gone, come)

    def values(self, measure: str, group: str, change: Change) -> Iterable[tuple[float, str]]:
        """`(value, key)` of a group's counted papers after a change, largest first."""
        found = self._once(
            ("measure", measure), lambda: measures.compare(self.corpus, measures.find(self.corpus, measure))
        )
        if group not in found.groups:
            hint = f"groups: {', '.join(found.groups)}"
            message = f"measure {measure!r} has no group {group!r}{did_you_mean(group, found.groups)}"
            raise UsageError(message, hint=hint)
        brought = [paper for paper in change.papers.values() if paper is not None and measure in paper.measures]
        new: list[tuple[float, str]] = []
        if brought:
            alone = replace(self.corpus, papers=tuple(cast("list[Paper]", brought)))
            new = list(measures.compare(alone, found.measure).groups[group].values)
        return _merged(found.groups[group].values, change.papers, new)

    def agreement(self, name: str, column: str) -> agreement.Column:
        """How two coders agree on a column of an audit."""
        audit = next((audit for audit in self.corpus.audits if audit.key == name), None)
        if audit is None:
            known = [audit.key for audit in self.corpus.audits]
            raise UsageError(f"no audit {name!r}{did_you_mean(name, known)}", hint=f"audits: {', '.join(known)}")
        columns = self._once(("audit", name), lambda: agreement.columns(audit, self.corpus.taxonomy))
        if column not in columns:
            hint = f"columns: {', '.join(columns)}"
            raise UsageError(f"audit {name!r} has no column {column!r}{did_you_mean(column, columns)}", hint=hint)
        return columns[column]

    def then(self, day: date) -> "Pool":
        """The pool as it was on a day."""
        if self.corpus.day is not None and self.corpus.day <= day:
            return self
        return self._once(("then", day), lambda: Pool(self.corpus.as_of(day)))

    def under(self, family: str) -> tuple["Pool", ...]:
        """The pool after each of the changes that take a whole family."""

        def make() -> tuple[Pool, ...]:
            found = FAMILIES[Family(family)](self.corpus)
            return tuple(Pool(change.apply(self.corpus), self.origin or self) for change in found if change.whole)

        return self._once(("under", family), make)

    def challenged(self, grade: str) -> tuple[Change, ...]:
        """`changes.challenged` of this pool."""
        return self._once(("challenged", grade), lambda: challenged(self.corpus, grade))

    def claim(self, name: str) -> Claim:
        """The claim of that id; raises `UsageError` that names the nearest."""
        known = self.corpus.stated.by_id
        if name not in known:
            hint = f"claims: {', '.join(known)}" if known else "claims.yaml states none"
            raise UsageError(f"no claim {name!r}{did_you_mean(name, known)}", hint=hint)
        return known[name]


def _merged(
    base: Iterable[tuple[float, str]], touched: Mapping[str, object], new: list[tuple[float, str]]
) -> Iterable[tuple[float, str]]:
    """Both lists as one, largest first, read only as far as somebody asks."""
    rest = iter(new)
    waiting = next(rest, None)
    for entry in base:
        if entry[1] in touched:
            continue
        while waiting is not None and waiting[0] > entry[0]:
            yield waiting
            waiting = next(rest, None)
        yield entry
    if waiting is not None:
        yield waiting
    yield from rest


def evaluate(claim: Claim, pool: Pool, change: Change = AS_IT_IS) -> Verdict:
    """Whether a claim holds in a pool after a change; raises `SurveyError` where it asks for what is not there."""
    try:
        return Verdict(claim, tuple(_outcome(claim, i, pool, change) for i in range(len(claim.expect))))
    except UsageError as error:
        message = f"claim {claim.id!r} cannot be checked: {error.message}"
        raise SurveyError(message, hint="see 'awesome validate'") from None


def _outcome(claim: Claim, i: int, pool: Pool, change: Change) -> Outcome:
    expectation = claim.expect[i]
    if not expectation.dated:
        return observe(expectation, pool, change)
    home = pool.origin or pool
    return home._once(  # noqa: SLF001 - the same class's cache, kept in this module
        ("dated", claim.id, i), lambda: observe(expectation, home.then(claim.as_of), AS_IT_IS)
    )


def observe(expectation: Expectation, pool: Pool, change: Change) -> Outcome:
    """The answer to one expectation."""
    value, selection = ANSWERS[expectation.kind](expectation, expectation.asked, pool, change)
    if isinstance(value, float | int):
        value = _compared(expectation, value, pool, change)
    return Outcome(expectation, value, _keeps(expectation, value, selection), selection)


def _compared(expectation: Expectation, value: float, pool: Pool, change: Change) -> float | None:
    other = expectation.over or expectation.minus
    if other is None:
        return value
    if expectation.kind == "count":
        second: Value = float(len(pool.select(expectation.of, other, change)))
    else:
        regrouped = expectation.model_copy(update={"group": other})
        second = ANSWERS[expectation.kind](regrouped, expectation.asked, pool, change)[0]
    if not isinstance(second, float | int):
        return None
    if expectation.minus is not None:
        return value - second
    return value / second if second else None


Answer = tuple[Value, Selection]


def _count(expectation: Expectation, asked: str, pool: Pool, change: Change) -> Answer:
    found = pool.select(expectation.of, asked, change)
    return float(len(found)), found


def _share(expectation: Expectation, asked: str, pool: Pool, change: Change) -> Answer:
    among = pool.select(expectation.of, expectation.among, change)
    both = asked if expectation.among == "*" else f"({asked}) AND ({expectation.among})"
    found = pool.select(expectation.of, both, change)
    return (len(found) / len(among) if len(among) else None), found


def _ids(expectation: Expectation, asked: str, pool: Pool, change: Change) -> Answer:
    found = pool.select(expectation.of, asked, change)
    return found.keys, found


def _largest(expectation: Expectation, asked: str, pool: Pool, change: Change) -> Answer:
    first = next(iter(pool.values(asked, expectation.group or "", change)), None)
    return (None, NOBODY) if first is None else (first[0], Selection(frozenset({first[1]})))


def _median(expectation: Expectation, asked: str, pool: Pool, change: Change) -> Answer:
    import statistics

    found = list(pool.values(asked, expectation.group or "", change))
    keys = Selection(frozenset(key for _, key in found))
    return (statistics.median(value for value, _ in found) if found else None), keys


def _agreement(expectation: Expectation, asked: str, pool: Pool, change: Change) -> Answer:  # noqa: ARG001
    found = pool.agreement(expectation.audit or "", asked)
    return float(found.agree), Selection(frozenset(key for key, _, _ in found.disagreements))


def _survive(expectation: Expectation, asked: str, pool: Pool, change: Change) -> Answer:  # noqa: ARG001
    flipped = set()
    for name in expectation.survive:
        claim = pool.claim(name)
        if any(inner.kind == "survive" for inner in claim.expect):
            message = f"claim {name!r} asks for survival itself"
            raise UsageError(message, hint="'survive' names claims about the corpus, not claims about claims")
        if evaluate(claim, pool, change).holds and not all(
            evaluate(claim, other, change).holds for other in pool.under(expectation.under or "")
        ):
            flipped.add(name)
    return float(len(flipped)), Selection(frozenset(flipped))


ANSWERS: Mapping[str, Callable[[Expectation, str, Pool, Change], Answer]] = {
    "count": _count,
    "share": _share,
    "ids": _ids,
    "largest": _largest,
    "median": _median,
    "agreement": _agreement,
    "survive": _survive,
}


def _keeps(expectation: Expectation, value: Value, selection: Selection) -> bool:
    if value is None:
        return False
    bounds = expectation.bounds or (("at_most", 0.0),)
    if isinstance(value, tuple):
        return all(_keeps_ids(name, cast("tuple[str, ...]", bound), selection) for name, bound in bounds)
    return all(_keeps_number(name, cast("float", bound), value) for name, bound in bounds)


def _keeps_number(name: str, bound: float, value: float) -> bool:
    close = math.isclose(value, bound, rel_tol=1e-9, abs_tol=1e-12)
    return close or (name == "at_least" and value > bound) or (name == "at_most" and value < bound)


def _keeps_ids(name: str, bound: tuple[str, ...], found: Selection) -> bool:
    wanted = frozenset(bound)
    inside = sum(key in found for key in wanted)
    return (name == "at_most" or inside == len(wanted)) and (name == "at_least" or inside == len(found))
