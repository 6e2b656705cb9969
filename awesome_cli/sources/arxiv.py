"""arXiv: fetch works by id, and search, with the `arxiv` package on this program's network client.

The package's client returns an empty list for an error page, a truncated feed and an unknown id. `FeedSession` first
validates the feed, and raises a different error for each of these cases.

The query language is described in https://info.arxiv.org/help/api/user-manual.html: fields, AND, OR, ANDNOT, phrases,
parentheses, dates and paging. It has no prefix search, and ANDNOT must follow another condition.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from awesome_cli.errors import NetError, NonsenseError, NotKnownError, UsageError
from awesome_cli.files.xml_reading import parse
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, Reference, identifiers, parse_reference, read
from awesome_cli.model.records import Identifiers
from awesome_cli.query.searching import KEYWORDS, Phrase, Search, Tree
from awesome_cli.sources import pages, searchers
from awesome_cli.sources.searchers import AnswerPart, Clause, Page, PageStart, Request, Searcher, Wanted
from awesome_cli.sources.services import LONGEST, Service, checked, get_parsed
from awesome_cli.system.network import WEEK, Answer, Net
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

if TYPE_CHECKING:
    import arxiv

ATOM = "{http://www.w3.org/2005/Atom}"
TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
PAGE = 50
DIGITS = 15
"""Maximum number of digits read from the total number of results."""
DATE = re.compile(r"\s*[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)\s*", re.ASCII)
HTML_VARIABLE = "AWESOME_ARXIV_HTML_URL"
"""Environment variable that overrides `HTML`, the base URL of the papers' HTML pages."""
HTML = "https://arxiv.org/html"


def fetch(reference: Reference, net: Net) -> Draft:
    """Fetch a paper by id; raises `NotKnownError` if the id is unknown, `NetError` if the response is not a feed."""
    name = f"{reference.id}v{reference.version}" if reference.version else reference.id
    results = search([name], net)
    if reference.id not in results:
        raise NotKnownError(f"arXiv has no paper {name}", hint="check the id on arxiv.org")
    return to_draft(results[reference.id])


def search(ids: Sequence[str], net: Net, *, max_age: timedelta = WEEK) -> Mapping[str, "arxiv.Result"]:
    """Return arXiv's results for `ids`, keyed by the id without its version; unknown ids are absent."""
    import arxiv

    results: dict[str, arxiv.Result] = {}
    for start in range(0, len(ids), PAGE):
        page = list(ids[start : start + PAGE])
        what = page[0] if len(page) == 1 else f"{len(page)} papers"
        session = FeedSession(net, max_age, what)
        for result in session.client(PAGE).results(arxiv.Search(id_list=page, max_results=len(page))):
            results[parse_reference(result.entry_id).id] = result
    return results


def fetch_page(ids: Identifiers, net: Net) -> str:
    """Return a paper's HTML page: the recorded version, else the newest; raises `NotKnownError` if no page exists."""
    base = net.services.get(HTML_VARIABLE, HTML).rstrip("/")
    recorded = [f"{ids.arxiv}v{ids.arxiv_version}"] if ids.arxiv_version else []
    for name in (*recorded, ids.arxiv):
        answer = net.get(f"{base}/{name}", {"Accept": "text/html"})
        if answer.status != 404 and pages.is_html(checked(SERVICE.name, answer, str(name))):
            return pages.decoded(answer)
    raise NotKnownError(f"arXiv has no HTML page for {ids.arxiv}", hint="provide the text with --texts DIR")


def to_draft(result: "arxiv.Result") -> Draft:
    """Convert a result to a draft; `year` is the year of the first version."""
    reference = parse_reference(result.entry_id)
    ids = identifiers(doi=result.doi) | {"arxiv": reference.id, "arxiv_version": reference.version}
    comment = " ".join((result.comment or "").split())
    notes = {"comment": comment, "journal_ref": result.journal_ref}
    warnings = tuple(f"arXiv's {name}: {text}" for name, text in filled(notes).items())
    fields = {
        "title": to_unicode(" ".join(result.title.split())),
        "authors": names.listed(names.inverted(to_unicode(author.name)) for author in result.authors),
        "year": result.published.year,
        "venue": "arXiv",
        "affiliation": next((place for author in result.authors for place in author.affiliation), None),
        "identifiers": ids,
        "links": [link("Paper", SCHEMES["arxiv"].address + reference.id)],
        "citation": {"type": "article", "container": f"arXiv preprint arXiv:{reference.id}"},
        "extra": notes,
    }
    return Draft(filled(fields), str(reference), warnings=warnings)


@dataclass(frozen=True)
class FeedSession:
    """A session for arXiv's client. It returns only complete feeds, and appends the total of each feed to `counted`."""

    net: Net
    max_age: timedelta
    what: str
    counted: list[int] = field(default_factory=list)

    def client(self, page_size: int) -> "arxiv.Client":
        """Return a client that uses this session."""
        import arxiv

        client = arxiv.Client(page_size=page_size, delay_seconds=0, num_retries=0)
        client.query_url_format = SERVICE.base(self.net) + "?{}"
        client._session = self  # noqa: SLF001 - the package has no other way to set it
        return client

    def get(self, url: str, headers: Mapping[str, str]) -> Answer:  # noqa: ARG002 - `net` sends its own user agent
        """Return the response to `url`; raises `NonsenseError` if the response is not a complete feed."""
        accept = "application/atom+xml"
        return get_parsed(SERVICE.name, url, self.net, self.what, self._inspect, accept=accept, max_age=self.max_age)

    def _inspect(self, answer: Answer) -> Answer:
        root = _feed(answer)
        entries = root.findall(f"{ATOM}entry")
        for entry in entries:
            if "/api/errors" in (entry.findtext(f"{ATOM}id") or ""):
                message = " ".join((entry.findtext(f"{ATOM}summary") or "an error").split())
                raise UsageError(f"arXiv refused the request: {message}", hint="check the id")
            _check(entry)
        if answer.status != 200:
            raise NetError(f"arXiv answered with status {answer.status}", hint="try again later")
        total = re.sub(r"[^0-9]", "", root.findtext(TOTAL) or "")[:DIGITS]
        if not total or (total.strip("0") and not entries):
            raise ValueError("the feed counts results that it does not contain")
        self.counted.append(int(total))
        return answer


def _check(entry: Any) -> None:
    """Raise `ValueError` if an entry is not a valid paper."""
    texts = [entry.findtext(f"{ATOM}{name}") or "" for name in ("title", "published", "updated")]
    if not all(map(str.strip, texts)):
        raise ValueError("an entry has no title or date")
    for text in texts[1:]:
        if not DATE.fullmatch(text):
            raise ValueError("an entry has an invalid date")
        datetime.fromisoformat(text.strip())
    if read("arxiv", entry.findtext(f"{ATOM}id") or "") is None:
        raise ValueError("an entry has no arXiv id")
    if any(len(element.text or "") > LONGEST for element in entry.iter()) or len(entry) > LONGEST:
        raise ValueError(f"an entry has more than {LONGEST:,} parts, or a text of more than {LONGEST:,} characters")


def _feed(answer: Answer) -> Any:
    try:
        root = parse(answer.body)
    except ValueError as error:
        if answer.status != 200:
            raise NetError(f"arXiv answered with status {answer.status}", hint="try again later") from None
        raise ValueError(f"not a complete feed: {error}") from None
    if root.tag != f"{ATOM}feed":
        raise ValueError(f"expected a feed, got a page (status {answer.status})")
    return root


SERVICE = Service("arXiv", "arxiv", "AWESOME_ARXIV_URL", "https://export.arxiv.org/api/query", fetch)

SEARCH_PAGE = 100
MOST_GIVEN = 30_000
"""Maximum number of results of a query, according to arXiv's manual."""
TRIES = 3
"""Number of attempts to get a page: arXiv sometimes returns an empty page although more works exist."""
PREFIXES = {"": ("ti", "abs"), "title": ("ti",), "abstract": ("abs",), "author": ("au",)}
FIRST, LAST = date(1991, 1, 1), date(2999, 12, 31)
"""Default bounds of an open date range."""


def search_request(wanted: Wanted, since: date | None = None) -> Request:
    """Translate a search to arXiv's query language; raises `UsageError` if arXiv does not support the search."""
    if not isinstance(wanted, Search):
        raise UsageError("arXiv has no citation data", hint="use openalex for citation searches")
    first, last = searchers.days(wanted, since)
    trees = searchers.branches(wanted.tree, _translate, SERVICE.name)
    queries = [query for tree in trees if (query := _translate(tree))]
    exact = all(query.exact for query in queries)
    date_range = f" AND submittedDate:[{first or FIRST:%Y%m%d}0000 TO {last or LAST:%Y%m%d}2359]"
    when = date_range if first or last else ""
    sent = "\n".join(_address(f"{query.text}{when}") for query in queries)
    remarks = searchers.remarked(len(queries), "" if exact else PARTLY, DATED if when else "")
    return Request(sent, remarks, wanted, first, last, exact)


PARTLY = (
    "arXiv's API has no prefix search, no NOT without another condition, and no author names of several words. "
    "A broader query is sent, and its results are filtered here by title, abstract and authors."
)
DATED = "Dates are those of the first version, in UTC."


def _translate(tree: Tree) -> Clause | None:
    return searchers.translate(tree, _phrase, "ANDNOT")


def _phrase(phrase: Phrase) -> Clause | None:
    words = [f'"{word}"' if word.upper() in KEYWORDS else word for word in phrase.words]
    if phrase.begins:
        words = words[:-1]
    if not words:
        return None
    if phrase.field == "author":
        return Clause(_joined([f"au:{word}" for word in words], "AND"), exact=len(words) == 1 and not phrase.begins)
    text = words[0] if len(words) == 1 else f'"{" ".join(phrase.words[: len(words)])}"'
    return Clause(_joined([f"{prefix}:{text}" for prefix in PREFIXES[phrase.field]], "OR"), exact=not phrase.begins)


def _joined(parts: list[str], word: str) -> str:
    return parts[0] if len(parts) == 1 else f"({f' {word} '.join(parts)})"


def _search(query: str) -> "arxiv.Search":
    import arxiv

    # Oldest first, so that papers submitted during the search do not shift the pages.
    return arxiv.Search(query, sort_by=arxiv.SortCriterion.SubmittedDate, sort_order=arxiv.SortOrder.Ascending)


def _address(query: str) -> str:
    import arxiv

    client = arxiv.Client(page_size=SEARCH_PAGE)
    client.query_url_format = SERVICE.default + "?{}"
    return str(client._format_url(_search(query), 0, SEARCH_PAGE))  # noqa: SLF001 - the URL that the package requests


def search_pages(request: Request, net: Net, start: str | None = None) -> Iterator[Page]:
    """Yield the pages of results; raises `NetError` for an incomplete response."""
    queries = [parse_qs(urlsplit(address).query)["search_query"][0] for address in request.addresses]

    def part(here: PageStart) -> AnswerPart:
        results, count = _results(queries[here.request], here.read, net)
        if count > MOST_GIVEN:
            hint = "add words, use a later --since, or split the search"
            raise NetError(f"arXiv reports {count:,} works but returns at most {MOST_GIVEN:,}", hint=hint)
        pairs = [(_with_abstract(result), result.summary) for result in results]
        drafts = tuple(draft for draft, abstract in pairs if searchers.fits(request, draft, abstract))
        return AnswerPart(count, tuple(result.entry_id for result in results), drafts, str(here.read + len(results)))

    yield from searchers.page_by_page(SERVICE.name, len(queries), part, start)


def _results(query: str, start: int, net: Net) -> "tuple[list[arxiv.Result], int]":
    search = _search(query)
    for attempt in range(TRIES):
        session = FeedSession(net, searchers.FRESH, "a search")
        search.max_results = start + SEARCH_PAGE
        try:
            results = list(session.client(SEARCH_PAGE).results(search, offset=start))
        except UsageError as error:
            raise NetError(error.message, hint="show the request with --explain") from None
        except NonsenseError:
            if attempt == TRIES - 1:
                raise
        else:
            return results, session.counted[0]
    raise AssertionError


def _with_abstract(result: "arxiv.Result") -> Draft:
    """Convert a search result to a draft with the abstract and the date of the first version."""
    draft = to_draft(result)
    extra = {**draft.fields.get("extra", {}), "abstract": " ".join(result.summary.split())}
    day = result.published.date().isoformat()
    return replace(draft, fields=filled({**draft.fields, "first_public": day, "extra": extra}))


SEARCHER = Searcher(
    "arxiv",
    SERVICE.name,
    SERVICE.default,
    SERVICE.base,
    keeps_abstracts=True,
    terms="arXiv's descriptive metadata, abstracts included, may be used under CC0 1.0: "
    "https://info.arxiv.org/help/api/tou.html",
    request=search_request,
    pages=search_pages,
)
