"""What a person may call a work: an arXiv id, a DOI, an address, a file."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from awesome_cli.errors import UsageError

Scheme = Literal["arxiv", "doi", "openreview", "acl", "url", "file"]
ARXIV = re.compile(r"(?P<id>\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[A-Z]{2})?/\d{7})(?:v(?P<version>[1-9]\d*))?", re.ASCII)
DOI = re.compile(r"10\.\d{4,9}/\S+", re.ASCII)
ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
ACL = re.compile(r"\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+|[A-Z]\d{2}-\d{4,5}", re.ASCII)
ACL_DOI = re.compile(r"10\.18653/v1/(.+)", re.IGNORECASE)
OPENREVIEW = re.compile(r"[A-Za-z0-9_-]{6,20}", re.ASCII)
HELP = "an arXiv id, a DOI, acl:ID, openreview:ID, an address (https://…) or a .bib, .ris, .json or .csv file"


@dataclass(frozen=True, slots=True)
class Reference:
    """A work, by the scheme that names it. An arXiv id stands without its version."""

    scheme: Scheme
    id: str
    version: int | None = None

    def __str__(self) -> str:
        version = f"v{self.version}" if self.version else ""
        return self.id if self.scheme in {"url", "file"} else f"{self.scheme}:{self.id}{version}"


def parse(text: str) -> Reference:
    """The reference that a text is; raises `UsageError` when it is none."""
    text = text.strip()
    scheme, colon, rest = text.partition(":")
    named = _BY_SCHEME.get(scheme.casefold()) if colon else None
    if named is not None:
        return named(rest.strip())
    if scheme.casefold() in {"http", "https"}:
        return _address(text)
    if found := ARXIV.fullmatch(text):
        return _arxiv_of(found)
    if DOI.fullmatch(text):
        return _doi(text)
    if text == "-" or re.search(r"\.(bib|ris|json|csv|tsv|ya?ml)$", text, re.IGNORECASE):
        return Reference("file", text)
    raise UsageError(f"{text!r} is no reference that I know", hint=f"a reference is {HELP}")


def identifiers(urls: Iterable[str] = (), **known: Any) -> dict[str, Any]:
    """The identifiers of a record, as far as known values and addresses tell them; known values win."""
    found: dict[str, Any] = {}
    texts = [f"{scheme}:{value}" for scheme, value in known.items() if value and scheme in _BY_SCHEME]
    for text in (*texts, *(url for url in urls if url)):
        try:
            reference = parse(text)
        except UsageError:
            continue
        if reference.scheme in {"url", "file"} or reference.scheme in found:
            continue
        found[reference.scheme] = reference.id
        if reference.scheme == "arxiv" and reference.version:
            found["arxiv_version"] = reference.version
    return found


def _arxiv(text: str) -> Reference:
    found = ARXIV.fullmatch(text.removesuffix(".pdf"))
    if found is None:
        raise UsageError(f"{text!r} is no arXiv id", hint="an arXiv id looks like 2508.04652v3 or hep-th/9901001")
    return _arxiv_of(found)


def _arxiv_of(found: re.Match[str]) -> Reference:
    return Reference("arxiv", found["id"], int(found["version"]) if found["version"] else None)


def _doi(text: str) -> Reference:
    text = unquote(text).strip()
    for prefix in ("https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:"):
        if text.casefold().startswith(prefix):
            text = text[len(prefix) :].strip()
    if not DOI.fullmatch(text):
        raise UsageError(f"{text!r} is no DOI", hint="a DOI looks like 10.18653/v1/2025.acl-long.476")
    if (preprint := ARXIV_DOI.fullmatch(text)) and ARXIV.fullmatch(preprint[1]):
        return _arxiv(preprint[1])
    return Reference("doi", text)


def _acl(text: str) -> Reference:
    text = text.strip("/").removesuffix(".pdf").removesuffix(".bib")
    if not ACL.fullmatch(text):
        raise UsageError(f"{text!r} is no ACL Anthology id", hint="it looks like 2025.acl-long.476 or P19-1001")
    return Reference("acl", text)


def _openreview(text: str) -> Reference:
    if not OPENREVIEW.fullmatch(text):
        raise UsageError(f"{text!r} is no OpenReview id", hint="it looks like ur295YVtmt, the id= in a forum's address")
    return Reference("openreview", text)


def _address(text: str) -> Reference:
    """An address; one that a known service owns is that service's reference."""
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        host = ""
    if not host:
        raise UsageError(f"{text!r} is no address")
    path = parts.path.strip("/")
    if host.endswith("arxiv.org") and (found := re.match(r"(?:abs|pdf|html|format)/(.+)", path)):
        return _arxiv(found[1])
    if host in {"doi.org", "dx.doi.org"}:
        return _doi(path)
    if host in {"aclanthology.org", "aclweb.org"} and ACL.fullmatch(path.removesuffix(".pdf").removesuffix(".bib")):
        return _acl(path)
    if host == "openreview.net" and (forum := parse_qs(parts.query).get("id")):
        return _openreview(forum[0])
    return Reference("url", text)


_BY_SCHEME = {"arxiv": _arxiv, "doi": _doi, "acl": _acl, "openreview": _openreview}
