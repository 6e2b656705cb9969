"""From references and files to drafts: each service is a function `fetch(reference, net)` and one line here."""

from collections.abc import Callable, Mapping

from awesome_cli.errors import NetError
from awesome_cli.model.drafts import STUB_NOTE, Batch, Draft, Failure, link
from awesome_cli.model.identifiers import Reference, address_of
from awesome_cli.sources import acl, arxiv, crossref, datacite, openreview, pages
from awesome_cli.survey.keys import exclusion_id
from awesome_cli.system.network import Net

__all__ = ["IMPORTERS", "Batch", "Draft", "Failure", "Reference", "fetch", "stub"]


def _registered(reference: Reference, net: Net) -> Draft:
    """A DOI belongs to one of two registries; both are asked before it counts as unknown."""
    try:
        return crossref.fetch(reference, net)
    except NetError as first:
        if "does not know" not in first.message:
            raise
    try:
        return datacite.fetch(reference, net)
    except NetError as second:
        if "does not know" not in second.message:
            raise
    raise NetError(f"neither Crossref nor DataCite knows {reference}", hint="check the DOI on doi.org")


IMPORTERS: Mapping[str, Callable[[Reference, Net], Draft]] = {
    "arxiv": arxiv.fetch,
    "doi": _registered,
    "openreview": openreview.fetch,
    "acl": acl.fetch,
    "url": pages.fetch,
}


def fetch(reference: Reference, net: Net) -> Draft:
    """What the service that owns a reference says of it; raises `NetError` when it says nothing usable."""
    return IMPORTERS[reference.scheme](reference, net)


def stub(reference: Reference) -> Draft:
    """A draft that knows nothing but the reference, for adding without the network."""
    known: dict[str, str] = {} if reference.scheme == "url" else {reference.scheme: reference.id}
    if reference.version:
        known["arxiv_version"] = str(reference.version)
    address = address_of(reference.scheme, reference.id) or reference.id
    fields = {"title": str(reference), "note": STUB_NOTE, "identifiers": known, "links": [link("Paper", address)]}
    # A title is not known, so the reference itself tells this work from every other.
    key = exclusion_id(f"{reference.scheme} {reference.id}" if known else reference.id, (), None)
    return Draft(fields, str(reference), key, warnings=("nothing was fetched: the record is a stub",))
