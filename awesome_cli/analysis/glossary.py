"""The glossary: definitions of the words in help, messages and files, with lists from the survey."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from awesome_cli import formats
from awesome_cli.analysis.claims.perturbations import FAMILY_TEXTS
from awesome_cli.analysis.gaps.cells import GapReason
from awesome_cli.analysis.gaps.report import MEANINGS
from awesome_cli.files import yaml_reading
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.identifiers import SCHEMES
from awesome_cli.model.taxonomy import Named, Taxonomy
from awesome_cli.query import parser, searching
from awesome_cli.reports.report import Block, Code, Section, Table, Text
from awesome_cli.text.folding import forms

PATH = Path(__file__).with_name("glossary.yaml")
Rows = tuple[Sequence[str], Sequence[tuple[str, ...]]]
"""Column names and rows of a list."""
ENTRY = ("id", "label", "definition")
EXITS = [
    ("0", "success, or the answer is yes"),
    ("1", "the answer is no: findings, a failed claim, a stale file, a refusal"),
    ("2", "the command line is not valid"),
    ("3", "no answer: unreadable survey, no network, no git"),
    ("4", "some of several items failed; each is named"),
    ("130", "interrupted"),
]
VARIABLES = [
    ("AWESOME_CONTACT", "e-mail address in the user agent, as Crossref and other services request"),
    ("AWESOME_CACHE_DIR", "folder of the cache"),
    ("AWESOME_HTTP_TIMEOUT", "timeout of a request in seconds"),
    ("AWESOME_HTTP_DELAY", "delay between two requests to one host in seconds"),
    ("AWESOME_TRUSTED", "private addresses that may be fetched, separated by spaces"),
    ("AWESOME_LIMITS", "factor for the size limits of imported files and traces, from 1 to 999999"),
    ("AWESOME_OPENALEX_KEY", "API key of OpenAlex, required for more than a few searches a day; sent only there"),
    ("AWESOME_OPENALEX_URL", "base URL of OpenAlex"),
    ("AWESOME_ARXIV_HTML_URL", "base URL of arXiv's HTML pages; each service has such a variable"),
    ("VISUAL, EDITOR", "editor opened by 'awesome edit'"),
    ("NO_COLOR, FORCE_COLOR", "never use colours, or use them even if the output is not a terminal"),
    ("SOURCE_DATE_EPOCH", "timestamp used as now, in seconds since 1970, for reproducible results"),
]


def _entries(entries: tuple[Named, ...]) -> Rows:
    return ENTRY, [(entry.id, entry.label, entry.definition) for entry in entries]


def _retired(taxonomy: Taxonomy) -> Rows:
    terms = [(a.id, t.id, note) for a in taxonomy.axes for t in a.terms if (note := a.retirement(t.id))]
    terms += [(a.id, old, a.retirement(old) or "") for a in taxonomy.axes for t in a.terms for old in t.former]
    strengths = [
        (a.id, entry.id, f"retired on {entry.on}; use {entry.use}") for a in taxonomy.axes for entry in a.retired
    ]
    return ("axis", "word", "replacement"), [*terms, *strengths]


OF_SURVEY: Mapping[str, Callable[[Taxonomy], Rows]] = {
    "stages": lambda taxonomy: _entries(taxonomy.stages),
    "reasons": lambda taxonomy: _entries(taxonomy.reasons),
    "confidences": lambda taxonomy: _entries(taxonomy.confidences),
    "grades": lambda taxonomy: _entries(taxonomy.grades),
    "axes": lambda taxonomy: (("axis", "label", "question"), [(a.id, a.label, a.question) for a in taxonomy.axes]),
    "strengths": lambda taxonomy: (
        ("axis", "strength", "definition"),
        [(a.id, strength.id, strength.definition) for a in taxonomy.axes for strength in a.strengths[::-1]],
    ),
    "measures": lambda taxonomy: (ENTRY, [(m.id, m.label, m.question) for m in taxonomy.measures]),
    "retired": _retired,
}
"""Lists taken from the taxonomy."""
OF_ALL: Mapping[str, Callable[[], Rows]] = {
    "states": lambda: (("state", "meaning"), [(state.value, text) for state, text in MEANINGS.items()]),
    "gap_reasons": lambda: (("reason", "meaning"), [(reason.value, reason.words()) for reason in GapReason]),
    "fields": lambda: (("field", "kind", "meaning"), [(name, f.kind, f.help) for name, f in FIELDS.items()]),
    "schemes": lambda: (("scheme", "meaning", "example"), [(s.name, s.title, s.example) for s in SCHEMES.values()]),
    "exits": lambda: (("code", "meaning"), EXITS),
    "variables": lambda: (("variable", "meaning"), VARIABLES),
    "families": lambda: (("family", "change"), [(name.value, text) for name, text in FAMILY_TEXTS.items()]),
    "formats": lambda: (("format", "use"), _formats()),
    "words": lambda: (("word", "meaning"), _meanings()),
}
"""Lists that are the same in every survey."""
ONE_BY_ONE = {
    "fields": "field of queries",
    "schemes": "identifier",
    "exits": "exit code",
    "formats": "format",
    "families": "family",
}
"""Lists whose entries also have a page each, with the label of an entry."""


def _formats() -> list[tuple[str, ...]]:
    written = [(name, f"written by 'awesome export {name}': {about}") for name, about in formats.completions()]
    endings = {name: ", ".join(f".{e}" for e in form.endings) for name, form in formats.import_formats().items()}
    return [*written, *((name, f"read from {files}") for name, files in endings.items())]


def _meanings() -> list[tuple[str, ...]]:
    return [(word, re.split(r"(?<=[.])\s", _text(word), maxsplit=1)[0]) for word in sorted(words(), key=str.casefold)]


def _text(word: str) -> str:
    language = searching if word == "search" else parser
    return str(words()[word].get("text") or inspect.cleandoc(language.__doc__ or ""))


@cache
def words() -> Mapping[str, Mapping[str, Any]]:
    """Return the entries of `glossary.yaml` by word; each has a `text`, and may have `example`, `also` and `list`."""
    entries: Mapping[str, Mapping[str, Any]] = yaml_reading.read(PATH.read_bytes())[0]
    return entries


def names() -> list[str]:
    """Return the names that have a page in every survey."""
    entries = [row[0] for name in ONE_BY_ONE for row in OF_ALL[name]()[1]]
    return [*(name for word in words() for name in synonyms(word)), *entries]


def synonyms(word: str) -> list[str]:
    """Return a word of the glossary and its synonyms."""
    return [word, *words()[word].get("also", ())]


def sections(
    name: str, taxonomy: Taxonomy | None, further: Mapping[str, Rows]
) -> Iterator[tuple[Section, dict[str, object]]]:
    """Yield the section of a word and its JSON, nothing for unknown words; `further` are more lists by name."""
    for kind, label in ONE_BY_ONE.items():
        for first, *rest in OF_ALL[kind]()[1]:
            if forms(first) & forms(name):
                text = "; ".join(filter(None, rest))
                yield Section(f"{first} ({label})", (Text(text),)), {"what": label, "id": first, "text": text}
    matching = (word for word in words() if any(forms(name) & forms(text) for text in synonyms(word)))
    if word := next(matching, None):
        yield _section(word, taxonomy, further)


def _section(word: str, taxonomy: Taxonomy | None, further: Mapping[str, Rows]) -> tuple[Section, dict[str, object]]:
    entry = words()[word]
    text = _text(word)
    blocks: list[Block] = [Text(text) if "text" in entry else Code(text)]
    if "example" in entry:
        blocks.append(Code(str(entry["example"]), "yaml"))
    table = _list(str(entry.get("list", "")), taxonomy, further)
    data: dict[str, object] = {"what": "word", "id": word, "text": text}
    if table is not None:
        blocks.append(table)
        data["list"] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return Section(word.replace("_", " "), tuple(blocks)), data


def _list(name: str, taxonomy: Taxonomy | None, further: Mapping[str, Rows]) -> Table | None:
    if name in further:
        return Table.of(*further[name])
    if name in OF_ALL:
        return Table.of(*OF_ALL[name]())
    if name in OF_SURVEY and taxonomy is not None:
        return Table.of(*OF_SURVEY[name](taxonomy))
    return None
