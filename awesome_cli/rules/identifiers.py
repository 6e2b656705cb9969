"""Rules on identifiers and addresses: each scheme has one way of writing an id."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers
from awesome_cli.reports.findings import Fault, Level
from awesome_cli.rules.registry import Rule, rule
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
Route = tuple[str | int, ...]


def _identifiers(corpus: Corpus) -> Iterator[tuple[AnyRecord, Route, Identifiers]]:
    for record in corpus.records:
        yield record, ("identifiers",), record.identifiers
        if not isinstance(record, Exclusion):
            for i, version in enumerate(record.versions):
                yield record, ("versions", i, "identifiers"), version.identifiers


def _fault(code: str, record: AnyRecord, route: Route, message: str, right: str | None = None) -> Fault:
    path = ".".join(str(step) for step in route)
    fix = f"awesome set {record.key} {path}={right}" if right else f"awesome set {record.key} {path}=…"
    return Fault(code, record.path, route, message, fix, record.key)


def is_arxiv(text: str) -> bool:
    """Whether `text` is an arXiv id without version, new (2508.04652) or old style (hep-th/9901001).

    New-style numbers have four digits until 2014 and five since 2015.
    """
    new = ARXIV_NEW.fullmatch(text)
    if new is None:
        return ARXIV_OLD.fullmatch(text) is not None
    year, month, number = int(new[1]), int(new[2]), new[3]
    return (year, month) >= (7, 4) and len(number) == (4 if year < 15 else 5)


def arxiv(corpus: Corpus) -> Iterator[Fault]:
    """An arXiv id is malformed.

    New style is YYMM.NNNNN, old style archive/YYMMNNN, both without "arXiv:" and without version; the version
    stands apart in `arxiv_version`. An id that ends in zero needs quotes, or other YAML readers drop the zero.
    """
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.arxiv
        if text is None or is_arxiv(text):
            continue
        loose = ARXIV_LOOSE.fullmatch(text)
        right = loose[1] if loose and is_arxiv(loose[1]) else None
        message = f"{text!r} is not an arXiv id"
        if right and loose and loose[2]:
            message += f"; the version {loose[2]} belongs in arxiv_version"
            right += f" {'.'.join(map(str, route))}.arxiv_version={loose[2][1:]}"
        yield _fault("I001", record, (*route, "arxiv"), message, right)


def doi(corpus: Corpus) -> Iterator[Fault]:
    """A DOI is malformed: it starts with 10., has a slash, and stands without "doi:" and without address."""
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.doi
        if text is not None and not DOI.fullmatch(text):
            bare = DOI_PREFIX.sub("", text.strip(), count=1)
            right = bare if DOI.fullmatch(bare) else None
            yield _fault("I002", record, (*route, "doi"), f"{text!r} is not a DOI", right)


def openreview(corpus: Corpus) -> Iterator[Fault]:
    """An OpenReview id is malformed: it is what follows `forum?id=` in the address."""
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.openreview
        if text is not None and not OPENREVIEW.fullmatch(text):
            found = re.search(r"[?&]id=([A-Za-z0-9_-]+)", text)
            yield _fault(
                "I003", record, (*route, "openreview"), f"{text!r} is not an OpenReview id", found and found[1]
            )


def acl(corpus: Corpus) -> Iterator[Fault]:
    """An ACL Anthology id is malformed: it looks like 2025.acl-long.476 or P18-1001."""
    for record, route, identifiers in _identifiers(corpus):
        text = identifiers.acl
        if text is not None and not ACL.fullmatch(text):
            found = re.search(r"aclanthology\.org/([^/]+)", text)
            right = found[1] if found else None
            yield _fault("I004", record, (*route, "acl"), f"{text!r} is not an ACL Anthology id", right)


def isbn(corpus: Corpus) -> Iterator[Fault]:
    """An ISBN is malformed, or its check digit is wrong."""
    for record, route, identifiers in _identifiers(corpus):
        if identifiers.isbn is not None and not is_isbn(identifiers.isbn):
            yield _fault("I005", record, (*route, "isbn"), f"{identifiers.isbn!r} is not an ISBN")


def is_isbn(text: str) -> bool:
    """Whether the check digit of an ISBN-10 or ISBN-13 holds; hyphens and blanks do not count."""
    digits = text.replace("-", "").replace(" ", "").upper()
    if re.fullmatch(r"\d{9}[\dX]", digits):
        return sum((10 - i) * (10 if c == "X" else int(c)) for i, c in enumerate(digits)) % 11 == 0
    return bool(re.fullmatch(r"\d{13}", digits)) and sum(int(c) * (1, 3)[i % 2] for i, c in enumerate(digits)) % 10 == 0


def url(corpus: Corpus) -> Iterator[Fault]:
    """An address is not one that can be opened: it must be http or https, with a host and without blanks."""
    for paper in corpus.works:
        for i, link in enumerate(paper.links):
            if not is_url(link.url):
                yield _fault("I006", paper, ("links", i, "url"), f"{link.url!r} is not a web address")
        for i, version in enumerate(paper.versions):
            if version.url is not None and not is_url(version.url):
                yield _fault("I006", paper, ("versions", i, "url"), f"{version.url!r} is not a web address")
    for exclusion in corpus.exclusions:
        if exclusion.url is not None and not is_url(exclusion.url):
            yield _fault("I006", exclusion, ("url",), f"{exclusion.url!r} is not a web address")


def is_url(text: str) -> bool:
    """Whether `text` is an http or https address with a host and nothing that would break a page."""
    if re.search(r"[\s<>\"\x00-\x1f\x7f]", text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def version_alone(corpus: Corpus) -> Iterator[Fault]:
    """An arXiv version stands without an arXiv id."""
    for record, route, identifiers in _identifiers(corpus):
        if identifiers.arxiv_version is not None and identifiers.arxiv is None:
            yield _fault("I007", record, (*route, "arxiv_version"), "an arXiv version without an arXiv id")


RULES: tuple[Rule, ...] = (
    rule("I001", Level.ERROR, arxiv),
    rule("I002", Level.ERROR, doi),
    rule("I003", Level.ERROR, openreview),
    rule("I004", Level.ERROR, acl),
    rule("I005", Level.ERROR, isbn),
    rule("I006", Level.ERROR, url),
    rule("I007", Level.ERROR, version_alone),
)
