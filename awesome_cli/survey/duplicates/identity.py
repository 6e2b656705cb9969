"""What the outside world calls a work, in one spelling: two addresses of one work give one identity."""

import re
from collections.abc import Iterable
from urllib.parse import parse_qs, unquote, urlsplit

Identity = tuple[str, str]  # (scheme, id)

ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?", re.IGNORECASE)
ARXIV_DOI = "10.48550/arxiv."
ACL_DOI = "10.18653/v1/"
DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
ACL_PAGE = re.compile(
    r"/(?:anthology/)?([A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+(?:-[a-z0-9_]+)*\.\d+)(?:\.pdf|\.bib|/)?$", re.IGNORECASE
)


def identity(scheme: str, text: str) -> Identity | None:
    """An identifier of a record in the spelling that is compared; None for an empty one.

    An arXiv id loses its version; a DOI that arXiv or the ACL Anthology mint becomes the id it stands for.
    """
    text = text.strip().casefold()
    if scheme == "arxiv":
        found = ARXIV.fullmatch(text.removeprefix("arxiv:"))
        return ("arxiv", found[1] if found else text) if text else None
    if scheme == "doi":
        return _doi(re.sub(r"^(?:doi:\s*|https?://(?:dx\.)?doi\.org/)", "", text))
    if scheme == "isbn":
        text = re.sub(r"[^0-9x]", "", text)
    if scheme == "acl":
        text = text.removeprefix("acl:")
    return (scheme, text) if text else None


def _doi(text: str) -> Identity | None:
    if text.startswith(ARXIV_DOI):
        return identity("arxiv", text.removeprefix(ARXIV_DOI))
    if text.startswith(ACL_DOI):
        return identity("acl", text.removeprefix(ACL_DOI))
    return ("doi", text) if text else None


def from_url(url: str) -> Identity | None:
    """The identity that an address names: arXiv, DOI, OpenReview or ACL Anthology; None for any other address."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").casefold().removeprefix("www.").removeprefix("dx.")
    except ValueError:
        return None
    path = unquote(parts.path)
    if host in {"arxiv.org", "export.arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org"}:
        found = ARXIV.fullmatch(re.sub(r"^/[a-z]+/", "", path.rstrip("/")))
        return ("arxiv", found[1].casefold()) if found else None
    if host == "doi.org":
        return identity("doi", path.lstrip("/"))
    if host == "openreview.net":
        ids = parse_qs(parts.query).get("id")
        return ("openreview", ids[0].casefold()) if ids else None
    if host in {"aclanthology.org", "aclweb.org"}:
        page = ACL_PAGE.search(path)
        return ("acl", page[1].casefold()) if page else None
    doi = DOI.search(path)
    return identity("doi", doi[0].removesuffix(".pdf").rstrip("/")) if doi and "/doi/" in path else None


def identities(pairs: Iterable[Identity], urls: Iterable[str]) -> frozenset[Identity]:
    """All identities that identifiers and addresses name."""
    named = [identity(scheme, text) for scheme, text in pairs]
    return frozenset(found for found in [*named, *map(from_url, urls)] if found)
