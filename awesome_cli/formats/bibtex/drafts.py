"""Convert BibTeX entries to drafts of records; `extra` keeps the fields that records do not have."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.formats import cells
from awesome_cli.formats.bibtex.reading import BibEntry, closing
from awesome_cli.formats.people import AND, ET_AL, PMID, authors_of, doubts
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import address_of, identifiers, read, says
from awesome_cli.model.publication import KINDS, MISC, month_named
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

CONTAINERS = ("journal", "journaltitle", "booktitle", "howpublished", "school", "institution", "series")
NUMBERS = ("volume", "number", "pages")
"""Fields in which a range is written with two hyphens: `1--9`."""
HELD = {
    "title", "author", "keywords", "affiliation", "annotation", "eventtitle", "month", "publisher", "note", *NUMBERS,
}  # fmt: skip
"""Fields that a record preserves completely."""
PLAIN = {"url", "doi", "eprint", "pdf", "isbn", "acl", "openreview", "pmid", "file", "crossref", "xdata", "xref", "ids"}
"""Fields that are not LaTeX, although some programs escape a few characters in them."""
ESCAPED = re.compile(r"\{\\([_%&#$~])\}|\\([_%&#$])|\\(~)(?:\{\})?|\{?\\textasciitilde(?:\{\})?\}?|\{(_)\}")
PAGE = re.compile(r"[{\s]*(?:\\url\s*\{)?(https?://[^\s{}]+)[}\s]*")
SCHEMES = ("doi", "acl", "openreview")
DATE = re.compile(r"\A\d{4}-(\d\d)")


def draft(entry: BibEntry, place: str) -> Draft:
    """Convert an entry to a draft; invalid values are kept under `extra`, with a warning."""
    text = {name: _text(name, value) for name, value in _linked(entry.values).items()}
    fields = _fields(entry, text)
    held = set(_held(entry.kind, text, fields))
    extra: dict[str, Any] = {name: value for name, value in text.items() if value and name not in held}
    if "editor" in extra:
        extra["editor"] = AND.join(names.listed(authors(entry.values["editor"], entry.warnings)))
    extra |= {f"{name}_again": [_text(name, value) for value in more] for name, more in entry.again.items()}
    warnings = (*entry.warnings, *doubts(extra, {**fields["identifiers"], "year": fields["year"]}))
    field = text.get("keywords", "")
    words = (" ".join(part.split()) for part in field.split(";" if ";" in field else ","))
    return Draft(filled({**fields, "extra": extra}), place, entry.key or None, tuple(filter(None, words)), warnings)


def _linked(values: Mapping[str, str]) -> Mapping[str, str]:
    """Move a URL in `howpublished` to `url`, since a URL is not a venue."""
    page = PAGE.fullmatch(values.get("howpublished", ""))
    if page is None or (not (urls := _urls(values)) and "url" in values):
        return values
    return {**values, "howpublished": "", "url": " ".join(dict.fromkeys([*urls, page[1]]))}


def _text(name: str, value: str) -> str:
    """Convert the value of a field from LaTeX to text; blank lines separate paragraphs."""
    if name in PLAIN:
        return ESCAPED.sub(lambda m: "".join(filter(None, m.groups())) or "~", value) if "\\" in value else value
    return paragraphs(to_unicode(value))


def paragraphs(text: str) -> str:
    """Normalize whitespace: single spaces between words, a blank line between paragraphs."""
    if "\n" not in text:
        return " ".join(text.split())
    return "\n\n".join(filter(None, (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))))


def _fields(entry: BibEntry, text: Mapping[str, str]) -> dict[str, Any]:
    get = text.get
    container = get(_container(entry.kind, text), "")
    people = entry.values.get("author") or entry.values.get("editor") or ""
    return {
        "title": " ".join(get("title", "").split()),
        "authors": names.listed(authors(people, entry.warnings)),
        "year": year_of(get("year")) or year_of(get("date")),
        "venue": get("eventtitle") or container,
        "affiliation": get("affiliation"),
        "identifiers": _identifiers(text),
        "links": cells.links(get("links", ""))
        or [link("Paper", url) for url in _urls(text) if url not in _pages(text)],
        "citation": {
            "key": entry.key,
            "type": entry.kind,
            "container": container,
            **{name: get(name, "").replace("\N{EN DASH}", "--") for name in NUMBERS},
            "publisher": get("publisher"),
            "month": get("month") or month_named("".join(DATE.findall(get("date", "")))),
            "note": get("note"),
        },
        "summary": get("annotation"),
    }


def _container(kind: str, text: Mapping[str, str]) -> str:
    """Return the name of the field with the journal, book or series; the usual field of the type has precedence."""
    return next((name for name in (KINDS.get(kind, MISC).container, *CONTAINERS) if text.get(name)), "")


def _urls(text: Mapping[str, str]) -> list[str]:
    urls = text.get("url", "").removeprefix("\\url{").removesuffix("}").split()
    return urls if all(url.startswith(("http://", "https://")) for url in urls) else []


def _pages(text: Mapping[str, str]) -> set[str | None]:
    """Return the URLs of OpenReview and ACL ids; an export writes these URLs as `url`, for other programs."""
    return {address_of(scheme, text[scheme]) for scheme in ("openreview", "acl") if scheme in text}


def _identifiers(text: Mapping[str, str]) -> dict[str, Any]:
    is_arxiv = text.get("archiveprefix", text.get("eprinttype", "")).casefold() == "arxiv"
    eprint = text.get("eprint", "")
    arxiv = eprint if is_arxiv or "." in eprint else None
    ids = identifiers(_urls(text), arxiv=arxiv, **{name: text.get(name) for name in SCHEMES})
    if read("isbn", text.get("isbn", "")):
        ids["isbn"] = text["isbn"]
    if text.get("pmid", "").isdecimal():
        ids["other"] = PMID + text["pmid"]
    return ids


def _held(kind: str, text: Mapping[str, str], fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of fields whose values the record preserves completely."""
    ids, year = fields["identifiers"], str(fields["year"])
    yield from HELD
    yield _container(kind, text)
    yield from (name for name in ("year", "date") if text.get(name) == year)
    urls = {entry["url"] for entry in fields["links"]} | _pages(text)
    if urls and urls >= {*_urls(text)}:
        yield "url"
    if "links" in text and cells.links(text["links"]):
        yield "links"
    if says(ids, arxiv=text.get("eprint")):
        yield from ("eprint", "archiveprefix", "eprinttype")
    yield from (name for name in SCHEMES if name in text and says(ids, **{name: text[name]}))
    yield from (name for name, scheme in (("isbn", "isbn"), ("pmid", "other")) if scheme in ids)


AND_BETWEEN = re.compile(r"(?<!\s)\s+and\s+", re.IGNORECASE)
BRACED = re.compile(r"\{[^{}]*\}")


def authors(text: str, doubts: list[str] | None = None) -> Iterator[str]:
    """Yield authors as `Last, First`; a name in braces is a corporate author.

    If commas or semicolons separate names instead of `and`, the names are split, and `doubts` receives a warning.
    """
    is_odd = ";" in text or " al" in text
    for name in _split(text):
        if name.startswith("{") and closing(name) == len(name) - 1:
            yield to_unicode(name[1:-1])
        elif (is_odd or name.count(",") > 1) and (several := _several(name, doubts)):
            yield from several
        elif (plain := _plain(name)) is not None:
            yield plain
        else:
            yield _parsed(name)


def _split(text: str) -> Iterator[str]:
    if "{" not in text:
        return (name.strip() for name in AND_BETWEEN.split(text))
    from bibtexparser.middlewares.names import split_multiple_persons_names

    return (name.strip() for name in split_multiple_persons_names(text))


def _several(name: str, doubts: list[str] | None) -> list[str]:
    """Split several names that BibTeX would read as one name; return an empty list for a single name."""
    if names.is_cut(name):
        return [names.OTHERS]
    if et_al := ET_AL.search(name):
        return [*authors(name[: et_al.start()], doubts), names.OTHERS]
    if not _is_list(BRACED.sub("x", name)):
        return []
    people = list(authors_of(to_unicode(name).strip(", ")))
    doubt = f"the names {name!r} are read as {'; '.join(people)}, since 'and' is missing between them"
    if doubts is not None and doubt not in doubts:
        doubts.append(doubt)
    return people


def _is_list(name: str) -> bool:
    """True if commas or semicolons separate several names; one name may have two commas (`von Last, Jr, First`)."""
    if ";" in name and "&" not in name:
        return True
    parts = [part.strip() for part in name.split(",")]
    return len(parts) > 3 or (len(parts) == 3 and all(" " in part for part in parts if part))


def _plain(name: str) -> str | None:
    """Convert a name of the form `Last, First` or `First Last`; return None for names that need the full parser."""
    family, comma, forename = name.partition(",")
    if comma and "," not in forename and family.count("{") == family.count("}"):
        return to_unicode(name)
    if "," in name or "{" in name or "\\" in name or "~" in name:
        return None
    words = name.split()
    return f"{words[1]}, {words[0]}" if len(words) == 2 else name if len(words) < 2 else None


def _parsed(name: str) -> str:
    """Parse `First von Last` or `von Last, Jr, First` by the rules of BibTeX."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts

    try:
        parts = parse_single_name_into_parts(name, strict=False)
    except Exception:  # noqa: BLE001 - a name that cannot be parsed is returned unchanged
        return to_unicode(name)
    family = to_unicode(" ".join([*parts.von, *parts.last]))
    forename = to_unicode(" ".join([*parts.first, *parts.jr]))
    return f"{family}, {forename}" if forename else family
