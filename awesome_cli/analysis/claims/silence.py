"""Claims that are undecided: papers that are not coded, or of which only some terms are listed, could overturn them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from awesome_cli.analysis.claims.evaluation import COUNTING, Verdict, combined, evaluate, meets
from awesome_cli.analysis.claims.perturbations import UNCHANGED
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.gaps.states import state_of
from awesome_cli.model.claims import Claim, Expectation
from awesome_cli.model.taxonomy import LISTED, Taxonomy
from awesome_cli.query.parser import parse
from awesome_cli.text.numbers import counted

AS_LISTED = "as listed"
"""Words of a statement that restrict it to the listed terms, so that unlisted terms cannot overturn it."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """An expectation that holds, but that missing codings could overturn: `needed` of `papers` would be enough.

    `papers` are those whose answer to the expectation depends on missing codings. `listed` is True if some of these
    codings are missing because an axis is a listing, False if all papers are not coded yet.
    """

    expectation: Expectation
    needed: int
    papers: int
    listed: bool

    def __str__(self) -> str:
        missing = "with unlisted terms" if self.listed else "not coded yet"
        return f"{self.needed:,} of {counted(self.papers, 'paper')} {missing} would overturn it"

    @property
    def fix(self) -> str:
        """The instruction to the authors of the claim."""
        return f"write '{AS_LISTED}' in the statement" if self.listed else "code the papers"

    def to_json(self) -> dict[str, object]:
        return {"needed": self.needed, "papers": self.papers, "listed": self.listed}


def doubts(claim: Claim, pool: Pool) -> tuple[Doubt, ...]:
    """Return the expectations of a claim that missing codings could overturn; none if the claim fails anyway."""
    verdict = evaluate(claim, pool)
    known = pool.of_last("doubts", UNCHANGED)
    if known.get(claim.id, (None,))[0] is not verdict:
        known[claim.id] = verdict, _of_verdict(verdict, pool)
    return cast("tuple[Doubt, ...]", known[claim.id][1])


def _of_verdict(verdict: Verdict, pool: Pool) -> tuple[Doubt, ...]:
    unmet = [outcome for outcome in verdict.outcomes if not outcome.holds]
    if any(outcome.fails for outcome in unmet):
        return ()
    found = tuple(dict.fromkeys(_doubts(verdict.claim, pool)))
    # What cannot be measured is in doubt only if missing codings could change that.
    return found if all(any(d.expectation is o.expectation for d in found) for o in unmet) else ()


def _doubts(claim: Claim, pool: Pool) -> Iterator[Doubt]:
    for expectation in claim.expect:
        then = pool.as_of(claim.as_of) if expectation.dated else pool
        for survivor in then.survivors(expectation):
            yield from (replace(doubt, expectation=expectation) for doubt in doubts(survivor, then))
        if expectation.of_measure and (doubt := _of_measure(expectation, then)):
            yield Doubt(expectation, *doubt, listed=False)
        if expectation.kind in COUNTING and expectation.of == "papers":
            taxonomy = then.corpus.taxonomy
            listed = _as_listed(taxonomy)
            if AS_LISTED in claim.statement.casefold():
                taxonomy = listed
            doubt = _doubt(expectation, then, taxonomy)
            if doubt is not None:
                yield Doubt(expectation, *doubt, listed=_doubt(expectation, then, listed) is None)


def _as_listed(taxonomy: Taxonomy) -> Taxonomy:
    """Return the taxonomy in which unlisted terms are absent."""
    if "as listed" not in taxonomy.memo:
        axes = [a.model_copy(update={"silence": "none"}) if a.silence == LISTED else a for a in taxonomy.axes]
        taxonomy.memo["as listed"] = taxonomy.model_copy(update={"axes": tuple(axes)})
    listed: Taxonomy = taxonomy.memo["as listed"]
    return listed


class Range:
    """The papers that match a query: those that match whatever the missing codings are, as coded, and possibly."""

    def __init__(self, pool: Pool, taxonomy: Taxonomy, text: str) -> None:
        self.least = self.most = self.now = pool.select("papers", text, UNCHANGED).base
        if pool.query(text).depends_on_silence(taxonomy, pool.corpus.uncoded):
            self.least, self.most = (pool.matching(parse(text, taxonomy, silent=silent)) for silent in (False, True))

    @property
    def open(self) -> frozenset[str]:
        """Papers whose match depends on missing codings."""
        return self.most - self.least

    @property
    def sizes(self) -> range:
        """The possible numbers of papers."""
        return range(len(self.least), len(self.most) + 1)


Check = Callable[[int, int], bool]
"""True if the expectation holds when these numbers of papers match its query, and the query of its base."""


def _doubt(expectation: Expectation, pool: Pool, taxonomy: Taxonomy) -> tuple[int, int] | None:
    """Return the number of papers that would overturn an expectation, and the number that could; None if too few."""
    topic = pool.covering(expectation.topic) if expectation.kind == "state" else expectation.topic
    among = expectation.over or expectation.minus or expectation.among
    if expectation.kind == "share" and expectation.among != "*":
        topic = f"({topic}) AND ({among})"
    papers, base = (Range(pool, taxonomy, _with_terms(query, pool)) for query in (topic, among))
    holds = _check(expectation, pool, papers)
    n, m = len(papers.now), len(base.now)
    # Changes of one query, and of the first with the base at an end of its range; all pairs would take too long.
    pairs = [(a, b) for a in papers.sizes for b in {m, base.sizes[0], base.sizes[-1]}] + [(n, b) for b in base.sizes]
    distances = [max(1, abs(a - n) + abs(b - m)) for a, b in pairs if not holds(a, b)]
    n_open = len(papers.open | base.open)
    return (min(distances), n_open) if distances and n_open else None


def _of_measure(e: Expectation, pool: Pool) -> tuple[int, int] | None:
    """Return the same as `_doubt` for a measure: each paper whose group depends on missing codings is moved alone."""
    ranges = [Range(pool, pool.corpus.taxonomy, query) for query in pool.groups_of(e)]
    open_ = frozenset(key for each in ranges for key in each.open)
    facts = {p.key: p.measures[e.topic].value for p in pool.corpus.papers if p.key in open_ and e.topic in p.measures}
    sides = [e.model_copy(update={"group": name}) for name in (e.group, e.over or e.minus) if name]
    groups = [{key: value for value, key in pool.values(side, UNCHANGED)} for side in sides]
    n = 0
    for key, value in ((key, value) for key, value in facts.items() if value is not None):
        left = [{k: v for k, v in group.items() if k != key} for group in groups]
        trials = [left, *([*left[:i], {**left[i], key: value}, *left[i + 1 :]] for i in range(len(left)))]
        n += any(not meets(e, _compared(e, trial)) for trial in trials)
    return (1, n) if n else None


def _compared(e: Expectation, groups: Sequence[Mapping[str, float]]) -> float | None:
    """Return the largest or median value of the first group, compared with that of the second; None if not measured."""
    from statistics import median  # which takes long to load

    if not all(groups):
        return None
    first, *second = (max(group.values()) if e.kind == "largest" else median(group.values()) for group in groups)
    return combined(e, first, second[0]) if second else first


def _with_terms(query: str, pool: Pool) -> str:
    """Replace `AXIS=*` by papers with a term in a query if no paper is coded on the axis yet."""
    coded = pool.corpus.coded_on
    uncoded = [axis.id for axis in pool.corpus.taxonomy.axes if axis.id in pool.corpus.uncoded and not coded(axis)]
    return re.sub(rf"\b({'|'.join(uncoded)})=\*", r"\1!=NA", query) if uncoded else query


def _check(e: Expectation, pool: Pool, papers: Range) -> Check:
    if e.kind == "ids":
        ends = {name: frozenset(bound) for name, bound in e.bounds if isinstance(bound, tuple)}
        least = frozenset().union(*(keys for name, keys in ends.items() if name != "at_most"))
        most = [keys for name, keys in ends.items() if name != "at_least"]
        safe = least <= papers.least and all(papers.most <= keys for keys in most)
        return lambda _n, _m: safe
    if e.kind == "state":
        limit = pool.sparse_limit(UNCHANGED)
        return lambda n, _m: state_of(limit, n).value in e.allowed
    if e.kind == "share":
        return lambda n, m: m > 0 and meets(e, min(1.0, n / m))
    if e.over is not None:
        return lambda n, m: m > 0 and meets(e, n / m)
    return lambda n, m: meets(e, float(n if e.minus is None else n - m))
