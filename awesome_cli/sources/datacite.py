"""DataCite: the registry of DOIs of data sets, software, reports and theses."""

from urllib.parse import quote

from awesome_cli.errors import NetError
from awesome_cli.formats.datacite import fields_of
from awesome_cli.model.drafts import Draft
from awesome_cli.model.identifiers import Reference
from awesome_cli.sources.services import Service, ask
from awesome_cli.system.network import Net


def fetch(reference: Reference, net: Net) -> Draft:
    """The work behind a DOI; raises `NotKnownError` when DataCite does not know it."""
    answer = ask(SERVICE, f"/dois/{quote(reference.id, safe='')}", net, str(reference))
    data = answer.get("data")
    attributes = data.get("attributes") if isinstance(data, dict) else answer
    if not isinstance(attributes, dict) or str(attributes.get("doi")).casefold() != reference.id.casefold():
        raise NetError("DataCite's answer has an unexpected shape")
    try:
        return Draft(fields_of(attributes), f"doi:{attributes['doi']}")
    except ValueError:
        raise NetError(f"DataCite has no title for {attributes['doi']}", hint="give it with --set title=…") from None


SERVICE = Service("DataCite", "doi", "AWESOME_DATACITE_URL", "https://api.datacite.org", fetch)
