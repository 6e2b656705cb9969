"""Codings as a table, to code in a spreadsheet: `awesome tag --table FILE` reads the table back.

A row is a coding or, in a wide table, a work with a column per axis. A work that waits for coding on an axis has a row
with an empty term. `was` is the exported coding in short form, and `digest` a checksum by which a row is refused if the
coding has changed since the export. Several codings in a cell are separated by `; `, several texts by line breaks; a
text that cannot be represented is JSON.

The coding `sour:measured` of a work on the axis `taste` becomes a row with the cells `taste`, `sour` and `measured`.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from awesome_cli.errors import UsageError
from awesome_cli.formats import ExportFormat, cells, workbooks
from awesome_cli.model.codings import AGAINST, PART, Tag, parse_cell
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import NA, Axis
from awesome_cli.query.parser import not_coded
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import UNSEEN, to_csv, to_json

FIELDS = ("strength", "part", "evidence", "direction", "quote", "source", "confidence")
WIDE = ("strength", "evidence", "source", "confidence")
"""Fields with a column of their own beside an axis, if the axis has strengths or a coding has a value."""
ENDINGS = ("", ".csv", ".tsv", ".xlsx")
"""File endings of a table; without an ending, it is CSV."""
TEXTS = ("evidence", "quote", "source")
BESIDE = ("key", "title", "year")
LONG = (*BESIDE[:2], "axis", "term", *FIELDS, "was", "digest")
LETTERS = str.maketrans("0123456789", "ghijklmnop")
"""Replacements for the digits of a checksum."""


def write(
    corpus: Corpus, ending: str = ".csv", *, axes: Sequence[str] = (), raw: bool = False, **how: bool
) -> str | bytes:
    """Return the codings on some axes [default: all] as `.tsv`, `.xlsx` or else CSV.

    `how` may have `wide` (a row per work) and `labels` (of terms, not ids). With `axes`, every work has a row.
    """
    selected = tuple(corpus.taxonomy.axis(name) for name in axes) or corpus.taxonomy.axes
    labels = how.get("labels", False)
    long = _long(corpus, selected, labels=labels, every=bool(axes))
    rows = _wide(corpus, selected, labels=labels) if how.get("wide") else long
    if ending == ".xlsx":
        return workbooks.write([*rows], raw=raw)
    return to_csv(rows, raw=raw, mark="\t" if ending == ".tsv" else ",")


def _long(corpus: Corpus, axes: Sequence[Axis], *, labels: bool, every: bool) -> Iterator[Sequence[str]]:
    waits = [(axis, not_coded(axis, corpus.taxonomy)) for axis in axes]
    yield LONG
    for work in corpus.papers:
        for axis, test in waits:
            for tag in work.tags.get(axis.id, ()):
                coding = (term_cell(axis, tag, labels=labels), *(field_cell((tag,), field) for field in FIELDS))
                yield work.key, work.title, axis.id, *coding, str(tag), digest((tag,))
            if not work.tags.get(axis.id) and (every or test(work)):
                yield work.key, work.title, axis.id, *[""] * (len(FIELDS) + 2), axis_digest(work, axis)


def _wide(corpus: Corpus, axes: Sequence[Axis], *, labels: bool) -> Iterator[Sequence[str]]:
    if clash := next((axis.id for axis in axes if axis.id in {"key", "term", "digest"}), None):
        raise UsageError(f"a wide table cannot have an axis named {clash!r}", hint="leave out --wide")
    columns: dict[str, Axis | None] = dict.fromkeys(name for name in BESIDE if name not in corpus.taxonomy.by_id)
    for axis in axes:
        tags = [tag for work in corpus.papers for tag in work.tags.get(axis.id, ())]
        fields = [field for field in WIDE if axis.strengths or any(getattr(tag, field) for tag in tags)]
        columns |= dict.fromkeys([axis.id, *(f"{axis.id}.{field}" for field in fields)], axis)
    yield *columns, "digest"
    for work in corpus.papers:
        row = [_wide_cell(work, name, axis, labels=labels) for name, axis in columns.items()]
        yield *row, " ".join(f"{axis.id}={axis_digest(work, axis)}" for axis in axes)


def _wide_cell(work: AnyWork, name: str, axis: Axis | None, *, labels: bool) -> str:
    if axis is None:
        return str(getattr(work, name) or "")
    tags, field = work.tags.get(axis.id, ()), name.removeprefix(axis.id)[1:]
    return field_cell(tags, field) if field else terms_cell(axis, tags, labels=labels)


def terms_cell(axis: Axis, tags: Sequence[Tag], *, labels: bool = False) -> str:
    """Return the cell of an axis in a wide table: the terms of a work."""
    return "; ".join(term_cell(axis, tag, labels=labels) + (f":{PART}" if tag.part else "") for tag in tags)


def term_cell(axis: Axis, tag: Tag, *, labels: bool = False) -> str:
    """Return a term's id, or its label if the label leads back to the term."""
    term = axis.by_id.get(tag.term) if labels else None
    is_clear = term and parse_cell(term.label) == (Tag(term=term.label),) and term.label.upper() != NA
    return term.label if term and is_clear and axis.find(term.label) is term else tag.term


def field_cell(tags: Sequence[Tag], field: str) -> str:
    """Return the cell of a field of one or several codings."""
    values = [value(tag, field) for tag in tags]
    if not any(values):
        return ""
    text = ("\n" if field in TEXTS else "; ").join(values) if len(values) > 1 else cells.cell(values[0])
    is_plain = read_cell(text, field, len(values)) == values and not UNSEEN.search(text)
    return text if is_plain else to_json(values if len(values) > 1 else values[0])


def value(tag: Tag, field: str) -> str:
    """Return a field of a coding as text; empty for the default."""
    if field in {"part", "direction"}:
        return (PART if field == "part" else AGAINST) if getattr(tag, field) in {True, AGAINST} else ""
    return getattr(tag, field) or ""


def read_cell(cell: str, field: str, n: int = 1) -> list[str]:
    """Return the values of a field in a cell for `n` codings; the result has another length if the cell has."""
    decoded = cells.value_of(cell)
    if n > 1 and isinstance(decoded, list):
        return [str(text or "") for text in decoded]
    text = decoded if isinstance(decoded, str) else cell
    return [text] if n == 1 else [part.strip() for part in text.split("\n" if field in TEXTS else ";")]


def axis_digest(work: AnyWork, axis: Axis) -> str:
    """Return a checksum of a work's codings on an axis."""
    return digest(work.tags.get(axis.id, ()), waits=axis.id in work.not_coded)


def digest(tags: Iterable[Tag], *, waits: bool = False) -> str:
    """Return a checksum of codings; without digits, since spreadsheets change `1234e567` to a number."""
    text = "\n".join(tag.model_dump_json(exclude_defaults=True) for tag in tags)
    return sha256(f"{text}{waits}".encode()).hexdigest()[:8].translate(LETTERS)


EXPORT = ExportFormat("codings.csv", "one row per coding, to edit and bring back", lambda corpus: str(write(corpus)))
