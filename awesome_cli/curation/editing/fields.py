"""`set`: give fields of a record new values, written as texts on a command line."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.files import canonical, yaml_reading
from awesome_cli.model.drafts import link
from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.identifiers import SCHEMES
from awesome_cli.model.misfits import KINDS, misspellings
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Identifiers, to_document
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey.loading import validated
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.known import refuse_placeholder, require_known

ASSIGNMENT = re.compile(r"(?P<field>[\w.-]+?)(?P<op>\+=|-=|=)(?P<value>.*)", re.DOTALL)
LISTS = frozenset(field.name for field in RECORD_FIELDS if field.many)
"""Fields that take several texts, on the command line separated by semicolons."""
LINKS = "links"


def assign(record: AnyRecord, assignments: Sequence[str], taxonomy: Taxonomy) -> AnyRecord:
    """The record after each `FIELD=VALUE`, in their order.

    A field is a path (`citation.volume`, `links.0.url`); an empty value removes it; lists take `;` between texts,
    `+=` to append and `-=` to remove; a value in brackets or braces is read as YAML. A link is `ADDRESS` or
    `LABEL ADDRESS`. Raises `UsageError` for a field that does not exist, with the nearest, and for a value that does
    not fit or that `validate` would call an error.
    """
    if not assignments:
        return record
    document = to_document(record)
    for text in assignments:
        found = ASSIGNMENT.fullmatch(text)
        if found is None:
            raise UsageError(f"{text!r} is not FIELD=VALUE", hint="awesome set KEY year=2026 venue='ICLR 2026'")
        _known(found["field"], type(record), taxonomy)
        refuse_placeholder(found["field"], found["value"])
        _put(document, found["field"], found["op"], found["value"])
    after = shaped(record, document)
    _check_spelling(record, after)
    return after


def _check_spelling(before: AnyRecord, after: AnyRecord) -> None:
    for kind in KINDS:
        old = {found.value for found in misspellings(before, kind)}
        for found in misspellings(after, kind):
            if found.value not in old:
                example = SCHEMES[kind].example if kind in SCHEMES else "https://example.org/paper"
                right = f"write {found.assignment}" if "…" not in found.assignment else f"write it like {example}"
                name = LINKS if found.route[0] == LINKS else ".".join(map(str, found.route))
                raise UsageError(f"{name}: {found.message}", hint=right)


def shaped(record: AnyRecord, document: Mapping[str, Any]) -> AnyRecord:
    """A document as a record of the same kind and key; raises `UsageError` that says what does not fit."""
    # A value is kept as the text that it will be in the record's file.
    loaded, findings = validated(type(record), canonical.texts(dict(document)), record.path, record.key)
    if loaded is None:
        raise UsageError("; ".join(finding.message for finding in findings), hint=f"see 'awesome schema {record.KIND}'")
    return loaded


def _known(field: str, model: type[AnyRecord], taxonomy: Taxonomy) -> None:
    head, _, rest = field.partition(".")
    if head == "key":
        raise UsageError("a record's key is its file's name", hint="awesome rename OLD NEW")
    if head == "tags":
        raise UsageError("'set' does not change tags", hint=f"awesome tag KEY {rest or 'AXIS'}=TERM")
    owner = f"this {model.KIND}"
    if head not in model.model_fields and (hint := _home(head, model, taxonomy)):
        raise UsageError(f"{owner} has no field {head!r}", hint=hint)
    require_known(head, model.model_fields, "field", owner=owner)
    if head == "measures":
        require_known(rest.partition(".")[0], [measure.id for measure in taxonomy.measures], "measure")


def _home(name: str, model: type[AnyRecord], taxonomy: Taxonomy) -> str | None:
    """How to set a value that is not a field of its own, such as `doi`."""
    if name in taxonomy.by_id:
        return f"{name} is an axis: give terms with 'awesome tag KEY {name}=TERM', or 'add --tag {name}=TERM'"
    if name in Identifiers.model_fields:
        return f"write identifiers.{name}=…"
    if name in {"url", "link", "links"}:
        return f"write {'links' if 'links' in model.model_fields else 'url'}=ADDRESS"
    return None


def check_words(record: AnyRecord, taxonomy: Taxonomy, before: AnyRecord | None = None) -> None:
    """Raise `UsageError`, naming the nearest, for a stage, a reason or an axis that the taxonomy does not have.

    What the record has had `before` is not judged.
    """
    old = {(what, word) for what, word, _ in _words(before, taxonomy)} if before else set()
    for what, word, known in _words(record, taxonomy):
        if word and (what, word) not in old:
            require_known(word, known, what)


def _words(record: AnyRecord, taxonomy: Taxonomy) -> list[tuple[str, str, list[str]]]:
    """What each word of the taxonomy in a record is, the word, and those that the taxonomy has."""
    words: list[tuple[str, str, list[str]]] = []
    screening = record.screening if isinstance(record, Exclusion) else record if isinstance(record, Candidate) else None
    if screening is not None:
        words += [("stage", screening.stage or "", [stage.id for stage in taxonomy.stages])]
        words += [("reason", screening.reason or "", [reason.id for reason in taxonomy.reasons])]
    if not isinstance(record, Exclusion):
        words += [("axis", axis, list(taxonomy.by_id)) for axis in record.not_coded]
    return words


def _put(document: dict[str, Any], field: str, op: str, text: str) -> None:
    *parents, last = field.split(".")
    at: Any = document
    for name in parents:
        at = _step(at, name, field)
    if len(parents) == 1 and parents[0] == "measures" and text and not text.startswith("{"):
        at, last = _step(at, last, field), "value"
    value = _value(text, many=field in LISTS or field == LINKS or op != "=")
    if field == LINKS:
        value = [_link(entry) if isinstance(entry, str) else entry for entry in value]
    key: Any = _place(at, last, field)
    if op != "=":
        old = list(at.get(key) or ()) if isinstance(at, dict) else []
        gone = [_same(entry) for entry in value]
        new = [entry for entry in value if entry not in old]
        value = [*old, *new] if op == "+=" else [entry for entry in old if _same(entry) not in gone]
    if value in (None, []) and isinstance(at, dict):
        at.pop(key, None)
    elif value is None:
        del at[key]
    elif isinstance(at, list) and key == len(at):
        at.append(value)
    else:
        at[key] = value


def _link(text: str) -> dict[str, str]:
    label, _, address = text.rpartition(" ")
    return link(label.strip() or "Paper", address)


def _same(entry: Any) -> Any:
    """What tells an entry of a list from others: of a link, its address."""
    return entry.get("url", entry) if isinstance(entry, dict) else entry


def _step(at: Any, name: str, field: str) -> Any:
    """Go one step down the path, making mappings on the way; tuples become lists, so that they can change."""
    key = _place(at, name, field)
    child = at.get(key) if isinstance(at, dict) else at[key]
    if not isinstance(child, dict | list):
        child = list(child) if isinstance(child, tuple) else {}
    at[key] = child
    return child


def _place(at: Any, name: str, field: str) -> Any:
    if isinstance(at, dict):
        return name
    if name.isdigit() and int(name) <= len(at):
        return int(name)
    raise UsageError(f"{field}: {name!r} is not a position in a list of {len(at)}")


def _value(text: str, *, many: bool) -> Any:
    text = text.strip()
    if text[:1] in {"[", "{"}:
        value, findings = yaml_reading.read(b"value: " + text.encode())
        if findings:
            raise UsageError(f"{text!r}: {findings[0].message}", hint="quote texts that hold brackets or ': '")
        if without_unseen(value) != value:
            raise UsageError(f"{text!r} holds an invisible character", hint="leave it out")
        return value["value"]
    if many:
        return [part for part in (part.strip() for part in text.split(";")) if part]
    return text or None
