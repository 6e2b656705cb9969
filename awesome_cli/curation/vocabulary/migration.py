"""Apply a change of the vocabulary to a survey's files: log, taxonomy, records, claims, paper, protocol.

`rename taste=sour -> acid` changes the tag `taste: sour` to `taste: acid`, and queries `taste=sour` to `taste=acid`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from pydantic import ValidationError

from awesome_cli.curation.editing.naming import Rewrite, each, rewritten
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.files import canonical, yaml_editing, yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Frozen, Many
from awesome_cli.model.misfits import misfit
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.query.parser import parse
from awesome_cli.survey.saving import Change

LOG = "migrations.yaml"
HEAD = b"""# What changed in the vocabulary, oldest first.
# Written by 'awesome taxonomy'; 'awesome taxonomy migrate' replays it on records of an old branch.
"""


class VocabularyStep(Frozen):
    """One change of the vocabulary.

    A `rename` without terms renames the axis. After a `split`, the term is the parent of the terms in `into`. `assign`
    has a query by part; the papers that match are coded with the part at once.
    """

    on: date
    do: Literal["rename", "merge", "split", "deprecate"]
    axis: str
    terms: Many[str] = ()
    to: str | None = None
    into: Many[str] = ()
    assign: Mapping[str, str] = {}

    @property
    def moves(self) -> dict[str, str]:
        """Successors by removed term; empty for a split and for an axis."""
        return {term: self.to for term in self.terms if self.to is not None and term != self.to}

    def __str__(self) -> str:
        names = ", ".join(f"{self.axis}={term}" for term in self.terms) or self.axis
        return f"{self.do} {names} -> {', '.join(self.into) or self.to}"


def read_log(tree: FileTree) -> tuple[VocabularyStep, ...]:
    """Return the migrations of a survey, oldest first; raises `SurveyError` if the log cannot be read."""
    data = tree.read(LOG)
    if data is None:
        return ()
    value, findings = yaml_reading.read(data)
    if findings:
        raise SurveyError(f"{LOG}:{findings[0].line}: {findings[0].message}", hint=f"correct {LOG}")
    try:
        return tuple(VocabularyStep.model_validate(entry) for entry in (value or {}).get("migrations") or ())
    except (ValidationError, AttributeError, TypeError) as error:
        what = misfit(error.errors()[0]) if isinstance(error, ValidationError) else "it is not a list of migrations"
        raise SurveyError(f"{LOG} cannot be used: {what}", hint=f"correct {LOG}") from None


def logged(tree: FileTree, steps: tuple[VocabularyStep, ...]) -> Change:
    """Return the change that adds steps to the log."""
    before = tree.read(LOG)
    entries = [step.model_dump(exclude_defaults=True) for step in steps]
    if before is None:
        return Change(LOG, None, HEAD + canonical.dump({"migrations": entries}).encode())
    read_log(tree)  # raises for an invalid log
    log = yaml_reading.read(before)[0] or {}
    document = {**log, "migrations": [*(log.get("migrations") or ()), *entries]}
    return Change(LOG, before, yaml_editing.rewrite(before, document))


Document = dict[str, Any]


def migrated(document: Document, step: VocabularyStep, axis: Axis, *, part: str | None = None) -> Document:
    """Apply a step to the document of a record; `part` is the term that a split assigns to it.

    Nested records (`paper` of an exclusion, `readmitted` of a paper) are changed, too.
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

    def near_miss(entry: Document) -> Document:
        return {**entry, "term": step.moves.get(entry["term"], entry["term"])} if entry["axis"] == step.axis else entry

    def revised(entry: Document, key: str) -> Document:
        is_moved = entry["field"] == field and key in entry
        return {**entry, key: _terms(entry[key], step.moves, axis)} if is_moved else entry

    _change_entries(document, "near_miss", near_miss)
    _change_entries(document, "history", lambda entry: revised(entry, "was"))
    _change_entries(document, "corrections", lambda entry: revised(entry, "published"))
    return document


def _change_entries(document: Document, name: str, change: Callable[[Any], Any]) -> None:
    if document.get(name):
        document[name] = [change(entry) for entry in document[name]]


def _terms(value: Any, moves: Mapping[str, str], axis: Axis) -> Any:
    """Replace terms in a tag or a list of tags; tags with the same term are merged."""
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


def _joined(left: Any, right: Any, axis: Axis) -> Any:
    """Merge two tags of one term: the stronger one, with the evidence of both."""
    a, b = ({"term": tag} if isinstance(tag, str) else dict(tag) for tag in (left, right))
    if axis.rank.get(str(b.get("strength")), -1) > axis.rank.get(str(a.get("strength")), -1):
        a, b = b, a
    for name in ("evidence", "source"):
        if a.get(name) and b.get(name) and b[name] not in a[name]:
            a[name] = f"{a[name]}{' ' if name == 'evidence' else '; '}{b[name]}"
    merged = {**b, **a}
    return merged["term"] if len(merged) == 1 else merged


def _renamed_axis(document: Document, old: str, new: str) -> Document:
    document, field, renamed = dict(document), f"tags.{old}", f"tags.{new}"
    if old in document.get("tags", {}):
        document["tags"] = {new if name == old else name: value for name, value in document["tags"].items()}
    _change_entries(document, "not_coded", lambda name: new if name == old else name)
    _change_entries(document, "near_miss", lambda near: {**near, "axis": new} if near["axis"] == old else near)
    for name in ("history", "corrections"):
        _change_entries(document, name, lambda e: {**e, "field": renamed} if e["field"] == field else e)
    if field in document.get("provenance", {}):
        provenance = document["provenance"].items()
        document["provenance"] = {renamed if name == field else name: value for name, value in provenance}
    return document


def _split(document: Document, step: VocabularyStep, part: str | None) -> Document:
    """Move the split term to the history and mark the axis as not coded, or replace the term by `part`."""
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
        rest = [tag if _term(tag) != term else part if isinstance(tag, str) else {**tag, "term": part} for tag in tags]
    elif step.axis not in waiting:
        entries.append({"on": step.on, "field": "not_coded", "was": waiting or None, "because": because})
        waiting.append(step.axis)
    without_axis = {name: value for name, value in document["tags"].items() if name != step.axis}
    document = {**document, "tags": {**document["tags"], step.axis: rest} if rest else without_axis}
    return {**document, "not_coded": waiting, "history": [*document.get("history", ()), *entries]}


def _term(tag: Any) -> str | None:
    return tag if isinstance(tag, str) else tag.get("term") if isinstance(tag, Mapping) else None


Value = Any
QUERIES = frozenset(["required_for", "counted", "where", "among"])
OF_QUESTIONS = frozenset(["count", "share", "agreement", "among", "where", "term"])
OF_AXES = frozenset(["axis", "rows", "columns", "group_by", "badges", "tables", "gaps", "crosstabs"])


def migrated_taxonomy(raw: dict[str, Value], step: VocabularyStep, labels: Mapping[str, str]) -> dict[str, Value]:
    """Apply a step to a taxonomy as returned by `yaml_reading`; `labels` are for new terms."""
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
    """Return the terms after a merge into one of them, or into a new term in place of the first."""
    gone = [term for term in terms if term["id"] in step.moves]
    place = next((term for term in terms if term["id"] == step.to), None) or gone[0]
    names = [name for term in gone for name in (term["id"], *_many(term.get("former")))]
    merged = {**place, "id": step.to}
    if step.to in labels:
        merged["label"] = labels[str(step.to)]
    merged = _former(merged, names)
    if merged.get("parent") in {step.to, *step.moves}:
        merged.pop("parent")
    result: list[dict[str, Value]] = []
    for term in terms:
        if term is place:
            result.append(merged)
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
    # Write short fields before a long list.
    place, items = list(entry).index(before), list(entry.items())
    return dict([*items[:place], ("former", value), *items[place:]])


def _many(value: Value) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _published_words(artifact: dict[str, Value], step: VocabularyStep) -> dict[str, Value]:
    """Map a renamed term to its old word in published columns, so that scripts still work."""

    def column(entry: dict[str, Value]) -> dict[str, Value]:
        if entry.get("axis") != step.axis:
            return entry
        words = dict(entry.get("words") or {})
        for old, new in step.moves.items():
            words[new] = words.pop(old, old)
        return {**entry, "words": words}

    return {name: [column(entry) for entry in columns] for name, columns in artifact.items()}


def _references(value: Value, step: VocabularyStep, name: str | None = None, within: str | None = None) -> Value:
    """Update all references to an axis and its terms in a value, except in the definition of the axis."""
    if isinstance(value, dict):
        within = value.get("axis", within) if isinstance(value.get("axis"), str) else within
        # Values under the name of the axis are its terms, and labels for them.
        under = {key: name if name == step.axis else key for key in value}
        renamed = names(step)
        result = {renamed(key, "")[0]: _references(child, step, under[key], within) for key, child in value.items()}
        if "impossible" in value and step.moves:
            result["impossible"] = [_pair(pair, value, step) for pair in value["impossible"] or ()]
        return result
    if isinstance(value, list):
        return [_references(child, step, name, within) for child in value]
    if not isinstance(value, str):
        return value
    if name in QUERIES:
        return rewritten(value, names(step))
    if not step.terms and name in OF_AXES and value == step.axis:
        return step.to
    if (name in {"term", "terms", "read_as"} and within == step.axis) or name == step.axis:
        return step.moves.get(value, value)
    return value


def _pair(pair: list[str], entry: Mapping[str, Value], step: VocabularyStep) -> list[str]:
    axes = (entry.get("rows"), entry.get("columns"))
    pairs = zip(pair, axes, strict=False)
    return [step.moves.get(term, term) if axis == step.axis else term for term, axis in pairs]


def names(step: VocabularyStep) -> Callable[[str, str], tuple[str, str]]:
    """Return a function that maps a name and a value in a query to their new names."""

    def renamed(name: str, value: str) -> tuple[str, str]:
        if name != step.axis:
            return name, value
        return (step.to or name, value) if not step.terms else (name, step.moves.get(value, value))

    return renamed


def migrated_protocol(value: Value, step: VocabularyStep) -> Value:
    """Apply a step to the axis and the terms in the protocol's `evidence`."""
    return {**value, "evidence": _references(value["evidence"], step)} if "evidence" in value else value


def migrated_decision(value: Value, step: VocabularyStep) -> Value:
    """Apply a step to the near-miss tags of a screening decision."""
    if "near_miss" not in value:
        return value
    tags = [rewritten(tag, names(step)) for tag in _many(value["near_miss"])]
    return {**value, "near_miss": tags[0] if isinstance(value["near_miss"], str) else tags}


def migrated_claims(value: Value, step: VocabularyStep, taxonomy: Taxonomy) -> Value:
    """Apply a step to claims; in queries, terms without `AXIS=` are rewritten, too."""
    return each(_references(value, step), _in_queries(step, taxonomy))


def migrated_manuscript(value: Value, step: VocabularyStep, taxonomy: Taxonomy) -> Value:
    """Apply a step to the queries, axes and statistics of `paper.yaml`; names and captions of entries stay."""
    renamed, in_query = names(step), _in_queries(step, taxonomy)

    def changed(name: str, value: Value, entry: dict[str, Value]) -> Value:
        if isinstance(value, dict):
            return {inner: changed(inner, child, value) for inner, child in value.items()}
        if isinstance(value, list):
            return [changed(name, child, entry) for child in value]
        if not isinstance(value, str):
            return value
        if name in OF_QUESTIONS or (name in {"over", "minus"} and "count" in entry):
            return in_query(value)
        if name in {"by", "columns", "sort"}:
            return re.sub(r"\w[\w-]*", lambda match: renamed(match[0], "")[0], value)
        if name == "statistic":
            table, *steps = value.split(".")
            return ".".join((table, *renamed(*steps[:2]), *steps[2:])) if len(steps) > 1 else value
        return value

    return changed("", value, {})


def _in_queries(step: VocabularyStep, taxonomy: Taxonomy) -> Rewrite:
    """Return a function that applies a step to a query, a term or a column of an audit."""

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

    return text
