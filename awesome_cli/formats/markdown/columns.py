"""Assign the cells of a table, and the labelled lines under an entry, to the fields of an entry.

`| Venue |` over `ICML 2024`, and the line `📑 Venue: ICML 2024`, give the venue `ICML` and the year.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.entries import ListEntry, parse_entry
from awesome_cli.formats.markdown.links import Anchor, is_label
from awesome_cli.formats.markdown.page import Fragment, plain
from awesome_cli.formats.rows import FIELDS
from awesome_cli.text.folding import spaced

TITLE_COLUMNS = tuple("title paper paper_title papers article publication work reference name 论文 标题".split())
"""Names of columns with titles, most specific first."""
NAME_COLUMNS = tuple("method model methods models approach benchmark dataset framework system algorithm survey".split())
"""Names of columns with short names of works."""
YEAR_COLUMNS = frozenset(
    "year date time month published release released publish_date release_date pub_date 年份 时间 日期".split()
)
VENUE_COLUMNS = frozenset("venue conf publication pub publisher where source published_in published_at 会议".split())
"""Names of columns with venues, in addition to `FIELDS`."""
LINK_COLUMNS = frozenset(
    """
    link links url code github repo repository project page project_page website homepage demo pdf arxiv paper_link
    paper_url resources resource dataset data video code_link model weights 代码 链接
    """.split()
)
SUMMARY_COLUMNS = frozenset(
    "description summary tl_dr tldr key_idea contribution contributions note notes comment comments abstract".split()
)
PAPER_COLUMNS = frozenset(TITLE_COLUMNS) - {"work", "reference", "name"}
IDLE_COLUMNS = frozenset("id no index stars star recom".split())
PAPER_LINK_COLUMNS = frozenset("paper pdf arxiv paper_link paper_url 论文".split())
ELSEWHERE_LABELS = frozenset(
    "blog blogpost post docs doc documentation code github website homepage project video tweet demo".split()
)
"""Words in labels of links that do not lead to the paper, even in a column of papers."""

BRACKETED = re.compile(r"(?:\[[^\[\]]+\][\s,;/]*)+")
"""A cell of texts in brackets: `[Web], [Mobile]` is read as `Web; Mobile`."""
USUAL = (YEAR_COLUMNS, VENUE_COLUMNS, LINK_COLUMNS, SUMMARY_COLUMNS, PAPER_COLUMNS, {"first_author", "conference"})


def is_column(name: str) -> bool:
    """True if a normalized name is usual for a column."""
    return any(name in names for names in (*USUAL, *FIELDS.values()))


def with_cell(entry: ListEntry, name: str, cell: Sequence[Fragment]) -> tuple[ListEntry, str]:
    """Add the values of a cell to an entry. Return the entry, and the text of the cell if no field takes the text."""
    text = plain(cell)
    if BRACKETED.fullmatch(text):
        text = "; ".join(re.findall(r"\[([^\[\]]+)\]", text))
    part = parse_entry(cell)
    entry = replace(entry, links=(*entry.links, *(_labelled(anchor, name) for anchor in part.links)))
    if name in PAPER_COLUMNS and part.is_work and len(part.title.split()) > 2:
        return replace(entry, title=part.title, main=part.main), ""
    if not any(c.isalnum() for c in text):
        return entry, ""
    if name in {*VENUE_COLUMNS, *FIELDS["venue"]}:
        venue, year = _venue(text)
        return replace(entry, venue=venue or entry.venue, year=year or entry.year), ""
    if name in YEAR_COLUMNS or facts.is_venue(text) or (part.links and is_label(text)):
        venue, year = facts.venue_of(text)
        is_finer = name in YEAR_COLUMNS and text != str(year)
        return replace(entry, year=year or entry.year, venue=entry.venue or venue), text if is_finer else ""
    if name in {*FIELDS["authors"], "first_author", "作者"}:
        return replace(entry, authors=text), ""
    if name in SUMMARY_COLUMNS and not entry.summary:
        return replace(entry, summary=text), ""
    is_idle = name in {"", *IDLE_COLUMNS} or (name in LINK_COLUMNS and part.links)
    is_links = bool(part.links) and all(anchor.is_label for anchor in part.links) and len(text.split()) < 4
    return entry, "" if is_idle or is_links else text


def _labelled(anchor: Anchor, name: str) -> Anchor:
    """Label a link by its column: the text in a column of links is a label, `Paper` in a column of papers."""
    says_other = not ELSEWHERE_LABELS.isdisjoint(spaced(anchor.text).split())
    is_paper = name in PAPER_LINK_COLUMNS and anchor.sort in {"paper", "page"} and not says_other
    text = name.replace("_", " ") if spaced(anchor.text) in {"link", "here", "url"} else anchor.text
    is_label = is_paper or name in LINK_COLUMNS or anchor.is_label
    return replace(anchor, text="Paper" if is_paper else text, is_label=is_label)


def _venue(text: str) -> tuple[str, int | None]:
    """Return `(venue, year)` of a cell; an unknown venue is returned unchanged."""
    venue, year = facts.venue_of(text)
    shown = text if len(text.split()) < 12 else venue
    bare = facts.undated(re.sub(r"\s*['’]\s?\d\d$", "", shown))
    return facts.CANONICAL.get(bare.casefold(), bare), year
