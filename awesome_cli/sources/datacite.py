"""DataCite: the registry of DOIs of data sets, software, reports and theses."""

from urllib.parse import quote

from pydantic import Field

from awesome_cli.errors import NonsenseError, NoWorkError
from awesome_cli.formats.datacite import fields_of
from awesome_cli.model.drafts import Draft
from awesome_cli.model.identifiers import Reference
from awesome_cli.sources.services import LONGEST, AuthorName, Institution, Service, Shape, Text, Year, ask
from awesome_cli.system.network import Net


class Title(Shape):
    """One of a work's titles, or that of what it is part of."""

    title: Text = ""


class Types(Shape):
    """What kind of work it is."""

    bibtex: Text = "misc"


class Attributes(Shape):
    """DataCite's record of a work."""

    within = ("data", "attributes")
    doi: Text
    titles: list[Title] = []
    creators: list[AuthorName] = Field([], max_length=LONGEST)
    publicationYear: Year | Text = ""  # noqa: N815 - as DataCite writes it
    publisher: Institution | Text = ""
    container: Title = Title()
    types: Types = Types()


def fetch(reference: Reference, net: Net) -> Draft:
    """The work behind a DOI; raises `NotKnownError` when DataCite does not know it."""
    found = ask(SERVICE, f"/dois/{quote(reference.id, safe='')}", net, str(reference), Attributes)
    if found.doi.casefold() != reference.id.casefold():
        raise NonsenseError(f"DataCite answered with another work: {found.doi}")
    try:
        return Draft(fields_of(found.model_dump()), f"doi:{found.doi}")
    except ValueError:
        raise NoWorkError(f"DataCite has no title for {found.doi}", hint="give it with --set title=…") from None


SERVICE = Service("DataCite", "doi", "AWESOME_DATACITE_URL", "https://api.datacite.org", fetch)
