"""Read and write RIS, with the tag names of the library rispy.

A broken reference does not affect other references. Tags in lower case or with one space before the hyphen, a missing
`ER` and values on several lines are accepted.

`T2  - Journal of Tea` becomes venue and container. `U1  - x`, a tag without a field, becomes `extra.user1`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.formats.people import AND, PMID, authors_and_editors, doubts, person
from awesome_cli.formats.rows import collect
from awesome_cli.formats.tagged import Lines, TaggedValues, split, values
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Batch, Draft, Failure, filled, link, year_of
from awesome_cli.model.identifiers import identifiers, says
from awesome_cli.model.publication import KINDS, MONTHS, kind_of, month_named
from awesome_cli.model.records import Citation, Identifiers, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import changed_key, citation_keys
from awesome_cli.text import names
from awesome_cli.text.known import shown

LINE = re.compile(r"([A-Z][A-Z0-9])(  ?)-(?:[ \t]+(.*)|$)", re.IGNORECASE)
EXACT = re.compile(r"^[^\S\n]*TY  ?-", re.MULTILINE)
OTHERS = {"BT": "book_title", "CT": "cited_title", "J1": "journal_abbreviation", "LK": "website", "CP": "issue"}
OTHERS |= {f"U{n}": f"user{n}" for n in range(1, 6)}
"""Names of tags of older programs, which rispy does not know."""
OWN = {"AB": "abstract", "A2": "editor", "CY": "address", "T3": "series", "ST": "shorttitle", "RN": "summary"}
"""Names that records and BibTeX use, in place of rispy's."""


@cache
def tag_names() -> Mapping[str, str]:
    """Return the name under `extra` of each tag."""
    from rispy.config import TAG_KEY_MAPPING

    return {**TAG_KEY_MAPPING, **OTHERS, **OWN}


def references(text: str) -> Iterator[tuple[int, Lines]]:
    """Yield `(first line number, lines)` of each reference: from `TY` to `ER`, or to the next `TY`."""
    text = text.replace("\ufeff", "")
    exact = bool(EXACT.search(text))
    return split((_tagged(line, exact=exact) for line in text.splitlines()), "TY", "ER")


def _tagged(line: str, *, exact: bool) -> tuple[str | None, str]:
    """Return `(tag, value)` of a line. A tag that is not in RIS's exact form must be a known tag."""
    match = LINE.match(line)
    if not match or (exact and not match[1].isupper()):
        return None, line
    tag = match[1].upper()
    if (match[2] == "  " and match[1].isupper()) or tag in tag_names():
        return tag, match[3] or ""
    return None, line


PEOPLE = {"AU", "A1", "A2", "ED"}
ALIASES = {"A1": "AU", "ED": "A2"}
TYPES = {kind.ris: kind.bibtex for kind in KINDS.values()} | {"THES": "phdthesis"}
LIKE = {"CONF": "inproceedings", "MGZN": "article", "NEWS": "article", "EJOUR": "article", "INPR": "article"}
LIKE |= {"ABST": "article", "ECHAP": "incollection", "EBOOK": "book", "EDBOOK": "book"}
"""Types that BibTeX does not distinguish."""
TITLES = ("TI", "T1", "CT", "ST")
CONTAINERS = ("JF", "BT", "T2", "JO", "T3", "JA", "J2", "J1")
DATES = ("PY", "Y1", "DA")
MONTH = re.compile(rf"({'|'.join(MONTHS)})[a-z]{{0,6}}\b", re.IGNORECASE)
LINKS = {"UR": "Paper", "LK": "Paper", "L1": "PDF", "L2": "Full text"}
DIGITAL = re.compile(r"doi[:\s]+", re.IGNORECASE)


def draft(lines: Lines, place: str, *, given_first: bool) -> Draft:
    """Convert a reference to a draft; raises `ValueError` if the type or title is missing."""
    if lines[0][0] != "TY":
        raise ValueError("expected a reference to start with 'TY  - '")
    tagged = values(((ALIASES.get(tag or "", tag), value) for tag, value in lines if tag != "ER"), {"KW"})
    kind = _kind(tagged)
    title = tagged.take(*TITLES, *("BT" if kind == "book" else "",))
    if not title:
        raise ValueError("the reference has no title")
    read_name = person if given_first else str
    authors, editors = ([read_name(name) for name in tagged.take_all(tag)] for tag in ("AU", "A2"))
    key, words, ids = tagged.take("ID"), tagged.take_all("KW"), _identifiers(tagged)
    if len(words) == 1:
        words = [word for text in words[0].split(";") if (word := text.strip())]
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
    return Draft(filled({**fields, "extra": extra}), place, key or None, tuple(words), warnings)


def _kind(tagged: TaggedValues) -> str:
    """Return the BibTeX type of a reference, from a lower-case `M3`, or else from the last `TY`."""
    types = tagged.values.get("TY", [""])
    raw = types[-1].upper()
    if raw in TYPES:
        tagged.hold("TY", types[-1:])
    finer = tagged.values.get("M3", [""])[0]
    if re.fullmatch("[a-z]+", finer) and finer.isascii():
        return tagged.take("M3")
    return TYPES.get(raw) or LIKE.get(raw, "misc")


def _published(tagged: TaggedValues) -> dict[str, Any]:
    year, month = _date(tagged)
    venue = tagged.values.get("T2", [""])[0]
    container = tagged.take(*(tag for tag in CONTAINERS if not tagged.holds(tag)))
    tagged.hold("T2", [venue])
    ends = (tagged.take("SP").replace("\N{EN DASH}", "--"), tagged.take("EP"))
    citation = {
        "container": container,
        "pages": "--".join(filter(None, ends)),
        "month": month,
        "volume": tagged.take("VL"),
        "number": tagged.take("IS", "CP"),
        "publisher": tagged.take("PB"),
        "note": "" if tagged.holds("N1") else tagged.take("N1"),
    }
    return {"year": year, "venue": venue or container, "citation": citation}


def _date(tagged: TaggedValues) -> tuple[int | None, str | None]:
    """Return `(year, month)`; a date with more parts is also kept under `extra`."""
    dates = [(tag, text) for tag in DATES for text in tagged.values.get(tag, [])]
    year, month = date_of([text for _, text in dates])
    number = f"{MONTHS.index(month) + 1:02}" if month in MONTHS else ""
    held = {"", *(f"{year or ''}{rest}" for rest in ("", f"/{number}", f"///{month}"))}
    for tag, text in dates:
        tagged.hold(tag, [text] if text.rstrip("/") in held else [])
    return year, month


def date_of(texts: Iterable[str]) -> tuple[int | None, str | None]:
    """Return the first `(year, month)`: May for `2009/05/12/` and `May 12 2009`, Spring for `2009///Spring`."""
    year: int | None = None
    month: str | None = None
    for text in texts:
        parts = [*map(str.strip, re.split(r"[/-]", text, maxsplit=3)), "", "", ""]
        here = year_of(parts[0]) or year_of(text)
        year = year or here
        if here in {year, None} and not month:
            spelled = MONTH.match(text)
            month = month_named(parts[1]) or ("" if parts[1] else parts[3]) or (spelled and spelled[1].lower()) or None
    return year, month


def _identifiers(tagged: TaggedValues) -> dict[str, Any]:
    """Return the identifiers in DOI, accession number, type of work and URLs."""
    texts = [DIGITAL.sub("", text, count=1) for tag in ("DO", "AN", "M3") for text in tagged.values.get(tag, [])]
    ids = identifiers([*texts, *(text for tag in LINKS for text in tagged.values.get(tag, []))])
    for tag in ("DO", "AN", "M3", "N1"):
        tagged.hold(tag, (text for text in tagged.values.get(tag, []) if says(ids, [DIGITAL.sub("", text, count=1)])))
    if number := tagged.isbn("SN"):
        ids["isbn"] = number
    if pmid := next((text for text in tagged.values.get("AN", []) if text.startswith(PMID)), None):
        ids["other"] = pmid
        tagged.hold("AN", [pmid])
    return ids


def _links(tagged: TaggedValues) -> Iterator[dict[str, str]]:
    """Yield the links of a reference without duplicates; a line may contain several URLs."""
    seen: set[str] = set()
    for tag, label in LINKS.items():
        for text in tagged.values.get(tag, []):
            urls = re.split(r";?\s+|;(?=https?:)", text)
            if not all(url.startswith(("http://", "https://")) for url in urls):
                continue
            tagged.hold(tag, [text])
            yield from (link(label, url) for url in urls if url not in seen)
            seen.update(urls)


KEEPS = frozenset(["title", "authors", "year", "venue", "affiliation", "links.url", "summary", "extra.keywords"]) | {
    *(f"identifiers.{scheme}" for scheme in ("arxiv", "arxiv_version", "doi", "openreview", "acl", "isbn")),
    *(f"citation.{name}" for name in Citation.model_fields),
}
"""Fields that survive a round trip."""
TAKEN = {
    "authors", "first_authors", "id", "volume", "number", "issue", "publisher", "start_page", "end_page", "summary",
    "secondary_title", "alternate_title3", "book_title", "end_of_reference", "unknown_tag",
}  # fmt: skip
"""Names of tags that an import reads as fields of a record."""
TAG = re.compile("[A-Z][A-Z0-9]")


def keeps_too(paper: Paper) -> Iterator[str]:
    """Yield the further fields that survive a round trip: the PubMed id, and entries of `extra` that have a tag."""
    yield from (f"extra.{name}" for name, value in paper.extra.items() if _has_tag(paper, name) and _is_line(value))
    if (paper.identifiers.other or "").startswith(PMID):
        yield "identifiers.other"


def changes(paper: Paper) -> Iterator[str]:
    """Yield the fields that a round trip changes: invalid citation keys, texts of several lines."""
    yield from changed_key(paper)
    citation = paper.citation or Citation()
    texts = {"citation.note": citation.note, "summary": paper.summary, "affiliation": paper.affiliation}
    yield from (name for name, text in texts.items() if text and not _is_line(text))


def _has_tag(paper: Paper, name: str) -> bool:
    """True if an entry of `extra` has a tag from which an import restores the entry under the same name."""
    if TAG.fullmatch(name):
        return name not in tag_names() and name not in ALIASES
    citation = paper.citation or Citation()
    container = citation.container or paper.venue
    # An import reads the first value of these tags as the field.
    first = {"notes": citation.note, "author_address": paper.affiliation, "notes_abstract": paper.extra.get("abstract")}
    first |= dict.fromkeys(("journal_name", "series", *(f"alternate_title{n}" for n in (1, 2))), container)
    return name in tag_names().values() and name not in TAKEN and bool(first.get(name, True))


def _is_line(value: Any) -> bool:
    texts = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(text, str) and text == " ".join(text.split()) for text in texts)


def write(corpus: Corpus) -> str:
    """Return the papers as RIS; tags are keywords of the form `axis=term:strength`."""
    import rispy

    # By default rispy writes a number before each reference, which is not part of RIS.
    writer = type("Writer", (rispy.RisWriter,), {"set_header": lambda _self, _count: ""})
    keys = citation_keys(corpus.papers)
    references = [_reference(paper, keys[paper.key]) for paper in corpus.papers]
    return str(rispy.dumps(references, implementation=writer, mapping=tag_names(), enforce_list_tags=False))


def _reference(paper: Paper, key: str) -> dict[str, Any]:
    """Return the values of a paper by tag name, in the order of the output."""
    extra, known = paper.extra, {*tag_names().values()}
    authors, editors = authors_and_editors(paper)
    written: dict[str, Any] = {
        "type_of_reference": _type(paper),
        "id": key,
        "title": texts_of(paper.title, extra.get("title")),
        "authors": list(map(_person, authors)),
        "editor": list(map(_person, editors)),
        **_published_tags(paper),
        **_about(paper),
    }
    fields = {name: _line(value) for name, value in written.items() if value}
    held = fields.keys() | {"keywords"}
    rest = {name: _line(texts_of(text)) for name, text in extra.items() if name not in held and _has_tag(paper, name)}
    unnamed = {name: rest.pop(name) for name in [*rest] if name not in known}
    return {**fields, **rest, "unknown_tag": unnamed}


def _published_tags(paper: Paper) -> dict[str, Any]:
    citation, extra = paper.citation or Citation(), paper.extra
    container = citation.container or paper.venue
    start, _, end = (citation.pages or "").partition("--")
    of_book = "alternate_title3" if _type(paper) == "JOUR" else "book_title"
    year = extra.get("year")
    finer = citation.type if citation.type != TYPES.get(_type(paper)) else None
    return {
        "year": year if year and year_of(year) == paper.year else paper.year,
        "date": _date_tag(paper),
        "secondary_title": paper.venue or container,
        of_book: container if container != (paper.venue or container) else None,
        "volume": citation.volume,
        "number": citation.number,
        "start_page": start,
        "end_page": end,
        "publisher": citation.publisher,
        "type_of_work": texts_of(finer, extra.get("type_of_work")),
    }


def _about(paper: Paper) -> dict[str, Any]:
    extra, ids = paper.extra, paper.identifiers
    tags = [on_axis(axis, tag) for axis, tags in paper.tags.items() for tag in tags]
    return {
        "author_address": texts_of(paper.affiliation, extra.get("author_address")),
        "doi": texts_of(ids.doi, extra.get("doi")),
        "issn": texts_of(ids.isbn, extra.get("issn")),
        "accession_number": texts_of(*_numbers(ids), extra.get("accession_number")),
        "notes": texts_of(paper.citation and paper.citation.note, extra.get("notes")),
        "summary": paper.summary,
        "keywords": texts_of(*tags, extra.get("keywords")),
        "urls": [link.url for link in paper.links],
    }


def _type(paper: Paper) -> str:
    """Return the RIS type: the imported type if it still corresponds to the record, else the type of the record."""
    kind, read = kind_of(paper), paper.extra.get("type_of_reference")
    return read if isinstance(read, str) and LIKE.get(read) == kind.bibtex else kind.ris


def _date_tag(paper: Paper) -> str | None:
    """Return the date as YYYY/MM/DD/other: the imported date if the record still has its year and month."""
    month, year = paper.citation and paper.citation.month, paper.year or ""
    read = paper.extra.get("date")
    if isinstance(read, str) and date_of([str(year), read])[1] == (month or None):
        return read
    if not month:
        return None
    return f"{year}/{MONTHS.index(month) + 1:02}//" if month in MONTHS else f"{year}///{month}"


def _numbers(ids: Identifiers) -> list[str]:
    """Return the identifiers for which RIS has no tag."""
    arxiv = f"arXiv:{ids.arxiv}" + (f"v{ids.arxiv_version}" if ids.arxiv_version else "") if ids.arxiv else ""
    further = [f"{scheme}:{text}" for scheme, text in ids.pairs() if scheme in {"openreview", "acl"}]
    return texts_of(arxiv, *further, ids.other if (ids.other or "").startswith(PMID) else None)


def _person(name: str) -> str:
    return "et al." if name == names.OTHERS else names.marked(name)


def texts_of(*values: Any) -> list[str]:
    """Flatten texts and lists of texts to one list; drop empty texts."""
    lists = (value if isinstance(value, list | tuple) else [value] for value in values)
    return [text for texts in lists for text in texts if text and isinstance(text, str)]


def _line(value: Any) -> Any:
    """Return a value on one line, since in RIS a new line starts another tag."""
    if isinstance(value, list):
        return [_line(part) for part in value]
    return " ".join(str(value).split())


START = re.compile(r"TY {1,2}-(?:\s|$)", re.IGNORECASE)


def read(text: str, name: str, _options: object = None) -> Batch:
    """Read RIS; `name` is the file name for positions (`a.ris:12`)."""
    return from_lines([(f"{name}:{line}", lines) for line, lines in references(text)])


def from_lines(entries: Sequence[tuple[str, Lines]]) -> Batch:
    """Convert `(position, lines)` of references to a batch; later lines without type and title are left out."""
    # RIS requires `Last, First`; if no name in the file has a comma, names are in the form `First Last`.
    tagged = (pair for _, lines in entries for pair in lines)
    given_first = not any("," in value.rstrip(", ") for tag, value in tagged if tag in PEOPLE)
    strays = {place: lines[0] for place, lines in entries[1:] if not {"TY", *TITLES} & {tag for tag, _ in lines}}
    references = (pair for pair in entries if pair[0] not in strays)
    batch = collect(references, partial(draft, given_first=given_first))
    texts = ((place, "  - ".join(filter(None, line))) for place, line in strays.items())
    # Some databases number the references.
    remarks = ((place, text) for place, text in texts if not re.fullmatch(r"\W*\d+\W*", text))
    return replace(batch, left_out=tuple(Failure(p, f"{shown(text)}: outside of any reference") for p, text in remarks))


EXPORT = ExportFormat("papers.ris", "RIS, for screening tools", write, KEEPS, keeps_too, changes)
IMPORT = ImportFormat(("ris",), lambda start: bool(START.match(start)), read)
