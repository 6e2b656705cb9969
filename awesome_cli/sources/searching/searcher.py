"""What a searcher is: a service that is asked for works by words, or for works around others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from awesome_cli.model.drafts import Draft, Failure
from awesome_cli.model.records import Identifiers
from awesome_cli.query.searching import Search
from awesome_cli.system.network import Net


@dataclass(frozen=True, slots=True)
class Around:
    """Works around others: `citing` are those that cite one of `works`, `cited_by` those that one of them cites."""

    relation: Literal["citing", "cited_by"]
    works: tuple[Identifiers, ...]


Wanted = Search | Around


@dataclass(frozen=True, slots=True)
class Request:
    """A search in a service's own words.

    `sent` are the addresses that are asked, one a line, each as of its first page, without a contact address or a key,
    and at the service's public address. `remarks` are sentences about what the service cannot express, and what is
    done instead; `exact` says that nothing is to be filtered here. The search is for works that appeared from `since`
    to `until`, both included.
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

    `hits` is how many works the service counts, None if it does not say; of several requests the counts of those asked
    so far are added, a work that two of them find counts twice, and the last page has them all. `read` is how many
    works the page holds; of them `drafts` are those that were asked for, as records, and the others do not fit what the
    service could not express. `failures` are works of the page that make no record, `unknown` are works that the
    service does not know, so that nothing was looked for around them. `next` is where to read on, None after the last
    page: the `start` of `Searcher.pages`, in words that only the searcher understands.
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

    `name` is that of `sources` in search.yaml, `label` the service's own. `keeps_abstracts` says whether its terms let
    a survey publish the abstracts that it gives, and `terms` why, with an address; where they do not, a draft has none.

    `request(wanted, since)` translates what is wanted; it raises `UsageError` for what the service cannot be
    asked. `pages(request, net, start)` asks page by page, from the first or from the `next` of another page on. It
    raises a `NetError` that names the service whenever there is no complete answer: none is ever taken for no hits.
    """

    name: str
    label: str
    keeps_abstracts: bool
    terms: str
    request: Callable[[Wanted, date | None], Request]
    pages: Callable[[Request, Net, str | None], Iterator[Page]]
