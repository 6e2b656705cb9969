"""RIS, with rispy: each reference is read by itself, since rispy alone takes a corrupt file for an empty one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.formats.entries import collect
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Batch, Draft, filled, link, unique, year_of
from awesome_cli.model.publication_types import KINDS, kind_of
from awesome_cli.model.records import Citation, Paper
from awesome_cli.model.references import identifiers
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text import names

LINE = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: |$)")
TYPES = {kind.ris: kind.bibtex for kind in KINDS.values()}
TYPES |= {"CONF": "inproceedings", "MGZN": "article", "THES": "phdthesis"}
TITLES = ("title", "primary_title", "short_title")
CONTAINERS = ("secondary_title", "journal_name", "alternate_title3", "alternate_title1")
AUTHORS = ("authors", "first_authors")
YEARS = ("year", "publication_year", "date")
READ = {"type_of_reference", "id", "doi", "urls", "keywords", "volume", "number", "start_page", "end_page", "publisher"}
READ |= {"author_address", "accession_number", *AUTHORS}
MANY = {"urls", "keywords", *AUTHORS}


def read(text: str, name: str, _options: object = None) -> Batch:
    """The references of a RIS text; each is read by itself, so that a broken one does not stop the others."""
    blocks = ((f"{name}:{line}", block) for line, block in _blocks(text))
    return collect(blocks, lambda block, place: _draft(_reference(block), place))


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """`(line, text)` of each reference: from one `TY` to the `ER` behind it, or to the next `TY`."""
    start, lines = 0, list[str]()
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        tag = found[1] if (found := LINE.match(line)) else None
        if tag == "TY" and any(map(str.strip, lines)) and not _is_type_only(lines):
            yield start, "\n".join(lines)
            lines = []
        if tag or lines:
            start = start if lines else number
            lines.append(line)
        if tag == "ER":
            yield start, "\n".join(lines)
            lines = []
    if any(LINE.match(line) for line in lines):
        yield start, "\n".join(lines)


def _is_type_only(lines: list[str]) -> bool:
    """Whether the lines hold nothing but types, of which some programs write several."""
    return all(line.startswith("TY") for line in lines if line.strip())


def _reference(block: str) -> Mapping[str, Any]:
    """One reference by rispy's names; raises `ValueError` for another block."""
    import rispy

    lines = block.splitlines()
    if not lines[0].startswith("TY"):
        raise ValueError("a reference begins with 'TY  - '")
    if not lines[-1].startswith("ER"):
        lines.append("ER  - ")
    # Of several types only the last counts; rispy would begin a new reference at each.
    types = [line for line in lines if line.startswith("TY")]
    body = [types[-1], *(line for line in lines if not line.startswith("TY"))]
    source = "\n".join(body) + "\n"
    try:
        found = rispy.loads(source, enforce_list_tags=False)
    except TypeError:
        # rispy cannot join a value that continues on the next line to a list; then only RIS's list tags are lists.
        found = rispy.loads(source)
    if len(found) != 1:
        raise ValueError("not a RIS reference")
    return dict(found[0])


def _draft(reference: Mapping[str, Any], place: str) -> Draft:
    values = {name: _texts(value) for name, value in reference.items()}
    title_at, container_at, year_at = (
        next((name for name in wanted if values.get(name)), "") for wanted in (TITLES, CONTAINERS, YEARS)
    )
    if not title_at:
        raise ValueError("the reference has no title")

    def first(name: str) -> str:
        return next(iter(values.get(name, ())), "")

    urls = [url for url in values.get("urls", ()) if url.startswith(("http://", "https://"))]
    ids = identifiers([first("accession_number"), *urls], doi=first("doi"))
    fields = {
        "title": first(title_at),
        "authors": names.listed(_people(unique([name for at in AUTHORS for name in values.get(at, ())]))),
        "year": year_of(first(year_at)),
        "venue": first(container_at),
        "affiliation": first("author_address"),
        "identifiers": ids,
        "links": [link("Paper", url) for url in urls],
        "citation": {
            "key": first("id"),
            "type": TYPES.get(first("type_of_reference"), "misc"),
            "container": first(container_at),
            "pages": "--".join(filter(None, (first("start_page"), first("end_page")))),
            **{name: first(name) for name in ("volume", "number", "publisher")},
        },
    }
    known = {"doi": bool(ids), "accession_number": "arxiv" in ids}
    taken = {name for name in READ | {title_at, container_at, year_at} if known.get(name, True)}
    extra = {name: left for name, found in values.items() if (left := _left(name, found, taken))}
    keywords = tuple(values.get("keywords", ()))
    return Draft(filled({**fields, "extra": extra}), place, first("id") or None, keywords)


def _texts(value: Any) -> list[str]:
    """The values of a tag, which may stand several times, each on one line."""
    values = value if isinstance(value, list) else [value]
    return [text for entry in values if (text := " ".join(str(entry).split()))]


def _left(name: str, found: list[str], taken: set[str]) -> str | list[str]:
    """The values of a tag that no field holds: all, none, or those after the first."""
    left = found if name not in taken else [] if name in MANY else found[1:]
    return left[0] if len(left) == 1 else left


def _people(authors: list[str]) -> list[str]:
    """Authors as `Last, First`; if no name has a comma, the file writes first names first."""
    return authors if any("," in author for author in authors) else list(map(names.inverted, authors))


def write(corpus: Corpus) -> str:
    """The papers as RIS; tags are keywords of the form `axis=term:strength`."""
    import rispy

    # By default rispy writes a number before each reference, which is not part of RIS.
    writer = type("Writer", (rispy.RisWriter,), {"set_header": lambda _self, _count: ""})
    return str(rispy.dumps([_tags(paper) for paper in corpus.papers], implementation=writer))


def _tags(paper: Paper) -> dict[str, Any]:
    citation, ids = paper.citation or Citation(), paper.identifiers
    first, _, last = (citation.pages or "").replace("--", "-").partition("-")
    reference = {
        "type_of_reference": kind_of(paper).ris,
        "id": citation.key or paper.key,
        "title": paper.title,
        "authors": [names.marked(author) for author in paper.authors if author != names.OTHERS],
        "year": paper.year,
        "secondary_title": citation.container or paper.venue,
        "volume": citation.volume,
        "number": citation.number,
        "start_page": first,
        "end_page": last,
        "publisher": citation.publisher,
        "author_address": paper.affiliation,
        "doi": ids.doi,
        "accession_number": f"arXiv:{ids.arxiv}" if ids.arxiv else None,
        "notes": [paper.summary] if paper.summary else None,
        "keywords": [on_axis(axis, tag) for axis, tags in paper.tags.items() for tag in tags],
        "urls": [link.url for link in paper.links],
    }
    return {name: _line(value) for name, value in reference.items() if value}


def _line(value: Any) -> Any:
    """A value on one line, since in RIS a new line begins another tag."""
    if isinstance(value, list):
        return [_line(part) for part in value]
    return " ".join(str(value).split())


KEPT = {"title", "year", "affiliation", "identifiers.arxiv", "identifiers.doi", "links.url"}
EXPORT = ExportFormat("papers.ris", "RIS, for screening tools", write, frozenset(KEPT))
IMPORT = ImportFormat(("ris",), lambda start: bool(LINE.match(start)), read)
