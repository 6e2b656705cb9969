"""arXiv, searched through the `arxiv` package's client on the bounded network.

Fields, AND, OR, ANDNOT, phrases, parentheses, dates and paging are those of its manual,
https://info.arxiv.org/help/api/user-manual.html. It names no beginnings of words, and ANDNOT only behind a condition.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from awesome_cli.errors import NetError, NonsenseError, UsageError
from awesome_cli.model.drafts import Draft, filled
from awesome_cli.query.searching import KEYWORDS, Phrase, Search, Tree
from awesome_cli.sources.arxiv import SERVICE, FeedSession, to_draft
from awesome_cli.sources.searching.paging import FRESH, AnswerPart, PageStart, fits, pages
from awesome_cli.sources.searching.searcher import Page, Request, Searcher, Wanted
from awesome_cli.sources.searching.translating import Said, branches, days, few, say
from awesome_cli.system.network import Net

if TYPE_CHECKING:
    import arxiv

PAGE = 100
MOST_GIVEN = 30_000
"""Works that arXiv gives for one request, by its manual."""
TRIES = 3
"""Tries for a page without works that should have some: the service sends such pages, and the same page later."""
PREFIXES = {"": ("ti", "abs"), "title": ("ti",), "abstract": ("abs",), "author": ("au",)}
FIRST, LAST = date(1991, 1, 1), date(2999, 12, 31)
"""Where dates begin and end if a search does not say."""


def request(wanted: Wanted, since: date | None = None) -> Request:
    """A search in arXiv's words; raises `UsageError` for what it cannot be asked."""
    if not isinstance(wanted, Search):
        raise UsageError("arXiv knows no citations", hint="ask openalex for the works around others")
    first, last = days(wanted, since)
    trees = few(branches(wanted.tree, _say, SERVICE.name), SERVICE.name)
    queries = [said for tree in trees if (said := _say(tree))]
    exact = all(said.exact for said in queries)
    days_asked = f" AND submittedDate:[{first or FIRST:%Y%m%d}0000 TO {last or LAST:%Y%m%d}2359]"
    when = days_asked if first or last else ""
    sent = "\n".join(_address(f"{said.text}{when}") for said in queries)
    remarks = (
        *(() if exact else (PARTLY,)),
        *((f"It is asked {len(queries)} times, since not everything can be asked at once.",) if queries[1:] else ()),
        *((DATED,) if when else ()),
    )
    return Request(sent, remarks, wanted, first, last, exact)


PARTLY = (
    "arXiv's interface has no beginnings of words, no NOT but beside what must be there, and no name of several words: "
    "it is asked for more, and the title, the abstract and the authors are looked at here."
)
DATED = "The day is that of the first version, in Greenwich time."


def _say(tree: Tree) -> Said | None:
    return say(tree, _phrase, "ANDNOT")


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

    client = arxiv.Client(page_size=PAGE)
    client.query_url_format = SERVICE.default + "?{}"
    return str(client._format_url(_search(query), 0, PAGE))  # noqa: SLF001 - what the package sends


def read(asked: Request, net: Net, start: str | None = None) -> Iterator[Page]:
    """The pages; raises `NetError` for no complete answer."""
    queries = [parse_qs(urlsplit(address).query)["search_query"][0] for address in asked.addresses]

    def part(here: PageStart) -> AnswerPart:
        return _part(asked, queries[here.request], here.read, net)

    yield from pages(SERVICE.name, len(queries), part, start)


def _part(asked: Request, query: str, start: int, net: Net) -> AnswerPart:
    results, count = _results(query, start, net)
    if count > MOST_GIVEN:
        hint = "add words, or a later --since, or divide the search into several"
        raise NetError(f"arXiv counts {count:,} works, and gives at most {MOST_GIVEN:,}", hint=hint)
    drafts = [(to_found(result), result.summary) for result in results]
    kept = tuple(draft for draft, abstract in drafts if fits(asked, draft, abstract))
    return AnswerPart(count, tuple(result.entry_id for result in results), kept, str(start + len(results)))


def _results(query: str, start: int, net: Net) -> "tuple[list[arxiv.Result], int]":
    """A page of results, and how many there are."""
    search = _search(query)
    for attempt in range(TRIES):
        session = FeedSession(net, FRESH, "a search")
        search.max_results = start + PAGE
        try:
            results = list(session.client(PAGE).results(search, offset=start))
        except UsageError as error:
            raise NetError(error.message, hint="see what is sent with --explain") from None
        except NonsenseError:
            if attempt == TRIES - 1:
                raise
        else:
            return results, session.counted[0]
    raise AssertionError


def to_found(result: "arxiv.Result") -> Draft:
    """A result as a draft, with its abstract and the day of its first version."""
    draft = to_draft(result)
    extra = filled({**draft.fields.get("extra", {}), "abstract": " ".join(result.summary.split())})
    day = result.published.date().isoformat()
    return replace(draft, fields={**draft.fields, "first_public": day, **({"extra": extra} if extra else {})})


SEARCHER = Searcher(
    "arxiv",
    SERVICE.name,
    SERVICE.default,
    SERVICE.base,
    keeps_abstracts=True,
    terms="arXiv's descriptive metadata, abstracts included, may be used under CC0 1.0: "
    "https://info.arxiv.org/help/api/tou.html",
    request=request,
    pages=read,
)
