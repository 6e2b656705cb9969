"""The survey's published artifact: `papers.csv`, `excluded.csv` and `papers.bib`. The taxonomy defines the columns.

An import recognises the tables by their header rows, and reads them together with the bibliography.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from awesome_cli.formats import ExportFormat, bibtex, detect
from awesome_cli.formats.csv import table
from awesome_cli.formats.rows import collect
from awesome_cli.model.appearance import Artifact, Column
from awesome_cli.model.drafts import Batch, Draft, Fields, filled, link
from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers, Paper
from awesome_cli.model.taxonomy import NA, UNCODED
from awesome_cli.survey.corpus import Corpus, put
from awesome_cli.text.inert import from_cell, to_cell
from awesome_cli.text.latex import to_unicode

SEPARATOR = " ; "


def read(texts: Sequence[tuple[str, str]], layout: Artifact | None) -> Mapping[int, Batch]:
    """Read the artifact's files among `(name, text)` pairs; return the batch of each such file by its index."""
    if layout is None:
        return {}
    tables = {n: columns for n, (_, text) in enumerate(texts) if (columns := _columns(text, layout))}
    files: dict[int, Batch] = {}
    if layout.papers in tables.values():
        files = {n: bibtex.read(text, name) for n, (name, text) in enumerate(texts) if detect(name, text) == "bibtex"}
    entries = {_plain(draft.title): draft.fields for batch in files.values() for draft in batch.drafts}
    batches = {n: Batch((), batch.failures) for n, batch in files.items()}
    for n, columns in tables.items():
        make = partial(_paper, entries=entries) if columns == layout.papers else _exclusion
        batches[n] = collect(_rows(*texts[n], columns), make)
    return batches


def _columns(text: str, layout: Artifact) -> Sequence[Column]:
    """Return the columns of the table that has the text's first line as its header; empty for other texts."""
    header = next(csv.reader([text.partition("\n")[0][:10_000]]), [])
    tables = (layout.papers, layout.exclusions)
    return next((columns for columns in tables if header == [to_cell(column.column) for column in columns]), ())


def _rows(name: str, text: str, columns: Sequence[Column]) -> Iterator[tuple[str, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text))
    for order, row in enumerate(reader, 1):
        yield f"{name}:{reader.line_num}", {**_fields(row, columns), "order": order}


def _paper(row: dict[str, Any], place: str, entries: Mapping[str, Fields]) -> Draft:
    """Convert a row of `papers.csv`; authors and citation come from the BibTeX entry with the same title."""
    key, fields = _keyed(row)
    return Draft(_joined(fields, entries.get(_plain(fields["title"]), {})), place, key)


def _exclusion(row: dict[str, Any], place: str) -> Draft:
    """Convert a row of `excluded.csv`; the default reason is `unspecified`."""
    key, fields = _keyed(row)
    del fields["order"]
    fields["screening"] = {"reason": UNCODED, **fields.get("screening", {})}
    return Draft(fields, place, key, kind="exclusion")


def _keyed(row: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    if not row.get("title"):
        raise ValueError("the row has no title")
    return row.get("key"), {name: value for name, value in row.items() if name != "key"}


def _plain(title: str) -> str:
    return re.sub(r"\W", "", title).casefold()


def _fields(row: Mapping[str, str | None], columns: Sequence[Column]) -> dict[str, Any]:
    """Convert a row to fields of a record; the inverse of `_cell`."""
    fields: dict[str, Any] = {}
    for column in columns:
        text = from_cell(row.get(to_cell(column.column)) or "").strip()
        if not text or column.constant is not None or text == column.default or (column.axis and text == NA):
            continue
        words = {word: value for value, word in column.words.items()}
        if column.axis is not None:
            fields.setdefault("tags", {})[column.axis] = [words.get(term, term) for term in text.split(SEPARATOR)]
        elif column.field is None:
            fields.setdefault("extra", {})[column.column] = text
        else:
            _put(fields, column, words.get(text, text))
    return fields


def _put(fields: dict[str, Any], column: Column, text: str) -> None:
    match column.field:
        case "links":
            urls = list(dict.fromkeys(text.split(SEPARATOR)))
            fields["links"] = [link("Paper" if place == 0 else "Link", url) for place, url in enumerate(urls)]
        case "first_author":
            fields["authors"] = [text, "others"]
        case "identifiers":
            prefixes = ((scheme, prefix) for scheme, prefix in column.words.items() if text.startswith(prefix))
            scheme, prefix = next(prefixes, ("other", ""))
            fields["identifiers"] = {scheme: text.removeprefix(prefix)}
        case str(path):
            put(fields, path, text)


def _joined(fields: Mapping[str, Any], entry: Fields) -> dict[str, Any]:
    """Merge a row with its BibTeX entry. The row takes precedence, but contains only the first author."""
    first = fields.get("authors", ["", ""])[0]
    authors = entry.get("authors") or fields.get("authors", ())
    if first and authors and authors[0] != first:
        # The published table spells the first author in LaTeX; keep that spelling, and the row's name if it differs.
        authors = (first, *authors[1:]) if to_unicode(first) == authors[0] else fields["authors"]
    ids = {**entry.get("identifiers", {}), **fields.get("identifiers", {})}
    citation = {name: value for name, value in entry.get("citation", {}).items() if name != "note" or value}
    return filled({**fields, "authors": tuple(authors), "identifiers": ids, "citation": citation})


def write(corpus: Corpus, *, raw: bool = False) -> Mapping[str, str]:
    """Return the three texts by file name (empty without a layout); papers without `order` come last, by key."""
    layout = corpus.taxonomy.artifact
    if layout is None:
        return {}
    papers = sorted(corpus.papers, key=lambda paper: (paper.order is None, paper.order, paper.key))
    exclusions = sorted(corpus.exclusions, key=lambda exclusion: exclusion.key)
    return {
        "papers.csv": _table(layout.papers, papers, raw=raw),
        "excluded.csv": _table(layout.exclusions, exclusions, raw=raw),
        "papers.bib": bibtex.write(replace(corpus, papers=tuple(papers)), cited=True),
    }


def _table(columns: Sequence[Column], records: Sequence[Paper | Exclusion], *, raw: bool) -> str:
    rows = ({column.column: _cell(column, record) for column in columns} for record in records)
    return table([column.column for column in columns], rows, raw=raw)


def _cell(column: Column, record: AnyRecord) -> str:
    if column.constant is not None:
        return column.constant
    if column.axis is not None and not isinstance(record, Exclusion):
        values = [column.words.get(tag.term, tag.term) for tag in record.tags_on(column.axis)]
    else:
        values = _values(record, column)
    return SEPARATOR.join(values) or column.default


def _values(record: object, column: Column) -> list[str]:
    value = record
    for name in (column.field or "").split("."):
        value = getattr(value, name, None)
    if isinstance(value, Identifiers):
        return [column.words.get(scheme, "") + name for scheme, name in value.pairs()[:1]]
    if isinstance(value, tuple):
        return [str(getattr(part, "url", part)) for part in value]
    return [] if value is None else [column.words.get(str(value), str(value))]


KEEPS = {"title", "authors", "year", "venue", "affiliation", "identifiers.arxiv", "identifiers.doi", "links.url"}
KEEPS |= {"tags.term", "summary", "order"}
EXPORT = ExportFormat(
    "artifact/", "the published artifact's files", write, frozenset(KEEPS), raw=partial(write, raw=True)
)
