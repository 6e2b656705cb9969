"""The card of a candidate in `awesome screen`: text with search terms marked, similar records, and criteria."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from awesome_cli.analysis.claims import danger
from awesome_cli.analysis.claims.evaluation import Verdict
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.likeness import Likeness, Neighbour
from awesome_cli.analysis.recall import parsed
from awesome_cli.analysis.screening.queue import bare
from awesome_cli.errors import AwesomeError
from awesome_cli.model.records import AnyWork, Candidate, Exclusion, Paper
from awesome_cli.model.screenings import OPEN, Decision
from awesome_cli.query import searching
from awesome_cli.reports.report import Line, Tone
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import visible_line

SHOWN_LETTERS = 10_000
"""Maximum length of an abstract on the card, in characters."""
NEIGHBOURS = 3
GROWTH = 0.02
"""The similarity index is rebuilt when this share of its records is new."""


def shown(text: str) -> str:
    """Return a text on one line, shortened to `SHOWN_LETTERS`, with control characters made visible."""
    line = visible_line(" ".join(text.split()))
    rest = len(line) - SHOWN_LETTERS
    return line if rest <= 0 else f"{line[:SHOWN_LETTERS]} … ({rest:,} more characters)"


def links(work: AnyWork) -> tuple[str, ...]:
    """Return the URLs of a work, best first."""
    urls = (work.address, *(link.url for link in work.links))
    pages = (page for _, page in work.identifiers.addresses())
    return tuple(dict.fromkeys(address for address in (*urls, *pages) if address))


def heading(work: AnyWork, notes: Sequence[str], searches: Sequence[searching.Search] = ()) -> Iterator[Line]:
    """Yield the lines on title, year, venue, key, retraction and a person's notes; marks search terms in the title."""
    yield _marked(work.title, "strong", "title", searches)
    yield Line(shown(" · ".join(filter(None, (str(work.year or ""), work.venue, work.key)))), "muted")
    if work.retraction and work.retraction.status != "none":
        yield Line(shown(f"The work is {work.retraction}."), "bad")
    yield from (Line(shown(note), "warn") for note in dict.fromkeys(notes))


def details(work: AnyWork) -> Iterator[Line]:
    """Yield the lines on authors, links and the record's note."""
    yield Line()
    if work.authors:
        yield Line(shown("; ".join(work.authors[:6]) + (" and others" if len(work.authors) > 6 else "")), "muted")
    yield from (Line(shown(address), "muted", cut=True) for address in links(work)[:3])
    if work.note:
        yield Line(shown(f"note: {work.note}"), "warn")


def abstract_line(abstract: str | None, searches: Sequence[searching.Search] = ()) -> Line:
    """Return the abstract with search terms marked, or a line that says how to get it."""
    absent = "No abstract is known. Press o to open the page; 'awesome refresh --abstracts' fetches abstracts."
    return _marked(abstract, "plain", "abstract", searches) if abstract else Line(absent)


def _marked(text: str, tone: Tone, field: Literal["title", "abstract"], searches: Sequence[searching.Search]) -> Line:
    line = shown(text)
    return Line(line, tone, searching.marks(searches, line, field))


@dataclass
class ScreeningCards:
    """Build the cards of candidates, with cached indexes over all records.

    `decided` has the person's decisions by key. The similarity indexes also contain the decided candidates. They are
    rebuilt only when `touched` exceeds the share `GROWTH`, so that large surveys stay fast. `blind` cards have no
    proposals, notes, effects on claims or similar records.
    """

    corpus: Corpus
    decided: dict[str, Decision] = field(default_factory=dict)
    blind: bool = False
    touched: set[str] = field(default_factory=set)

    def decide(self, key: str, decision: Decision | None) -> None:
        """Record a decision; None means that the decision was undone."""
        if decision is None:
            self.decided.pop(key, None)
        elif decision.verdict not in OPEN:
            self.decided[key] = decision
        self.touched.add(key)
        if len(self.touched) > GROWTH * len(self._sides):
            self._forget("_sides", "_indexes")
            self.touched.clear()

    def kind(self, key: str) -> str | None:
        """Return `retained`, `excluded, REASON`, or None if the record is undecided."""
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
        """Replace the corpus after the survey changed, and clear the caches."""
        self.corpus = corpus
        self._forget("_before", "_sides", "_indexes", "_pool", "_verdicts")

    @cached_property
    def searches(self) -> tuple[searching.Search, ...]:
        """The valid saved searches, parsed."""
        return tuple(search for _, search in parsed(self.corpus.searches) if search)

    @cached_property
    def _indexes(self) -> tuple[Likeness, ...]:
        corpus, sides = self.corpus, self._sides.items()
        return tuple(
            Likeness.of((corpus.by_key[key] for key, kind in sides if kind.startswith(side)), corpus.abstracts)
            for side in ("retained", "excluded")
        )

    @cached_property
    def _pool(self) -> Pool:
        return Pool(self.corpus.with_known_tags()[0])

    @cached_property
    def _verdicts(self) -> Sequence[Verdict]:
        return danger.judged(self._pool)

    def near(self, candidate: Candidate) -> tuple[Neighbour, ...]:
        """Return the most similar retained records, then excluded ones."""
        title, text = candidate.title, self.corpus.abstract(candidate) or ""
        without = {candidate.key, *(key for key in self.touched if self.kind(key) != self._sides.get(key))}
        return tuple(near for index in self._indexes for near in index.nearest(title, text, NEIGHBOURS, without))

    def endangered(self, candidate: Candidate) -> tuple[str, ...]:
        """Return sentences on the claims that the candidate would end or weaken if admitted as now coded."""
        if isinstance(self.corpus.by_key.get(candidate.key), Paper) or not (candidate.tags or candidate.measures):
            return ()
        if self.corpus.unread:
            return ("effect on claims unknown: a record cannot be read; run: awesome validate",)
        try:
            dangers = danger.dangers(self._pool, self._verdicts, [candidate])
        except AwesomeError as error:
            return (f"effect on claims unknown: {error.message}",)
        return tuple(f"{each.effect} the claim {each.claim.id}: {each.claim.statement}" for each in dangers)

    def lines(self, candidate: Candidate, notes: Sequence[str] = ()) -> tuple[Line, ...]:
        """Return the lines of the card, title and abstract first; `notes` are by the person, or of a conflict."""
        work, opinion = (bare(candidate), ()) if self.blind else (candidate, self._opinion(candidate))
        abstract = abstract_line(self.corpus.abstract(candidate), self.searches)
        return (*heading(work, notes, self.searches), abstract, *details(work), *opinion, *self._rules())

    def _opinion(self, candidate: Candidate) -> Iterator[Line]:
        yield Line(shown(_origin(candidate)), "muted")
        if endangered := self.endangered(candidate):
            yield from (Line(), Line("If admitted with its present codings, it", "strong"))
            yield from (Line(f"• {shown(text)}", "warn") for text in endangered)
        yield from self._neighbours(candidate)

    def _neighbours(self, candidate: Candidate) -> Iterator[Line]:
        near = self.near(candidate)
        if near:
            yield from (Line(), Line("Most similar records, with shared words", "strong"))
        for neighbour in near:
            record = self.corpus.by_key[neighbour.key]
            words = ", ".join(neighbour.words)
            yield Line(shown(f"• {neighbour.key} ({self._sides[neighbour.key]}): {record.title} [{words}]"))

    def _rules(self) -> Iterator[Line]:
        protocol = self.corpus.protocol
        if protocol is None:
            return
        for kind, criteria in (("Inclusion", protocol.include), ("Exclusion", protocol.exclude)):
            if criteria:
                yield from (Line(), Line(f"{kind} criteria (one is enough)", "strong"))
                yield from (Line(f"• {shown(criterion.text)}") for criterion in criteria)


def _origin(candidate: Candidate) -> str:
    parts = [f"proposed: {candidate.proposal}{' (p takes it)' * (candidate.proposal != 'consider')}"]
    if candidate.reason:
        parts.append(f"for {candidate.reason}")
    if candidate.first_public:
        parts.append(f"public {candidate.first_public}")
    if candidate.found is not None:
        origin = ", ".join(str(value) for value in (candidate.found.source, candidate.found.on) if value)
        parts += [f"found: {origin}"] if origin else []
    return " · ".join(parts)
