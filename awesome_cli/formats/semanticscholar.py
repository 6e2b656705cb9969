"""Read Semantic Scholar's records of papers from a file.

`{"paperId": "1", "title": "On Tea", "externalIds": {"DOI": "10.1000/x"}, "journal": {"name": "Tea"}}` becomes title,
DOI and venue.
"""

from collections.abc import Mapping
from typing import Any

from awesome_cli.formats import people
from awesome_cli.formats.cells import at, line, mappings
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import identifiers
from awesome_cli.text import names
from awesome_cli.text.html import unmarked

SCHEMES = {"DOI": "doi", "ArXiv": "arxiv", "ACL": "acl"}
"""Schemes of identifiers, by their names in `externalIds`."""
TYPES = {"BookSection": "incollection", "Book": "book", "Conference": "inproceedings", "JournalArticle": "article"}
"""BibTeX entry types, by publication type; the first that a paper has counts."""
READ = {"title", "authors", "year", "venue", "abstract", "url", "publicationTypes", "journal", "tldr"}


def is_record(value: Mapping[str, Any]) -> bool:
    """True if a mapping looks like a paper of Semantic Scholar, perhaps with only some of its fields."""
    return "paperId" in value or "externalIds" in value


def draft(paper: Mapping[str, Any], place: str) -> Draft:
    """Convert a paper to a draft; further fields are in `extra`. Raises `ValueError` without a title."""
    title = unmarked(line(paper.get("title")))
    if not title:
        raise ValueError("the paper has no title")
    named = {scheme: line(at(paper, "externalIds", name)) for name, scheme in SCHEMES.items()}
    number = line(at(paper, "externalIds", "PubMed"))
    journal = line(at(paper, "journal", "name"))
    venue = line(paper.get("venue")) or line(at(paper, "publicationVenue", "name")) or journal
    kinds = line(paper.get("publicationTypes")).split("; ")
    url, pdf = line(paper.get("url")), line(at(paper, "openAccessPdf", "url"))
    fields = {
        "title": title,
        "authors": names.listed(map(people.of_mapping, mappings(paper.get("authors")))),
        "year": year_of(paper.get("year")) or year_of(paper.get("publicationDate")),
        "venue": venue,
        "identifiers": identifiers(**named) | ({"other": people.PMID + number} if number else {}),
        "links": [link(label, page) for label, page in (("Paper", url), ("PDF", pdf)) if page],
        "citation": {
            "type": next((kind for name, kind in TYPES.items() if name in kinds), "article" if journal else "misc"),
            "container": journal or venue,
            "volume": line(at(paper, "journal", "volume")),
            "pages": line(at(paper, "journal", "pages")),
        },
        "summary": line(at(paper, "tldr", "text")),
    }
    extra = {name: value for name, value in paper.items() if name not in READ}
    further = at(paper, "externalIds") or {}
    extra["externalIds"] = {name: number for name, number in further.items() if name not in {*SCHEMES, "PubMed"}}
    return Draft(filled({**fields, "extra": {"abstract": line(paper.get("abstract")), **extra}}), place)
