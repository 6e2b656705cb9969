"""Describe expectations and observed values of claims, as queries or with the labels of the taxonomy."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awesome_cli.analysis.claims.evaluation import Outcome, Value, Verdict
from awesome_cli.analysis.claims.perturbations import FAMILY_TEXTS, Family
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.model.claims import Claim, Expectation
from awesome_cli.model.codings import split_axis
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.query.query_words import described, lowered, quoted, term_label
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.markup import split
from awesome_cli.text.numbers import both, counted, either, shortened

RELATIONS = {"equals": "exactly", "at_least": "at least", "at_most": "at most"}
NONE = (("at_most", 0.0),)
"""The default bounds of an expectation."""
SHOWN = 8


def listed_keys(keys: Sequence[str]) -> str:
    """List the first keys and the number of the rest; titles with commas may replace the keys."""
    return shortened(keys, SHOWN, "; ")


def titled(corpus: Corpus, text: str) -> str:
    """Return a text with short titles in place of keys of records."""
    records = corpus.by_key

    def title_of(match: re.Match[str]) -> str | None:
        return corpus.short_titles[records[match[0]].key] if match[0] in records else None

    return "".join(split(text, title_of))


def expected(expectation: Expectation) -> str:
    """Describe an expectation: `share of papers with topic=teaching: at most 12.5 %`."""
    e = expectation
    about = {
        "count": f"{e.of} with {e.topic}" if e.topic != "*" else e.of,
        "share": f"share of {e.of} with {e.topic}" + (f" among {e.among}" if e.among != "*" else ""),
        "state": f"state of {e.topic}",
        "ids": f"the {e.of} with {e.topic}",
        "largest": f"largest {e.topic} in {e.group}",
        "median": f"median {e.topic} in {e.group}",
        "agreement": f"agreement on {e.topic} in {e.audit}" + (f" ({e.group})" if e.group else ""),
        "survive": f"claims that flip under {str(e.under).replace('_', ' ')}",
    }[e.kind]
    if e.of_measure:
        about += f" among {e.among}" if e.among != "*" else ""
        about += f" at confidence {e.confidence} or better" if e.confidence else ""
    about += f" over {e.over}" if e.over else ""
    about += f" minus {e.minus}" if e.minus else ""
    return f"{about}: {_bounds(e)}"


def _bounds(e: Expectation) -> str:
    if e.allowed:
        return either(e.allowed)
    cells = "" if e.cells is None else f" of {counted(e.cells, 'cell')}"
    return " and ".join(f"{RELATIONS[name]} {valued(e, bound)}" for name, bound in e.bounds or NONE) + cells


def observed(outcome: Outcome, *, keys: bool = True) -> str:
    """Describe an observed value and the papers behind it."""
    e, text = outcome.expectation, valued(outcome.expectation, outcome.value)
    if e.kind == "agreement":
        text += f" of {outcome.cells:,}"
    elif e.kind in {"share", "state"} and outcome.value is not None:
        text += f", {_of_base(outcome, e.of.removesuffix('s'))}"
    text += f" ({outcome.base})" if outcome.base else ""
    with_keys = keys and not isinstance(outcome.value, tuple) and len(outcome.selection)
    return text + (f" ({listed_keys(outcome.selection.keys)})" if with_keys else "")


def _of_base(outcome: Outcome, noun: str) -> str:
    """Return the number of selected records, and for a share that of its base: `4 of 6 papers`."""
    n = len(outcome.selection)
    return counted(n, noun) if outcome.cells is None else f"{n:,} of {counted(outcome.cells, noun)}"


def all_observed(outcomes: Sequence[Outcome]) -> str:
    """Format the observed values of several outcomes."""
    return "; ".join(observed(outcome, keys=False) for outcome in outcomes)


def valued(expectation: Expectation, value: Value) -> str:
    """Format a value with the unit of its expectation."""
    if value is None:
        return "nothing to measure"
    if isinstance(value, tuple):
        return listed_keys(value) or "none"
    if isinstance(value, str):
        return value
    return f"{100 * value:.3g} %" if expectation.kind == "share" else f"{value:.4g}"


def to_json(value: Value) -> object:
    """Convert a value to JSON; whole numbers become integers."""
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


RECORDS = {"papers": "paper", "exclusions": "screened-out record"}


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The answer to an expectation as text: the subject (`about`), the observed `value` and the expected `bound`.

    `scale` is `(number, bound)` if both can be drawn on an axis from 0. `day` is the day of a dated figure. `budget` is
    the unit of the bound of a count with a single upper bound above 0.
    """

    about: str
    value: str
    bound: str
    holds: bool
    budget: str = ""
    scale: tuple[float, float] | None = None
    day: str | None = None

    @property
    def figure(self) -> str:
        """The value with the bound: `2 of at most 2 papers`, `2.4 % (expected at most 12.5 %)`."""
        if self.budget:
            value, mark, base = self.value.partition(" (")
            return f"{value.partition(' ')[0]} of {self.bound}{self.budget}{mark}{base}"
        repeats = (self.value, f"exactly {self.value}", f"exactly {self.value.partition(' ')[0]}")
        return self.value + (", as expected" if self.bound in repeats else f" (expected {self.bound})")

    def __str__(self) -> str:
        """The figure with its subject: `9 papers with … (expected at least 9)`, `state of …: sparse, 2 papers`."""
        noun = f"{self.value.partition(' ')[2].removesuffix('s')}s"
        if not self.about.startswith(noun):
            return f"{self.about}: {self.figure}"
        value = self.figure.partition(" (")[0].partition(",")[0]
        return value + self.about.removeprefix(noun) + self.figure.removeprefix(value)


def answer_text(outcome: Outcome, claim: Claim, pool: Pool) -> AnswerText:
    """Describe an outcome of a claim; if evaluated on the claim's date, with the taxonomy's labels of that date."""
    e = outcome.expectation
    of_its_day = e.dated or not claim.stands(pool.corpus.day)
    wording = _Wording(e, pool.as_of(claim.as_of) if of_its_day else pool)
    budget = e.kind == "count" and not wording.compared and e.at_most and len(e.bounds) == 1
    return AnswerText(
        about=wording.about(),
        value=wording.value(outcome),
        bound=wording.bound(),
        holds=outcome.holds,
        budget=wording.unit(valued(e, e.at_most)) if budget else "",
        scale=_scale(outcome),
        day=str(claim.as_of) if e.dated else None,
    )


def answer_texts(verdict: Verdict, pool: Pool) -> tuple[AnswerText, ...]:
    """Describe every outcome of a verdict."""
    return tuple(answer_text(outcome, verdict.claim, pool) for outcome in verdict.outcomes)


def decisive(verdict: Verdict, pool: Pool) -> AnswerText:
    """Describe the decisive outcome: the first that fails; if none fails, the first that is not dated."""
    return answer_text(verdict.decisive, verdict.claim, pool)


def first_sentence(text: str) -> str:
    """Return the first sentence; the next sentence starts with a capital letter, a digit or a quotation mark."""
    return re.split(r"(?<=[.!?])\s+(?=[\W\d_]*[^\W\d_a-z])", text.strip(), maxsplit=1)[0]


def _scale(outcome: Outcome) -> tuple[float, float] | None:
    bound = next((bound for _, bound in outcome.expectation.bounds), None)
    value = outcome.value
    drawn = isinstance(value, float | int) and isinstance(bound, float | int) and min(value, bound) >= 0
    return (float(value), float(bound)) if drawn else None  # type: ignore[arg-type]  # both are numbers


@dataclass(frozen=True, slots=True)
class _Wording:
    e: Expectation
    pool: Pool

    @property
    def taxonomy(self) -> Taxonomy:
        return self.pool.corpus.taxonomy

    @property
    def compared(self) -> str | None:
        return self.e.over or self.e.minus

    def about(self) -> str:
        """Return the subject of the expectation."""
        e = self.e
        match e.kind:
            case "state":
                name, term = split_axis(e.topic)
                axis = self.taxonomy.axis(name)
                return f"state of {lowered(axis.label)} {term_label(axis, term or '')}"
            case "agreement":
                audit = next(audit for audit in self.pool.corpus.audits if audit.key == e.audit)
                cells = f"cells of {both([self.column(name) for name in e.agreement])} on which two coders agree"
                return cells + (f" ({audit.subsets[e.group].label})" if e.group else "")
            case "survive":
                return f"claims that flip when {FAMILY_TEXTS[Family(str(e.under))]}"
            case "largest" | "median":
                return "".join(self.measured())
            case "share":
                return f"share of {self.records(e.topic)}" + (f" in {self.records(e.among)}" if e.among != "*" else "")
        return self.records(e.topic) + self.against()

    def records(self, query: str) -> str:
        return described(query, self.taxonomy, f"{RECORDS[self.e.of]}s")

    def against(self) -> str:
        """Return the second operand of a count: ` for each of the …` or ` minus …`."""
        base = self.records(self.compared) if self.compared else ""
        return base and (f" for each of the {base}" if self.e.over else f" minus {base}")

    def column(self, topic: str) -> str:
        name, _, part = topic.partition("=")
        axis = self.taxonomy.by_id.get(name.partition(".")[0])
        if axis is None:
            return quoted(topic)
        column = name.partition(".")[2]
        term = f" {term_label(axis, part.partition(':')[0])}" if part not in {"", "*"} else ""
        return lowered(axis.label) + term + (f" ({column})" if column else "")

    def measured(self) -> Iterator[str]:
        e = self.e
        measure = next(measure for measure in self.taxonomy.measures if measure.id == e.topic)
        groups = {group.id: quoted(group.label) for group in measure.groups}
        yield f"{e.kind} {lowered(measure.label)} in {groups.get(e.group or '', e.group)}"
        if self.compared:
            yield f" {'divided by' if e.over else 'minus'} that in {groups.get(self.compared, self.compared)}"
        if e.among != "*":
            yield f", among {self.records(e.among)}"
        if e.confidence:
            yield f", at confidence {e.confidence} or better"

    def unit(self, value: str) -> str:
        """Return the unit that follows a number."""
        e, singular = self.e, value == "1"
        if e.kind == "survive":
            return f" of {counted(len(e.survive), 'claim')}"
        if e.of_measure:
            return " times" if e.over else next((f" {m.unit}" for m in self.taxonomy.measures if m.id == e.topic), "")
        return f" {RECORDS[e.of]}{'' if singular else 's'}" if e.kind == "count" and not self.compared else ""

    def value(self, outcome: Outcome) -> str:
        value, base = valued(self.e, outcome.value), f" ({outcome.base})" if outcome.base else ""
        if outcome.value is None:
            return value + base
        if self.e.kind in {"state", "share"}:
            return f"{value}, {_of_base(outcome, RECORDS[self.e.of])}{base}"
        return value + (self.unit(value) if outcome.cells is None else f" of {counted(outcome.cells, 'cell')}") + base

    def bound(self) -> str:
        return "none" if not self.e.allowed and (self.e.bounds or NONE) == NONE else _bounds(self.e)
