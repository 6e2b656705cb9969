"""`readmit` an exclusion or `admit` a candidate to the pool; all values of the record are preserved."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic import ValidationError

from awesome_cli.curation.editing import check_key, find
from awesome_cli.curation.editing.excluding import PROPOSAL
from awesome_cli.errors import RefusedError, SurveyError, UsageError
from awesome_cli.files import canonical
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Tag, on_axis
from awesome_cli.model.misfits import misfit
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Link, Paper, Readmission, to_document, to_text
from awesome_cli.survey import keys
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.saving import Change, Plan, create, delete, reread
from awesome_cli.text.grouping import group_pairs


def readmit(tree: FileTree, corpus: Corpus, key: str, *, on: date, new_key: str | None = None) -> Plan:
    """Turn an exclusion into a paper: restore the former paper inside, or turn near-misses into tags.

    A paper that was excluded on the same day gets its former bytes, unless they were edited. On a later day the paper
    stores the exclusion under `readmitted`, so that the pool of an earlier day can be restored.
    """
    exclusion = find(corpus, key)
    if not isinstance(exclusion, Exclusion):
        raise RefusedError(f"{exclusion.path} is not an exclusion", hint=f"awesome show {exclusion.key}")
    if new_key is not None and not (new_key == exclusion.key and new_key == new_key.lower()):
        check_key(corpus, new_key, holder=Paper(key="new", title=exclusion.title, added=on))
    try:
        paper = readmitted(exclusion, on=on, key=new_key or _paper_key(corpus, exclusion), corpus=corpus)
    except ValidationError as error:
        message = f"{exclusion.path}: 'paper' is not a valid paper: {misfit(error.errors()[0])}"
        raise SurveyError(message, hint=f"awesome edit {exclusion.key}") from None
    axes = tuple(corpus.taxonomy.by_id)
    made = create(tree, paper, axes)
    data = tree.read(exclusion.path) or b""
    warnings = tuple(f"{paper.key}: {what}" for what in missing(paper, corpus))
    if data != to_text(exclusion, axes).encode():
        made = _own_text(made, paper, data)
    return Plan((made, delete(tree, exclusion)), warnings)


def _paper_key(corpus: Corpus, exclusion: Exclusion) -> str:
    if exclusion.paper and exclusion.key == exclusion.key.lower():
        return exclusion.key
    taken = keys.Names.of(corpus)
    taken.keys.discard(exclusion.key.casefold())
    return keys.paper_key(exclusion.title, exclusion.authors, exclusion.year, taken)


def readmitted(exclusion: Exclusion, *, on: date, key: str, corpus: Corpus) -> Paper:
    """Return an exclusion as a paper."""
    document: dict[str, Any] = dict(exclusion.paper)
    undone = bool(document.get("added")) and exclusion.screening.on == on
    if not document:
        document = {name: value for name, value in to_document(exclusion).items() if name in Paper.model_fields}
        document["links"] = [Link(label="Paper", url=exclusion.url)] if exclusion.url else []
        document["tags"] = _tags(exclusion, corpus)
        document = _with_fields_of(document, exclusion.extra)
    document.setdefault("added", on)
    document |= _names(document, exclusion)
    if exclusion.key not in {key, *document["aliases"]}:
        document["aliases"].append(exclusion.key)
    if not undone:
        document["readmitted"] = readmission(exclusion, on)
    return Paper.model_validate({"key": key, **document})


def readmission(exclusion: Exclusion, on: date) -> Readmission:
    """Return the entry that keeps an exclusion in the record that replaces it."""
    return Readmission(on=on, id=exclusion.key, exclusion=canonical.texts(to_document(exclusion)))


def _names(document: Mapping[str, Any], record: AnyRecord) -> dict[str, list[str]]:
    """Return `aliases` and `distinct_from` of a former record and of its exclusion, which may have got more."""
    names = ("aliases", "distinct_from")
    return {name: list(dict.fromkeys([*document.get(name, ()), *getattr(record, name)])) for name in names}


def _with_fields_of(document: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Move values from `extra` to the fields that papers have and exclusions do not."""
    moved: dict[str, Any] = {}
    for name in Paper.model_fields.keys() & extra.keys() - Exclusion.model_fields.keys():
        try:
            Paper.model_validate({"key": "new", "title": "T", "added": date.min, name: extra[name]})
        except ValidationError:
            continue
        moved[name] = extra[name]
    return {**document, **moved, "extra": {name: value for name, value in extra.items() if name not in moved}}


def _tags(exclusion: Exclusion, corpus: Corpus) -> dict[str, list[Tag]]:
    known = (near for near in exclusion.near_miss if near.axis in corpus.taxonomy.by_id)
    return group_pairs((n.axis, Tag(term=n.term, strength=n.strength, evidence=n.because)) for n in known)


def _own_text(made: Change, paper: Paper, data: bytes) -> Change:
    """Return the change with the paper's original text, if the exclusion still contains the text with equal values."""
    before, found, inner = data.decode(errors="replace").partition("\npaper:\n")
    lines = []
    for line in inner.splitlines(keepends=True):
        if line.strip() and not line.startswith("  "):
            break
        lines.append(line[2:] if line.strip() else line)
    text = "".join(lines).encode()
    return Change(made.path, None, text) if found and before and reread(paper, text) == paper else made


def admit(tree: FileTree, corpus: Corpus, key: str, *, on: date) -> Plan:
    """Turn a candidate into a paper, added on the day `on`.

    Raises `UsageError` that lists the missing values: required fields and terms on required axes.
    """
    candidate = find(corpus, key)
    if not isinstance(candidate, Candidate):
        message = f"{candidate.path} is not a candidate but already a record ({candidate.KIND})"
        raise RefusedError(message, hint=f"awesome show {key}")
    paper = admitted(candidate, on=on)
    if lacking := missing(paper, corpus):
        ways = (
            f"awesome code --where key={candidate.key}"
            if candidate.is_included
            else f"awesome tag {candidate.key} AXIS=TERM"
        )
        hint = f"{ways}, awesome set {candidate.key} FIELD=VALUE, then admit again"
        raise UsageError(f"{candidate.key} cannot be admitted yet: {'; '.join(lacking)}", hint=hint)
    axes = tuple(corpus.taxonomy.by_id)
    return Plan((create(tree, paper, axes), delete(tree, candidate)))


def admitted(candidate: Candidate, *, on: date) -> Paper:
    """Return a candidate as a paper; its discovery is stored under `extra`."""
    document = to_document(candidate)
    proposal = {name: document.pop(name) for name in PROPOSAL if name in document}
    proposal.pop("proposal", None)
    if proposal:
        document["extra"] = {**document.get("extra", {}), "candidate": canonical.texts(proposal)}
    return Paper.model_validate({"key": candidate.key, **document, "added": on})


def considered(record: AnyRecord) -> Candidate:
    """Return a record as the candidate that it was when it was screened.

    Raises `RefusedError` for an exclusion that was neither a candidate nor a paper.
    """
    if isinstance(record, Candidate):
        return record
    document = to_document(record) if isinstance(record, Paper) else dict(record.paper)
    proposal = record.extra.get("candidate") or {}
    if not document.pop("added", proposal):
        raise RefusedError(f"{record.path} was never a candidate", hint=f"awesome readmit {record.key}")
    extra = {name: value for name, value in document.pop("extra", {}).items() if name != "candidate"}
    names = _names(document, record)
    values = {"key": record.key, "proposal": "retain", **document, **names, "extra": extra, **proposal}
    try:
        return Candidate.model_validate(values)
    except ValidationError as error:
        message = f"{record.path}: its former values are not a valid candidate: {misfit(error.errors()[0])}"
        raise SurveyError(message, hint=f"awesome edit {record.key}") from None


def missing(paper: Paper, corpus: Corpus) -> tuple[str, ...]:
    """Return the missing values of a paper: authors, year, terms on required axes, strengths of terms."""
    lacking = [f"no {name}" for name in ("authors", "year") if not getattr(paper, name)]
    ranked = (axis.id for axis in corpus.taxonomy.axes if axis.strengths)
    weak = (on_axis(axis, tag) for axis in ranked for tag in paper.tags.get(axis, ()) if tag.strength is None)
    return (*lacking, *(f"no {axis}" for axis in uncoded(paper, corpus)), *(f"no strength of {tag}" for tag in weak))


def uncoded(paper: Paper, corpus: Corpus) -> tuple[str, ...]:
    """Return the required axes on which a paper has no term and is not marked `not_coded`."""
    return tuple(
        axis.id
        for axis in corpus.taxonomy.axes
        if axis.required_for is not None
        and not paper.tags_on(axis.id)
        and axis.id not in paper.not_coded
        and corpus.query(axis.required_for).matches(paper)
    )
