"""DataCite: metadata of data sets, software, reports and theses by DOI."""

from urllib.parse import quote

from pydantic import Field

from awesome_cli.errors import NonsenseError, NoWorkError
from awesome_cli.formats.answers import DATACITE, fields_of
from awesome_cli.model.drafts import Draft
from awesome_cli.model.identifiers import Reference
from awesome_cli.sources.services import LONGEST, AuthorName, Institution, Service, Shape, Text, Year, get_json
from awesome_cli.system.network import Net


class Title(Shape):
    """A title of a work or of its container."""

    title: Text = ""


class Types(Shape):
    """The type of a work."""

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
    """Fetch a work by DOI; raises `NotKnownError` if DataCite has no record of it."""
    record = get_json(SERVICE, f"/dois/{quote(reference.id, safe='')}", net, str(reference), Attributes)
    if record.doi.casefold() != reference.id.casefold():
        raise NonsenseError(f"DataCite returned another work: {record.doi}")
    try:
        return Draft(fields_of(DATACITE, record.model_dump()), f"doi:{record.doi}")
    except ValueError:
        raise NoWorkError(f"DataCite has no title for {record.doi}", hint="set the title with --set title=…") from None


SERVICE = Service("DataCite", "doi", "AWESOME_DATACITE_URL", "https://api.datacite.org", fetch)
