"""The headings of a page as terms: nested ones are parents."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from awesome_cli.model.taxonomy import Term
from awesome_cli.text.folding import fold, spaced

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeadingTerms:
    """The new terms of a page, parents before their children, and for each path with works the term of these."""

    terms: tuple[Term, ...]
    ids: Mapping[Path, str]


def heading_terms(paths: Iterable[Path], taken: Iterable[str] = (), known: Iterable[Term] = ()) -> HeadingTerms:
    """Terms for the headings that works stand under; no id is one of `taken`, or of a `known` term.

    Works are coded with terms that have no children, so works right under a heading that has others below it get a
    term of their own beside these. A heading that is the label or the id of a known term gives no other; a known term
    without children gets none.
    """
    works = [path for path in dict.fromkeys(paths) if path]
    above = {path[:n] for path in works for n in range(1, len(path))}
    had = {spaced(word): term for term in known if not term.deprecated for word in (term.id, term.label)}
    parents = {term.parent for term in had.values()}
    names, terms, ids = {*taken, *(term.id for term in known)}, list[Term](), dict[Path, str]()
    leaves = {term.id for term in had.values()} - parents
    for path in dict.fromkeys(whole[:n] for whole in works for n in range(1, len(whole) + 1)):
        parent = None if ids.get(path[:-1]) in leaves else ids.get(path[:-1])
        term = had.get(spaced(path[-1]))
        if term is None:
            term = Term(id=_id(path[-1], parent, names), label=path[-1], parent=parent)
            terms.append(term)
        ids[path] = term.id
    general = [path for path in works if ids[path] not in leaves and (path in above or ids[path] in parents)]
    own = dict[Path, str]()
    for path in general:
        label = f"{path[-1]} in general"
        if (term := had.get(spaced(label))) is None:
            term = Term(id=_id(label, None, names), label=label, parent=ids[path])
            terms.append(term)
        own[path] = term.id
    return HeadingTerms(tuple(terms), {path: own.get(path, ids[path]) for path in works})


def _id(label: str, parent: str | None, names: set[str]) -> str:
    """A free id made of a label, if need be with that of the parent or a number; it is added to the names."""
    plain = re.sub(r"[^a-z0-9]+", "_", fold(label)).strip("_") or "heading"
    plain = plain if plain[0].isalpha() else f"h_{plain}"
    joined = f"{parent}_{plain}" if parent else plain
    numbered = (f"{joined}_{n}" for n in range(2, len(names) + 3))
    found = next(name for name in (plain, joined, *numbered) if name not in names)
    names.add(found)
    return found
