"""Rows with named values, from a CSV file or a list in YAML or JSON, as drafts of records."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Draft, filled, link, unique, year_of
from awesome_cli.model.fields import COLUMNS
from awesome_cli.model.references import identifiers
from awesome_cli.text import names
from awesome_cli.text.latex import is_latex, to_unicode

PLAIN = tuple(name for name, field in COLUMNS.items() if field.kind == "text" and not (field.asked or field.many))
"""Columns that hold one text."""
_ALIASES: Mapping[str, tuple[str, ...]] = {
    "key": ("key", "id", "citation_key", "citekey", "bibtex_key", "record_id", "slug"),
    "title": ("title", "name", "paper_title", "article_title"),
    "authors": ("authors", "author", "first_author", "creators"),
    "year": ("year", "publication_year", "date", "published"),
    "venue": ("venue", "journal", "conference", "booktitle", "publication_title", "source_title", "container"),
    "affiliation": ("affiliation", "institution", "organization"),
    "arxiv": ("arxiv", "arxiv_id", "eprint"),
    "doi": ("doi",),
    "openreview": ("openreview", "openreview_id"),
    "acl": ("acl", "acl_id", "anthology_id"),
    "isbn": ("isbn",),
    "url": ("url", "link", "paper", "paper_url", "pdf", "links", "urls"),
    "keywords": ("tags", "keywords", "topics", "labels"),
    "summary": ("summary", "one_liner", "tldr"),
    "note": ("note", "notes", "comment", "comments"),
    "decision": ("decision", "status", "screening", "included"),
    "stage": ("stage", "screening_stage"),
    "reason": ("reason", "exclusion_reason", "reason_code"),
}
ALIASES: Mapping[str, tuple[str, ...]] = {**{name: (name,) for name in PLAIN}, **_ALIASES}
"""The names by which a column is taken for a field, the best first; the user's column mapping comes before them."""

EXCLUDED = {"exclude", "excluded", "reject", "rejected", "no", "0", "false", "screened out"}
WAITING = {"maybe", "consider", "unclear", "candidate", "pending", "undecided", "unscreened"}
ADDRESS = re.compile(r"https?://\S+")
INITIALS = re.compile(r"(?:[^\W\d_]\.?[- ]?){1,4}")


def draft(row: Mapping[str, Any], place: str, *, columns: Mapping[str, str], axes: Collection[str]) -> Draft:
    """A row as a draft; raises `ValueError` for one without a title.

    `columns` maps names of the row to fields or axes; a name that is an axis holds terms. A value with an unknown name
    becomes a link with that label if it is an address, and otherwise stays under `extra`.
    """
    values = {str(name): value for name, value in row.items() if value not in (None, "", [])}
    taken = _recognised(values, columns)
    title = _line(values.get(taken.get("title", "")))
    if not title:
        raise ValueError("the entry has no title")
    rest = {name: value for name, value in values.items() if name not in taken.values()}
    keywords = list(_keywords(rest, values.get(taken.get("keywords", "")), columns, axes))
    rest = {name: value for name, value in rest.items() if columns.get(name, name) not in axes}
    links = list(_links(values.get(taken.get("url", "")), taken.get("url", "Paper"), rest))
    rest = {name: value for name, value in rest.items() if not _is_address(value)}

    def get(field: str) -> str:
        return _line(values.get(taken.get(field, "")))

    ids = {scheme: get(scheme) for scheme in ("arxiv", "doi", "openreview", "acl")}
    found = identifiers([entry["url"] for entry in links], **ids)
    rest |= {s: value for s, value in ids.items() if value and s not in found and not (s == "doi" and "arxiv" in found)}
    fields = {
        **{name: get(name) for name in PLAIN},
        "title": to_unicode(title) if is_latex(title) else title,
        "authors": names.listed(authors_of(values.get(taken.get("authors", "")))),
        "year": year_of(get("year")),
        "identifiers": {**found, "isbn": get("isbn")},
        "links": links,
        "note": get("note"),
    }
    if get("year") and not fields["year"]:
        rest["year"] = get("year")
    return _decided(Draft(filled({**fields, "extra": rest}), place, get("key") or None, tuple(keywords)), get)


def _recognised(values: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, str]:
    """For each field, the name in the row that holds it."""
    plain = {re.sub(r"\W+", "_", name.strip().casefold()).strip("_"): name for name in values if name not in columns}
    found = {field: plain[alias] for field, aliases in ALIASES.items() for alias in reversed(aliases) if alias in plain}
    return found | {field: name for name, field in columns.items() if field in ALIASES and name in values}


def _line(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(map(_line, value))
    return " ".join(str(value).split()) if value is not None else ""


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and bool(ADDRESS.fullmatch(value.strip()))


def _links(main: Any, label: str, rest: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    seen: set[str] = set()
    first = "Paper" if label.casefold() in ALIASES["url"] else _label(label)
    others = [(_label(name), value) for name, value in rest.items() if _is_address(value)]
    for name, url in [*((first, url) for url in ADDRESS.findall(_line(main))), *others]:
        address = url.strip().rstrip(";,")
        if address not in seen:
            seen.add(address)
            yield link(name, address)


def _label(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _keywords(rest: Mapping[str, Any], words: Any, columns: Mapping[str, str], axes: Collection[str]) -> Iterator[str]:
    """The keywords of the row, and `axis=term` for the values in the column of an axis."""
    yield from _words(words)
    for name, value in rest.items():
        axis = columns.get(name, name)
        if axis in axes:
            yield from (on_axis(axis, word) for word in _words(value) if word != "NA")


def _words(value: Any) -> list[str]:
    values = value if isinstance(value, list) else re.split(r"[;,|]", str(value or ""))
    return unique([word for entry in values if (word := _line(entry))])


def authors_of(value: Any) -> Iterator[str]:
    """Authors as `Last, First`, from a list or a text with any of the usual separators."""
    if isinstance(value, list):
        yield from (names.inverted(_line(author)) for author in value)
        return
    text = _line(value)
    if text.endswith(",") and text.count(",") == 1 and ";" not in text:
        parts = [text]
    elif ";" in text:
        parts = text.split(";")
    elif " and " in text:
        head, _, tail = text.rpartition(" and ")
        parts = [*(head.split(" and ") if " and " in head or _is_inverted(head) else head.split(",")), tail]
    elif _is_inverted(text):
        parts = [text]
    else:
        parts = _pairs(text.split(","))
    yield from (names.inverted(part.strip()) for part in parts)


def _is_inverted(text: str) -> bool:
    """Whether a text is one name, `Last, First`: one comma, and one word on its left."""
    return text.count(",") == 1 and " " not in text.partition(",")[0].strip()


def _pairs(parts: list[str]) -> list[str]:
    """`Kwon, J., Cho, H.` is two names: every second part is initials."""
    parts = [part.strip() for part in parts]
    if len(parts) % 2 == 0 and all(INITIALS.fullmatch(part) for part in parts[1::2]):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    return parts


def _decided(made: Draft, get: Callable[[str], str]) -> Draft:
    """The draft as a paper, a candidate or an exclusion, by the decision in its row."""
    decision, reason = get("decision").casefold(), get("reason")
    if decision in EXCLUDED or (reason and not decision):
        screening = filled({"stage": get("stage"), "reason": reason})
        return Draft({**made.fields, "screening": screening}, made.place, made.key, made.keywords, (), "exclusion")
    extra = {name: get(name) for name in ("decision", "stage", "reason") if get(name)}
    if decision in WAITING:
        extra.pop("decision")
    fields = filled({**made.fields, "extra": {**made.fields.get("extra", {}), **extra}})
    return Draft(fields, made.place, made.key, made.keywords, (), "candidate" if decision in WAITING else "paper")
