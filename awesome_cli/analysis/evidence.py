"""Evidence of codings: coverage by evidence, source, locator and quote, and a check of quotes against paper texts.

The text of a paper comes from a folder of texts, else from its HTML page at arXiv.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO, TextIOWrapper
from itertools import groupby
from pathlib import Path
from typing import Literal

from awesome_cli.errors import NetError, NotKnownError, UsageError
from awesome_cli.files import paths
from awesome_cli.model.codings import AGAINST, MAIN, PART, Direction, Tag, on_axis
from awesome_cli.model.records import AnyWork, Exclusion, Paper
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, Tone, Toned
from awesome_cli.sources import arxiv
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.network import Net
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.html import sections
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted
from awesome_cli.text.passages import Passage, Searchable, has_locator, locators

KINDS: Mapping[str, Callable[[Tag], bool]] = {
    "evidence": lambda tag: bool(tag.evidence),
    "source": lambda tag: bool(tag.source),
    "locator": lambda tag: has_locator(tag.source),
    "quote": lambda tag: bool(tag.quote),
}
"""Kinds of evidence, each with a test if a coding has it."""
COUNTED: Mapping[str, Callable[[Tag], bool]] = {
    **KINDS,
    "evidence": lambda tag: bool(tag.evidence) and tag.direction != AGAINST,
    "against": lambda tag: tag.direction == AGAINST,
    "contested": lambda tag: tag.contested is not None,
}
"""Columns of the counts; evidence against a coding does not count as evidence."""


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """A tag of a work on an axis."""

    work: AnyWork
    axis: str
    tag: Tag

    @property
    def row(self) -> tuple[str, str, str]:
        """Key, axis and the tag's short form."""
        return self.work.key, self.axis, str(self.tag)

    @property
    def place(self) -> str:
        """`KEY axis=term`."""
        return f"{self.work.key} {on_axis(self.axis, self.tag.term)}"


def codings(works: Iterable[AnyWork], taxonomy: Taxonomy, axes: Sequence[str] = ()) -> tuple[PlacedTag, ...]:
    """Return the codings of works on some axes [default: all]; raises `UsageError` for an unknown axis."""
    chosen = [taxonomy.axis(name) for name in axes] or taxonomy.axes
    return tuple(PlacedTag(work, a.id, tag) for a in chosen for work in works for tag in work.tags.get(a.id, ()))


def population(corpus: Corpus, placed: Sequence[PlacedTag], works: Sequence[AnyWork], axes: str = "") -> str:
    """Describe the codings counted: `738 codings of 84 papers of the pool`, or of some of its records."""
    day = f" as of {corpus.day}" if corpus.day else ""
    among = "papers of the pool" if all(isinstance(work, Paper) for work in works) else "papers and candidates"
    chosen = f"{len(works)} {among.replace('papers', 'paper', 1) if len(works) == 1 else among}{day}"
    if len(works) < len(corpus.papers):
        chosen = f"{len(works)} of the {len(corpus.papers)} {among}{day}"
    return f"{counted(len(placed), 'coding')}{f' on {axes}' if axes else ''} of {chosen}"


def coverage_report(
    corpus: Corpus,
    *,
    where: str | None = None,
    axes: Sequence[str] = (),
    missing: str | None = None,
    direction: Direction | None = None,
    same_source: bool = False,
) -> Report:
    """Count codings with evidence (for, against), source, locator, quote or contest, by axis and role (main or part).

    `where` is a query for papers; `axes` restricts the codings [default: all axes]. With `missing`, one of `KINDS`,
    list the codings without it instead; with `direction`, the codings with evidence in this direction; with
    `same_source`, the sources with a locator that codings of different strength share.
    """
    papers = corpus.select(where)
    placed = codings(papers, corpus.taxonomy, axes)
    among = population(corpus, placed, papers, " and ".join(axes))
    if direction or same_source:
        report = _directed(placed, among, direction) if direction else _same_source(placed, among)
    else:
        report = _without(placed, among, missing) if missing else _counts(placed, among)
    title = f"{report.title or 'Codings'}, where {where}" if where else report.title
    return replace(report, title=title, data={**report.data, "where": where})


def _counts(placed: tuple[PlacedTag, ...], among: str) -> Report:
    by_role = group_pairs(((c.axis, PART if c.tag.part else MAIN), c.tag) for c in placed)
    axes = dict.fromkeys(c.axis for c in placed)
    groups = [(axis, role, by_role[axis, role]) for axis in axes for role in (MAIN, PART) if (axis, role) in by_role]
    groups.append(("all axes", "", [coding.tag for coding in placed]))
    counts = [
        (axis, role, {"codings": len(tags)} | {name: sum(map(has, tags)) for name, has in COUNTED.items()})
        for axis, role, tags in groups
    ]
    columns = ("axis", "role", "codings", *COUNTED)
    shown: list[tuple[Cell, ...]] = [
        (axis, role, n["codings"], *(_share(n[name], n["codings"]) for name in COUNTED)) for axis, role, n in counts
    ]
    blocks: tuple[Block, ...] = (Text(f"Population: {among}."), Table.of(columns, shown))
    data = {
        "population": among,
        "axes": [{"axis": axis, "role": role, **n} for axis, role, n in counts[:-1]],
        "all": counts[-1][2],
    }
    table = Table.of(columns, [(axis, role or None, *n.values()) for axis, role, n in counts])
    return Report("awesome/evidence/1", data, (Section(None, blocks),), "Evidence of the codings", rows=table)


def _share(n: int, of: int) -> str:
    return f"{n} ({100 * n / of:.0f} %)" if of else "0"


def _without(placed: tuple[PlacedTag, ...], among: str, missing: str) -> Report:
    has = KINDS[require_known(missing, KINDS, "kind of evidence")]
    lacking = [coding for coding in placed if not has(coding.tag)]
    line = Text(f"{len(lacking)} of {among} have no {missing}.")
    rows: list[tuple[Cell, ...]] = [(*coding.row, coding.tag.source) for coding in lacking]
    table = Table.of(("key", "axis", "tag", "source"), rows)
    return _listed({"population": among, "missing": missing, "codings": table.records()}, table, line)


def _directed(placed: tuple[PlacedTag, ...], among: str, direction: Direction) -> Report:
    tags = [c for c in placed if c.tag.direction == direction and c.tag.marked_evidence]
    line = Text(f"{len(tags)} of {among} have evidence {direction} them.")
    rows: list[tuple[Cell, ...]] = [
        (*c.row, c.tag.contested.grade if c.tag.contested else None, c.tag.evidence, c.tag.source) for c in tags
    ]
    table = Table.of(("key", "axis", "tag", "contested", "evidence", "source"), rows)
    return _listed({"population": among, "direction": direction, "codings": table.records()}, table, line)


def _same_source(placed: tuple[PlacedTag, ...], among: str) -> Report:
    """List the groups of codings of a paper on an axis that share a locator and differ in strength."""
    strong = [c for c in placed if c.tag.strength]
    groups = group_pairs(((c.work.key, c.axis, place), c.tag) for c in strong for place in locators(c.tag.source))
    shared = {at: tags for at, tags in groups.items() if len({tag.strength for tag in tags}) > 1}
    rows = [(key, axis, tuple(map(str, tags)), source) for (key, axis, source), tags in shared.items()]
    share = "source is shared by codings" if len(rows) == 1 else "sources are shared by codings"
    line = Text(f"{len(rows)} {share} of different strength, among {among}.")
    table = Table.of(("key", "axis", "tags", "source"), rows)
    return _listed({"population": among, "same_source": table.records()}, table, line)


def _listed(data: Mapping[str, object], table: Table, line: Text) -> Report:
    blocks = (table, line) if table.rows else (line,)
    return Report("awesome/evidence/1", dict(data), (Section(None, blocks),), rows=table)


ENDINGS = (".txt", ".md", ".html")
LARGEST = 20_000_000
"""Maximum size of a file in bytes."""
HEADING = re.compile(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)


def text_of(work: AnyWork, folder: Path | None, net: Net) -> Searchable:
    """Load the text of a work from the folder, else from arXiv.

    Raises `NotKnownError` if no readable text exists, another `NetError` if it could not be fetched.
    """
    parts = in_folder(work.key, folder)
    text = Searchable(sections(_fetch(work, folder, net)) if parts is None else parts)
    if not text.words:
        raise NotKnownError("the text is empty")
    return text


def in_folder(key: str, folder: Path | None) -> tuple[tuple[str, str], ...] | None:
    """Return the sections of a work's text in a folder, None if absent; raises `NotKnownError` if unreadable."""
    return next((t for e in ENDINGS if folder and (t := _read(folder, key, e)) is not None), None)


def _read(folder: Path, key: str, ending: str) -> tuple[tuple[str, str], ...] | None:
    try:
        data = paths.read(folder, f"{key}{ending}", LARGEST)
        if data is None:
            return None
        text = TextIOWrapper(BytesIO(data), encoding="utf-8-sig").read()
    except paths.UnusableError as error:
        raise NotKnownError(error.message) from error
    except UnicodeDecodeError as error:
        raise NotKnownError(f"{key}{ending} is not UTF-8 text") from error
    if ending == ".html":
        return sections(text)
    if ending == ".txt":
        return (("", text),)
    before, *rest = HEADING.split(text)
    return (
        ("", before),
        *((title.strip(), f"{title}\n{body}") for title, body in zip(rest[::2], rest[1::2], strict=True)),
    )


def _fetch(work: AnyWork, folder: Path | None, net: Net) -> str:
    for ids in (work.identifiers, *(version.identifiers for version in work.versions)):
        if ids.arxiv:
            return arxiv.fetch_page(ids, net)
    raise NotKnownError("no arXiv id" + (", and no file in --texts DIR" if folder else ""))


QuoteState = Literal["found", "near", "missing", "no_text", "not_fetched"]
TONES: Mapping[QuoteState, Tone] = {
    "found": "good",
    "near": "warn",
    "missing": "bad",
    "no_text": "muted",
    "not_fetched": "warn",
}


@dataclass(frozen=True, slots=True)
class CheckedQuote:
    """A coding's quote and the matching passage of the paper; `remark` is the reason for a missing text."""

    coding: PlacedTag
    state: QuoteState
    passage: Passage
    remark: str | None = None

    @property
    def words(self) -> str:
        return self.state.replace("_", " ")

    @property
    def place(self) -> str | None:
        """Heading and position of the passage: `Methods, 40 %` of the text before it; None without a passage."""
        if self.passage.share is None:
            return None
        percent = f"{100 * self.passage.share:.0f} %"
        return f"{self.passage.heading[:60]}, {percent}" if self.passage.heading else percent

    def to_json(self) -> dict[str, object]:
        key, axis, coding = self.coding.row
        share = self.passage.share
        place = {"heading": self.passage.heading or None, "share": share and round(share, 3)}
        notes = {"difference": self.passage.difference, "remark": self.remark}
        return {"key": key, "axis": axis, "tag": coding, "state": self.state, **place, **notes}


def chosen(corpus: Corpus, keys: Sequence[str]) -> tuple[AnyWork, ...]:
    """Return works by key; raises `UsageError` for an exclusion."""
    works = [corpus.get(key) for key in keys]
    if wrong := next((work for work in works if isinstance(work, Exclusion)), None):
        raise UsageError(f"{wrong.key} is an exclusion; exclusions have no codings", hint=f"awesome show {wrong.key}")
    return tuple(work for work in works if not isinstance(work, Exclusion))


def check_quotes(placed: Iterable[PlacedTag], text: Callable[[AnyWork], Searchable]) -> tuple[CheckedQuote, ...]:
    """Look up the quotes of codings in the texts of their papers; codings without a quote are skipped."""
    quoted = sorted((coding for coding in placed if coding.tag.quote), key=lambda coding: coding.work.key)
    papers = [list(same) for _, same in groupby(quoted, key=lambda coding: coding.work.key)]
    return tuple(c for same in watched(papers, "checking quotes of papers") for c in _of_paper(same, text))


def _of_paper(quoted: list[PlacedTag], text_of_work: Callable[[AnyWork], Searchable]) -> list[CheckedQuote]:
    try:
        text = text_of_work(quoted[0].work)
    except NetError as error:
        state: QuoteState = "no_text" if isinstance(error, NotKnownError) else "not_fetched"
        return [CheckedQuote(coding, state, Passage("missing"), error.message) for coding in quoted]
    passages = [(coding, text.find(coding.tag.quote or "")) for coding in quoted]
    return [CheckedQuote(coding, passage.state, passage) for coding, passage in passages]


def quote_report(checked: Sequence[CheckedQuote], among: str) -> Report:
    """Report one row per quote, the differences of near matches, and counts by state."""
    counts = Counter(quote.state for quote in checked)
    columns = ("key", "axis", "tag", "quote", "place", "remark")
    rows: list[tuple[Cell, ...]] = [
        (*quote.coding.row, Toned(quote.words, TONES[quote.state]), quote.place, quote.remark) for quote in checked
    ]
    tally = ", ".join(f"{n} {state.replace('_', ' ')}" for state in TONES if (n := counts[state]))
    line = f"Of {among}, {len(checked)} have a quote" + (f": {tally}." if checked else ".")
    sections = [Section(None, (Table.of(columns, rows), Text(line)) if rows else (Text(line),))]
    near = [quote for quote in checked if quote.passage.difference]
    if near:
        items = tuple(f"{quote.coding.work.key} {quote.coding.axis}: {quote.passage.difference}" for quote in near)
        legend = Text("[-words only in the quote-], {+words only in the text+}")
        sections.append(Section("Near matches", (Bullets(items), legend)))
    data = {"population": among, "counts": dict(counts), "quotes": [quote.to_json() for quote in checked]}
    flat = [(*row[:3], str(row[3]), *row[4:], q.passage.difference) for row, q in zip(rows, checked, strict=True)]
    table = Table.of((*columns, "difference"), flat)
    return Report("awesome/evidence-check/1", data, tuple(sections), rows=table)
