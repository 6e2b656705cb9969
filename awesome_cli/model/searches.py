"""Models of `search.yaml`, the saved searches, and of `searches/<run>.yaml`, the log of a search run.

The log contains what PRISMA-S requires a review to report about its searches (Rethlefsen et al. 2021,
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


class SavedSearch(Frozen):
    """A saved search: by keywords (`query`), or by citations from or to retained papers.

    `citing` is a query for papers of the survey, and finds works that cite them; `cited_by` finds works that they cite.
    `family` is the query family of the protocol to which its candidates belong. Only works published on or after
    `since` are requested.
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
    """The request of one search to one source, and its result.

    `query` is the search as saved at that time, `sent` the URLs of the first requests, `since` the earliest publication
    date requested, `hits` the number of works that the source reports. Of the works that were `read`, `new` became
    candidates, `known` were already in the survey, `unfit` failed conditions that the source cannot apply itself, and
    `refused` could not become records. `state` is `partly` while results remain after the cursor `next`; `error` is the
    reason why the source stopped answering. `resumes` is the key of the earlier run that this request continues.
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
    """A run of saved searches; the file name is its start in UTC: `2025-01-31-101500`."""

    by: str | None = None
    asked: tuple[Asked, ...] = ()

    FOLDER: ClassVar[str] = "searches"
