"""Clients of bibliographic services: fetch a work by its reference, or search for works. Both return drafts.

A service is a module that defines `SERVICE`, `SEARCHER` or both, and is registered in the tables here.
"""

from collections.abc import Mapping
from dataclasses import replace

from awesome_cli.errors import NotKnownError, UsageError
from awesome_cli.model.drafts import STUB_NOTE, Draft, link
from awesome_cli.model.identifiers import Reference, address_of
from awesome_cli.sources import acl, arxiv, crossref, datacite, openalex, openreview, pages
from awesome_cli.sources.searchers import Searcher
from awesome_cli.survey.keys import exclusion_id
from awesome_cli.system.network import Net, from_environment

SERVICES = (arxiv.SERVICE, crossref.SERVICE, datacite.SERVICE, openreview.SERVICE, acl.SERVICE, pages.SERVICE)
"""Services of the same scheme are tried in this order."""
SEARCHERS: Mapping[str, Searcher] = {s.name: s for s in (arxiv.SEARCHER, openalex.SEARCHER, crossref.SEARCHER)}
"""The search services, by their names in `sources` of search.yaml."""


def connect(environment: Mapping[str, str], *, offline: bool = False) -> Net:
    """Return a network client; service URLs and the OpenAlex key are read from environment variables."""
    variables = [*(service.variable for service in SERVICES), arxiv.HTML_VARIABLE, openalex.VARIABLE]
    net = from_environment(environment, variables, offline=offline)
    net = replace(net, throttling=(f"{openalex.base(net)}/",))
    key = environment.get(openalex.KEY_VARIABLE, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"{openalex.KEY_VARIABLE} contains a character that is not allowed in a key")
    return replace(net, keys={openalex.base(net): key}) if key else net


def fetch(reference: Reference, net: Net) -> Draft:
    """Fetch a work from the first service that has a record of the work; raises `NetError` for an unusable response."""
    services = [service for service in SERVICES if service.scheme == reference.scheme]
    for service in services:
        try:
            return service.fetch(reference, net)
        except NotKnownError:
            if len(services) == 1:
                raise
    names = ", ".join(service.name for service in services) or "none"
    raise NotKnownError(f"no service has a record of {reference} (queried: {names})", hint="check the id")


def stub(reference: Reference) -> Draft:
    """Return a draft that contains only a reference, to add a work offline."""
    known: dict[str, str] = {} if reference.scheme == "url" else {reference.scheme: reference.id}
    if reference.version:
        known["arxiv_version"] = str(reference.version)
    address = address_of(reference.scheme, reference.id) or reference.id
    fields = {"title": str(reference), "note": STUB_NOTE, "identifiers": known, "links": [link("Paper", address)]}
    # The title is unknown, so the key is derived from the reference, which is unique.
    key = exclusion_id(f"{reference.scheme} {reference.id}" if known else reference.id, (), None)
    return Draft(fields, str(reference), key, warnings=("nothing was fetched: the record is a stub",))
