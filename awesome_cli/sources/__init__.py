"""From references and searches to drafts.

A service is a module that ends with its `SERVICE`, its `SEARCHER` or both, and one word in the tables here.
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
"""Where several answer the same scheme, they are asked in this order."""
SEARCHERS: Mapping[str, Searcher] = {s.name: s for s in (arxiv.SEARCHER, openalex.SEARCHER, crossref.SEARCHER)}
"""By the name that `sources` of search.yaml has for it."""


def connect(environment: Mapping[str, str], *, offline: bool = False) -> Net:
    """The network, with the services at the addresses, and the key, that environment variables name."""
    variables = [*(service.variable for service in SERVICES), arxiv.HTML_VARIABLE, openalex.VARIABLE]
    net = from_environment(environment, variables, offline=offline)
    key = environment.get(openalex.KEY_VARIABLE, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"{openalex.KEY_VARIABLE} holds a character that no key has")
    return replace(net, keys={openalex.base(net): key}) if key else net


def fetch(reference: Reference, net: Net) -> Draft:
    """Return a work from the first service that knows it; raises `NetError` at the first unusable answer."""
    asked = [service for service in SERVICES if service.scheme == reference.scheme]
    for service in asked:
        try:
            return service.fetch(reference, net)
        except NotKnownError:
            if len(asked) == 1:
                raise
    names = ", ".join(service.name for service in asked) or "none"
    raise NotKnownError(f"no service knows {reference} (asked: {names})", hint="check the id")


def stub(reference: Reference) -> Draft:
    """A draft that holds nothing but the reference, for adding without the network."""
    known: dict[str, str] = {} if reference.scheme == "url" else {reference.scheme: reference.id}
    if reference.version:
        known["arxiv_version"] = str(reference.version)
    address = address_of(reference.scheme, reference.id) or reference.id
    fields = {"title": str(reference), "note": STUB_NOTE, "identifiers": known, "links": [link("Paper", address)]}
    # The title is not known, so the key is made of the reference, which no other work has.
    key = exclusion_id(f"{reference.scheme} {reference.id}" if known else reference.id, (), None)
    return Draft(fields, str(reference), key, warnings=("nothing was fetched: the record is a stub",))
