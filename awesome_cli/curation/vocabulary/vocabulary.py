"""What a change of the vocabulary does to `taxonomy.yaml`, the claims and the protocol, wherever they name a term."""

from collections.abc import Callable, Mapping
from typing import Any

from awesome_cli.curation.editing.naming import each
from awesome_cli.curation.editing.queries import rewritten
from awesome_cli.curation.vocabulary.steps import VocabularyStep
from awesome_cli.errors import UsageError
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.query.parser import parse

Value = Any
QUERIES = frozenset(["required_for", "counted", "where"])
AXIS_LISTS = frozenset(["badges", "tables", "gaps", "crosstabs"])
AXIS_NAMES = frozenset(["axis", "rows", "columns", "group_by"])


def migrated_taxonomy(raw: dict[str, Value], step: VocabularyStep, labels: Mapping[str, str]) -> dict[str, Value]:
    """The text of a taxonomy after a step, as `yaml_reading` reads it; `labels` are those of new terms."""
    document = _references(raw, step)
    axes = [_axis(axis, step, labels) if axis["id"] == step.axis else axis for axis in document["axes"]]
    document = {**document, "axes": axes}
    if step.do == "rename" and step.terms and document.get("artifact"):
        document["artifact"] = _published_words(document["artifact"], step)
    return document


def _axis(axis: dict[str, Value], step: VocabularyStep, labels: Mapping[str, str]) -> dict[str, Value]:
    if not step.terms:
        renamed = {name: step.to if name == "id" else value for name, value in axis.items()}
        return _former(renamed, [step.axis], before="terms")
    terms = list(axis["terms"])
    if step.do == "split":
        place = next(i for i, term in enumerate(terms) if term["id"] == step.terms[0])
        known = {term["id"] for term in terms}
        parts = [
            {"id": part, "label": labels.get(part, part.replace("_", " ")), "parent": step.terms[0]}
            for part in step.into
            if part not in known
        ]
        terms[place + 1 : place + 1] = parts
        return {**axis, "terms": terms}
    if step.do == "deprecate":
        mark = {"use": step.to, "on": step.on}
        return {**axis, "terms": [{**t, "deprecated": mark} if t["id"] in step.terms else t for t in terms]}
    return {**axis, "terms": _joined_terms(terms, step, labels)}


def _joined_terms(
    terms: list[dict[str, Value]], step: VocabularyStep, labels: Mapping[str, str]
) -> list[dict[str, Value]]:
    """The terms after a merge: into one of them, or into a new one in place of the first."""
    gone = [term for term in terms if term["id"] in step.moves]
    stays = next((term for term in terms if term["id"] == step.to), None)
    kept = dict(stays if stays is not None else gone[0])
    names = [name for term in gone for name in (term["id"], *_many(term.get("former")))]
    kept["id"] = step.to
    if step.to in labels:
        kept["label"] = labels[str(step.to)]
    kept = _former(kept, names)
    if kept.get("parent") in {step.to, *step.moves}:
        kept.pop("parent")
    result: list[dict[str, Value]] = []
    place = stays if stays is not None else gone[0]
    for term in terms:
        if term is place:
            result.append(kept)
        elif term["id"] not in step.moves:
            result.append({**term, "parent": step.to} if term.get("parent") in step.moves else term)
    return [_use(term, step.moves) for term in result]


def _use(term: dict[str, Value], moves: Mapping[str, str]) -> dict[str, Value]:
    mark = term.get("deprecated")
    if not isinstance(mark, dict) or mark.get("use") not in moves:
        return term
    return {**term, "deprecated": {**mark, "use": moves[mark["use"]]}}


def _former(entry: dict[str, Value], names: list[str], *, before: str | None = None) -> dict[str, Value]:
    former = list(dict.fromkeys([*_many(entry.get("former")), *(name for name in names if name != entry["id"])]))
    value: Value = former[0] if len(former) == 1 else former
    if not former:
        return entry
    if "former" in entry or before not in entry:
        return {**entry, "former": value}
    # Short fields stand before a long list.
    result: dict[str, Value] = {}
    for name, child in entry.items():
        if name == before:
            result["former"] = value
        result[name] = child
    return result


def _many(value: Value) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _published_words(artifact: dict[str, Value], step: VocabularyStep) -> dict[str, Value]:
    """Published columns keep their word for a renamed term, so that scripts still work."""

    def column(entry: dict[str, Value]) -> dict[str, Value]:
        if entry.get("axis") != step.axis:
            return entry
        words = dict(entry.get("words") or {})
        for old, new in step.moves.items():
            words[new] = words.pop(old, old)
        return {**entry, "words": words}

    return {name: [column(entry) for entry in columns] for name, columns in artifact.items()}


def _references(value: Value, step: VocabularyStep, name: str | None = None, within: str | None = None) -> Value:
    """A value in which all names of the axis and its terms are updated, outside the axis itself."""
    if isinstance(value, dict):
        within = value.get("axis", within) if isinstance(value.get("axis"), str) else within
        # What stands under the name of the axis are its terms, and names for them.
        under = {key: name if name == step.axis else key for key in value}
        result = {_key(key, step): _references(child, step, under[key], within) for key, child in value.items()}
        if "impossible" in value and step.moves:
            result["impossible"] = [_pair(pair, value, step) for pair in value["impossible"] or ()]
        return result
    if isinstance(value, list):
        return [_references(child, step, name, within) for child in value]
    if not isinstance(value, str):
        return value
    if name in QUERIES:
        return rewritten(value, names(step))
    if not step.terms and name in AXIS_NAMES | AXIS_LISTS and value == step.axis:
        return step.to
    if (name in {"term", "terms", "read_as"} and within == step.axis) or name == step.axis:
        return step.moves.get(value, value)
    return value


def _key(name: str, step: VocabularyStep) -> str:
    return step.to if step.to is not None and not step.terms and name == step.axis else name


def _pair(pair: list[str], entry: Mapping[str, Value], step: VocabularyStep) -> list[str]:
    axes = (entry.get("rows"), entry.get("columns"))
    pairs = zip(pair, axes, strict=False)
    return [step.moves.get(term, term) if axis == step.axis else term for term, axis in pairs]


def names(step: VocabularyStep) -> Callable[[str, str], tuple[str, str]]:
    """The new name and value of a name and value in a query."""

    def renamed(name: str, value: str) -> tuple[str, str]:
        if name != step.axis:
            return name, value
        return (step.to or name, value) if not step.terms else (name, step.moves.get(value, value))

    return renamed


def migrated_protocol(value: Value, step: VocabularyStep) -> Value:
    """The protocol after a step: the axis and the terms of its evidence."""
    return {**value, "evidence": _references(value["evidence"], step)} if "evidence" in value else value


def migrated_decision(value: Value, step: VocabularyStep) -> Value:
    """A screening decision after a step: the tags that a near-miss nearly has."""
    if "near_miss" not in value:
        return value
    tags = [rewritten(tag, names(step)) for tag in _many(value["near_miss"])]
    return {**value, "near_miss": tags[0] if isinstance(value["near_miss"], str) else tags}


def migrated_claims(value: Value, step: VocabularyStep, taxonomy: Taxonomy) -> Value:
    """The claims after a step; bare terms are rewritten in texts that are queries."""

    def bare(term: str) -> str:
        return step.moves.get(term, term) if taxonomy.axes_of.get(term) == (step.axis,) else term

    def text(value: str) -> str:
        axis, dot, rest = value.partition(".")
        if not step.terms and axis == step.axis:
            return f"{step.to}{dot}{rest}"
        try:
            parse(value, taxonomy)
        except UsageError:
            return rewritten(value, names(step)) if "=" in value else value
        return rewritten(value, names(step), bare=bare)

    return each(_references(value, step), text)
