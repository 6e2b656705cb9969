"""Export records in the formats of other programs, and report the fields that a format cannot represent."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from awesome_cli.errors import UsageError
from awesome_cli.formats import EXPORTED, export_format
from awesome_cli.model.codings import Measured, Tag
from awesome_cli.model.records import AnyRecord, Citation, Exclusion, Identifiers, Link, Paper, Screening
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.text.known import require_known

WITH_EXCLUSIONS = frozenset({"json", "artifact", "screening"})
"""Formats with a separate list of exclusions."""
SCREENED = "screening"
"""The format that also contains candidates and the names of screeners."""


def select(corpus: Corpus, query: str | None, kind: str = "paper") -> Corpus:
    """Return a corpus of the records of a kind (or `any`) that match a query; the kind `paper` includes exclusions.

    For the kind `candidate`, the candidates replace the papers, so that every format can write candidates.
    """
    corpus = corpus.where(query, *GROUPS.values())
    if kind == "any":
        return corpus
    if kind == "paper":
        return replace(corpus, candidates=())
    if kind == "exclusion":
        return replace(corpus, papers=(), candidates=())
    return replace(corpus, papers=cast("tuple[Paper, ...]", corpus.candidates), exclusions=(), candidates=())


def export(form: str, corpus: Corpus, kind: str = "paper", *, raw: bool = False) -> str | Mapping[str, str]:
    """Return the corpus in a format: a text or, for a folder, texts by file name.

    Raises `UsageError` for an unknown format, and for a format that the taxonomy must define but does not.
    """
    written = export_format(require_known(form, EXPORTED, "export format"))
    if kind == "exclusion" and form not in WITH_EXCLUSIONS:
        corpus = replace(corpus, papers=tuple(map(as_paper, corpus.exclusions)))
    answer = ((raw and written.raw) or written.write)(corpus)
    if isinstance(answer, Mapping) and not answer:
        raise UsageError(
            f"the taxonomy does not define '{form}'", hint=f"add it to taxonomy.yaml: 'awesome explain {form}'"
        )
    return answer


def as_paper(record: AnyRecord) -> Paper:
    """Convert an exclusion to a paper with the fields that both kinds have; return other records unchanged."""
    if not isinstance(record, Exclusion):
        return cast("Paper", record)
    links = (Link(label="Paper", url=record.url),) if record.url else ()
    shared = ("key", "title", "authors", "year", "identifiers", "note", "extra")
    # Not validated: the ids of exclusions may have capital letters.
    fields = {name: getattr(record, name) for name in shared}
    return Paper.model_construct(**fields, links=links, added=record.screening.on)


PARTS: Mapping[str, tuple[str, ...]] = {
    "identifiers": tuple(Identifiers.model_fields),
    "links": tuple(Link.model_fields),
    "citation": tuple(Citation.model_fields),
    "tags": tuple(Tag.model_fields),
    "measures": tuple(Measured.model_fields),
    "screening": tuple(Screening.model_fields),
}
"""Parts of the fields that a format may preserve in part; the parts of `extra` depend on the record."""


def keeps(names: Collection[str], name: str) -> bool:
    """True if a format that preserves the fields `names` preserves the whole field `name`, such as `citation.month`."""
    top, dot, _ = name.partition(".")
    parts = {f"{top}.{part}" for part in PARTS.get(name, "?")}
    return name in names or (bool(dot) and top in names) or parts <= {*names}


def names_of(record: AnyRecord) -> Iterator[str]:
    """Yield the names of a record's non-empty fields and parts of fields, such as `title` and `tags.strength`."""
    names = (name for name in type(record).model_fields if name not in {"key", "url"})
    for name, value in ((name, getattr(record, name)) for name in names):
        if name == "extra":
            yield from (f"extra.{part}" for part in value)
        elif name in PARTS and value is not None:
            yield from (f"{name}.{part}" for part in PARTS[name] if any(_is_set(entry, part) for entry in _each(value)))
        elif value not in (None, (), {}):
            yield name


def _is_set(entry: Any, part: str) -> bool:
    return getattr(entry, part) not in (None, (), type(entry).model_fields[part].default)


def _each(value: Any) -> tuple[Any, ...]:
    values = tuple(value.values()) if isinstance(value, Mapping) else value if isinstance(value, tuple) else (value,)
    return tuple(each for part in values for each in _each(part)) if values and isinstance(values[0], tuple) else values


def left_out(form: str, corpus: Corpus, kind: str = "paper") -> Mapping[str, int]:
    """Count, by field, the records that lose a value of the field in a format; the largest count is first.

    A field that is lost as a whole is counted without its parts. The result is empty for a format that does not declare
    `keeps`, and for candidates and exclusions in a format with a separate list of exclusions.
    """
    written = export_format(form)
    preserved = written.keeps
    if not preserved or (kind != "paper" and form in WITH_EXCLUSIONS):
        return {}
    records: tuple[AnyRecord, ...] = corpus.exclusions if kind == "exclusion" else corpus.papers
    partly = {name.partition(".")[0] for name in preserved}
    counts = Counter[str]()
    for record in records:
        paper = as_paper(record)
        too, changed = {*written.keeps_too(paper)}, {*written.changes(paper)}
        lost = (n for n in names_of(record) if n in changed or not (n in too or keeps(preserved, n)))
        counts.update({name if name.partition(".")[0] in partly else name.partition(".")[0] for name in lost})
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def sentence(form: str, lost: Mapping[str, int], kind: str = "paper") -> str:
    """Return the message about the fields that `left_out` counted."""
    fields = ", ".join(f"{name} ({n:,} {kind}{'s' * (n != 1)})" for name, n in lost.items())
    if kind != "paper" and form != "csv":
        fields += f"; import the {kind}s with '--kind {kind}', otherwise they become papers"
    return f"not supported by {form} and left out: {fields}; 'awesome export json' keeps every field"
