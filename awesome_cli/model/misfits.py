"""Messages about invalid values: validation errors of pydantic, errors of parsers, malformed identifiers and URLs."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.model.appearance import ADDRESS, CONTACT
from awesome_cli.model.claims import UNENDED
from awesome_cli.model.codings import CURRENCY, ID, KEY, Frozen
from awesome_cli.model.identifiers import OTHER_URL, SCHEMES, is_url, read
from awesome_cli.model.records import DAY_OR_LESS, EXCLUSION_KEY, AnyRecord, Exclusion, Identifiers
from awesome_cli.text.known import shown

PATTERNS: Mapping[str, str] = {
    ID: "lower-case letters, digits, '_' and '-', a letter or digit first",
    KEY: "lower-case letters, digits, '.', '_' and '-', a letter or digit first",
    EXCLUSION_KEY: "letters, digits, '.', '_' and '-', a letter or digit first",
    ADDRESS: "an https URL such as https://github.com/OWNER/NAME",
    CONTACT: "an e-mail address such as name@example.org, or an https URL such as https://example.org/contact",
    UNENDED: "a text without a final '.', '!' or '?'",
    CURRENCY: "the three capital letters of a currency, such as USD",
    DAY_OR_LESS: "a day, a month or a year such as 2025-01-31, 2025-01 or 2025",
}
"""Descriptions of the texts that a pattern matches, by pattern."""
WANTED: Mapping[str, str] = {
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float", "int_parsing_size"), "must be a whole number"),
    **dict.fromkeys(("float_parsing", "float_type", "finite_number"), "must be a number"),
    **dict.fromkeys(
        ("date_parsing", "date_type", "date_from_datetime_parsing", "date_from_datetime_inexact"),
        "must be a date such as 2025-01-31",
    ),
    **dict.fromkeys(("bool_parsing", "bool_type"), "must be true or false"),
    **dict.fromkeys(("tuple_type", "list_type"), "must be a list"),
    **dict.fromkeys(("dict_type", "mapping_type"), "must be a mapping of fields"),
    **dict.fromkeys(("model_type", "model_attributes_type"), "must be a mapping of fields{fields}"),
    "string_type": "must be a string",
    "string_unicode": "must be a string",
    "string_too_short": "must not be empty",
    "string_too_long": "must have {max_length} or fewer characters",
    "too_short": "must hold {min_length} or more entries",
    "too_long": "must hold {max_length} or fewer entries",
    "string_pattern_mismatch": "must be {pattern_text}",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "value_error": "{error}",
    "missing": "is missing",
    "extra_forbidden": "is not a known field here",
}
"""Messages by pydantic's error type; pydantic's error context fills their placeholders."""
JSON_WORDS: Mapping[str, str] = {
    "Expecting value": "a value is missing",
    "Expecting property name": "a name in double quotes is missing, or a comma is superfluous",
    "Illegal trailing comma": "a comma is superfluous",
    "Expecting ':'": "':' is missing",
    "Expecting ','": "',' is missing",
    "Extra data": "more text follows the end of the value",
    "Unterminated string": "a string is not closed with double quotes",
    "Invalid control character": "a string contains a line break or a control character",
    "Invalid \\": "a backslash does not begin a valid escape; write two",
}
"""Causes of invalid JSON, by the start of Python's error message."""

FIELDS_SHOWN = 8
"""Maximum number of field names in a message."""


def where(error: Mapping[str, Any]) -> str:
    """Return the dotted path of the field of a pydantic error; empty for the whole value."""
    return ".".join(str(step) for step in error["loc"] if step != "[key]")


def misfit(error: Mapping[str, Any]) -> str:
    """Return the message for an entry of pydantic's `errors()`: `year: must be a whole number, not 'x'`."""
    kind, name, got = error["type"], where(error), error.get("input")
    context = dict(error.get("ctx") or {})
    context["pattern_text"] = PATTERNS.get(context.get("pattern", ""), "spelled differently")
    context["fields"] = _fields_of(context.get("class_name"))
    text = WANTED.get(kind, "is not a valid value").format(**context)
    if kind in {"missing", "extra_forbidden"}:
        return f"{name} {text}"
    simple = got is None or isinstance(got, str | int | float)
    instead = f", not {shown(got)}" if simple and kind not in {"value_error", "string_too_short"} else ""
    return f"{name}: {text}{instead}" if name else f"{text}{instead}"


def _fields_of(name: object) -> str:
    """Return ` (a, b)`, the field names of a model; if it has many, the required ones or else the first few."""
    models = list(Frozen.__subclasses__())
    for model in models:
        models += model.__subclasses__()
    for model in (m for m in models if m.__name__ == name):
        fields = list(model.model_fields)
        if len(fields) > FIELDS_SHOWN:
            fields = [name for name in fields if model.model_fields[name].is_required()] or fields[:FIELDS_SHOWN]
        return f" ({', '.join(fields)})"
    return ""


def unread(error: Exception) -> str:
    """Convert a parsing library's exception to a message, with the line if known."""
    import csv  # Imported here, since only mistakes need it.

    if isinstance(error, json.JSONDecodeError):
        why = next((cause for start, cause in JSON_WORDS.items() if error.msg.startswith(start)), "it is not JSON")
        return f"line {error.lineno}, column {error.colno}: {why}"
    if isinstance(error, csv.Error):
        large = "limit" in str(error)
        return "a cell is too long: a quote is not closed" if large else "the quotes of a cell do not match"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if "Exceeds the limit" in str(error):  # Python's bound on the digits of a whole number.
        return "a number has too many digits"
    if isinstance(error, AttributeError | LookupError | TypeError):
        return "a value does not have the expected type"
    return " ".join(str(error).split())[:300]


Route = tuple[str | int, ...]
KINDS = (*SCHEMES, "url", "arxiv_version")
"""Kinds of misspellings: a scheme (its id is invalid), `url`, or `arxiv_version` (it has no arXiv id)."""


@dataclass(frozen=True, slots=True)
class Misspelling:
    """An invalid value, its route, and the `awesome set` assignments (`FIELD=VALUE …`) that correct the value."""

    route: Route
    value: str
    message: str
    assignment: str


def misspellings(record: AnyRecord, kind: str) -> Iterator[Misspelling]:
    """Yield the invalid values of a record; `kind` is one of `KINDS`."""
    if kind == "url":
        wrong = [pair for pair in addresses_of(record) if not is_url(pair[1])]
        wrong += [pair for pair in sources_of(record) if OTHER_URL.match(pair[1])]
        for route, address in wrong:
            yield Misspelling(route, address, f"{address!r} is not a valid URL", f"{_path(route)}=…")
        return
    for route, identifiers in identifiers_of(record):
        if kind != "arxiv_version":
            yield from _malformed(kind, getattr(identifiers, kind), route)
        elif identifiers.arxiv_version is not None and identifiers.arxiv is None:
            place = (*route, kind)
            yield Misspelling(
                place, str(identifiers.arxiv_version), "the arXiv version has no arXiv id", f"{_path(place)}="
            )


def _malformed(scheme: str, text: str | None, route: Route) -> Iterator[Misspelling]:
    row = SCHEMES[scheme]
    if text is None or row.is_id(text):
        return
    message, parsed, place = f"{text!r} is not {row.title}", read(scheme, text), (*route, scheme)
    right = f"{_path(place)}={parsed.id if parsed else '…'}"
    if parsed and parsed.version:
        message += f"; write the version v{parsed.version} in arxiv_version"
        right += f" {_path((*route, 'arxiv_version'))}={parsed.version}"
    yield Misspelling(place, text, message, right)


def identifiers_of(record: AnyRecord) -> Iterator[tuple[Route, Identifiers]]:
    """Yield `(route, identifiers)` for a record and each of the record's other versions."""
    yield ("identifiers",), record.identifiers
    if not isinstance(record, Exclusion):
        for i, version in enumerate(record.versions):
            yield ("versions", i, "identifiers"), version.identifiers


def addresses_of(record: AnyRecord) -> Iterator[tuple[Route, str]]:
    """Yield `(route, url)` for each link of a record and of its other versions."""
    if isinstance(record, Exclusion):
        urls: list[tuple[Route, str | None]] = [(("url",), record.url)]
    else:
        urls = [(("links", i, "url"), link.url) for i, link in enumerate(record.links)]
        urls += [(("versions", i, "url"), version.url) for i, version in enumerate(record.versions)]
    yield from ((route, address) for route, address in urls if address is not None)


def sources_of(record: AnyRecord) -> Iterator[tuple[Route, str]]:
    """Yield `(route, text)` for each source in a record, and for each source and URL in its former versions."""
    if not isinstance(record, Exclusion):
        pairs = ((axis, *pair) for axis, tags in record.tags.items() for pair in enumerate(tags))
        held: dict[Route, Any] = {("tags", axis, i): tag for axis, i, tag in pairs}
        held |= {(*route, "contested"): tag.contested for route, tag in held.items() if tag.contested}
        held |= {("measures", name): fact for name, fact in record.measures.items()}
        held |= {("provenance", name): origin for name, origin in record.provenance.items()}
        yield from (((*route, "source"), part.source) for route, part in held.items() if part.source)
    for name in ("history", "readmitted", "paper", "retraction", "rejected", "corrections"):
        if value := getattr(record, name, None):
            yield from _sources_in(value, (name,))


def _sources_in(value: Any, route: Route) -> Iterator[tuple[Route, str]]:
    inside = vars(value) if isinstance(value, Frozen) else value
    for name, part in inside.items() if isinstance(inside, Mapping) else enumerate(inside):
        if isinstance(part, str):
            if name in {"source", "url"}:
                yield (*route, name), part
        elif isinstance(part, Frozen | dict | list | tuple):
            yield from _sources_in(part, (*route, name))


def _path(route: Route) -> str:
    return ".".join(map(str, route))
