"""Papers in the formats of other programs."""

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
"""The formats that have a place for exclusions of their own."""
SCREENED = "screening"
"""The format that also has one for candidates, and for who decided."""


def select(corpus: Corpus, query: str | None, kind: str = "paper") -> Corpus:
    """The corpus with only the records of a kind, or of `any`, that match a query; of papers, with such exclusions.

    Candidates stand where papers do, so that each format can write them.
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
    """The corpus in a format, a text or several by file name.

    Raises `UsageError` for an unknown format, and for one that the taxonomy would have to describe.
    """
    written = export_format(require_known(form, EXPORTED, "export format"))
    if kind == "exclusion" and form not in WITH_EXCLUSIONS:
        corpus = replace(corpus, papers=tuple(map(as_paper, corpus.exclusions)))
    answer = ((raw and written.raw) or written.write)(corpus)
    if isinstance(answer, Mapping) and not answer:
        raise UsageError(
            f"the taxonomy declares no {form}", hint=f"describe it in taxonomy.yaml as 'awesome explain {form}' shows"
        )
    return answer


def as_paper(record: AnyRecord) -> Paper:
    """Return an exclusion with the fields that it shares with a paper; a paper or a candidate as it is."""
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
"""The fields of a record that a format may keep in part, with their parts; `extra` has those that a record gives it."""


def keeps(kept: Collection[str], name: str) -> bool:
    """Whether a format that keeps some names keeps a name, `links` or `citation.month`, as a whole."""
    top, dot, _ = name.partition(".")
    return name in kept or (bool(dot) and top in kept) or {f"{top}.{part}" for part in PARTS.get(name, "?")} <= {*kept}


def names_of(record: AnyRecord) -> Iterator[str]:
    """The names of the fields in which a record has a value, dotted for parts: `title`, `tags.strength`."""
    names = (name for name in type(record).model_fields if name not in {"key", "url"})
    for name, value in ((name, getattr(record, name)) for name in names):
        if name == "extra":
            yield from (f"extra.{part}" for part in value)
        elif name in PARTS and value is not None:
            yield from (
                f"{name}.{part}" for part in PARTS[name] if any(_is_given(getattr(one, part)) for one in _each(value))
            )
        elif value not in (None, (), {}):
            yield name


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value != ()


def _each(value: Any) -> tuple[Any, ...]:
    values = tuple(value.values()) if isinstance(value, Mapping) else value if isinstance(value, tuple) else (value,)
    return tuple(one for part in values for one in _each(part)) if values and isinstance(values[0], tuple) else values


def left_out(form: str, corpus: Corpus, kind: str = "paper") -> Mapping[str, int]:
    """How many records of a kind have a value that a format has no place for, by the field's name, the most first.

    Of a field of which no part is kept, the name stands without the part. The answer is empty for a format that does
    not say what it keeps, and for one that has exclusions of its own.
    """
    written = export_format(form)
    kept = written.keeps
    own = kind != "paper" and form in WITH_EXCLUSIONS
    if not kept or own:
        return {}
    records: tuple[AnyRecord, ...] = corpus.exclusions if kind == "exclusion" else corpus.papers
    partly = {name.partition(".")[0] for name in kept}
    counts = Counter[str]()
    for record in records:
        paper = as_paper(record)
        too, changed = {*written.keeps_too(paper)}, {*written.changes(paper)}
        lost = (n for n in names_of(record) if n in changed or not (n in too or keeps(kept, n)))
        counts.update({name if name.partition(".")[0] in partly else name.partition(".")[0] for name in lost})
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def sentence(form: str, lost: Mapping[str, int], kind: str = "paper") -> str:
    """What `left_out` found, on one line."""
    fields = ", ".join(f"{name} ({n:,} {kind}{'s' * (n != 1)})" for name, n in lost.items())
    if kind != "paper" and form != "csv":
        fields += f"; an import makes papers of these {kind}s, unless '--kind {kind}' is given"
    return f"left out, since {form} has no place for it: {fields}; 'awesome export json' keeps every field"
