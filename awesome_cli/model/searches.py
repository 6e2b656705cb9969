"""Models of `search.yaml` (the saved searches) and `searches/<run>.yaml` (the log of a search run).

The log contains the facts that a review must report about its searches according to PRISMA-S (Rethlefsen et al. 2021,
doi:10.1186/s13643-020-01542-z).
"""

from datetime import date
from typing import ClassVar, Literal

from pydantic import AwareDatetime, Field

from awesome_cli.model.codings import Filed, Frozen, Id, Many

PATH = "search.yaml"
KEY_FORMAT = "%Y-%m-%d-%H%M%S"
"""The format of a run's key: its start in UTC."""
SearchSource = Literal["arxiv", "openalex", "crossref"]
TITLES_ONLY: frozenset[SearchSource] = frozenset({"crossref"})
"""Sources that do not search abstracts, so that their searches are narrower than their queries."""


class SavedSearch(Frozen):
    """A saved search: by keywords (`query`), or by citations from or to retained papers.

    `citing` and `cited_by` are queries for papers of the survey. `citing` returns works that cite these papers;
    `cited_by` returns works that these papers cite. `family` is the protocol's query family for the resulting
    candidates. Only works published on or after `since` are requested.
    """

    id: Id
    label: str = ""
    family: Id | None = None
    query: str | None = None
    citing: str | None = None
    cited_by: str | None = None
    sources: Many[SearchSource] = ()
    since: date | None = None


class Searches(Frozen):
    """The contents of `search.yaml`."""

    searches: tuple[SavedSearch, ...] = ()


class Asked(Frozen):
    """One search in one source during a run, and the result of the search.

    `query` is a copy of the saved search, `sent` are the URLs of the first requests, `since` is the earliest requested
    publication date, `hits` the number of works that the source reports. `read` is the number of works received: `new`
    became candidates, `known` were already in the survey, `unfit` failed conditions that the source cannot apply, and
    `refused` could not become records. `state` is `partly` while results remain after the cursor `next`; `error` is the
    reason why results are missing. `resumes` is the key of the earlier run that this request continues.
    """

    search: Id
    source: SearchSource
    query: str
    sent: str
    since: date | None = None
    at: AwareDatetime
    state: Literal["done", "partly", "failed"]
    resumes: str | None = None
    hits: int | None = Field(default=None, ge=0)
    read: int = Field(default=0, ge=0)
    new: int = Field(default=0, ge=0)
    known: int = Field(default=0, ge=0)
    unfit: int = Field(default=0, ge=0)
    refused: int = Field(default=0, ge=0)
    next: str | None = None
    error: str | None = None


class SearchRun(Filed):
    """A run of saved searches; the file name is the time in UTC when the run started: `2025-01-31-101500`."""

    by: str | None = None
    asked: tuple[Asked, ...] = ()

    FOLDER: ClassVar[str] = "searches"
