"""The report of 'awesome watch': new candidates, claims in danger, guessed codings, registries and links."""

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
    """The results of a watch on a `day`; `new` are the candidates found on the date `since` or later.

    `holding`: ids of claims that hold today, except claims true by definition. `coded`: number of candidates with
    codings; each is tested alone. `refresh`, `links`: reports on registries and links, None if offline.
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
        """Return the dangers with this effect, which is `ends` or `weakens`."""
        return tuple(danger for danger in self.dangers if danger.effect == effect)

    @property
    def retracted(self) -> tuple[AnyWork, ...]:
        """The papers and candidates that are recorded as corrected, retracted or in doubt."""
        return tuple(work for work in self.corpus.works if work.retraction and work.retraction.status != "none")

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
            "claims": sum(claim.stands(None) for claim in self.corpus.claims.claims),
            "claims_that_hold": len(self.holding),
            "candidates_that_end": len({danger.candidate.key for danger in ends}),
            "claims_that_one_ends": len({danger.claim.id for danger in ends}),
            "candidates_that_weaken": len({danger.candidate.key for danger in weakens}),
            "claims_that_one_weakens": len({danger.claim.id for danger in weakens}),
        }


def watch(
    corpus: Corpus, day: date, since: date, refresh: Report | None = None, links: Report | None = None
) -> SurveyWatch:
    """Return the results of a watch. The corpus must include candidates, claims and the log of searches."""
    pool = Pool(corpus)
    verdicts = judged(pool)
    coded = [c for c in corpus.candidates if c.tags or c.measures]
    uncoded = [c for c in corpus.candidates if not (c.tags or c.measures)]
    return SurveyWatch(
        corpus,
        day,
        since,
        new=found_since(corpus, since),
        coded=len(coded),
        holding=tuple(verdict.claim.id for verdict in verdicts),
        dangers=dangers(pool, verdicts, coded),
        guesses=guessed(pool, verdicts, uncoded),
        unanswered=unanswered(corpus, day),
        refresh=refresh,
        links=links,
    )


def data(result: SurveyWatch) -> dict[str, object]:
    """Return the data of the JSON schema `awesome/watch/1`."""
    return {
        "day": result.day.isoformat(),
        "since": result.since.isoformat(),
        "population": result.population,
        "dangers": [_danger_data(entry) for entry in result.dangers],
        "unanswered": [entry.model_dump(mode="json") for entry in result.unanswered],
        "retracted": [_retraction_row(entry) for entry in result.retracted],
        "refresh": result.refresh.data if result.refresh else None,
        "links": result.links.data if result.links else None,
        "new": [_candidate_row(entry) for entry in result.new],
        "guesses": [_guess_data(entry, result.corpus) for entry in result.guesses],
    }


def _danger_row(danger: Danger) -> dict[str, Cell]:
    return {
        "candidate": danger.candidate.key,
        "claim": danger.claim.id,
        "effect": danger.effect,
        "expected": expected(danger.before.expectation),
        "today": observed(danger.before, keys=False),
        "with_it": observed(danger.after, keys=False),
        "margin_lost": precise(danger.loss),
        "codings": tuple(map(str, danger.codings)),
    }


def _danger_data(danger: Danger) -> dict[str, object]:
    return {
        **_danger_row(danger),
        "value_today": to_json(danger.before.value),
        "value_with_it": to_json(danger.after.value),
        "margin_today": danger.margins[0],
        "margin_with_it": danger.margins[1],
        "codings": [{"coding": c.coding, "confidence": c.confidence, "contested": c.contested} for c in danger.codings],
    }


def _retraction_row(work: AnyWork) -> dict[str, Cell]:
    notice = work.retraction
    return {
        "key": work.key,
        "status": notice.status if notice else None,
        "source": notice.source if notice else None,
        "on": notice.on.isoformat() if notice else None,
    }


def _candidate_row(candidate: Candidate) -> dict[str, Cell]:
    return {
        "key": candidate.key,
        "title": candidate.title,
        "first_public": candidate.first_public,
        "found_on": candidate.found.on.isoformat() if candidate.found and candidate.found.on else None,
        "source": candidate.found.source if candidate.found else None,
        "proposal": candidate.proposal,
        "coded": bool(candidate.tags or candidate.measures),
        "address": candidate.address,
    }


def _guess_line(entry: Guessed, corpus: Corpus) -> str:
    """State the guess, its claims, and the most similar coded papers, as `key: axis=term (shared words)`."""
    cells = [f"{on_axis(guess.axis, guess.term)} ({', '.join(guess.words)})" for guess in entry.cells]
    axes = [guess.axis for guess in entry.cells]
    labels = ((n, " ".join(_terms(n.key, corpus, axes))) for n in entry.nearest)
    nearest = [f"{n.key}{f': {terms}' if terms else ''} ({', '.join(n.words)})" for n, terms in labels]
    return (
        f"{entry.candidate.key}: guess: {', '.join(cells) or 'no cell'}; "
        f"claims: {', '.join(entry.claims) or 'none'}; nearest: {', '.join(nearest) or 'none'}"
    )


def _terms(key: str, corpus: Corpus, axes: list[str]) -> list[str]:
    paper = corpus.by_key[key]
    tags = getattr(paper, "tags", {})
    return [on_axis(axis, tag) for axis in axes for tag in tags.get(axis, ()) if not tag.part]


def _guess_data(entry: Guessed, corpus: Corpus) -> dict[str, object]:
    axes = list(corpus.taxonomy.by_id)
    return {
        "candidate": entry.candidate.key,
        "guess": [
            {"axis": g.axis, "term": g.term, "words": list(g.words), "quote": g.quote, "score": precise(g.score)}
            for g in entry.cells
        ],
        "claims": list(entry.claims),
        "nearest": [
            {"key": n.key, "likeness": n.score, "words": list(n.words), "terms": _terms(n.key, corpus, axes)}
            for n in entry.nearest
        ],
    }


NO_ZERO = "An incomplete answer does not mean zero results: the source may hold papers that are missing here."
SAME = {"effect", "margin_lost"}
"""Fields omitted for overturned claims, because all of these have the same value."""
GUESS = (
    "Guessed from words that title, abstract, summary or note share with the name or definition of a term. "
    "Nobody read the papers for these guesses, and no record contains them. Claims: claims that query a guessed cell."
)


def to_report(result: SurveyWatch) -> Report:
    """Return the report: claims in danger first, then incomplete searches, then open work."""
    title = f"{result.corpus.taxonomy.survey.title}: watch of {result.day}"
    return Report("awesome/watch/1", data(result), tuple(_sections(result)), title)


def _sections(result: SurveyWatch) -> Iterator[Section]:
    yield Section(None, tuple(_summary(result)))
    ends = [tuple(v for name, v in _danger_row(danger).items() if name not in SAME) for danger in result.by("ends")]
    columns: Sequence[str] = ("candidate", "claim", "expected", "today", "with it", "provisional codings")
    yield from _table("Claims that a single candidate would overturn", columns, ends, f"Overturned: {ENDS}.")
    unanswered = [(r.search, r.source, r.at.date().isoformat(), r.state, r.error) for r in result.unanswered]
    columns = ("search", "source", "asked on", "state", "error")
    yield from _table("Searches that a source did not complete", columns, unanswered, NO_ZERO)
    yield from _weakens(result)
    retracted = [tuple(_retraction_row(work).values()) for work in result.retracted]
    title = "Papers and candidates recorded as retracted, corrected or in doubt"
    yield from _table(title, ("key", "status", "source", "on"), retracted)
    yield from _refresh(result)
    if result.links is not None:
        blocks = tuple(block for section in result.links.sections for block in section.blocks)
        yield Section("Links that are dead or lead to a page with another title", blocks)
    if result.new:
        found = tuple(Linked(f"{c.key}: {', '.join(_told(c))}", url=c.address) for c in result.new)
        yield Section(f"Candidates found on {result.since} or later", (Bullets(found),))
    if result.guesses:
        guesses = Bullets(tuple(_guess_line(guess, result.corpus) for guess in result.guesses))
        yield Section("Guessed codings of candidates without codings", (Text(GUESS), guesses))


def _summary(result: SurveyWatch) -> Iterator[Text]:
    n = result.population
    undated = f"; {n['undated']} without a date" if n["undated"] else ""
    yield Text(
        f"Candidates: {n['candidates']} ({n['coded']} with provisional codings, {n['not_coded']} without); "
        f"{n['new']} found on {result.since} or later{undated}."
    )
    yield Text(
        f"{n['claims_that_hold']} of {counted(n['claims'], 'claim')} hold today, decided and not by definition. "
        f"Of {counted(n['coded'], 'coded candidate')}, each admitted alone to the {counted(n['papers'], 'paper')}, "
        f"{n['candidates_that_end']} would overturn a claim (different claims: {n['claims_that_one_ends']}), and "
        f"{n['candidates_that_weaken']} would weaken a claim (different claims: {n['claims_that_one_weakens']}).",
        "bad" if n["candidates_that_end"] else "plain",
    )
    if result.refresh is None:
        yield Text("Not checked offline: changed metadata, new retractions, dead links.", "warn")


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], note: str = "") -> Iterator[Section]:
    if rows:
        yield Section(title, (Table.of(columns, rows, note=note or None),))


def _weakens(result: SurveyWatch) -> Iterator[Section]:
    """Yield the table of weakened claims; candidates with the same effect on a claim share a row."""
    groups: dict[tuple[Cell, ...], list[str]] = {}
    codings: dict[tuple[Cell, ...], Counter[str]] = {}
    for danger in sorted(result.by("weakens"), key=lambda danger: -danger.loss):
        row = _danger_row(danger)
        place = (row["claim"], row["expected"], row["today"], row["with_it"], f"{100 * danger.loss:.0f} %")
        groups.setdefault(place, []).append(danger.candidate.key)
        codings.setdefault(place, Counter()).update(map(str, danger.codings))
    rows = [
        (*place, len(keys), tuple(f"{coding}: {n}" for coding, n in codings[place].items()), tuple(keys))
        for place, keys in groups.items()
    ]
    columns = ("claim", "expected", "today", "with one", "margin lost", "n", "provisional codings", "candidates")
    note = f"Weakened: {WEAKENS}. Each candidate in a row would have this effect alone."
    yield from _table("Claims that a single candidate would weaken", columns, rows, note)


def _refresh(result: SurveyWatch) -> Iterator[Section]:
    """Yield the report of 'awesome refresh', with a line per value instead of the diff."""
    if result.refresh is not None:
        blocks: list[Block] = [block for section in result.refresh.sections for block in section.blocks]
        rows = [row for table in result.refresh.tables() for row in table.rows]
        lines = tuple(
            f"{key}: {field}: {before or 'nothing'} → {after or 'nothing'} ({source})"
            for key, field, before, after, source in rows
        )
        differing = [Bullets(lines)] if lines else []
        yield Section(
            "Metadata that differ in registries", (*differing, *(b for b in blocks if not isinstance(b, Code)))
        )


def _told(candidate: Candidate) -> Iterator[str]:
    row = _candidate_row(candidate)
    coded = "coded" if row["coded"] else "not coded"
    parts = (row["title"], row["first_public"], row["source"], f"proposal: {candidate.proposal}", coded)
    return (str(part) for part in parts if part)
