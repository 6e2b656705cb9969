"""The shapes of a survey's records: frozen values, without input and output.

A record's field order here is its canonical order on disk.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, PlainSerializer

from awesome_cli.files import canonical
from awesome_cli.model.codings import (
    Correction,
    Filed,
    Frozen,
    Many,
    Measured,
    NearMiss,
    Revision,
    Tag,
    Tags,
    plain_measured,
    shared,
)
from awesome_cli.model.identifiers import SCHEMES, address_of

EXCLUSION_KEY = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
DAY_OR_LESS = r"^\d{4}(-\d\d(-\d\d)?)?$"
PAPER_LABELS = frozenset(
    ["paper", "page", "arxiv", "pdf", "doi", "preprint", "proceedings", "publisher", "openreview", "acl"]
)
"""Labels of links that lead to the work itself; a link to code or to a survey page may name another work."""


class Identifiers(Frozen):
    """The identifiers of a work; the arXiv id is without its version."""

    arxiv: str | None = None
    arxiv_version: int | None = Field(default=None, ge=1)
    doi: str | None = None
    openreview: str | None = None
    acl: str | None = None
    isbn: str | None = None
    other: str | None = None

    SCHEMES: ClassVar[tuple[str, ...]] = (*SCHEMES, "other")
    ASKED: ClassVar[tuple[str, ...]] = ("arxiv", "doi", "acl", "openreview")
    """Those by which a service tells the authors and the rest of a work."""

    @property
    def is_askable(self) -> bool:
        """True if a service could know the work: `awesome refresh` asks it."""
        return any(getattr(self, scheme) for scheme in self.ASKED)

    def addresses(self) -> tuple[tuple[str, str], ...]:
        """`(scheme, address)` of the pages that the identifiers lead to."""
        return tuple((scheme, page) for scheme, i in self.pairs() if (page := address_of(scheme, i)))

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """`(scheme, id)` of those that are given."""
        values = ((scheme, getattr(self, scheme)) for scheme in self.SCHEMES)
        return tuple((scheme, value) for scheme, value in values if value)


class Link(Frozen):
    """A labelled address."""

    label: str
    url: str


class Citation(Frozen):
    """What a bibliography needs beyond title, authors and year; `key` is the citation key, `type` a type of BibTeX."""

    key: str | None = None
    type: str | None = None
    container: str | None = None
    volume: str | None = None
    number: str | None = None
    pages: str | None = None
    publisher: str | None = None
    month: str | None = None
    note: str | None = None


class Version(Frozen):
    """Another manifestation of the same work: a preprint, a proceedings paper, a journal article."""

    title: str | None = None
    year: int | None = None
    venue: str | None = None
    identifiers: Identifiers = Identifiers()
    url: str | None = None
    citation: Citation | None = None


class Origin(Frozen):
    """Where a value was fetched from, and when."""

    source: str
    on: date


class Retraction(Frozen):
    """What a registry said about the work; a record that was never looked up has none."""

    status: Literal["none", "corrected", "concern", "retracted"]
    source: str
    on: date


class Discovery(Frozen):
    """How a candidate came to the survey.

    `how` says whether the search of the pool missed it (`missed`: it was public by the cutoff) or it appeared `later`.
    `search` is the saved search that found it, `query_family` the family of the protocol that the search belongs to.
    """

    on: date | None = None
    how: Literal["missed", "later", "unknown"] | None = None
    by: str | None = None
    source: str | None = None
    search: str | None = None
    query_family: str | None = None


class Readmission(Frozen):
    """The exclusion that a paper was under `id`, until it was admitted to the pool on a day."""

    on: date
    id: str
    exclusion: dict[str, Any]


class Work(Filed):
    """What papers and candidates share: a work, its coding, and the history of both.

    `passed` lists the stages of screening that the work passed, where that was recorded.
    """

    title: str = Field(min_length=1)
    authors: tuple[str, ...] = ()
    year: int | None = Field(default=None, ge=1500, le=2200)
    venue: str | None = None
    affiliation: str | None = None
    identifiers: Identifiers = Identifiers()
    links: tuple[Link, ...] = ()
    citation: Citation | None = None
    added: date | None = None
    withdrawn: date | None = None
    passed: Many[str] = ()
    order: int | None = None
    tags: dict[str, Tags] = {}
    not_coded: Many[str] = ()
    measures: Annotated[dict[str, Measured], PlainSerializer(plain_measured)] = {}
    summary: str | None = None
    note: str | None = None
    aliases: Many[str] = ()
    versions: tuple[Version, ...] = ()
    version_of: str | None = None
    distinct_from: Many[str] = ()
    retraction: Retraction | None = None
    provenance: dict[str, Origin] = {}
    corrections: tuple[Correction, ...] = ()
    history: tuple[Revision, ...] = ()
    readmitted: Readmission | None = None
    extra: dict[str, Any] = {}

    FOLDER: ClassVar[str] = "corpus"

    def tags_on(self, axis: str) -> tuple[Tag, ...]:
        """The paper's main codings on an axis; empty when it does not apply or was not coded."""
        tags = self.tags.get(axis, ())
        return tuple(tag for tag in tags if not tag.part) if any(tag.part for tag in tags) else tags

    def parts_on(self, axis: str) -> tuple[Tag, ...]:
        """The paper's parts on an axis: what it has beside its main coding."""
        return tuple(tag for tag in self.tags.get(axis, ()) if tag.part)

    @property
    def address(self) -> str | None:
        """Where to read it: the first link to the work, else the page of the first identifier, else the first link."""
        papers = (link.url for link in self.links if link.label.casefold() in PAPER_LABELS)
        pages = (page for _, page in self.identifiers.addresses())
        return next(chain(papers, pages, (link.url for link in self.links)), None)

    @property
    def first_author(self) -> str | None:
        """The first of the authors as written, `Last, First` or a corporate name."""
        return self.authors[0] if self.authors else None


class Paper(Work):
    """A retained paper: `corpus/<key>.yaml`, where the file name is the key."""

    added: date

    KIND: ClassVar[str] = "paper"


class Candidate(Work):
    """A paper found and not yet screened: `candidates/<key>.yaml`. It counts nowhere.

    `first_public` is the day, or the month or year, in which the work appeared: a pool that was closed later missed it.
    """

    proposal: Literal["retain", "consider", "exclude"]
    stage: str | None = None
    reason: str | None = None
    confidence: str | None = None
    found: Discovery | None = None
    first_public: str | None = Field(default=None, pattern=DAY_OR_LESS)

    KIND: ClassVar[str] = "candidate"
    FOLDER: ClassVar[str] = "candidates"

    @property
    def is_included(self) -> bool:
        """True if screening included it at a stage: it waits to be coded and admitted."""
        return self.proposal == "retain" and bool(self.passed)


class Screening(Frozen):
    """How a record was screened out: the stage, the coded reason, and the day.

    `passed` lists the earlier stages that it passed, where that was recorded.
    """

    source: str | None = None
    query_family: str | None = None
    passed: Many[str] = ()
    stage: str
    reason: str
    on: date


class Exclusion(Filed):
    """A screened-out record: `exclusions/<id>.yaml`. `paper` holds the retained record that it was."""

    key: str = Field(pattern=EXCLUSION_KEY, exclude=True)
    title: str = Field(min_length=1)
    authors: tuple[str, ...] = ()
    year: int | None = Field(default=None, ge=1500, le=2200)
    identifiers: Identifiers = Identifiers()
    url: str | None = None
    screening: Screening
    note: str | None = None
    near_miss: tuple[NearMiss, ...] = ()
    aliases: Many[str] = ()
    distinct_from: Many[str] = ()
    paper: dict[str, Any] = {}
    extra: dict[str, Any] = {}

    KIND: ClassVar[str] = "exclusion"
    FOLDER: ClassVar[str] = "exclusions"


AnyWork = Paper | Candidate
AnyRecord = Paper | Candidate | Exclusion
KINDS: Mapping[str, type[AnyRecord]] = {model.KIND: model for model in (Paper, Exclusion, Candidate)}
BLOCKS = ("tags", "screening")
"""Top fields that are written on several lines even if they fit on one."""


def slim(record: AnyRecord) -> AnyRecord:
    """The record, with less memory for what it shares with others; for tens of thousands of new ones."""
    for value in (record, record.identifiers, *getattr(record, "links", ()), getattr(record, "citation", None)):
        if value is not None:
            shared(value)
    return record


def to_document(record: Frozen, axes: Sequence[str] = ()) -> dict[str, Any]:
    """The record as it stands in its file: canonical field order, `axes` in the given order, no defaults."""
    document = record.model_dump(exclude_defaults=True)
    tags = document.get("tags")
    if tags and len(tags) > 1:
        place = {axis: i for i, axis in enumerate(axes)}
        document["tags"] = dict(sorted(tags.items(), key=lambda item: (place.get(item[0], len(place)), item[0])))
    return document


def to_text(record: Frozen, axes: Sequence[str] = ()) -> str:
    """The canonical file of a record."""
    return canonical.dump(to_document(record, axes), block=BLOCKS)
