"""The headings of a page as terms: nested ones are parents."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from awesome_cli.model.taxonomy import Term
from awesome_cli.text.folding import fold

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeadingTerms:
    """The terms of a page, parents before their children, and for each path with works the term of these."""

    terms: tuple[Term, ...]
    ids: Mapping[Path, str]


def heading_terms(paths: Iterable[Path], taken: Iterable[str] = ()) -> HeadingTerms:
    """Terms for the headings that works stand under; no id is one of `taken`.

    Works are coded with terms that have no children, so works right under a heading that has others below it get a
    term of their own beside these.
    """
    works = [path for path in dict.fromkeys(paths) if path]
    above = {path[:n] for path in works for n in range(1, len(path))}
    names, terms, ids = set(taken), list[Term](), dict[Path, str]()
    for path in dict.fromkeys(whole[:n] for whole in works for n in range(1, len(whole) + 1)):
        parent = ids.get(path[:-1])
        ids[path] = _id(path[-1], parent, names)
        terms.append(Term(id=ids[path], label=path[-1], parent=parent))
    own = {path: _id(f"{path[-1]} in general", None, names) for path in works if path in above}
    terms += [Term(id=name, label=f"{path[-1]} in general", parent=ids[path]) for path, name in own.items()]
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
