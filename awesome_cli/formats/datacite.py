"""Read DataCite's records of works, from the DataCite service or a file.

`{"titles": [{"title": "Tea"}], "creators": [{"name": "Bean, Ada"}], "doi": "10.1000/x"}` becomes title, authors, DOI.
"""

from collections.abc import Mapping
from typing import Any

from awesome_cli.formats import people
from awesome_cli.model.drafts import Draft, Fields, filled, link, year_of
from awesome_cli.model.identifiers import SCHEMES
from awesome_cli.text import names
from awesome_cli.text.html import unmarked

READ = {"titles", "creators", "publicationYear", "doi", "publisher", "container", "types", "subjects", "url", "id"}


def is_record(value: Mapping[str, Any]) -> bool:
    """True if a mapping looks like the attributes of a DataCite record."""
    return isinstance(value.get("titles"), list) and isinstance(value.get("creators"), list) and "doi" in value


def fields_of(attributes: Mapping[str, Any]) -> Fields:
    """Return the fields of a DataCite record; raises `ValueError` if the title is missing."""
    titles = attributes.get("titles") or []
    title = next((t["title"] for t in titles if isinstance(t, dict) and t.get("title")), None)
    if title is None:
        raise ValueError("the record has no title")
    publisher = attributes.get("publisher")
    publisher = publisher.get("name") if isinstance(publisher, dict) else publisher
    container = attributes.get("container")
    container = container.get("title") if isinstance(container, dict) else None
    kinds = attributes.get("types")
    fields = {
        "title": " ".join(str(title).split()),
        "authors": names.listed(people.of_mapping(c) for c in attributes.get("creators") or [] if isinstance(c, dict)),
        "year": year_of(attributes.get("publicationYear")),
        "venue": container or publisher,
        "identifiers": {"doi": attributes["doi"]},
        "links": [link("Paper", SCHEMES["doi"].address + attributes["doi"])],
        "citation": {
            "type": kinds.get("bibtex", "misc") if isinstance(kinds, dict) else "misc",
            "container": container,
            "publisher": publisher,
        },
    }
    return filled(fields)


def draft(attributes: Mapping[str, Any], place: str) -> Draft:
    """Convert a record from a file to a draft, with all its values; raises `ValueError` if the title is missing."""
    abouts = [a for a in attributes.get("descriptions") or [] if isinstance(a, dict)]
    abstract = next((str(a.get("description")) for a in abouts if a.get("descriptionType") == "Abstract"), "")
    extra = {name: value for name, value in attributes.items() if name not in READ}
    subjects = [s.get("subject") for s in attributes.get("subjects") or [] if isinstance(s, dict)]
    fields = {**fields_of(attributes), "extra": filled({"abstract": unmarked(abstract), **extra})}
    return Draft(fields, place, None, tuple(str(subject) for subject in subjects if subject))
