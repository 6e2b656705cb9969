"""The watch over a survey in sentences and tables, the most urgent first; as Markdown, the text of an issue."""

from collections import Counter
from collections.abc import Iterator, Sequence

from awesome_cli.analysis.claims.danger import ENDS, WEAKENS
from awesome_cli.model.records import Candidate
from awesome_cli.publish.watch import SurveyWatch
from awesome_cli.publish.watch.data import cells, danger, data, nearest, new, retracted
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Section, Table, Text
from awesome_cli.text.numbers import counted

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
    rows = [tuple(v for name, v in danger(one).items() if name not in SAME) for one in found.by("ends")]
    columns = ("candidate", "claim", "expected", "today", "with it", "provisional codings")
    yield from _table("Claims that a candidate alone would end", columns, rows, f"A candidate ends a claim: {ENDS}.")


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], note: str = "") -> Iterator[Section]:
    if rows:
        yield Section(title, (Table.of(columns, rows, note=note or None),))


SAME = {"effect", "margin_lost"}
"""What does not differ between claims that end."""


def _weakens(found: SurveyWatch) -> Iterator[Section]:
    """One row for all candidates that move an answer alike."""
    groups: dict[tuple[Cell, ...], list[str]] = {}
    codings: dict[tuple[Cell, ...], Counter[str]] = {}
    for one in sorted(found.by("weakens"), key=lambda one: -one.loss):
        row = danger(one)
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
    rows = [tuple(retracted(one).values()) for one in found.retracted]
    title = "Papers and candidates that are retracted, corrected or in doubt by their records"
    yield from _table(title, ("key", "status", "source", "on"), rows)


def _refresh(found: SurveyWatch) -> Iterator[Section]:
    """What 'awesome refresh' says, with a line for each value in place of the diff."""
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
    items = tuple(f"{one.key}: {', '.join(_told(one))}" for one in found.new)
    if items:
        yield Section(f"Candidates found on {found.since} or later", (Bullets(items),))


def _told(one: Candidate) -> Iterator[str]:
    row = new(one)
    coded = "coded" if row["coded"] else "not coded"
    parts = (row["title"], row["first_public"], row["source"], f"proposal: {one.proposal}", coded, one.address)
    return (str(part) for part in parts if part)


def _guesses(found: SurveyWatch) -> Iterator[Section]:
    items = tuple(
        f"{one.candidate.key}: guess: {', '.join(cells(one)) or 'no cell'}; "
        f"claims: {', '.join(one.claims) or 'none'}; nearest: {', '.join(nearest(one, found.corpus)) or 'none'}"
        for one in found.guesses
    )
    if items:
        yield Section("Guesses on the candidates without codings", (Text(GUESS), Bullets(items)))
