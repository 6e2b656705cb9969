"""Crossref: fetch works by DOI, with notices of corrections and retractions, and search for works.

Crossref ranks works by the words that a work shares with the query. Abstracts are not searched, and OR, NOT and
phrases are not supported: https://api.crossref.org/swagger-ui/index.html. So a search is sent
as several queries, and the top results of each query are filtered here.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from urllib.parse import quote, urlencode

from pydantic import Field

from awesome_cli.errors import NonsenseError, NoWorkError, UsageError
from awesome_cli.formats import people
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, Reference, identifiers
from awesome_cli.model.publication import CROSSREF
from awesome_cli.query.searching import Phrase, Search
from awesome_cli.sources import searchers
from awesome_cli.sources.searchers import AnswerPart, Page, PageStart, Request, Searcher, Wanted, WorkList
from awesome_cli.sources.services import LONGEST, AuthorName, Institution, Service, Shape, Text, Texts, Year, get_json
from awesome_cli.system.network import WEEK, Net
from awesome_cli.text import names
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.html import unmarked


def fetch(reference: Reference, net: Net) -> Draft:
    """Fetch a work by DOI; raises `NotKnownError` if Crossref has no record of it."""
    return to_draft(work(reference.id, net))


class Author(AuthorName):
    """An author or an editor."""

    affiliation: list[Institution] = []


class Day(Shape):
    """A date, `[year, month, day]`; day and month may be missing."""

    parts: list[list[Year | None]] = Field([], alias="date-parts")


class Related(Shape):
    """The identifier of a related work."""

    scheme: Text = Field("", alias="id-type")
    id: Text = ""


class Notice(Shape):
    """A notice about the work, such as its retraction."""

    type: Text = ""


class CrossrefWork(Shape):
    """Crossref's record of a work."""

    within = ("message",)
    doi: Text = Field(alias="DOI")
    type: Text = ""
    title: Texts = []
    subtitle: Texts = []
    author: list[Author] = Field([], max_length=LONGEST)
    editor: list[Author] = Field([], max_length=LONGEST)
    container: Texts = Field([], alias="container-title")
    publisher: Text = ""
    isbn: Texts = Field([], alias="ISBN")
    volume: Text | Year = ""
    issue: Text | Year = ""
    page: Text | Year = ""
    print: Day = Field(Day(), alias="published-print")
    online: Day = Field(Day(), alias="published-online")
    published: Day = Day()
    issued: Day = Day()
    posted: Day = Day()
    relation: dict[str, list[Related]] = {}
    updates: list[Notice] = Field([], alias="updated-by")
    abstract: str = ""

    @property
    def days(self) -> tuple[Day, ...]:
        """The publication dates, in order of precedence."""
        return self.print, self.online, self.published, self.issued, self.posted


def work(doi: str, net: Net, *, max_age: timedelta = WEEK) -> CrossrefWork:
    """Return Crossref's record of a DOI; raises the same errors as `fetch`."""
    record = get_json(SERVICE, f"/works/{quote(doi, safe='')}", net, f"doi:{doi}", CrossrefWork, max_age=max_age)
    if record.doi.casefold() != doi.casefold():
        raise NonsenseError(f"Crossref returned another work: {record.doi}")
    return record


def to_draft(work: CrossrefWork) -> Draft:
    title, subtitle = _first(work.title), _first(work.subtitle)
    if not title:
        raise NoWorkError(f"Crossref has no title for {work.doi}", hint="set the title with --set title=…")
    authors = work.author or work.editor
    container = _first(work.container)
    fields = {
        "title": f"{title}: {subtitle}" if subtitle and subtitle.casefold() not in title.casefold() else title,
        "authors": names.listed(people.of_mapping(author.model_dump()) for author in authors),
        "year": next((day.parts[0][0] for day in work.days if day.parts and day.parts[0] and day.parts[0][0]), None),
        "venue": container or work.publisher,
        "affiliation": next((place.name for author in authors[:1] for place in author.affiliation), None),
        "identifiers": {"doi": work.doi, "isbn": _first(work.isbn)},
        "links": [link("Paper", SCHEMES["doi"].address + work.doi)],
        "citation": {
            "type": CROSSREF.get(work.type, "misc"),
            "container": container,
            "volume": work.volume,
            "number": work.issue,
            "pages": str(work.page),
            "publisher": work.publisher,
        },
        "versions": [
            {"identifiers": ids}
            for relation in ("has-preprint", "is-preprint-of", "is-version-of", "has-version")
            for related in work.relation.get(relation, ())
            if related.scheme == "doi" and (ids := identifiers(doi=related.id))
        ],
    }
    return Draft(filled(fields), f"doi:{work.doi}")


def _first(values: Sequence[str]) -> str:
    return unmarked(next(iter(values), ""))


SERVICE = Service("Crossref", "doi", "AWESOME_CROSSREF_URL", "https://api.crossref.org", fetch)

PAGE = 100
MOST_READ = 500
"""Maximum number of works read per query; works that rank lower share only some words with the query."""
PARAMETERS = dict.fromkeys(("", "abstract"), "query.bibliographic") | {"title": "query.title", "author": "query.author"}
SELECTED = tuple(
    field.alias or name for name, field in CrossrefWork.model_fields.items() if name not in {"doi", "updates"}
)


class CrossrefList(WorkList):
    """Schema of a page of Crossref's search results."""

    within = ("message",)
    count: int = Field(alias="total-results", ge=0)
    cursor: Text | None = Field(None, alias="next-cursor")


def search_request(wanted: Wanted, since: date | None = None) -> Request:
    """Translate a search to Crossref queries; raises `UsageError` if Crossref does not support the search."""
    if not isinstance(wanted, Search):
        raise UsageError("citation searches are not supported with Crossref", hint="use openalex for citation searches")
    first, last = searchers.days(wanted, since)
    rows = searchers.few(searchers.alternatives(wanted.tree), SERVICE.name)
    if not rows:
        hint = "use another source, or add a required word or phrase"
        raise UsageError("Crossref does not support a search with prefixes alone", hint=hint)
    remarks = (RANKED, *((f"Crossref has no OR, so {len(rows)} queries are sent.",) if rows[1:] else ()))
    sent = "\n".join(_address(row, first, last) for row in rows)
    return Request(sent, remarks, wanted, first, last, exact=False)


RANKED = (
    "Crossref has no AND, NOT, phrases or prefix search: it ranks and counts all works with any of the words. "
    f"The first {MOST_READ} works of each query are filtered here."
)
TITLES = (
    "Crossref does not search abstracts: a work is matched by its title, and by its abstract if the record has one."
)


def contact_remark(net: Net) -> tuple[str, ...]:
    """Ask for a contact address if none is set."""
    return () if net.contact else ("Crossref asks for a contact address: set AWESOME_CONTACT to your e-mail address.",)


def _address(phrases: tuple[Phrase, ...], first: date | None, last: date | None) -> str:
    words = group_pairs((PARAMETERS[phrase.field], word) for phrase in phrases for word in phrase.words)
    when = [f"from-pub-date:{first}"] * bool(first) + [f"until-pub-date:{last}"] * bool(last)
    values = {
        **{name: " ".join(dict.fromkeys(terms)) for name, terms in words.items()},
        **({"filter": ",".join(when)} if when else {}),
        "rows": str(PAGE),
        "select": "DOI," + ",".join(SELECTED),
        "cursor": "*",
    }
    return f"{SERVICE.default}/works?{urlencode(values, quote_via=quote, safe='*:,')}"


def search_pages(request: Request, net: Net, start: str | None = None) -> Iterator[Page]:
    """Yield the pages of results; raises `NetError` for an incomplete response."""
    addresses = request.addresses

    def part(here: PageStart) -> AnswerPart:
        path = addresses[here.request].removeprefix(SERVICE.default).removesuffix("*")
        address = f"{SERVICE.base(net)}{path}{quote(here.cursor or '*', safe='*')}"
        answer = searchers.get_page(SERVICE.name, address, net, CrossrefList)
        return searchers.drafted(SERVICE.name, request, answer, "DOI", CrossrefWork, _with_abstract)

    yield from searchers.page_by_page(SERVICE.name, len(addresses), part, start, most=MOST_READ)


def _with_abstract(work: CrossrefWork) -> tuple[Draft, str]:
    draft = to_draft(work)
    fields = filled({**draft.fields, "first_public": _first_day(work)})
    return Draft(fields, draft.place), unmarked(work.abstract[: 10 * LONGEST])


def _first_day(work: CrossrefWork) -> str | None:
    """Return the earliest publication date, `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; of equal dates, the most precise."""
    dates = []
    for day in work.days:
        parts = [part for part in (day.parts[0] if day.parts else []) if part is not None][:3]
        try:
            date(*[*parts, 1, 1][:3])
        except (ValueError, TypeError):
            continue
        dates.append((*parts, *[99] * (3 - len(parts))))
    first = min(dates, default=())
    return "-".join(f"{part:0{4 if i == 0 else 2}}" for i, part in enumerate(first) if i == 0 or part != 99) or None


SEARCHER = Searcher(
    "crossref",
    SERVICE.name,
    SERVICE.default,
    SERVICE.base,
    keeps_abstracts=False,
    terms="Crossref redistributes abstracts, but most are copyrighted by their publishers: they are not stored. "
    "https://www.crossref.org/documentation/retrieve-metadata/rest-api/rest-api-metadata-license-information/",
    request=search_request,
    pages=search_pages,
    remarks=lambda net: (TITLES, *contact_remark(net)),
)
