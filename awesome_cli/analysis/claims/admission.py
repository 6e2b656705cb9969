"""Effects of admitting candidates on a claim: the candidates that end it alone, and the smallest set that does."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from awesome_cli.analysis.claims.evaluation import COUNTING, Outcome, evaluate, first_failure, outcome
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
"""Amount by which a candidate moves an answer towards one of its bounds; amounts of candidates add up."""
UNMOVED = frozenset({"agreement"})
"""Kinds of expectations whose answer candidates cannot change."""
SINGLE = frozenset({"largest"})
"""Kinds of expectations that a set of candidates ends only if one candidate of the set ends them alone."""
SIGNS = {"at_most": (1,), "at_least": (-1,), "equals": (1, -1)}


@dataclass(frozen=True, slots=True)
class Ending:
    """The effect of admitting candidates on a claim; `holds` is True if the claim holds without the candidates.

    Each candidate in `alone` would end the claim by itself. If candidates are admitted by publication date, the claim
    first fails with the last of `in_order`. `fewest` is the smallest known set that ends the claim; if `exact`, no
    smaller set exists. `unread` are candidates that have a retired strength on an axis of the claim. `after` is the
    answer with all of the `admitted` candidates.
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
    """The effects of three sets of candidates on one claim.

    `proposed` adds all candidates proposed for retention to today's pool. `missed` adds the candidates that were public
    by the cutoff but missed by the search to the pool on the claim's date. `later` adds the proposed candidates that
    were published after the cutoff to today's pool.
    """

    claim: Claim
    proposed: Ending
    missed: Ending
    later: Ending


def forecast(claim: Claim, pool: Pool, confidence: str | None = None) -> Forecast:
    """Return the effects of candidates at or above a confidence; raises `UsageError` for an unknown level."""
    then, today = pool.as_of(claim.as_of), proposed(pool.corpus, confidence)
    old = tuple(as_of(candidate, claim.as_of) for candidate in missed(pool.corpus, confidence))
    return Forecast(
        claim,
        proposed=ending(claim, pool, today),
        missed=ending(claim, then, old),
        later=ending(claim, pool, [candidate for candidate in today if found_how(candidate) == "later"]),
    )


def proposed(corpus: Corpus, confidence: str | None = None) -> tuple[Candidate, ...]:
    """Return the candidates proposed for retention at or above a confidence, ordered by publication date."""
    return _in_order(corpus, confidence, lambda candidate: candidate.proposal == "retain")


def missed(corpus: Corpus, confidence: str | None = None) -> tuple[Candidate, ...]:
    """Return the missed candidates not proposed for exclusion, at or above a confidence, by publication date."""
    return _in_order(corpus, confidence, lambda c: c.proposal != "exclude" and found_how(c) == "missed")


def found_how(candidate: Candidate) -> str | None:
    """Return how a candidate was found (`later`, `missed` …), None if not recorded."""
    return candidate.found.how if candidate.found else None


def _in_order(corpus: Corpus, confidence: str | None, chosen: Callable[[Candidate], bool]) -> tuple[Candidate, ...]:
    rank = corpus.taxonomy.confidence_rank
    least = -1 if confidence is None else rank[require_known(confidence, rank, "confidence")]
    candidates = [c for c in corpus.candidates if chosen(c) and rank.get(c.confidence or "", -1) >= least]
    return tuple(sorted(candidates, key=lambda c: (c.first_public or "9999", c.key)))


def ending(claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> Ending:
    """Return the effect of candidates on a claim; `waiting` are the candidates, ordered by publication date."""
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
    """Return the candidates that each would end a claim by itself; the claim must hold."""
    return _Search(claim, pool, waiting).alone


def _keys(waiting: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(candidate.key for candidate in waiting)


def admitted(waiting: Iterable[Candidate]) -> Perturbation:
    """Return the perturbation that admits candidates."""
    return Perturbation("candidates admitted", Family.CANDIDATES, {c.key: c for c in waiting}, whole=True)


def _unread(claim: Claim, pool: Pool, waiting: Iterable[Candidate]) -> Iterator[str]:
    axes = {name for query in pool.queries(claim) for name in query.names}
    retired = {axis.id: {entry.id for entry in axis.retired} for axis in pool.corpus.taxonomy.axes if axis.id in axes}
    for candidate in waiting:
        if any(tag.strength in words for axis, words in retired.items() for tag in candidate.tags.get(axis, ())):
            yield candidate.key


class _Search:
    """The search for candidates that end a claim.

    The answers to counting expectations are sums: each candidate has a pull towards each bound, and only candidates
    with a pull can move an answer beyond that bound. Therefore, the best set of each size has the largest pulls.
    """

    def __init__(self, claim: Claim, pool: Pool, waiting: Sequence[Candidate]) -> None:
        self.claim, self.pool, self.waiting = claim, pool, waiting
        living = list(pool.living(claim))
        strong = [(e, pulling) for e in living for pull in _pulls(e, pool) if (pulling := _strong(pull, waiting))]
        self.strong = [pulling for _, pulling in strong]
        # The answers to other expectations do not change.
        self.moved = [e for e in living if e.kind not in COUNTING | UNMOVED or any(e is pulled for pulled, _ in strong)]
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
        """Candidates that can move an answer beyond a bound."""
        pulling = {candidate.key for strong in self.strong for candidate in strong}
        return tuple(c for c in self.waiting if not self.counts or c.key in pulling)

    @cached_property
    def alone(self) -> tuple[Candidate, ...]:
        """The candidates that end the claim by themselves."""
        return tuple(candidate for candidate in self.able if self.ends([candidate]))

    @cached_property
    def in_order(self) -> Sequence[Candidate]:
        """The first candidates by publication, up to the one with which the claim fails; empty if it never fails."""
        last = {candidate.key for candidate in self.able}
        counts = (n for n, candidate in enumerate(self.waiting, 1) if candidate.key in last)
        return next((self.waiting[:n] for n in counts if self.ends(self.waiting[:n])), ())

    def fewest(self) -> Sequence[Candidate]:
        """Return the smallest known set that ends the claim, empty if no such set is known."""
        sets = [self.alone[:1], self.in_order, *map(self._fewest_of, self.strong)]
        return min((candidates for candidates in sets if candidates), key=len, default=())

    def _fewest_of(self, strong: Sequence[Candidate]) -> Sequence[Candidate]:
        """Return the fewest candidates of one pull that end the claim; `strong` has the largest pull first."""
        if not self.ends(strong):
            return ()
        # Each candidate moves the answer in the same direction, so bisection finds the first that ends it.
        sizes = range(1, len(strong) + 1)
        return strong[: sizes[first_failure(sizes, lambda n: not self.ends(strong[:n]))]]


def _strong(pull: Pull, waiting: Sequence[Candidate]) -> Sequence[Candidate]:
    pulls = {candidate.key: pull(candidate) for candidate in waiting}
    return sorted((c for c in waiting if pulls[c.key] > 0), key=lambda c: pulls[c.key], reverse=True)


def _pulls(expectation: Expectation, pool: Pool) -> Iterator[Pull]:
    """Yield the pull towards each bound; nothing for an expectation that does not count papers."""
    e = expectation
    if e.kind not in COUNTING or e.of != "papers":
        return
    if e.kind == "state":
        sparse, covering = pool.corpus.taxonomy.sparse, pool.query(pool.covering(e.topic))
        yield from (partial(_pull, covering, pool.query(sparse.among), sparse.share or 0.0, sign) for sign in (1, -1))
        return
    counted_query = pool.query(e.topic if e.kind != "share" else f"({e.topic}) AND ({e.among})")
    base = e.over or e.minus or (e.among if e.kind == "share" else None)
    among = pool.query(base) if base else None
    for name, bound in e.bounds:
        if isinstance(bound, tuple):
            if name != "at_least":
                yield partial(_unexpected, counted_query, bound)
            continue
        # counted / among > bound means counted - bound x among > 0; counted - among > bound has slope 1.
        slope = 1.0 if e.minus else bound
        yield from (partial(_pull, counted_query, among, slope, sign) for sign in SIGNS[name])


def _pull(query: Query, among: Query | None, slope: float, sign: int, candidate: Candidate) -> float:
    return sign * (query.matches(candidate) - (slope if among and among.matches(candidate) else 0))


def _unexpected(query: Query, expected: Sequence[str], candidate: Candidate) -> float:
    return float(query.matches(candidate) and candidate.key not in expected)


CHOICE = " proposed for retention"
NOTE = "not re-read: candidates that have a retired strength on an axis of the claim"


def outlook_sentence(outlook: Forecast) -> str:
    """State if the claim holds, and which candidates would overturn it now or would have done so on its date."""
    today, then = outlook.proposed, outlook.missed
    parts = [f"{'holds' if today.holds else 'fails'} as of {outlook.claim.as_of}"]
    parts.append(effect(today))
    if then.fewest:
        parts.append(effect(then, "missed candidate", "", "would have overturned it on that date"))
    if n := len({*today.unread, *then.unread}):
        parts.append(f"{n} of these candidates {'has' if n == 1 else 'have'} retired strengths")
    return "; ".join(parts)


def effect(ending: Ending, noun: str = "candidate", choice: str = CHOICE, overturn: str = "would overturn it") -> str:
    """Describe an effect: `3 of 35 candidates proposed for retention would each overturn it`."""
    pool = f"{counted(len(ending.admitted), noun)}{choice}"
    would, _, verb = overturn.partition(" ")
    if n := len(ending.alone):
        return f"{n} of {pool} {would} {'each ' if n > 1 else ''}{verb}"
    if not ending.fewest:
        return f"none of {pool} {overturn}" if ending.exact else f"no known set of {pool} {overturn}"
    fewest = f"{_bound(ending)} of {pool} {would} together {verb} ({listed_keys(ending.fewest)})"
    return fewest + (f", as {would} the first {len(ending.in_order)} published" if ending.in_order else "")


def _bound(ending: Ending) -> str:
    return f"{'' if ending.exact else 'at most '}{len(ending.fewest)}"


def forecast_report(forecasts: Sequence[Forecast], level: str) -> Iterator[Section]:
    """Yield a table each for proposed candidates, missed candidates and later candidates."""
    views = {
        "proposed": f"If the {{candidates}} proposed for retention{level} were admitted",
        "missed": f"Missed: if the search had found {{these}} {{candidates}}{level}, on the date of each claim",
        "later": f"Since then: if only the {{n}} published later{level} were admitted",
    }
    columns = ("claim", "with all", "in order", "fewest", "alone", "observed with all", "not re-read")
    for view, title in views.items():
        endings: list[Ending] = [getattr(outlook, view) for outlook in forecasts]
        rows = [(outlook.claim.id, *_row(ending)) for outlook, ending in zip(forecasts, endings, strict=True)]
        if endings and (n := len(endings[0].admitted)):
            these = "this" if n == 1 else "these"
            heading = title.format(n=n, candidates=counted(n, "candidate"), these=these)
            yield Section(heading, (Table.of(columns, rows, note=NOTE),))


def _row(ending: Ending) -> Iterator[Cell]:
    falls = Toned("falls", "bad") if not ending.after.holds else Toned("stays", "good")
    yield falls if ending.holds else Toned("fails already", "muted")
    yield f"{len(ending.in_order)}, last {ending.in_order[-1]}" if ending.in_order else ""
    if ending.fewest:
        yield f"{_bound(ending)}: {listed_keys(ending.fewest)}"
    else:
        yield "" if ending.exact else Toned("not searched", "muted")
    yield listed_keys(ending.alone)
    yield observed(ending.after, keys=False)
    yield len(ending.unread) or ""


def forecast_json(outlook: Forecast) -> dict[str, object]:
    endings = {view: _ending_json(getattr(outlook, view)) for view in ("proposed", "missed", "later")}
    return {"claim": outlook.claim.id, **endings}


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
