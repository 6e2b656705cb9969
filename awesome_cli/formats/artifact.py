"""The published artifact's three files, back into records by the column layout that the taxonomy declares."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from awesome_cli.formats import bibtex
from awesome_cli.model.drafts import Batch, Draft, Failure, Fields, filled, link, unique
from awesome_cli.model.taxonomy import NA, Artifact, Column
from awesome_cli.text.latex import to_unicode

SEPARATOR = " ; "
UNCODED = "unspecified"
"""The reason of an exclusion whose source gives none that is coded."""


def recognise(text: str, layout: Artifact | None) -> str | None:
    """`papers` or `exclusions` if a text has that table's header row, else None."""
    if layout is None:
        return None
    header = next(csv.reader(io.StringIO(text)), [])
    for name, columns in (("papers", layout.papers), ("exclusions", layout.exclusions)):
        if header == [column.column for column in columns]:
            return name
    return None


def read_papers(text: str, name: str, layout: Artifact, bibliography: Sequence[Draft]) -> Batch:
    """The rows of the table of papers, with authors and citation from the bibliography's entry of that title."""
    by_title = {_plain(entry.title): entry for entry in bibliography}
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for place, row in _rows(text, name):
        fields = _fields(row, layout.papers)
        key = fields.pop("key", None)
        fields["order"] = len(drafts) + len(failures) + 1
        if not fields.get("title"):
            failures.append(Failure(place, "the row has no title", key))
            continue
        entry = by_title.get(_plain(fields["title"]))
        drafts.append(Draft(_joined(fields, entry.fields if entry else {}), place, key))
    return Batch(tuple(drafts), tuple(failures))


def read_exclusions(text: str, name: str, layout: Artifact) -> Batch:
    """The rows of the table of exclusions; a reason that the table does not code is `unspecified`."""
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for place, row in _rows(text, name):
        fields = _fields(row, layout.exclusions)
        key = fields.pop("key", None)
        if not fields.get("title"):
            failures.append(Failure(place, "the row has no title", key))
            continue
        screening = {"reason": UNCODED, **fields.get("screening", {})}
        drafts.append(Draft({**fields, "screening": screening}, place, key, kind="exclusion"))
    return Batch(tuple(drafts), tuple(failures))


def read_bibliography(text: str, name: str) -> Batch:
    """The entries of the bibliography."""
    return bibtex.read(text, name)


def _rows(text: str, name: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    reader = csv.DictReader(io.StringIO(text))
    for row in reader:
        yield f"{name}:{reader.line_num}", {key: value or "" for key, value in row.items() if key is not None}


def _plain(title: str) -> str:
    return re.sub(r"\W", "", title).casefold()


def _fields(row: Mapping[str, str], columns: Sequence[Column]) -> dict[str, Any]:
    """A row as fields of a record, each column read the way in which the export writes it."""
    fields: dict[str, Any] = {}
    for column in columns:
        text = row.get(column.column, "").strip()
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
            urls = unique(text.split(SEPARATOR))
            fields["links"] = [link("Paper" if place == 0 else "Link", url) for place, url in enumerate(urls)]
        case "first_author":
            fields["authors"] = [text, "others"]
        case "identifiers":
            prefixes = ((scheme, prefix) for scheme, prefix in column.words.items() if text.startswith(prefix))
            scheme, prefix = next(prefixes, ("other", ""))
            fields["identifiers"] = {scheme: text.removeprefix(prefix)}
        case str(path):
            *parents, last = path.split(".")
            at = fields
            for name in parents:
                at = at.setdefault(name, {})
            at[last] = text


def _joined(fields: Mapping[str, Any], entry: Fields) -> dict[str, Any]:
    """A row and its entry in the bibliography: the row wins, except for the authors, of which it has one."""
    own = fields.get("authors", ["", ""])[0]
    authors = entry.get("authors") or fields.get("authors", ())
    if own and authors and authors[0] != own:
        # The table may spell the first author in LaTeX, as the published one does; another name wins over the entry.
        authors = (own, *authors[1:]) if to_unicode(own) == authors[0] else fields["authors"]
    ids = {**entry.get("identifiers", {}), **fields.get("identifiers", {})}
    citation = {name: value for name, value in entry.get("citation", {}).items() if name != "note" or value}
    return filled({**fields, "authors": tuple(authors), "identifiers": ids, "citation": citation})
