"""What a searcher is: a service that is asked for works by words, or for works around others.

A search is translated to the language of a service as exactly as the service allows and never narrower: what it cannot
express is left out of the request, so that it finds more, and is filtered here. An answer is read page by page, so that
no fault is ever taken for the end or for no hits.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice, product
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from awesome_cli.errors import NetError, NonsenseError, NotKnownError, UsageError
from awesome_cli.model.drafts import Draft, Failure
from awesome_cli.model.misfits import misfit
from awesome_cli.model.records import Identifiers
from awesome_cli.query.searching import AllOf, AnyOf, NoneOf, Phrase, Search, Tree, all_of
from awesome_cli.sources.services import Shape, Text, asked, checked
from awesome_cli.system.network import Answer, Net
from awesome_cli.text.numbers import counted


@dataclass(frozen=True, slots=True)
class Around:
    """Works around others: `citing` are those that cite one of `works`, `cited_by` those that one of them cites."""

    relation: Literal["citing", "cited_by"]
    works: tuple[Identifiers, ...]


Wanted = Search | Around


@dataclass(frozen=True, slots=True)
class Request:
    """A search in a service's own words.

    `sent` are the public addresses of the first pages, one a line, without a contact address or a key. `remarks` say
    what the service cannot express, and what is done instead; with `exact` nothing is to be filtered here. The works
    appeared from `since` to `until`, both included.
    """

    sent: str
    remarks: tuple[str, ...]
    wanted: Wanted
    since: date | None = None
    until: date | None = None
    exact: bool = True

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of `sent`, one by one."""
        return tuple(self.sent.splitlines())


@dataclass(frozen=True, slots=True)
class Page:
    """A page of an answer.

    `hits` is how many works the service counts, None if it does not say; the counts of several requests are added, so
    that a work that two of them find counts twice. `read` is how many works the page holds; `drafts` are those that fit
    the search, `failures` those that make no record. `unknown` are works that the service does not know, around which
    nothing was looked for. `next` is the cursor of the next page, None after the last: the `start` of `Searcher.pages`.
    """

    hits: int | None
    read: int
    drafts: tuple[Draft, ...]
    next: str | None
    failures: tuple[Failure, ...] = ()
    unknown: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Searcher:
    """A service that is searched.

    `name` is that of `sources` in search.yaml, `label` the service's own. `public` is its base URL, `base` gives the
    one that the user set in its place. `keeps_abstracts` says if its terms let a survey publish its abstracts, and
    `terms` why, with an address; where they do not, a draft has none.

    `request(wanted, since)` raises `UsageError` for what the service cannot be asked. `pages(request, net, start)` asks
    page by page, from the first or from the `next` of another page on; it raises a `NetError` that names the service
    for an incomplete answer, which is never taken for no hits.
    """

    name: str
    label: str
    public: str
    base: Callable[[Net], str]
    keeps_abstracts: bool
    terms: str
    request: Callable[[Wanted, date | None], Request]
    pages: Callable[[Request, Net, str | None], Iterator[Page]]


FRESH = timedelta(days=-1)
"""The age of the answers that may come from the cache: none, since a search is for what is new."""
MOST_WORKS = 100_000
"""Works of one request that are read; a search that finds more is no search."""
LATER = "try again later"
PLACE = re.compile(r"([0-9]{1,6}):([0-9]{1,9}):([0-9]{1,15}):(.*)", re.DOTALL)
S = TypeVar("S", bound=Shape)


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One answer: how many works there are, its `works` by the service's names (or empty), the next cursor if any."""

    count: int
    works: tuple[str, ...]
    drafts: tuple[Draft, ...]
    cursor: str | None
    failures: tuple[Failure, ...] = ()


class WorkList(Shape):
    """A page of works, as a service answers a search: how many there are, some of them, and the next cursor."""

    count: int = Field(ge=0)
    items: list[Any] = Field(max_length=1_000)
    cursor: Text | None = None


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where to read on: in which request, how many of its works were read, and how many those before it count."""

    request: int = 0
    read: int = 0
    counted: int = 0
    cursor: str = ""

    def __str__(self) -> str:
        return f"{self.request}:{self.read}:{self.counted}:{self.cursor}"


def place(start: str | None, requests: int) -> PageStart:
    """The place that a page of so many requests named; the beginning for None, and for what no page names."""
    found = PLACE.fullmatch(start or "")
    here = PageStart(int(found[1]), int(found[2]), int(found[3]), found[4]) if found else PageStart()
    return here if here.request < requests and bool(here.read) == bool(here.cursor) else PageStart()


def page_by_page(
    name: str, requests: int, ask: Callable[[PageStart], AnswerPart], start: str | None, *, most: int | None = None
) -> Iterator[Page]:
    """The pages of some requests, one after the other; of each, `most` works are read if a number is given.

    Raises `NetError` for counts that cannot be true, and for a work that comes twice, since another may be missing.
    """
    here, seen = place(start, requests), set[str]()
    while here.request < requests:
        try:
            part = ask(here)
        except NotKnownError:
            if not (start and here.cursor):
                raise
            here, start = replace(here, read=0, cursor=""), None  # a cursor is not kept for ever: from its beginning
            continue
        start = None
        known, given = len(seen), list(filter(None, part.works))
        seen.update(given)
        if twice := known + len(given) - len(seen):
            yield Page(here.counted + part.count, 0, (), str(PageStart(here.request, counted=here.counted)))
            raise NonsenseError(f"{name} gave {counted(twice, 'work')} twice for one request", hint=LATER)
        page, after = _page(name, here, part, most)
        yield replace(page, next=str(after) if after.request < requests else None)
        if after == here:
            message = f"{name} counts {part.count:,} works, and gave {here.read + len(part.works):,}"
            raise NetError(message, hint=LATER)
        if after.request > here.request:
            seen.clear()
        here = after


def _page(name: str, here: PageStart, part: AnswerPart, most: int | None) -> tuple[Page, PageStart]:
    """A page, and the place behind it; the same place again where works are missing."""
    if part.count > MOST_WORKS and most is None:
        hint = "add words, or a later --since, or divide the search into several"
        raise NetError(f"{name} counts {part.count:,} works, and at most {MOST_WORKS:,} are read", hint=hint)
    read, end = here.read + len(part.works), min(part.count, most or part.count)
    if part.count and not read:
        raise NetError(f"{name} counts {part.count:,} works, and gave none", hint=LATER)
    if read >= end:
        after = PageStart(here.request + 1, counted=here.counted + part.count)
    elif part.works and part.cursor:
        after = PageStart(here.request, read, here.counted, part.cursor)
    else:
        after = here
    return Page(here.counted + part.count, len(part.works), part.drafts, None, part.failures), after


def answered(name: str, address: str, net: Net, shape: type[S]) -> S:
    """The JSON behind an address; raises `NotKnownError` for a request that the service refuses, else `NetError`."""

    def read(answer: Answer) -> S:
        if answer.status == 400:
            raise NotKnownError(f"{name} refused the request{_said(answer)}", hint="see what is sent with --explain")
        return shape.model_validate_json(checked(name, answer, "this request").body)

    return asked(name, address, net, "a search", read, accept="application/json", max_age=FRESH, hint=LATER)


def _said(answer: Answer) -> str:
    import json

    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        return ""
    while isinstance(value, dict | list) and value:
        value = value[0] if isinstance(value, list) else value.get("message")
    return f": {' '.join(value.split())[:200]}" if isinstance(value, str) else ""


def drafted(
    name: str, request: Request, answer: WorkList, field: str, shape: type[S], draft: Callable[[S], tuple[Draft, str]]
) -> AnswerPart:
    """Return the works of an answer that fit, as drafts, and those that make none; `field` has a work's own name.

    `draft` makes a draft, with the abstract by which the work is judged. Raises `NonsenseError` if no work is one.
    """
    items = answer.items
    drafts: list[Draft] = []
    failures: list[Failure] = []
    misfits = 0
    for number, item in enumerate(items, 1):
        try:
            found, abstract = draft(shape.model_validate(item))
        except ValidationError as error:
            misfits += 1
            failures.append(Failure(f"{name}, work {number} of a page", misfit(error.errors(include_url=False)[0])))
        except NetError as error:
            failures.append(Failure(f"{name}, work {number} of a page", error.message))
        else:
            drafts += [found] if fits(request, found, abstract) else []
    if items and misfits == len(items):
        message = f"{name} answered nonsense for a search: none of {misfits} works is one: {failures[0].message}"
        raise NonsenseError(message, hint=LATER)
    works = tuple(str(item.get(field) or "") if isinstance(item, dict) else "" for item in items)
    return AnswerPart(answer.count, works, tuple(drafts), answer.cursor, tuple(failures))


def fits(request: Request, draft: Draft, abstract: str) -> bool:
    """Whether a work has what the service could not be asked for."""
    if request.exact or not isinstance(request.wanted, Search):
        return True
    return request.wanted.matches(draft.title, abstract, tuple(map(str, draft.fields.get("authors", ()))))


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


def remarked(times: int, partly: str, dated: str) -> tuple[str, ...]:
    """The remarks of a request: what it cannot say, how often the service is asked, what its days are."""
    often = f"It is asked {times} times, since not everything can be asked at once." if times > 1 else ""
    return tuple(filter(None, (partly, often, dated)))


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
