"""Shell completion: what a shell asks, and the words that answer it. Loaded only while a shell completes.

A parameter is known by its metavar, the word that stands for its value in help: options that look alike complete alike.
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
"""Words, or words with what they mean."""


@dataclass(frozen=True)
class TypedWord:
    """Where a word is asked for: in which survey, what was typed of it, and the words before it."""

    session: CommandSession
    word: str
    before: tuple[str, ...]

    @property
    def taxonomy(self) -> "Taxonomy":
        """The vocabulary; raises `SurveyError` without one that can be read."""
        return require_vocabulary(self.session)


Source = Callable[[TypedWord], Words]


def among(words: Collection[str]) -> Source:
    return lambda _: words


def _stems(*folders: str) -> Source:
    """The names of the files of folders, without their ending."""

    def source(asked: TypedWord) -> Words:
        paths = (asked.session.root / folder for folder in folders)
        return sorted(file.stem for path in paths if path.is_dir() for file in path.iterdir() if file.suffix == ".yaml")

    return source


def _listed(attribute: str) -> Source:
    """The entries of a list of the taxonomy: axes, stages, measures and so on."""
    return lambda asked: [(entry.id, entry.label) for entry in getattr(asked.taxonomy, attribute)]


def _after_comma(source: Source) -> Source:
    """A list with commas, of which the last word is completed by one that it does not have yet."""

    def last(asked: TypedWord) -> Words:
        done, comma, _ = asked.word.rpartition(",")
        there = done.split(",")
        return ((f"{done}{comma}{value}", text) for value, text in _pairs(source(asked)) if value not in there)

    return last


def _pairs(words: Words) -> Iterable[tuple[str, str]]:
    return (one if isinstance(one, tuple) else (one, "") for one in words)


def _tags(asked: TypedWord) -> Words:
    """`axis=`, then its terms, of which several may stand with commas, then `:strength`."""
    name, equals, rest = asked.word.partition("=")
    if not equals:
        return [(f"{axis.id}=", axis.label) for axis in asked.taxonomy.axes]
    axis = asked.taxonomy.by_id[name]
    done, comma, last = rest.rpartition(",")
    term, colon, _ = last.partition(":")
    if colon:
        return [f"{name}={done}{comma}{term}:{strength}" for strength in (*axis.strength_ids, "part")]
    return [(f"{name}={done}{comma}{term.id}", term.label) for term in axis.terms if term.deprecated is None]


def _tags_and_axes(asked: TypedWord) -> Words:
    return _tags(asked) if "=" in asked.word else _listed("axes")(asked)


def _terms(asked: TypedWord) -> Words:
    """The terms of the axis that was named before, as `AXIS=TERM`."""
    named = (word.partition("=")[0] for word in asked.before if "=" in word)
    return [(term.id, term.label) for name in named for term in asked.taxonomy.by_id[name].terms]


def _query(asked: TypedWord) -> Words:
    """The last word of a query: an axis or a field, then the terms or words that it can have."""
    from awesome_cli.model.fields import FIELDS

    before, blank, word = asked.word.rpartition(" ")
    last = TypedWord(asked.session, word, asked.before)
    name, equals, _ = word.partition("=")
    if equals and name in FIELDS:
        found = _words_of(last, FIELDS[name], name)
    else:
        signs = {"text": "~", "number": ">=", "date": ">="}
        fields = [f"{field}{signs.get(row.kind, '=')}" for field, row in FIELDS.items()] if not equals else []
        found = [*_tags(last), *fields]
    return ((f"{before}{blank}{value}", text) for value, text in _pairs(found))


def _words_of(asked: TypedWord, row: "RecordField", name: str) -> Words:
    known = {"kind": KINDS, "flag": ("yes", "no")}.get(name if name == "kind" else row.kind, ())
    listed = _listed(row.words)(asked) if row.words else known
    return ((f"{name}={value}", text) for value, text in _pairs(listed))


def _assignments(asked: TypedWord) -> Words:
    """`field=` for each field of a record that `set` can change, then the words that it can have."""
    from awesome_cli.model.fields import RECORD_FIELDS
    from awesome_cli.model.records import KINDS as MODELS
    from awesome_cli.model.records import Identifiers

    name, equals, _ = asked.word.partition("=")
    if equals:
        rows = [row for row in RECORD_FIELDS if name in {row.name, row.path} and row.words]
        return [word for row in rows for word in _words_of(asked, row, name)]
    own = {field for model in MODELS.values() for field in model.model_fields} - {"key", "tags", "identifiers"}
    return [f"{field}=" for field in (*sorted(own), *(f"identifiers.{scheme}" for scheme in Identifiers.model_fields))]


def _columns(asked: TypedWord) -> Words:
    from awesome_cli.model.fields import COLUMNS

    return [*COLUMNS, *_listed("axes")(asked), *_listed("measures")(asked)]


def _claims(asked: TypedWord) -> Words:
    from awesome_cli.model.claims import PATH, Claims
    from awesome_cli.survey.loading import read_file

    stated = read_file(WorkingTree(asked.session.root), Claims, PATH)[0] or Claims()
    return [(claim.id, claim.statement) for claim in stated.claims]


def _codes(_: TypedWord) -> Words:
    from awesome_cli.publish.manual import manual

    return [(code, text.partition("\n")[0]) for code, text in manual().items()]


def _explained(asked: TypedWord) -> Words:
    """What `awesome explain` has a page for: codes, words of the tool, and those of the survey if there is one."""
    from awesome_cli.analysis.glossary import names

    survey = _tags_and_axes(asked) if vocabulary(asked.session) else ()
    return [*_codes(asked), *names(), *survey]


def _topics(asked: TypedWord) -> Words:
    from awesome_cli.cli.verbs import VERBS
    from awesome_cli.publish.manual import pages, title

    if len(asked.before) > 1:
        return ()
    return [*VERBS, *((topic, title(path)) for topic, path in pages().items() if topic not in VERBS)]


KINDS = ("paper", "candidate", "exclusion")
_KEYS = _stems("corpus", "exclusions", "candidates")
SOURCES: Mapping[str, Source] = {
    **dict.fromkeys(("KEY", "KEY|PATH", "KEY|REFERENCE", "OLD", "A B"), _KEYS),
    **dict.fromkeys(("AXIS=TERM", "AXIS=TERM[:STRENGTH]", "AXIS=TERM:STRENGTH", "AXIS=TERM,TERM"), _tags),
    **dict.fromkeys(("TERM|AXIS", "AXIS[=TERM]"), _tags_and_axes),
    "CANDIDATE": _stems("candidates"),
    "readmit ID": _stems("exclusions"),
    "ID": _claims,
    "audit report NAME": _stems("audits"),
    "explain NAME": _explained,
    "TOPIC": _topics,
    "CODE": _codes,
    "AXIS": _listed("axes"),
    "AXIS[,AXIS]": _after_comma(_listed("axes")),
    "TERM": _terms,
    "QUERY": _query,
    "FIELD=VALUE": _assignments,
    "NAME,NAME": _after_comma(_columns),
    "[-]COLUMN": _columns,
    "MEASURE": _listed("measures"),
    "STAGE": _listed("stages"),
    "REASON": _listed("reasons"),
    "GRADE": _listed("grades"),
    "LEVEL": _listed("confidences"),
    "KIND": among(KINDS),
    "WHEN": among(("auto", "always", "never")),
}
"""By metavar; where it means something else in one command, by the command and the metavar."""
CHOICES: Mapping[str, Source] = {
    "add --key": among(()),
    "dedupe --fail-on": among(("any", "same", "version", "wrong_link")),
    "links --fail-on": among(("moved", "dead", "blocked", "unknown", "identity")),
    "evidence --missing": among(("evidence", "source", "locator", "quote")),
    "add --on-duplicate": among(("error", "skip", "add", "link", "ask")),
    "import --on-duplicate": among(("skip", "add", "link", "error", "ask")),
}
"""By the command and the option, where the option takes words of its own or new ones."""


BREAKS = "=:"
"""At these bash begins a new word, which alone it replaces."""
MEANING = 60
"""How long the text beside a word may be."""
CHOICE = re.compile(r"\[?[a-z_0-9]+(\|[a-z_0-9]+)+\]?")


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that a shell may put in, in the form in which Typer hands it over."""

    value: str
    help: str | None = None
    type: str = "plain"


def line(environment: Mapping[str, str]) -> list[str]:
    """The words before the one that is completed, behind the name of the program."""
    if "COMP_WORDS" in environment:
        count = environment.get("COMP_CWORD", "")
        return environment["COMP_WORDS"].split()[1 : int(count) if count.isdigit() else None]
    words = environment.get("_TYPER_COMPLETE_ARGS", "").split(" ")
    return [word for word in words[1:-1] if word]


def prepare(command: Any, environment: MutableMapping[str, str]) -> None:
    """Let a command line answer a shell: with the words of the survey, and without a word on standard error.

    `environment` says what is asked; in it the words of bash are put together for Typer, which reads it, too.
    """
    sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
    kept = _joined(environment)
    _attach(command, "", partial(_answer, kept=kept, before=line(environment)))


def _joined(environment: MutableMapping[str, str]) -> int:
    """Put together what bash took apart at its breaks; gives how long the part is that it will replace.

    For other shells, and for a word that bash did not take apart, it is a length that no word reaches.
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


def _answer(source: Source, kept: int, before: Sequence[str]) -> Callable[[Any, str], list[Completion]]:
    """The completions from a source; none where the survey cannot be read, whatever the reason."""

    def answered(ctx: Any, word: str) -> list[Completion]:
        directory = ctx.find_root().params.get("directory")
        asked = TypedWord(CommandSession(Path(directory) if directory else None), word, tuple(before))
        try:
            return list(_fitting(source(asked), word, kept))
        except Exception:  # noqa: BLE001 - a shell that completes is no place for messages
            return []

    return answered


def _fitting(found: Words, word: str, kept: int) -> Iterator[Completion]:
    cut = max(0, len(word) - kept)
    for value, text in _pairs(found):
        if value.startswith(word):
            # Typer breaks lines that are longer than a terminal is wide.
            yield Completion(value[cut:], shorten(text, MEANING, placeholder=" …") if text else None)
