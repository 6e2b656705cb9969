"""The data dictionary: each column of each table, each field of the records, and each word that stands in them."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.taxonomy import Axis, Measure, Taxonomy
from awesome_cli.publish.schemas import meanings, schema_of
from awesome_cli.text.inert import to_csv

Row = tuple[str, str, str, str, str]
HEADER = ("file", "field", "type", "meaning", "values")
WORDS = ("list", "id", "code", "label", "definition", "parent")
RECORDS = "corpus.json"
TABLES = ("vocabulary.csv", "dictionary.csv")
"""The tables that say what others mean; meanings.yaml describes their columns."""
WORDS_OF = {"stage": "stages", "reason": "reasons", "confidence": "confidences", "grade": "grades"}
"""Fields whose values the taxonomy lists, and the list."""
OWN: Mapping[str, Callable[[Taxonomy], Iterable[Axis | Measure]]] = {
    "tags": lambda taxonomy: taxonomy.axes,
    "measures": lambda taxonomy: taxonomy.measures,
}
"""Fields whose parts the taxonomy names."""
TYPES = {"string": "text", "array": "list", "integer": "number", "boolean": "true or false"}
WHOLE = {"paper", "readmitted"}
"""Fields that hold a whole record of another kind: its fields are described there."""
KINDS = {row.name: row.kind for row in RECORD_FIELDS}


def dictionary(taxonomy: Taxonomy, tables: Mapping[str, str]) -> str:
    """The dictionary as CSV: columns of `tables`, CSV by path, and of `TABLES`, then fields of the JSON export."""
    headers = {path: next(csv.reader(io.StringIO(text))) for path, text in tables.items()}
    rows = [row for path, header in headers.items() for row in _columns(taxonomy, path, header)]
    for table, header in zip(TABLES, (WORDS, HEADER), strict=True):
        rows += [(table, name, "text", meanings()["Dictionary"][name], "") for name in header]
    for kind in ("paper", "exclusion"):
        rows += _fields(taxonomy, kind)
    return to_csv((HEADER, *rows))


def vocabulary(taxonomy: Taxonomy) -> str:
    """Every word that codings, screening and contests use, as CSV, with its meaning."""
    rows: list[tuple[str, ...]] = []
    for axis in taxonomy.axes:
        rows += [(axis.id, t.id, t.code or "", t.label, _line(t.definition), t.parent or "") for t in axis.terms]
        rows += [(f"{axis.id} (strength)", s.id, "", s.label, _line(s.definition), "") for s in axis.strengths]
    for name in ("stages", "reasons", "confidences", "grades"):
        rows += [(name, one.id, "", one.label, _line(one.definition), "") for one in getattr(taxonomy, name)]
    return to_csv((WORDS, *rows))


def _line(text: str) -> str:
    return " ".join(text.split())


def _columns(taxonomy: Taxonomy, path: str, names: Iterable[str]) -> Iterator[Row]:
    """The columns of a table; those of the published artifact are described by the taxonomy."""
    layout = taxonomy.artifact if path.startswith("artifact/") else None
    own = {one.column: one for one in (*layout.exclusions, *layout.papers)} if layout else {}
    if layout and path.endswith("papers.csv"):
        own = {one.column: one for one in layout.papers}
    for name in names:
        column = own.get(name)
        kind, meaning, values = _column(taxonomy, (column.axis or column.field or "") if column else name)
        if column and not (column.axis or column.field):
            kind, meaning, values = "text", "the same in every row", column.constant or column.default
        yield path, name, kind, meaning, "; ".join(column.words.values()) if column and column.words else values


def _column(taxonomy: Taxonomy, name: str) -> tuple[str, str, str]:
    """Type, meaning and values of a column that holds an axis, a measure or a field."""
    if axis := taxonomy.by_id.get(name):
        return "list" if axis.kind == "many" else "word", _line(axis.question), _terms(axis)
    if measure := next((one for one in taxonomy.measures if one.id == name), None):
        return "number", f"{measure.label}, in {measure.unit}", ""
    known, (first, _, last) = meanings(), name.partition(".")
    if first == "extra":
        return "text", "a value that was imported and has no field of its own", ""
    shapes = (first.capitalize(), "*") if last else ("Table", "Screening", "Record", "Identifiers", "*")
    meaning = next((known[shape][last or first] for shape in shapes if (last or first) in known.get(shape, {})), "")
    words = getattr(taxonomy, WORDS_OF.get(last or first, ""), ())
    return KINDS.get(last or first, "text"), meaning, "; ".join(one.id for one in words)


def _terms(axis: Axis) -> str:
    """Each term that can be given; on an axis with strengths a cell holds `term:strength`."""
    strengths = f", each with :{' or :'.join(axis.strength_ids)}" if axis.strengths else ""
    return "; ".join(term.id for term in axis.leaves) + strengths


def _fields(taxonomy: Taxonomy, kind: str) -> Iterator[Row]:
    """The fields of the records of a kind, those of inner shapes after the field that holds them."""
    schema = schema_of(kind, None)
    shapes: Mapping[str, Mapping[str, Any]] = schema.get("$defs", {})

    def rows(shape: Mapping[str, Any], above: str) -> Iterator[Row]:
        for name, field in shape.get("properties", {}).items():
            inner = list(_shapes(field, shapes))
            kinds = " or ".join(dict.fromkeys(kind for one in inner for kind in _kinds(one)))
            words = [str(word) for one in inner for word in one.get("enum", ())]
            known = WORDS_OF.get(name) if not words else None
            words += [one.id for one in getattr(taxonomy, known)] if known else []
            said = next((text for one in (field, *inner) if (text := one.get("description"))), "")
            place = f"{above}.{name}"
            yield RECORDS, place, kinds or "any", _line(said), "; ".join(dict.fromkeys(words))
            if name in OWN:
                yield from ((RECORDS, f"{place}.{one.id}", *_column(taxonomy, one.id)) for one in OWN[name](taxonomy))
            for one in inner if name not in WHOLE else ():
                yield from rows(one, f"{place}[]" if "list" in kinds else place)

    yield RECORDS, f"{kind}s[].key", "text", meanings()["Table"]["key"], ""
    yield from rows(schema, f"{kind}s[]")


def _shapes(field: Mapping[str, Any], shapes: Mapping[str, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The shapes that a field can have: alternatives, entries of lists and values of mappings included."""
    if "$ref" in field:
        field = shapes[field["$ref"].rpartition("/")[2]]
    inner = [field.get("items"), field.get("additionalProperties"), *field.get("anyOf", ())]
    if "anyOf" not in field:
        yield field
    for one in inner:
        if isinstance(one, Mapping):
            yield from _shapes(one, shapes)


def _kinds(shape: Mapping[str, Any]) -> Iterator[str]:
    if "enum" in shape:
        yield "word"
    elif shape.get("type") not in (None, "null"):
        yield "date" if shape.get("format") == "date" else TYPES.get(shape["type"], shape["type"])
