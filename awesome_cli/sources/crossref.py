"""Crossref: metadata of works by DOI, with notices of corrections and retractions."""

from collections.abc import Sequence
from datetime import timedelta
from urllib.parse import quote

from pydantic import Field

from awesome_cli.errors import NonsenseError, NoWorkError
from awesome_cli.formats import people
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, Reference, identifiers
from awesome_cli.model.publication import CROSSREF
from awesome_cli.sources.services import LONGEST, AuthorName, Service, Shape, Text, Texts, Year, ask
from awesome_cli.system.network import WEEK, Net
from awesome_cli.text import names
from awesome_cli.text.html import unmarked


def fetch(reference: Reference, net: Net) -> Draft:
    """The work behind a DOI; raises `NotKnownError` when Crossref does not know it."""
    return to_draft(work(reference.id, net))


class Affiliation(Shape):
    """Where an author works."""

    name: Text = ""


class Author(AuthorName):
    """An author or an editor."""

    affiliation: list[Affiliation] = []


class Day(Shape):
    """A day, of which the month or more may be missing."""

    parts: list[list[Year | None]] = Field([], alias="date-parts")


class Related(Shape):
    """Another work."""

    scheme: Text = Field("", alias="id-type")
    id: Text = ""


class Notice(Shape):
    """A notice about the work, such as its retraction."""

    type: Text = ""


class CrossrefWork(Shape):
    """Crossref's record of a work."""

    within = ("message",)
    doi: Text = Field(alias="DOI")
    type: Text = ""
    title: Texts = []
    subtitle: Texts = []
    author: list[Author] = Field([], max_length=LONGEST)
    editor: list[Author] = Field([], max_length=LONGEST)
    container: Texts = Field([], alias="container-title")
    publisher: Text = ""
    isbn: Texts = Field([], alias="ISBN")
    volume: Text | Year = ""
    issue: Text | Year = ""
    page: Text | Year = ""
    print: Day = Field(Day(), alias="published-print")
    online: Day = Field(Day(), alias="published-online")
    published: Day = Day()
    issued: Day = Day()
    posted: Day = Day()
    relation: dict[str, list[Related]] = {}
    updates: list[Notice] = Field([], alias="updated-by")
    abstract: str = ""

    @property
    def days(self) -> tuple[Day, ...]:
        """The days of appearance, the first that counts first."""
        return self.print, self.online, self.published, self.issued, self.posted


def work(doi: str, net: Net, *, max_age: timedelta = WEEK) -> CrossrefWork:
    """Crossref's record of a DOI; raises as `fetch` does."""
    found = ask(SERVICE, f"/works/{quote(doi, safe='')}", net, f"doi:{doi}", CrossrefWork, max_age=max_age)
    if found.doi.casefold() != doi.casefold():
        raise NonsenseError(f"Crossref answered with another work: {found.doi}")
    return found


def to_draft(work: CrossrefWork) -> Draft:
    """A record of Crossref as a draft."""
    title, subtitle = _first(work.title), _first(work.subtitle)
    if not title:
        raise NoWorkError(f"Crossref has no title for {work.doi}", hint="give it with --set title=…")
    authors = work.author or work.editor
    container = _first(work.container)
    fields = {
        "title": f"{title}: {subtitle}" if subtitle and subtitle.casefold() not in title.casefold() else title,
        "authors": names.listed(people.of_mapping(author.model_dump()) for author in authors),
        "year": _year(work),
        "venue": container or work.publisher,
        "affiliation": next((place.name for author in authors[:1] for place in author.affiliation), None),
        "identifiers": {"doi": work.doi, "isbn": _first(work.isbn)},
        "links": [link("Paper", SCHEMES["doi"].address + work.doi)],
        "citation": {
            "type": CROSSREF.get(work.type, "misc"),
            "container": container,
            "volume": work.volume,
            "number": work.issue,
            "pages": str(work.page).replace("-", "--"),
            "publisher": work.publisher,
        },
        "versions": [
            {"identifiers": ids}
            for relation in ("has-preprint", "is-preprint-of", "is-version-of", "has-version")
            for other in work.relation.get(relation, ())
            if other.scheme == "doi" and (ids := identifiers(doi=other.id))
        ],
    }
    return Draft(filled(fields), f"doi:{work.doi}")


def _first(values: Sequence[str]) -> str:
    """The first of a list of texts, without markup and line breaks."""
    return unmarked(next(iter(values), ""))


def _year(work: CrossrefWork) -> int | None:
    return next((day.parts[0][0] for day in work.days if day.parts and day.parts[0] and day.parts[0][0]), None)


SERVICE = Service("Crossref", "doi", "AWESOME_CROSSREF_URL", "https://api.crossref.org", fetch)
