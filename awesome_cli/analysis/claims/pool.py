"""A pool of records, and what claims ask of it: as it is, or as a change would make it.

What a query selects is found once per pool; a change then costs only the records that it touches, so that
thousands of changes of a large pool stay linear.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar, cast

from awesome_cli.analysis.audit import agreement
from awesome_cli.analysis.claims.changes import FAMILIES, Family, Perturbation, challenged
from awesome_cli.analysis.statistics import measures
from awesome_cli.errors import UsageError
from awesome_cli.model.claims import Claim
from awesome_cli.model.taxonomy import did_you_mean
from awesome_cli.query.parser import Query
from awesome_cli.survey.corpus import Corpus

if TYPE_CHECKING:
    from awesome_cli.model.records import Paper

T = TypeVar("T")


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


@dataclass(frozen=True)
class Pool:
    """A corpus and what was already asked of it; `origin` is the pool that a family of changes was applied to."""

    corpus: Corpus
    origin: "Pool | None" = None
    _known: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What is known under a key; made where nobody asked for it before."""
        if key not in self._known:
            self._known[key] = make()
        return cast("T", self._known[key])

    def query(self, text: str) -> Query:
        return self.once(("query", text), lambda: self.corpus.query(text))

    def queries(self, claim: Claim) -> Iterator[Query]:
        """Every query over papers that a claim asks, and that the claims ask whose survival it is about."""
        for expectation in claim.expect:
            if expectation.kind in {"count", "share", "ids"} and expectation.of == "papers" and not expectation.dated:
                other = (expectation.over, expectation.minus, expectation.among)
                yield from (self.query(text) for text in (expectation.asked, *other) if text)
            for name in expectation.survive:
                yield from self.queries(self.claim(name))

    def select(self, of: str, text: str, change: Perturbation) -> Selection:
        """The records that match a query after a change."""
        query = self.query(text)
        records = self.corpus.exclusions if of == "exclusions" else self.corpus.papers
        base = self.once(("select", of, text), lambda: frozenset(r.key for r in records if query.matches(r)))
        if of == "exclusions":
            return Selection(base, base & change.readmitted)
        gone = frozenset(key for key in change.papers if key in base)
        come = frozenset(key for key, paper in change.papers.items() if paper is not None and query.matches(paper))
        return Selection(base, gone, come)

    def values(self, measure: str, group: str, change: Perturbation) -> Iterable[tuple[float, str]]:
        """`(value, key)` of a group's counted papers after a change, largest first."""
        found = self.once(
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

    def agreement(self, name: str, column: str) -> agreement.CodedColumn:
        """How two coders agree on a column of an audit."""
        audit = next((audit for audit in self.corpus.audits if audit.key == name), None)
        if audit is None:
            known = [audit.key for audit in self.corpus.audits]
            raise UsageError(f"no audit {name!r}{did_you_mean(name, known)}", hint=f"audits: {', '.join(known)}")
        columns = self.once(("audit", name), lambda: agreement.columns(audit, self.corpus.taxonomy))
        if column not in columns:
            hint = f"columns: {', '.join(columns)}"
            raise UsageError(f"audit {name!r} has no column {column!r}{did_you_mean(column, columns)}", hint=hint)
        return columns[column]

    def then(self, day: date) -> "Pool":
        """The pool as it was on a day."""
        if self.corpus.day is not None and self.corpus.day <= day:
            return self
        return self.once(("then", day), lambda: Pool(self.corpus.as_of(day)))

    def under(self, family: str) -> tuple["Pool", ...]:
        """The pool after each of the changes that take a whole family."""

        def make() -> tuple[Pool, ...]:
            found = FAMILIES[Family(family)](self.corpus)
            return tuple(Pool(change.apply(self.corpus), self.origin or self) for change in found if change.whole)

        return self.once(("under", family), make)

    def challenged(self, grade: str) -> tuple[Perturbation, ...]:
        """`changes.challenged` of this pool."""
        return self.once(("challenged", grade), lambda: challenged(self.corpus, grade))

    def claim(self, name: str) -> Claim:
        """The claim of that id; raises `UsageError` that names the nearest."""
        known = self.corpus.claims.by_id
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
