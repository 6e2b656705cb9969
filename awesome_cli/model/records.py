"""Immutable models of a survey's records: papers, candidates and exclusions.

The order of a model's fields is the canonical order of these fields in a file.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, PlainSerializer

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
from awesome_cli.text.known import shown

EXCLUSION_KEY = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
DAY_OR_LESS = r"^\d{4}(-\d\d(-\d\d)?)?$"
PAPER_LABELS = frozenset(
    ["paper", "page", "arxiv", "pdf", "doi", "preprint", "proceedings", "publisher", "openreview", "acl"]
)
"""Labels of links to the work itself; links with other labels, such as code, lead to related pages."""
LONGEST, DEEPEST = 1_000, 24
"""Maximum length of names in free fields, as written, and their nesting; YAML could not read longer names again."""


def _storable(values: dict[str, Any]) -> dict[str, Any]:
    """Raise `ValueError` for names and nesting that a record cannot store."""
    inside: list[Any] = [values]
    depth = 0
    while inside:
        children: list[Any] = []
        for value in inside:
            for name in value if isinstance(value, dict) else ():
                if (length := len(canonical.scalar(name))) > LONGEST:
                    raise ValueError(f"the name {shown(name)} takes {length:,} characters (at most {LONGEST:,})")
            children += value.values() if isinstance(value, dict) else value
        inside, depth = [child for child in children if isinstance(child, dict | list | tuple)], depth + 1
        if depth > DEEPEST:
            raise ValueError(f"nested deeper than {DEEPEST} levels")
    return values


Free = Annotated[dict[str, Any], AfterValidator(_storable)]
"""Fields that the schema does not name."""


class Identifiers(Frozen):
    """The identifiers of a work; `arxiv` has no version suffix."""

    arxiv: str | None = None
    arxiv_version: int | None = Field(default=None, ge=1)
    doi: str | None = None
    openreview: str | None = None
    acl: str | None = None
    isbn: str | None = None
    other: str | None = None

    SCHEMES: ClassVar[tuple[str, ...]] = (*SCHEMES, "other")
    ASKED: ClassVar[tuple[str, ...]] = ("arxiv", "doi", "acl", "openreview")
    """Schemes whose ids a service resolves to metadata of the work, in order of preference."""

    @property
    def is_askable(self) -> bool:
        """True if the metadata can be fetched from a service (`awesome refresh`)."""
        return any(getattr(self, scheme) for scheme in self.ASKED)

    def addresses(self) -> tuple[tuple[str, str], ...]:
        """Return `(scheme, url)` for each identifier that has a web page."""
        return tuple((scheme, page) for scheme, i in self.pairs() if (page := address_of(scheme, i)))

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return `(scheme, id)` for each identifier that has a value."""
        values = ((scheme, getattr(self, scheme)) for scheme in self.SCHEMES)
        return tuple((scheme, value) for scheme, value in values if value)


class Link(Frozen):
    """A labelled URL."""

    label: str
    url: str


class Citation(Frozen):
    """Bibliographic fields besides title, authors and year; `key` is the citation key, `type` the BibTeX type."""

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
    """Another version of the same work: a preprint, a proceedings paper, a journal article."""

    title: str | None = None
    year: int | None = None
    venue: str | None = None
    identifiers: Identifiers = Identifiers()
    url: str | None = None
    citation: Citation | None = None


class Origin(Frozen):
    """The source of a fetched value, and the day on which the value was fetched."""

    source: str
    on: date


class Retraction(Frozen):
    """The retraction status of a work in a registry, the day of the lookup, and how a person `handled` it."""

    status: Literal["none", "corrected", "concern", "withdrawn", "retracted"]
    source: str
    on: date
    handled: str | None = Field(default=None, min_length=1)

    def __str__(self) -> str:
        return f"{self.state} according to {self.source}"

    @property
    def state(self) -> str:
        """The status as an adjective."""
        return "in doubt" if self.status == "concern" else self.status

    @property
    def is_open(self) -> bool:
        """True if the work is in doubt, withdrawn or retracted, and nobody has dealt with it."""
        return self.status in {"concern", "withdrawn", "retracted"} and self.handled is None


class RejectedValue(Frozen):
    """A value of a field in a registry that a person rejected; it is not proposed again."""

    field: str
    value: Any
    source: str
    on: date


class Discovery(Frozen):
    """The discovery of a candidate: the day, the person and the source.

    `how` is `missed` if the candidate was public before the cutoff but the survey's search missed it, and `later` if it
    appeared after the cutoff. `search` is the saved search that returned it, `query_family` the search's family.
    """

    on: date | None = None
    how: Literal["missed", "later", "unknown"] | None = None
    by: str | None = None
    source: str | None = None
    search: str | None = None
    query_family: str | None = None


class Readmission(Frozen):
    """A paper's former exclusion: its key (`id`), its fields, and the day `on` which the paper joined the pool."""

    on: date
    id: str
    exclusion: Free


class Work(Filed):
    """The fields that papers and candidates share: metadata, codings, and changes of either.

    `passed` lists the screening stages that the work passed, if recorded.
    """

    title: str = Field(min_length=1)
    authors: tuple[str, ...] = ()
    year: int | None = Field(default=None, ge=100, le=2200)
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
    rejected: tuple[RejectedValue, ...] = ()
    corrections: tuple[Correction, ...] = ()
    history: tuple[Revision, ...] = ()
    readmitted: Readmission | None = None
    extra: Free = {}

    FOLDER: ClassVar[str] = "corpus"

    def tags_on(self, axis: str) -> tuple[Tag, ...]:
        """Return the main codings on an axis; empty if the axis does not apply or the work was not coded on it."""
        tags = self.tags.get(axis, ())
        return tuple(tag for tag in tags if not tag.part) if any(tag.part for tag in tags) else tags

    def parts_on(self, axis: str) -> tuple[Tag, ...]:
        """Return the parts on an axis, which are codings secondary to the main coding."""
        return tuple(tag for tag in self.tags.get(axis, ()) if tag.part)

    @property
    def address(self) -> str | None:
        """The work's URL: the first link to the work itself, else the first identifier's page, else the first link."""
        papers = (link.url for link in self.links if link.label.casefold() in PAPER_LABELS)
        pages = (page for _, page in self.identifiers.addresses())
        return next(chain(papers, pages, (link.url for link in self.links)), None)

    @property
    def first_author(self) -> str | None:
        """The first author as written: `Last, First` or a corporate name."""
        return self.authors[0] if self.authors else None


class Paper(Work):
    """A retained paper, in `corpus/<key>.yaml`; the file name is the key."""

    added: date

    KIND: ClassVar[str] = "paper"


class Candidate(Work):
    """A work under consideration, in `candidates/<key>.yaml`; statistics and claims do not count candidates.

    `first_public` is the day, month or year of first publication. If it is before the survey's cutoff, the survey's
    search missed the work.
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
        """True if the candidate passed a screening stage and is not yet coded and admitted to the pool."""
        return self.proposal == "retain" and bool(self.passed)


class Screening(Frozen):
    """The decision to screen out a record: stage, reason and day.

    `passed` lists the earlier stages that the record passed, if recorded.
    """

    source: str | None = None
    query_family: str | None = None
    passed: Many[str] = ()
    stage: str
    reason: str
    on: date


class Exclusion(Filed):
    """A screened-out record, in `exclusions/<id>.yaml`; `paper` has the fields of its former record in the corpus."""

    key: str = Field(pattern=EXCLUSION_KEY, exclude=True)
    title: str = Field(min_length=1)
    authors: tuple[str, ...] = ()
    year: int | None = Field(default=None, ge=100, le=2200)
    identifiers: Identifiers = Identifiers()
    url: str | None = None
    screening: Screening
    note: str | None = None
    near_miss: tuple[NearMiss, ...] = ()
    aliases: Many[str] = ()
    distinct_from: Many[str] = ()
    paper: Free = {}
    extra: Free = {}

    KIND: ClassVar[str] = "exclusion"
    FOLDER: ClassVar[str] = "exclusions"


AnyWork = Paper | Candidate
AnyRecord = Paper | Candidate | Exclusion
KINDS: Mapping[str, type[AnyRecord]] = {model.KIND: model for model in (Paper, Exclusion, Candidate)}
BLOCKS = ("tags", "screening")
"""Top-level fields that are always written in block style, even if they fit on one line."""


EMPTY = {name: field.default for name, field in Paper.model_fields.items() if field.default == {}}
"""The mappings that most records leave empty."""


def slim(record: AnyRecord) -> AnyRecord:
    """Save memory: let the record share empty mappings and sets of field names with others; return the same record."""
    vars(record).update((name, value) for name, value in EMPTY.items() if vars(record).get(name) == value)
    for value in (record, record.identifiers, *getattr(record, "links", ()), getattr(record, "citation", None)):
        if value is not None:
            shared(value)
    return record


def to_document(record: Frozen, axes: Sequence[str] = (), mode: Literal["python", "json"] = "python") -> dict[str, Any]:
    """Convert a record to the mapping in its file: fields in canonical order, axes as in `axes`, without defaults.

    In the mode `json`, dates are strings.
    """
    document = record.model_dump(mode=mode, exclude_defaults=True)
    tags = document.get("tags")
    if tags and len(tags) > 1:
        place = {axis: i for i, axis in enumerate(axes)}
        document["tags"] = dict(sorted(tags.items(), key=lambda item: (place.get(item[0], len(place)), item[0])))
    return document


def to_text(record: Frozen, axes: Sequence[str] = ()) -> str:
    """Return the canonical YAML text of a record."""
    return canonical.dump(to_document(record, axes), block=BLOCKS)
