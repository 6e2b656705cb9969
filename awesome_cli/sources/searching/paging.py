"""Reading an answer page by page, so that no fault is ever taken for the end or for no hits."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeVar

from pydantic import ValidationError

from awesome_cli.errors import NetError, NonsenseError, NotKnownError
from awesome_cli.model.drafts import Draft, Failure
from awesome_cli.model.misfits import misfit
from awesome_cli.query.searching import Search
from awesome_cli.sources.searching.searcher import Page, Request
from awesome_cli.sources.services import Shape, asked, checked
from awesome_cli.system.network import Answer, Net
from awesome_cli.text.numbers import counted

FRESH = timedelta(days=-1)
"""The age of the answers that may come from the cache: none, since a search is for what is new."""
MOST_WORKS = 100_000
"""Works of one request that are read; a search that finds more is no search."""
LATER = "try again later"
PLACE = re.compile(r"([0-9]{1,6}):([0-9]{1,9}):([0-9]{1,15}):(.*)", re.DOTALL)
S = TypeVar("S", bound=Shape)


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One answer: `count` works there are, of which it has `works`, by the service's own names, empty for one without.

    `cursor` is that of the next answer, None for the last.
    """

    count: int
    works: tuple[str, ...]
    drafts: tuple[Draft, ...]
    cursor: str | None
    failures: tuple[Failure, ...] = ()

    @property
    def read(self) -> int:
        """How many works the answer has."""
        return len(self.works)


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where to read on: in which request, of which so many works were read, and where.

    `counted` is how many works the requests before it count.
    """

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


def called(items: Iterable[Any], field: str) -> tuple[str, ...]:
    """What a service calls its works, by one of their fields."""
    return tuple(str(item.get(field) or "") if isinstance(item, dict) else "" for item in items)


def pages(
    name: str, requests: int, ask: Callable[[PageStart], AnswerPart], start: str | None, *, most: int | None = None
) -> Iterator[Page]:
    """The pages of some requests, one after the other; of each, `most` works are read if a number is given.

    Raises `NetError` for counts that cannot be true, and for a work that a request gives twice, since another one may
    be missing; then the request is to be read from its beginning.
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
            message = f"{name} counts {part.count:,} works, and gave {here.read + part.read:,}"
            raise NetError(message, hint=LATER)
        if after.request > here.request:
            seen.clear()
        here = after


def _page(name: str, here: PageStart, part: AnswerPart, most: int | None) -> tuple[Page, PageStart]:
    """A page, and the place behind it; the same place again where works are missing."""
    if part.count > MOST_WORKS and most is None:
        hint = "add words, or a later --since, or divide the search into several"
        raise NetError(f"{name} counts {part.count:,} works, and at most {MOST_WORKS:,} are read", hint=hint)
    read, end = here.read + part.read, min(part.count, most or part.count)
    if part.count and not read:
        raise NetError(f"{name} counts {part.count:,} works, and gave none", hint=LATER)
    if read >= end:
        after = PageStart(here.request + 1, counted=here.counted + part.count)
    elif part.read and part.cursor:
        after = PageStart(here.request, read, here.counted, part.cursor)
    else:
        after = here
    return Page(here.counted + part.count, part.read, part.drafts, None, part.failures), after


def answered(name: str, address: str, net: Net, shape: type[S]) -> S:
    """The JSON behind an address; raises `NotKnownError` for a request that the service refuses, else `NetError`."""

    def read(answer: Answer) -> S:
        if answer.status == 400:
            raise NotKnownError(f"{name} refused the request{_said(answer)}", hint="see what is sent with --explain")
        return shape.model_validate_json(checked(name, answer, "this request").body)

    return asked(name, address, net, "a search", read, accept="application/json", max_age=FRESH, hint=LATER)


def _said(answer: Answer) -> str:
    """What a refusal says, if it says it in JSON."""
    import json

    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        return ""
    while isinstance(value, dict | list) and value:
        value = value[0] if isinstance(value, list) else value.get("message")
    return f": {' '.join(value.split())[:200]}" if isinstance(value, str) else ""


def drafted(
    name: str, request: Request, items: list[Any], shape: type[S], draft: Callable[[S], tuple[Draft, str]]
) -> tuple[tuple[Draft, ...], tuple[Failure, ...]]:
    """The works of an answer that fit, as drafts, and those that make none.

    `draft` makes a draft, with the abstract by which the work is judged. Raises `NonsenseError` if no work is one.
    """
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
    return tuple(drafts), tuple(failures)


def fits(request: Request, draft: Draft, abstract: str) -> bool:
    """Whether a work has what the service could not be asked for."""
    if request.exact or not isinstance(request.wanted, Search):
        return True
    return request.wanted.matches(draft.title, abstract, tuple(map(str, draft.fields.get("authors", ()))))
