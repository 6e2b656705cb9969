"""What an entry has from its parents: `crossref` and `xdata`, by the rules of BibTeX and of biblatex (manual, app. B).

An entry's own fields win. Titles of a parent become those of what contains the work; what identifies or describes
the parent alone (its DOI, address, pages, abstract) is not inherited, as it would be false of the work.
"""

from collections.abc import Iterator, Mapping, Sequence

from awesome_cli.formats.bibtex.blocks import BibEntry
from awesome_cli.formats.bibtex.values import Strings
from awesome_cli.text.known import shown

TITLES = {"title", "subtitle", "titleaddon"}
DATES = {"date", "year"}
ALONE = {"ids", "crossref", "xref", "xdata", "key", "keywords", "entryset", "related", "options", "label", "abstract"}
ALONE |= {"doi", "eprint", "eprinttype", "eprintclass", "archiveprefix", "primaryclass", "url", "urldate", "file"}
ALONE |= {"annotation", "annote", "pages", "pagetotal", "shorttitle", "sortkey", "sorttitle", "sortyear"}
INNER = ("in", "supp", "bookin", "conference")
"""How the types of entries begin that stand in a book."""


def inherit(entries: Sequence[BibEntry], strings: Strings) -> list[BibEntry]:
    """The entries that are works, each with the fields of its parents; one missing, or too much, is a warning."""
    linked = [entry for entry in entries if {"crossref", "xdata"} & entry.values.keys()]
    by_key = _by_key(entries) if linked else {}
    filled: dict[int, bool] = {}
    for entry in linked:
        _fill_from_above(entry, by_key, filled, strings)
    return [entry for entry in entries if entry.kind != "xdata"]


def _by_key(entries: Sequence[BibEntry]) -> Mapping[str, BibEntry]:
    """The first entry of each key or other name (`ids`), in any case."""
    found: dict[str, BibEntry] = {}
    for names in ([(entry.key, entry) for entry in entries], [(n, e) for e in entries for n in _names(e, "ids")]):
        for name, entry in names:
            found.setdefault(name.casefold(), entry)
    return found


def _names(entry: BibEntry, field: str) -> Iterator[str]:
    return (name for part in entry.values.get(field, "").split(",") if (name := part.strip()))


def _parents(entry: BibEntry) -> Iterator[tuple[str, str]]:
    """`(field, key)` of the entries that an entry has fields from, the nearest first."""
    return ((field, name) for field in ("xdata", "crossref") for name in _names(entry, field))


def _fill_from_above(
    entry: BibEntry, by_key: Mapping[str, BibEntry], filled: dict[int, bool], strings: Strings
) -> None:
    """Fill the entry and its ancestors, parents before children; `filled` is False for an entry under way."""
    waiting = [entry]
    while waiting:
        at = waiting.pop()
        if id(at) not in filled:
            filled[id(at)] = False
            waiting.append(at)
            for _, name in _parents(at):
                parent = by_key.get(name.casefold())
                if parent and filled.get(id(parent)) is False:
                    at.warnings.append(f"crossref: '{name}' leads back to this entry")
                elif parent and id(parent) not in filled:
                    waiting.append(parent)
        elif not filled[id(at)]:
            filled[id(at)] = True
            _fill(at, by_key, filled, strings)


def _fill(entry: BibEntry, by_key: Mapping[str, BibEntry], filled: Mapping[int, bool], strings: Strings) -> None:
    for field, name in list(_parents(entry)):
        parent = by_key.get(name.casefold())
        if parent is None:
            entry.warnings.append(f"{field}: the file has no entry '{name}'")
        elif parent is entry or not filled[id(parent)]:
            pass  # it leads back to this entry, which is not in itself
        else:
            try:
                strings.take(parent.size)
            except ValueError as error:
                entry.warnings.append(f"{field}: nothing is taken over from {shown(name)}: {error}")
            else:
                _inherit(entry, parent, field)
    entry.size = sum(len(name) + len(value) for name, value in entry.values.items())


def _inherit(child: BibEntry, parent: BibEntry, field: str) -> None:
    if field == "xdata":
        child.values |= {**parent.values, **child.values}
        return
    without = ALONE | (DATES if DATES & child.values.keys() else set())
    for name, value in list(parent.values.items()):
        if name not in without:
            for target in _targets(name, child.kind, parent):
                child.values.setdefault(target, value)


def _targets(name: str, child: str, parent: BibEntry) -> list[str]:
    """The fields of a work that a field of what contains it becomes."""
    inner = child.startswith(INNER)
    if name == "author" and inner and parent.kind.endswith("book"):
        return ["author", "bookauthor"]
    if name not in TITLES:
        return [name]
    if child in {"article", "suppperiodical"}:
        return [f"journal{name}"]
    if parent.kind.startswith("mv"):
        return [f"main{name}"]
    # Older styles let the parent say itself what its title is for a work in it.
    return [name] if not inner else [] if f"book{name}" in parent.values else [f"book{name}"]
