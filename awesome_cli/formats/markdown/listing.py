"""A page sorted: its entries that are papers, what is left out, and what cannot be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from awesome_cli.formats.markdown import facts, tables
from awesome_cli.formats.markdown.entries import Entry, joined, understood
from awesome_cli.formats.markdown.links import Anchor, is_web, sort_of
from awesome_cli.formats.markdown.page import Part
from awesome_cli.formats.markdown.pieces import BREAK, Piece, plain
from awesome_cli.formats.markdown.sections import SILENT, Sections, heading_text
from awesome_cli.text.folding import spaced

WHY = {
    "code": "leads to code or a model, not to a paper",
    "video": "leads to a video, not to a paper",
    "list": "leads to another list, not to a paper",
    "page": "leads to a page, not to a paper",
    "paper": "a paper that is mentioned, and has no entry of its own here",
}


@dataclass
class Item:
    """An item of a list: its own parts, and the items in it."""

    parts: list[Part] = field(default_factory=list)
    inner: list["Item"] = field(default_factory=list)


@dataclass
class Listing:
    """What a page holds: entries that are papers, links that are none with the reason, entries that lack a title."""

    sections: Sections = field(default_factory=Sections)
    entries: list[Entry] = field(default_factory=list)
    left: list[tuple[Anchor, str]] = field(default_factory=list)
    failed: list[Entry] = field(default_factory=list)
    open: Entry | None = None

    def leave(self, entry: Entry, why: str = "") -> None:
        """Note the links of what is no paper."""
        self.left += [(anchor, why or WHY[sort_of(anchor.url)]) for anchor in entry.links]

    def take(self, entry: Entry) -> None:
        """Note an entry that is a paper; one without a title has that of its heading, if it is the first below it."""
        mentioned = tuple(
            a for a in entry.links if sort_of(a.url) == "paper" and not a.is_label and entry.main and a != entry.main
        )
        self.leave(replace(entry, links=mentioned), WHY["paper"])
        entry = replace(entry, links=tuple(a for a in entry.links if a not in mentioned))
        heading = self.sections.path[-1:] if self.sections.fresh and not entry.title else ()
        if heading and len(heading[0].split()) > 3:
            entry = replace(entry, title=heading[0], path=entry.path[:-1])
        self.sections.fresh = False
        (self.entries if entry.title else self.failed).append(entry)


def sorted_page(parts: Sequence[Part]) -> Listing:
    """All parts of a page, sorted."""
    page = Listing()
    groups = [(key, list(group)) for key, group in groupby(parts, key=_group)]
    for n, (key, group) in enumerate(groups):
        following = groups[n + 1][0][0] if n + 1 < len(groups) else ""
        if key[0] == "table":
            _table(page, group)
        elif key[0] == "list":
            _list(page, group)
        else:
            _texts(page, group, following)
    _settle(page)
    return page


def _group(part: Part) -> tuple[str, int]:
    if part.cell:
        return "table", part.cell[0]
    if part.items and part.kind in {"text", "quote"}:
        return "list", 0
    return part.kind, 0


def _settle(page: Listing) -> None:
    """An entry that still waits for its links is a paper only if it has them."""
    waiting, page.open = page.open, None
    if waiting is None:
        return
    if waiting.is_work or (waiting.papers and not waiting.title):
        page.take(waiting)
    else:
        page.leave(waiting)


def _texts(page: Listing, parts: Sequence[Part], following: str) -> None:
    """Headings and paragraphs."""
    for n, part in enumerate(parts):
        if part.kind == "heading":
            _settle(page)
            _heading(page, part)
        elif part.kind == "summary":
            _settle(page)
            text = heading_text(part)
            page.sections.enter(10 + part.level, "" if SILENT.fullmatch(spaced(text)) else text)
        elif part.kind == "end":
            _settle(page)
            page.sections.leave(10 + part.level)
        elif n == len(parts) - 1 and following in {"list", "table"} and _is_bold_line(part):
            _settle(page)
            page.sections.enter(9 if not _in_details(page) else 40, heading_text(part))
        else:
            _paragraph(page, part)


def _in_details(page: Listing) -> bool:
    return bool(page.sections.stack) and page.sections.stack[-1][0] > 9


def _heading(page: Listing, part: Part) -> None:
    entry = understood(part.pieces, page.sections.path)
    page.sections.enter(part.level, heading_text(part))
    if entry.is_work and entry.main and not page.sections.aside:
        page.sections.leave(part.level)
        page.open = replace(entry, path=page.sections.path)
    elif part.level > 1:
        page.leave(replace(entry, links=tuple(a for a in entry.links if not a.is_label)))


def _is_bold_line(part: Part) -> bool:
    shown = [piece for piece in part.pieces if piece.text.strip()]
    text = plain(shown)
    is_bold = bool(shown) and all(
        "b" in p.look and not is_web(p.url) for p in shown if any(c.isalnum() for c in p.text)
    )
    return is_bold and 0 < len(text.split()) <= 10 and not text.endswith((".", "!", "?"))


def _paragraph(page: Listing, part: Part) -> None:
    """A paragraph: an entry, more of the one before it, or prose."""
    sections = page.sections
    for entry in _divided([part], sections.path):
        if not sections.below or sections.aside or part.kind == "quote":
            _settle(page)
            if sections.below and not sections.aside:
                page.leave(entry)
            elif sections.aside:
                page.leave(entry, f"stands under {sections.aside!r}")
        elif (
            page.open
            and not entry.main
            and not (page.open.papers and entry.papers)
            and not (entry.title and entry.papers)
        ):
            page.open = joined(page.open, replace(entry, title=""))
        elif entry.is_work and entry.begins and not _is_prose(entry, part):
            _settle(page)
            page.open = entry
        elif entry.papers and not entry.title:
            _settle(page)
            page.take(entry)
        else:
            _settle(page)
            page.open = entry if _may_wait(entry, part) else None
            if page.open is None:
                page.leave(entry)


def _may_wait(entry: Entry, part: Part) -> bool:
    """Whether a text may be a title whose links stand in the next one."""
    return bool(entry.title and entry.begins and not entry.links and len(plain(part.pieces).split()) < 40)


def _is_prose(entry: Entry, part: Part) -> bool:
    """Whether a text goes on in a sentence behind its link."""
    if entry.main is None:
        return False
    text = plain(part.pieces)
    behind = text[text.find(entry.main.text) + len(entry.main.text) :].lstrip('*_"”)] ')
    return bool(behind[:1].islower())


def _divided(parts: Sequence[Part], path: tuple[str, ...]) -> list[Entry]:
    """The entries of some parts: each line with a title and a paper of its own is one, the others belong to them."""
    lines: list[list[Piece]] = [[]]
    for part in parts:
        for piece in part.pieces:
            lines.append([]) if piece.is_break else lines[-1].append(piece)
        lines.append([])
    full = [line for line in lines if any(piece.text.strip() or piece.image for piece in line)]
    found: list[list[list[Piece]]] = []
    heads = [understood(line) for line in full]
    for line, head in zip(full, heads, strict=True):
        own = head.is_work and head.begins
        if not found or (own and understood(_whole(found[-1])).is_work):
            found.append([line])
        else:
            found[-1].append(line)
    return [entry for group in found for entry in _several(_whole(group), path)]


def _whole(lines: Sequence[list[Piece]]) -> list[Piece]:
    return [piece for line in lines for piece in (*line, Piece(BREAK, line[-1].line))]


def _several(pieces: list[Piece], path: tuple[str, ...]) -> list[Entry]:
    """One entry, or one for each title with a link to a paper, where nothing else tells them apart."""
    entry = understood(pieces, path)
    bare = not any(c.isalnum() for p in pieces if not p.url and not p.image for c in p.text)
    titled = [
        a for a in entry.links if not a.is_label and sort_of(a.url) == "paper" and (bare or len(a.text.split()) > 3)
    ]
    if len({a.url for a in titled}) < 2 or not entry.begins or entry.main not in titled:
        return [entry]
    others = [
        replace(Entry(a.line), title=a.text, links=(a,), main=a, path=path, begins=True)
        for a in titled
        if a != entry.main
    ]
    return [replace(entry, links=tuple(a for a in entry.links if a not in titled or a == entry.main)), *others]


def _list(page: Listing, parts: Sequence[Part]) -> None:
    _settle(page)
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
    for item in roots:
        last = _item(page, item, page.sections.path)
    # A title whose links stand in a paragraph that is not indented waits for it.
    if last is not None:
        page.open = last


def _item(page: Listing, item: Item, path: tuple[str, ...]) -> Entry | None:
    """Sort an item; gives its entry if it may wait for links in what follows."""
    if page.sections.aside:
        _leave_all(page, item, f"stands under {page.sections.aside!r}")
        return None
    own = _divided(item.parts, path)
    inner = [(child, _divided(child.parts, path)) for child in item.inner]
    alone = [(child, found) for child, found in inner if any(e.is_work and e.begins for e in found) or child.inner]
    for _, found in (pair for pair in inner if pair not in alone):
        own = _absorbed(own, found)
    works = [entry for entry in own if entry.papers]
    for entry in own:
        if entry in works and not entry.begins and entry.main and len(entry.title.split()) <= 3:
            page.leave(entry, WHY["paper"])
        elif entry in works and (entry.is_work or not entry.title):
            page.take(entry)
        elif page.sections.of_papers and entry.says and entry.title and not _leads_elsewhere(entry):
            page.take(entry)
        elif entry.links:
            page.leave(entry)
    group = own[0].title or plain([p for part in item.parts for p in part.pieces]) if own and not works else ""
    name = (
        group.strip(" :：*")
        if group and own and not own[0].links and (len(alone) > 1 or _is_bold_line(item.parts[0]))
        else ""
    )
    for child, _ in alone:
        _item(page, child, (*path, name) if name and len(name.split()) <= 10 and not facts.is_venue(name) else path)
    return own[-1] if own and not works and not inner and own[-1].title and not own[-1].links else None


def _leads_elsewhere(entry: Entry) -> bool:
    return any(sort_of(anchor.url) in {"code", "video", "list"} for anchor in entry.links if anchor is entry.main)


def _absorbed(own: list[Entry], found: Sequence[Entry]) -> list[Entry]:
    """An item's entry with what an item in it says: its links, or the whole reference of a nickname."""
    if not own:
        return list(found)
    entry = own[-1]
    for part in found:
        if part.authors and part.title and not part.links and entry.papers:
            entry = replace(joined(replace(entry, title="", authors="", venue="", year=None), part), main=entry.main)
        elif not (part.links or part.says or entry.authors) and facts.is_names(part.title, alone=True):
            entry = replace(entry, authors=part.title)
        else:
            said = part.title if not part.links and not part.says and len(part.title.split()) > 3 else ""
            entry = joined(entry, replace(part, title="", main=None, summary=part.summary or said))
    return [*own[:-1], entry]


def _leave_all(page: Listing, item: Item, why: str) -> None:
    for entry in _divided(item.parts, ()):
        page.leave(entry, why)
    for child in item.inner:
        _leave_all(page, child, why)


def _table(page: Listing, parts: Sequence[Part]) -> None:
    """The rows of a table; the first one names the columns if it says so, or has no links."""
    _settle(page)
    rows: dict[int, dict[int, list[Piece]]] = {}
    for part in parts:
        if part.cell:
            cell = rows.setdefault(part.cell[1], {}).setdefault(part.cell[2], [])
            cell += [*([Piece(BREAK, part.line)] if cell else []), *part.pieces]
    heads = {part.cell[1] for part in parts if part.cell and part.head}
    first = min(rows)
    body = [row for number, row in rows.items() if number not in heads]
    header = rows[first] if first in heads else {}
    names = [plain(header.get(n, [])) for n in range(1, max((*header, 0)) + 1)]
    column = tables.title_column(names, body)
    for row in body:
        _row(page, names, row, column)


def _row(page: Listing, names: Sequence[str], row: dict[int, list[Piece]], column: int | None) -> None:
    if column is None:
        for cell in row.values():
            for entry in _several(cell, page.sections.path):
                page.take(entry) if entry.is_work and entry.begins and page.sections.below else page.leave(entry)
        return
    entry = tables.row_entry(names, row, column, page.sections.path)
    of_papers = tables.is_of_papers(names, column)
    if entry.is_work or (of_papers and entry.title and (entry.main or entry.says) and _is_known(entry)):
        page.take(entry)
    elif entry.papers:
        page.take(entry)
    else:
        page.leave(entry)


def _is_known(entry: Entry) -> bool:
    """Whether the link of a title in a column of papers may lead to it: any but one to a video."""
    return entry.main is None or sort_of(entry.main.url) != "video"


def shown(page: Listing) -> Iterator[str]:
    """The addresses that entries keep."""
    return (anchor.url for entry in page.entries for anchor in entry.links)
