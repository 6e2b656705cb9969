"""The finding of a survey: the claims that introduce it, in a sentence each and as a chart over an axis."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awesome_cli.analysis.audit.report import agreement_sentences
from awesome_cli.analysis.claims.admission import admitted, proposed
from awesome_cli.analysis.claims.evaluation import Outcome, evaluate, under
from awesome_cli.analysis.claims.perturbations import UNCHANGED
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus
from awesome_cli.analysis.claims.wording import RECORDS, answer_text, titled, valued
from awesome_cli.model.claims import Claim
from awesome_cli.model.codings import split_axis
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.query.query_words import described
from awesome_cli.survey.corpus import ContestReading, Side
from awesome_cli.survey.readings import reading_of
from awesome_cli.text.numbers import counted

FEW = 3
"""The maximum number of claims that introduce a survey."""


@dataclass(frozen=True, slots=True)
class LeadAnswer:
    """A claim's first outcome that is not dated, in a reading (None: as coded); `holds` refers to the whole claim."""

    reading: ContestReading | None
    outcome: Outcome
    holds: bool


@dataclass(frozen=True, slots=True)
class Lead:
    """A claim that introduces the survey, as coded and, if the taxonomy has grades, in both readings.

    `origin` is the published claim that it replaces; None if a previous lead has the same.
    """

    result: ClaimResult
    answers: tuple[LeadAnswer, ...]
    pool: Pool
    origin: Claim | None = None

    @property
    def statement(self) -> str:
        """The headline with the observed value; the claim's statement without a headline, or if the claim fails."""
        claim = self.result.claim
        if claim.headline is None or self.result.status is ClaimStatus.FAILS:
            return claim.statement.rstrip(".!?")
        return claim.headline.sentence.replace("{observed}", observed_text(self.answers[0].outcome, self))

    @property
    def short(self) -> str:
        """The statement with its status: `3 papers brew cold; disputed: 0 to 6 papers`."""
        fails = f"fails in the {self.result.reading}" if self.result.reading else "the records contradict this"
        remarks = {
            ClaimStatus.HOLDS: f"; {self.spread}" if self.spread else "",
            ClaimStatus.CONTESTED: f"; disputed: {self.spread or 'objections could overturn it'}",
            ClaimStatus.UNDECIDED: "; undecided",
            ClaimStatus.FAILS: f"; {fails}: {observed_text(self.result.verdict.decisive, self)}",
        }
        return self.statement + remarks.get(self.result.status, "")

    @property
    def sentence(self) -> str:
        """The short form with its condition, as a full sentence."""
        status, doubts = self.result.status, self.result.doubts
        if status is ClaimStatus.UNDECIDED and doubts:
            return f"{self.short}: {doubts[0]}."
        ranged = status in {ClaimStatus.HOLDS, ClaimStatus.CONTESTED} and self.spread
        return self.short + (", depending on which objections are right." if ranged else ".")

    @property
    def spread(self) -> str:
        """The smallest and the largest answer of all readings: `0 to 6 papers`; empty unless they are numbers."""
        outcomes = [answer.outcome for answer in self.answers]
        numbers = [(outcome.value, outcome) for outcome in outcomes if isinstance(outcome.value, float | int)]
        if len(numbers) < len(outcomes) or len({value for value, _ in numbers}) == 1:
            return ""
        (low, first), (_, last) = (pick(numbers, key=lambda pair: pair[0]) for pick in (min, max))
        return f"{valued(first.expectation, low)} to {observed_text(last, self)}"

    def moved(self, answer: LeadAnswer) -> tuple[str, ...]:
        """Return the keys of the records that an answer selects and the answer as coded does not, or the reverse."""
        return tuple(sorted({*answer.outcome.selection.keys} ^ {*self.answers[0].outcome.selection.keys}))

    def awaited(self) -> tuple[str, ...]:
        """Return the keys of the candidates, proposed for retention, that the answer as coded would select."""
        if self.pool.corpus.day is not None:
            return ()
        at = self.result.verdict.outcomes.index(self.answers[0].outcome)
        then = evaluate(self.result.claim, self.pool, admitted(proposed(self.pool.corpus))).outcomes[at]
        return tuple(key for key in then.selection.keys if key not in self.answers[0].outcome.selection)


def observed_text(outcome: Outcome, lead: Lead) -> str:
    """Return the observed value of an outcome with its unit, without remarks: `6 papers`."""
    if outcome.expectation.kind == "ids":
        return counted(len(outcome.selection), RECORDS[outcome.expectation.of])
    return answer_text(outcome, lead.result.claim, lead.pool).value.partition(", ")[0].partition(" (")[0]


def leading(checked: ClaimResults) -> tuple[Lead, ...]:
    """Return the claims with a headline or, without any, the first by `_rank` that stands and is not definitional."""
    results = [result for result in checked.results if result.stands and not result.claim.definitional]
    marked = [result for result in results if result.claim.headline]
    chosen = marked[:FEW] or sorted(results, key=_rank)[:1]
    origins = [checked.pool.corpus.claims.origin(result.claim) for result in chosen]
    return tuple(
        Lead(result, tuple(_answers(result, checked)), checked.pool, None if origins[i] in origins[:i] else origins[i])
        for i, result in enumerate(chosen)
    )


def headline(leads: Sequence[Lead]) -> str:
    """Return the first leading claim as a sentence with titles in place of keys; empty if no claim leads."""
    return titled(leads[0].pool.corpus, leads[0].sentence) if leads else ""


def lead_agreement(pool: Pool, leads: Sequence[Lead]) -> str:
    """State the agreement on the axis of the leading claims or, by default, of the first map; empty without audits."""
    axes = pool.axes(lead.result.claim for lead in leads)
    corpus, maps = pool.corpus, pool.corpus.taxonomy.maps[:1]
    return next(agreement_sentences(corpus, *axes, *(pair.rows for pair in maps)), "")


def _rank(result: ClaimResult) -> tuple[bool, bool]:
    """Sort key: successors of revised claims first, then contested claims, then the order of the file."""
    return not result.claim.succeeds, result.status is not ClaimStatus.CONTESTED


def _answers(result: ClaimResult, checked: ClaimResults) -> Iterator[LeadAnswer]:
    at = result.verdict.outcomes.index(result.verdict.living)
    yield LeadAnswer(None, result.verdict.outcomes[at], result.verdict.holds)
    for reading in _readings(checked.pool):
        verdict = evaluate(result.claim, checked.pool, under(reading, checked.pool))
        yield LeadAnswer(reading, verdict.outcomes[at], verdict.holds)


def _readings(pool: Pool) -> Iterator[ContestReading]:
    for side in Side if pool.corpus.taxonomy.grades else ():
        if reading := reading_of(pool.corpus.taxonomy, side):
            yield reading


@dataclass(frozen=True, slots=True)
class Bar:
    """The number of papers with a term as coded, and the smallest and largest number of all readings."""

    n: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Leading claims that count papers with a term, repeated for each term beside it.

    `rows` has for each term with the same parent a bar per series, in the order of `captions`; `led` are the ids of the
    claims' terms.
    """

    axis: Axis
    captions: tuple[str, ...]
    rows: tuple[tuple[Term, tuple[Bar, ...]], ...]
    led: frozenset[str]

    @property
    def top(self) -> int:
        """The largest number in the chart, at least 1."""
        return max(1, *(bar.high for _, bars in self.rows for bar in bars))

    @property
    def disputed(self) -> bool:
        """True if a number differs between readings."""
        return any(bar.low != bar.high for _, bars in self.rows for bar in bars)


def chart(leads: Sequence[Lead]) -> Chart | None:
    """Return the chart of the leading claims on the axis of the first; None if it does not count papers with a term."""
    first = _place(leads[0]) if leads else None
    if first is None:
        return None
    axis, led, _ = first
    parent, pool = axis.by_id[led].parent, leads[0].pool
    terms = [term for term in axis.terms if term.parent == parent]
    places = [(lead, place) for lead in leads if (place := _place(lead)) and place[0] is axis]
    captions = {tail: _caption(lead, axis, tail) for lead, (_, _, tail) in reversed(places)}
    bars = {tail: [_bar(f"{axis.id}={term.id}{tail}", pool) for term in terms] for tail in captions}
    tails = sorted(captions, key=lambda tail: -sum(bar.n for bar in bars[tail]))
    rows = [(term, tuple(bars[tail][i] for tail in tails)) for i, term in enumerate(terms)]
    return Chart(
        axis, tuple(captions[tail] for tail in tails), tuple(rows), frozenset(term for _, (_, term, _) in places)
    )


def _place(lead: Lead) -> tuple[Axis, str, str] | None:
    """Return axis, term and the rest of the query of a count or state: the axis `taste`, `sour`, `:measured:main`."""
    expectation = lead.answers[0].outcome.expectation
    query = lead.pool.covering(expectation.state) if expectation.state else expectation.count
    name, value = split_axis(query or "")
    axis = lead.pool.corpus.taxonomy.by_id.get(name)
    term, colon, rest = (value or "").partition(":")
    simple = axis and term in axis.by_id and not any(sign.isspace() or sign in '(),"' for sign in rest)
    if axis is None or not simple or expectation.of != "papers" or expectation.over or expectation.minus:
        return None
    return axis, term, colon + rest


def _bar(query: str, pool: Pool) -> Bar:
    changes = (UNCHANGED, *(under(reading, pool) for reading in _readings(pool)))
    numbers = [len(pool.select("papers", query, change)) for change in changes]
    return Bar(numbers[0], min(numbers), max(numbers))


def _caption(lead: Lead, axis: Axis, tail: str) -> str:
    marked = lead.result.claim.headline
    return (marked and marked.counts) or described(f"{axis.id}=*{tail}", lead.pool.corpus.taxonomy)
