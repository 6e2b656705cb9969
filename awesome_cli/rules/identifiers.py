"""Rules on identifiers and addresses: each scheme has one way of writing an id."""

from collections.abc import Iterator

from awesome_cli.model.identifiers import SCHEMES, is_url, read
from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers
from awesome_cli.reports.findings import Fault, Level
from awesome_cli.rules.registry import Rule, rule
from awesome_cli.survey.corpus import Corpus

Route = tuple[str | int, ...]


def _identifiers(corpus: Corpus) -> Iterator[tuple[AnyRecord, Route, Identifiers]]:
    for record in corpus.records:
        yield record, ("identifiers",), record.identifiers
        if not isinstance(record, Exclusion):
            for i, version in enumerate(record.versions):
                yield record, ("versions", i, "identifiers"), version.identifiers


def _fault(code: str, record: AnyRecord, route: Route, message: str, right: str = "…") -> Fault:
    path = ".".join(str(step) for step in route)
    return Fault(code, record.path, route, message, f"awesome set {record.key} {path}={right}", record.key)


def _malformed(code: str, scheme: str, corpus: Corpus) -> Iterator[Fault]:
    row = SCHEMES[scheme]
    for record, route, identifiers in _identifiers(corpus):
        text = getattr(identifiers, scheme)
        if text is None or row.is_id(text):
            continue
        message, found = f"{text!r} is not {row.title}", read(scheme, text)
        right = found.id if found else "…"
        if found and found.version:
            message += f"; the version v{found.version} belongs in arxiv_version"
            right += f" {'.'.join(map(str, route))}.arxiv_version={found.version}"
        yield _fault(code, record, (*route, scheme), message, right)


def arxiv(corpus: Corpus) -> Iterator[Fault]:
    """An arXiv id is malformed.

    It is YYMM.NNNNN, with four digits behind the dot until the end of 2014, or archive/YYMMNNN until March 2007. It
    stands without "arXiv:" and without version; the version stands apart in `arxiv_version`. An id that ends in zero
    needs quotes, or other YAML readers drop the zero.
    """
    return _malformed("I001", "arxiv", corpus)


def doi(corpus: Corpus) -> Iterator[Fault]:
    """A DOI is malformed: it starts with 10., has a slash, and stands without "doi:" and without address."""
    return _malformed("I002", "doi", corpus)


def openreview(corpus: Corpus) -> Iterator[Fault]:
    """An OpenReview id is malformed: it is what follows `forum?id=` in the address."""
    return _malformed("I003", "openreview", corpus)


def acl(corpus: Corpus) -> Iterator[Fault]:
    """An ACL Anthology id is malformed: it looks like 2025.acl-long.476 or P18-1001."""
    return _malformed("I004", "acl", corpus)


def isbn(corpus: Corpus) -> Iterator[Fault]:
    """An ISBN is malformed, or its check digit is wrong."""
    return _malformed("I005", "isbn", corpus)


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
