"""What readers share: reading each entry by itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.formats import ReadingOptions, csljson, datacite, rows
from awesome_cli.formats.people import Style, style_of
from awesome_cli.formats.rows import named
from awesome_cli.model.drafts import Batch, Draft, Failure
from awesome_cli.model.misfits import unread

LARGEST = 200_000_000
"""The size in bytes up to which a file is read."""


def collect(entries: Iterable[tuple[str, Any]], make: Callable[[Any, str], Draft]) -> Batch:
    """Drafts that `make` gives of entries and their places; an entry for which it raises is a failure."""
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for place, entry in entries:
        try:
            drafts.append(make(entry, place))
        except (ValueError, TypeError, AttributeError) as error:
            key = (entry.get("id") or entry.get("key")) if isinstance(entry, dict) else None
            failures.append(Failure(place, unread(error), str(key) if key else None))
    return Batch(tuple(drafts), tuple(failures))


def joined(batches: Iterable[Batch]) -> Batch:
    """The drafts and failures of several batches as one."""
    parts = list(batches)
    drafts = tuple(draft for batch in parts for draft in batch.drafts)
    failures = tuple(failure for batch in parts for failure in batch.failures)
    columns = tuple(dict.fromkeys(name for batch in parts for name in batch.columns))
    left_out = tuple(entry for batch in parts for entry in batch.left_out)
    title = next((batch.title for batch in parts if batch.title), "")
    others = sum(batch.others for batch in parts)
    return Batch(drafts, failures, columns, left_out=left_out, others=others, title=title)


def listing(value: Any, name: str, text: str, options: ReadingOptions) -> Batch:
    """The entries of a list of mappings, alone or as the only list in a mapping; raises `ValueError` for neither."""
    route: tuple[str | int, ...] = ()
    if isinstance(value, dict) and {"survey", "axes"} <= value.keys():
        raise ValueError("a survey's taxonomy, not its records; import what 'awesome export json' writes there")
    if is_record(value):
        record, key = value, name.rpartition(".")[0]
        return collect([(name, record)], lambda one, place: record_draft({"key": key, **one}, place))
    if isinstance(value, dict):
        lists = [key for key, child in value.items() if isinstance(child, list) and dict in map(type, child)]
        titled = any("title" in one for name in lists for one in value[name] if isinstance(one, dict))
        is_one = ("title" in value and not titled) or csljson.is_item(value) or datacite.is_record(value)
        route = tuple(lists) if len(lists) == 1 and not is_one else ()
        value = value[lists[0]] if route else [value]
    if not isinstance(value, list):
        raise ValueError("not a list of entries")
    lines = yaml_reading.lines(text, route) if len(value) > 1 or route else (1,)
    places = (f"{name}:{line}" for line in (*lines, *[1] * (len(value) - len(lines))))
    return row_batch(list(zip(places, value, strict=False)), options)


def is_record(value: Any) -> bool:
    """Whether a value is a record as in a file of a survey."""
    own = ("identifiers", "tags", "citation", "screening")
    return isinstance(value, dict) and "title" in value and any(isinstance(value.get(name), dict) for name in own)


def record_draft(record: Any, place: str, kind: Any = None) -> Draft:
    """A record of this program, with all its fields; raises `ValueError` for one without a title."""
    if not isinstance(record, dict) or not record.get("title"):
        raise ValueError("the entry has no title")
    fields = {field: value for field, value in record.items() if field != "key"}
    return Draft(fields, place, record.get("key"), kind=kind or ("exclusion" if "screening" in record else "paper"))


def row_batch(entries: Sequence[tuple[str, Any]], options: ReadingOptions) -> Batch:
    """The drafts of entries with named values, with the names that they have."""
    style = style_of(named(entry, options).raw("authors") for _, entry in entries if isinstance(entry, dict))
    batch = collect(entries, partial(entry_draft, options=options, style=style))
    columns = dict.fromkeys(str(name) for _, entry in entries if isinstance(entry, dict) for name in entry)
    return replace(batch, columns=tuple(columns))


def entry_draft(entry: Any, place: str, options: ReadingOptions, style: Style) -> Draft:
    """An entry with named values as a draft; raises `ValueError` for an unreadable one, or itself."""
    if isinstance(entry, ValueError):
        raise entry
    if not isinstance(entry, dict):
        raise ValueError("not an entry: it has no named values")
    if not options.columns and csljson.is_item(entry):
        return csljson.draft(entry, place)
    if not options.columns and datacite.is_record(entry):
        return datacite.draft(entry, place)
    return rows.draft(entry, place, options, style)
