"""Crossref, which ranks works by the words that they share with a request, and searches no abstracts.

Its interface knows neither OR nor NOT nor phrases: https://api.crossref.org/swagger-ui/index.html. So a search is sent
as several requests, the works that stand first in each are read, and those are kept that fit.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

from pydantic import Field

from awesome_cli.errors import UsageError
from awesome_cli.model.drafts import Draft
from awesome_cli.query.searching import Phrase, Search
from awesome_cli.sources.crossref import SERVICE, CrossrefWork, to_draft
from awesome_cli.sources.searching.paging import AnswerPart, PageStart, answered, called, drafted, pages
from awesome_cli.sources.searching.searcher import Page, Request, Searcher, Wanted
from awesome_cli.sources.searching.translating import alternatives, days, few
from awesome_cli.sources.services import LONGEST, Shape, Text
from awesome_cli.system.network import Net
from awesome_cli.text.html import unmarked

PAGE = 100
MOST_READ = 500
"""Works of one request that are read: behind them stand works that share only some of the words."""
PARAMETERS = {
    "": "query.bibliographic",
    "abstract": "query.bibliographic",
    "title": "query.title",
    "author": "query.author",
}
SELECTED = tuple(
    field.alias or name for name, field in CrossrefWork.model_fields.items() if name not in {"doi", "updates"}
)


class CrossrefList(Shape):
    """A page of works."""

    within = ("message",)
    count: int = Field(alias="total-results", ge=0)
    items: list[Any] = Field(max_length=1_000)
    cursor: Text | None = Field(None, alias="next-cursor")


def request(wanted: Wanted, since: date | None = None) -> Request:
    """A search in Crossref's words; raises `UsageError` for what it cannot be asked."""
    if not isinstance(wanted, Search):
        raise UsageError("Crossref is not asked for citations", hint="ask openalex for the works around others")
    first, last = days(wanted, since)
    rows = few(alternatives(wanted.tree), SERVICE.name)
    if not rows:
        hint = "let another source look for it, or add a word or a phrase that must be there"
        raise UsageError("Crossref cannot be asked for beginnings of words alone", hint=hint)
    remarks = (RANKED, TITLES, *((f"It knows no OR, and is asked {len(rows)} times.",) if rows[1:] else ()))
    sent = "\n".join(_address(row, first, last) for row in rows)
    return Request(sent, remarks, wanted, first, last, exact=False)


RANKED = (
    "Crossref knows no AND, NOT, phrases or beginnings of words: it ranks and counts all works that have any of the "
    f"words. The first {MOST_READ} of each request are read, and the search is applied to them here."
)
TITLES = "It searches no abstracts: a work is judged by its title, and by its abstract where the publisher gave one."


def _address(phrases: tuple[Phrase, ...], first: date | None, last: date | None) -> str:
    words: dict[str, list[str]] = {}
    for phrase in phrases:
        words.setdefault(PARAMETERS[phrase.field], []).extend(phrase.words)
    when = [f"from-pub-date:{first}"] * bool(first) + [f"until-pub-date:{last}"] * bool(last)
    values = {
        **{name: " ".join(dict.fromkeys(found)) for name, found in words.items()},
        **({"filter": ",".join(when)} if when else {}),
        "rows": str(PAGE),
        "select": "DOI," + ",".join(SELECTED),
        "cursor": "*",
    }
    return f"{SERVICE.default}/works?{urlencode(values, quote_via=quote, safe='*:,')}"


def read(asked: Request, net: Net, start: str | None = None) -> Iterator[Page]:
    """The pages; raises `NetError` for no complete answer."""
    addresses = asked.addresses

    def part(here: PageStart) -> AnswerPart:
        path = addresses[here.request].removeprefix(SERVICE.default).removesuffix("*")
        answer = answered(
            SERVICE.name, f"{SERVICE.base(net)}{path}{quote(here.cursor or '*', safe='*')}", net, CrossrefList
        )
        drafts, failures = drafted(SERVICE.name, asked, answer.items, CrossrefWork, _found)
        return AnswerPart(answer.count, called(answer.items, "DOI"), drafts, answer.cursor, failures)

    yield from pages(SERVICE.name, len(addresses), part, start, most=MOST_READ)


def _found(work: CrossrefWork) -> tuple[Draft, str]:
    draft = to_draft(work)
    day = _first_day(work)
    fields = {**draft.fields, "first_public": day} if day else draft.fields
    return Draft(fields, draft.place), unmarked(work.abstract[: 10 * LONGEST])


def _first_day(work: CrossrefWork) -> str | None:
    """The earliest day, month or year in which a work is said to have appeared; of equal ones the most exact."""
    found = []
    for day in work.days:
        parts = [part for part in (day.parts[0] if day.parts else []) if part is not None][:3]
        try:
            date(*[*parts, 1, 1][:3])
        except (ValueError, TypeError):
            continue
        found.append((*parts, *[99] * (3 - len(parts))))
    first = min(found, default=())
    return "-".join(f"{part:0{4 if i == 0 else 2}}" for i, part in enumerate(first) if i == 0 or part != 99) or None


SEARCHER = Searcher(
    "crossref",
    SERVICE.name,
    SERVICE.default,
    SERVICE.base,
    keeps_abstracts=False,
    terms="Crossref may redistribute abstracts, but they are copyrighted, mostly by their publishers: none is kept. "
    "https://www.crossref.org/documentation/retrieve-metadata/rest-api/rest-api-metadata-license-information/",
    request=request,
    pages=read,
)
