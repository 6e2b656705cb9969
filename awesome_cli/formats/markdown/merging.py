"""Entries of one work become one, with all headings that they stand under."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from awesome_cli.formats.markdown.entries import ListEntry, joined
from awesome_cli.formats.markdown.links import ids_of
from awesome_cli.text.folding import spaced


@dataclass
class ListedWork:
    """A work: its entry, with what all its entries say, and the headings of each of them."""

    entry: ListEntry
    paths: list[tuple[str, ...]] = field(default_factory=list)
    ids: dict[str, object] = field(default_factory=dict)


def works(entries: Iterable[ListEntry]) -> list[ListedWork]:
    """The works of some entries, in their order: those with one identifier, one link to a paper, or one title."""
    found: list[ListedWork] = []
    by_name: dict[object, ListedWork] = {}
    for entry in entries:
        ids = _ids(entry)
        names = _names(entry, ids)
        work = next((by_name[name] for name in names if name in by_name and _is_one(by_name[name], entry, ids)), None)
        if work is None:
            work = ListedWork(entry, [], {})
            found.append(work)
        else:
            work.entry = _better(work.entry, entry)
        work.paths += [entry.path] if entry.path and entry.path not in work.paths else []
        work.ids = {**ids, **work.ids}
        for name in names:
            by_name.setdefault(name, work)
    return found


def _ids(entry: ListEntry) -> dict[str, object]:
    found: dict[str, object] = {}
    for anchor in entry.papers:
        found = {**ids_of(anchor.url), **found}
    return found


def _names(entry: ListEntry, ids: dict[str, object]) -> list[object]:
    """What tells a paper: its identifiers, the links to it, its title; what tells another work: link and title."""
    title = ("title", spaced(entry.title))
    if entry.main and not entry.papers:
        return [(entry.main.url, title)]
    links = [anchor.url.split("://")[-1].removeprefix("www.").rstrip("/") for anchor in entry.papers]
    return [*((s, v) for s, v in ids.items() if s != "arxiv_version"), *links, title]


def _is_one(work: ListedWork, entry: ListEntry, ids: dict[str, object]) -> bool:
    """Whether an entry is of a work that shares a link or its title: a list may give one link to two works."""
    old, new = (set(spaced(title).split()) for title in (work.entry.title, entry.title))
    same = old == new
    others = [
        scheme for scheme, value in ids.items() if scheme != "arxiv_version" and work.ids.get(scheme, value) != value
    ]
    if others and not (same and len(old) > 4):
        return False
    is_short = any(len(title.split()) <= 3 for title in (work.entry.title, entry.title))
    return same or is_short or 4 * len(old & new) >= 3 * min(len(old), len(new))


def _better(first: ListEntry, other: ListEntry) -> ListEntry:
    """Two entries of one work as one: with the title that says more, if the other is a nickname."""
    whole = joined(first, replace(other, main=first.main or other.main))
    is_nickname = len(first.title.split()) <= 3 < len(other.title.split())
    return replace(whole, title=other.title) if is_nickname else whole
