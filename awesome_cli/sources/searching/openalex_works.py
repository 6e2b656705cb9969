"""OpenAlex: works as https://developers.openalex.org describes them."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from awesome_cli.errors import NetError
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, identifiers
from awesome_cli.model.records import DAY_OR_LESS
from awesome_cli.sources.services import LONGEST, Shape, Text, Year
from awesome_cli.system.network import Net
from awesome_cli.text import names
from awesome_cli.text.html import unmarked

NAME = "OpenAlex"
VARIABLE = "AWESOME_OPENALEX_URL"
DEFAULT = "https://api.openalex.org"
KEY_VARIABLE = "AWESOME_OPENALEX_KEY"
"""The environment variable with a key, which OpenAlex gives for nothing and asks for beyond a few requests a day."""
OPEN_LICENSES = frozenset({"cc-by", "cc0", "public-domain"})
"""Licences of a work under which its abstract may be published again by whoever names the authors."""
TYPES: Mapping[str, str] = {
    "article": "article",
    "review": "article",
    "letter": "article",
    "book": "book",
    "book-chapter": "incollection",
    "dissertation": "phdthesis",
    "report": "techreport",
    "preprint": "unpublished",
}
"""The types of OpenAlex's works as types of BibTeX."""


def base(net: Net) -> str:
    """The base URL, without a slash at the end."""
    return net.services.get(VARIABLE, DEFAULT).rstrip("/")


class OpenAlexName(Shape):
    """An author, or where a work appeared."""

    display_name: Text = ""
    type: Text = ""


class Authorship(Shape):
    """An author of a work, and the name as it is printed there."""

    author: OpenAlexName = OpenAlexName()
    raw_author_name: Text = ""


class Location(Shape):
    """A place where a work can be read."""

    landing_page_url: Text = ""
    license: Text = ""
    source: OpenAlexName = OpenAlexName()


class Biblio(Shape):
    """Where in a volume a work stands."""

    volume: Text = ""
    issue: Text = ""
    first_page: Text = ""
    last_page: Text = ""


class OpenAlexWork(Shape):
    """OpenAlex's record of a work."""

    id: Text
    doi: Text = ""
    title: Text = ""
    type: Text = ""
    publication_year: Year | None = None
    publication_date: str = Field("", pattern=DAY_OR_LESS)
    authorships: list[Authorship] = Field([], max_length=LONGEST)
    primary_location: Location = Location()
    best_oa_location: Location = Location()
    locations: list[Location] = Field([], max_length=LONGEST)
    biblio: Biblio = Biblio()
    abstract_inverted_index: dict[str, list[int]] = {}

    @property
    def abstract(self) -> str:
        """The abstract: OpenAlex gives for each word where it stands."""
        places = [(at, word) for word, places in self.abstract_inverted_index.items() for at in places]
        return " ".join(word for _, word in sorted(places[:LONGEST]))[: 10 * LONGEST]

    @property
    def may_keep_abstract(self) -> bool:
        """Whether the licence of the work, or arXiv's terms, let a survey publish the abstract."""
        licenses = {self.primary_location.license, self.best_oa_location.license}
        return bool(licenses & OPEN_LICENSES) or self.doi.casefold().startswith(ARXIV_DOI)


ARXIV_DOI = "https://doi.org/10.48550/arxiv."


def to_draft(work: OpenAlexWork) -> Draft:
    """A record of OpenAlex as a draft; raises `NetError` for a work without a title."""
    title = unmarked(work.title)
    if not title:
        raise NetError(f"{NAME} has no title for {work.id}")
    pages = [work.primary_location.landing_page_url, *(place.landing_page_url for place in work.locations)]
    ids = identifiers(pages, doi=work.doi)
    address = next(
        (SCHEMES[scheme].address + str(ids[scheme]) for scheme in ("doi", "arxiv") if scheme in ids), work.id
    )
    source = work.primary_location.source
    kind = "inproceedings" if (work.type, source.type) == ("article", "conference") else TYPES.get(work.type, "misc")
    extra: dict[str, Any] = {"abstract": work.abstract if work.may_keep_abstract else ""}
    fields = {
        "title": title,
        "authors": names.listed(
            names.inverted(each.author.display_name or each.raw_author_name) for each in work.authorships
        ),
        "year": work.publication_year,
        "first_public": work.publication_date,
        "venue": source.display_name,
        "identifiers": ids or {"other": work.id},
        "links": [link("Paper", address)],
        "citation": {
            "type": kind,
            "container": source.display_name,
            "volume": work.biblio.volume,
            "number": work.biblio.issue,
            "pages": "--".join(dict.fromkeys(filter(None, (work.biblio.first_page, work.biblio.last_page)))),
        },
        "extra": extra,
    }
    return Draft(filled(fields), work.id)
