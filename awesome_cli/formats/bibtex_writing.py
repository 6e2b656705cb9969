"""BibTeX, written by bibtexparser: safe for LaTeX, capitals protected, keys stable."""

import re
from collections.abc import Iterable, Iterator, Mapping

from awesome_cli.model.publication_types import kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names
from awesome_cli.text.latex import to_latex

FORBIDDEN = re.compile(r"[\s\"#%'(),={}~\\]")
"""What may not stand in a citation key."""
MONTHS = frozenset(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
"""Names that every bibliography style defines; they stand without braces."""


def export(corpus: Corpus) -> str:
    """The papers as a BibTeX file in their order; a second use of a citation key gives way to the record's key."""
    import bibtexparser
    from bibtexparser.model import Entry, Field

    library = bibtexparser.Library()
    keys = citation_keys(corpus.papers)
    for paper in corpus.papers:
        fields = [Field(name, value if value in MONTHS else f"{{{value}}}") for name, value in _fields(paper)]
        library.add(Entry(kind_of(paper).bibtex, keys[paper.key], fields))
    style = bibtexparser.BibtexFormat()  # type: ignore[no-untyped-call]
    style.indent, style.block_separator, style.trailing_comma = "  ", "\n", True
    return str(bibtexparser.write_string(library, unparse_stack=[], bibtex_format=style))


def citation_keys(papers: Iterable[Paper]) -> Mapping[str, str]:
    """The citation key of each record, whatever the order of the papers."""
    taken: set[str] = set()
    keys: dict[str, str] = {}
    for paper in sorted(papers, key=lambda paper: paper.key):
        wanted = FORBIDDEN.sub("", (paper.citation.key if paper.citation else None) or paper.key)
        key, n = wanted or paper.key, 1
        while key.casefold() in taken:  # BibTeX tells keys apart without regard to case
            key, n = paper.key if n == 1 else f"{paper.key}-{n}", n + 1
        taken.add(key.casefold())
        keys[paper.key] = key
    return keys


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    """Fields and their values in LaTeX, in the order in which people read them."""
    citation, ids = paper.citation or Citation(), paper.identifiers
    if paper.authors:
        yield "author", " and ".join(map(_author, paper.authors))
    yield "title", to_latex(paper.title, protect=True)
    if place := citation.container or paper.venue:
        yield kind_of(paper).container, to_latex(place)
    if paper.year is not None:
        yield "year", str(paper.year)
    for name in ("month", "volume", "number", "pages", "publisher", "note"):
        if value := getattr(citation, name):
            yield name, to_latex(value).replace("{\\textendash}", "--")
    if ids.arxiv:
        yield "eprint", _plain(ids.arxiv)
        yield "archiveprefix", "arXiv"
    for name, value in (("doi", ids.doi), ("isbn", ids.isbn), ("url", paper.address)):
        if value:
            yield name, _plain(value)


def _author(author: str) -> str:
    """An author for BibTeX, which takes a name without a comma for `First Last`: a corporate one is braced."""
    if author == names.OTHERS:
        return author
    return to_latex(author) if names.split(author)[1] else "{" + to_latex(author) + "}"


def _plain(identifier: str) -> str:
    """An identifier or address: nothing in it is LaTeX, but braces would end the field."""
    return identifier.replace("{", "%7B").replace("}", "%7D")
