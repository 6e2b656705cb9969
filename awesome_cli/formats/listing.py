"""Lists of entries: CSV, YAML, JSON and our own JSON export. Each entry is read by itself."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.formats import csl, rows
from awesome_cli.model.drafts import Batch, Draft, Failure
from awesome_cli.model.taxonomy import Taxonomy

LARGEST = 200_000_000
"""How many bytes a file may have."""
DUMP = "awesome/papers/"
"""How the schema of our own export begins."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to read: `columns` maps a source's names to fields or axes, `form` forces a format, `encoding` a charset."""

    taxonomy: Taxonomy
    columns: Mapping[str, str] = field(default_factory=dict)
    form: str | None = None
    encoding: str | None = None


def short(error: Exception) -> str:
    """An exception's words on one line of bearable length."""
    return " ".join(str(error).split())[:300]


def read_csv(text: str, name: str, options: Options) -> Batch:
    """A table with one header row, separated by commas, semicolons or tabs."""
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    csv.field_size_limit(10_000_000)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    if len(reader.fieldnames or ()) < 2 and not options.columns:
        raise ValueError("the first line names no columns")

    def entries() -> Iterator[tuple[str, Any]]:
        for row in reader:
            values = {key: value for key, value in row.items() if key is not None}
            if any(values.values()):
                yield f"{name}:{reader.line_num}", values

    return _each(entries(), options)


def read_json(text: str, name: str, options: Options) -> Batch:
    """CSL-JSON, our own export, or any list; raises `ValueError` for what is none."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{error}") from None
    if isinstance(value, dict) and str(value.get("schema", "")).startswith(DUMP):
        return _dump(value.get("data"), name)
    return _listing(value, name, text, options)


def read_yaml(text: str, name: str, options: Options) -> Batch:
    """A list in YAML; raises `ValueError` for what is none."""
    value, faults = yaml_reading.read(text.encode(), limit=LARGEST)
    if value is None and faults:
        raise ValueError(f"line {faults[0].line}: {faults[0].message}")
    batch = _listing(value, name, text, options)
    return Batch(batch.drafts, (*batch.failures, *(Failure(f"{name}:{f.line}", f.message) for f in faults)))


def _listing(value: Any, name: str, text: str, options: Options) -> Batch:
    """A list of mappings, alone or as the only list inside a mapping."""
    route: tuple[str | int, ...] = ()
    if isinstance(value, dict):
        lists = [key for key, child in value.items() if isinstance(child, list) and any(map(_is_mapping, child))]
        if len(lists) == 1:
            route, value = (lists[0],), value[lists[0]]
        else:
            value = [value]
    if not isinstance(value, list):
        raise ValueError("not a list of entries")
    lines = yaml_reading.lines(text, route) if len(value) > 1 or route else (1,)

    def entries() -> Iterator[tuple[str, Any]]:
        for place, entry in enumerate(value):
            yield f"{name}:{lines[place] if place < len(lines) else 1}", entry

    return _each(entries(), options)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _each(entries: Iterable[tuple[str, Any]], options: Options) -> Batch:
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for place, entry in entries:
        try:
            drafts.append(_entry(entry, place, options))
        except (ValueError, TypeError, AttributeError) as error:
            known = next((str(entry[k]) for k in ("id", "key") if entry.get(k)), None) if _is_mapping(entry) else None
            failures.append(Failure(place, short(error), known))
    return Batch(tuple(drafts), tuple(failures))


def _entry(entry: Any, place: str, options: Options) -> Draft:
    if not isinstance(entry, dict):
        raise TypeError("not an entry: it has no named values")
    if not options.columns and csl.is_item(entry):
        return csl.draft(entry, place)
    return rows.draft(entry, place, columns=options.columns, axes=options.taxonomy.by_id)


def _dump(data: Any, name: str) -> Batch:
    """Our own JSON export: records as in their files, plus `key`."""
    if not isinstance(data, dict):
        raise ValueError("the export has no 'data'")
    drafts: list[Draft] = []
    failures: list[Failure] = []
    kinds = {"papers": "paper", "exclusions": "exclusion", "candidates": "candidate"}
    for group, kind in kinds.items():
        for number, record in enumerate(data.get(group) or []):
            place = f"{name}#/data/{group}/{number}"
            if not isinstance(record, dict) or not record.get("title"):
                failures.append(Failure(place, "the entry has no title", None))
                continue
            fields = {field: value for field, value in record.items() if field != "key"}
            drafts.append(Draft(fields, place, record.get("key"), kind=kind))  # type: ignore[arg-type]
    return Batch(tuple(drafts), tuple(failures))
