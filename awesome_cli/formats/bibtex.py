"""BibTeX, with bibtexparser.

Reading drops nothing: repeated and empty keys are kept with a warning, LaTeX becomes Unicode, and a block that cannot
be read is named with its line. What is written is safe for LaTeX, with capitals protected and stable keys.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.model.drafts import Batch, Draft, Failure, filled, link, unique, year_of
from awesome_cli.model.identifiers import given
from awesome_cli.model.publication_types import kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.model.references import identifiers
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names
from awesome_cli.text.latex import to_latex, to_unicode

CONTAINERS = ("journal", "journaltitle", "booktitle", "howpublished", "school", "institution", "series")
CITATION = ("volume", "number", "publisher", "month")
PUBLISHED = ("month", "volume", "number", "pages", "publisher", "note")
READ = {"title", "author", "editor", "year", "date", "pages", "note", "keywords", "url", "doi", "eprint", "isbn"}
READ |= {"archiveprefix", "eprinttype", "acl", "openreview", *CITATION}
START = re.compile(r"^\s*@\w+\s*[{(]", re.MULTILINE)
FORBIDDEN = re.compile(r"[\s\"#%'(),={}~\\]")
"""What may not stand in a citation key."""
MONTHS = frozenset(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
"""Names that every bibliography style defines; they stand without braces."""


def read(text: str, name: str, _options: object = None) -> Batch:
    """The entries of a BibTeX text; `name` is that of the file (`refs.bib`), which places begin with."""
    import bibtexparser
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock

    # The library also logs the failed blocks, which are reported below.
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for found in bibtexparser.parse_string(text).blocks:
        block: Any = found
        place = f"{name}:{(block.start_line or 0) + 1}"
        warnings: tuple[str, ...] = ()
        enclosed = False
        if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
            warnings = (str(block.error).partition(". Note")[0].replace("Duplicate", "repeated").rstrip("."),)
            enclosed = True
            block = block.ignore_error_block  # the entry itself
        if isinstance(block, Entry):
            drafts.append(_draft(block, place, warnings, enclosed=enclosed))
        elif isinstance(block, ParsingFailedBlock):
            reason = " ".join(str(block.error).split()) or "not BibTeX"
            failures.append(Failure(place, reason, _key_in(block.raw)))
    return Batch(tuple(drafts), tuple(failures))


def _key_in(raw: str | None) -> str | None:
    """The key of an entry that could not be read, if its first line shows one."""
    key = (raw or "").partition("{")[2].partition(",")[0].strip()
    return key if key and len(key) < 100 and "\n" not in key else None


def _draft(entry: Any, place: str, warnings: tuple[str, ...], *, enclosed: bool) -> Draft:
    values: dict[str, str] = {}
    again: dict[str, list[str]] = {}
    for field in entry.fields:
        name, text = field.key.lower(), str(field.value)
        value = _bare(text) if enclosed else text.strip()
        if name in values and values[name] != value:
            again.setdefault(name, []).append(to_unicode(value))
        values.setdefault(name, value)
    key = entry.key.strip()
    if not key:
        warnings += ("the entry has no key",)
    fields = filled(_fields(entry.entry_type, key, values))
    extra = {**_extra(fields, values), **{f"{name}_again": value for name, value in again.items()}}
    keywords = tuple(word.strip() for word in values.get("keywords", "").replace(";", ",").split(",") if word.strip())
    return Draft(filled({**fields, "extra": extra}), place, key or None, keywords, warnings)


def _fields(kind: str, key: str, values: Mapping[str, str]) -> dict[str, Any]:
    plain = {name: " ".join(to_unicode(value).split()) for name, value in values.items()}
    container = next((plain[name] for name in CONTAINERS if plain.get(name)), None)
    is_arxiv = values.get("archiveprefix", values.get("eprinttype", "")).casefold() == "arxiv"
    eprint = values.get("eprint") if is_arxiv or "." in values.get("eprint", "") else None
    url = values.get("url", "").removeprefix("\\url{").removesuffix("}")
    ids = identifiers([url], arxiv=eprint, **{name: values.get(name) for name in ("doi", "acl", "openreview")})
    return {
        "title": plain.get("title"),
        "authors": names.listed(_authors(values.get("author") or values.get("editor") or "")),
        "year": year_of(values.get("year") or values.get("date")),
        "venue": container,
        "identifiers": {**ids, "isbn": given(values.get("isbn"))},
        "links": [link("Paper", url)] if url.startswith(("http://", "https://")) else [],
        "citation": {
            "key": key,
            "type": kind.lower(),
            "container": container,
            "pages": values.get("pages"),
            "note": plain.get("note"),
            **{name: plain.get(name) for name in CITATION},
        },
    }


def _extra(fields: Mapping[str, Any], values: Mapping[str, str]) -> Mapping[str, str]:
    """The fields of the entry that the record does not hold, or holds with another value."""
    ids = fields.get("identifiers", {})
    lost = set() if "arxiv" in ids else {"eprint", "archiveprefix", "eprinttype"}
    lost |= set() if ids.keys() & {"arxiv", "doi"} else {"doi"}
    lost |= set() if fields.get("links") else {"url"}
    lost |= {"editor"} if values.get("author") else set()
    lost |= {name for name in ("year", "date") if values.get(name, "").strip() != str(fields.get("year"))}
    held = (READ | {next((name for name in CONTAINERS if values.get(name)), "")}) - lost
    return {name: to_unicode(value) for name, value in values.items() if name not in held}


def _bare(value: str) -> str:
    """A value without the braces or quotes around it, which the library leaves on an entry with a repeated key."""
    value = value.strip()
    closing = {"{": "}", '"': '"'}.get(value[:1])
    return value[1:-1].strip() if closing and len(value) > 1 and value.endswith(closing) else value


def _authors(text: str) -> Iterator[str]:
    """Authors as `Last, First`; a name that is braced as a whole is a corporate author."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for name in unique(split_multiple_persons_names(text)):
        name = name.strip()  # noqa: PLW2901
        if name.startswith("{") and name.find("}") == len(name) - 1:
            yield to_unicode(name)
            continue
        try:
            parts = parse_single_name_into_parts(name, strict=False)
        except Exception:  # noqa: BLE001 - a name that cannot be parsed is kept as it was written
            yield to_unicode(name)
            continue
        family = to_unicode(" ".join([*parts.von, *parts.last]))
        given = to_unicode(" ".join([*parts.first, *parts.jr]))
        yield f"{family}, {given}" if given else family


def write(corpus: Corpus) -> str:
    """The papers as a BibTeX file in their order; where a citation key repeats, the record's key takes its place."""
    import bibtexparser
    from bibtexparser.model import Entry, Field

    library = bibtexparser.Library()
    keys = citation_keys(corpus.papers)
    for paper in corpus.papers:
        fields = [Field(name, value if value in MONTHS else f"{{{value}}}") for name, value in _values(paper)]
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


def _values(paper: Paper) -> Iterator[tuple[str, str]]:
    """The fields with a value, in LaTeX, in the order in which people read them."""
    citation, ids = paper.citation or Citation(), paper.identifiers
    published = {name: getattr(citation, name) or "" for name in PUBLISHED}
    fields = {
        "author": " and ".join(map(_author, paper.authors)),
        "title": to_latex(paper.title, protect=True),
        kind_of(paper).container: to_latex(citation.container or paper.venue or ""),
        "year": str(paper.year or ""),
        **{name: to_latex(value).replace("{\\textendash}", "--") for name, value in published.items()},
        "eprint": _plain(ids.arxiv or ""),
        "archiveprefix": "arXiv" if ids.arxiv else "",
        "doi": _plain(ids.doi or ""),
        "isbn": _plain(ids.isbn or ""),
        "url": _plain(paper.address or ""),
    }
    return ((name, value) for name, value in fields.items() if value)


def _author(author: str) -> str:
    """An author for BibTeX, which takes a name without a comma for `First Last`: a corporate one is braced."""
    if author == names.OTHERS:
        return author
    return to_latex(author) if names.split(author)[1] else "{" + to_latex(author) + "}"


def _plain(identifier: str) -> str:
    """An identifier or address: nothing in it is LaTeX, but braces would end the field."""
    return identifier.replace("{", "%7B").replace("}", "%7D")


KEPT = {
    "title",
    "authors",
    "year",
    "citation.key",
    "citation.container",
    "citation.volume",
    "citation.pages",
    "identifiers.arxiv",
    "identifiers.doi",
    "identifiers.isbn",
}
EXPORT = ExportFormat("papers.bib", "BibTeX, for LaTeX and reference managers", write, frozenset(KEPT))
IMPORT = ImportFormat(("bib", "bibtex"), lambda start: bool(START.search(start)), read)
