"""The pool of records that claims are asked about, as it is and under perturbations, and selections of its keys."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar, cast

from awesome_cli.analysis.audit import agreement
from awesome_cli.analysis.claims.perturbations import FAMILIES, UNCHANGED, Family, Perturbation
from awesome_cli.analysis.statistics import measures
from awesome_cli.model.claims import Claim, Expectation
from awesome_cli.model.codings import MAIN, split_axis
from awesome_cli.model.records import AnyRecord
from awesome_cli.model.taxonomy import Axis
from awesome_cli.query.parser import Query
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


@dataclass(frozen=True, slots=True)
class Selection:
    """Keys of records: those of a pool, without what a perturbation removes, with what it adds."""

    base: frozenset[str]
    removed: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.base) - len(self.removed) + len(self.added)

    def same_as(self, before: "Selection") -> bool:
        """True if a perturbation left the selection `before` as it was."""
        # A large pool is not compared key by key: its selection is one object under every perturbation.
        return self.removed == self.added and (self.base is before.base or self.base == before.base)

    def __contains__(self, key: str) -> bool:
        return key in self.added or (key in self.base and key not in self.removed)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(sorted((self.base - self.removed) | self.added))


T = TypeVar("T")
Question = tuple[str, str]
"""What is asked of a pool, as in `Pool.questions`."""


@dataclass(frozen=True)
class Pool:
    """A corpus with a cache of answers; `made` is the pool and the perturbation that it was made of, if it was.

    `near` is a pool that differs from this one in a part of its records, of which alone queries are asked again.
    """

    corpus: Corpus
    made: "tuple[Pool, Perturbation] | None" = None
    near: "Pool | None" = field(default=None, repr=False)
    _known: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False, compare=False)

    def cached(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """The value under a key of the cache; `make` is called the first time."""
        if key not in self._known:
            self._known[key] = make()
        return cast("T", self._known[key])

    def verdicts(self, change: Perturbation) -> dict[str, Any]:
        """The verdicts that were found under a perturbation, by claim; those under another one are let go."""
        return self._of_last("verdicts", change)

    def _of_last(self, name: str, change: Perturbation) -> dict[Any, Any]:
        """The cache of the last perturbation, emptied for another one; the pool as it is has a cache that stays."""
        if change is UNCHANGED:
            return self.cached((name, "as it is"), dict)
        last, known = self._known.get((name,), (None, {}))
        if last is not change:
            known = {}
            self._known[name,] = (change, known)
        return cast("dict[Any, Any]", known)

    def query(self, text: str) -> Query:
        return self.cached(("query", text), lambda: self.corpus.query(text))

    def living(self, claim: Claim) -> Iterator[Expectation]:
        """The expectations that are read in this pool: on a later day than the claim's, those that are not dated."""
        return (e for e in claim.expect if not e.dated or self.as_of(claim.as_of) is self)

    def queries(self, claim: Claim) -> Iterator[Query]:
        """Every query that a claim, and the claims that its `survive` names, asks of the papers of this pool."""
        for expectation in self.living(claim):
            yield from (self.query(text) for of, text in self.asked(expectation) if of == "papers")
            for other in self.survivors(expectation):
                yield from self.queries(other)

    def touched(self, claim: Claim, change: Perturbation) -> bool:
        """True if a record of a perturbation matches other queries of the claim than before, or has a measure of it."""
        return any(
            then.moved(asked, then.counterpart(change) if is_earlier else change)
            for then, is_earlier, asked in self.questions(claim)
        )

    def moved(self, asked: Iterable[Question], change: Perturbation) -> bool:
        """True if a perturbation of this pool changes the records behind a query or a measure."""
        known = self._of_last("moved", change)
        for one in asked:
            if one not in known:
                known[one] = self._moves(*one, change)
            if known[one]:
                return True
        return False

    def _moves(self, of: str, text: str, change: Perturbation) -> bool:
        if of == "exclusions":
            return not self._base(of, text).isdisjoint(change.readmitted)
        if of == "measure":
            papers = self.corpus.papers
            holders = self.cached((of, text), lambda: frozenset(p.key for p in papers if text in p.measures))
            new = (paper for paper in change.papers.values() if paper is not None)
            return not holders.isdisjoint(change.papers) or any(text in paper.measures for paper in new)
        return self._base(of, text).intersection(change.papers) != self._fitting(self.query(text), change)

    def questions(self, claim: Claim) -> "tuple[tuple[Pool, bool, tuple[Question, ...]], ...]":
        """Each pool of which a claim asks something, whether it is that of an earlier day, and what is asked there.

        A question is `(papers | exclusions, query)` or `(measure, name)`.
        """

        def make() -> "Iterator[tuple[Pool, bool, tuple[Question, ...]]]":
            for expectation in claim.expect:
                then = self.as_of(claim.as_of) if expectation.dated else self
                if asked := tuple(then.asked(expectation)):
                    yield then, then is not self, asked
                for other in then.survivors(expectation):
                    for pool in (then, *then.under(expectation.under or "")):
                        yield from ((p, earlier or then is not self, a) for p, earlier, a in pool.questions(other))

        # Another claim may have the same id, and the hash of a claim costs more than what is kept here.
        of, known = self._known.get(("questions", claim.id), (None, ()))
        if of is not claim:
            merged: dict[tuple[int, bool], tuple[Pool, dict[Question, None]]] = {}
            for pool, earlier, asked in make():
                merged.setdefault((id(pool), earlier), (pool, {}))[1].update(dict.fromkeys(asked))
            known = tuple((pool, earlier, tuple(asked)) for (_, earlier), (pool, asked) in merged.items())
            self._known["questions", claim.id] = (claim, known)
        return cast("tuple[tuple[Pool, bool, tuple[Question, ...]], ...]", known)

    def asked(self, expectation: Expectation) -> Iterator[Question]:
        """Yield an expectation's questions to this pool, as in `questions`."""
        e = expectation
        if e.kind == "state":
            axis, covering = self.covering(e.asked)
            yield from (("papers", covering), ("papers", axis.sparse.of))
        elif e.kind in {"largest", "median"}:
            yield "measure", e.asked
        elif e.kind in {"count", "share", "ids"}:
            others = (e.over, e.minus) if e.kind == "count" else (e.among,) if e.kind == "share" else ()
            yield from ((e.of, text) for text in (e.asked, *others) if text)

    def covering(self, asked: str) -> tuple[Axis, str]:
        """The axis of `axis=term`, and the query for the papers that cover the term as the gap map counts them."""
        name, term = split_axis(asked)
        axis = self.corpus.taxonomy.axis(name)
        require_known(term or "", axis.by_id, "term", owner=f"axis {name!r}")
        return axis, ":".join(filter(None, (f"{name}={term}", axis.gap_strength, MAIN)))

    def survivors(self, expectation: Expectation) -> tuple[Claim, ...]:
        """The claims that `survive` names; for one that had not been made on the day of the pool, those it succeeds."""
        day, ids = self.corpus.day, dict[str, None]()
        for claim in map(self.claim, expectation.survive):
            ids |= dict.fromkeys((claim.id,) if claim.is_due(day) else claim.succeeds)
        return tuple(claim for claim in map(self.claim, ids) if claim.is_due(day))

    def select(self, of: str, text: str, change: Perturbation) -> Selection:
        """The records that match a query under a perturbation."""
        base = self._base(of, text)
        if of == "exclusions":
            return Selection(base, base & change.readmitted)
        return Selection(base, base.intersection(change.papers), self._fitting(self.query(text), change))

    def _base(self, of: str, text: str) -> frozenset[str]:

        def make() -> frozenset[str]:
            query = self.query(text)
            if (near := self._alike) is None:
                return frozenset(record.key for record in query.select(getattr(self.corpus, of)))
            known, other = near._base(of, text), self._other(of)  # noqa: SLF001 - another pool
            fitting = (key for key, record in other.items() if record is not None and query.matches(record))
            return known.difference(other).union(fitting) if other else known

        return self.cached(("select", of, text), make)

    @property
    def _alike(self) -> "Pool | None":
        """The pool nearby where it has the same vocabulary."""
        return self.near if self.near is not None and self.near.corpus.taxonomy is self.corpus.taxonomy else None

    def of_records(self, name: object, make: Callable[[Corpus], T]) -> T:
        """Return a value made of records and taxonomy alone, from the pool nearby where these are the same."""
        near = self._alike
        if near is not None and not self._other("papers") and not self._other("exclusions"):
            return near.of_records(name, make)
        return self.cached(("of records", name), lambda: make(self.corpus))

    def _other(self, of: str) -> Mapping[str, AnyRecord | None]:
        """The papers or exclusions that are not the same in the pool nearby; None for those that it alone has."""

        def make() -> Mapping[str, AnyRecord | None]:
            own, near = ({r.key: r for r in getattr(pool.corpus, of)} for pool in (self, self.near) if pool)
            return {key: own.get(key) for key in own | near if own.get(key) is not near.get(key)}

        return self.cached(("other", of), make)

    def _fitting(self, query: Query, change: Perturbation) -> frozenset[str]:
        """The keys of the papers in a perturbation that match a query."""
        if change.family is not Family.CANDIDATES:
            return change.fitting(query)
        # The same candidates are admitted many times in search of the fewest: each is asked once.
        known: dict[str, bool] = self.cached(("fits", query.text), dict)
        known.update((key, query.matches(c)) for key, c in change.papers.items() if c and key not in known)
        return frozenset(key for key in change.papers if known[key])

    def values(self, asked: Expectation, change: Perturbation) -> Iterable[tuple[float, str]]:
        """`(value, key)` of the counted papers of a measure's group under a perturbation, largest first."""
        group = asked.group or ""

        def compare(corpus: Corpus) -> measures.Comparison:
            own = measures.find(corpus, asked.asked)
            counted = own.counted if asked.among == "*" else asked.among
            least = asked.confidence or own.confidence_at_least
            chosen = own.model_copy(update={"counted": counted, "confidence_at_least": least})
            return measures.compare(corpus, chosen)

        found = self.of_records(("measure", asked.asked, asked.among, asked.confidence), compare)
        require_known(group, found.groups, "group", owner=f"measure {asked.asked!r}")
        placed = ((value, key) for key, name, value in found.placed(change.papers.values()) if name == group)
        new = sorted(placed, key=lambda entry: (-entry[0], entry[1]))
        return _merged(found.groups[group].values, change.papers, new)

    def agreement(self, name: str, column: str, group: str | None = None) -> "agreement.CodedColumn":
        """The column of an audit, or of a group of its cells, with the values of both coders."""
        audits = {audit.key: audit for audit in self.corpus.audits}
        audit = audits[require_known(name, audits, "audit")]
        columns = self.cached(("audit", name, group), lambda: agreement.columns(audit, self.corpus.taxonomy, group))
        return columns[require_known(column, columns, "column", owner=f"audit {name!r}")]

    def as_of(self, day: date) -> "Pool":
        """The pool as it was on a day; a perturbed pool is that of the day under the same perturbation."""
        if self.made is not None:
            origin, change = self.made
            return origin.as_of(day).after(change)
        if self.corpus.day is not None and self.corpus.day <= day:
            return self
        return self.cached(("then", day), lambda: Pool(self.corpus.as_of(day), near=self))

    def changes(self, family: Family) -> Mapping[str, Perturbation]:
        """The perturbations of a family, by name."""
        return self.cached(("family", family), lambda: {one.name: one for one in FAMILIES[family](self.corpus)})

    def counterpart(self, change: Perturbation) -> Perturbation:
        """The same perturbation in this pool of another day; one that this pool does not know changes nothing.

        Candidates are found after that day, so they are in no pool of an earlier one.
        """
        if self.made is not None:
            return self.made[0].counterpart(change)
        if change.family is Family.LEFT_OUT:
            return change
        return self.changes(change.family).get(change.name, UNCHANGED) if change.family in FAMILIES else UNCHANGED

    def after(self, change: Perturbation) -> "Pool":
        """The pool after a perturbation, which is looked up by its name."""
        own = self.counterpart(change)
        return self.cached(("after", own.family, own.name), lambda: Pool(own.apply(self.corpus), (self, own), self))

    def under(self, family: str) -> tuple["Pool", ...]:
        """The pool after each perturbation that makes all changes of a family at once."""

        def make() -> tuple[Pool, ...]:
            return tuple(self.after(change) for change in self.changes(Family(family)).values() if change.whole)

        return self.cached(("under", family), make)

    def claim(self, name: str) -> Claim:
        """The claim of that id; raises `UsageError` that names the nearest."""
        known = self.corpus.claims.by_id
        return known[require_known(name, known, "claim")]


def _merged(
    base: Iterable[tuple[float, str]], touched: Mapping[str, object], new: list[tuple[float, str]]
) -> Iterable[tuple[float, str]]:
    """Both lists merged lazily, largest first; entries of `base` whose key is in `touched` are left out."""
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
