"""Read OpenAlex's records of works, from the OpenAlex service or a file.

`{"display_name": "On Tea", "authorships": [{"author": {"display_name": "Ada Bean"}}]}` becomes title and author.
"""

from collections.abc import Mapping
from typing import Any

from awesome_cli.formats.cells import at, line, mappings
from awesome_cli.formats.people import PMID
from awesome_cli.model.drafts import Draft, Fields, filled, link, year_of
from awesome_cli.model.identifiers import SCHEMES, identifiers
from awesome_cli.text import names
from awesome_cli.text.html import unmarked

TYPES: Mapping[str, str] = {
    "article": "article", "review": "article", "letter": "article", "book": "book", "book-chapter": "incollection",
    "dissertation": "phdthesis", "report": "techreport", "preprint": "unpublished",
}  # fmt: skip
"""BibTeX entry types, by OpenAlex type."""
READ = {"id", "doi", "ids", "title", "display_name", "publication_year", "type", "authorships", "host_venue", "biblio"}
READ |= {"primary_location", "abstract_inverted_index", "keywords"}
MOST_WORDS = 10_000
"""Maximum number of words of an abstract."""


def is_record(value: Mapping[str, Any]) -> bool:
    """True if a mapping looks like a work of OpenAlex, perhaps with only some of its fields."""
    is_work = line(value.get("id")).startswith("https://openalex.org/W")
    return is_work or "authorships" in value or at(value, "open_access", "oa_status") is not None


def fields_of(work: Mapping[str, Any]) -> Fields:
    """Return the fields of a work; raises `ValueError` if the title is missing."""
    title = unmarked(line(work.get("title") or work.get("display_name")))
    if not title:
        raise ValueError("the work has no title")
    first = work.get("primary_location") or work.get("host_venue")
    source = at(first, "source") or first
    pages = [line(at(place, "landing_page_url")) for place in (first, *mappings(work.get("locations")))]
    ids = identifiers(pages, doi=line(work.get("doi") or at(work, "ids", "doi")))
    addresses = (SCHEMES[scheme].address + str(ids[scheme]) for scheme in ("doi", "arxiv") if scheme in ids)
    number = line(at(work, "ids", "pmid")).rpartition("/")[2]
    venue = line(at(source, "display_name") or at(first, "raw_source_name"))
    kind, key, biblio = line(work.get("type")), line(work.get("id")), work.get("biblio")
    in_proceedings = (kind, at(source, "type")) == ("article", "conference")
    ends = (line(at(biblio, "first_page")), line(at(biblio, "last_page")))
    fields = {
        "title": title,
        "authors": names.listed(map(_author, mappings(work.get("authorships")))),
        "year": year_of(work.get("publication_year")) or year_of(work.get("publication_date")),
        "venue": venue,
        "affiliation": _affiliation(work),
        "identifiers": ids | ({"other": PMID + number} if number else {}) or {"other": key},
        "links": [link("Paper", page) for page in [next(addresses, key)] if page],
        "citation": {
            "type": "inproceedings" if in_proceedings else TYPES.get(kind, "misc"),
            "container": venue,
            "volume": line(at(biblio, "volume")),
            "number": line(at(biblio, "issue")),
            "pages": "--".join(dict.fromkeys(filter(None, ends))),
        },
    }
    return filled(fields)


def _author(authorship: Mapping[str, Any]) -> str:
    return names.inverted(line(at(authorship, "author", "display_name") or authorship.get("raw_author_name")))


def _affiliation(work: Mapping[str, Any]) -> str:
    """Return the first institution of the first author."""
    places = (mappings(author.get("institutions")) for author in mappings(work.get("authorships"))[:1])
    return next((line(place.get("display_name")) for first in places for place in first), "")


def abstract_of(index: Any) -> str:
    """Return the abstract, rebuilt from OpenAlex's index of each word's positions."""
    entries = index.items() if isinstance(index, Mapping) else ()
    places = [(n, word) for word, found in entries if isinstance(found, list) for n in found if isinstance(n, int)]
    return " ".join(word for _, word in sorted(places)[:MOST_WORDS])


def draft(work: Mapping[str, Any], place: str) -> Draft:
    """Convert a work from a file to a draft; further fields are in `extra`. Raises `ValueError` without a title."""
    extra = {"abstract": abstract_of(work.get("abstract_inverted_index"))}
    extra |= {name: value for name, value in work.items() if name not in READ}
    fields = {**fields_of(work), "extra": filled(extra)}
    words = (line(word.get("display_name")) for word in mappings(work.get("keywords")))
    return Draft(fields, place, None, tuple(filter(None, words)))
