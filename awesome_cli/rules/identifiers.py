"""Rules on identifiers and addresses: each scheme has one way of writing an id."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus

ARXIV_NEW = re.compile(r"(\d\d)(0[1-9]|1[0-2])\.(\d{4,5})")
ARXIV_OLD = re.compile(r"[a-z]+(-[a-z]+)?(\.[A-Z]{2})?/\d{2}(0[1-9]|1[0-2])\d{3}")
ARXIV_LOOSE = re.compile(
    r"(?:arxiv:|https?://(?:www\.)?arxiv\.org/(?:abs|pdf|html)/)?(.+?)(v[1-9]\d*)?(?:\.pdf)?", re.IGNORECASE
)
DOI = re.compile(r"10\.\d{4,9}(\.\d+)*/[^\s\x00-\x1f]+")
DOI_PREFIX = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)", re.IGNORECASE)
OPENREVIEW = re.compile(r"[A-Za-z0-9_-]{6,20}")
ACL = re.compile(r"[A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+(-[a-z0-9_]+)*\.\d+")


def _identifiers(corpus: Corpus) -> Iterator[tuple[AnyRecord, Route, Identifiers]]:
    for record in corpus.records:
        yield record, ("identifiers",), record.identifiers
        if not isinstance(record, Exclusion):
            for i, version in enumerate(record.versions):
                yield record, ("versions", i, "identifiers"), version.identifiers


def _malformed(record: AnyRecord, route: Route, message: str, right: str | None = None) -> Found:
    path = ".".join(str(step) for step in route)
    return at(record, route, message, f"awesome set {record.key} {path}={right or '…'}")


def is_arxiv(text: str) -> bool:
    """Whether `text` is an arXiv id without version, new (2508.04652) or old style (hep-th/9901001).

    New-style numbers have four digits until 2014 and five since 2015.
    """
    new = ARXIV_NEW.fullmatch(text)
    if new is None:
        return ARXIV_OLD.fullmatch(text) is not None
    year, month, number = int(new[1]), int(new[2]), new[3]
    return (year, month) >= (7, 4) and len(number) == (4 if year < 15 else 5)


@rule("I001", Level.ERROR)
def arxiv(corpus: Corpus) -> Iterator[Found]:
    """An arXiv id is not valid.

    An id looks like 2508.04652 (since 2007; four digits after the dot until 2014, then five) or hep-th/9901001
    (before). Write it without `arXiv:` and without the version, which has a field of its own, `arxiv_version`. An id
    that ends in zero needs quotes, because other YAML readers drop the zero.
    """
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.arxiv
        if text is None or is_arxiv(text):
            continue
        loose = ARXIV_LOOSE.fullmatch(text)
        right = loose[1] if loose and is_arxiv(loose[1]) else None
        message = f"{text!r} is not an arXiv id"
        if right and loose and loose[2]:
            message += f"; write the version {loose[2]} in arxiv_version"
            right += f" {'.'.join(map(str, route))}.arxiv_version={loose[2][1:]}"
        yield _malformed(record, (*route, "arxiv"), message, right)


@rule("I002", Level.ERROR)
def doi(corpus: Corpus) -> Iterator[Found]:
    """A DOI is not valid.

    It starts with `10.` and contains a slash. Write it without `doi:` and without `https://doi.org/`.
    """
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.doi
        if text is not None and not DOI.fullmatch(text):
            bare = DOI_PREFIX.sub("", text.strip(), count=1)
            right = bare if DOI.fullmatch(bare) else None
            yield _malformed(record, (*route, "doi"), f"{text!r} is not a DOI", right)


@rule("I003", Level.ERROR)
def openreview(corpus: Corpus) -> Iterator[Found]:
    """An OpenReview id is not valid: it is what follows `forum?id=` in the address."""
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.openreview
        if text is not None and not OPENREVIEW.fullmatch(text):
            found = re.search(r"[?&]id=([A-Za-z0-9_-]+)", text)
            yield _malformed(record, (*route, "openreview"), f"{text!r} is not an OpenReview id", found and found[1])


@rule("I004", Level.ERROR)
def acl(corpus: Corpus) -> Iterator[Found]:
    """An ACL Anthology id is not valid: it looks like 2025.acl-long.476 or P18-1001."""
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.acl
        if text is not None and not ACL.fullmatch(text):
            found = re.search(r"aclanthology\.org/([^/]+)", text)
            right = found[1] if found else None
            yield _malformed(record, (*route, "acl"), f"{text!r} is not an ACL Anthology id", right)


@rule("I005", Level.ERROR)
def isbn(corpus: Corpus) -> Iterator[Found]:
    """An ISBN is not valid.

    It has 10 or 13 digits, and the last one must fit the others, since it is computed from them.
    """
    for record, route, identifiers in _identifiers(corpus):
        if identifiers.isbn is not None and not is_isbn(identifiers.isbn):
            yield _malformed(record, (*route, "isbn"), f"{identifiers.isbn!r} is not an ISBN")


def is_isbn(text: str) -> bool:
    """Whether the check digit of an ISBN-10 or ISBN-13 holds; hyphens and blanks do not count."""
    digits = text.replace("-", "").replace(" ", "").upper()
    if re.fullmatch(r"\d{9}[\dX]", digits):
        return sum((10 - i) * (10 if c == "X" else int(c)) for i, c in enumerate(digits)) % 11 == 0
    return bool(re.fullmatch(r"\d{13}", digits)) and sum(int(c) * (1, 3)[i % 2] for i, c in enumerate(digits)) % 10 == 0


@rule("I006", Level.ERROR)
def url(corpus: Corpus) -> Iterator[Found]:
    """An address is not a web address: it starts with http:// or https://, names a host and contains no blank."""
    for paper in corpus.works:
        for i, link in enumerate(paper.links):
            if not is_url(link.url):
                yield _malformed(paper, ("links", i, "url"), f"{link.url!r} is not a web address")
        for i, version in enumerate(paper.versions):
            if version.url is not None and not is_url(version.url):
                yield _malformed(paper, ("versions", i, "url"), f"{version.url!r} is not a web address")
    for exclusion in corpus.exclusions:
        if exclusion.url is not None and not is_url(exclusion.url):
            yield _malformed(exclusion, ("url",), f"{exclusion.url!r} is not a web address")


def is_url(text: str) -> bool:
    """Whether `text` is an http or https address with a host and nothing that would break a page."""
    if re.search(r"[\s<>\"\x00-\x1f\x7f]", text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


@rule("I007", Level.ERROR)
def version_without_id(corpus: Corpus) -> Iterator[Found]:
    """An arXiv version is given without an arXiv id."""
    for record, route, identifiers in _identifiers(corpus):
        if identifiers.arxiv_version is not None and identifiers.arxiv is None:
            yield _malformed(record, (*route, "arxiv_version"), "there is an arXiv version but no arXiv id")
