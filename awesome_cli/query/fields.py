"""What a query may ask of a record besides its tags and measures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Work

Kind = Literal["text", "number", "date", "word", "flag", "grade"]
Getter = Callable[[AnyRecord], tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the query language: `get` returns a record's values, none where it has no such field.

    A `word` is one of a closed set that `vocabulary` names in the taxonomy.
    """

    name: str
    kind: Kind
    get: Getter
    help: str
    vocabulary: Literal["stages", "reasons", "confidences", ""] = ""


def _of(record: object, *names: str) -> tuple[object, ...]:
    """The value at a path of attributes, as a tuple without None."""
    value: object = record
    for name in names:
        value = getattr(value, name, None)
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


def _identifier(scheme: str) -> Getter:
    def get(record: AnyRecord) -> tuple[object, ...]:
        own = _of(record.identifiers, scheme)
        others = tuple(v for version in getattr(record, "versions", ()) for v in _of(version.identifiers, scheme))
        return own + others

    return get


def _screened(name: str) -> Getter:
    def get(record: AnyRecord) -> tuple[object, ...]:
        if isinstance(record, Candidate):
            return _of(record, name)
        return _of(record, "screening", name)

    return get


def _confidences(record: AnyRecord) -> tuple[object, ...]:
    tags = (tag for tags in record.tags.values() for tag in tags) if isinstance(record, Work) else ()
    return tuple(tag.confidence for tag in tags if tag.confidence)


def _grades(record: AnyRecord) -> tuple[object, ...]:
    tags = (tag for tags in record.tags.values() for tag in tags) if isinstance(record, Work) else ()
    return tuple(tag.contested.grade for tag in tags if tag.contested)


def texts(record: AnyRecord) -> tuple[object, ...]:
    """Everything in a record that a person would search: names, venues, summaries, evidence, reasons."""
    if isinstance(record, Exclusion):
        return (record.title, record.note or "", *record.authors, record.key)
    evidence = (tag.evidence for tags in record.tags.values() for tag in tags if tag.evidence)
    parts = (record.title, record.summary, record.venue, record.affiliation, record.note, record.key)
    return (*(part for part in parts if part), *record.authors, *evidence)


def _kind_of(record: AnyRecord) -> tuple[object, ...]:
    return (record.KIND,)


def _near_miss(record: AnyRecord) -> tuple[object, ...]:
    return (isinstance(record, Exclusion) and bool(record.near_miss),)


def _links(record: AnyRecord) -> tuple[object, ...]:
    return tuple(link.url for link in record.links) if isinstance(record, Work) else _of(record, "url")


_FIELDS = (
    Field("key", "text", lambda r: (r.key, *r.aliases), "the file name, or a former one"),
    Field("title", "text", lambda r: (r.title,), "the title"),
    Field("author", "text", lambda r: r.authors, "an author as written, `Last, First`"),
    Field("year", "number", lambda r: _of(r, "year"), "the year of publication"),
    Field("venue", "text", lambda r: _of(r, "venue"), "where it was published"),
    Field("affiliation", "text", lambda r: _of(r, "affiliation"), "the first author's"),
    Field("text", "text", texts, "title, authors, summary, evidence, venue, note"),
    Field("added", "date", lambda r: _of(r, "added"), "the day it entered the pool"),
    Field("arxiv", "text", _identifier("arxiv"), "an arXiv id without version"),
    Field("doi", "text", _identifier("doi"), "a DOI"),
    Field("openreview", "text", _identifier("openreview"), "an OpenReview forum id"),
    Field("acl", "text", _identifier("acl"), "an ACL Anthology id"),
    Field("url", "text", _links, "a link"),
    Field("contested", "grade", _grades, "yes, no, or a grade: contested at that grade or above"),
    Field("confidence", "word", _confidences, "the confidence of a coding", "confidences"),
    Field("kind", "text", _kind_of, "paper, exclusion or candidate"),
    Field("stage", "word", _screened("stage"), "the screening stage of an exclusion", "stages"),
    Field("reason", "word", _screened("reason"), "the coded reason of an exclusion", "reasons"),
    Field("source", "text", _screened("source"), "where an exclusion was found"),
    Field("query_family", "text", _screened("query_family"), "the search that found an exclusion"),
    Field("screened", "date", lambda r: _of(r, "screening", "on"), "the day of screening"),
    Field("near_miss", "flag", _near_miss, "yes or no: an exclusion that came close"),
    Field("proposal", "text", lambda r: _of(r, "proposal"), "what is proposed for a candidate"),
    Field("retraction", "text", lambda r: _of(r, "retraction", "status"), "what a registry said"),
)
FIELDS: Mapping[str, Field] = {field.name: field for field in _FIELDS}


def to_day(value: object) -> date | None:
    """A date out of a query, or None."""
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None
