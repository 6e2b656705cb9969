"""Papers as BibTeX: safe for LaTeX, with capitals protected and stable keys."""

import re
from collections.abc import Iterable, Iterator, Mapping

from awesome_cli.formats import cells
from awesome_cli.formats.bibtex.drafts import CONTAINERS, HELD, NUMBERS, PLAIN, SCHEMES, paragraphs
from awesome_cli.formats.people import AND, PMID, authors_and_editors
from awesome_cli.model.drafts import link, year_of
from awesome_cli.model.publication import MONTHS, kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names
from awesome_cli.text.latex import to_latex

FORBIDDEN = re.compile(r"[\s\"#%'(),={}~\\]")
"""What may not stand in a citation key."""
NAME = re.compile(r"[a-z][a-z0-9_:+.-]*")
NOT_WRITTEN = {"crossref", "xref", "xdata", "ids"}
"""Fields that speak of other entries of the file they came from, under the keys of that file."""
ABOUT = {"abstract", "affiliation", "annotation", "eventtitle", "keywords", "links"}
"""Fields that reference managers keep and bibliographies do not print."""
NOT_TYPES = {"comment", "preamble", "string", "xdata"}
"""What begins with `@` and is no work."""
KEEPS = frozenset(["title", "authors", "year", "venue", "affiliation", "links", "summary", "extra.keywords"]) | {
    *(f"identifiers.{scheme}" for scheme in ("arxiv", "doi", "openreview", "acl", "isbn")),
    *(f"citation.{name}" for name in Citation.model_fields),
}
"""What comes back from what is written."""


def keeps_too(paper: Paper) -> Iterator[str]:
    """What else of a paper comes back: texts of `extra` under a name that is a field and free, and PubMed's number."""
    free = _free(paper)
    yield from (f"extra.{name}" for name, value in free.items() if name in PLAIN or paragraphs(value) == value)
    if (paper.identifiers.other or "").startswith(PMID):
        yield "identifiers.other"


def changes(paper: Paper) -> Iterator[str]:
    """What a citation key may not hold, and lines that end within a paragraph."""
    citation = paper.citation or Citation()
    if FORBIDDEN.search(citation.key or ""):
        yield "citation.key"
    texts = {"citation.note": citation.note, "summary": paper.summary, "affiliation": paper.affiliation}
    yield from (name for name, text in texts.items() if text and paragraphs(text) != text)


def _free(paper: Paper) -> Mapping[str, str]:
    """The entries of `extra` that can be fields: no value of the paper is written or read under that name."""
    ids, year = paper.identifiers, paper.extra.get("year")
    held = {
        "eprint": ids.arxiv,
        "archiveprefix": ids.arxiv,
        "url": paper.links,
        "links": paper.links,
        "pmid": ids.other,
    }
    held |= {name: getattr(ids, name) for name in (*SCHEMES, "isbn")}
    taken = HELD | {kind_of(paper).container} | {name for name, value in held.items() if value}
    if not (paper.venue or (paper.citation and paper.citation.container)):
        taken |= {*CONTAINERS}
    if paper.year and not (isinstance(year, str) and year_of(year) == paper.year):
        taken |= {"year"}
    is_free = (name not in taken and name not in NOT_WRITTEN and NAME.fullmatch(name) for name in paper.extra)
    entries = zip(paper.extra.items(), is_free, strict=True)
    return {name: value for (name, value), free in entries if free and value and isinstance(value, str)}


def write(corpus: Corpus, *, cited: bool = False) -> str:
    """The papers as a BibTeX file in their order; where a citation key repeats, the record's key takes its place.

    With `cited`, only the fields that a bibliography prints are written.
    """
    import bibtexparser
    from bibtexparser.model import Entry, Field

    library = bibtexparser.Library()
    keys = citation_keys(corpus.papers)
    for paper in corpus.papers:
        values = ((name, value) for name, value in _values(paper) if not (cited and name in ABOUT))
        # The name of a month, which every style defines, stands without braces.
        bare = {("month", month) for month in MONTHS}
        fields = [Field(*pair) if pair in bare else Field(pair[0], f"{{{pair[1]}}}") for pair in values]
        library.add(Entry(_type(paper), keys[paper.key], fields))
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


def _type(paper: Paper) -> str:
    """The type of the entry: the record's own, also one that is not of BibTeX but of BibLaTeX or of a style."""
    own = (paper.citation and paper.citation.type) or ""
    return own if own.isascii() and own.isalpha() and own not in NOT_TYPES else kind_of(paper).bibtex


def _values(paper: Paper) -> Iterator[tuple[str, str]]:
    """The fields with a value, in LaTeX, in the order in which people read them."""
    citation, ids = paper.citation or Citation(), paper.identifiers
    authors, editors = authors_and_editors(paper)
    container = citation.container or paper.venue or ""
    fields = {
        "author": " and ".join(map(_author, authors)),
        "editor": " and ".join(map(_author, editors)),
        "title": to_latex(paper.title, protect=True),
        kind_of(paper).container: to_latex(container),
        "eventtitle": to_latex(paper.venue or "") if paper.venue != container else "",
        "year": str(paper.year or ""),
        **{name: _numbers(getattr(citation, name) or "") for name in ("month", *NUMBERS)},
        **{name: to_latex(getattr(citation, name) or "") for name in ("publisher", "note")},
        "eprint": _plain(ids.arxiv or ""),
        "archiveprefix": "arXiv" if ids.arxiv else "",
        **{name: _plain(getattr(ids, name) or "") for name in ("doi", "isbn", "openreview", "acl")},
        "pmid": (ids.other or "").removeprefix(PMID) if (ids.other or "").startswith(PMID) else "",
        "url": _plain(_url(paper) or ""),
        "links": to_latex(_links(paper)),
        "affiliation": to_latex(paper.affiliation or ""),
        "keywords": to_latex(_keywords(paper.extra.get("keywords"))),
        "annotation": to_latex(paper.summary or ""),
    }
    if isinstance(whole := paper.extra.get("year"), str) and year_of(whole) == paper.year:
        fields["year"] = to_latex(whole)  # more than the number, such as "1998-2001"
    yield from ((name, value) for name, value in fields.items() if value)
    free = ((name, value) for name, value in _free(paper).items() if not fields.get(name))
    yield from ((name, _plain(value) if name in PLAIN else to_latex(value)) for name, value in free)


PROJECT_LABELS = frozenset(["project", "project page", "website", "blog"])


def _url(paper: Paper) -> str | None:
    """Where to read it; in place of the page of an identifier that other programs know, the page of the project."""
    ids, address = paper.identifiers, paper.address
    if address in {link.url for link in paper.links} or not (ids.doi or ids.arxiv):
        return address
    return next((link.url for link in paper.links if link.label.casefold() in PROJECT_LABELS), None)


def _numbers(text: str) -> str:
    """Pages and the like, in which a range is written with two hyphens."""
    return "--".join(map(to_latex, text.replace("\N{EN DASH}", "--").split("--")))


def _links(paper: Paper) -> str:
    """The links with their labels, if they say more than the address."""
    links = [entry.model_dump() for entry in paper.links]
    pages = {page for scheme, page in paper.identifiers.addresses() if scheme in {"openreview", "acl"}}
    if links == [link("Paper", paper.address or "")] and paper.address not in pages:
        return ""
    return cells.joined(links, (f"{entry['label']}: {entry['url']}" for entry in links), cells.links)


def _keywords(words: object) -> str:
    """Keywords as one text: parted by commas, or by semicolons if one of them holds a comma."""
    texts = [str(word) for word in words] if isinstance(words, list | tuple) else [str(words or "")]
    return "; ".join([*texts, ""]).strip() if any("," in text for text in texts) else ", ".join(texts)


def _author(author: str) -> str:
    """An author for BibTeX, which takes a name without a comma for `First Last`: a corporate one is braced."""
    if author == names.OTHERS:
        return author
    is_person = names.split(author)[1] and author.count(",") == 1 and ";" not in author and AND not in author
    return to_latex(author) if is_person else "{" + to_latex(author) + "}"


def _plain(identifier: str) -> str:
    """An identifier or address: nothing in it is LaTeX, but braces would end the field."""
    return identifier.replace("{", "%7B").replace("}", "%7D")
