"""The words that can stand in each place of the command line, by the metavar of the parameter."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awesome_cli.cli._workspace import Workspace
from awesome_cli.files.tree import WorkingTree

if TYPE_CHECKING:
    from awesome_cli.model.fields import RecordField
    from awesome_cli.model.taxonomy import Taxonomy

Words = Iterable[str | tuple[str, str]]
"""Words, or words with what they mean."""


@dataclass(frozen=True)
class TypedWord:
    """Where a word is asked for: in which survey, what was typed of it, and the words before it."""

    workspace: Workspace
    word: str
    before: tuple[str, ...]

    @property
    def taxonomy(self) -> "Taxonomy":
        """The vocabulary; raises `LookupError` without one that can be read."""
        found = self.workspace.vocabulary()
        if found is None:
            raise LookupError
        return found


Source = Callable[[TypedWord], Words]


def among(words: Collection[str]) -> Source:
    """One of some words."""
    return lambda _: words


def _stems(*folders: str) -> Source:
    """The names of the files of folders, without their ending."""

    def source(asked: TypedWord) -> Words:
        paths = (asked.workspace.root / folder for folder in folders)
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
    last = TypedWord(asked.workspace, word, asked.before)
    name, equals, _ = word.partition("=")
    if equals and name in FIELDS:
        found = _words_of(last, FIELDS[name], name)
    else:
        signs = {"text": "~", "number": ">=", "date": ">="}
        fields = [f"{field}{signs.get(row.kind, '=')}" for field, row in FIELDS.items()] if not equals else []
        found = [*_tags(last), *fields]
    return ((f"{before}{blank}{value}", text) for value, text in _pairs(found))


def _words_of(asked: TypedWord, row: "RecordField", name: str) -> Words:
    """The words that a field can have."""
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

    stated = read_file(WorkingTree(asked.workspace.root), Claims, PATH)[0] or Claims()
    return [(claim.id, claim.statement) for claim in stated.claims]


def _codes(_: TypedWord) -> Words:
    from awesome_cli.publish.manual import manual

    return [(code, text.partition("\n")[0]) for code, text in manual().items()]


def _explained(asked: TypedWord) -> Words:
    """What `awesome explain` has a page for: codes, words of the tool, and those of the survey if there is one."""
    from awesome_cli.analysis.glossary import names

    survey = _tags_and_axes(asked) if asked.workspace.vocabulary() else ()
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
