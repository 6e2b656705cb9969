"""The pool of records on which claims are evaluated, with caches of queries and of perturbed pools."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from heapq import merge
from typing import Any, TypeVar, cast

from awesome_cli.analysis.audit import agreement
from awesome_cli.analysis.claims.perturbations import FAMILIES, UNCHANGED, Family, Perturbation
from awesome_cli.analysis.claims.questions import Question, Questions
from awesome_cli.analysis.statistics import measures
from awesome_cli.model.claims import Claim, CorpusQuestion, Expectation
from awesome_cli.model.codings import MAIN, split_axis
from awesome_cli.model.records import AnyRecord
from awesome_cli.query.parser import Query
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


@dataclass(frozen=True, slots=True)
class Selection:
    """Keys of selected records: the keys of a pool (`base`) and those that a perturbation `removed` or `added`."""

    base: frozenset[str]
    removed: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.base) - len(self.removed) + len(self.added)

    def same_as(self, before: "Selection") -> bool:
        """True if the selection has the same keys as `before`."""
        # The base is one object under every perturbation, which avoids comparing keys one by one.
        return self.removed == self.added and (self.base is before.base or self.base == before.base)

    def __contains__(self, key: str) -> bool:
        return key in self.added or (key in self.base and key not in self.removed)

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(sorted((self.base - self.removed) | self.added))


T = TypeVar("T")
Place = tuple[int, bool]
"""`(id of a pool, is_earlier)`; `is_earlier`: that of an earlier date."""
Asked = frozenset[tuple[Place, Question]]
"""Questions with the pool of each."""


@dataclass(frozen=True)
class Pool:
    """A corpus with a cache of answers; `made` is the pool and the perturbation from which this pool was derived.

    `near` is a pool with mostly the same records: queries are evaluated only on the records that differ. `later` is the
    pool of a later day of the same records, which has the pools of the days before both.
    """

    corpus: Corpus
    made: "tuple[Pool, Perturbation] | None" = None
    near: "Pool | None" = field(default=None, repr=False)
    later: "Pool | None" = field(default=None, repr=False)
    _known: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False, compare=False)

    def cached(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return the cached value of a key; if absent, compute it with `make`."""
        if key not in self._known:
            self._known[key] = make()
        value: T = self._known[key]
        return value

    def of_last(self, name: str, change: Perturbation) -> dict[Any, Any]:
        """Return the cache for `change`, empty after another perturbation; that of the unchanged pool is permanent."""
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
        """Return the expectations evaluated in this pool; dated expectations only in the pool of the claim's date."""
        return (e for e in claim.expect if not e.dated or self.as_of(claim.as_of) is self)

    def queries(self, claim: Claim) -> Iterator[Query]:
        """Yield the paper queries of a claim, and those of the claims named by its `survive` expectations."""
        for expectation in self.living(claim):
            yield from (self.query(text) for of, text in self.questions_of(expectation) if of == "papers")
            for survivor in self.survivors(expectation):
                yield from self.queries(survivor)

    def touched(self, claim: Claim, change: Perturbation) -> Sequence[bool]:
        """Return, by expectation, whether a perturbation changes the matches of one of its queries, or its measure."""
        asked = self.questions(claim)
        moving = self._moving(change)
        return [not moving.isdisjoint(questions) for questions in asked] if moving else ()

    def _moving(self, change: Perturbation) -> Asked:
        """Return the questions of which a perturbation changes the records, among those of the claims met so far."""
        known, pools = self.of_last("moving", change), self._pools
        if (n := self._known.get(("claims met",), 0)) not in known:
            known[n] = frozenset(
                (place, question)
                for place, pool in pools.items()
                for question in pool.asked.moved_by(pool.counterpart(change) if place[1] else change)
            )
        return cast("Asked", known[n])

    @property
    def _pools(self) -> "dict[Place, Pool]":
        """The pools in which the expectations of the claims met so far are evaluated."""
        return self.cached(("pools",), dict)

    @property
    def asked(self) -> Questions:
        """The questions of the claims met so far to this pool."""
        return self.cached(("asked",), lambda: Questions(self.corpus, self._fitting))

    def questions(self, claim: Claim) -> tuple[Asked, ...]:
        """Return, by expectation, the questions that its answer depends on."""
        # Keyed by id, because hashing a claim is slow; the entry is replaced if another claim has the id.
        of, known = self._known.get(("questions", claim.id), (None, ()))
        if of is not claim:
            known = tuple(frozenset(self._asks(claim, expectation)) for expectation in claim.expect)
            self._known["questions", claim.id] = (claim, known)
            self._known["claims met",] = self._known.get(("claims met",), 0) + 1
        return cast("tuple[Asked, ...]", known)

    def _asks(self, claim: Claim, expectation: Expectation) -> Iterator[tuple[Place, Question]]:
        then = self.as_of(claim.as_of) if expectation.dated else self
        yield from self._to(then, then.questions_of(expectation), is_earlier=then is not self)
        for survivor in then.survivors(expectation):
            for pool in (then, *then.under(expectation.under or "")):
                for asked in pool.questions(survivor):
                    for (number, is_earlier), question in asked:
                        other = pool._pools[number, is_earlier]  # noqa: SLF001 - another pool
                        yield from self._to(other, (question,), is_earlier=is_earlier or then is not self)

    def _to(self, pool: "Pool", questions: Iterable[Question], *, is_earlier: bool) -> Iterator[tuple[Place, Question]]:
        place = id(pool), is_earlier
        self._pools[place] = pool
        for question in questions:
            if question not in pool.asked.known:
                pool._ask(*question)  # noqa: SLF001 - another pool
            yield place, question

    def _ask(self, of: str, text: str) -> None:
        if of == "measure":
            behind = frozenset(paper.key for paper in self.corpus.papers if text in paper.measures)
        else:
            behind = self._base(of, text)
        self.asked.add((of, text), behind, self.query(text) if of == "papers" else None)

    def questions_of(self, expectation: Expectation) -> Iterator[Question]:
        """Yield the queries and measures that the answer to an expectation depends on."""
        e = expectation
        if e.kind == "state":
            yield from (("papers", self.covering(e.topic)), ("papers", self.corpus.taxonomy.sparse.among))
        elif e.of_measure:
            yield "measure", e.topic
        elif e.kind in {"count", "share", "ids"}:
            bases = (e.over, e.minus) if e.kind == "count" else (e.among,) if e.kind == "share" else ()
            yield from ((e.of, text) for text in (e.topic, *bases) if text)

    def groups_of(self, expectation: CorpusQuestion) -> tuple[str, ...]:
        """Return the queries that decide which papers of a measure an expectation compares; empty for other kinds."""
        e, known = expectation, {measure.id: measure for measure in self.corpus.taxonomy.measures}
        if not e.of_measure or e.topic not in known:
            return ()
        groups = [group.where for group in known[e.topic].groups if group.id in {e.group, e.over, e.minus}]
        return (*groups, known[e.topic].counted if e.among == "*" else e.among)

    def sparse_limit(self, change: Perturbation) -> int:
        """Return the maximum number of papers in a sparse cell under a perturbation."""
        sparse = self.corpus.taxonomy.sparse
        return sparse.limit(len(self.select("papers", sparse.among, change)))

    def covering(self, coding: str) -> str:
        """Return the query for papers that count for a term (`axis=term`) on the gap map."""
        name, term = split_axis(coding)
        axis = self.corpus.taxonomy.axis(name)
        require_known(term or "", axis.by_id, "term", owner=f"axis {name!r}")
        return ":".join(filter(None, (f"{name}={term}", axis.gap_strength, MAIN)))

    def survivors(self, expectation: Expectation) -> tuple[Claim, ...]:
        """Return the claims that `survive` names; a claim not made by the day is replaced by its predecessors."""
        day, ids = self.corpus.day, dict[str, None]()
        for claim in map(self.claim, expectation.survive):
            ids |= dict.fromkeys((claim.id,) if claim.is_due(day) else claim.succeeds)
        return tuple(claim for claim in map(self.claim, ids) if claim.is_due(day))

    def select(self, of: str, text: str, change: Perturbation) -> Selection:
        """Select the records that match a query under a perturbation."""
        base = self._base(of, text)
        if of == "exclusions":
            return Selection(base, base & change.readmitted)
        return Selection(base, base.intersection(change.papers), self._fitting(self.query(text), change))

    def _base(self, of: str, text: str) -> frozenset[str]:

        def make() -> frozenset[str]:
            query, near = self.query(text), self.near
            if near is None or not query.means_the_same(self.corpus.taxonomy, near.corpus.taxonomy):
                return self._update(query, of, None)
            return self._update(query, of, near._base(of, text))  # noqa: SLF001 - another pool

        return self.cached(("select", of, text), make)

    def matching(self, query: Query) -> frozenset[str]:
        """Return the keys of the papers that match a query, whatever it takes missing codings for."""
        known = near.matching(query) if (near := self._alike) else None
        return self.cached(("match", query), lambda: self._update(query, "papers", known))

    def _update(self, query: Query, of: str, known: frozenset[str] | None) -> frozenset[str]:
        """Return the keys of the records that match a query, from those of the `near` pool if they are `known`."""
        if known is None:
            return frozenset(record.key for record in query.select(getattr(self.corpus, of)))
        changed = self._other(of)
        fitting = (key for key, record in changed.items() if record is not None and query.matches(record))
        return known.difference(changed).union(fitting) if changed else known

    @property
    def _alike(self) -> "Pool | None":
        """The `near` pool if it has the same taxonomy, else None."""
        return self.near if self.near is not None and self.near.corpus.taxonomy is self.corpus.taxonomy else None

    def of_records(self, name: object, make: Callable[[Corpus], T]) -> T:
        """Return a value computed from records and taxonomy; shared with the `near` pool if both are equal."""
        near = self._alike
        if near is not None and not self._other("papers") and not self._other("exclusions"):
            return near.of_records(name, make)
        return self.cached(("of records", name), lambda: make(self.corpus))

    def _other(self, of: str) -> Mapping[str, AnyRecord | None]:
        """Return the records that differ from the `near` pool, by key (None: not in this pool)."""

        def make() -> Mapping[str, AnyRecord | None]:
            here, near = ({r.key: r for r in getattr(pool.corpus, of)} for pool in (self, self.near) if pool)
            return {key: here.get(key) for key in here | near if here.get(key) is not near.get(key)}

        return self.cached(("other", of), make)

    def _fitting(self, query: Query, change: Perturbation) -> frozenset[str]:
        if change.family is not Family.CANDIDATES:
            return change.fitting(query)
        # The search for the smallest set admits the same candidates many times; each is matched once.
        known: dict[str, bool] = self.cached(("fits", query.text), dict)
        known.update((key, query.matches(c)) for key, c in change.papers.items() if c and key not in known)
        return frozenset(key for key in change.papers if known[key])

    def values(self, expectation: CorpusQuestion, change: Perturbation) -> Iterable[tuple[float, str]]:
        """Return `(value, key)` of the counted papers in a group of a measure, largest first."""
        group = expectation.group or ""

        def compare(corpus: Corpus) -> measures.Comparison:
            measure = measures.find(corpus, expectation.topic)
            counted = measure.counted if expectation.among == "*" else expectation.among
            least = expectation.confidence or measure.confidence_at_least
            require_known(least or "", {"", *corpus.taxonomy.confidence_rank}, "confidence")
            chosen = measure.model_copy(update={"counted": counted, "confidence_at_least": least})
            return measures.compare(corpus, chosen)

        comparison = self.of_records(("measure", expectation.topic, expectation.among, expectation.confidence), compare)
        require_known(group, comparison.groups, "group", owner=f"measure {expectation.topic!r}")
        placed = ((value, key) for key, name, value in comparison.placed(change.papers.values()) if name == group)
        new = sorted(placed, key=lambda entry: (-entry[0], entry[1]))
        old = (entry for entry in comparison.groups[group].values if entry[1] not in change.papers)
        return merge(old, new, key=lambda entry: -entry[0])

    def agreement(self, expectation: CorpusQuestion) -> "agreement.CodedColumn":
        """Return the cells of an `agreement` expectation as one column, with the values of both coders."""
        audits, name, group = {a.key: a for a in self.corpus.audits}, expectation.audit or "", expectation.group
        audit = audits[require_known(name, audits, "audit")]
        columns = self.cached(("audit", name, group), lambda: agreement.columns(audit, self.corpus.taxonomy, group))
        chosen = (columns[require_known(n, columns, "column", owner=f"audit {name!r}")] for n in expectation.agreement)
        pairs = tuple(pair for column in chosen for pair in column.pairs)
        return agreement.CodedColumn(expectation.topic, pairs, pooled=True)

    def axes(self, claims: Iterable[Claim]) -> tuple[str, ...]:
        """Return the axes that the queries and second codings of claims name, in the order of the taxonomy."""
        names = {name for claim in claims for e in claim.expect for name in self.as_of(claim.as_of).axes_of(e)}
        return tuple(axis for axis in self.corpus.taxonomy.by_id if axis in names)

    def axes_of(self, expectation: Expectation) -> tuple[str, ...]:
        """Return the axes that the queries and the second coding of an expectation name."""
        texts = [text for of, text in self.questions_of(expectation) if of == "papers"]
        queries = [self.query(text) for text in (*texts, *self.groups_of(expectation))]
        names = {axis for query in queries for axis in query.axes}
        names.update(name.partition("=")[0] for name in expectation.agreement)
        return tuple(axis for axis in self.corpus.taxonomy.by_id if axis in names)

    def base(self, expectation: Expectation) -> str:
        """State on how many papers the absence that answers an expectation rests."""
        return self.cached(("base", expectation), lambda: self.corpus.base(self.axes_of(expectation)))

    def as_of(self, day: date) -> "Pool":
        """Return the pool as of a day; for a derived pool, apply the same perturbation to the pool of that day."""
        if self.made is not None:
            origin, change = self.made
            return origin.as_of(day).after(change)
        if self.corpus.day is not None and self.corpus.day <= day:
            return self
        if self.later is not None:
            return self.later.as_of(day)
        return self.cached(("then", day), lambda: Pool(self.corpus.as_of(day), near=self))

    def changes(self, family: Family) -> Mapping[str, Perturbation]:
        """Return the perturbations of a family by name."""
        return self.cached(("family", family), lambda: {c.name: c for c in FAMILIES[family](self.corpus)})

    def counterpart(self, change: Perturbation) -> Perturbation:
        """Return the perturbation of the same name in this pool, `UNCHANGED` if it has none.

        Pools of earlier days have no candidates, because candidates were found later.
        """
        if self.made is not None:
            return self.made[0].counterpart(change)
        if change.family is Family.LEFT_OUT:
            return change
        return self.changes(change.family).get(change.name, UNCHANGED) if change.family in FAMILIES else UNCHANGED

    def after(self, change: Perturbation) -> "Pool":
        """Return the pool after a perturbation, which is looked up by name."""
        new = self.counterpart(change)
        return self.cached(("after", new.family, new.name), lambda: Pool(new.apply(self.corpus), (self, new), self))

    def under(self, family: str) -> tuple["Pool", ...]:
        """Return one pool for each perturbation that makes all changes of a family at once."""

        def make() -> tuple[Pool, ...]:
            return tuple(self.after(change) for change in self.changes(Family(family)).values() if change.whole)

        return self.cached(("under", family), make)

    def claim(self, name: str) -> Claim:
        """Return a claim by id; raises `UsageError` that suggests the nearest id."""
        known = self.corpus.claims.by_id
        return known[require_known(name, known, "claim")]
