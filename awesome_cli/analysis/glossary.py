"""The words that help, messages and files use: their meaning, with the survey's own list where there is one."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

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
"""The columns of a list, and its rows."""
ENTRY = ("id", "label", "definition")
EXITS = [
    ("0", "done, or the answer is yes"),
    ("1", "the answer is no: findings, a failed claim, a stale file, a refusal"),
    ("2", "the command line is wrong"),
    ("3", "there is no answer: an unreadable survey, no network, no git"),
    ("4", "some of several items could not be processed; each is named"),
    ("130", "interrupted"),
]
VARIABLES = [
    ("AWESOME_CONTACT", "an e-mail address for the user agent, which Crossref and others ask for"),
    ("AWESOME_CACHE_DIR", "the folder in which answers of services are kept"),
    ("AWESOME_HTTP_TIMEOUT", "the seconds that a whole request may take"),
    ("AWESOME_HTTP_DELAY", "the seconds between two requests to one host"),
    ("AWESOME_TRUSTED", "further addresses, separated by blanks, that may be private"),
    ("AWESOME_LIMITS", "how many times as large as usual files to import and traces may be, from 1 to 999999"),
    ("AWESOME_OPENALEX_KEY", "a key of OpenAlex, which asks for one beyond a few searches a day; sent there alone"),
    ("AWESOME_OPENALEX_URL", "another address of OpenAlex"),
    ("AWESOME_ARXIV_HTML_URL", "another address of arXiv's HTML pages; each service has such a variable"),
    ("VISUAL, EDITOR", "the editor that 'awesome edit' opens"),
    ("NO_COLOR, FORCE_COLOR", "no colours, or colours also where the output is no terminal"),
    ("SOURCE_DATE_EPOCH", "the time that counts as now, in seconds since 1970, so that results can be repeated"),
]


def _entries(entries: tuple[Named, ...]) -> Rows:
    return ENTRY, [(entry.id, entry.label, entry.definition) for entry in entries]


def _retired(taxonomy: Taxonomy) -> Rows:
    terms = [(a.id, t.id, said) for a in taxonomy.axes for t in a.terms if (said := a.retirement(t.id))]
    terms += [(a.id, old, a.retirement(old) or "") for a in taxonomy.axes for t in a.terms for old in t.former]
    strengths = [
        (a.id, entry.id, f"retired on {entry.on}; use {entry.use}") for a in taxonomy.axes for entry in a.retired
    ]
    return ("axis", "word", "what became of it"), [*terms, *strengths]


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
"""Lists of the taxonomy."""
OF_ALL: Mapping[str, Callable[[], Rows]] = {
    "states": lambda: (("state", "meaning"), [(state.value, text) for state, text in MEANINGS.items()]),
    "gap_reasons": lambda: (("reason", "meaning"), [(reason.value, reason.words()) for reason in GapReason]),
    "fields": lambda: (("field", "kind", "what it is"), [(name, f.kind, f.help) for name, f in FIELDS.items()]),
    "schemes": lambda: (("scheme", "what it is", "example"), [(s.name, s.title, s.example) for s in SCHEMES.values()]),
    "exits": lambda: (("code", "meaning"), EXITS),
    "variables": lambda: (("variable", "meaning"), VARIABLES),
    "families": lambda: (("family", "what changes"), [(name.value, text) for name, text in FAMILY_TEXTS.items()]),
    "formats": lambda: (("format", "use"), _formats()),
    "words": lambda: (("word", "meaning"), _meanings()),
}
"""Lists that every survey has."""
ONE_BY_ONE = {
    "fields": "field of queries",
    "schemes": "identifier",
    "exits": "exit code",
    "formats": "format",
    "families": "family",
}
"""Of these lists each entry has a page of its own, too."""


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
def words() -> Mapping[str, Mapping[str, object]]:
    """Every word of the glossary with its entry: the text, an example, further words, and the name of its list."""
    found: Mapping[str, Mapping[str, object]] = yaml_reading.read(PATH.read_bytes())[0]
    return found


def names() -> list[str]:
    """Everything that has a page in every survey."""
    listed = [row[0] for name in ONE_BY_ONE for row in OF_ALL[name]()[1]]
    return [*(name for word in words() for name in (word, *_also(word))), *listed]


def _also(word: str) -> list[str]:
    found: list[str] = words()[word].get("also", [])  # type: ignore[assignment]
    return found


def entry_of(name: str) -> str | None:
    """The word of the glossary that a name means, in any case, singular or plural; None for no word."""
    for word in words():
        if forms(name) & {form for text in (word, *_also(word)) for form in forms(text)}:
            return word
    return None


def sections(
    name: str, taxonomy: Taxonomy | None, further: Mapping[str, Rows]
) -> Iterator[tuple[Section, dict[str, object]]]:
    """The section of a word, with its form for machines; none for another word. `further` are more lists by name."""
    for kind, label in ONE_BY_ONE.items():
        for first, *rest in OF_ALL[kind]()[1]:
            if forms(first) & forms(name):
                text = "; ".join(filter(None, rest))
                yield Section(f"{first} ({label})", (Text(text),)), {"what": label, "id": first, "text": text}
    word = entry_of(name)
    if word is not None:
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
