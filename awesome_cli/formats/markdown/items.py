"""Lists: each item is an entry, a group of entries, or more of the entry above it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.division import divided, is_bold_line
from awesome_cli.formats.markdown.entries import ListEntry, joined
from awesome_cli.formats.markdown.links import sort_of
from awesome_cli.formats.markdown.listing import WHY, SortedPage
from awesome_cli.formats.markdown.page import Part
from awesome_cli.formats.markdown.pieces import plain
from awesome_cli.text.folding import spaced


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
        entry = next(iter(divided(item.parts, ())), ListEntry(0))
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
    own = divided(item.parts, path)
    inner = [(child, divided(child.parts, path)) for child in item.inner]
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
    name = _group(item, own, len(alone))
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
    elif entry.title and is_told and not _leads_elsewhere(entry):
        page.take(entry)
    else:
        page.pass_over(entry)


def _group(item: Item, own: Sequence[ListEntry], inner: int) -> str:
    """The name of a group of entries, as a heading; nothing for an item that is none."""
    if not own or not item.parts or any(entry.links for entry in own):
        return ""
    name = (own[0].title or plain([piece for part in item.parts for piece in part.pieces])).strip(" :：*")
    is_name = (inner > 1 or is_bold_line(item.parts[0])) and len(name.split()) <= 10 and not facts.is_venue(name)
    return name if is_name else ""


def _leads_elsewhere(entry: ListEntry) -> bool:
    return any(sort_of(anchor.url) in {"code", "video", "list"} for anchor in entry.links if anchor is entry.main)


def _absorbed(own: list[ListEntry], found: Sequence[ListEntry]) -> list[ListEntry]:
    """An item's entry with what an item in it says: its links, or the whole reference of a nickname."""
    if not own:
        return list(found)
    entry = own[-1]
    for part in found:
        if entry.papers and not part.links and _is_reference(part, entry):
            entry = replace(joined(replace(entry, title="", authors="", venue="", year=None), part), main=entry.main)
        elif not (part.links or part.says or entry.authors) and facts.is_names(part.title, alone=True):
            entry = replace(entry, authors=part.title)
        else:
            said = part.title if not part.links and not part.says and len(part.title.split()) > 3 else ""
            entry = joined(entry, replace(part, title="", main=None, summary=part.summary or said))
    return [*own[:-1], entry]


def _leave_all(page: SortedPage, item: Item, why: str) -> None:
    for entry in divided(item.parts, ()):
        page.leave(entry, why)
    for child in item.inner:
        _leave_all(page, child, why)
