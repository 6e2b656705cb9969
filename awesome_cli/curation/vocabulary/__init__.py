"""Changes of the vocabulary in the taxonomy, records, queries and claims, with a log for old branches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from awesome_cli.curation.editing.fields import shaped
from awesome_cli.curation.editing.naming import decided, reworded
from awesome_cli.curation.vocabulary.coded import migrated
from awesome_cli.curation.vocabulary.steps import LOG, VocabularyStep, logged, read_log
from awesome_cli.curation.vocabulary.vocabulary import (
    migrated_claims,
    migrated_decision,
    migrated_protocol,
    migrated_taxonomy,
)
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.files import yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Revision
from awesome_cli.model.protocol import PATH as PROTOCOL
from awesome_cli.model.records import Paper, to_document
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.survey.saving import Change, Changes, Plan, edit

__all__ = ["LOG", "VocabularyStep", "Waiting", "change", "read_log", "recode_queue", "replay"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A work that waits to be coded on an axis; `was` are the terms that a split removed."""

    key: str
    axis: str
    was: tuple[str, ...] = ()


def recode_queue(corpus: Corpus) -> tuple[Waiting, ...]:
    """The works that wait for coding, by axis in taxonomy order, then by key."""
    place = {axis: i for i, axis in enumerate(corpus.taxonomy.by_id)}
    found = [
        Waiting(work.key, axis, _taken(work.history, f"tags.{axis}"))
        for work in corpus.works
        for axis in work.not_coded
    ]
    return tuple(sorted(found, key=lambda waiting: (place.get(waiting.axis, len(place)), waiting.key)))


def _taken(history: Sequence[Revision], field: str) -> tuple[str, ...]:
    was = next((entry.was for entry in reversed(history) if entry.field == field), None)
    entries = was if isinstance(was, list | tuple) else [] if was is None else [was]
    return tuple(str(entry["term"]) if isinstance(entry, Mapping) else str(entry) for entry in entries)


def change(tree: FileTree, corpus: Corpus, step: VocabularyStep, labels: Mapping[str, str] | None = None) -> Plan:
    """The plan of a step: taxonomy, records, claims, protocol and log. `labels` are those of new terms.

    Records that cannot be read are left as they are and named as failed.
    """
    data = tree.read(TAXONOMY) or b""
    raw, _ = yaml_reading.read(data)
    after = yaml_editing.rewrite(data, migrated_taxonomy(raw, step, labels or {}))
    _usable(after)
    claims = _reworded(tree, (step,), corpus.taxonomy)
    records = migrated_records(tree, corpus, (step,), corpus.taxonomy)
    named = () if after == data else (Change(TAXONOMY, data, after),)
    changes = (*named, *records, *claims)
    # What was done already is not logged again.
    return Plan((logged(tree, (step,)), *changes) if changes else (), failed=unreadable(corpus))


def _usable(data: bytes) -> None:
    value, findings = yaml_reading.read(data)
    if findings:
        raise SurveyError(f"{TAXONOMY} could not be written: {findings[0].message}")
    Taxonomy.model_validate(value)


def unreadable(corpus: Corpus) -> tuple[str, ...]:
    """The files that a bulk change cannot change, each with the reason."""
    return tuple(f"{finding.path} stays as it is: {finding.message}" for finding in corpus.findings)


def migrated_records(tree: FileTree, corpus: Corpus, steps: Sequence[VocabularyStep], taxonomy: Taxonomy) -> Changes:
    """The changes of all records that some steps touch, applied one after the other."""
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
    """The axis of a step, under the name that it has or had; an unknown one has no strengths to compare."""
    found = next((a for a in taxonomy.axes if step.axis in {a.id, *a.former} or a.id == step.to), None)
    return found or Axis(id="x", label="", question="", terms=())


def replay(tree: FileTree, corpus: Corpus, foreign: Sequence[VocabularyStep] = ()) -> Plan:
    """Apply the survey's own log, and the steps of another branch's log that it lacks.

    Own steps change only records: those that a branch added with the old names. A step whose old name is in use again
    is left out. Steps of the other branch change taxonomy and claims, too, and are added to the log.
    """
    own = [step for step in read_log(tree) if _is_past(step, corpus.taxonomy)]
    new = [step for step in foreign if step not in read_log(tree)]
    data = tree.read(TAXONOMY) or b""
    raw, _ = yaml_reading.read(data)
    taxonomy = corpus.taxonomy
    changes: list[Change] = []
    for step in new:
        if not _applies(step, taxonomy):
            raise UsageError(f"cannot replay {step}: this taxonomy has no such name", hint="merge the taxonomy by hand")
        raw = migrated_taxonomy(raw, step, {})
        taxonomy = Taxonomy.model_validate(raw)
    if new:
        changes.append(Change(TAXONOMY, data, yaml_editing.rewrite(data, raw)))
        changes.append(logged(tree, tuple(new)))
        changes += _reworded(tree, new, corpus.taxonomy)
    records = migrated_records(tree, corpus, (*own, *new), corpus.taxonomy)
    return Plan((*changes, *records), failed=unreadable(corpus))


def _reworded(tree: FileTree, steps: Sequence[VocabularyStep], taxonomy: Taxonomy) -> Changes:
    """The changes of claims and protocol."""

    def claims(value: Any) -> Any:
        return reduce(lambda done, step: migrated_claims(done, step, taxonomy), steps, value)

    return (
        *reworded(tree, claims),
        *reworded(tree, lambda value: reduce(migrated_protocol, steps, value), PROTOCOL),
        *decided(tree, lambda value: reduce(migrated_decision, steps, value)),
    )


def _is_past(step: VocabularyStep, taxonomy: Taxonomy) -> bool:
    """Whether the names that a step removed are out of use, so that a record with them is an old one."""
    if not step.terms:
        return step.axis not in taxonomy.by_id
    axis = _axis_of(step, taxonomy)
    if step.do == "split":
        return step.terms[0] in axis.parents
    return all(term not in axis.by_id or axis.by_id[term].deprecated is not None for term in step.moves)


def _applies(step: VocabularyStep, taxonomy: Taxonomy) -> bool:
    axis = taxonomy.by_id.get(step.axis)
    return axis is not None and all(term in axis.by_id for term in step.terms if term != step.to)
