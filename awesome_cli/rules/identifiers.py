"""Rules on identifiers and addresses: each scheme has one way of writing an id."""

from collections.abc import Iterator

from awesome_cli.model.identifiers import SCHEMES, is_url, read
from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus


def _identifiers(corpus: Corpus) -> Iterator[tuple[AnyRecord, Route, Identifiers]]:
    for record in corpus.records:
        yield record, ("identifiers",), record.identifiers
        if not isinstance(record, Exclusion):
            for i, version in enumerate(record.versions):
                yield record, ("versions", i, "identifiers"), version.identifiers


def _not_valid(record: AnyRecord, route: Route, message: str, right: str = "…") -> Found:
    path = ".".join(str(step) for step in route)
    return at(record, route, message, f"awesome set {record.key} {path}={right}")


def _malformed(scheme: str, corpus: Corpus) -> Iterator[Found]:
    row = SCHEMES[scheme]
    for record, route, identifiers in _identifiers(corpus):
        text = getattr(identifiers, scheme)
        if text is None or row.is_id(text):
            continue
        message, found = f"{text!r} is not {row.title}", read(scheme, text)
        right = found.id if found else "…"
        if found and found.version:
            message += f"; write the version v{found.version} in arxiv_version"
            right += f" {'.'.join(map(str, route))}.arxiv_version={found.version}"
        yield _not_valid(record, (*route, scheme), message, right)


@rule("I001", Level.ERROR)
def arxiv(corpus: Corpus) -> Iterator[Found]:
    """An arXiv id is not valid.

    An id is YYMM.NNNNN, with four digits after the dot until the end of 2014, or archive/YYMMNNN until March 2007.
    Write it without `arXiv:` and without the version, which has a field of its own, `arxiv_version`. An id that ends
    in zero needs quotes, because other YAML readers drop the zero.
    """
    return _malformed("arxiv", corpus)


@rule("I002", Level.ERROR)
def doi(corpus: Corpus) -> Iterator[Found]:
    """A DOI is not valid.

    It starts with `10.` and contains a slash. Write it without `doi:` and without `https://doi.org/`.
    """
    return _malformed("doi", corpus)


@rule("I003", Level.ERROR)
def openreview(corpus: Corpus) -> Iterator[Found]:
    """An OpenReview id is not valid: it is what follows `forum?id=` in the address."""
    return _malformed("openreview", corpus)


@rule("I004", Level.ERROR)
def acl(corpus: Corpus) -> Iterator[Found]:
    """An ACL Anthology id is not valid: it looks like 2025.acl-long.476 or P18-1001."""
    return _malformed("acl", corpus)


@rule("I005", Level.ERROR)
def isbn(corpus: Corpus) -> Iterator[Found]:
    """An ISBN is not valid.

    It has 10 or 13 digits, and the last one must fit the others, since it is computed from them.
    """
    return _malformed("isbn", corpus)


@rule("I006", Level.ERROR)
def url(corpus: Corpus) -> Iterator[Found]:
    """An address is not a web address: it starts with http:// or https://, names a host and contains no blank."""
    for paper in corpus.works:
        for i, link in enumerate(paper.links):
            if not is_url(link.url):
                yield _not_valid(paper, ("links", i, "url"), f"{link.url!r} is not a web address")
        for i, version in enumerate(paper.versions):
            if version.url is not None and not is_url(version.url):
                yield _not_valid(paper, ("versions", i, "url"), f"{version.url!r} is not a web address")
    for exclusion in corpus.exclusions:
        if exclusion.url is not None and not is_url(exclusion.url):
            yield _not_valid(exclusion, ("url",), f"{exclusion.url!r} is not a web address")


@rule("I007", Level.ERROR)
def version_without_id(corpus: Corpus) -> Iterator[Found]:
    """An arXiv version is given without an arXiv id."""
    for record, route, identifiers in _identifiers(corpus):
        if identifiers.arxiv_version is not None and identifiers.arxiv is None:
            yield _not_valid(record, (*route, "arxiv_version"), "there is an arXiv version but no arXiv id")
