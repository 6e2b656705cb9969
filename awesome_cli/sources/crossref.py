"""Crossref: metadata of works by DOI, with notices of corrections and retractions."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from awesome_cli.errors import NetError
from awesome_cli.formats import people
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES
from awesome_cli.model.publication_types import CROSSREF
from awesome_cli.model.references import Reference, identifiers
from awesome_cli.sources.services import Service, ask
from awesome_cli.system.network import WEEK, Net
from awesome_cli.text import names
from awesome_cli.text.html import unmarked


def fetch(reference: Reference, net: Net) -> Draft:
    """The work behind a DOI; raises `NotKnownError` when Crossref does not know it."""
    return to_draft(work(reference.id, net))


def work(doi: str, net: Net, *, max_age: timedelta = WEEK) -> Mapping[str, Any]:
    """Crossref's record of a DOI; raises as `fetch` does."""
    answer = ask(SERVICE, f"/works/{quote(doi, safe='')}", net, f"doi:{doi}", max_age=max_age)
    message = answer.get("message", answer)
    if not isinstance(message, dict) or not isinstance(message.get("DOI"), str):
        raise NetError("Crossref's answer has an unexpected shape")
    if message["DOI"].casefold() != doi.casefold():
        raise NetError(f"Crossref answered with another work: {message['DOI']}")
    return message


def to_draft(message: Mapping[str, Any]) -> Draft:
    """A record of Crossref as a draft."""
    title, subtitle = _first(message, "title"), _first(message, "subtitle")
    if not title:
        raise NetError(f"Crossref has no title for {message['DOI']}", hint="give it with --set title=…")
    authors = message.get("author") or message.get("editor") or []
    container = _first(message, "container-title")
    fields = {
        "title": f"{title}: {subtitle}" if subtitle and subtitle.casefold() not in title.casefold() else title,
        "authors": names.listed(people.of_mapping(author) for author in authors if isinstance(author, dict)),
        "year": _year(message),
        "venue": container or message.get("publisher"),
        "affiliation": _affiliation(authors),
        "identifiers": {"doi": message["DOI"], "isbn": _first(message, "ISBN")},
        "links": [link("Paper", SCHEMES["doi"].address + message["DOI"])],
        "citation": {
            "type": CROSSREF.get(str(message.get("type")), "misc"),
            "container": container,
            "volume": message.get("volume"),
            "number": message.get("issue"),
            "pages": str(message.get("page") or "").replace("-", "--"),
            "publisher": message.get("publisher"),
        },
        "versions": [
            {"identifiers": ids}
            for relation in ("has-preprint", "is-preprint-of", "is-version-of", "has-version")
            for ids in _related(message, relation)
        ],
    }
    return Draft(filled(fields), f"doi:{message['DOI']}")


def _first(message: Mapping[str, Any], name: str) -> str:
    """The first of a list of texts, without markup and line breaks."""
    values = message.get(name) or []
    return unmarked(values if isinstance(values, str) else next((v for v in values if isinstance(v, str)), ""))


def _affiliation(authors: list[Any]) -> str | None:
    first = next((author for author in authors if isinstance(author, dict)), {})
    return next((place.get("name") for place in first.get("affiliation") or [] if isinstance(place, dict)), None)


def _year(message: Mapping[str, Any]) -> int | None:
    for name in ("published-print", "published-online", "published", "issued", "posted"):
        parts = (message.get(name) or {}).get("date-parts") or [[None]]
        if parts[0] and isinstance(parts[0][0], int):
            return parts[0][0]
    return None


def _related(message: Mapping[str, Any], relation: str) -> list[dict[str, Any]]:
    related = (message.get("relation") or {}).get(relation) or []
    dois = (entry.get("id") for entry in related if isinstance(entry, dict) and entry.get("id-type") == "doi")
    return [ids for doi in dois if (ids := identifiers(doi=doi))]


SERVICE = Service("Crossref", "doi", "AWESOME_CROSSREF_URL", "https://api.crossref.org", fetch)
