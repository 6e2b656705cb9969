"""Rows with named values, from a table or a list in YAML or JSON, as drafts of records."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from awesome_cli.formats import ReadingOptions, cells, people
from awesome_cli.formats.cells import line
from awesome_cli.formats.columns import (
    BEYOND,
    CITATION,
    FIELDS,
    LABEL,
    RECORD_KIND,
    TEXTS,
    NamedRow,
    coded,
    named,
    plain_name,
)
from awesome_cli.formats.decisions import decided
from awesome_cli.formats.extras import PMID
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import address_of, given, identifiers
from awesome_cli.model.publication import named as named_type
from awesome_cli.model.records import Candidate
from awesome_cli.model.taxonomy import NA
from awesome_cli.text.latex import is_latex, to_unicode
from awesome_cli.text.names import listed

SERVED = ("arxiv", "doi", "openreview", "acl")
ADDRESS = re.compile(r"https?://\S+")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def draft(row: Mapping[str, Any], place: str, options: ReadingOptions, style: people.Style = people.PLAIN) -> Draft:
    """A row as a draft; raises `ValueError` for one without a title.

    A name that is an axis holds terms, the name of a measure its number. A value with an unknown name becomes a link
    with that label if it is an address, and otherwise stays under `extra`.
    """
    it = named(row, options)
    title = it.get("title")
    if not title:
        raise ValueError("the entry has no title")
    tags, measures = _codings(it.rest, options)
    held = {*options.taxonomy.by_id, *measures}
    rest = {name: value for name, value in it.rest.items() if options.columns.get(name, name) not in held}
    links = _links(it, rest)
    authors = listed(people.authors_of(it.raw("authors"), style))
    fields = {
        **{name: it.get(name) for name in TEXTS},
        "title": to_unicode(title) if is_latex(title) else title,
        "authors": authors,
        "year": year_of(it.get("year")),
        "identifiers": _identifiers(it, links),
        "links": links,
        "citation": _citation(it),
        "added": it.get("added") if _is_day(it.get("added")) else None,
        "measures": measures,
        "summary": it.text("summary"),
        "note": it.text("note"),
    }
    extra = {"abstract": it.text("abstract"), **_extra(rest), **_lost(it, fields)}
    made = Draft(
        filled({**fields, "extra": extra}),
        place,
        given(it.get("key")) or None,
        tuple(cells.words(it.raw("keywords"))),
        tuple(_doubts(it, authors)),
        tags=tags,
    )
    return _decided(made, it, options)


def _citation(it: NamedRow) -> dict[str, str | None]:
    """What a bibliography needs; pages may be given by the first and the last, or by the number of the article."""
    fields = {path.partition(".")[2]: it.get(path) or None for path in CITATION}
    pages = "--".join(filter(None, (it.get("page_start"), it.get("page_end")))) or it.get("article_number")
    return fields | {"type": fields["type"] or named_type(it.get("type")), "pages": fields["pages"] or pages}


def _doubts(it: NamedRow, authors: Sequence[str]) -> Iterator[str]:
    """What is doubtful in a row that was read."""
    if beyond := it.values.get(BEYOND):
        yield f"the row has {len(beyond)} more cells than the header; they are kept under extra.{BEYOND}"
    text = it.raw("authors")
    if isinstance(text, str) and ";" not in text and listed(people.authors_of(text)) != authors:
        yield f"authors: {text!r} is read as {'; '.join(authors)}, as the other rows suggest"


def _is_link(name: str, value: Any) -> bool:
    return not name.startswith("extra.") and isinstance(value, str) and bool(ADDRESS.fullmatch(value.strip()))


def _links(it: NamedRow, rest: Mapping[str, Any]) -> list[dict[str, str]]:
    """The links of a row, each address once. Beside a column `links`, `url` may repeat the page of an identifier."""
    pages = {address_of(scheme, given(it.get(scheme))) for scheme in SERVED} if "links" in it.columns else set[None]()
    name = it.held.get("url", "")
    own = cells.links(it.raw("links"))
    main = cells.links(it.raw("url"), "Paper" if plain_name(name) in FIELDS["url"] else _label(name))
    if it.get("url") in {entry["url"] for entry in own}:
        main = []
    others = (link(_label(name), value.strip()) for name, value in rest.items() if _is_link(name, value))
    found: dict[str, dict[str, str]] = {}
    for entry in (*own, *(entry for entry in main if entry["url"] not in pages), *others):
        found.setdefault(entry["url"], entry)
    return list(found.values())


def _label(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _identifiers(it: NamedRow, links: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    found = identifiers((entry["url"] for entry in links), **{scheme: given(it.get(scheme)) for scheme in SERVED})
    if "arxiv" in found and it.get("arxiv_version").isdigit():
        found["arxiv_version"] = int(it.get("arxiv_version"))
    pmid = f"{PMID}{it.get('pmid')}" if it.get("pmid") else ""
    return {**found, "isbn": given(it.get("isbn")), "other": given(it.get("other")) or pmid}


def _lost(it: NamedRow, fields: Mapping[str, Any]) -> dict[str, str]:
    """The values that were taken for a field and do not fit it."""
    ids = fields["identifiers"]
    lost = {s: given(it.get(s)) for s in SERVED if s not in ids and not (s == "doi" and "arxiv" in ids)}
    return filled(lost | {name: it.get(name) for name in ("year", "added") if not fields[name]})


def _extra(rest: Mapping[str, Any]) -> dict[str, Any]:
    """The values without a field; `extra.NAME` is the column of this program's own export."""
    return {
        name.removeprefix("extra."): cells.value_of(value) if name.startswith("extra.") else value
        for name, value in rest.items()
        if not _is_link(name, value)
    }


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _codings(row: Mapping[str, Any], options: ReadingOptions) -> tuple[tuple[str, ...], dict[str, dict[str, float]]]:
    """The tags in the columns of axes, as `axis=term`, and the numbers in those of measures."""
    tags: list[str] = []
    measures: dict[str, dict[str, float]] = {}
    for name, value in row.items():
        target = options.columns.get(name, name)
        if target in options.taxonomy.by_id:
            tags += (on_axis(target, word) for word in cells.words(value) if word != NA)
        elif target in coded(options.taxonomy) and NUMBER.fullmatch(line(value)):
            measures[target] = {"value": float(line(value))}
    return tuple(tags), measures


def _decided(made: Draft, it: NamedRow, options: ReadingOptions) -> Draft:
    """The draft as a paper, a candidate or an exclusion, by the decision in its row.

    What this program wrote as a candidate is one again, and keeps its label.
    """
    word, stage, reason = (it.get(name) for name in ("decision", "stage", "reason"))
    if it.get(RECORD_KIND) == Candidate.KIND:
        extra = {**made.fields.get("extra", {}), LABEL: word, "stage": stage, "reason": reason}
        return replace(made, kind="candidate", fields=filled({**made.fields, "extra": extra}))
    if word or reason:
        return decided(made, word, stage, reason, options.decisions)
    if not it.undecided:
        return made
    return replace(made, kind="candidate", warnings=(*made.warnings, "no decision: a candidate"))
