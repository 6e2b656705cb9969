"""The data dictionary (columns and fields of the downloads) and the vocabulary (the codebook), as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.publish.schemas import meanings, schema_of
from awesome_cli.text.inert import to_csv

Row = tuple[str, str, str, str, str]
"""`(file, field, type, meaning, values)` of a column or field."""
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "vocabulary.csv": ("list", "id", "code", "label", "definition", "parent"),
    "dictionary.csv": ("file", "field", "type", "meaning", "values"),
}
"""The columns of both tables; `meanings.yaml` describes them."""
RECORDS = "corpus.json"
LISTS = {"stage": "stages", "reason": "reasons", "confidence": "confidences", "grade": "grades"}
"""Fields whose values are entries of a list of the taxonomy."""
PARTS = {"tags": "axes", "measures": "measures"}
"""Fields whose subfields are entries of a list of the taxonomy."""
TYPES = {"string": "text", "array": "list", "integer": "number", "boolean": "true or false"}
WHOLE = {"paper", "readmitted"}
"""Fields that hold a whole record; its fields are described with that kind."""
KINDS = {row.name: row.kind for row in RECORD_FIELDS}


def vocabulary(taxonomy: Taxonomy) -> str:
    """Return the terms of codings, screening and contests with their definitions, as CSV."""
    rows: list[tuple[str, ...]] = []
    for axis in taxonomy.axes:
        rows += [(axis.id, t.id, t.code or "", t.label, _line(t.definition), t.parent or "") for t in axis.terms]
        rows += [(f"{axis.id} (strength)", s.id, "", s.label, _line(s.definition), "") for s in axis.strengths]
    for name in LISTS.values():
        rows += [(name, word.id, "", word.label, _line(word.definition), "") for word in getattr(taxonomy, name)]
    return to_csv((COLUMNS["vocabulary.csv"], *rows))


def dictionary(taxonomy: Taxonomy, tables: Mapping[str, str]) -> str:
    """Return the dictionary as CSV: columns of `tables` (CSV by path) and of this module, then fields of JSON."""
    headers = {path: next(csv.reader(io.StringIO(text))) for path, text in tables.items()}
    rows = [row for path, header in headers.items() for row in _columns(taxonomy, path, header)]
    for table, header in COLUMNS.items():
        rows += [(table, name, "text", meanings()["Dictionary"][name], "") for name in header]
    for kind in ("paper", "exclusion"):
        rows += _fields(taxonomy, kind)
    rows.append(("corpus.json", "citation_keys", "mapping", "the citation key of each paper in the other files", ""))
    return to_csv((COLUMNS["dictionary.csv"], *rows))


def _line(text: str) -> str:
    return " ".join(text.split())


def _columns(taxonomy: Taxonomy, path: str, names: Iterable[str]) -> Iterator[Row]:
    layout = taxonomy.artifact if path.startswith("artifact/") else None
    declared = {column.column: column for column in (*layout.exclusions, *layout.papers)} if layout else {}
    for name in names:
        column = declared.get(name)
        kind, meaning, values = _column(taxonomy, (column.axis or column.field or "") if column else name)
        if column and not (column.axis or column.field):
            kind, meaning, values = "text", "the same in every row", column.constant or column.default
        yield path, name, kind, meaning, "; ".join(column.words.values()) if column and column.words else values


def _column(taxonomy: Taxonomy, name: str) -> tuple[str, str, str]:
    """Return type, meaning and values of a column for an axis, a measure or a field."""
    if axis := taxonomy.by_id.get(name):
        return "list" if axis.kind == "many" else "word", _line(axis.question), _terms(axis)
    if measure := next((measure for measure in taxonomy.measures if measure.id == name), None):
        return "number", f"{measure.label}, in {measure.unit}", ""
    known, (first, _, last) = meanings(), name.partition(".")
    if first == "extra":
        return "text", "a value that was imported and has no field of its own", ""
    shapes = (first.capitalize(), "*") if last else ("Table", "Screening", "Record", "Identifiers", "*")
    meaning = next((known[shape][last or first] for shape in shapes if (last or first) in known.get(shape, {})), "")
    words = getattr(taxonomy, LISTS.get(last or first, ""), ())
    return KINDS.get(last or first, "text"), meaning, "; ".join(entry.id for entry in words)


def _terms(axis: Axis) -> str:
    """Return the possible values of an axis: `term; term, each with :weak or :strong`."""
    strengths = f", each with :{' or :'.join(axis.strength_ids)}" if axis.strengths else ""
    return "; ".join(term.id for term in axis.leaves) + strengths


def _fields(taxonomy: Taxonomy, kind: str) -> Iterator[Row]:
    """Yield a row for each field of a kind of record; subfields follow their field."""
    schema = schema_of(kind, None)
    shapes: Mapping[str, Mapping[str, Any]] = schema.get("$defs", {})

    def rows(shape: Mapping[str, Any], above: str) -> Iterator[Row]:
        for name, field in shape.get("properties", {}).items():
            inner = list(_shapes(field, shapes))
            kinds = " or ".join(dict.fromkeys(kind for shape in inner for kind in _kinds(shape)))
            words = [str(word) for shape in inner for word in shape.get("enum", ())]
            if not words and name in LISTS:
                words = [word.id for word in getattr(taxonomy, LISTS[name])]
            meaning = next((text for shape in (field, *inner) if (text := shape.get("description"))), "")
            place = f"{above}.{name}"
            yield RECORDS, place, kinds or "any", _line(meaning), "; ".join(dict.fromkeys(words))
            for part in getattr(taxonomy, PARTS.get(name, ""), ()):
                yield RECORDS, f"{place}.{part.id}", *_column(taxonomy, part.id)
            for shape in inner if name not in WHOLE else ():
                yield from rows(shape, f"{place}[]" if "list" in kinds else place)

    yield RECORDS, f"{kind}s[].key", "text", meanings()["Table"]["key"], ""
    yield from rows(schema, f"{kind}s[]")


def _shapes(field: Mapping[str, Any], shapes: Mapping[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas of a field, including alternatives, list items and mapping values."""
    if "$ref" in field:
        field = shapes[field["$ref"].rpartition("/")[2]]
    inner = [field.get("items"), field.get("additionalProperties"), *field.get("anyOf", ())]
    if "anyOf" not in field:
        yield field
    for part in inner:
        if isinstance(part, Mapping):
            yield from _shapes(part, shapes)


def _kinds(shape: Mapping[str, Any]) -> Iterator[str]:
    if "enum" in shape:
        yield "word"
    elif shape.get("type") not in (None, "null"):
        yield "date" if shape.get("format") == "date" else TYPES.get(shape["type"], shape["type"])
