"""Rows with named values, from a table or a list in YAML or JSON, as drafts of records."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from awesome_cli.formats import cells, people
from awesome_cli.formats.cells import line
from awesome_cli.formats.columns import ALIASES, BEYOND, CITATION, PLAIN, NamedRow, named, plain_name
from awesome_cli.formats.decisions import decided
from awesome_cli.formats.options import ReadingOptions
from awesome_cli.model.codings import on_axis
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import address_of, given
from awesome_cli.model.references import identifiers
from awesome_cli.model.taxonomy import NA
from awesome_cli.text.latex import is_latex, to_unicode
from awesome_cli.text.names import listed

SERVED = ("arxiv", "doi", "openreview", "acl")
ADDRESS = re.compile(r"https?://\S+")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def style_of(rows: Iterable[Any], options: ReadingOptions) -> people.Style:
    """How the authors of a list of rows are written."""
    return people.style_of(named(row, options).raw("authors") for row in rows if isinstance(row, Mapping))


def draft(row: Mapping[str, Any], place: str, options: ReadingOptions, style: people.Style = people.PLAIN) -> Draft:
    """A row as a draft; raises `ValueError` for one without a title.

    A name that is an axis holds terms, the name of a measure its number. A value with an unknown name becomes a link
    with that label if it is an address, and otherwise stays under `extra`.
    """
    it = named(row, options)
    title = it.get("title")
    if not title:
        raise ValueError("the entry has no title")
    measures = dict(_measures(it.rest, options))
    coded = {*options.taxonomy.by_id, *measures}
    rest = {name: value for name, value in it.rest.items() if options.columns.get(name, name) not in coded}
    links = list(_links(it, rest))
    authors = listed(people.authors_of(it.raw("authors"), style))
    fields = {
        **{name: it.get(name) for name in PLAIN},
        "title": to_unicode(title) if is_latex(title) else title,
        "authors": authors,
        "year": year_of(it.get("year")),
        "identifiers": _identifiers(it, links),
        "links": links,
        "citation": {path.partition(".")[2]: it.get(path) for path in CITATION},
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
        tags=tuple(_tags(it.rest, options)),
    )
    return _decided(made, it, options)


def _doubts(it: NamedRow, authors: Sequence[str]) -> Iterator[str]:
    """What is doubtful in a row that was read."""
    if beyond := it.values.get(BEYOND):
        yield f"the row has {len(beyond)} more cells than the header; they are kept under extra.{BEYOND}"
    text = it.raw("authors")
    if isinstance(text, str) and ";" not in text and listed(people.authors_of(text)) != authors:
        yield f"authors: {text!r} is read as {'; '.join(authors)}, as the other rows suggest"


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and bool(ADDRESS.fullmatch(value.strip()))


def _links(it: NamedRow, rest: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The links of a row, each address once."""
    links = cells.links(it.raw("links"))
    seen: set[str | None] = set()
    for entry in [
        *links,
        *_main(it, {entry["url"] for entry in links}),
        *(link(_label(name), value.strip()) for name, value in rest.items() if _is_address(value)),
    ]:
        if entry["url"] not in seen:
            seen.add(entry["url"])
            yield entry


def _main(it: NamedRow, links: Collection[str]) -> Iterator[dict[str, str]]:
    """The addresses in the column `url`. Beside a column `links` it repeats one of them, or an identifier's page."""
    if it.get("url") in links:
        return
    name = it.taken.get("url", "")
    pages = {address_of(scheme, given(it.get(scheme))) for scheme in SERVED} if "links" in it.names else set[None]()
    for entry in cells.links(it.raw("url"), "Paper" if plain_name(name) in ALIASES["url"] else _label(name)):
        if entry["url"] not in pages:
            yield entry


def _label(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _identifiers(it: NamedRow, links: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    found = identifiers((entry["url"] for entry in links), **{scheme: given(it.get(scheme)) for scheme in SERVED})
    if "arxiv" in found and it.get("arxiv_version").isdigit():
        found["arxiv_version"] = int(it.get("arxiv_version"))
    return {**found, **{scheme: given(it.get(scheme)) for scheme in ("isbn", "other")}}


def _lost(it: NamedRow, fields: Mapping[str, Any]) -> dict[str, str]:
    """The values that were taken for a field and do not fit it."""
    ids = fields["identifiers"]
    lost = {s: given(it.get(s)) for s in SERVED if s not in ids and not (s == "doi" and "arxiv" in ids)}
    return lost | {name: it.get(name) for name in ("year", "added") if not fields[name]}


def _extra(rest: Mapping[str, Any]) -> dict[str, Any]:
    """The values without a field; `extra.NAME` is the column of this program's own export."""
    return {
        name.removeprefix("extra."): cells.value_of(value) if name.startswith("extra.") else value
        for name, value in rest.items()
        if not _is_address(value) or name.startswith("extra.")
    }


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _tags(rest: Mapping[str, Any], options: ReadingOptions) -> Iterator[str]:
    """`axis=term` for the values in the column of an axis."""
    for name, value in rest.items():
        axis = options.columns.get(name, name)
        if axis in options.taxonomy.by_id:
            yield from (on_axis(axis, word) for word in cells.words(value) if word != NA)


def _measures(rest: Mapping[str, Any], options: ReadingOptions) -> Iterator[tuple[str, dict[str, float]]]:
    """The numbers in the columns of measures; another value is no measure."""
    known = {measure.id for measure in options.taxonomy.measures}
    for name, value in rest.items():
        measure = options.columns.get(name, name)
        if measure in known and NUMBER.fullmatch(line(value)):
            yield measure, {"value": float(line(value))}


def _decided(made: Draft, it: NamedRow, options: ReadingOptions) -> Draft:
    """The draft as a paper, a candidate or an exclusion, by the decision in its row."""
    word, stage, reason = (it.get(name) for name in ("decision", "stage", "reason"))
    if word or reason:
        return decided(made, word, stage, reason, options.decisions)
    columns = [name for name, field in options.columns.items() if field == "decision"] or ["decision"]
    if it.names.isdisjoint(map(plain_name, columns)):
        return made
    return replace(made, kind="candidate", warnings=(*made.warnings, "no decision: a candidate"))
