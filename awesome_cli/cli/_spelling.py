"""Former spellings of the command line: each is rewritten before it is parsed, with a remark that names the new one.

They work for one release. The table below is their only home: help does not show them, docs/cli.md lists them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awesome_cli.errors import UsageError
from awesome_cli.text.known import nearest

if TYPE_CHECKING:
    from awesome_cli.cli._workspace import Workspace
    from awesome_cli.survey.corpus import Corpus

READINGS = ("claims check", "claims show", "gaps", "list", "stats")
PAIR = ("--rows", "--cols")


@dataclass(frozen=True, slots=True)
class Spelling:
    """An option of some verbs: how it was written and is written, with the value's name where it takes one."""

    verbs: tuple[str, ...]
    old: str
    new: str

    @property
    def options(self) -> tuple[str, ...]:
        """The former options alone."""
        return tuple(re.findall(r"--[a-z-]+", self.old))


SPELLINGS = (
    Spelling(("add", "import", "list"), "--candidate", "--kind candidate"),
    Spelling(("list",), "--candidates", "--kind candidate"),
    Spelling(("import",), "--exclude", "--kind exclusion"),
    Spelling(("list",), "--exclusions", "--kind exclusion"),
    Spelling(("audit import", "set", "tag"), "--by NAME", "--who NAME"),
    Spelling(("evidence",), "--axis AXIS", "--by AXIS"),
    Spelling(("audit sample",), "--axes AXES", "--by AXES"),
    Spelling(("gaps", "plot"), "--rows AXIS --cols AXIS", "--by AXIS,AXIS"),
    Spelling(READINGS, "--from GRADE", "--grade GRADE"),
    Spelling(("claims check", "claims show"), "--strict-contested[=GRADE]", "--reading generous [--grade GRADE]"),
    Spelling(("taxonomy migrate",), "--from REV", "--log REV"),
    Spelling(("trace import",), "--format-of FORMAT", "--from FORMAT"),
    Spelling(("exclude",), "--source TEXT", "--found-in TEXT"),
    Spelling(("trace replay",), "--strict", "--stop"),
)
"""Former options."""
PLAIN = re.compile(r"[\w.-]+")
"""A word that may be a key."""
QUERIES = {"list": "list QUERY", "export": "export FORMAT QUERY", "evidence check": "evidence check QUERY"}
"""Verbs that took a query without `--where`."""


def rewritten(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The words from the verb on in the present spelling, and the remarks on what was written otherwise.

    What follows `--` stays. Raises `UsageError` where the present spelling stands beside a former one.
    """
    verbs = {" ".join(words[:2]), " ".join(words[:1])}
    end = list(words).index("--") if "--" in words else len(words)
    found, remarks = list(words[:end]), []
    for one in SPELLINGS:
        if not verbs.isdisjoint(one.verbs) and any(word.partition("=")[0] in one.options for word in found):
            if any(word.partition("=")[0] == one.new.split()[0] for word in found):
                raise UsageError(
                    f"{one.options[0]} and {one.new.split()[0]} mean the same", hint=f"leave out {one.options[0]}"
                )
            found = _joined(found) if len(one.options) > 1 else list(_replaced(found, one))
            remarks.append(remark(one.old, one.new))
    return [*found, *words[end:]], tuple(remarks)


def _replaced(words: Sequence[str], one: Spelling) -> Iterator[str]:
    """The words with the new spelling of an option; a value in brackets may be left out."""
    new, _, optional = one.new.partition(" [")
    for word in words:
        name, sign, value = word.partition("=")
        if name not in one.options:
            yield word
        elif " " in one.old:
            yield new.split()[0] + sign + value
        else:
            yield from [*new.split(), *([optional.split()[0], value] if optional and value else [])]


def _joined(words: Sequence[str]) -> list[str]:
    """The words with `--by A,B` for `--rows A --cols B`; either may be missing."""
    values, rest, todo = dict.fromkeys(PAIR, ""), list[str](), iter(words)
    for word in todo:
        name, sign, value = word.partition("=")
        if name in values:
            values[name] = value if sign else next(todo, "")
        else:
            rest.append(word)
    return [*rest, "--by", ",".join(values.values()).rstrip(",")]


def remark(old: str, new: str) -> str:
    """The sentence about a former spelling."""
    return f"remark: write '{new}' instead of '{old}', which the next release does not accept"


def query_of(workspace: "Workspace", words: Sequence[str] | None, where: str | None, verb: str) -> str | None:
    """The query, given with `--where` or, with a remark, as plain words.

    Raises `UsageError` for both, and for keys of records, right or mistyped, in place of a query.
    """
    if not words:
        return where
    if where is not None:
        raise UsageError(f"{' '.join(words)!r} and --where are two queries", hint="join them with AND after --where")
    corpus = workspace.readable(candidates=True)
    try:
        corpus.query(" ".join(words))
    except UsageError:
        for word in filter(PLAIN.fullmatch, words):
            _refuse_key(corpus, word, keys=verb == "evidence check")
    workspace.say(remark(f"awesome {QUERIES[verb]}", f"awesome {present(verb)}"))
    return " ".join(words)


def _refuse_key(corpus: "Corpus", word: str, *, keys: bool) -> None:
    """Raise `UsageError` for a word that is a key, where the verb takes no `keys`, or that is meant to be one."""
    if word in corpus.by_key and not keys:
        raise UsageError(f"{word!r} is a record, not a query", hint=f"awesome show {word}")
    if keys or nearest(word, [*corpus.taxonomy.axes_of, *corpus.by_key]) in corpus.by_key:
        corpus.get(word)


def present(verb: str) -> str:
    """How a verb that took a plain query is written."""
    return QUERIES[verb].replace("QUERY", "--where QUERY")
