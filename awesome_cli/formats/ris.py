"""RIS, read by rispy, which by itself takes a corrupt file for an empty one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.model.drafts import Batch, Draft, Failure, filled, link, unique, year_of
from awesome_cli.model.publication_types import KINDS
from awesome_cli.model.references import identifiers
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


def read(text: str, name: str) -> Batch:
    """The references of a RIS text; each is read by itself, so that a broken one stops nobody else."""
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for line, block in _blocks(text):
        place = f"{name}:{line}"
        try:
            drafts.append(_draft(_reference(block), place))
        except ValueError as error:
            failures.append(Failure(place, str(error)))
    return Batch(tuple(drafts), tuple(failures))


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
    """Whether only types were named so far; some exporters write several."""
    return all(line.startswith("TY") for line in lines if line.strip())


def _reference(block: str) -> Mapping[str, Any]:
    """One reference by rispy's names; raises `ValueError` where the block is none."""
    import rispy

    lines = block.splitlines()
    if not lines[0].startswith("TY"):
        raise ValueError("a reference begins with 'TY  - '")
    if not lines[-1].startswith("ER"):
        lines.append("ER  - ")
    # Only the last of several types counts; rispy would begin a reference with each.
    types = [line for line in lines if line.startswith("TY")]
    body = [types[-1], *(line for line in lines if not line.startswith("TY"))]
    source = "\n".join(body) + "\n"
    try:
        found = rispy.loads(source, enforce_list_tags=False)
    except TypeError:
        # A value that goes on in the next line cannot be joined to a list; the standard's own lists it is, then.
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
    """What of a tag's values has no field: all, or those behind the first where the field holds one."""
    left = found if name not in taken else [] if name in MANY else found[1:]
    return left[0] if len(left) == 1 else left


def _people(authors: list[str]) -> list[str]:
    """Authors as `Last, First`; where none is written so, the file gives first names first."""
    return authors if any("," in author for author in authors) else list(map(names.inverted, authors))
