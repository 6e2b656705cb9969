"""`set`: assign values to fields of a record, from `FIELD=VALUE` on a command line.

`year=2026` sets a field, `venue=` clears it, `authors+=Doe, Jane` adds to a list.
"""

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
"""List fields, whose items are separated by semicolons on the command line."""
LINKS = "links"


def assign(record: AnyRecord, assignments: Sequence[str], taxonomy: Taxonomy) -> AnyRecord:
    """Return the record with each `FIELD=VALUE` applied, in order.

    A field is a path (`citation.volume`, `links.0.url`); an empty value clears it. In lists `;` separates items, `+=`
    appends and `-=` removes; a value in brackets or braces is parsed as YAML. A link is `URL` or `LABEL URL`. Raises
    `UsageError` for an unknown field, with the closest match, and for an invalid value.
    """
    if not assignments:
        return record
    document = to_document(record)
    for text in assignments:
        match = ASSIGNMENT.fullmatch(text)
        if match is None:
            raise UsageError(f"{text!r} is not a valid FIELD=VALUE", hint="awesome set KEY year=2026 venue='ICLR 2026'")
        _known(match["field"], type(record), taxonomy)
        refuse_placeholder(match["field"], match["value"])
        _put(document, match["field"], match["op"], match["value"])
    after = shaped(record, document)
    _check_spelling(record, after)
    return after


def _check_spelling(before: AnyRecord, after: AnyRecord) -> None:
    for kind in KINDS:
        old = {misspelt.value for misspelt in misspellings(before, kind)}
        for misspelt in misspellings(after, kind):
            if misspelt.value not in old:
                example = SCHEMES[kind].example if kind in SCHEMES else "https://example.org/paper"
                right = f"write {misspelt.assignment}" if "…" not in misspelt.assignment else f"write it like {example}"
                name = LINKS if misspelt.route[0] == LINKS else ".".join(map(str, misspelt.route))
                raise UsageError(f"{name}: {misspelt.message}", hint=right)


def shaped(record: AnyRecord, document: Mapping[str, Any]) -> AnyRecord:
    """Validate a document as a record of the same kind and key; raises `UsageError` for invalid values."""
    # Values are converted to the strings that the record's file will contain.
    loaded, findings = validated(type(record), canonical.texts(dict(document)), record.path, record.key)
    if loaded is None:
        raise UsageError("; ".join(finding.message for finding in findings), hint=f"see 'awesome schema {record.KIND}'")
    return loaded


def _known(field: str, model: type[AnyRecord], taxonomy: Taxonomy) -> None:
    head, _, rest = field.partition(".")
    if head == "key":
        raise UsageError("'set' does not change keys", hint="awesome rename OLD NEW")
    if head == "tags":
        raise UsageError("'set' does not change tags", hint=f"awesome tag KEY {rest or 'AXIS'}=TERM")
    owner = f"this {model.KIND}"
    if head not in model.model_fields and (hint := _home(head, model, taxonomy)):
        raise UsageError(f"{owner} has no field {head!r}", hint=hint)
    require_known(head, model.model_fields, "field", owner=owner)
    if head == "measures":
        require_known(rest.partition(".")[0], [measure.id for measure in taxonomy.measures], "measure")


def _home(name: str, model: type[AnyRecord], taxonomy: Taxonomy) -> str | None:
    """Return a hint on how to set a value that is not a top-level field, such as `doi`."""
    if name in taxonomy.by_id:
        return f"{name} is an axis: use 'awesome tag KEY {name}=TERM', or 'awesome add --tag {name}=TERM'"
    if name in Identifiers.model_fields:
        return f"write identifiers.{name}=…"
    if name in {"url", "link", "links"}:
        return f"write {'links' if 'links' in model.model_fields else 'url'}=ADDRESS"
    return None


def check_words(record: AnyRecord, taxonomy: Taxonomy, before: AnyRecord | None = None) -> None:
    """Raise `UsageError` with the closest match for an unknown stage, reason or axis that `before` does not have."""
    old = {(what, word) for what, word, _ in _words(before, taxonomy)} if before else set()
    for what, word, known in _words(record, taxonomy):
        if word and (what, word) not in old:
            require_known(word, known, what)


def _words(record: AnyRecord, taxonomy: Taxonomy) -> list[tuple[str, str, list[str]]]:
    """Return `(kind, word, known words)` for each word of the taxonomy in a record."""
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
    """Return the value by which entries of lists are compared: the URL of a link, else the entry."""
    return entry.get("url", entry) if isinstance(entry, dict) else entry


def _step(at: Any, name: str, field: str) -> Any:
    """Descend one step of the path, creating mappings and turning tuples into lists."""
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
            raise UsageError(f"{text!r}: {findings[0].message}", hint="quote texts that contain brackets or ': '")
        if without_unseen(value) != value:
            raise UsageError(f"{text!r} contains an invisible character", hint="remove it")
        return value["value"]
    if many:
        return [part for part in (part.strip() for part in text.split(";")) if part]
    return text or None
