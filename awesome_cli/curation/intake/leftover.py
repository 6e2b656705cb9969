"""What the entry of a known work says and its record does not have."""

from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.model.codings import Tag, on_axis
from awesome_cli.model.records import AnyRecord, Exclusion, Paper, Work, to_document
from awesome_cli.text.folding import spaced

OWN = frozenset(["key", "added", "found", "proposal", "aliases", "distinct_from", "version_of", "on", "tags"])
"""What a survey notes of its own, and tags, which are compared as such."""
TAGS = "tags."


def left(record: AnyRecord, known: AnyRecord) -> tuple[str, ...]:
    """The names of the values in a record that the known one, its versions and what was merged into it do not have.

    A tag is `tags.AXIS=TERM`.
    """
    documents = [_whole(known), *map(to_document, getattr(known, "versions", ()))]
    merged = known.extra.get("merged")
    documents += list(merged.values()) if isinstance(merged, dict) else []
    had = {pair for document in documents for pair in _values(document)}
    names = dict.fromkeys(name for name, value in _values(_whole(record)) if (name, value) not in had)
    return (*names, *_tags(record, known))


def _tags(record: AnyRecord, known: AnyRecord) -> Iterator[str]:
    mine, theirs = (entry.tags if isinstance(entry, Work) else {} for entry in (record, known))
    for axis, tags in mine.items():
        have = theirs.get(axis, ())
        yield from (TAGS + on_axis(axis, tag) for tag in tags if not any(_says(other, tag) for other in have))


def _says(other: Tag, tag: Tag) -> bool:
    return (other.term, other.part) == (tag.term, tag.part) and tag.strength in {None, other.strength}


def _whole(record: AnyRecord) -> dict[str, Any]:
    """The document of a record; of an exclusion, with what it keeps of a paper."""
    document = to_document(record)
    if not isinstance(record, Exclusion):
        return document
    kept = {**record.extra, **record.paper}
    extra = {name: value for name, value in kept.items() if name not in Paper.model_fields}
    fields = {name: value for name, value in kept.items() if name in Paper.model_fields}
    return {**fields, **document, "extra": {**extra, **kept.get("extra", {})}, "paper": None}


def _values(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each value by its name, folded, the entries of a list one by one."""
    for name, value in document.items():
        if name in OWN or value is None:
            continue
        if isinstance(value, Mapping):
            yield from ((name if name == "links" else f"{name}.{inner}", text) for inner, text in _values(value))
            continue
        for entry in value if isinstance(value, list | tuple) else [value]:
            text = entry.get("url") if name == "links" and isinstance(entry, Mapping) else entry
            yield "links" if name == "url" else name, spaced(str(text)) or str(text)
