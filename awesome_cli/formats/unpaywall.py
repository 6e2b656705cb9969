"""Read Unpaywall's records of works from a file.

`{"title": "On Tea", "z_authors": [{"raw_author_name": "Ada Bean"}], "journal_name": "Tea"}` becomes title, author and
venue.
"""

from collections.abc import Mapping
from typing import Any

from awesome_cli.formats import people
from awesome_cli.formats.cells import at, line, mappings
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import SCHEMES, identifiers
from awesome_cli.model.publication import CROSSREF
from awesome_cli.text import names
from awesome_cli.text.html import unmarked

READ = {"title", "z_authors", "year", "journal_name", "doi", "doi_url", "genre", "publisher"}


def is_record(value: Mapping[str, Any]) -> bool:
    """True if a mapping looks like a work of Unpaywall."""
    return "doi" in value and bool({"z_authors", "oa_locations", "doi_url"} & value.keys())


def draft(work: Mapping[str, Any], place: str) -> Draft:
    """Convert a work to a draft; further fields are in `extra`. Raises `ValueError` without a title."""
    title = unmarked(line(work.get("title")))
    if not title:
        raise ValueError("the work has no title")
    ids = identifiers(doi=line(work.get("doi")))
    pages = {"Paper": SCHEMES["doi"].address + ids["doi"] if "doi" in ids else line(work.get("doi_url"))}
    pages["PDF"] = line(at(work, "best_oa_location", "url_for_pdf"))
    journal = line(work.get("journal_name"))
    fields = {
        "title": title,
        "authors": names.listed(map(people.of_mapping, mappings(work.get("z_authors")))),
        "year": year_of(work.get("year")) or year_of(work.get("published_date")),
        "venue": journal,
        "identifiers": ids,
        "links": [link(label, page) for label, page in pages.items() if page],
        "citation": {
            "type": CROSSREF.get(line(work.get("genre")), "misc"),
            "container": journal,
            "publisher": line(work.get("publisher")),
        },
        "extra": {name: value for name, value in work.items() if name not in READ},
    }
    return Draft(filled(fields), place)
