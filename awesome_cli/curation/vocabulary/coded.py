"""What a change of the vocabulary does to a record: its tags, near-misses and their history."""

from collections.abc import Mapping, Sequence
from typing import Any

from awesome_cli.curation.vocabulary.steps import VocabularyStep
from awesome_cli.model.taxonomy import Axis

Document = dict[str, Any]


def migrated(document: Document, step: VocabularyStep, axis: Axis, *, part: str | None = None) -> Document:
    """The document of a record after a step; `part` is the term that a split gives this record at once.

    A record inside a record (`paper` of an exclusion, `readmitted` of a paper) is changed, too.
    """
    if step.do == "split":
        document = _split(document, step, part)
    elif step.terms:
        document = _moved(document, step, axis)
    else:
        document = _renamed_axis(document, step.axis, step.to or step.axis)
    for name, inner in (("paper", None), ("readmitted", "exclusion")):
        nested = document.get(name)
        if isinstance(nested, dict) and nested:
            changed = migrated(nested if inner is None else nested[inner], step, axis)
            document = {**document, name: changed if inner is None else {**nested, inner: changed}}
    return document


def _moved(document: Document, step: VocabularyStep, axis: Axis) -> Document:
    document = dict(document)
    field = f"tags.{step.axis}"
    if step.axis in document.get("tags", {}):
        value = _terms(document["tags"][step.axis], step.moves, axis)
        document["tags"] = {**document["tags"], step.axis: value}
    if document.get("near_miss"):
        document["near_miss"] = [
            {**near, "term": step.moves.get(near["term"], near["term"])} if near["axis"] == step.axis else near
            for near in document["near_miss"]
        ]
    for name, key in (("history", "was"), ("corrections", "published")):
        if document.get(name):
            document[name] = [
                {**entry, key: _terms(entry[key], step.moves, axis)}
                if entry["field"] == field and key in entry
                else entry
                for entry in document[name]
            ]
    return document


def _terms(value: Any, moves: Mapping[str, str], axis: Axis) -> Any:
    """A tag, or a list of tags, with terms replaced; tags of the same term become one."""
    if isinstance(value, str):
        return moves.get(value, value)
    if isinstance(value, Mapping):
        return {**value, "term": moves.get(value["term"], value["term"])} if "term" in value else value
    if not isinstance(value, Sequence):
        return value
    joined: dict[str, Any] = {}
    for tag in (_terms(entry, moves, axis) for entry in value):
        term = _term(tag) or repr(tag)
        joined[term] = _joined(joined[term], tag, axis) if term in joined else tag
    tags = list(joined.values())
    return tags[0] if len(tags) == 1 and isinstance(tags[0], str) else tags


def _joined(one: Any, other: Any, axis: Axis) -> Any:
    """Two tags of one term as one: the stronger one, with the evidence of both."""
    a, b = ({"term": tag} if isinstance(tag, str) else dict(tag) for tag in (one, other))
    if axis.rank.get(str(b.get("strength")), -1) > axis.rank.get(str(a.get("strength")), -1):
        a, b = b, a
    for name in ("evidence", "source"):
        if a.get(name) and b.get(name) and b[name] not in a[name]:
            a[name] = f"{a[name]}{' ' if name == 'evidence' else '; '}{b[name]}"
    merged = {**b, **a}
    return merged["term"] if len(merged) == 1 else merged


def _renamed_axis(document: Document, old: str, new: str) -> Document:
    document = dict(document)
    if old in document.get("tags", {}):
        document["tags"] = {new if name == old else name: value for name, value in document["tags"].items()}
    if document.get("not_coded"):
        document["not_coded"] = [new if name == old else name for name in document["not_coded"]]
    if document.get("near_miss"):
        document["near_miss"] = [
            {**near, "axis": new} if near["axis"] == old else near for near in document["near_miss"]
        ]
    for name in ("history", "corrections"):
        if document.get(name):
            entries = document[name]
            document[name] = [{**e, "field": f"tags.{new}"} if e["field"] == f"tags.{old}" else e for e in entries]
    if f"tags.{old}" in document.get("provenance", {}):
        provenance = document["provenance"].items()
        document["provenance"] = {f"tags.{new}" if name == f"tags.{old}" else name: v for name, v in provenance}
    return document


def _split(document: Document, step: VocabularyStep, part: str | None) -> Document:
    """Remove the split term, keep it in the history, and mark the axis as not coded; or give the part at once."""
    old = document.get("tags", {}).get(step.axis)
    tags = old if isinstance(old, list | tuple) else [old] if old is not None else []
    term = step.terms[0]
    if not any(_term(tag) == term for tag in tags):
        return document
    field, because = f"tags.{step.axis}", f"{term} was split into {', '.join(step.into)}"
    entries: list[Any] = [{"on": step.on, "field": field, "was": old, "because": because}]
    rest: list[Any] = [tag for tag in tags if _term(tag) != term]
    waiting = list(document.get("not_coded", ()))
    if part is not None:
        rest = [tag if _term(tag) != term else _with_term(tag, part) for tag in tags]
    elif step.axis not in waiting:
        entries.append({"on": step.on, "field": "not_coded", "was": waiting or None, "because": because})
        waiting.append(step.axis)
    others = {name: value for name, value in document["tags"].items() if name != step.axis}
    document = {**document, "tags": {**document["tags"], step.axis: rest} if rest else others}
    return {**document, "not_coded": waiting, "history": [*document.get("history", ()), *entries]}


def _term(tag: Any) -> str | None:
    return tag if isinstance(tag, str) else tag.get("term") if isinstance(tag, Mapping) else None


def _with_term(tag: Any, term: str) -> Any:
    return term if isinstance(tag, str) else {**tag, "term": term}
