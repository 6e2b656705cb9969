"""The card of a candidate on the screen: its text with the searched words marked, what it is like, and the rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from awesome_cli.analysis.claims import danger
from awesome_cli.analysis.claims.evaluation import Verdict
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.likeness import Likeness, Neighbour
from awesome_cli.analysis.screening.queue import abstract_of
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.model.records import Candidate, Exclusion
from awesome_cli.model.screenings import OPEN, Decision
from awesome_cli.query import searching
from awesome_cli.reports.report import Line, Tone
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import visible_line

SHOWN_LETTERS = 10_000
"""So much of an abstract is shown."""
NEIGHBOURS = 3
GROWTH = 0.02
"""The share of new records with which the index of what a candidate is like is made again."""


def shown(text: str) -> str:
    """A text on one line, with nothing in it that acts."""
    line = visible_line(" ".join(text.split()))
    rest = len(line) - SHOWN_LETTERS
    return line if rest <= 0 else f"{line[:SHOWN_LETTERS]} … ({rest:,} more letters)"


def links(candidate: Candidate) -> tuple[str, ...]:
    """The addresses at which a candidate can be read, the best first."""
    found = (candidate.address, *(link.url for link in candidate.links))
    pages = (page for _, page in candidate.identifiers.addresses())
    return tuple(dict.fromkeys(address for address in (*found, *pages) if address))


@dataclass
class ScreeningCards:
    """Makes the card of each candidate of a survey; what is looked up in all records is made once.

    `decided` is what the person decided on candidates. What they are like is looked up among these, too: in an index
    that is made again when its records became more by a share of `GROWTH`, so that a large one costs no time.
    """

    corpus: Corpus
    decided: dict[str, Decision] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)

    def decide(self, key: str, decision: Decision | None) -> None:
        """Follow a decision, None for one that was taken back."""
        if decision is None:
            self.decided.pop(key, None)
        elif decision.verdict not in OPEN:
            self.decided[key] = decision
        self.touched.add(key)
        if len(self.touched) > GROWTH * len(self._sides):
            self._forget("_sides", "_retained", "_excluded")
            self.touched.clear()

    def kind(self, key: str) -> str | None:
        """How a record was decided: `retained`, or `excluded` with the reason; None for one that is undecided."""
        record = self.corpus.by_key.get(key)
        if record is None:
            return None
        if isinstance(record, Exclusion):
            return f"excluded, {record.screening.reason}"
        decision = self.decided.get(key)
        if decision is not None and decision.verdict in {"exclude", "near_miss"}:
            return f"excluded, {decision.reason}"
        included = decision is not None and decision.verdict == "include"
        waits = isinstance(record, Candidate) and not record.is_included
        return "retained" if included or not waits else None

    @cached_property
    def _before(self) -> tuple[str, ...]:
        return tuple(record.key for record in self.corpus.records if self.kind(record.key))

    @cached_property
    def _sides(self) -> Mapping[str, str]:
        keys = dict.fromkeys((*self._before, *self.decided))
        return {key: kind for key in keys if (kind := self.kind(key))}

    def _forget(self, *names: str) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    def follow(self, corpus: Corpus) -> None:
        """Follow the survey: its papers are others now."""
        self.corpus = corpus
        self._forget("_before", "_sides", "_retained", "_excluded", "_pool", "_verdicts")

    @cached_property
    def searches(self) -> tuple[searching.Search, ...]:
        """The saved searches that can be read."""
        found = []
        for saved in self.corpus.searches:
            try:
                found += [searching.parse(saved.query)] if saved.query else []
            except UsageError:
                continue  # 'awesome validate' says so
        return tuple(found)

    @cached_property
    def _retained(self) -> Likeness:
        return self._index("retained")

    @cached_property
    def _excluded(self) -> Likeness:
        return self._index("excluded")

    def _index(self, side: str) -> Likeness:
        return Likeness.of(self.corpus.by_key[key] for key, kind in self._sides.items() if kind.startswith(side))

    @cached_property
    def _pool(self) -> Pool:
        return Pool(self.corpus.with_known_tags()[0])

    @cached_property
    def _verdicts(self) -> Sequence[Verdict]:
        return danger.judged(self._pool)

    def near(self, candidate: Candidate) -> tuple[Neighbour, ...]:
        """The retained and the excluded records that a candidate is most like, those of each kind by likeness."""
        text = abstract_of(candidate) or ""
        without = {candidate.key, *(key for key in self.touched if self.kind(key) != self._sides.get(key))}
        found = (one.nearest(candidate.title, text, NEIGHBOURS, without) for one in (self._retained, self._excluded))
        return tuple(neighbour for some in found for neighbour in some)

    def endangered(self, candidate: Candidate) -> tuple[str, ...]:
        """Return sentences on claims that the candidate, admitted as it is coded so far, would end or weaken."""
        if not candidate.tags and not candidate.measures:
            return ()
        if self.corpus.unread:
            return ("its effect on claims is not known while a record cannot be read: awesome validate",)
        try:
            found = danger.dangers(self._pool, self._verdicts, [candidate])
        except AwesomeError as error:  # 'awesome claims check' says more
            return (f"its effect on claims is not known: {error.message}",)
        return tuple(f"{one.effect} the claim {one.claim.id}: {one.claim.statement}" for one in found)

    def lines(self, candidate: Candidate, notes: Sequence[str] = ()) -> tuple[Line, ...]:
        """The card, with what people said of it."""
        return tuple(self._lines(candidate, notes))

    def _lines(self, candidate: Candidate, notes: Sequence[str]) -> Iterator[Line]:
        yield self._marked(candidate.title, "strong", "title")
        authors = "; ".join(candidate.authors[:6]) + (" and others" if len(candidate.authors) > 6 else "")
        facts = (authors, str(candidate.year or ""), candidate.venue, candidate.key)
        yield Line(shown(" · ".join(filter(None, facts))), "muted")
        yield from (Line(shown(address), "muted", cut=True) for address in links(candidate)[:3])
        if found := _found(candidate):
            yield Line(shown(found), "muted")
        said = (f"note: {candidate.note}" if candidate.note else "", *notes)
        yield from (Line(shown(note), "warn") for note in dict.fromkeys(filter(None, said)))
        yield Line()
        abstract = abstract_of(candidate)
        yield (
            self._marked(abstract, "plain", "abstract") if abstract else Line("No abstract is kept: o opens the page.")
        )
        if endangered := self.endangered(candidate):
            yield from (Line(), Line("Admitted as it is coded so far, it", "strong"))
            yield from (Line(f"• {shown(text)}", "warn") for text in endangered)
        yield from self._neighbours(candidate)
        yield from self._rules()

    def _marked(self, text: str, tone: Tone, field: Literal["title", "abstract"]) -> Line:
        line = shown(text)
        return Line(line, tone, searching.marks(self.searches, line, field))

    def _neighbours(self, candidate: Candidate) -> Iterator[Line]:
        near = self.near(candidate)
        if near:
            yield from (Line(), Line("Most like it by their words", "strong"))
        for one in near:
            record = self.corpus.by_key[one.key]
            yield Line(shown(f"• {one.key} ({self._sides[one.key]}): {record.title} [{', '.join(one.words)}]"))

    def _rules(self) -> Iterator[Line]:
        protocol = self.corpus.protocol
        if protocol is None:
            return
        retained, out = (f"A work is {what} if one of these holds" for what in ("retained", "screened out"))
        rules = ((retained, protocol.include), (out, protocol.exclude))
        for title, criteria in rules:
            if criteria:
                yield from (Line(), Line(title, "strong"))
                yield from (Line(f"• {shown(one.text)}") for one in criteria)


def _found(candidate: Candidate) -> str:
    parts = [f"proposed: {candidate.proposal}"]
    if candidate.reason:
        parts.append(f"for {candidate.reason}")
    if candidate.first_public:
        parts.append(f"public {candidate.first_public}")
    if candidate.found is not None:
        said = ", ".join(str(value) for value in (candidate.found.source, candidate.found.on) if value)
        parts += [f"found: {said}"] if said else []
    return " · ".join(parts)
