"""Tables: which row names the columns, which column holds the title, which rows are papers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from awesome_cli.formats.markdown import facts, words
from awesome_cli.formats.markdown.division import several
from awesome_cli.formats.markdown.entries import ListEntry, understood
from awesome_cli.formats.markdown.links import Anchor, is_label, sort_of
from awesome_cli.formats.markdown.listing import SortedPage
from awesome_cli.formats.markdown.page import Part
from awesome_cli.formats.markdown.pieces import BREAK, Fragment, plain
from awesome_cli.formats.rows import FIELDS, plain_name
from awesome_cli.text.folding import spaced

Cells = Mapping[int, list[Fragment]]


def _title_column(names: Sequence[str], rows: Sequence[Cells]) -> int | None:
    """The number of the column that holds titles; None for a table without one."""
    plain_names = {n: plain_name(name) for n, name in enumerate(names, 1)}
    ranked = [
        n
        for wanted in (*words.TITLE_COLUMNS, *words.NAME_COLUMNS)
        for n, name in plain_names.items()
        if _is_named(name, wanted)
    ]
    for n in ranked:
        cells = [understood(row[n]) for row in rows if n in row]
        if cells and sum(bool(cell.title) for cell in cells) * 2 >= len(cells):
            return n
    first = [understood(row[1]) for row in rows if 1 in row]
    others = [understood(cell) for row in rows for n, cell in row.items() if n > 1]
    is_named = bool(names and names[0]) and not any(cell.main and cell.begins for cell in others)
    return 1 if is_named and sum(cell.main is not None for cell in first) * 2 > len(rows) else None


def _is_named(name: str, wanted: str) -> bool:
    return name == wanted or (
        wanted in {"title", "paper"} and bool(re.search(rf"(?:^|_){wanted}s?(?:_|$)", name)) and "link" not in name
    )


def _is_of_papers(names: Sequence[str], column: int) -> bool:
    """Whether the header says that the rows are papers."""
    known = {plain_name(name) for name in names}
    return bool({plain_name(names[column - 1]), *known} & words.PAPER_COLUMNS) or "paper" in plain_name(
        names[column - 1]
    )


def _row_entry(names: Sequence[str], row: Cells, column: int, path: tuple[str, ...]) -> ListEntry:
    """A row as an entry."""
    entry = understood(row.get(column, []), path)
    line = min((piece.line for cell in row.values() for piece in cell), default=0)
    others: dict[str, str] = {}
    for n, cell in row.items():
        if n != column:
            name = names[n - 1] if n <= len(names) else f"column {n}"
            entry, kept = _with_cell(entry, plain_name(name), cell)
            others |= {name: kept} if name and kept else {}
    return replace(entry, line=line or entry.line, columns=others, begins=True)


def _with_cell(entry: ListEntry, name: str, cell: Sequence[Fragment]) -> tuple[ListEntry, str]:
    """The entry with what a cell says, and what of the cell has no field."""
    text = plain(cell)
    part = understood(cell)
    entry = replace(entry, links=(*entry.links, *(_labelled(anchor, name) for anchor in part.links)))
    if name in words.PAPER_COLUMNS and part.is_work and len(part.title.split()) > 2:
        return replace(entry, title=part.title, main=part.main), ""
    if not any(c.isalnum() for c in text):
        return entry, ""
    if name in {*words.VENUE_COLUMNS, *FIELDS["venue"]}:
        venue, year = _venue(text)
        return replace(entry, venue=venue or entry.venue, year=entry.year or year), ""
    if name in words.YEAR_COLUMNS or facts.is_venue(text) or (part.links and is_label(text)):
        year = facts.year_in(text)
        return replace(entry, year=year or entry.year, venue=entry.venue or facts.venue_of(text)[0]), ""
    if name in {*FIELDS["authors"], "first_author", "作者"}:
        return replace(entry, authors=text), ""
    if name in words.SUMMARY_COLUMNS and not entry.summary:
        return replace(entry, summary=text), ""
    is_idle = name in {"", *words.IDLE_COLUMNS, *words.LINK_COLUMNS}
    return entry, "" if is_idle or _is_links(part.links, text) else text


def _labelled(anchor: Anchor, name: str) -> Anchor:
    """A link of a column of links, as a label; one in a column of papers leads to the paper."""
    says_other = not words.ELSEWHERE_LABELS.isdisjoint(spaced(anchor.text).split())
    is_paper = name in words.PAPER_LINK_COLUMNS and anchor.sort in {"paper", "page"} and not says_other
    return replace(
        anchor,
        text="Paper"
        if is_paper
        else name.replace("_", " ")
        if spaced(anchor.text) in {"link", "here", "url"}
        else anchor.text,
        is_label=is_paper or name in words.LINK_COLUMNS or anchor.is_label,
    )


def _venue(text: str) -> tuple[str, int | None]:
    """Venue and year of a cell; a venue without a usual name stays as it is written."""
    venue, year = facts.venue_of(text)
    shown = text if len(text.split()) < 12 else venue
    bare = re.sub(rf"[\s,:'’]*\(?{facts.YEAR}\)?$|\s*['’]\s?\d\d$", "", shown).strip()
    return "arXiv" if bare.casefold() == "arxiv" else bare, year


def _is_links(links: Sequence[Anchor], text: str) -> bool:
    return bool(links) and all(anchor.is_label for anchor in links) and len(text.split()) < 4


def read_table(page: SortedPage, parts: Sequence[Part]) -> None:
    """The rows of a table; the first one names the columns if it says so, or has no links."""
    page.settle()
    rows: dict[int, dict[int, list[Fragment]]] = {}
    for part in parts:
        if part.cell:
            cell = rows.setdefault(part.cell[1], {}).setdefault(part.cell[2], [])
            cell += [*([Fragment(BREAK, part.line)] if cell else []), *part.pieces]
    heads = {part.cell[1] for part in parts if part.cell and part.head}
    first = min(rows)
    body = [row for number, row in rows.items() if number not in heads]
    header = rows[first] if first in heads else {}
    names = [plain(header.get(n, [])) for n in range(1, max((*header, 0)) + 1)]
    column = _title_column(names, body)
    for row in body:
        _row(page, names, row, column)


def _row(page: SortedPage, names: Sequence[str], row: dict[int, list[Fragment]], column: int | None) -> None:
    if column is None:
        for cell in row.values():
            for entry in several(cell, page.sections.path):
                page.take(entry) if entry.is_work and entry.begins and page.sections.below else page.pass_over(entry)
        return
    entry = _row_entry(names, row, column, page.sections.path)
    stands_alone = entry.main is not None or (entry.says and not entry.links)
    named = entry.title and _is_of_papers(names, column) and stands_alone and _is_known(entry)
    if named or entry.papers:
        page.take(entry)
    else:
        page.pass_over(entry)


def _is_known(entry: ListEntry) -> bool:
    """Whether the link of a title in a column of papers may lead to it: any but one to a video."""
    return entry.main is None or sort_of(entry.main.url) != "video"
