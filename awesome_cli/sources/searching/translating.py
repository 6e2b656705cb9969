"""From the language of searches to a service's own, as exactly as the service allows and never narrower.

What a service cannot express is left out of the request, so that it finds more, and is filtered here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from itertools import islice, product
from typing import TypeVar

from awesome_cli.errors import UsageError
from awesome_cli.query.searching import AllOf, AnyOf, NoneOf, Phrase, Search, Tree, all_of
from awesome_cli.sources.searching.searcher import Wanted

T = TypeVar("T")
MOST_REQUESTS = 20
"""Requests that one search may need at one service."""


@dataclass(frozen=True, slots=True)
class Said:
    """A part of a search in a service's words; `exact` unless it finds more than the part does."""

    text: str
    exact: bool = True


Say = Callable[[Tree], Said | None]
"""What a service's words are for a part of a search, None for one that it cannot be asked for."""


def say(tree: Tree, phrase: Callable[[Phrase], Said | None], without: str) -> Said | None:
    """A tree in words that know AND, OR, parentheses and, behind something that must be there, `without`.

    `phrase` says a phrase. None if the service cannot be asked for the tree.
    """
    if isinstance(tree, Phrase):
        return phrase(tree)
    if isinstance(tree, NoneOf):
        return None
    if isinstance(tree, AnyOf):
        parts = [say(part, phrase, without) for part in tree.parts]
        known = [part for part in parts if part]
        text = f"({' OR '.join(part.text for part in known)})"
        return Said(text, all(part.exact for part in known)) if len(known) == len(parts) else None
    there = [said for part in tree.parts if (said := say(part, phrase, without))]
    denied = [say(part.part, phrase, without) for part in tree.parts if isinstance(part, NoneOf)]
    # To leave out what is more than the part would find less than was asked for.
    left_out = [said for said in denied if said and said.exact]
    if not there:
        return None
    text = " AND ".join(said.text for said in there) + "".join(f" {without} {said.text}" for said in left_out)
    count = len(there) + len(left_out)
    return Said(f"({text})" if count > 1 else text, count == len(tree.parts) and all(said.exact for said in there))


def branches(tree: Tree, say: Say, name: str) -> tuple[Tree, ...]:
    """Trees, each with a part that the service can be asked for, of which a work fits one if it fits the tree.

    Raises `UsageError` where the service cannot be asked for the tree at all, or not with few enough requests.
    """
    parts = conjuncts(tree)
    if any(map(say, parts)):
        return (tree,)
    choice = next((part for part in parts if isinstance(part, AnyOf)), None)
    if choice is None:
        hint = "let another source look for it, or add a word or a phrase that must be there"
        raise UsageError(f"{name} cannot be asked for {tree}", hint=hint)
    rest = [part for part in parts if part is not choice]
    return few((b for part in choice.parts for b in branches(all_of([part, *rest]), say, name)), name)


def few(requests: Iterable[T], name: str) -> tuple[T, ...]:
    """Return the requests; raise `UsageError` at the first one too many, without making the others."""
    first = tuple(islice(requests, MOST_REQUESTS + 1))
    if len(first) > MOST_REQUESTS:
        message = f"{name} would have to be asked more than {MOST_REQUESTS} times for this search"
        raise UsageError(message, hint="divide the search into several, or let another source look for it")
    return first


def alternatives(tree: Tree) -> tuple[tuple[Phrase, ...], ...]:
    """Rows of phrases: a work that fits has all phrases of one row. Empty where no word can be asked for.

    Of several conditions that would make too many rows together, the one with the fewest counts.
    """
    if isinstance(tree, Phrase):
        whole = Phrase(tree.words[:-1], tree.field) if tree.begins else tree
        return ((whole,),) if whole.words else ()
    if isinstance(tree, NoneOf):
        return ()
    parts = [alternatives(part) for part in tree.parts]
    if isinstance(tree, AnyOf):
        return tuple(dict.fromkeys(row for rows in parts for row in rows)) if all(parts) else ()
    found: tuple[tuple[Phrase, ...], ...] = ((),)
    for rows in sorted(filter(None, parts), key=len):
        if len(found) * len(rows) <= MOST_REQUESTS or found == ((),):
            found = tuple(tuple(dict.fromkeys((*a, *b))) for a, b in product(found, rows))
    return found if found != ((),) else ()


def conjuncts(tree: Tree) -> tuple[Tree, ...]:
    """The parts of which all must fit."""
    return tree.parts if isinstance(tree, AllOf) else (tree,)


def days(wanted: Wanted, since: date | None) -> tuple[date | None, date | None]:
    """The first and the last day that are asked for: the later one of two first days."""
    first, last = (wanted.since, wanted.until) if isinstance(wanted, Search) else (None, None)
    return max(filter(None, (since, first)), default=None), last
