"""What readers share: options, and reading each entry by itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.formats import csljson, rows
from awesome_cli.model.drafts import Batch, Draft, Failure
from awesome_cli.model.misfits import unread
from awesome_cli.model.taxonomy import Taxonomy

LARGEST = 200_000_000
"""The size in bytes up to which a file is read."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How to read: `columns` maps names in the file to fields or axes; `form` is the format, if named."""

    taxonomy: Taxonomy
    columns: Mapping[str, str] = field(default_factory=dict)
    form: str | None = None
    encoding: str | None = None


def collect(entries: Iterable[tuple[str, Any]], make: Callable[[Any, str], Draft]) -> Batch:
    """Drafts that `make` gives of entries and their places; an entry for which it raises is a failure."""
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for place, entry in entries:
        try:
            drafts.append(make(entry, place))
        except (ValueError, TypeError, AttributeError) as error:
            names = ("id", "key") if isinstance(entry, dict) else ()
            known = next((str(entry[name]) for name in names if entry.get(name)), None)
            failures.append(Failure(place, unread(error), known))
    return Batch(tuple(drafts), tuple(failures))


def joined(batches: Iterable[Batch]) -> Batch:
    """The drafts and failures of several batches as one."""
    parts = list(batches)
    drafts = tuple(draft for batch in parts for draft in batch.drafts)
    return Batch(drafts, tuple(failure for batch in parts for failure in batch.failures))


def listing(value: Any, name: str, text: str, options: ReadingOptions) -> Batch:
    """The entries of a list of mappings, alone or as the only list in a mapping; raises `ValueError` for neither."""
    route: tuple[str | int, ...] = ()
    if isinstance(value, dict):
        lists = [key for key, child in value.items() if isinstance(child, list) and dict in map(type, child)]
        route = tuple(lists) if len(lists) == 1 else ()
        value = value[lists[0]] if route else [value]
    if not isinstance(value, list):
        raise ValueError("not a list of entries")
    lines = yaml_reading.lines(text, route) if len(value) > 1 or route else (1,)
    places = (f"{name}:{line}" for line in (*lines, *[1] * (len(value) - len(lines))))
    return collect(zip(places, value, strict=False), partial(entry_draft, options=options))


def entry_draft(entry: Any, place: str, options: ReadingOptions) -> Draft:
    """An entry with named values as a draft; raises `ValueError` or `TypeError` for an unreadable one."""
    if not isinstance(entry, dict):
        raise TypeError("not an entry: it has no named values")
    if not options.columns and csljson.is_item(entry):
        return csljson.draft(entry, place)
    return rows.draft(entry, place, columns=options.columns, axes=options.taxonomy.by_id)
