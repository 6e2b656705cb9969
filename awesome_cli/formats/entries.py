"""What the formats share that hold lists of entries: options, and reading each entry by itself."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.formats import csljson, rows
from awesome_cli.model.drafts import Batch, Draft, Failure
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


def short(error: Exception) -> str:
    """The message of an exception on one line of at most 300 characters."""
    return " ".join(str(error).split())[:300]


def listing(value: Any, name: str, text: str, options: ReadingOptions) -> Batch:
    """The entries of a list of mappings, alone or as the only list in a mapping; raises `ValueError` for neither."""
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

    return each(entries(), options)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def each(entries: Iterable[tuple[str, Any]], options: ReadingOptions) -> Batch:
    """Drafts of entries, each given with its place; what cannot be read is a failure."""
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for place, entry in entries:
        try:
            drafts.append(_entry(entry, place, options))
        except (ValueError, TypeError, AttributeError) as error:
            known = next((str(entry[k]) for k in ("id", "key") if entry.get(k)), None) if _is_mapping(entry) else None
            failures.append(Failure(place, short(error), known))
    return Batch(tuple(drafts), tuple(failures))


def _entry(entry: Any, place: str, options: ReadingOptions) -> Draft:
    if not isinstance(entry, dict):
        raise TypeError("not an entry: it has no named values")
    if not options.columns and csljson.is_item(entry):
        return csljson.draft(entry, place)
    return rows.draft(entry, place, columns=options.columns, axes=options.taxonomy.by_id)
