"""Shell completion. This module is imported only when a shell requests completions.

The metavar of a parameter selects its completions: `--by AXIS` and `--stratify AXIS` both complete axes.
"""

import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from awesome_cli.cli._corpus import require_vocabulary, vocabulary
from awesome_cli.cli._session import CommandSession
from awesome_cli.files.tree import WorkingTree

if TYPE_CHECKING:
    from awesome_cli.model.fields import RecordField
    from awesome_cli.model.taxonomy import Taxonomy


Words = Iterable[str | tuple[str, str]]
"""Completions, with or without a description."""


@dataclass(frozen=True)
class TypedWord:
    """The word to complete: `word` is its typed beginning, `before` the words before it on the line."""

    session: CommandSession
    word: str
    before: tuple[str, ...]

    @property
    def taxonomy(self) -> "Taxonomy":
        """The codebook; raises `SurveyError` if it cannot be read."""
        return require_vocabulary(self.session)


Source = Callable[[TypedWord], Words]


def among(words: Collection[str]) -> Source:
    return lambda _: words


def _stems(*folders: str) -> Source:
    """Complete the keys of the records in some folders."""

    def source(typed: TypedWord) -> Words:
        paths = (typed.session.root / folder for folder in folders)
        return sorted(file.stem for path in paths if path.is_dir() for file in path.iterdir() if file.suffix == ".yaml")

    return source


def _entries(attribute: str) -> Source:
    """Complete the ids of a list of the taxonomy: axes, stages, measures and so on."""
    return lambda typed: [(entry.id, entry.label) for entry in getattr(typed.taxonomy, attribute)]


def _after_comma(source: Source) -> Source:
    """Complete the last entry of a comma-separated list, without repeating entries: `device,b` to `device,beans`."""

    def last(typed: TypedWord) -> Words:
        done, comma, _ = typed.word.rpartition(",")
        present = done.split(",")
        return ((f"{done}{comma}{value}", text) for value, text in _pairs(source(typed)) if value not in present)

    return last


def _pairs(words: Words) -> Iterable[tuple[str, str]]:
    return (word if isinstance(word, tuple) else (word, "") for word in words)


def _tags(typed: TypedWord) -> Words:
    """Complete `axis=`, then terms separated by commas, then `:strength`."""
    name, equals, rest = typed.word.partition("=")
    if not equals:
        return [(f"{axis.id}=", axis.label) for axis in typed.taxonomy.axes]
    axis = typed.taxonomy.by_id[name]
    done, comma, last = rest.rpartition(",")
    term, colon, _ = last.partition(":")
    if colon:
        return [f"{name}={done}{comma}{term}:{strength}" for strength in (*axis.strength_ids, "part")]
    return [(f"{name}={done}{comma}{term.id}", term.label) for term in axis.terms if term.deprecated is None]


def _tags_and_axes(typed: TypedWord) -> Words:
    return _tags(typed) if "=" in typed.word else _entries("axes")(typed)


def _terms(typed: TypedWord) -> Words:
    """Complete the terms of the axis that an earlier argument `AXIS=TERM` names."""
    axes = (word.partition("=")[0] for word in typed.before if "=" in word)
    return [(term.id, term.label) for axis in axes for term in typed.taxonomy.by_id[axis].terms]


def _query(typed: TypedWord) -> Words:
    """Complete the last condition of a query: an axis or a field, then its terms or values."""
    from awesome_cli.model.fields import FIELDS

    before, blank, word = typed.word.rpartition(" ")
    last = TypedWord(typed.session, word, typed.before)
    name, equals, _ = word.partition("=")
    if equals and name in FIELDS:
        matches = _values_of(last, FIELDS[name], name)
    else:
        signs = {"text": "~", "number": ">=", "date": ">="}
        fields = [f"{field}{signs.get(row.kind, '=')}" for field, row in FIELDS.items()] if not equals else []
        matches = [*_tags(last), *fields]
    return ((f"{before}{blank}{value}", text) for value, text in _pairs(matches))


def _values_of(typed: TypedWord, row: "RecordField", name: str) -> Words:
    known = {"kind": KINDS, "flag": ("yes", "no")}.get(name if name == "kind" else row.kind, ())
    values = _entries(row.words)(typed) if row.words else known
    return ((f"{name}={value}", text) for value, text in _pairs(values))


def _assignments(typed: TypedWord) -> Words:
    """Complete `field=` for the fields that `set` can change, then the values of that field."""
    from awesome_cli.model.fields import RECORD_FIELDS
    from awesome_cli.model.records import KINDS as MODELS
    from awesome_cli.model.records import Identifiers

    name, equals, _ = typed.word.partition("=")
    if equals:
        rows = [row for row in RECORD_FIELDS if name in {row.name, row.path} and row.words]
        return [word for row in rows for word in _values_of(typed, row, name)]
    fields = {field for model in MODELS.values() for field in model.model_fields} - {"key", "tags", "identifiers"}
    return [
        f"{field}=" for field in (*sorted(fields), *(f"identifiers.{scheme}" for scheme in Identifiers.model_fields))
    ]


def _columns(typed: TypedWord) -> Words:
    from awesome_cli.model.fields import COLUMNS

    return [*COLUMNS, *_entries("axes")(typed), *_entries("measures")(typed)]


def _claims(typed: TypedWord) -> Words:
    from awesome_cli.model.claims import PATH, Claims
    from awesome_cli.survey.loading import read_file

    file = read_file(WorkingTree(typed.session.root), Claims, PATH)[0] or Claims()
    return [(claim.id, claim.statement) for claim in file.claims]


def _codes(_: TypedWord) -> Words:
    from awesome_cli.publish.manual import manual

    return [(code, text.partition("\n")[0]) for code, text in manual().pages.items()]


def _explained(typed: TypedWord) -> Words:
    """Complete the topics of `awesome explain`: codes, words of the tool, and axes and terms of the survey, if any."""
    from awesome_cli.analysis.glossary import names

    survey = _tags_and_axes(typed) if vocabulary(typed.session) else ()
    return [*_codes(typed), *names(), *survey]


def _topics(typed: TypedWord) -> Words:
    from awesome_cli.cli.verbs import VERBS
    from awesome_cli.publish.manual import pages, title

    if len(typed.before) > 1:
        return ()
    return [*VERBS, *((topic, title(path)) for topic, path in pages().items() if topic not in VERBS)]


KINDS = ("paper", "candidate", "exclusion")
SOURCES: Mapping[str, Source] = {
    **dict.fromkeys(("KEY", "KEY|PATH", "KEY|REFERENCE", "OLD", "A B"), _stems("corpus", "exclusions", "candidates")),
    **dict.fromkeys(("AXIS=TERM", "AXIS=TERM[:STRENGTH]", "AXIS=TERM:STRENGTH", "AXIS=TERM,TERM"), _tags),
    **dict.fromkeys(("TERM|AXIS", "AXIS[=TERM]"), _tags_and_axes),
    "CANDIDATE": _stems("candidates"),
    "readmit ID": _stems("exclusions"),
    "ID": _claims,
    "audit report NAME": _stems("audits"),
    "explain NAME": _explained,
    "TOPIC": _topics,
    "CODE": _codes,
    "AXIS": _entries("axes"),
    "AXIS[,AXIS]": _after_comma(_entries("axes")),
    "TERM": _terms,
    "QUERY": _query,
    "FIELD=VALUE": _assignments,
    "NAME,NAME": _after_comma(_columns),
    "[-]COLUMN": _columns,
    "MEASURE": _entries("measures"),
    "STAGE": _entries("stages"),
    "REASON": _entries("reasons"),
    "GRADE": _entries("grades"),
    "LEVEL": _entries("confidences"),
    "DIRECTION": among(("for", "against")),
    "KIND": among(KINDS),
    "WHEN": among(("auto", "always", "never")),
}
"""Completions by metavar; a key `command METAVAR` applies to that command only."""
CHOICES: Mapping[str, Source] = {
    "add --key": among(()),
    "dedupe --fail-on": among(("any", "same", "version", "wrong_link")),
    "check-links --fail-on": among(("moved", "dead", "blocked", "unknown", "identity")),
    "evidence --missing": among(("evidence", "source", "locator", "quote")),
    "add --on-duplicate": among(("error", "skip", "add", "link", "ask")),
    "import --on-duplicate": among(("skip", "add", "link", "error", "ask")),
}
"""Completions by `command --option`, for options whose values depend on the command."""


BREAKS = "=:"
"""Characters at which bash splits a word; bash replaces only the text after the last of them."""
MEANING = 60
"""Maximum length of a description, in characters."""
CHOICE = re.compile(r"\[?[a-z_0-9]+(\|[a-z_0-9]+)+\]?")


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion, with the attributes that Typer reads."""

    value: str
    help: str | None = None
    type: str = "plain"


def line(environment: Mapping[str, str]) -> list[str]:
    """Return the words between the program name and the word to complete."""
    if "COMP_WORDS" in environment:
        count = environment.get("COMP_CWORD", "")
        return environment["COMP_WORDS"].split()[1 : int(count) if count.isdigit() else None]
    words = environment.get("_TYPER_COMPLETE_ARGS", "").split(" ")
    return [word for word in words[1:-1] if word]


def prepare(command: Any, environment: MutableMapping[str, str]) -> None:
    """Attach completions to all parameters of a command, and silence standard error.

    `environment` holds the shell's request. Words that bash split are joined there, because Typer reads it too.
    """
    sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
    length = _join_words(environment)
    _attach(command, "", partial(_answer, length=length, before=line(environment)))


def _join_words(environment: MutableMapping[str, str]) -> int:
    """Join the words that bash split at `=` and `:`, and return the length of the part that bash will replace.

    `--where device = dr` becomes `--where device=dr` and gives 2. Without a split word the length is `sys.maxsize`.
    """
    words = environment.get("COMP_WORDS", "").split("\n")
    count = environment.get("COMP_CWORD", "")
    if len(words) < 2 or not count.isdigit():
        return sys.maxsize
    out: list[str] = []
    glued = False
    for word in words[: int(count) + 1]:
        broken = word != "" and set(word) <= set(BREAKS)
        glue = bool(out) and (broken or glued)
        out[-1:] = [out[-1] + word] if glue else [*out[-1:], word]
        glued, last, parted = broken, "" if broken else word, glue
    environment.update(COMP_WORDS="\n".join(out), COMP_CWORD=str(len(out) - 1))
    return len(last) if parted else sys.maxsize


def _attach(command: Any, path: str, answer: Callable[[Source], Any]) -> None:
    for parameter in command.params:
        name = str(parameter.metavar or "")
        place = f"{path} {max(parameter.opts, key=len)}".strip()
        if CHOICE.fullmatch(name):
            parameter.shell_complete = answer(among(re.findall(r"\w+", name)))
        elif source := CHOICES.get(place) or SOURCES.get(f"{path} {name}".strip()) or SOURCES.get(name):
            parameter.shell_complete = answer(source)
    for name, inner in getattr(command, "commands", {}).items():
        _attach(inner, f"{path} {name}".strip(), answer)


def _answer(source: Source, length: int, before: Sequence[str]) -> Callable[[Any, str], list[Completion]]:
    """Return Typer's completion function for a source; after an error, the function returns no completions."""

    def answered(ctx: Any, word: str) -> list[Completion]:
        directory = ctx.find_root().params.get("directory")
        typed = TypedWord(CommandSession(Path(directory) if directory else None), word, tuple(before))
        try:
            return list(_fitting(source(typed), word, length))
        except Exception:  # noqa: BLE001 - messages would disturb the typed line
            return []

    return answered


def _fitting(words: Words, word: str, length: int) -> Iterator[Completion]:
    cut = max(0, len(word) - length)
    for value, text in _pairs(words):
        if value.startswith(word):
            # Typer wraps longer lines, which shells cannot read.
            yield Completion(value[cut:], shorten(text, MEANING, placeholder=" …") if text else None)
