"""A reference of RIS as the draft of a record: every value is held or stands under `extra`."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from awesome_cli.formats.extras import AND, PMID, doubts
from awesome_cli.formats.people import person
from awesome_cli.formats.ris.references import tag_names
from awesome_cli.formats.tagged import Lines, TaggedValues, isbn, values
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import identifiers, says
from awesome_cli.model.publication import KINDS, MONTHS, month_named
from awesome_cli.text import names

PEOPLE = {"AU", "A1", "A2", "ED"}
ALIASES = {"A1": "AU", "ED": "A2"}
TYPES = {kind.ris: kind.bibtex for kind in KINDS.values()} | {"THES": "phdthesis"}
LIKE = {"CONF": "inproceedings", "MGZN": "article", "NEWS": "article", "EJOUR": "article", "INPR": "article"}
LIKE |= {"ABST": "article", "ECHAP": "incollection", "EBOOK": "book", "EDBOOK": "book"}
"""Types that BibTeX does not tell from others."""
TITLES = ("TI", "T1", "CT", "ST")
CONTAINERS = ("JF", "BT", "T2", "JO", "T3", "JA", "J2", "J1")
DATES = ("PY", "Y1", "DA")
LINKS = {"UR": "Paper", "LK": "Paper", "L1": "PDF", "L2": "Full text"}
DIGITAL = re.compile(r"doi[:\s]+", re.IGNORECASE)
RANGE = re.compile(r"(\w+)\s*[-\N{EN DASH}]+\s*(\w+)")


def is_given_first(references: Iterable[Lines]) -> bool:
    """Whether a file writes first names first: no name in it has the comma of `Last, First`, as RIS asks for."""
    return not any("," in value for lines in references for tag, value in lines if tag in PEOPLE)


def draft(lines: Lines, place: str, *, given_first: bool) -> Draft:
    """The draft of a reference; raises `ValueError` for one without a type or a title."""
    if lines[0][0] != "TY":
        raise ValueError("a reference begins with 'TY  - '")
    tagged = values(((ALIASES.get(tag or "", tag), value) for tag, value in lines if tag != "ER"), {"KW"})
    kind = _kind(tagged)
    title = tagged.take(*TITLES, *("BT" if kind == "book" else "",))
    if not title:
        raise ValueError("the reference has no title")
    authors, editors = (
        [person(name) if given_first else name for name in tagged.take_all(tag)] for tag in ("AU", "A2")
    )
    key, keywords, ids = tagged.take("ID"), _keywords(tagged), _identifiers(tagged)
    fields = {
        "title": title,
        "authors": names.listed(authors or editors),
        "affiliation": tagged.take("AD"),
        "identifiers": ids,
        **_published(tagged),
        "links": list(_links(tagged)),
        "summary": tagged.take("RN"),
    }
    fields["citation"] |= {"key": key, "type": kind}
    extra = {"abstract": tagged.take("AB", "N2"), "editor": AND.join(names.listed(editors)), **tagged.left(tag_names())}
    warnings = doubts(extra, {**ids, "year": fields["year"]})
    return Draft(filled({**fields, "extra": extra}), place, key or None, keywords, warnings)


def _keywords(tagged: TaggedValues) -> tuple[str, ...]:
    """The keywords; if all stand in one line, semicolons part them."""
    words = tagged.take_all("KW")
    return tuple(word for text in words[0].split(";") if (word := text.strip())) if len(words) == 1 else tuple(words)


def _kind(tagged: TaggedValues) -> str:
    """The type in BibTeX's words. Of several the last counts; a finer one may stand in lower case as type of work."""
    types = tagged.found.get("TY", [""])
    raw = types[-1].upper()
    if raw in TYPES:
        tagged.hold("TY", types[-1:])
    own = tagged.found.get("M3", [""])[0]
    if re.fullmatch("[a-z]+", own) and own.isascii():
        return tagged.take("M3")
    return TYPES.get(raw) or LIKE.get(raw, "misc")


def _published(tagged: TaggedValues) -> dict[str, Any]:
    """Where and when the work appeared."""
    year, month = _date(tagged)
    venue = tagged.found.get("T2", [""])[0]
    container = tagged.take(*(tag for tag in CONTAINERS if not tagged.holds(tag)))
    tagged.hold("T2", [venue])
    citation = {
        "container": container,
        "pages": _pages(tagged),
        "month": month,
        "volume": tagged.take("VL"),
        "number": tagged.take("IS", "CP"),
        "publisher": tagged.take("PB"),
        "note": "" if tagged.holds("N1") else tagged.take("N1"),
    }
    return {"year": year, "venue": venue or container, "citation": citation}


def _date(tagged: TaggedValues) -> tuple[int | None, str | None]:
    """Year and month; a date that says more stays."""
    dates = [(tag, text) for tag in DATES for text in tagged.found.get(tag, [])]
    year, month = date_of([text for _, text in dates])
    number = f"{MONTHS.index(month) + 1:02}" if month in MONTHS else ""
    held = {"", *(f"{year or ''}{rest}" for rest in ("", f"/{number}", f"///{month}"))}
    for tag, text in dates:
        tagged.hold(tag, [text] if text.rstrip("/") in held else [])
    return year, month


def date_of(texts: Iterable[str]) -> tuple[int | None, str | None]:
    """The first year of some dates and its month, from `2009`, `2009/05/12/`, `2009-05` or `2009///Spring`."""
    year: int | None = None
    month: str | None = None
    for text in texts:
        parts = [*map(str.strip, re.split(r"[/-]", text, maxsplit=3)), "", "", ""]
        here = year_of(parts[0]) or year_of(text)
        year = year or here
        if here == year and not month:
            month = month_named(parts[1]) or ("" if parts[1] else parts[3]) or None
    return year, month


def _pages(tagged: TaggedValues) -> str:
    start, end = tagged.take("SP"), tagged.take("EP")
    found = RANGE.fullmatch(start) if not end else None
    return f"{found[1]}--{found[2]}" if found else "--".join(filter(None, (start, end)))


def _identifiers(tagged: TaggedValues) -> dict[str, Any]:
    """The identifiers, also those among accession numbers, in the type of work and in addresses."""
    texts = [DIGITAL.sub("", text, count=1) for tag in ("DO", "AN", "M3") for text in tagged.found.get(tag, [])]
    found = identifiers([*texts, *(text for tag in LINKS for text in tagged.found.get(tag, []))])
    for tag in ("DO", "AN", "M3", "N1"):
        tagged.hold(tag, (text for text in tagged.found.get(tag, []) if says(found, [DIGITAL.sub("", text, count=1)])))
    numbers = tagged.found.get("SN", [])
    if number := isbn(numbers):
        found["isbn"] = number
        tagged.hold("SN", [number])
    if other := next((text for text in tagged.found.get("AN", []) if text.startswith(PMID)), None):
        found["other"] = other
        tagged.hold("AN", [other])
    return found


def _links(tagged: TaggedValues) -> Iterator[dict[str, str]]:
    """The addresses of the reference, each once; several may stand in one line."""
    seen: set[str] = set()
    for tag, label in LINKS.items():
        for text in tagged.found.get(tag, []):
            urls = re.split(r";?\s+|;(?=https?:)", text)
            if not all(url.startswith(("http://", "https://")) for url in urls):
                continue
            tagged.hold(tag, [text])
            yield from (link(label, url) for url in urls if url not in seen)
            seen.update(urls)
