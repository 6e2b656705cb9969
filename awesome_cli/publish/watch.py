"""A watch over a living survey: new candidates, claims in danger, guesses, and the answers of registries and links."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from awesome_cli.analysis.claims.danger import ENDS, WEAKENS, Danger, dangers, judged
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.wording import expected, observed, to_json
from awesome_cli.analysis.guessing import Guessed, guessed
from awesome_cli.analysis.watching import found_since, unanswered
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.model.searches import Asked
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Linked, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted, precise


@dataclass(frozen=True)
class SurveyWatch:
    """The results of a watch on a `day`; `new` are the candidates found from `since` on.

    `holding` are the claims that a candidate can end: they hold today, and not by definition. Each of the `coded`
    candidates was admitted alone; there is a guess for each of the others. `refresh` and `links` are what registries
    and links answered, None if they were not asked.
    """

    corpus: Corpus
    day: date
    since: date
    new: tuple[Candidate, ...]
    coded: int
    holding: tuple[str, ...]
    dangers: tuple[Danger, ...]
    guesses: tuple[Guessed, ...]
    unanswered: tuple[Asked, ...]
    refresh: Report | None = None
    links: Report | None = None

    def by(self, effect: str) -> tuple[Danger, ...]:
        """The dangers of one effect, `ends` or `weakens`."""
        return tuple(one for one in self.dangers if one.effect == effect)

    @property
    def retracted(self) -> tuple[AnyWork, ...]:
        """The papers and candidates whose records say that they were corrected or retracted, or that there is doubt."""
        return tuple(one for one in self.corpus.works if one.retraction and one.retraction.status != "none")

    @property
    def population(self) -> dict[str, int]:
        """The counts of records and claims that the watch covers."""
        ends, weakens = self.by("ends"), self.by("weakens")
        return {
            "papers": len(self.corpus.papers),
            "candidates": len(self.corpus.candidates),
            "coded": self.coded,
            "not_coded": len(self.guesses),
            "new": len(self.new),
            "undated": sum(not (c.found and c.found.on) for c in self.corpus.candidates),
            "claims": len(self.corpus.claims.claims),
            "claims_that_hold": len(self.holding),
            "candidates_that_end": len({one.candidate.key for one in ends}),
            "claims_that_one_ends": len({one.claim.id for one in ends}),
            "candidates_that_weaken": len({one.candidate.key for one in weakens}),
            "claims_that_one_weakens": len({one.claim.id for one in weakens}),
        }


def watch(
    corpus: Corpus, day: date, since: date, refresh: Report | None = None, links: Report | None = None
) -> SurveyWatch:
    """The watch over a corpus with candidates, claims and the log of searches."""
    pool = Pool(corpus)
    verdicts = judged(pool)
    coded = [c for c in corpus.candidates if c.tags or c.measures]
    others = [c for c in corpus.candidates if not (c.tags or c.measures)]
    return SurveyWatch(
        corpus,
        day,
        since,
        new=found_since(corpus, since),
        coded=len(coded),
        holding=tuple(verdict.claim.id for verdict in verdicts),
        dangers=dangers(pool, verdicts, coded),
        guesses=guessed(pool, verdicts, others),
        unanswered=unanswered(corpus, day),
        refresh=refresh,
        links=links,
    )


def data(found: SurveyWatch) -> dict[str, object]:
    """The content of `awesome/watch/1`."""
    return {
        "day": found.day.isoformat(),
        "since": found.since.isoformat(),
        "population": found.population,
        "dangers": [_danger_data(one) for one in found.dangers],
        "unanswered": [one.model_dump(mode="json") for one in found.unanswered],
        "retracted": [_retraction_row(one) for one in found.retracted],
        "refresh": found.refresh.data if found.refresh else None,
        "links": found.links.data if found.links else None,
        "new": [_candidate_row(one) for one in found.new],
        "guesses": [_guess_data(one, found.corpus) for one in found.guesses],
    }


def _danger_row(one: Danger) -> dict[str, Cell]:
    return {
        "candidate": one.candidate.key,
        "claim": one.claim.id,
        "effect": one.effect,
        "expected": expected(one.before.expectation),
        "today": observed(one.before, keys=False),
        "with_it": observed(one.after, keys=False),
        "margin_lost": precise(one.loss),
        "codings": tuple(map(str, one.codings)),
    }


def _danger_data(one: Danger) -> dict[str, object]:
    return {
        **_danger_row(one),
        "value_today": to_json(one.before.value),
        "value_with_it": to_json(one.after.value),
        "margin_today": one.margins[0],
        "margin_with_it": one.margins[1],
        "codings": [{"coding": c.coding, "confidence": c.confidence, "contested": c.contested} for c in one.codings],
    }


def _retraction_row(one: AnyWork) -> dict[str, Cell]:
    said = one.retraction
    return {
        "key": one.key,
        "status": said.status if said else None,
        "source": said.source if said else None,
        "on": said.on.isoformat() if said else None,
    }


def _candidate_row(one: Candidate) -> dict[str, Cell]:
    return {
        "key": one.key,
        "title": one.title,
        "first_public": one.first_public,
        "found_on": one.found.on.isoformat() if one.found and one.found.on else None,
        "source": one.found.source if one.found else None,
        "proposal": one.proposal,
        "coded": bool(one.tags or one.measures),
        "address": one.address,
    }


def _guessed_cells(one: Guessed) -> tuple[str, ...]:
    return tuple(f"{on_axis(guess.axis, guess.term)} ({', '.join(guess.words)})" for guess in one.cells)


def _nearest_papers(one: Guessed, corpus: Corpus) -> tuple[str, ...]:
    """The nearest coded papers, each with its terms on the guessed axes and the words that it shares."""
    axes = [guess.axis for guess in one.cells]
    named = ((n, " ".join(_terms(n.key, corpus, axes))) for n in one.nearest)
    return tuple(f"{n.key}{f': {terms}' if terms else ''} ({', '.join(n.words)})" for n, terms in named)


def _terms(key: str, corpus: Corpus, axes: list[str]) -> list[str]:
    paper = corpus.by_key[key]
    tags = getattr(paper, "tags", {})
    return [on_axis(axis, tag) for axis in axes for tag in tags.get(axis, ()) if not tag.part]


def _guess_data(one: Guessed, corpus: Corpus) -> dict[str, object]:
    axes = list(corpus.taxonomy.by_id)
    return {
        "candidate": one.candidate.key,
        "guess": [
            {"axis": g.axis, "term": g.term, "words": list(g.words), "quote": g.quote, "score": precise(g.score)}
            for g in one.cells
        ],
        "claims": list(one.claims),
        "nearest": [
            {"key": n.key, "likeness": n.score, "words": list(n.words), "terms": _terms(n.key, corpus, axes)}
            for n in one.nearest
        ],
    }


OFFLINE = "Left out, as it needs the network: changed metadata, new retractions, dead links."
NO_ZERO = "No answer does not mean that there is nothing: papers may be missing that the source holds."
GUESS = (
    "A guess from words alone: those of title, abstract, summary and note that a term has in its name or definition. "
    "Nobody read these papers for it, and no record holds it. The claims are those that ask for a guessed cell."
)


def to_report(found: SurveyWatch) -> Report:
    """The claims that could end, what sources did not answer, then what waits."""
    sections = (
        Section(None, tuple(_summary(found))),
        *_ends(found),
        *_unanswered(found),
        *_weakens(found),
        *_retracted(found),
        *_refresh(found),
        *_links(found),
        *_new(found),
        *_guesses(found),
    )
    title = f"{found.corpus.taxonomy.survey.title}: watch of {found.day}"
    return Report("awesome/watch/1", data(found), sections, title)


def _summary(found: SurveyWatch) -> Iterator[Text]:
    n = found.population
    undated = f"; for {n['undated']} no day is known" if n["undated"] else ""
    yield Text(
        f"Candidates: {n['candidates']}, of which {n['coded']} coded provisionally and {n['not_coded']} not coded; "
        f"{n['new']} found on {found.since} or later{undated}."
    )
    yield Text(
        f"Claims that hold today, and not by definition: {n['claims_that_hold']} of {n['claims']}. Each coded "
        f"candidate was admitted alone to the {counted(n['papers'], 'paper')}: {n['candidates_that_end']} of "
        f"{n['coded']} would end a claim ({n['claims_that_one_ends']} of these claims in all), "
        f"{n['candidates_that_weaken']} of {n['coded']} would weaken one ({n['claims_that_one_weakens']} in all).",
        "bad" if n["candidates_that_end"] else "plain",
    )
    if found.refresh is None:
        yield Text(OFFLINE, "warn")


def _ends(found: SurveyWatch) -> Iterator[Section]:
    rows = [tuple(v for name, v in _danger_row(one).items() if name not in SAME) for one in found.by("ends")]
    columns = ("candidate", "claim", "expected", "today", "with it", "provisional codings")
    yield from _table("Claims that a candidate alone would end", columns, rows, f"A candidate ends a claim: {ENDS}.")


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], note: str = "") -> Iterator[Section]:
    if rows:
        yield Section(title, (Table.of(columns, rows, note=note or None),))


SAME = {"effect", "margin_lost"}
"""Fields that are alike for all claims that end."""


def _weakens(found: SurveyWatch) -> Iterator[Section]:
    """One row for all candidates that move an answer alike."""
    groups: dict[tuple[Cell, ...], list[str]] = {}
    codings: dict[tuple[Cell, ...], Counter[str]] = {}
    for one in sorted(found.by("weakens"), key=lambda one: -one.loss):
        row = _danger_row(one)
        place = (row["claim"], row["expected"], row["today"], row["with_it"], f"{100 * one.loss:.0f} %")
        groups.setdefault(place, []).append(one.candidate.key)
        codings.setdefault(place, Counter()).update(map(str, one.codings))
    rows = [
        (*place, len(keys), tuple(f"{coding}: {n}" for coding, n in codings[place].items()), tuple(keys))
        for place, keys in groups.items()
    ]
    columns = ("claim", "expected", "today", "with one", "margin lost", "n", "provisional codings", "candidates")
    note = f"A candidate weakens a claim: {WEAKENS}. Each row is of candidates that do the same, each of them alone."
    yield from _table("Claims that a candidate alone would weaken", columns, rows, note)


def _unanswered(found: SurveyWatch) -> Iterator[Section]:
    rows = [(one.search, one.source, one.at.date().isoformat(), one.state, one.error) for one in found.unanswered]
    columns = ("search", "source", "asked on", "state", "error")
    yield from _table("Searches that a source did not answer to the end", columns, rows, NO_ZERO)


def _retracted(found: SurveyWatch) -> Iterator[Section]:
    rows = [tuple(_retraction_row(one).values()) for one in found.retracted]
    title = "Papers and candidates that are retracted, corrected or in doubt by their records"
    yield from _table(title, ("key", "status", "source", "on"), rows)


def _refresh(found: SurveyWatch) -> Iterator[Section]:
    """The report of 'awesome refresh', with a line for each value in place of the diff."""
    if found.refresh is not None:
        blocks: list[Block] = [block for section in found.refresh.sections for block in section.blocks]
        rows = [row for table in found.refresh.tables() for row in table.rows]
        told = tuple(
            f"{key}: {field}: {before or 'nothing'} → {after or 'nothing'} ({source})"
            for key, field, before, after, source in rows
        )
        differing = [Bullets(told)] if told else []
        yield Section(
            "What registries say otherwise of the papers", (*differing, *(b for b in blocks if not isinstance(b, Code)))
        )


def _links(found: SurveyWatch) -> Iterator[Section]:
    if found.links is not None:
        blocks = tuple(block for section in found.links.sections for block in section.blocks)
        yield Section("Links of papers and exclusions: dead, or to a page with another title", blocks)


def _new(found: SurveyWatch) -> Iterator[Section]:
    items = tuple(Linked(f"{one.key}: {', '.join(_told(one))}", url=one.address) for one in found.new)
    if items:
        yield Section(f"Candidates found on {found.since} or later", (Bullets(items),))


def _told(one: Candidate) -> Iterator[str]:
    row = _candidate_row(one)
    coded = "coded" if row["coded"] else "not coded"
    parts = (row["title"], row["first_public"], row["source"], f"proposal: {one.proposal}", coded)
    return (str(part) for part in parts if part)


def _guesses(found: SurveyWatch) -> Iterator[Section]:
    items = tuple(
        f"{one.candidate.key}: guess: {', '.join(_guessed_cells(one)) or 'no cell'}; "
        f"claims: {', '.join(one.claims) or 'none'}; nearest: {', '.join(_nearest_papers(one, found.corpus)) or 'none'}"
        for one in found.guesses
    )
    if items:
        yield Section("Guesses on the candidates without codings", (Text(GUESS), Bullets(items)))
