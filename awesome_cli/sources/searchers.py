"""Base of the search clients: find works by words, or find the works that cite given works or are cited by them.

A search is translated to the query language of a service. Conditions that the service does not support are left out of
the query and applied to the results here, so no match is lost. Results are read page by page, and an incomplete
response is an error, never the end of the results.
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
from awesome_cli.query.searching import AnyOf, NoneOf, Phrase, Search, Tree, all_of, conjuncts
from awesome_cli.sources.services import Shape, Text, checked, get_parsed
from awesome_cli.system.network import Answer, Net
from awesome_cli.text.numbers import counted


@dataclass(frozen=True, slots=True)
class Around:
    """A citation search for the works that cite one of `works` (`citing`), or that one of them cites (`cited_by`)."""

    relation: Literal["citing", "cited_by"]
    works: tuple[Identifiers, ...]


Wanted = Search | Around


@dataclass(frozen=True, slots=True)
class Request:
    """A search translated for a service.

    `sent` are the URLs of the first pages, one per line, without contact address and key. `remarks` tell the user
    which conditions the service does not support. If `exact`, results need no filtering. `since` and `until` are the
    first and last publication date.
    """

    sent: str
    remarks: tuple[str, ...]
    wanted: Wanted
    since: date | None = None
    until: date | None = None
    exact: bool = True

    @property
    def addresses(self) -> tuple[str, ...]:
        """The URLs of `sent` as a tuple."""
        return tuple(self.sent.splitlines())


@dataclass(frozen=True, slots=True)
class Page:
    """A page of results.

    `hits` is the service's total, None if unknown; totals of several queries are added, so a work that matches two
    queries counts twice. `read` is the number of works on the page; `drafts` are the works that match the search,
    `failures` the works whose records are invalid. `unknown` are works without a record at the service; their citations
    were not searched. `next` is the cursor of the next page, None after the last; the `start` of `Searcher.pages`.
    `left` is the number of works of the query on later pages.
    """

    hits: int | None
    read: int
    drafts: tuple[Draft, ...]
    next: str | None
    failures: tuple[Failure, ...] = ()
    unknown: tuple[Failure, ...] = ()
    left: int = 0


@dataclass(frozen=True, slots=True)
class Searcher:
    """A searchable service.

    `name` is its name in `sources` of search.yaml, `label` its display name. `public` is its base URL, `base` returns
    the URL configured by the user. `keeps_abstracts` is True if the service's terms, quoted in `terms`, allow a
    survey to publish abstracts; otherwise drafts have no abstract.
    `remarks(net)` tell the user about every search at the service.
    `request(wanted, since)` raises `UsageError` for an unsupported search. `pages(request, net, start)` yields the
    pages after the cursor `start`, or all pages; for an incomplete response it raises a `NetError` that names the
    service.
    """

    name: str
    label: str
    public: str
    base: Callable[[Net], str]
    keeps_abstracts: bool
    terms: str
    request: Callable[[Wanted, date | None], Request]
    pages: Callable[[Request, Net, str | None], Iterator[Page]]
    remarks: Callable[[Net], tuple[str, ...]] = lambda _net: ()


FRESH = timedelta(days=-1)
"""Maximum age of cached responses. It is negative, so that a search never uses the cache."""
MOST_WORKS = 100_000
"""Maximum number of works of one query; a search with more results is too broad."""
LATER = "try again later"
PLACE = re.compile(r"([0-9]{1,6}):([0-9]{1,9}):([0-9]{1,15}):([0-9]{1,15}):(.*)", re.DOTALL)
S = TypeVar("S", bound=Shape)


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A response: the total `count`, the ids of the returned `works` ('' if missing), and the next cursor, if any."""

    count: int
    works: tuple[str, ...]
    drafts: tuple[Draft, ...]
    cursor: str | None
    failures: tuple[Failure, ...] = ()


class WorkList(Shape):
    """Schema of a search response: total count, works of this page, and the next cursor."""

    count: int = Field(ge=0)
    items: list[Any] = Field(max_length=1_000)
    cursor: Text | None = None


@dataclass(frozen=True, slots=True)
class PageStart:
    """A cursor: index of the query, works read, totals of earlier queries and of this one, the service's cursor."""

    request: int = 0
    read: int = 0
    counted: int = 0
    total: int = 0
    cursor: str = ""

    def __str__(self) -> str:
        return f"{self.request}:{self.read}:{self.counted}:{self.total}:{self.cursor}"


def place(start: str | None, requests: int) -> PageStart:
    """Parse the cursor `start` for a search of `requests` queries; None and invalid cursors mean the first page."""
    match = PLACE.fullmatch(start or "")
    here = PageStart(int(match[1]), int(match[2]), int(match[3]), int(match[4]), match[5]) if match else PageStart()
    return here if here.request < requests and bool(here.read) == bool(here.cursor) else PageStart()


def page_by_page(
    name: str, requests: int, ask: Callable[[PageStart], AnswerPart], start: str | None, *, most: int | None = None
) -> Iterator[Page]:
    """Yield the pages of several queries in turn, reading at most `most` works of each query.

    Raises `NetError` for inconsistent counts, and for a work that is returned twice, since another work may be missing.
    """
    here, seen = place(start, requests), set[str]()
    while here.request < requests:
        try:
            part = ask(here)
        except NotKnownError:
            if not (start and here.cursor):
                raise
            here, start = (
                PageStart(here.request, counted=here.counted),
                None,
            )  # the cursor has expired: restart this query
            continue
        start = None
        known, works = len(seen), list(filter(None, part.works))
        seen.update(works)
        twice = known + len(works) - len(seen)
        if twice or part.count < here.total:
            yield Page(here.counted + part.count, 0, (), str(PageStart(here.request, counted=here.counted)))
            fewer = f"reported {here.total:,} works, then {part.count:,}"
            why = f"returned {counted(twice, 'work')} twice for one request" if twice else fewer
            raise NonsenseError(f"{name} {why}", hint=LATER)
        page, after = _page(name, here, part, most)
        yield replace(page, next=str(after) if after.request < requests else None)
        if after == here:
            message = f"{name} reported {part.count:,} works but returned {here.read + len(part.works):,}"
            raise NetError(message, hint=LATER)
        if after.request > here.request:
            seen = set()
        here = after


def _page(name: str, here: PageStart, part: AnswerPart, most: int | None) -> tuple[Page, PageStart]:
    """Return a page and the next cursor; the cursor does not advance if works are missing."""
    if part.count > MOST_WORKS and most is None:
        hint = "add words, use a later --since, or split the search"
        raise NetError(f"{name} reported {part.count:,} works; at most {MOST_WORKS:,} are read", hint=hint)
    read, end = here.read + len(part.works), min(part.count, most or part.count)
    if part.count and not read:
        raise NetError(f"{name} reported {part.count:,} works but returned none", hint=LATER)
    if read >= end:
        after = PageStart(here.request + 1, counted=here.counted + part.count)
    elif part.works and part.cursor:
        after = PageStart(here.request, read, here.counted, part.count, part.cursor)
    else:
        after = here
    hits, left = here.counted + part.count, max(0, end - read)
    return Page(hits, len(part.works), part.drafts, None, part.failures, left=left), after


def get_page(name: str, address: str, net: Net, shape: type[S]) -> S:
    """Get the JSON at a URL; raises `NotKnownError` if the service refuses the query, `NetError` for other errors."""

    def read(answer: Answer) -> S:
        if answer.status == 400:
            raise NotKnownError(f"{name} refused the request{_message(answer)}", hint="show the request with --explain")
        return shape.model_validate_json(checked(name, answer, "this request").body)

    return get_parsed(name, address, net, "a search", read, accept="application/json", max_age=FRESH, hint=LATER)


def _message(answer: Answer) -> str:
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
    """Convert a response to failures and drafts of the matching works; `field` is the key of the id in a work.

    `draft` returns a draft and the abstract to match. Raises `NonsenseError` if no work has the schema `shape`.
    """
    items = answer.items
    drafts: list[Draft] = []
    failures: list[Failure] = []
    misfits = 0
    for number, item in enumerate(items, 1):
        try:
            work, abstract = draft(shape.model_validate(item))
        except ValidationError as error:
            misfits += 1
            failures.append(Failure(f"{name}, work {number} of a page", misfit(error.errors(include_url=False)[0])))
        except NetError as error:
            failures.append(Failure(f"{name}, work {number} of a page", error.message))
        else:
            drafts += [work] if fits(request, work, abstract) else []
    if items and misfits == len(items):
        message = (
            f"{name} sent an invalid response for a search: all {misfits} works are invalid: {failures[0].message}"
        )
        raise NonsenseError(message, hint=LATER)
    works = tuple(str(item.get(field) or "") if isinstance(item, dict) else "" for item in items)
    return AnswerPart(answer.count, works, tuple(drafts), answer.cursor, tuple(failures))


def fits(request: Request, draft: Draft, abstract: str) -> bool:
    """True if a work matches the conditions that the service does not support."""
    if request.exact or not isinstance(request.wanted, Search):
        return True
    return request.wanted.matches(draft.title, abstract, tuple(map(str, draft.fields.get("authors", ()))))


T = TypeVar("T")
MOST_REQUESTS = 20
"""Maximum number of queries for one search at one service."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition in a service's query language; not `exact` if the service's condition matches more works."""

    text: str
    exact: bool = True


Translate = Callable[[Tree], Clause | None]
"""Translator of a part of a search; returns None if the service does not support it."""


def translate(tree: Tree, phrase: Callable[[Phrase], Clause | None], without: str) -> Clause | None:
    """Translate a query tree to a language with AND, OR and parentheses; NOT (`without`) must follow another condition.

    `phrase` translates a phrase. Returns None if the service does not support the tree.
    """
    if isinstance(tree, Phrase):
        return phrase(tree)
    if isinstance(tree, NoneOf):
        return None
    if isinstance(tree, AnyOf):
        parts = [translate(part, phrase, without) for part in tree.parts]
        known = [part for part in parts if part]
        text = f"({' OR '.join(part.text for part in known)})"
        return Clause(text, all(part.exact for part in known)) if len(known) == len(parts) else None
    required = [query for part in tree.parts if (query := translate(part, phrase, without))]
    denied = [translate(part.part, phrase, without) for part in tree.parts if isinstance(part, NoneOf)]
    # An inexact query matches more works than the part, so excluding these could lose matches.
    excluded = [query for query in denied if query and query.exact]
    if not required:
        return None
    text = " AND ".join(query.text for query in required) + "".join(f" {without} {query.text}" for query in excluded)
    count = len(required) + len(excluded)
    exact = count == len(tree.parts) and all(query.exact for query in required)
    return Clause(f"({text})" if count > 1 else text, exact)


def branches(tree: Tree, translate: Translate, name: str, depth: int = 0) -> tuple[Tree, ...]:
    """Split a query tree at ORs until a part of each branch is supported; together the branches match the same works.

    Raises `UsageError` if the service does not support a branch, or would need more than `MOST_REQUESTS` queries.
    """
    require_few(depth + 1, name)  # each split adds a branch
    parts = conjuncts(tree)
    if any(map(translate, parts)):
        return (tree,)
    choice = next((part for part in parts if isinstance(part, AnyOf)), None)
    if choice is None:
        hint = "use another source, or add a required word or phrase"
        raise UsageError(f"{name} does not support the search {tree}", hint=hint)
    rest = [part for part in parts if part is not choice]
    return few((b for part in choice.parts for b in branches(all_of([part, *rest]), translate, name, depth + 1)), name)


def few(requests: Iterable[T], name: str) -> tuple[T, ...]:
    """Return the requests as a tuple; raises `UsageError` if there are more than `MOST_REQUESTS`."""
    first = tuple(islice(requests, MOST_REQUESTS + 1))
    require_few(len(first), name)
    return first


def require_few(count: int, name: str) -> None:
    """Raise `UsageError` if a search needs more than `MOST_REQUESTS` requests."""
    if count > MOST_REQUESTS:
        message = f"{name} would need more than {MOST_REQUESTS} requests for this search"
        raise UsageError(message, hint="split the search, or use another source")


def remarked(times: int, partly: str, dated: str) -> tuple[str, ...]:
    """Return the remarks about unsupported conditions (`partly`), the number of requests, and dates (`dated`)."""
    often = f"{times} requests are sent, since one request cannot express the whole search." if times > 1 else ""
    return tuple(filter(None, (partly, often, dated)))


def alternatives(tree: Tree) -> tuple[tuple[Phrase, ...], ...]:
    """Return rows of phrases; each match contains all phrases of at least one row. Empty if no word is required.

    A condition that would raise the number of rows above `MOST_REQUESTS` is dropped, longer conditions first.
    """
    if isinstance(tree, Phrase):
        whole = Phrase(tree.words[:-1], tree.field) if tree.begins else tree
        return ((whole,),) if whole.words else ()
    if isinstance(tree, NoneOf):
        return ()
    parts = [alternatives(part) for part in tree.parts]
    if isinstance(tree, AnyOf):
        return tuple(dict.fromkeys(row for rows in parts for row in rows)) if all(parts) else ()
    combined: tuple[tuple[Phrase, ...], ...] = ((),)
    for rows in sorted(filter(None, parts), key=len):
        if len(combined) * len(rows) <= MOST_REQUESTS or combined == ((),):
            combined = tuple(tuple(dict.fromkeys((*a, *b))) for a, b in product(combined, rows))
    return combined if combined != ((),) else ()


def days(wanted: Wanted, since: date | None) -> tuple[date | None, date | None]:
    """Return the first and last publication date of a search, not before `since`."""
    first, last = (wanted.since, wanted.until) if isinstance(wanted, Search) else (None, None)
    return max(filter(None, (since, first)), default=None), last
