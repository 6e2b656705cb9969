"""arXiv, through the `arxiv` package's client on the bounded network: works by their ids, and a search.

The client alone returns an empty list for an error page, for a truncated feed and for an unknown id. The session
that it is given here first reads the feed strictly, and raises a different error in each of these cases.

Fields, AND, OR, ANDNOT, phrases, parentheses, dates and paging of a search are those of its manual,
https://info.arxiv.org/help/api/user-manual.html. It names no beginnings of words, and ANDNOT only behind a condition.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from awesome_cli.errors import NetError, NonsenseError, NotKnownError, UsageError
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, Reference, identifiers, parse_reference, read
from awesome_cli.model.records import Identifiers
from awesome_cli.query.searching import KEYWORDS, Phrase, Search, Tree
from awesome_cli.sources import pages, searchers
from awesome_cli.sources.searchers import AnswerPart, Page, PageStart, Request, Said, Searcher, Wanted
from awesome_cli.sources.services import LONGEST, Service, asked, checked
from awesome_cli.system.network import WEEK, Answer, Net
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

if TYPE_CHECKING:
    import arxiv

ATOM = "{http://www.w3.org/2005/Atom}"
TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
PAGE = 50
DIGITS = 15
"""Digits of a number of results that are read."""
DATE = re.compile(r"\s*[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)\s*", re.ASCII)
HTML_VARIABLE = "AWESOME_ARXIV_HTML_URL"
"""The environment variable that may name another address of the papers' pages than `HTML`."""
HTML = "https://arxiv.org/html"


def fetch(reference: Reference, net: Net) -> Draft:
    """The paper behind an arXiv id; raises `NotKnownError` for an unknown one, `NetError` for no feed."""
    asked = f"{reference.id}v{reference.version}" if reference.version else reference.id
    found = search([asked], net)
    if reference.id not in found:
        raise NotKnownError(f"arXiv knows no paper {asked}", hint="check the id on arxiv.org")
    return to_draft(found[reference.id])


def search(ids: Sequence[str], net: Net, *, max_age: timedelta = WEEK) -> Mapping[str, "arxiv.Result"]:
    """The records of some ids, by id without version; unknown ones are absent."""
    import arxiv

    found: dict[str, arxiv.Result] = {}
    for start in range(0, len(ids), PAGE):
        page = list(ids[start : start + PAGE])
        what = page[0] if len(page) == 1 else f"{len(page)} papers"
        session = FeedSession(net, max_age, what)
        for result in session.client(PAGE).results(arxiv.Search(id_list=page, max_results=len(page))):
            found[parse_reference(result.entry_id).id] = result
    return found


def fetch_page(ids: Identifiers, net: Net) -> str:
    """Return a paper as arXiv's HTML page, of its version, else of the newest; raises `NotKnownError` without one."""
    base = net.services.get(HTML_VARIABLE, HTML).rstrip("/")
    asked = [f"{ids.arxiv}v{ids.arxiv_version}"] if ids.arxiv_version else []
    for name in (*asked, ids.arxiv):
        answer = net.get(f"{base}/{name}", {"Accept": "text/html"})
        if answer.status != 404 and pages.is_html(checked(SERVICE.name, answer, str(name))):
            return pages.decoded(answer)
    raise NotKnownError(f"arXiv has no HTML page of {ids.arxiv}", hint="give its text with --texts DIR")


def to_draft(result: "arxiv.Result") -> Draft:
    """A result as a draft: the year is that of the first version."""
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
    """The client's session: fetches only complete feeds within the limits of `net`, and notes their totals."""

    net: Net
    max_age: timedelta
    what: str
    counted: list[int] = field(default_factory=list)

    def client(self, page_size: int) -> "arxiv.Client":
        """The client that asks through this session."""
        import arxiv

        client = arxiv.Client(page_size=page_size, delay_seconds=0, num_retries=0)
        client.query_url_format = SERVICE.base(self.net) + "?{}"
        client._session = self  # noqa: SLF001 - the package has no other way to set it
        return client

    def get(self, url: str, headers: Mapping[str, str]) -> Answer:  # noqa: ARG002 - `net` sends its own user agent
        """The answer, if it is such a feed; raises `NonsenseError` for another."""
        accept = "application/atom+xml"
        return asked(SERVICE.name, url, self.net, self.what, self._inspect, accept=accept, max_age=self.max_age)

    def _inspect(self, answer: Answer) -> Answer:
        root = _feed(answer)
        entries = root.findall(f"{ATOM}entry")
        for entry in entries:
            if "/api/errors" in (entry.findtext(f"{ATOM}id") or ""):
                words = " ".join((entry.findtext(f"{ATOM}summary") or "an error").split())
                raise UsageError(f"arXiv refused the request: {words}", hint="check the id")
            _check(entry)
        if answer.status != 200:
            raise NetError(f"arXiv answered with status {answer.status}", hint="try again later")
        total = re.sub(r"[^0-9]", "", root.findtext(TOTAL) or "")[:DIGITS]
        if not total or (total.strip("0") and not entries):
            raise ValueError("it counts results that it does not contain")
        self.counted.append(int(total))
        return answer


def _check(entry: Any) -> None:
    """Raise `ValueError` for an entry that is none of a paper."""
    texts = [entry.findtext(f"{ATOM}{name}") or "" for name in ("title", "published", "updated")]
    if not all(map(str.strip, texts)):
        raise ValueError("an entry has no title or date")
    for text in texts[1:]:
        if not DATE.fullmatch(text):
            raise ValueError("an entry has a date that is none")
        datetime.fromisoformat(text.strip())
    if read("arxiv", entry.findtext(f"{ATOM}id") or "") is None:
        raise ValueError("an entry has no id of a paper")
    if any(len(element.text or "") > LONGEST for element in entry.iter()) or len(entry) > LONGEST:
        raise ValueError(f"an entry has a text of more than {LONGEST:,} characters, or more parts")


def _feed(answer: Answer) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(answer.body, parser=parser)
    except etree.XMLSyntaxError as error:
        if answer.status != 200:
            raise NetError(f"arXiv answered with status {answer.status}", hint="try again later") from None
        raise ValueError(f"not a complete feed: {error.msg}") from None
    if root.tag != f"{ATOM}feed":
        raise ValueError(f"a page, not a feed (status {answer.status})")
    return root


SERVICE = Service("arXiv", "arxiv", "AWESOME_ARXIV_URL", "https://export.arxiv.org/api/query", fetch)


SEARCH_PAGE = 100
MOST_GIVEN = 30_000
"""Works that arXiv gives for one request, by its manual."""
TRIES = 3
"""Tries for a page without works that should have some: the service sends such pages, and the same page later."""
PREFIXES = {"": ("ti", "abs"), "title": ("ti",), "abstract": ("abs",), "author": ("au",)}
FIRST, LAST = date(1991, 1, 1), date(2999, 12, 31)
"""Where dates begin and end if a search does not say."""


def search_request(wanted: Wanted, since: date | None = None) -> Request:
    """A search in arXiv's words; raises `UsageError` for what it cannot be asked."""
    if not isinstance(wanted, Search):
        raise UsageError("arXiv knows no citations", hint="ask openalex for the works around others")
    first, last = searchers.days(wanted, since)
    trees = searchers.branches(wanted.tree, _say, SERVICE.name)
    queries = [said for tree in trees if (said := _say(tree))]
    exact = all(said.exact for said in queries)
    days_asked = f" AND submittedDate:[{first or FIRST:%Y%m%d}0000 TO {last or LAST:%Y%m%d}2359]"
    when = days_asked if first or last else ""
    sent = "\n".join(_address(f"{said.text}{when}") for said in queries)
    remarks = searchers.remarked(len(queries), "" if exact else PARTLY, DATED if when else "")
    return Request(sent, remarks, wanted, first, last, exact)


PARTLY = (
    "arXiv's interface has no beginnings of words, no NOT but beside what must be there, and no name of several words: "
    "it is asked for more, and the title, the abstract and the authors are looked at here."
)
DATED = "The day is that of the first version, in Greenwich time."


def _say(tree: Tree) -> Said | None:
    return searchers.say(tree, _phrase, "ANDNOT")


def _phrase(phrase: Phrase) -> Said | None:
    words = [f'"{word}"' if word.upper() in KEYWORDS else word for word in phrase.words]
    if phrase.begins:
        words = words[:-1]
    if not words:
        return None
    if phrase.field == "author":
        return Said(_joined([f"au:{word}" for word in words], "AND"), exact=len(words) == 1 and not phrase.begins)
    text = words[0] if len(words) == 1 else f'"{" ".join(phrase.words[: len(words)])}"'
    return Said(_joined([f"{prefix}:{text}" for prefix in PREFIXES[phrase.field]], "OR"), exact=not phrase.begins)


def _joined(parts: list[str], word: str) -> str:
    return parts[0] if len(parts) == 1 else f"({f' {word} '.join(parts)})"


def _search(query: str) -> "arxiv.Search":
    import arxiv

    # The oldest first: what is submitted meanwhile comes at the end, and moves no page.
    return arxiv.Search(query, sort_by=arxiv.SortCriterion.SubmittedDate, sort_order=arxiv.SortOrder.Ascending)


def _address(query: str) -> str:
    import arxiv

    client = arxiv.Client(page_size=SEARCH_PAGE)
    client.query_url_format = SERVICE.default + "?{}"
    return str(client._format_url(_search(query), 0, SEARCH_PAGE))  # noqa: SLF001 - what the package sends


def search_pages(asked: Request, net: Net, start: str | None = None) -> Iterator[Page]:
    """The pages; raises `NetError` for no complete answer."""
    queries = [parse_qs(urlsplit(address).query)["search_query"][0] for address in asked.addresses]

    def part(here: PageStart) -> AnswerPart:
        results, count = _results(queries[here.request], here.read, net)
        if count > MOST_GIVEN:
            hint = "add words, or a later --since, or divide the search into several"
            raise NetError(f"arXiv counts {count:,} works, and gives at most {MOST_GIVEN:,}", hint=hint)
        drafts = [(_found(result), result.summary) for result in results]
        kept = tuple(draft for draft, abstract in drafts if searchers.fits(asked, draft, abstract))
        return AnswerPart(count, tuple(result.entry_id for result in results), kept, str(here.read + len(results)))

    yield from searchers.page_by_page(SERVICE.name, len(queries), part, start)


def _results(query: str, start: int, net: Net) -> "tuple[list[arxiv.Result], int]":
    search = _search(query)
    for attempt in range(TRIES):
        session = FeedSession(net, searchers.FRESH, "a search")
        search.max_results = start + SEARCH_PAGE
        try:
            results = list(session.client(SEARCH_PAGE).results(search, offset=start))
        except UsageError as error:
            raise NetError(error.message, hint="see what is sent with --explain") from None
        except NonsenseError:
            if attempt == TRIES - 1:
                raise
        else:
            return results, session.counted[0]
    raise AssertionError


def _found(result: "arxiv.Result") -> Draft:
    """A result as a draft, with its abstract and the day of its first version."""
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
