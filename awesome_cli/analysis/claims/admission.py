"""What candidates would do to claims if they were admitted: which end a claim alone, how few together."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from awesome_cli.analysis.claims.evaluation import Outcome, evaluate, first_failure, outcome
from awesome_cli.analysis.claims.perturbations import Family, Perturbation
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.wording import listed_keys, observed, to_json
from awesome_cli.model.claims import Claim, Expectation
from awesome_cli.model.records import Candidate
from awesome_cli.query.parser import Query
from awesome_cli.reports.report import Cell, Section, Table, Toned
from awesome_cli.survey.corpus import Corpus, as_of
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted

Pull = Callable[[Candidate], float]
"""How far a candidate moves an answer towards one of its bounds, on a scale where candidates add up."""
COUNTING = frozenset({"count", "share", "state", "ids"})
"""Kinds of expectations whose answer follows from the papers that match queries."""
UNMOVED = frozenset({"agreement"})
"""Kinds that no candidate changes."""
SINGLE = frozenset({"largest"})
"""Kinds that a set of candidates ends only if one of them does by itself."""
SIGNS = {"at_most": (1,), "at_least": (-1,), "equals": (1, -1)}


@dataclass(frozen=True, slots=True)
class Ending:
    """What would happen to a claim if candidates were admitted; `holds` says whether it holds without them.

    Each candidate in `alone` would end it by itself. Admitted in the order of the days they appeared, the claim first
    fails with the last of `in_order`. `fewest` is a smallest set that ends it; if it is not `exact`, a smaller one may
    exist. `unread` are candidates whose coding, on an axis that the claim asks about, has a retired strength.
    `after` is the answer with all that are `admitted`.
    """

    holds: bool
    admitted: tuple[str, ...]
    alone: tuple[str, ...]
    in_order: tuple[str, ...]
    fewest: tuple[str, ...]
    exact: bool
    unread: tuple[str, ...]
    after: Outcome


@dataclass(frozen=True, slots=True)
class Forecast:
    """What waits outside of the pool, for one claim.

    `proposed`: today's pool with all candidates that are proposed for retention; `missed`: the pool of the claim's own
    day with those that were public by the cutoff and that the search missed; `later`: today's pool with only the
    proposed ones that appeared since then.
    """

    claim: Claim
    proposed: Ending
    missed: Ending
    later: Ending


def forecast(claim: Claim, pool: Pool, confidence: str | None = None) -> Forecast:
    """Return the forecast from candidates of a confidence or above; raises `UsageError` for an unknown level."""
    then, today = pool.as_of(claim.as_of), proposed(pool.corpus, confidence)
    old = tuple(as_of(candidate, claim.as_of) for candidate in missed(pool.corpus, confidence))
    return Forecast(
        claim,
        proposed=ending(claim, pool, today),
        missed=ending(claim, then, old),
        later=ending(claim, pool, [candidate for candidate in today if found_how(candidate) == "later"]),
    )


def proposed(corpus: Corpus, confidence: str | None = None) -> tuple[Candidate, ...]:
    """The candidates proposed for retention at some confidence or above, by the day they appeared."""
    return _in_order(corpus, confidence, lambda candidate: candidate.proposal == "retain")


def missed(corpus: Corpus, confidence: str | None = None) -> tuple[Candidate, ...]:
    """The candidates that the search missed, to be retained or considered, by the day they appeared."""
    return _in_order(corpus, confidence, lambda c: c.proposal != "exclude" and found_how(c) == "missed")


def found_how(candidate: Candidate) -> str | None:
    """How a candidate was found, None if that is not recorded."""
    return candidate.found.how if candidate.found else None


def _in_order(corpus: Corpus, confidence: str | None, chosen: Callable[[Candidate], bool]) -> tuple[Candidate, ...]:
    rank = corpus.taxonomy.confidence_rank
    least = -1 if confidence is None else rank[require_known(confidence, rank, "confidence")]
    found = [c for c in corpus.candidates if chosen(c) and rank.get(c.confidence or "", -1) >= least]
    return tuple(sorted(found, key=lambda c: (c.first_public or "9999", c.key)))


def ending(claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> Ending:
    """Which of the candidates, given in the order in which they appeared, would end a claim."""
    now, then = evaluate(claim, pool), evaluate(claim, pool, admitted(waiting))
    search = _Search(claim, pool, waiting if now.holds else ())
    fewest = search.fewest()
    return Ending(
        holds=now.holds,
        admitted=_keys(waiting),
        alone=_keys(search.alone),
        in_order=_keys(search.in_order),
        fewest=_keys(fewest),
        exact=search.exact or len(fewest) in {1, 2},
        unread=tuple(_unread(claim, pool, waiting)),
        after=then.decisive,
    )


def alone(claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates each of which would end a claim that holds by itself."""
    return _Search(claim, pool, waiting).alone


def _keys(waiting: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(candidate.key for candidate in waiting)


def admitted(waiting: Iterable[Candidate]) -> Perturbation:
    """The perturbation that admits candidates."""
    return Perturbation("candidates admitted", Family.CANDIDATES, {c.key: c for c in waiting}, whole=True)


def _unread(claim: Claim, pool: Pool, waiting: Iterable[Candidate]) -> Iterator[str]:
    asked = {name for query in pool.queries(claim) for name in query.names}
    retired = {axis.id: {entry.id for entry in axis.retired} for axis in pool.corpus.taxonomy.axes if axis.id in asked}
    for candidate in waiting:
        if any(tag.strength in words for axis, words in retired.items() for tag in candidate.tags.get(axis, ())):
            yield candidate.key


class _Search:
    """The search for candidates that end a claim.

    The answers to counting expectations follow from sums: each candidate has a pull towards each bound, and only
    candidates with a pull can make an answer cross it. So the best set of each size has the largest pulls.
    """

    def __init__(self, claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> None:
        self.claim, self.pool, self.waiting = claim, pool, waiting
        living = list(pool.living(claim))
        strong = [(e, found) for e in living for pull in _pulls(e, pool) if (found := _strong(pull, waiting))]
        self.strong = [found for _, found in strong]
        # No candidate changes how the others are met.
        self.moved = [e for e in living if e.kind not in COUNTING | UNMOVED or any(e is other for other, _ in strong)]
        self.counts = all(expectation.kind in COUNTING | UNMOVED for expectation in living)
        self.exact = all(
            expectation.kind in COUNTING | UNMOVED | SINGLE and {*expectation.allowed} != {"gap", "covered"}
            for expectation in living
        )

    def ends(self, waiting: Sequence[Candidate]) -> bool:
        """True if the claim fails with these candidates."""
        change = admitted(waiting)
        return not all(outcome(self.claim, expectation, self.pool, change).holds for expectation in self.moved)

    @cached_property
    def able(self) -> tuple[Candidate, ...]:
        """The candidates after which an answer can be across a bound that it was not across before."""
        pulling = {candidate.key for strong in self.strong for candidate in strong}
        return tuple(c for c in self.waiting if not self.counts or c.key in pulling)

    @cached_property
    def alone(self) -> tuple[Candidate, ...]:
        """The candidates that end the claim by themselves."""
        return tuple(candidate for candidate in self.able if self.ends([candidate]))

    @cached_property
    def in_order(self) -> Sequence[Candidate]:
        """The candidates, in their order, until the claim first fails; none if it never does."""
        last = {candidate.key for candidate in self.able}
        counts = (n for n, candidate in enumerate(self.waiting, 1) if candidate.key in last)
        return next((self.waiting[:n] for n in counts if self.ends(self.waiting[:n])), ())

    def fewest(self) -> Sequence[Candidate]:
        """The smallest set found that ends the claim, none if it seems to survive every set."""
        found = [self.alone[:1], self.in_order, *map(self._fewest_of, self.strong)]
        return min((chosen for chosen in found if chosen), key=len, default=())

    def _fewest_of(self, strong: Sequence[Candidate]) -> Sequence[Candidate]:
        """The fewest candidates that end the claim, of those with a pull, the largest first."""
        if not self.ends(strong):
            return ()
        # Each further one moves the answer on in the same direction, so bisection finds the first that ends it.
        sizes = range(1, len(strong) + 1)
        return strong[: sizes[first_failure(sizes, lambda n: not self.ends(strong[:n]))]]


def _strong(pull: Pull, waiting: Sequence[Candidate]) -> Sequence[Candidate]:
    """The candidates with a pull, the largest first."""
    pulls = {candidate.key: pull(candidate) for candidate in waiting}
    return sorted((c for c in waiting if pulls[c.key] > 0), key=lambda c: pulls[c.key], reverse=True)


def _pulls(expectation: Expectation, pool: Pool) -> Iterator[Pull]:
    """The pull of a candidate towards each bound; none for an expectation that does not count papers."""
    e = expectation
    if e.kind not in COUNTING or e.of != "papers":
        return
    if e.kind == "state":
        axis, covering = pool.covering(e.asked)
        share = axis.sparse.share or 0.0
        yield from (partial(_pull, pool.query(covering), pool.query(axis.sparse.of), share, sign) for sign in (1, -1))
        return
    asked = pool.query(e.asked if e.kind != "share" else f"({e.asked}) AND ({e.among})")
    other = e.over or e.minus or (e.among if e.kind == "share" else None)
    among = pool.query(other) if other else None
    for name, bound in e.bounds:
        if isinstance(bound, tuple):
            if name != "at_least":
                yield partial(_unnamed, asked, bound)
            continue
        # asked / among > bound is asked - bound x among > 0, and asked - among > bound has the slope 1.
        slope = 1.0 if e.minus else bound
        yield from (partial(_pull, asked, among, slope, sign) for sign in SIGNS[name])


def _pull(asked: Query, among: Query | None, slope: float, sign: int, candidate: Candidate) -> float:
    return sign * (asked.matches(candidate) - (slope if among and among.matches(candidate) else 0))


def _unnamed(asked: Query, named: Sequence[str], candidate: Candidate) -> float:
    """1 for a candidate that matches and that the bound does not name."""
    return float(asked.matches(candidate) and candidate.key not in named)


NOTE = "a candidate whose strengths on an axis of the claim are retired ones is not yet re-read"


def outlook_sentence(one: Forecast) -> str:
    """Say if the claim holds, and which candidates would end it or would have ended it on its own day."""
    today, then = one.proposed, one.missed
    parts = [f"as of {one.claim.as_of} it {'holds' if today.holds else 'fails'}"]
    n = counted(len(today.admitted), "candidate")
    parts.append(f"of {n} proposed for retention, {_falls(today, 'would', 'end it')}")
    if then.fewest:
        end = _falls(then, "would have", "changed its answer")
        n = counted(len(then.admitted), "candidate")
        parts.append(f"of {n} to retain or consider that the search missed, {end} on its own day")
    if unread := {*today.unread, *then.unread}:
        parts.append(f"not yet re-read: {len(unread)} of these candidates")
    return "; ".join(parts)


def _falls(ending: Ending, would: str, what: str) -> str:
    end = f"{would} {what}"
    if ending.alone:
        n = len(ending.alone)
        return f"{f'each of {n}' if n > 1 else '1'} alone {end}"
    if not ending.fewest:
        return f"none {end}" if ending.exact else f"no set was found that {end}"
    chosen = f"{_bound(ending)} chosen ones ({listed_keys(ending.fewest)})"
    if not ending.in_order:
        return f"{chosen} {end} together"
    return f"the first {len(ending.in_order)} to appear {end} together, and so {would} {chosen}"


def _bound(ending: Ending) -> str:
    return f"{'' if ending.exact else 'at most '}{len(ending.fewest)}"


def forecast_report(found: Sequence[Forecast], level: str) -> Iterator[Section]:
    """One for all that are proposed, then what the search missed on the claims' own days, and what appeared since."""
    views = {
        "proposed": f"If the {{candidates}} proposed for retention{level} were admitted",
        "missed": f"Missed: if the search had found {{these}} {{candidates}}{level}, on each claim's own day",
        "later": f"Since then: if only the {{n}} of them that appeared later{level} were admitted",
    }
    columns = ("claim", "with them", "in their order", "fewest", "by one alone", "observed then", "not yet re-read")
    for view, title in views.items():
        endings: list[Ending] = [getattr(one, view) for one in found]
        rows = [(one.claim.id, *_row(ending)) for one, ending in zip(found, endings, strict=True)]
        if endings and (n := len(endings[0].admitted)):
            these = "this" if n == 1 else "these"
            words = title.format(n=n, candidates=counted(n, "candidate"), these=these)
            yield Section(words, (Table.of(columns, rows, note=NOTE),))


def _row(ending: Ending) -> Iterator[Cell]:
    falls = Toned("falls", "bad") if not ending.after.holds else Toned("stays", "good")
    yield falls if ending.holds else Toned("fails already", "muted")
    yield f"{len(ending.in_order)}, with {ending.in_order[-1]}" if ending.in_order else ""
    if ending.fewest:
        yield f"{_bound(ending)}: {listed_keys(ending.fewest)}"
    else:
        yield "" if ending.exact else Toned("not searched", "muted")
    yield listed_keys(ending.alone)
    yield observed(ending.after, keys=False)
    yield len(ending.unread) or ""


def forecast_json(one: Forecast) -> dict[str, object]:
    """The published form."""
    parts = {"proposed": one.proposed, "missed": one.missed, "later": one.later}
    return {"claim": one.claim.id, **{name: _ending_json(part) for name, part in parts.items()}}


def _ending_json(ending: Ending) -> dict[str, object]:
    return {
        "holds": ending.holds,
        "falls": ending.holds and not ending.after.holds,
        "admitted": len(ending.admitted),
        "in_order": list(ending.in_order),
        "fewest": list(ending.fewest),
        "exact": ending.exact,
        "alone": list(ending.alone),
        "not_reread": list(ending.unread),
        "observed": to_json(ending.after.value),
    }
