"""Values that do not fit: those that a model or a library refuses, and malformed identifiers and addresses."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.model.appearance import ADDRESS, CONTACT
from awesome_cli.model.codings import ID, KEY, Frozen
from awesome_cli.model.identifiers import SCHEMES, is_url, read
from awesome_cli.model.records import DAY_OR_LESS, EXCLUSION_KEY, AnyRecord, Exclusion, Identifiers
from awesome_cli.text.known import shown

PATTERNS: Mapping[str, str] = {
    ID: "lower-case letters, digits, '_' and '-', a letter or digit first",
    KEY: "lower-case letters, digits, '.', '_' and '-', a letter or digit first",
    EXCLUSION_KEY: "letters, digits, '.', '_' and '-', a letter or digit first",
    ADDRESS: "an https address such as https://github.com/OWNER/NAME",
    CONTACT: "an e-mail address such as name@example.org, or an https address such as https://example.org/contact",
    DAY_OR_LESS: "a day, a month or a year such as 2025-01-31, 2025-01 or 2025",
}
"""What a text must be, by the pattern that a model asks for."""
WANTED: Mapping[str, str] = {
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float", "int_parsing_size"), "must be a whole number"),
    **dict.fromkeys(("float_parsing", "float_type", "finite_number"), "must be a number"),
    **dict.fromkeys(
        ("date_parsing", "date_type", "date_from_datetime_parsing", "date_from_datetime_inexact"),
        "must be a day such as 2025-01-31",
    ),
    **dict.fromkeys(("bool_parsing", "bool_type"), "must be true or false"),
    **dict.fromkeys(("tuple_type", "list_type"), "must be a list"),
    **dict.fromkeys(("dict_type", "mapping_type"), "must be a mapping of fields"),
    **dict.fromkeys(("model_type", "model_attributes_type"), "must be a mapping of fields{fields}"),
    "string_type": "must be a text",
    "string_unicode": "must be a text",
    "string_too_short": "must not be empty",
    "string_too_long": "must have {max_length} or fewer characters",
    "too_short": "must hold {min_length} or more entries",
    "too_long": "must hold {max_length} or fewer entries",
    "string_pattern_mismatch": "must be {words}",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "value_error": "{error}",
    "missing": "is missing",
    "extra_forbidden": "is no field here",
}
"""What was expected, for people who write YAML, by the type of pydantic's error and its context."""
JSON_WORDS: Mapping[str, str] = {
    "Expecting value": "a value is missing",
    "Expecting property name": "a name in double quotes is missing, or there is a comma too many",
    "Illegal trailing comma": "there is a comma too many",
    "Expecting ':'": "':' is missing",
    "Expecting ','": "',' is missing",
    "Extra data": "more text follows the end of the value",
    "Unterminated string": "a text is not closed with double quotes",
    "Invalid control character": "a line break or a control character stands inside a text",
    "Invalid \\": "a backslash begins no escape; write two",
}
"""Why a text is not JSON, by how Python's message begins."""

FIELDS_SHOWN = 8
"""A message names so many fields of a mapping."""


def where(error: Mapping[str, Any]) -> str:
    """The field that an error of pydantic is about, as a path with dots; empty for the whole."""
    return ".".join(str(step) for step in error["loc"] if step != "[key]")


def misfit(error: Mapping[str, Any]) -> str:
    """One sentence for one of the `errors()` of pydantic: `year: must be a whole number, not 'x'`."""
    kind, name, got = error["type"], where(error), error.get("input")
    context = dict(error.get("ctx") or {})
    context["words"] = PATTERNS.get(context.get("pattern", ""), "written in another way")
    context["fields"] = _fields_of(context.get("class_name"))
    text = WANTED.get(kind, "has a form that does not fit").format(**context)
    if kind in {"missing", "extra_forbidden"}:
        return f"{name} {text}"
    simple = got is None or isinstance(got, str | int | float)
    instead = f", not {shown(got)}" if simple and kind not in {"value_error", "string_too_short"} else ""
    return f"{name}: {text}{instead}" if name else f"{text}{instead}"


def _fields_of(name: object) -> str:
    """The fields of a model, in brackets; of one with many, those that it asks for, else the first."""
    models = list(Frozen.__subclasses__())
    for model in models:
        models += model.__subclasses__()
    for model in (one for one in models if one.__name__ == name):
        fields = list(model.model_fields)
        if len(fields) > FIELDS_SHOWN:
            fields = [name for name in fields if model.model_fields[name].is_required()] or fields[:FIELDS_SHOWN]
        return f" ({', '.join(fields)})"
    return ""


def unread(error: Exception) -> str:
    """Why a library could not read a text, in words of this program and with the line where it is known."""
    import csv  # Imported here, since only mistakes need it.

    if isinstance(error, json.JSONDecodeError):
        why = next((words for begin, words in JSON_WORDS.items() if error.msg.startswith(begin)), "it is no JSON")
        return f"line {error.lineno}, column {error.colno}: {why}"
    if isinstance(error, csv.Error):
        large = "limit" in str(error)
        return "a cell is too long: a quote is not closed" if large else "the quotes of a cell do not fit"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if "Exceeds the limit" in str(error):  # Python's bound on the digits of a whole number.
        return "a number has too many digits"
    if isinstance(error, AttributeError | LookupError | TypeError):
        return "a value has another form than expected"
    return " ".join(str(error).split())[:300]


Route = tuple[str | int, ...]
KINDS = (*SCHEMES, "url", "arxiv_version")
"""What may be misspelt: an id of a scheme, an address, a version without its id."""


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A value that is not valid, at its route, and the assignment (`FIELD=VALUE …`) that corrects it."""

    route: Route
    value: str
    message: str
    assignment: str


def misspellings(record: AnyRecord, kind: str) -> Iterator[Misspelling]:
    """The values of one of the KINDS that are not valid."""
    if kind == "url":
        for route, address in _addresses(record):
            if not is_url(address):
                yield Misspelling(route, address, f"{address!r} is not a web address", f"{_path(route)}=…")
        return
    for route, identifiers in identifiers_of(record):
        if kind != "arxiv_version":
            yield from _malformed(kind, getattr(identifiers, kind), route)
        elif identifiers.arxiv_version is not None and identifiers.arxiv is None:
            place = (*route, kind)
            yield Misspelling(
                place, str(identifiers.arxiv_version), "there is an arXiv version but no arXiv id", f"{_path(place)}="
            )


def _malformed(scheme: str, text: str | None, route: Route) -> Iterator[Misspelling]:
    row = SCHEMES[scheme]
    if text is None or row.is_id(text):
        return
    message, found, place = f"{text!r} is not {row.title}", read(scheme, text), (*route, scheme)
    right = f"{_path(place)}={found.id if found else '…'}"
    if found and found.version:
        message += f"; write the version v{found.version} in arxiv_version"
        right += f" {_path((*route, 'arxiv_version'))}={found.version}"
    yield Misspelling(place, text, message, right)


def identifiers_of(record: AnyRecord) -> Iterator[tuple[Route, Identifiers]]:
    """The identifiers of a record and of its other versions, each with its route."""
    yield ("identifiers",), record.identifiers
    if not isinstance(record, Exclusion):
        for i, version in enumerate(record.versions):
            yield ("versions", i, "identifiers"), version.identifiers


def _addresses(record: AnyRecord) -> Iterator[tuple[Route, str]]:
    if isinstance(record, Exclusion):
        named: list[tuple[Route, str | None]] = [(("url",), record.url)]
    else:
        named = [(("links", i, "url"), link.url) for i, link in enumerate(record.links)]
        named += [(("versions", i, "url"), version.url) for i, version in enumerate(record.versions)]
    yield from ((route, address) for route, address in named if address is not None)


def _path(route: Route) -> str:
    return ".".join(map(str, route))
