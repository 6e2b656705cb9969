"""DataCite: the registry of DOIs of data sets, software, reports and theses."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from awesome_cli.errors import NetError
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import SCHEMES, Reference
from awesome_cli.sources.services import Service, ask
from awesome_cli.system.network import Net
from awesome_cli.text import names


def fetch(reference: Reference, net: Net) -> Draft:
    """The work behind a DOI; raises `NotKnownError` when DataCite does not know it."""
    answer = ask(SERVICE, f"/dois/{quote(reference.id, safe='')}", net, str(reference))
    data = answer.get("data")
    attributes = data.get("attributes") if isinstance(data, dict) else answer
    if not isinstance(attributes, dict) or str(attributes.get("doi")).casefold() != reference.id.casefold():
        raise NetError("DataCite's answer has an unexpected shape")
    return to_draft(attributes)


def to_draft(attributes: Mapping[str, Any]) -> Draft:
    """The attributes of DataCite's record as a draft."""
    titles = attributes.get("titles") or []
    title = next((t["title"] for t in titles if isinstance(t, dict) and t.get("title")), None)
    if title is None:
        raise NetError(f"DataCite has no title for {attributes['doi']}", hint="give it with --set title=…")
    publisher = attributes.get("publisher")
    publisher = publisher.get("name") if isinstance(publisher, dict) else publisher
    container = attributes.get("container")
    container = container.get("title") if isinstance(container, dict) else None
    kinds = attributes.get("types")
    fields = {
        "title": " ".join(str(title).split()),
        "authors": names.listed(_name(c) for c in attributes.get("creators") or [] if isinstance(c, dict)),
        "year": year_of(attributes.get("publicationYear")),
        "venue": container or publisher,
        "identifiers": {"doi": attributes["doi"]},
        "links": [link("Paper", SCHEMES["doi"].address + attributes["doi"])],
        "citation": {
            "type": kinds.get("bibtex", "misc") if isinstance(kinds, dict) else "misc",
            "container": container,
            "publisher": publisher,
        },
    }
    return Draft(filled(fields), f"doi:{attributes['doi']}")


def _name(creator: Mapping[str, Any]) -> str:
    if creator.get("familyName") and creator.get("givenName"):
        return f"{creator['familyName']}, {creator['givenName']}"
    name = str(creator.get("name") or "")
    is_person = creator.get("nameType", creator.get("type")) == "Personal"
    return names.inverted(name) if is_person else name


SERVICE = Service("DataCite", "doi", "AWESOME_DATACITE_URL", "https://api.datacite.org", fetch)
