"""Lists, tables and paragraphs of a page, each sorted into what is a paper and what is none.

An item of a list is an entry, a group of entries, or more of the entry above it. Of a table it is told which row names
the columns, which column holds the title, and which rows are papers.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from awesome_cli.formats.markdown import entries, facts
from awesome_cli.formats.markdown.entries import ListEntry, is_bold_line, merge_entries, parse_entry
from awesome_cli.formats.markdown.links import Anchor, is_label, sort_of
from awesome_cli.formats.markdown.page import BREAK, SILENT, Fragment, Part, Sections, heading_text, plain
from awesome_cli.formats.rows import FIELDS, plain_name
from awesome_cli.text.folding import spaced

WHY = {
    "code": "leads to code or a model, not to a paper",
    "video": "leads to a video, not to a paper",
    "list": "leads to another list, not to a paper",
    "page": "leads to a page, not to a paper",
    "paper": "a paper that is mentioned, and has no entry of its own here",
}


@dataclass
class SortedPage:
    """Entries that are papers, entries that lead elsewhere, links that are neither with the reason, and failed entries.

    `open` is an entry whose links may stand in what follows.
    """

    sections: Sections = field(default_factory=Sections)
    entries: list[ListEntry] = field(default_factory=list)
    others: list[ListEntry] = field(default_factory=list)
    left: list[tuple[Anchor, str]] = field(default_factory=list)
    failed: list[ListEntry] = field(default_factory=list)
    open: ListEntry | None = None

    def pass_over(self, entry: ListEntry) -> None:
        """Note what leads to no paper: an entry of its own, or links."""
        other = entries.as_other_entry(entry)
        self.others.append(other) if other.is_entry else self.leave(entry)

    def leave(self, entry: ListEntry, why: str = "") -> None:
        """Note the links of what is no paper."""
        self.left += [(anchor, why or WHY[sort_of(anchor.url)]) for anchor in entry.links]

    def take(self, entry: ListEntry) -> None:
        """Note an entry that is a paper; one without a title has that of its heading, if it is the first below it."""
        mentioned = tuple(
            a for a in entry.links if sort_of(a.url) == "paper" and not a.is_label and entry.main and a != entry.main
        )
        self.leave(replace(entry, links=mentioned), WHY["paper"])
        entry = replace(entry, links=tuple(a for a in entry.links if a not in mentioned))
        heading = self.sections.path[-1:] if self.sections.fresh and not entry.title else ()
        if heading and len(heading[0].split()) > 3:
            entry = replace(entry, title=facts.titled(facts.without_lead(heading[0])), path=entry.path[:-1])
        self.sections.fresh = False
        (self.entries if entry.title else self.failed).append(entry)

    def settle(self) -> None:
        """An entry that still waits for its links is a paper only if it has them."""
        waiting, self.open = self.open, None
        if waiting and (waiting.is_work or (waiting.papers and not waiting.title)):
            self.take(waiting)
        elif waiting:
            self.pass_over(waiting)


@dataclass
class Item:
    """An item of a list: its own parts, and the items in it."""

    parts: list[Part] = field(default_factory=list)
    inner: list["Item"] = field(default_factory=list)


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
    for item in _nested(roots):
        last = _item(page, item, page.sections.path)
    # A title whose links stand in a paragraph that is not indented waits for it.
    if last is not None:
        page.open = last


def _nested(items: Sequence[Item]) -> list[Item]:
    """The items, with a reference that stands right below the link of its work in that item, as if it were indented."""
    found: list[Item] = []
    before = ListEntry(0)
    for item in items:
        entry = next(iter(entries.split_entries(item.parts, ())), ListEntry(0))
        item.inner = _nested(item.inner)
        if before.papers and not (before.main or before.authors or entry.links) and _is_reference(entry, before):
            found[-1].inner.append(item)
            before = ListEntry(0)
        else:
            found.append(item)
            before = ListEntry(0) if item.inner else entry
    return found


def _is_reference(entry: ListEntry, before: ListEntry) -> bool:
    """Whether an entry tells of the work of another one: its authors, or its title with a venue."""
    first, other = (spaced(title).split()[:1] for title in (entry.title, before.title))
    return bool(entry.title) and bool(entry.authors or (entry.says and first == other))


def _item(page: SortedPage, item: Item, path: tuple[str, ...]) -> ListEntry | None:
    """Sort an item; gives its entry if it may wait for links in what follows."""
    if page.sections.aside:
        _leave_all(page, item, f"stands under {page.sections.aside!r}")
        return None
    own = entries.split_entries(item.parts, path)
    inner = [(child, entries.split_entries(child.parts, path)) for child in item.inner]
    alone = [child for child, found in inner if child.inner or any(e.is_work and e.begins for e in found)]
    told = [*own, *(entry for _, found in inner for entry in found)]
    if not any(entry.papers or entry.says for entry in told):
        alone = [child for child, found in inner if child.inner or any(e.is_entry and e.main for e in found)]
    if alone and not any(entry.papers for entry in own):
        # The item is the name of a group.
        alone = item.inner
    says = any(entry.says or entry.links for entry in own)
    for child, found in inner:
        own = own if child in alone else _absorbed(own, found)
    for entry in own:
        _sort(page, entry, is_group=len(inner) > 1 and not says)
    name = _group_name(item, own, len(alone))
    for child in alone:
        _item(page, child, (*path, name) if name else path)
    waits = bool(own) and not inner and bool(own[-1].title) and not own[-1].links
    return own[-1] if waits and not any(entry.papers for entry in own) else None


def _sort(page: SortedPage, entry: ListEntry, *, is_group: bool) -> None:
    """An entry of a list: one that links to a paper, or says what is said of papers and stands among them."""
    is_told = not is_group and ((page.sections.of_papers and entry.says) or bool(entry.authors and entry.venue))
    if entry.papers:
        is_mention = not entry.begins and entry.main and len(entry.title.split()) <= 3
        page.leave(entry, WHY["paper"]) if is_mention else page.take(entry)
    elif entry.title and is_told and not (entry.main and sort_of(entry.main.url) in {"code", "video", "list"}):
        page.take(entry)
    else:
        page.pass_over(entry)


def _group_name(item: Item, own: Sequence[ListEntry], inner: int) -> str:
    """The name of a group of entries, as a heading; nothing for an item that is none."""
    if not own or not item.parts or any(entry.links for entry in own):
        return ""
    name = (own[0].title or plain([piece for part in item.parts for piece in part.pieces])).strip(" :：*")
    is_name = (inner > 1 or is_bold_line(item.parts[0])) and len(name.split()) <= 10 and not facts.is_venue(name)
    return name if is_name else ""


def _absorbed(own: list[ListEntry], found: Sequence[ListEntry]) -> list[ListEntry]:
    """An item's entry with what an item in it says: its links, or the whole reference of a nickname."""
    if not own:
        return list(found)
    entry = own[-1]
    for part in found:
        if entry.papers and not part.links and _is_reference(part, entry):
            unsaid = replace(entry, title="", authors="", venue="", year=None)
            entry = replace(merge_entries(unsaid, part), main=entry.main)
        elif not (part.links or part.says or entry.authors) and facts.is_names(part.title, alone=True):
            entry = replace(entry, authors=part.title)
        else:
            said = part.title if not part.links and not part.says and len(part.title.split()) > 3 else ""
            entry = merge_entries(entry, replace(part, title="", main=None, summary=part.summary or said))
    return [*own[:-1], entry]


def _leave_all(page: SortedPage, item: Item, why: str) -> None:
    for entry in entries.split_entries(item.parts, ()):
        page.leave(entry, why)
    for child in item.inner:
        _leave_all(page, child, why)


TITLE_COLUMNS = tuple("title paper paper_title papers article publication work reference name 论文 标题".split())
"""Names of columns that hold titles, the best first."""
NAME_COLUMNS = tuple("method model methods models approach benchmark dataset framework system algorithm survey".split())
"""Names of columns that hold the short names of works."""
YEAR_COLUMNS = frozenset(
    "year date time month published release released publish_date release_date pub_date 年份 时间 日期".split()
)
VENUE_COLUMNS = frozenset("venue conf publication pub where source published_in 会议".split())
"""Names of columns that hold venues, beside those of any table."""
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
"""Words of labels that lead elsewhere, even in a column of papers."""

Cells = Mapping[int, list[Fragment]]


def _title_column(names: Sequence[str], rows: Sequence[Cells]) -> int | None:
    """The number of the column that holds titles; None for a table without one."""
    plain_names = {n: plain_name(name) for n, name in enumerate(names, 1)}
    ranked = [
        n for wanted in (*TITLE_COLUMNS, *NAME_COLUMNS) for n, name in plain_names.items() if _is_named(name, wanted)
    ]
    for n in ranked:
        cells = [parse_entry(row[n]) for row in rows if n in row]
        if cells and sum(bool(cell.title) for cell in cells) * 2 >= len(cells):
            return n
    first = [parse_entry(row[1]) for row in rows if 1 in row]
    others = [parse_entry(cell) for row in rows for n, cell in row.items() if n > 1]
    is_named = bool(names and names[0]) and not any(cell.main and cell.begins for cell in others)
    return 1 if is_named and sum(cell.main is not None for cell in first) * 2 > len(rows) else None


def _is_named(name: str, wanted: str) -> bool:
    return name == wanted or (
        wanted in {"title", "paper"} and bool(re.search(rf"(?:^|_){wanted}s?(?:_|$)", name)) and "link" not in name
    )


def _is_of_papers(names: Sequence[str], column: int) -> bool:
    known = [plain_name(name) for name in names]
    return not PAPER_COLUMNS.isdisjoint(known) or "paper" in known[column - 1]


def _row_entry(names: Sequence[str], row: Cells, column: int, path: tuple[str, ...]) -> ListEntry:
    entry = parse_entry(row.get(column, []), path)
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
    part = parse_entry(cell)
    entry = replace(entry, links=(*entry.links, *(_labelled(anchor, name) for anchor in part.links)))
    if name in PAPER_COLUMNS and part.is_work and len(part.title.split()) > 2:
        return replace(entry, title=part.title, main=part.main), ""
    if not any(c.isalnum() for c in text):
        return entry, ""
    if name in {*VENUE_COLUMNS, *FIELDS["venue"]}:
        venue, year = _venue(text)
        return replace(entry, venue=venue or entry.venue, year=entry.year or year), ""
    if name in YEAR_COLUMNS or facts.is_venue(text) or (part.links and is_label(text)):
        year = facts.year_in(text)
        return replace(entry, year=year or entry.year, venue=entry.venue or facts.venue_of(text)[0]), ""
    if name in {*FIELDS["authors"], "first_author", "作者"}:
        return replace(entry, authors=text), ""
    if name in SUMMARY_COLUMNS and not entry.summary:
        return replace(entry, summary=text), ""
    is_idle = name in {"", *IDLE_COLUMNS, *LINK_COLUMNS}
    is_links = bool(part.links) and all(anchor.is_label for anchor in part.links) and len(text.split()) < 4
    return entry, "" if is_idle or is_links else text


def _labelled(anchor: Anchor, name: str) -> Anchor:
    """A link of a column of links, as a label; one in a column of papers leads to the paper."""
    says_other = not ELSEWHERE_LABELS.isdisjoint(spaced(anchor.text).split())
    is_paper = name in PAPER_LINK_COLUMNS and anchor.sort in {"paper", "page"} and not says_other
    text = name.replace("_", " ") if spaced(anchor.text) in {"link", "here", "url"} else anchor.text
    is_label = is_paper or name in LINK_COLUMNS or anchor.is_label
    return replace(anchor, text="Paper" if is_paper else text, is_label=is_label)


def _venue(text: str) -> tuple[str, int | None]:
    """Venue and year of a cell; a venue without a usual name stays as it is written."""
    venue, year = facts.venue_of(text)
    shown = text if len(text.split()) < 12 else venue
    bare = re.sub(rf"[\s,:'’]*\(?{facts.YEAR}\)?$|\s*['’]\s?\d\d$", "", shown).strip()
    return "arXiv" if bare.casefold() == "arxiv" else bare, year


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
            for entry in entries.split_titles(cell, page.sections.path):
                page.take(entry) if entry.is_work and entry.begins and page.sections.below else page.pass_over(entry)
        return
    entry = _row_entry(names, row, column, page.sections.path)
    stands_alone = entry.main is not None or (entry.says and not entry.links)
    may_be_paper = entry.main is None or sort_of(entry.main.url) != "video"
    if entry.papers or (entry.title and _is_of_papers(names, column) and stands_alone and may_be_paper):
        page.take(entry)
    else:
        page.pass_over(entry)


def sorted_page(parts: Sequence[Part]) -> SortedPage:
    """All parts of a page, sorted."""
    page = SortedPage()
    groups = [(key, list(group)) for key, group in groupby(parts, key=_group)]
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
    if part.items and part.kind in {"text", "quote"}:
        return "list", 0
    return part.kind, 0


def _texts(page: SortedPage, parts: Sequence[Part], following: str) -> None:
    for n, part in enumerate(parts):
        if part.kind == "heading":
            page.settle()
            _heading(page, part)
        elif part.kind == "summary":
            page.settle()
            text = heading_text(part)
            page.sections.enter(10 + part.level, "" if SILENT.fullmatch(spaced(text)) else text)
        elif part.kind == "end":
            page.settle()
            page.sections.leave(10 + part.level)
        elif n == len(parts) - 1 and following in {"list", "table"} and is_bold_line(part):
            page.settle()
            page.sections.enter(40 if page.sections.in_details else 9, heading_text(part))
        else:
            _paragraph(page, part)


def _heading(page: SortedPage, part: Part) -> None:
    entry = parse_entry(part.pieces, page.sections.path)
    page.sections.enter(part.level, heading_text(part))
    if entry.is_work and entry.main and not page.sections.aside:
        page.sections.leave(part.level)
        page.open = replace(entry, path=page.sections.path)
    elif part.level > 1:
        page.leave(replace(entry, links=tuple(a for a in entry.links if not a.is_label)))


def _paragraph(page: SortedPage, part: Part) -> None:
    """A paragraph: an entry, more of the one before it, or prose."""
    sections = page.sections
    for entry in entries.split_entries([part], sections.path):
        if not sections.below or sections.aside or part.kind == "quote":
            page.settle()
            if sections.below:
                page.leave(entry, f"stands under {sections.aside!r}" if sections.aside else "")
        elif page.open and _goes_on(page.open, entry):
            page.open = merge_entries(page.open, replace(entry, title=""))
        else:
            page.settle()
            _begin(page, entry, part)


def _goes_on(waiting: ListEntry, entry: ListEntry) -> bool:
    """Whether a text belongs to the entry before it: it names no work of its own, and only one of them has papers."""
    is_own = entry.main or (entry.title and entry.authors and entry.links and waiting.is_work)
    return not (is_own or (entry.papers and (waiting.papers or entry.title)))


def _begin(page: SortedPage, entry: ListEntry, part: Part) -> None:
    is_short = len(plain(part.pieces).split()) < 40
    if entry.title and entry.begins and not entry.links and is_short:
        page.open = entry  # a title whose links may stand in the next text
    elif entry.is_work and entry.begins and not _is_prose(entry, part):
        page.open = entry
    elif entry.papers and not entry.title:
        page.take(entry)
    elif entry.main and not _is_prose(entry, part):
        page.pass_over(entry)
    else:
        page.leave(entry)


def _is_prose(entry: ListEntry, part: Part) -> bool:
    """Whether a text goes on in a sentence behind its link."""
    if entry.main is None:
        return False
    text = plain(part.pieces)
    behind = text[text.find(entry.main.text) + len(entry.main.text) :].lstrip('*_"”)] ')
    return bool(behind[:1].islower())
