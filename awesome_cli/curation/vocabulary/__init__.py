"""Change the vocabulary in taxonomy, records, queries, claims and paper, with a log of migrations for old branches."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from typing import Any

from awesome_cli.curation.editing.fields import shaped
from awesome_cli.curation.editing.naming import decided, reworded
from awesome_cli.curation.editing.tagging import read_terms
from awesome_cli.curation.vocabulary.migration import (
    VocabularyStep,
    logged,
    migrated,
    migrated_claims,
    migrated_decision,
    migrated_manuscript,
    migrated_protocol,
    migrated_taxonomy,
    read_log,
)
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import ID, Revision
from awesome_cli.model.manuscript import PATH as PAPER
from awesome_cli.model.protocol import PATH as PROTOCOL
from awesome_cli.model.records import Paper, to_document
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.survey.saving import Change, Changes, Plan, edit


@dataclass(frozen=True, slots=True)
class Waiting:
    """A work that is not yet coded on an axis; `was` lists the terms that a split removed."""

    key: str
    axis: str
    was: tuple[str, ...] = ()


def recode_queue(corpus: Corpus) -> tuple[Waiting, ...]:
    """Return the works that wait for coding, by axis in taxonomy order, then by key."""
    place = {axis: i for i, axis in enumerate(corpus.taxonomy.by_id)}
    queue = [
        Waiting(work.key, axis, _taken(work.history, f"tags.{axis}"))
        for work in corpus.works
        for axis in work.not_coded
    ]
    return tuple(sorted(queue, key=lambda waiting: (place.get(waiting.axis, len(place)), waiting.key)))


def _taken(history: Sequence[Revision], field: str) -> tuple[str, ...]:
    was = next((entry.was for entry in reversed(history) if entry.field == field), None)
    entries = was if isinstance(was, list | tuple) else [] if was is None else [was]
    return tuple(str(entry["term"]) if isinstance(entry, Mapping) else str(entry) for entry in entries)


def change(tree: FileTree, corpus: Corpus, step: VocabularyStep, labels: Mapping[str, str] | None = None) -> Plan:
    """Return the plan of a step in taxonomy, records, claims, paper, protocol and log; `labels` are for new terms.

    Unreadable records are not changed but reported as failed.
    """
    data = tree.read(TAXONOMY) or b""
    raw, _ = yaml_reading.read(data)
    after = yaml_editing.rewrite(data, migrated_taxonomy(raw, step, labels or {}))
    value, findings = yaml_reading.read(after)
    if findings:
        raise SurveyError(f"{TAXONOMY} could not be written: {findings[0].message}")
    Taxonomy.model_validate(value)
    claims = _reworded(tree, (step,), corpus.taxonomy)
    records = migrated_records(tree, corpus, (step,), corpus.taxonomy)
    first = () if after == data else (Change(TAXONOMY, data, after),)
    changes = (*first, *records, *claims)
    # A step without changes is not logged again.
    return Plan((logged(tree, (step,)), *changes) if changes else (), failed=unreadable(corpus))


def unreadable(corpus: Corpus) -> tuple[str, ...]:
    """Return a message for each unreadable file, which a bulk change skips."""
    return tuple(f"{finding.path} is not changed: {finding.message}" for finding in corpus.findings)


def migrated_records(tree: FileTree, corpus: Corpus, steps: Sequence[VocabularyStep], taxonomy: Taxonomy) -> Changes:
    """Return the changes of records by a sequence of steps."""
    axes = [
        name for axis in taxonomy.by_id for name in (axis, *(s.to for s in steps if s.axis == axis and not s.terms))
    ]
    order = tuple(name for name in axes if name is not None)
    queries = {query: corpus.query(query) for step in steps for query in step.assign.values()}
    changes: list[Change] = []
    for record in corpus.records:
        document = to_document(record)
        after = document
        for step in steps:
            wanted = [term for term, query in step.assign.items() if queries[query].matches(record)]
            part = wanted[0] if wanted and isinstance(record, Paper) else None
            after = migrated(after, step, _axis_of(step, taxonomy), part=part)
        if after != document:
            changes += edit(tree, record, shaped(record, after), order)
    return tuple(changes)


def _axis_of(step: VocabularyStep, taxonomy: Taxonomy) -> Axis:
    """Return the axis of a step by its present or former name; for an unknown one, an axis without terms."""
    axis = next((a for a in taxonomy.axes if step.axis in {a.id, *a.former} or a.id == step.to), None)
    return axis or Axis(id="x", label="", question="", terms=())


def replay(tree: FileTree, corpus: Corpus, foreign: Sequence[VocabularyStep] = ()) -> Plan:
    """Replay the survey's log of migrations, then the steps of another branch (`foreign`) that the log lacks.

    The survey's steps change only records with old names. A step is skipped if its old name is in use again. Steps of
    the other branch also change taxonomy, claims and paper, and are added to the log.
    """
    past = [step for step in read_log(tree) if _is_past(step, corpus.taxonomy)]
    new = [step for step in foreign if step not in read_log(tree)]
    data = tree.read(TAXONOMY) or b""
    raw, _ = yaml_reading.read(data)
    taxonomy = corpus.taxonomy
    changes: list[Change] = []
    for step in new:
        axis = taxonomy.by_id.get(step.axis)
        if axis is None or any(term not in axis.by_id for term in step.terms if term != step.to):
            raise UsageError(f"cannot replay {step}: unknown name", hint="merge both versions of taxonomy.yaml by hand")
        raw = migrated_taxonomy(raw, step, {})
        taxonomy = Taxonomy.model_validate(raw)
    if new:
        changes.append(Change(TAXONOMY, data, yaml_editing.rewrite(data, raw)))
        changes.append(logged(tree, tuple(new)))
        changes += _reworded(tree, new, corpus.taxonomy)
    records = migrated_records(tree, corpus, (*past, *new), corpus.taxonomy)
    return Plan((*changes, *records), failed=unreadable(corpus))


def _reworded(tree: FileTree, steps: Sequence[VocabularyStep], taxonomy: Taxonomy) -> Changes:
    def applied(migrate: Callable[[Any, VocabularyStep, Taxonomy], Any]) -> Callable[[Any], Any]:
        return lambda value: reduce(lambda done, step: migrate(done, step, taxonomy), steps, value)

    return (
        *reworded(tree, applied(migrated_claims)),
        *reworded(tree, applied(migrated_manuscript), PAPER),
        *reworded(tree, lambda value: reduce(migrated_protocol, steps, value), PROTOCOL),
        *decided(tree, lambda value: reduce(migrated_decision, steps, value)),
    )


def _is_past(step: VocabularyStep, taxonomy: Taxonomy) -> bool:
    """True if the names removed by a step are not in use, so that records with these names are old."""
    if not step.terms:
        return step.axis not in taxonomy.by_id
    axis = _axis_of(step, taxonomy)
    if step.do == "split":
        return step.terms[0] in axis.parents
    return all(term not in axis.by_id or axis.by_id[term].deprecated is not None for term in step.moves)


Requested = tuple[VocabularyStep, dict[str, str]]
"""A step, and the labels of new terms."""


def rename(corpus: Corpus, old: str, new: str, *, on: date, label: str | None = None) -> Requested:
    """Rename a term (`AXIS=OLD`) or an axis (`AXIS`); raises `UsageError` if the new name is taken or not valid."""
    axis, terms = read_terms(old, corpus.taxonomy)
    name = _id(new.removeprefix(f"{axis.id}="))
    if len(terms) > 1:
        raise UsageError("rename one term at a time", hint=f"awesome taxonomy merge {old} --into {name}")
    taken = axis.by_id if terms else corpus.taxonomy.by_id
    if name in taken:
        hint = f"awesome taxonomy merge {old} --into {name}" if terms else "choose another name"
        raise UsageError(f"{name!r} already exists", hint=hint)
    return VocabularyStep(on=on, do="rename", axis=axis.id, terms=terms, to=name), {name: label} if label else {}


def merge(corpus: Corpus, old: str, into: str, *, on: date, label: str | None = None) -> Requested:
    """Merge terms (`AXIS=A,B`) into an existing or new term."""
    axis, terms = read_terms(old, corpus.taxonomy)
    name = _id(into.removeprefix(f"{axis.id}="))
    gone = tuple(term for term in terms if term != name)
    if not gone or (name not in axis.by_id and len(gone) < 2):
        raise UsageError(f"nothing to merge into {name!r}", hint="awesome taxonomy merge AXIS=A,B --into C")
    return VocabularyStep(on=on, do="merge", axis=axis.id, terms=gone, to=name), {name: label} if label else {}


def split(corpus: Corpus, old: str, parts: Sequence[str], *, on: date, assign: Sequence[str] = ()) -> Requested:
    """Split a term (`AXIS=OLD`) into parts (`ID` or `ID:Label`); `PART=QUERY` codes matching papers with PART."""
    axis, terms = read_terms(old, corpus.taxonomy)
    if len(terms) != 1:
        raise UsageError("split one term at a time", hint="awesome taxonomy split AXIS=OLD NEW NEW")
    labels = {_id(name): label for name, _, label in (part.partition(":") for part in parts)}
    if len(labels) < 2:
        raise UsageError("a split needs two parts or more", hint=f"awesome taxonomy split {old} NEW NEW")
    for name in labels:
        if name in axis.by_id and axis.by_id[name].parent != terms[0]:
            raise UsageError(f"{axis.id} already has a term {name!r}", hint="choose another name")
    queries: dict[str, str] = {}
    for text in assign:
        name, equals, query = text.partition("=")
        if not equals or name not in labels:
            raise UsageError(f"{text!r} is not a valid PART=QUERY", hint=f"parts: {', '.join(labels)}")
        corpus.query(query)
        queries[name] = query
    step = VocabularyStep(on=on, do="split", axis=axis.id, terms=terms, into=tuple(labels), assign=queries)
    return step, {name: label for name, label in labels.items() if label}


def deprecate(corpus: Corpus, old: str, use: str, *, on: date) -> Requested:
    """Retire a term (`AXIS=OLD`): it stays in the taxonomy with a mark that names its successor."""
    axis, terms = read_terms(old, corpus.taxonomy)
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
