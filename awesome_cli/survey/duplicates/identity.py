"""What services call a work, in one spelling: two addresses of one work give one identity."""

import re
from collections.abc import Iterable
from urllib.parse import unquote

from awesome_cli.model.identifiers import SCHEMES, Reference, behind_doi, on_page, read

Identity = tuple[str, str]  # (scheme, id)
NONE: frozenset[Identity] = frozenset()
PUBLISHER = re.compile(rf"/doi/(?:[^?#]*?/)?(?={SCHEMES['doi'].pattern})([^?#]+?)(?:\.pdf)?/?(?:[?#].*)?$", re.ASCII)
"""Publishers' addresses of a work, which end in its DOI."""


def identity(scheme: str, text: str) -> Identity | None:
    """An identifier of a record in the spelling that is compared, that is without case; None for an empty one.

    An arXiv id loses its version; a DOI that arXiv or the ACL Anthology made of an id becomes that id.
    """
    reference = read(scheme, text) if scheme in SCHEMES else None
    return _compared(reference or Reference(scheme, text.strip()))


def from_url(url: str) -> Identity | None:
    """The identity that an address names: arXiv, DOI, OpenReview or ACL Anthology; None for any other address."""
    page = on_page(url)
    if page is None and "/doi/" in url and (found := PUBLISHER.search(unquote(url))):
        page = "doi", found[1]
    reference = read(*page) if page else None
    return _compared(reference) if reference else None


def _compared(reference: Reference) -> Identity | None:
    reference = behind_doi(reference) or reference
    return (reference.scheme, reference.id.casefold()) if reference.id else None


def identities(pairs: Iterable[Identity], urls: Iterable[str]) -> frozenset[Identity]:
    """All identities that identifiers and addresses name."""
    named = [identity(scheme, text) for scheme, text in pairs]
    return frozenset(found for found in [*named, *map(from_url, urls)] if found) or NONE  # an empty set takes 200 bytes
