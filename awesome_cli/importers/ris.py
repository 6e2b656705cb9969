"""RIS, read by rispy, which by itself takes a corrupt file for an empty one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli import names
from awesome_cli.importers.draft import Batch, Draft, Failure, filled, link, unique, year_of
from awesome_cli.importers.references import identifiers
from awesome_cli.kinds import KINDS

LINE = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: |$)")
TYPES = {kind.ris: kind.bibtex for kind in reversed(list(KINDS.values()))} | {
    "CONF": "inproceedings",
    "MGZN": "article",
}
TITLES = ("title", "primary_title", "short_title")
CONTAINERS = ("secondary_title", "journal_name", "alternate_title3", "alternate_title1")
AUTHORS = ("authors", "first_authors")
YEARS = ("year", "publication_year", "date")
READ = {"type_of_reference", "id", "doi", "urls", "keywords", "volume", "number", "start_page", "end_page", "publisher"}
READ |= {"author_address", *AUTHORS}


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
        raise ValueError("the reference is not closed by 'ER  - '")
    # Only the last of several types counts; rispy would begin a reference with each.
    types = [line for line in lines if line.startswith("TY")]
    body = [types[-1], *(line for line in lines if not line.startswith("TY"))]
    found = rispy.loads("\n".join(body) + "\n")
    if len(found) != 1:
        raise ValueError("not a RIS reference")
    return dict(found[0])


def _draft(reference: Mapping[str, Any], place: str) -> Draft:
    title_at = next((name for name in TITLES if reference.get(name)), None)
    if title_at is None:
        raise ValueError("the reference has no title")
    container_at = next((name for name in CONTAINERS if reference.get(name)), None)
    year_at = next((name for name in YEARS if reference.get(name)), None)
    urls = [url for url in reference.get("urls", []) if url.startswith(("http://", "https://"))]
    number = str(reference.get("accession_number", ""))
    ids = identifiers([number, *urls], doi=reference.get("doi"))
    container = reference.get(container_at) if container_at else None
    pages = "--".join(filter(None, (reference.get("start_page"), reference.get("end_page"))))
    fields = {
        "title": reference[title_at],
        "authors": names.listed(unique([name for at in AUTHORS for name in reference.get(at, [])])),
        "year": year_of(reference.get(year_at)) if year_at else None,
        "venue": container,
        "affiliation": reference.get("author_address"),
        "identifiers": ids,
        "links": [link("Paper", url) for url in urls],
        "citation": {
            "key": reference.get("id"),
            "type": TYPES.get(str(reference.get("type_of_reference", "")).strip(), "misc"),
            "container": container,
            "volume": reference.get("volume"),
            "number": reference.get("number"),
            "pages": pages,
            "publisher": reference.get("publisher"),
        },
    }
    read = READ | {title_at, container_at, year_at} | ({"accession_number"} if "arxiv" in ids else set())
    extra = {name: value for name, value in reference.items() if name not in read}
    if reference.get("doi") and "doi" not in ids and "arxiv" not in ids:
        extra["doi"] = reference["doi"]
    keywords = tuple(reference.get("keywords", ()))
    return Draft(filled({**fields, "extra": extra}), place, reference.get("id"), keywords)
