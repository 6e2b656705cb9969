"""Read DataCite's records of works, from the DataCite service or a file.

`{"titles": [{"title": "Tea"}], "creators": [{"name": "Bean, Ada"}], "doi": "10.1000/x"}` becomes title, authors, DOI.
"""

from collections.abc import Mapping
from typing import Any

from awesome_cli.formats import cells, people
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
    title = next((text for t in cells.mappings(attributes.get("titles")) if (text := cells.line(t.get("title")))), None)
    if title is None:
        raise ValueError("the record has no title")
    publisher = attributes.get("publisher")
    publisher = cells.line(publisher.get("name") if isinstance(publisher, Mapping) else publisher)
    container = cells.line(cells.at(attributes, "container", "title"))
    fields = {
        "title": title,
        "authors": names.listed(map(people.of_mapping, cells.mappings(attributes.get("creators")))),
        "year": year_of(attributes.get("publicationYear")),
        "venue": container or publisher,
        "identifiers": {"doi": attributes["doi"]},
        "links": [link("Paper", SCHEMES["doi"].address + attributes["doi"])],
        "citation": {
            "type": cells.line(cells.at(attributes, "types", "bibtex")) or "misc",
            "container": container,
            "publisher": publisher,
        },
    }
    return filled(fields)


def draft(attributes: Mapping[str, Any], place: str) -> Draft:
    """Convert a record from a file to a draft, with all its values; raises `ValueError` if the title is missing."""
    abouts = cells.mappings(attributes.get("descriptions"))
    abstract = next((cells.line(a.get("description")) for a in abouts if a.get("descriptionType") == "Abstract"), "")
    extra = {name: value for name, value in attributes.items() if name not in READ}
    subjects = (cells.line(s.get("subject")) for s in cells.mappings(attributes.get("subjects")))
    fields = {**fields_of(attributes), "extra": filled({"abstract": unmarked(abstract), **extra})}
    return Draft(fields, place, None, tuple(filter(None, subjects)))
