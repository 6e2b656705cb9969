"""Evidence beside the codings: which codings have it, and whether their quotes stand in the texts of the papers.

The text of a paper is that of a folder of texts, else arXiv's page of the paper.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO, TextIOWrapper
from itertools import groupby
from pathlib import Path
from typing import Literal

from awesome_cli.errors import NetError, NotKnownError, UsageError
from awesome_cli.files import paths
from awesome_cli.model.codings import MAIN, PART, Tag, on_axis
from awesome_cli.model.records import AnyWork, Exclusion, Paper
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Bullets, Cell, Report, Section, Table, Text, Tone, Toned
from awesome_cli.sources import arxiv
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.network import Net
from awesome_cli.text.html import sections
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted
from awesome_cli.text.passages import Passage, Searchable, has_locator

KINDS: Mapping[str, Callable[[Tag], bool]] = {
    "evidence": lambda tag: bool(tag.evidence),
    "source": lambda tag: bool(tag.source),
    "locator": lambda tag: has_locator(tag.source),
    "quote": lambda tag: bool(tag.quote),
}
"""What a coding should have beside it, and whether it has."""
COUNTED = {**KINDS, "contested": lambda tag: tag.contested is not None}


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """A tag of a work on an axis."""

    work: AnyWork
    axis: str
    tag: Tag

    @property
    def row(self) -> tuple[str, str, str]:
        """Key, axis, and the tag's short form."""
        return self.work.key, self.axis, str(self.tag)

    @property
    def place(self) -> str:
        """The work and the term: `KEY axis=term`."""
        return f"{self.work.key} {on_axis(self.axis, self.tag.term)}"


def codings(works: Iterable[AnyWork], taxonomy: Taxonomy, axes: Sequence[str] = ()) -> tuple[PlacedTag, ...]:
    """Every coding of some works, or those on some axes; raises `UsageError` for an unknown axis."""
    asked = [taxonomy.axis(name) for name in axes] or taxonomy.axes
    return tuple(PlacedTag(work, one.id, tag) for one in asked for work in works for tag in work.tags.get(one.id, ()))


def population(corpus: Corpus, found: Sequence[PlacedTag], works: Sequence[AnyWork], axes: str = "") -> str:
    """Which codings are counted: `738 codings of 84 papers of the pool`, or of some records of it."""
    day = f" as of {corpus.day}" if corpus.day else ""
    among = "papers of the pool" if all(isinstance(work, Paper) for work in works) else "papers and candidates"
    chosen = f"{len(works)} {among.replace('papers', 'paper', 1) if len(works) == 1 else among}{day}"
    if len(works) < len(corpus.papers):
        chosen = f"{len(works)} of the {len(corpus.papers)} {among}{day}"
    return f"{counted(len(found), 'coding')}{f' on {axes}' if axes else ''} of {chosen}"


def coverage_report(
    corpus: Corpus, *, where: str | None = None, axes: Sequence[str] = (), missing: str | None = None
) -> Report:
    """By axis, main codings and parts apart: how many have evidence, source, locator, quote; how many are contested.

    `where` is a query that chooses papers, `axes` are those whose codings count, by default all. With `missing`, one
    of `KINDS`, the codings without it are listed instead.
    """
    papers = corpus.select(where)
    found = codings(papers, corpus.taxonomy, axes)
    among = population(corpus, found, papers, " and ".join(axes))
    made = _without(found, among, missing) if missing else _counts(found, among)
    title = f"{made.title or 'Codings'}, where {where}" if where else made.title
    return replace(made, title=title, data={**made.data, "where": where})


def _counts(found: tuple[PlacedTag, ...], among: str) -> Report:
    groups = [*_groups(found), ("all axes", "", [coding.tag for coding in found])]
    counts = [
        (axis, role, {"codings": len(tags)} | {name: sum(map(has, tags)) for name, has in COUNTED.items()})
        for axis, role, tags in groups
    ]
    columns = ("axis", "role", "codings", *COUNTED)
    shown: list[tuple[Cell, ...]] = [
        (axis, role, n["codings"], *(_share(n[name], n["codings"]) for name in COUNTED)) for axis, role, n in counts
    ]
    blocks: tuple[Block, ...] = (Text(f"Of {among}."), Table.of(columns, shown))
    data = {
        "population": among,
        "axes": [{"axis": axis, "role": role, **n} for axis, role, n in counts[:-1]],
        "all": counts[-1][2],
    }
    table = Table.of(columns, [(axis, role or None, *n.values()) for axis, role, n in counts])
    return Report("awesome/evidence/1", data, (Section(None, blocks),), "Evidence beside the codings", rows=table)


def _groups(found: tuple[PlacedTag, ...]) -> Iterator[tuple[str, str, list[Tag]]]:
    for axis in dict.fromkeys(coding.axis for coding in found):
        for role in (MAIN, PART):
            tags = [c.tag for c in found if c.axis == axis and c.tag.part is (role == PART)]
            if tags:
                yield axis, role, tags


def _share(n: int, of: int) -> str:
    return f"{n} ({100 * n / of:.0f} %)" if of else "0"


def _without(found: tuple[PlacedTag, ...], among: str, missing: str) -> Report:
    has = KINDS[require_known(missing, KINDS, "kind of evidence")]
    lacking = [coding for coding in found if not has(coding.tag)]
    line = Text(f"{len(lacking)} of {among} have no {missing}.")
    rows: list[tuple[Cell, ...]] = [(*coding.row, coding.tag.source) for coding in lacking]
    table = Table.of(("key", "axis", "tag", "source"), rows)
    data = {
        "population": among,
        "missing": missing,
        "codings": [{"key": c.work.key, "axis": c.axis, "tag": str(c.tag), "source": c.tag.source} for c in lacking],
    }
    return Report("awesome/evidence/1", data, (Section(None, (table, line) if rows else (line,)),), rows=table)


ENDINGS = (".txt", ".md", ".html")
LARGEST = 20_000_000
"""The size in bytes up to which a file is read."""
HEADING = re.compile(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)


def text_of(work: AnyWork, folder: Path | None, net: Net) -> Searchable:
    """The text of a work, to look quotes up in.

    Raises `NotKnownError` if it has none that can be read, and another `NetError` if none could be fetched.
    """
    found = in_folder(work.key, folder)
    text = Searchable(sections(_fetch(work, folder, net)) if found is None else found)
    if not text.words:
        raise NotKnownError("the text is empty")
    return text


def in_folder(key: str, folder: Path | None) -> tuple[tuple[str, str], ...] | None:
    """Return the sections of a work's text in a folder, or None; raises `NotKnownError` for an unreadable one."""
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
        raise NotKnownError(f"{key}{ending} is not a text in UTF-8") from error
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
    raise NotKnownError("no arXiv id" + (", and no text in --texts DIR" if folder else ""))


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
    """A coding with a quote, and what its paper's text says; `remark` says why there is no text."""

    coding: PlacedTag
    state: QuoteState
    passage: Passage
    remark: str | None = None

    @property
    def words(self) -> str:
        """The state for people."""
        return self.state.replace("_", " ")

    @property
    def place(self) -> str | None:
        """The heading before the passage and the percent of the text before it."""
        if self.passage.share is None:
            return None
        percent = f"{100 * self.passage.share:.0f} %"
        return f"{self.passage.heading[:60]}, {percent}" if self.passage.heading else percent

    def to_json(self) -> dict[str, object]:
        """The published form."""
        key, axis, coding = self.coding.row
        share = self.passage.share
        found = {"heading": self.passage.heading or None, "share": share and round(share, 3)}
        told = {"difference": self.passage.difference, "remark": self.remark}
        return {"key": key, "axis": axis, "tag": coding, "state": self.state, **found, **told}


def chosen(corpus: Corpus, keys: Sequence[str]) -> tuple[AnyWork, ...]:
    """The works of some keys; raises `UsageError` for an exclusion."""
    works = [corpus.get(key) for key in keys]
    if wrong := next((work for work in works if isinstance(work, Exclusion)), None):
        raise UsageError(f"{wrong.key} is an exclusion and has no codings", hint=f"awesome show {wrong.key}")
    return tuple(work for work in works if not isinstance(work, Exclusion))


def check_quotes(found: Iterable[PlacedTag], folder: Path | None, net: Net) -> tuple[CheckedQuote, ...]:
    """Look up the quote of each coding that has one, paper by paper."""
    quoted = sorted((coding for coding in found if coding.tag.quote), key=lambda coding: coding.work.key)
    papers = [list(same) for _, same in groupby(quoted, key=lambda coding: coding.work.key)]
    return tuple(one for same in watched(papers, "checking quotes of papers") for one in _of_paper(same, folder, net))


def _of_paper(quoted: list[PlacedTag], folder: Path | None, net: Net) -> list[CheckedQuote]:
    try:
        text = text_of(quoted[0].work, folder, net)
    except NetError as error:
        state: QuoteState = "no_text" if isinstance(error, NotKnownError) else "not_fetched"
        return [CheckedQuote(coding, state, Passage("missing"), error.message) for coding in quoted]
    passages = [(coding, text.find(coding.tag.quote or "")) for coding in quoted]
    return [CheckedQuote(coding, passage.state, passage) for coding, passage in passages]


def quote_report(checked: Sequence[CheckedQuote], among: str) -> Report:
    """A row per quote, the differences of near ones, and how many quotes stand in their texts."""
    counts = Counter(one.state for one in checked)
    columns = ("key", "axis", "tag", "quote", "place", "remark")
    rows: list[tuple[Cell, ...]] = [
        (*one.coding.row, Toned(one.words, TONES[one.state]), one.place, one.remark) for one in checked
    ]
    told = ", ".join(f"{n} {state.replace('_', ' ')}" for state in TONES if (n := counts[state]))
    line = f"Of {among}, {len(checked)} have a quote" + (f": {told}." if checked else ".")
    sections = [Section(None, (Table.of(columns, rows), Text(line)) if rows else (Text(line),))]
    near = [one for one in checked if one.passage.difference]
    if near:
        items = tuple(f"{one.coding.work.key} {one.coding.axis}: {one.passage.difference}" for one in near)
        how = Text("[-words of the quote alone-], {+words of the text alone+}")
        sections.append(Section("Near", (Bullets(items), how)))
    data = {"population": among, "counts": dict(counts), "quotes": [one.to_json() for one in checked]}
    flat = [(*row[:3], str(row[3]), *row[4:], one.passage.difference) for row, one in zip(rows, checked, strict=True)]
    table = Table.of((*columns, "difference"), flat)
    return Report("awesome/evidence-check/1", data, tuple(sections), rows=table)
