"""Rules on identifiers and URLs (I): each is written in its canonical form."""

from collections.abc import Iterator

from awesome_cli.model.misfits import misspellings
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, at, rule
from awesome_cli.survey.corpus import Corpus


def _misspelt(kind: str, corpus: Corpus) -> Iterator[Found]:
    for record in corpus.records:
        for error in misspellings(record, kind):
            yield at(record, error.route, error.message, f"awesome set {record.key} {error.assignment}")


@rule("I001", Level.ERROR)
def arxiv(corpus: Corpus) -> Iterator[Found]:
    """An arXiv id is not valid.

    An id is YYMM.NNNNN (four digits after the dot until the end of 2014), or archive/YYMMNNN until March 2007. Write it
    without `arXiv:`, and write the version to `arxiv_version`. Quote an id that ends in zero, because YAML readers
    treat it as a number and drop the zero.
    """
    return _misspelt("arxiv", corpus)


@rule("I002", Level.ERROR)
def doi(corpus: Corpus) -> Iterator[Found]:
    """A DOI is not valid.

    It starts with `10.` and contains a slash. Write it without `doi:` and without `https://doi.org/`.
    """
    return _misspelt("doi", corpus)


@rule("I003", Level.ERROR)
def openreview(corpus: Corpus) -> Iterator[Found]:
    """An OpenReview id is not valid: it is what follows `forum?id=` in the address."""
    return _misspelt("openreview", corpus)


@rule("I004", Level.ERROR)
def acl(corpus: Corpus) -> Iterator[Found]:
    """An ACL Anthology id is not valid: it looks like 2020.acl-main.1 or P18-1001."""
    return _misspelt("acl", corpus)


@rule("I005", Level.ERROR)
def isbn(corpus: Corpus) -> Iterator[Found]:
    """An ISBN is not valid.

    It has 10 or 13 digits, and the last one must fit the others, since it is computed from them.
    """
    return _misspelt("isbn", corpus)


@rule("I006", Level.ERROR)
def url(corpus: Corpus) -> Iterator[Found]:
    """A URL is not valid: it must start with http:// or https://, contain a host and no blanks."""
    return _misspelt("url", corpus)


@rule("I007", Level.ERROR)
def version_without_id(corpus: Corpus) -> Iterator[Found]:
    """A record has an arXiv version without an arXiv id."""
    return _misspelt("arxiv_version", corpus)
