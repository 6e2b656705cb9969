"""Steps as commands ask for them, such as `AXIS=TERM`, checked against the taxonomy."""

import re
from collections.abc import Sequence
from datetime import date

from awesome_cli.curation.editing.tagging import read_terms
from awesome_cli.curation.vocabulary.steps import VocabularyStep
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import ID
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.corpus import Corpus

Requested = tuple[VocabularyStep, dict[str, str]]
"""A step, and the labels of the terms that are new."""


def rename(taxonomy: Taxonomy, old: str, new: str, *, on: date, label: str | None = None) -> Requested:
    """Rename a term (`AXIS=OLD`) or an axis (`AXIS`); raises `UsageError` if the new name is taken or not valid."""
    axis, terms = read_terms(old, taxonomy)
    name = _id(new.removeprefix(f"{axis.id}="))
    if len(terms) > 1:
        raise UsageError("rename one term at a time", hint=f"awesome taxonomy merge {old} --into {name}")
    taken = axis.by_id if terms else taxonomy.by_id
    if name in taken:
        hint = f"awesome taxonomy merge {old} --into {name}" if terms else "choose another name"
        raise UsageError(f"{name!r} exists already", hint=hint)
    return VocabularyStep(on=on, do="rename", axis=axis.id, terms=terms, to=name), {name: label} if label else {}


def merge(taxonomy: Taxonomy, old: str, into: str, *, on: date, label: str | None = None) -> Requested:
    """Merge terms (`AXIS=A,B`) into one that exists or is new."""
    axis, terms = read_terms(old, taxonomy)
    name = _id(into.removeprefix(f"{axis.id}="))
    gone = tuple(term for term in terms if term != name)
    if not gone or (name not in axis.by_id and len(gone) < 2):
        raise UsageError(f"nothing to merge into {name!r}", hint="awesome taxonomy merge AXIS=A,B --into C")
    return VocabularyStep(on=on, do="merge", axis=axis.id, terms=gone, to=name), {name: label} if label else {}


def split(corpus: Corpus, old: str, parts: Sequence[str], *, on: date, assign: Sequence[str] = ()) -> Requested:
    """Split a term (`AXIS=OLD`) into parts (`ID`, `ID:Label`); papers of a `PART=QUERY` get the part at once."""
    axis, terms = read_terms(old, corpus.taxonomy)
    if len(terms) != 1:
        raise UsageError("split one term at a time", hint="awesome taxonomy split AXIS=OLD NEW NEW")
    labels = {_id(name): label for name, _, label in (part.partition(":") for part in parts)}
    if len(labels) < 2:
        raise UsageError("a split needs two parts or more", hint=f"awesome taxonomy split {old} NEW NEW")
    for name in labels:
        if name in axis.by_id and axis.by_id[name].parent != terms[0]:
            raise UsageError(f"{axis.id} has a term {name!r} already", hint="choose another name")
    queries: dict[str, str] = {}
    for text in assign:
        name, equals, query = text.partition("=")
        if not equals or name not in labels:
            raise UsageError(f"{text!r} is not PART=QUERY", hint=f"parts: {', '.join(labels)}")
        corpus.query(query)
        queries[name] = query
    step = VocabularyStep(on=on, do="split", axis=axis.id, terms=terms, into=tuple(labels), assign=queries)
    return step, {name: label for name, label in labels.items() if label}


def deprecate(taxonomy: Taxonomy, old: str, use: str, *, on: date) -> Requested:
    """Retire a term (`AXIS=OLD`): it stays in the taxonomy, marked, and names its successor."""
    axis, terms = read_terms(old, taxonomy)
    successor = axis.term(use.removeprefix(f"{axis.id}="), to_give=True).id
    if len(terms) != 1 or terms[0] == successor:
        raise UsageError(
            "retire one term, and name another one to use", hint="awesome taxonomy deprecate AXIS=OLD --use NEW"
        )
    return VocabularyStep(on=on, do="deprecate", axis=axis.id, terms=terms, to=successor), {}


def _id(text: str) -> str:
    if not re.fullmatch(ID, text):
        raise UsageError(f"{text!r} is not a valid id", hint="use lower-case letters, digits, '_' and '-'")
    return text
