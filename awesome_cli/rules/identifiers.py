"""Rules on identifiers and URLs (I): each is written in its canonical form."""

from collections.abc import Iterator

from awesome_cli.model.identifiers import Reference, behind_doi, is_url, on_page, read
from awesome_cli.model.misfits import addresses_of, identifiers_of, misspellings
from awesome_cli.model.records import PAPER_LABELS, AnyRecord
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import FIXABLE, Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.text.known import DOTS


def _misspelt(kind: str, corpus: Corpus) -> Iterator[Found]:
    for record in corpus.records:
        for error in misspellings(record, kind):
            is_tag = error.route[0] == "tags"
            fix = (
                f"edit {record.key} # write https://… or an identifier"
                if is_tag
                else f"set {record.key} {error.assignment}"
            )
            yield at(record, error.route, error.message, f"awesome {fix}")


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
    """A URL is not valid: it must start with http:// or https://, contain a host and no blanks.

    This holds for links, for the `url` of exclusions, versions and the survey, and for sources that are URLs.
    """
    address = corpus.taxonomy.survey.url
    if address is not None and not is_url(address):
        yield Found(TAXONOMY, ("survey", "url"), f"{address!r} is not a valid URL", f"correct it in {TAXONOMY}")
    yield from _misspelt("url", corpus)


@rule("I007", Level.ERROR)
def version_without_id(corpus: Corpus) -> Iterator[Found]:
    """A record has an arXiv version without an arXiv id."""
    return _misspelt("arxiv_version", corpus)


@rule("I008", Level.WARNING)
def other_arxiv(corpus: Corpus) -> Iterator[Found]:
    """A record has a link, or a DOI, of another arXiv id than its own.

    Links with labels such as `code` may lead to other works.
    """
    for record in corpus.records:
        held = {identifiers.arxiv for _, identifiers in identifiers_of(record) if identifiers.arxiv}
        for route, text, other in _named_in(record) if held else ():
            if other is not None and other.scheme == "arxiv" and other.id not in held:
                message = f"{text} is of another arXiv id than {', '.join(sorted(held))}"
                fix = f"awesome set {record.key} {'.'.join(map(str, route))}={DOTS} # or identifiers.arxiv={DOTS}"
                yield at(record, route, message, fix)


def _named_in(record: AnyRecord) -> Iterator[tuple[Route, str, Reference | None]]:
    """Yield the route, text and identifier of each link to the work itself, and of each DOI."""
    links = getattr(record, "links", ())
    for route, text in addresses_of(record):
        is_own = route[0] != "links" or links[int(route[1])].label.casefold() in PAPER_LABELS
        if "xiv" in text and is_own and (page := on_page(text)):
            yield route, text, read(*page)
    for route, identifiers in identifiers_of(record):
        if identifiers.doi is not None:
            yield (*route, "doi"), identifiers.doi, behind_doi(Reference("doi", identifiers.doi))


@rule("I009", Level.NOTE)
def doi_of_arxiv(corpus: Corpus) -> Iterator[Found]:
    """A DOI contains an arXiv id that the record lacks.

    Programs look up arXiv ids by `identifiers.arxiv`.
    """
    for record in corpus.records:
        inner = behind_doi(Reference("doi", record.identifiers.doi or ""))
        if inner is not None and inner.scheme == "arxiv" and record.identifiers.arxiv is None:
            yield at(record, ("identifiers", "doi"), f"the DOI is that of the arXiv id {inner.id}", FIXABLE)
