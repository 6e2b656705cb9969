"""Classify the items, rows and paragraphs of a page as papers, other entries, or mere links.

An item of a list is an entry, a group of entries, or a continuation of the entry above it. For a table, determine the
header row, the title column, and the rows that are papers.

`| [On Tea](https://arxiv.org/abs/2402.01680) | ICML 2024 |` under `| Paper | Venue |` is a paper with venue and year.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import groupby

from awesome_cli.formats.markdown import entries, facts
from awesome_cli.formats.markdown.columns import NAME_COLUMNS, PAPER_COLUMNS, TITLE_COLUMNS, with_cell
from awesome_cli.formats.markdown.entries import ListEntry, is_bold_line, merge_entries, parse_entry
from awesome_cli.formats.markdown.labels import with_fields
from awesome_cli.formats.markdown.links import Anchor, sort_of
from awesome_cli.formats.markdown.page import BREAK, SILENT, Fragment, Part, Sections, heading_text, plain
from awesome_cli.formats.markdown.titles import is_title
from awesome_cli.formats.rows import plain_name
from awesome_cli.text.folding import spaced

WHY = {
    "code": "links to code or a model, not to a paper",
    "video": "links to a video, not to a paper",
    "list": "links to another list, not to a paper",
    "page": "links to a page, not to a paper",
    "venue": "a venue, not a paper",
    "paper": "a paper that is mentioned without a separate entry",
}


@dataclass
class SortedPage:
    """The classified contents of a page. `entries` are papers; `failed` are papers without a title.

    `unlinked` are works without a link, by line; `bare` are titles of the current list that may be such works.
    `left` has the links that belong to no entry, with the reason.
    `open` is an entry whose links may follow.
    """

    sections: Sections = field(default_factory=Sections)
    entries: list[ListEntry] = field(default_factory=list)
    other_entries: list[ListEntry] = field(default_factory=list)
    unlinked: dict[int, ListEntry] = field(default_factory=dict)
    bare: dict[int, ListEntry] = field(default_factory=dict)
    left: list[tuple[Anchor, str]] = field(default_factory=list)
    failed: list[ListEntry] = field(default_factory=list)
    open: ListEntry | None = None

    def pass_over(self, entry: ListEntry) -> None:
        """Record an entry that is not a paper; without a title at its start, record only its links."""
        other = entries.as_other_entry(entry)
        self.other_entries.append(other) if other.is_entry else self.leave(entry)

    def leave(self, entry: ListEntry, why: str = "") -> None:
        """Record the links of a text that is not imported, with the reason."""
        self.left += [(anchor, why or WHY[sort_of(anchor.url)]) for anchor in entry.links]

    def take(self, entry: ListEntry) -> None:
        """Record a paper; if the first paper below a heading has no title, use the heading as its title."""
        mentioned = tuple(
            a for a in entry.links if sort_of(a.url) == "paper" and not a.is_label and entry.main and a != entry.main
        )
        self.leave(replace(entry, links=mentioned), WHY["paper"])
        entry = replace(entry, links=tuple(a for a in entry.links if a not in mentioned))
        if not entry.title and (title := self.title_above):
            entry = replace(entry, title=title, path=entry.path[:-1])
        self.sections.fresh = False
        self.unlinked.pop(entry.line, None)
        if not entry.title and any(facts.is_venue(a.text) and facts.year_in(a.text) for a in entry.papers):
            self.leave(entry, WHY["venue"])
            return
        (self.entries if entry.title else self.failed).append(self._placed(entry))

    def pass_unlinked(self, entry: ListEntry) -> None:
        """Record an item without a link if it is a title with venue, authors or year, or below the name of a venue."""
        words = len(entry.title.split())
        is_dated = bool(entry.year and words > 2 and str(entry.year) not in entry.title)
        is_dated = is_dated or bool(entry.venue or entry.authors)
        above = facts.is_venue(self.sections.path[-1]) if self.sections.path else False
        if entry.begins and (words > 1 or entry.venue):
            kind = self.unlinked if is_dated or (above and words > 2) else self.bare
            kind[entry.line] = self._placed(replace(entry, is_unlinked=True))

    def _placed(self, entry: ListEntry) -> ListEntry:
        """Fill venue and year from the nearest heading that is a venue or a year."""
        heading = next((text for text in reversed(self.sections.path) if facts.is_venue(text)), "")
        is_range = len(re.findall(facts.YEAR, heading)) > 1
        venue, year = facts.venue_of("" if is_range else heading)
        return replace(entry, venue=entry.venue or venue, year=entry.year or year)

    @property
    def title_above(self) -> str:
        """The heading directly above, if it may be a title, else ''."""
        heading = self.sections.path[-1] if self.sections.fresh and self.sections.path else ""
        return facts.titled(facts.without_lead(heading)) if len(heading.split()) > 3 else ""

    def settle(self) -> None:
        """Close the open entry, and record it as a paper if it now links to a paper."""
        waiting, self.open = self.open, None
        if waiting and (waiting.is_work or (waiting.papers and not waiting.title)):
            self.take(waiting)
        elif waiting:
            self.pass_over(waiting)


@dataclass
class Item:
    """An item of a list: its parts, its labelled lines, and its nested items."""

    parts: list[Part] = field(default_factory=list)
    fields: list[Part] = field(default_factory=list)
    inner: list["Item"] = field(default_factory=list)

    @cached_property
    def entries(self) -> list[ListEntry]:
        """The entries of the parts, without headings."""
        return entries.split_entries(self.parts, ())

    def placed(self, path: tuple[str, ...]) -> list[ListEntry]:
        return [replace(entry, path=path) for entry in self.entries]

    def take_fields(self) -> None:
        """Move the labelled lines of this item, and nested items that consist of these, to `fields`."""
        for item in self.inner:
            item.take_fields()
        self.fields += [part for part in self.parts if part.label]
        self.parts = [part for part in self.parts if not part.label]
        if self.parts:
            self.fields += [part for item in self.inner if not item.parts for part in item.fields]
            self.inner = [item for item in self.inner if item.parts or item.inner]


def read_list(page: SortedPage, parts: Sequence[Part]) -> None:
    page.settle()
    roots, known = list[Item](), dict[int, Item]()
    for part in parts:
        inside: list[Item] = roots
        for number in part.items:
            if number not in known:
                known[number] = Item()
                inside.append(known[number])
            inside = known[number].inner
        known[part.items[-1]].parts.append(part)
    last = None
    known_before = len(page.unlinked)
    for item in roots:
        item.take_fields()
    for item in _nested(roots):
        last = _item(page, item, page.sections.path)
    if len(page.unlinked) - known_before > len(page.bare):
        page.unlinked |= page.bare
    page.bare.clear()
    # The links of a title may follow in a paragraph that is not indented.
    page.open = last


def _nested(items: Sequence[Item]) -> list[Item]:
    """Nest a reference into the item directly before it that links to the same work, as if it were indented."""
    nested: list[Item] = []
    before = ListEntry(0)
    for item in items:
        entry = next(iter(item.entries), ListEntry(0))
        item.inner = _nested(item.inner)
        if before.papers and not (before.main or before.authors or entry.links) and _is_reference(entry, before):
            nested[-1].inner.append(item)
            before = ListEntry(0)
        else:
            nested.append(item)
            before = ListEntry(0) if item.inner else entry
    return nested


def _is_reference(entry: ListEntry, before: ListEntry) -> bool:
    """True if an entry is the reference of the work `before`: it has authors, or the same title and a venue or year."""
    first, second = (spaced(title).split()[:1] for title in (entry.title, before.title))
    return bool(entry.title) and bool(entry.authors or (entry.has_facts and first == second))


def _item(page: SortedPage, item: Item, path: tuple[str, ...]) -> ListEntry | None:
    """Classify an item; return its entry if links of the entry may follow in the next text."""
    if page.sections.aside:
        _leave_all(page, item, f"in the section {page.sections.aside!r}")
        return None
    outer = _with_fields(item.placed(path), item.fields)
    inner = [(child, child.placed(path)) for child in item.inner]
    alone = [child for child, nested in inner if child.inner or any(e.is_work and e.begins for e in nested)]
    if not any(entry.papers or entry.has_facts for entry in (*outer, *(e for _, nested in inner for e in nested))):
        alone = [child for child, nested in inner if child.inner or any(e.is_entry and e.main for e in nested)]
    if alone and not any(entry.papers for entry in outer):
        # The item is the name of a group.
        alone = item.inner
    has_content = any(entry.has_facts or entry.links for entry in outer)
    for child, nested in inner:
        outer = outer if child in alone else _absorbed(outer, nested)
    for entry in outer:
        _sort(page, entry, is_group=len(inner) > 1 and not has_content)
        if not (entry.links or alone) and page.sections.below:
            page.pass_unlinked(entry)
    name = _group_name(item, outer, len(alone))
    for child in alone:
        _item(page, child, (*path, name) if name else path)
    waits = bool(outer) and not inner and bool(outer[-1].title) and not outer[-1].links
    return outer[-1] if waits and not any(entry.papers for entry in outer) else None


def _with_fields(found: Sequence[ListEntry], fields: Sequence[Part]) -> list[ListEntry]:
    return [*found[:-1], reduce(with_field, fields, found[-1])] if found else []


def with_field(entry: ListEntry, part: Part) -> ListEntry:
    """Add a labelled line to an entry."""
    entry, text = with_cell(entry, plain_name(part.label), part.pieces)
    return replace(entry, columns={**entry.columns, part.label: text}) if text else entry


def _sort(page: SortedPage, entry: ListEntry, *, is_group: bool) -> None:
    """Classify an entry: it is a paper if it links to one, or has authors, venue or year in a section of papers."""
    is_dated = bool(entry.links and entry.year and not entry.main and (entry.venue or entry.authors))
    is_dated = is_dated or bool(entry.venue and entry.authors)
    is_cited = not is_group and ((page.sections.of_papers and entry.has_facts) or is_dated)
    if entry.papers:
        is_mention = not entry.begins and entry.main and len(entry.title.split()) <= 3
        page.leave(entry, WHY["paper"]) if is_mention else page.take(entry)
    elif entry.title and is_cited and not (entry.main and sort_of(entry.main.url) in {"code", "video", "list"}):
        page.take(entry)
    else:
        page.pass_over(entry)


def _group_name(item: Item, outer: Sequence[ListEntry], inner: int) -> str:
    """Return the name of a group of entries, to use as a heading; '' if the item is not a group."""
    if not outer or not item.parts or any(entry.links for entry in outer):
        return ""
    name = (outer[0].title or plain([piece for part in item.parts for piece in part.pieces])).strip(" :：*")
    is_name = (inner > 1 or is_bold_line(item.parts[0])) and len(name.split()) <= 10 and not facts.is_venue(name)
    return name if is_name else ""


def _absorbed(outer: list[ListEntry], nested: Sequence[ListEntry]) -> list[ListEntry]:
    """Merge nested entries into the entry of their item: its links, or the full reference of a nickname."""
    if not outer:
        return list(nested)
    entry = outer[-1]
    for read in nested:
        part = _as_authors(read, entry)
        if entry.papers and not part.links and _is_reference(part, entry):
            bare = replace(entry, title="", authors="", venue="", year=None)
            entry = replace(merge_entries(bare, part), main=entry.main)
        else:
            text = part.title if not part.links and not part.has_facts and len(part.title.split()) > 3 else ""
            summary = " ".join(filter(None, (entry.summary, part.summary or text)))
            entry = replace(merge_entries(entry, replace(part, title="", main=None)), summary=summary)
    return [*outer[:-1], entry]


def _as_authors(part: ListEntry, entry: ListEntry) -> ListEntry:
    """Return a part of an entry without authors with its title as authors, if the title is a list of names."""
    if entry.authors or part.authors or part.links or not facts.is_names(part.title, alone=True):
        return part
    return replace(part, authors=part.title, title="")


def _leave_all(page: SortedPage, item: Item, why: str) -> None:
    for entry in item.entries:
        page.leave(entry, why)
    for child in item.inner:
        _leave_all(page, child, why)


Cells = Mapping[int, list[Fragment]]


def _title_column(names: Sequence[str], rows: Sequence[Cells]) -> int | None:
    """Return the number of the title column, from 1; None if there is none."""
    plain_names = {n: plain_name(name) for n, name in enumerate(names, 1)}
    ranked = [
        n for wanted in (*TITLE_COLUMNS, *NAME_COLUMNS) for n, name in plain_names.items() if _is_named(name, wanted)
    ]
    for n in ranked:
        cells = [parse_entry(row[n]) for row in rows if n in row]
        if cells and sum(bool(cell.title) for cell in cells) * 2 >= len(cells):
            return n
    first = [parse_entry(row[1]) for row in rows if 1 in row]
    further = [parse_entry(cell) for row in rows for n, cell in row.items() if n > 1]
    is_named = bool(names and names[0]) and not any(cell.main and cell.begins for cell in further)
    return 1 if is_named and sum(cell.main is not None for cell in first) * 2 > len(rows) else None


def _is_named(name: str, wanted: str) -> bool:
    return name == wanted or (
        wanted in {"title", "paper"} and bool(re.search(rf"(?:^|_){wanted}s?(?:_|$)", name)) and "link" not in name
    )


def _row_entry(names: Sequence[str], row: Cells, column: int, path: tuple[str, ...]) -> ListEntry:
    entry = parse_entry(cell := row.get(column, []), path)
    if (
        column <= len(names)
        and plain_name(names[column - 1]) in TITLE_COLUMNS
        and not any(p.url for p in cell)
        and (not entry.title or entry.authors)
    ):
        # The whole cell is the title, also if it looks like names or several sentences.
        title = facts.titled(plain(cell))
        entry = replace(entry, title=title if is_title(title) else "", authors="")
    line = min((piece.line for cell in row.values() for piece in cell), default=0)
    unassigned: dict[str, str] = {}
    for n, cell in row.items():
        if n != column:
            name = names[n - 1] if n <= len(names) else f"column {n}"
            entry, text = with_cell(entry, plain_name(name), cell)
            unassigned |= {name: text} if name and text else {}
    return replace(entry, line=line or entry.line, columns=unassigned, begins=True)


def read_table(page: SortedPage, parts: Sequence[Part]) -> None:
    """Classify the rows of a table."""
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
            for entry in entries.split_titles(cell, page.sections.path):
                page.take(entry) if entry.is_work and entry.begins and page.sections.below else page.pass_over(entry)
        return
    entry = _row_entry(names, row, column, page.sections.path)
    known = [plain_name(name) for name in names]
    of_papers = not PAPER_COLUMNS.isdisjoint(known) or "paper" in known[column - 1]
    stands_alone = entry.main is not None or (entry.has_facts and not entry.links)
    may_be_paper = entry.main is None or sort_of(entry.main.url) != "video"
    if entry.papers or (entry.title and of_papers and stands_alone and may_be_paper):
        page.take(entry)
    else:
        page.pass_over(entry)


def sorted_page(parts: Sequence[Part]) -> SortedPage:
    """Classify all parts of a page."""
    page = SortedPage()
    groups = [(key, list(group)) for key, group in groupby(with_fields(parts), key=_group)]
    for n, (key, group) in enumerate(groups):
        following = groups[n + 1][0][0] if n + 1 < len(groups) else ""
        if key[0] == "table":
            read_table(page, group)
        elif key[0] == "list":
            read_list(page, group)
        else:
            _texts(page, group, following)
    page.settle()
    return page


def _group(part: Part) -> tuple[str, int]:
    if part.cell:
        return "table", part.cell[0]
    if part.items and part.kind in {"text", "quote", "field"}:
        return "list", 0
    return part.kind, 0


def _texts(page: SortedPage, parts: Sequence[Part], following: str) -> None:
    for n, part in enumerate(parts):
        if part.kind == "heading":
            page.settle()
            _heading(page, part)
        elif part.label and (page.open or page.title_above):
            # Labelled lines below a heading are of the work that the heading names.
            above = ListEntry(part.line, page.title_above, path=page.sections.path[:-1], begins=True)
            page.open = with_field(page.open or above, part)
            page.sections.fresh = False
        elif part.kind == "summary":
            page.settle()
            text = heading_text(part)
            page.sections.enter(10 + part.level, "" if SILENT.fullmatch(spaced(text)) else text)
        elif part.kind == "end":
            page.settle()
            page.sections.leave(10 + part.level)
        elif is_bold_line(part) and _is_heading(page, parts[n + 1 :], following):
            page.settle()
            page.sections.enter(40 if page.sections.in_details else 9, heading_text(part))
        else:
            _paragraph(page, part)


def _is_heading(page: SortedPage, parts: Sequence[Part], following: str) -> bool:
    """True if a bold line before some parts is a heading: before a list or table, or the first above an entry."""
    if not parts:
        return following in {"list", "table"}
    entry = parse_entry(parts[0].pieces)
    return not page.sections.below and entry.is_work and entry.begins


def _heading(page: SortedPage, part: Part) -> None:
    entry = parse_entry(part.pieces, page.sections.path)
    page.sections.enter(part.level, heading_text(part))
    if entry.is_work and entry.main and not page.sections.aside:
        page.sections.leave(part.level)
        page.open = replace(entry, path=page.sections.path)
    elif part.level > 1:
        page.leave(replace(entry, links=tuple(a for a in entry.links if not a.is_label)))


def _paragraph(page: SortedPage, part: Part) -> None:
    """Classify a paragraph as an entry, a continuation of the previous entry, or prose."""
    sections = page.sections
    for entry in entries.split_entries([part], sections.path):
        if not sections.below or sections.aside or part.kind == "quote":
            page.settle()
            if sections.below:
                page.leave(entry, f"in the section {sections.aside!r}" if sections.aside else "")
        elif page.open and _goes_on(page.open, entry):
            page.open = merge_entries(page.open, replace(_as_authors(entry, page.open), title=""))
        else:
            page.settle()
            _begin(page, entry, part)


def _goes_on(waiting: ListEntry, entry: ListEntry) -> bool:
    """True if `entry` continues the entry before it: it is not a work, and at most one of the two has papers."""
    is_new = entry.main or (entry.title and entry.authors and entry.links and waiting.is_work)
    return not (is_new or (entry.papers and (waiting.papers or entry.title)))


def _begin(page: SortedPage, entry: ListEntry, part: Part) -> None:
    is_short = len(plain(part.pieces).split()) < 40
    if entry.title and entry.begins and not entry.links and is_short:
        page.open = entry  # its links may follow in the next text
    elif entry.is_work and entry.begins and not _is_prose(entry, part):
        page.open = entry
    elif entry.papers and not entry.title:
        page.take(entry)
    elif entry.main and not _is_prose(entry, part):
        page.pass_over(entry)
    else:
        page.leave(entry)


def _is_prose(entry: ListEntry, part: Part) -> bool:
    """True if the link of the title is in the middle of a sentence."""
    if entry.main is None:
        return False
    text = plain(part.pieces)
    behind = text[text.find(entry.main.text) + len(entry.main.text) :].lstrip('*_"”)] ')
    return bool(behind[:1].islower())
