"""The shape of `search.yaml`, the saved searches, and of `searches/<run>.yaml`, the log of what was asked and found.

The log holds what PRISMA-S asks a review to report of its searches (Rethlefsen et al. 2021,
doi:10.1186/s13643-020-01542-z).
"""

from datetime import date
from typing import ClassVar, Literal

from pydantic import AwareDatetime, Field

from awesome_cli.model.codings import Filed, Frozen, Id, Many

PATH = "search.yaml"
KEY_FORMAT = "%Y-%m-%d-%H%M%S"
"""How the key of a run says when it began, in UTC."""
SearchSource = Literal["arxiv", "openalex", "crossref"]


class SavedSearch(Frozen):
    """A saved search: words to look for (`query`), or works around retained papers.

    `citing` is a query for papers of the survey, and finds the works that cite them; `cited_by` finds those that they
    cite. `family` is the query family of the protocol that candidates are said to come from. Only works that appeared
    from `since` on are asked for.
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
    """The whole of `search.yaml`."""

    searches: tuple[SavedSearch, ...] = ()


class Asked(Frozen):
    """What one source was asked for one search, and what came of it.

    `query` is the search as it stood, `sent` the addresses of the first requests, `since` the first day of appearance
    that was asked for, `hits` the number of works that the source counts. Of the works that were `read`, `new` are
    candidates, `known` were in the survey, `unfit` do not fit what the source could not be told, `refused` make no
    record. `state` is `partly` while more is to be read from `next` on; `error` says why the source did not answer to
    the end. What goes on where an earlier run stopped `resumes` it, by its key.
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
    """A run of saved searches; the file's name is the second at which it began, in UTC: `2025-01-31-101500`."""

    by: str | None = None
    asked: tuple[Asked, ...] = ()

    FOLDER: ClassVar[str] = "searches"
