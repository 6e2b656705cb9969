"""PubMed's format (`.nbib`, MEDLINE), import only.

`FAU - Bean, Ada` becomes the author `Bean, Ada`; `DP  - 2024 May` the year 2024 and the month `may`.
"""

import re
from collections.abc import Mapping
from typing import Any

from awesome_cli.formats import ImportFormat
from awesome_cli.formats.people import AND, PMID
from awesome_cli.formats.rows import collect
from awesome_cli.formats.tagged import Lines, TaggedValues, split, values
from awesome_cli.model.drafts import Batch, Draft, filled, year_of
from awesome_cli.model.identifiers import identifiers
from awesome_cli.model.publication import MONTHS
from awesome_cli.text import names

LINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,3}-(?: +(.*)|$)")
NAMES: Mapping[str, str] = {"AB": "abstract", "IS": "issn", "LA": "language", "PL": "address", "PT": "publication_type"}
"""Names of tags under `extra`; other tags are used as names."""
DOI = re.compile(r"(\S+) \[doi\]")
SHORT = re.compile(r" (?=[A-Z]{1,4}(?: (?:Jr|Sr|2nd|3rd))?$)")
RANGE = re.compile(r"(?<!\d)(\d+)-(\d+)")
"""A range of pages, whose end may be cut: `1539-47` becomes `1539-1547`."""


def read(text: str, name: str, _options: object = None) -> Batch:
    """Read PubMed's format; `name` is the file name for positions (`a.nbib:12`)."""
    records = split(map(_tagged, text.lstrip("\ufeff").splitlines()), "PMID")
    return collect(((f"{name}:{line}", lines) for line, lines in records), draft)


def _tagged(line: str) -> tuple[str | None, str]:
    match = None if line.startswith(" ") else LINE.match(line)
    return (match[1], match[2] or "") if match else (None, line)


def draft(lines: Lines, place: str) -> Draft:
    """Convert a record to a draft; raises `ValueError` if the title is missing."""
    # Full names (FAU) and groups (CN) are in author order; short names (AU) repeat the full ones.
    full = "FAU" if any(tag == "FAU" for tag, _ in lines) else "AU"
    # The short name `Smith JA` becomes `Smith, JA`.
    pairs = ((tag, SHORT.sub(", ", value) if tag == full == "AU" else value) for tag, value in lines)
    tagged = values(("AUTHORS" if tag in {full, "CN"} else tag, value) for tag, value in pairs)
    title = tagged.take("TI", "BTI", "TT")
    if not title:
        raise ValueError("the record has no title")
    authors, editors = tagged.take_all("AUTHORS"), tagged.take_all("FED") or tagged.take_all("ED")
    if full == "FAU":
        tagged.take_all("AU")
    number = tagged.take("PMID")
    fields = {
        "title": title if title.endswith("..") else title.removesuffix("."),
        "authors": names.listed(authors or editors),
        **_published(tagged),
        "affiliation": tagged.take("AD"),
        "identifiers": {**_identifiers(tagged), "other": f"{PMID}{number}" if number else None},
    }
    keywords = (*tagged.take_all("OT"), *tagged.take_all("MH"))
    extra = {"abstract": tagged.take("AB"), "editor": AND.join(names.listed(editors)), **tagged.left(NAMES)}
    return Draft(filled({**fields, "extra": extra}), place, number or None, keywords)


def _published(tagged: TaggedValues) -> dict[str, Any]:
    year, month = _date(tagged)
    in_journal = "JT" in tagged.values or "TA" in tagged.values
    of_book = "book" if tagged.holds("BTI") else "incollection" if "BTI" in tagged.values else None
    container = tagged.take("JT", "CTI" if tagged.holds("BTI") else "BTI", "TA")
    citation = {
        "type": "article" if in_journal else of_book,
        "container": container,
        "volume": tagged.take("VI"),
        "number": tagged.take("IP"),
        "pages": RANGE.sub(lambda m: f"{m[1]}-{m[1][: max(len(m[1]) - len(m[2]), 0)]}{m[2]}", tagged.take("PG")),
        "publisher": tagged.take("PB"),
        "month": month,
    }
    return {"year": year, "venue": container, "citation": citation}


def _date(tagged: TaggedValues) -> tuple[int | None, str | None]:
    """Return `(year, month)` of `2009 May 12` or `2009 May-Jun`; a date with a day is also kept under `extra`."""
    date = next(iter(tagged.values.get("DP", ())), "")
    year, month, *day = [*date.split(" ", 2), "", ""][:3]
    if not day[0]:
        tagged.take("DP")
    return year_of(year), month.casefold() if month.casefold() in MONTHS else month or None


def _identifiers(tagged: TaggedValues) -> dict[str, Any]:
    texts = [(tag, text) for tag in ("AID", "LID") for text in tagged.values.get(tag, [])]
    dois = [(tag, text, doi[1]) for tag, text in texts if (doi := DOI.fullmatch(text))]
    ids = identifiers(doi=dois[0][2]) if dois else {}
    for tag, text, name in dois:
        if identifiers(doi=name) == ids:
            tagged.hold(tag, [text])
    if number := tagged.isbn("ISBN"):
        ids["isbn"] = number
    return ids


IMPORT = ImportFormat(("nbib",), lambda start: bool(re.match(r"PMID {0,3}- *\d", start)), read)
