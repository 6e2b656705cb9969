"""OpenAlex: search titles and abstracts without stemming, and list citing and cited works.

API: https://developers.openalex.org. Filters and their query language:
https://developers.openalex.org/guides/searching and https://developers.openalex.org/guides/filtering; cursors:
https://developers.openalex.org/guides/page-through-results.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

from pydantic import AliasPath, Field, ValidationError

from awesome_cli.errors import NetError, UsageError
from awesome_cli.formats.answers import OPENALEX, abstract_of, fields_of
from awesome_cli.model.drafts import Draft, Failure, filled
from awesome_cli.model.identifiers import SCHEMES
from awesome_cli.model.records import DAY_OR_LESS, Identifiers
from awesome_cli.query.searching import AllOf, AnyOf, Phrase, Tree, all_of, any_of, conjuncts
from awesome_cli.sources import searchers
from awesome_cli.sources.searchers import AnswerPart, Around, Clause, Page, PageStart, Request, Searcher, Wanted
from awesome_cli.sources.services import LONGEST, DeniedError, KeyRefusedError, Shape, Text, Year
from awesome_cli.system.network import Net

NAME = "OpenAlex"
VARIABLE = "AWESOME_OPENALEX_URL"
DEFAULT = "https://api.openalex.org"
KEY_VARIABLE = "AWESOME_OPENALEX_KEY"
"""Environment variable of the API key. OpenAlex requires a free key for more than a few requests a day."""
OPEN_LICENSES = frozenset({"cc-by", "cc0", "public-domain"})
"""Licences that allow republishing the abstract with attribution."""


def base(net: Net) -> str:
    """Return the base URL without a trailing slash."""
    return net.services.get(VARIABLE, DEFAULT).rstrip("/")


class OpenAlexName(Shape):
    """An author or a venue."""

    display_name: Text = ""
    type: Text = ""


class Authorship(Shape):
    """An author of a work, with the name as printed."""

    author: OpenAlexName = OpenAlexName()
    raw_author_name: Text = ""


class Location(Shape):
    """A web page of a work, with its licence, and its venue or repository (`source`)."""

    landing_page_url: Text = ""
    license: Text = ""
    source: OpenAlexName = OpenAlexName()


class Biblio(Shape):
    """Volume, issue and pages of a work."""

    volume: Text = ""
    issue: Text = ""
    first_page: Text = ""
    last_page: Text = ""


class OpenAlexWork(Shape):
    """OpenAlex's record of a work."""

    id: Text
    doi: Text = ""
    title: Text = ""
    type: Text = ""
    publication_year: Year | None = None
    publication_date: str = Field("", pattern=DAY_OR_LESS)
    authorships: list[Authorship] = Field([], max_length=LONGEST)
    primary_location: Location = Location()
    best_oa_location: Location = Location()
    locations: list[Location] = Field([], max_length=LONGEST)
    biblio: Biblio = Biblio()
    abstract_inverted_index: dict[str, list[int]] = {}

    @property
    def abstract(self) -> str:
        """The abstract, rebuilt from OpenAlex's index of each word's positions."""
        return abstract_of(self.abstract_inverted_index)[: 10 * LONGEST]

    @property
    def may_keep_abstract(self) -> bool:
        """True if the work's licence or arXiv's terms allow a survey to publish the abstract."""
        licenses = {self.primary_location.license, self.best_oa_location.license}
        return bool(licenses & OPEN_LICENSES) or self.doi.casefold().startswith(ARXIV_DOI)


ARXIV_DOI = "https://doi.org/10.48550/arxiv."


def to_draft(work: OpenAlexWork) -> Draft:
    """Convert a record of OpenAlex to a draft; raises `NetError` for a work without a title."""
    extra = {"abstract": work.abstract if work.may_keep_abstract else ""}
    try:
        fields = fields_of(OPENALEX, work.model_dump())
    except ValueError:
        raise NetError(f"{NAME} has no title for {work.id}") from None
    return Draft(filled({**fields, "first_public": work.publication_date, "extra": extra}), work.id)


PAGE = 100
TOGETHER = 50
"""Maximum number of works in one filter."""
LONGEST_ADDRESS = 3_800
"""Maximum length of a URL in bytes; OpenAlex accepts 4,094 bytes, including the cursor of a later page."""
TEXTS, AUTHORS = "title_and_abstract.search.exact", "raw_author_name.search"


class OpenAlexList(searchers.WorkList):
    """Schema of a page of OpenAlex's search results."""

    count: int = Field(validation_alias=AliasPath("meta", "count"), ge=0)
    items: list[Any] = Field(validation_alias="results", max_length=1_000)
    cursor: Text | None = Field(None, validation_alias=AliasPath("meta", "next_cursor"))


class OpenAlexIds(Shape):
    """The identifiers of a work in OpenAlex."""

    id: str = Field(pattern=r"^https://openalex\.org/W[0-9]{1,12}$")
    doi: Text = ""


def search_request(wanted: Wanted, since: date | None = None) -> Request:
    """Translate a search to OpenAlex filters; raises `UsageError` if OpenAlex does not support the search."""
    first, last = searchers.days(wanted, since)
    when = _when(first, last)
    if isinstance(wanted, Around):
        return _around(wanted, first, last, when)
    filters = _Filters(when)
    branches = searchers.branches(wanted.tree, filters.translate, NAME)
    trees = searchers.few((short for tree in branches for short in filters.short(tree)), NAME)
    queries = [filters.of(tree) for tree in trees]
    exact = all(is_exact for _, is_exact in queries)
    sent = "\n".join(_address([*parts, *when]) for parts, _ in queries)
    remarks = searchers.remarked(len(trees), "" if exact else PARTLY, DATED if when else "")
    return Request(sent, remarks, wanted, first, last, exact)


def _when(first: date | None, last: date | None) -> list[str]:
    return [f"from_publication_date:{first}"] * bool(first) + [f"to_publication_date:{last}"] * bool(last)


PARTLY = (
    "OpenAlex matches words in title and abstract together, and the words of a name across all authors. "
    "A broader query is sent, and its results are filtered here by title, abstract and the first 100 authors."
)
DATED = "Dates are those of publication; OpenAlex may add a work later."


def _around(wanted: Around, first: date | None, last: date | None, when: list[str]) -> Request:
    names = [name for work in wanted.works for name in _dois(work)]
    if not names:
        raise UsageError(f"{NAME} requires a DOI or arXiv id, and none of these works has one")
    groups = [names[i : i + TOGETHER] for i in range(0, len(names), TOGETHER)]
    sent = "\n".join(_address([f"doi:{'|'.join(group)}"], OpenAlexIds, TOGETHER) for group in groups)
    then = "cites:ID|ID…" if wanted.relation == "citing" else "cited_by:ID, once for each work"
    remarks = [
        f"The first requests get OpenAlex's ids of the works; the next requests filter by {','.join([then, *when])}."
    ]
    if missing := sum(not _dois(work) for work in wanted.works):
        remarks.append(f"{missing} of {len(wanted.works)} works have neither a DOI nor an arXiv id and are skipped.")
    return Request(sent, tuple(remarks), wanted, first, last)


def _dois(work: Identifiers) -> tuple[str, ...]:
    """Return a work's DOI and the DOI of its arXiv id, except DOIs with a comma or bar: filters are split there."""
    names = (work.doi, work.arxiv and f"{SCHEMES['arxiv'].doi}{work.arxiv}")
    return tuple(name.casefold() for name in names if name and not set(",|") & set(name))


def _words(phrase: Phrase) -> Clause:
    return Clause(f'"{" ".join(phrase.words)}{"*" * phrase.begins}"', exact=not phrase.field)


def _name(phrase: Phrase) -> Clause | None:
    words = phrase.words[:-1] if phrase.begins else phrase.words
    text = " AND ".join(f'"{word}"' for word in words)
    exact = phrase == Phrase(words[:1], "author")
    return Clause(f"({text})" if words[1:] else text, exact) if words else None


class _Filters:
    """Translator of query trees to filters; the translation of each subtree is cached."""

    def __init__(self, when: list[str]) -> None:
        self._when = when
        self._known: dict[int, tuple[Tree, frozenset[bool]]] = {}  # by id; keeps the tree alive, so ids stay unique
        self._texts: dict[int, tuple[Tree, Clause | None]] = {}

    def of(self, tree: Tree) -> tuple[list[str], bool]:
        """Return filters to combine with AND, and True if together they match the same works as the query tree."""
        parts = conjuncts(tree)
        texts = [part for part in parts if self._kinds(part) == {False}]
        about_authors = [part for part in parts if self._kinds(part) != {False}]
        pairs = [(part, self.translate(part)) for part in ([all_of(texts)] if texts else []) + about_authors]
        filters = [f"{AUTHORS if True in self._kinds(part) else TEXTS}:{query.text}" for part, query in pairs if query]
        return filters, all(query is not None and query.exact for _, query in pairs)

    def translate(self, tree: Tree) -> Clause | None:
        """Return the filter for a part of a search; None if it is not supported, or about both texts and authors."""
        if id(tree) not in self._texts:
            kinds = self._kinds(tree)
            phrase = _name if True in kinds else _words
            self._texts[id(tree)] = tree, searchers.translate(tree, phrase, "NOT") if len(kinds) == 1 else None
        return self._texts[id(tree)][1]

    def short(self, tree: Tree, depth: int = 0) -> Iterator[Tree]:
        """Split a query tree at its longest OR until each URL is short enough; may yield exponentially many trees."""
        searchers.require_few(depth + 1, NAME)
        if len(_address([*self.of(tree)[0], *self._when])) <= LONGEST_ADDRESS:
            yield tree
            return
        parts = conjuncts(tree)
        choices = (part for part in parts if isinstance(part, AnyOf))
        longest = max(choices, key=lambda part: len(str(part)), default=None)
        if longest is None:
            message = f"{NAME} accepts {LONGEST_ADDRESS:,} bytes; this search is longer: {str(tree)[:100]}…"
            raise UsageError(message, hint="split the search")
        rest, middle = [part for part in parts if part is not longest], len(longest.parts) // 2
        for half in (longest.parts[:middle], longest.parts[middle:]):
            yield from self.short(all_of([any_of(half), *rest]), depth + 1)

    def _kinds(self, tree: Tree) -> frozenset[bool]:
        """Return {True} for a query tree about authors, {False} for texts, {False, True} for authors and texts."""
        if id(tree) not in self._known:
            self._known[id(tree)] = tree, self._examined(tree)
        return self._known[id(tree)][1]

    def _examined(self, tree: Tree) -> frozenset[bool]:
        if isinstance(tree, Phrase):
            return frozenset({tree.field == "author"})
        inside = tree.parts if isinstance(tree, AllOf | AnyOf) else (tree.part,)
        return frozenset[bool]().union(*map(self._kinds, inside))


def _address(filters: list[str], shape: type[Shape] = OpenAlexWork, size: int = PAGE) -> str:
    values = {
        "filter": ",".join(filters),
        "sort": "publication_date",
        "per_page": str(size),
        "select": ",".join(shape.model_fields),
        "cursor": "*",
    }
    return f"{DEFAULT}/works?{urlencode(values, quote_via=quote, safe='*:,/')}"


def search_pages(request: Request, net: Net, start: str | None = None) -> Iterator[Page]:
    """Yield the pages of results; raises `NetError` for an incomplete response."""
    addresses: tuple[str, ...] = request.addresses
    unknown: list[Failure] = []
    if isinstance(request.wanted, Around):
        addresses, unknown = _related(request, request.wanted, net)
    if not addresses:
        yield Page(0, 0, (), None, unknown=tuple(unknown))

    def part(here: PageStart) -> AnswerPart:
        answer = _answered(addresses[here.request], net, here.cursor or "*")
        return searchers.drafted(NAME, request, answer, "id", OpenAlexWork, lambda w: (to_draft(w), w.abstract))

    for page in searchers.page_by_page(NAME, len(addresses), part, start):
        yield replace(page, unknown=tuple(unknown))
        unknown = []


def _answered(address: str, net: Net, cursor: str = "*") -> OpenAlexList:
    path = address.removeprefix(DEFAULT).removesuffix("*") + quote(cursor, safe="*")
    try:
        return searchers.get_page(NAME, base(net) + path, net, OpenAlexList)
    except DeniedError as error:
        if net.keys and not isinstance(error, KeyRefusedError):
            raise
        hint = f"try again tomorrow, or set {KEY_VARIABLE} to a free key: 'awesome explain variables'"
        state = "contains a key that OpenAlex does not accept" if net.keys else "is not set"
        raise DeniedError(f"{error.message}; {KEY_VARIABLE} {state}", hint=hint) from None


def abstracts(dois: Sequence[str], net: Net) -> dict[str, str]:
    """Return abstracts by DOI, at most `TOGETHER`; without an open licence, they must not be published."""
    names = {name: doi for doi in dois for name in _dois(Identifiers(doi=doi))}
    texts: dict[str | None, str] = {}
    for item in _answered(_address([f"doi:{'|'.join(names)}"], size=TOGETHER), net).items if names else ():
        with suppress(ValidationError):  # the abstract of an invalid work stays unknown
            work = OpenAlexWork.model_validate(item)
            texts[names.get(work.doi.casefold().removeprefix(SCHEMES["doi"].address))] = work.abstract
    return {doi: text for doi, text in texts.items() if doi and text}


def _related(request: Request, wanted: Around, net: Net) -> tuple[tuple[str, ...], list[Failure]]:
    """Return the URLs that list citing or cited works, and the works without a record in OpenAlex."""
    known: dict[str, str] = {}
    for address in request.addresses:
        for item in _answered(address, net).items:
            ids_of_work = OpenAlexIds.model_validate(item)
            known[ids_of_work.doi.casefold().removeprefix(SCHEMES["doi"].address)] = ids_of_work.id.rpartition("/")[2]
    names = [_dois(work) for work in wanted.works if _dois(work)]
    unknown = [Failure(f"doi:{dois[0]}", f"{NAME} has no record of it") for dois in names if not {*dois} & {*known}]
    ids = list(dict.fromkeys(known[doi] for dois in names for doi in dois if doi in known))
    step = TOGETHER if wanted.relation == "citing" else 1
    groups = ["|".join(ids[i : i + step]) for i in range(0, len(ids), step)]
    filters = "cites" if wanted.relation == "citing" else "cited_by"
    when = _when(request.since, request.until)
    return tuple(_address([f"{filters}:{group}", *when]) for group in groups), unknown


SEARCHER = Searcher(
    "openalex",
    NAME,
    DEFAULT,
    base,
    keeps_abstracts=True,
    terms="OpenAlex's data are CC0, but it publishes abstracts only as an index of words, 'due to legal "
    "constraints': an abstract is stored only if the work is on arXiv or its licence is CC BY, CC0 or public domain: "
    "https://docs.openalex.org/api-entities/works/work-object",
    request=search_request,
    pages=search_pages,
)
