"""The registry of rules. `@rule` registers a function with its code and level; its docstring is the manual page."""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from awesome_cli.errors import UsageError
from awesome_cli.query.parser import parse
from awesome_cli.reports.findings import Level, RawFinding
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import repeated
from awesome_cli.text.known import listed, nearest, unknown

if TYPE_CHECKING:
    from awesome_cli.model.audits import Audit
    from awesome_cli.model.records import AnyRecord
    from awesome_cli.model.taxonomy import Taxonomy

Route = tuple[str | int, ...]


class Found(NamedTuple):
    """A finding of a rule, without the code: location, message and fix.

    `route` is the path of a value, by field names and indexes; `at_key` selects the field's name instead. `place` is
    `(line, column)`, for findings about a whole file.
    """

    path: str
    route: Route
    message: str
    fix: str | None = None
    key: str | None = None
    at_key: bool = False
    place: tuple[int, int] | None = None


Check = Callable[[Corpus], Iterator[Found]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. Without `check`, its findings come from reading the files."""

    code: str
    level: Level
    manual: str
    check: Check | None = None

    @property
    def title(self) -> str:
        """The first line of the manual page."""
        return self.manual.partition("\n")[0]

    @property
    def topic(self) -> str:
        """The name of the rule's module."""
        return self.check.__module__.rpartition(".")[2] if self.check else "reading"


FIXABLE = "awesome validate --fix"
"""The fix of a finding that the command can fix without a decision."""
REGISTRY: dict[str, Rule] = {}
"""Code to rule, for the imported modules; `checking.RULES` contains all."""


def rule(code: str, level: Level) -> Callable[[Check], Check]:
    """Register the decorated function as a rule; its docstring becomes the manual page."""

    def register(check: Check) -> Check:
        page(code, level, inspect.getdoc(check) or "", check)
        return check

    return register


def page(code: str, level: Level, manual: str, check: Check | None = None) -> None:
    """Register a rule; raise `ValueError` for an empty manual page or a code in use."""
    if not manual or code in REGISTRY:
        raise ValueError(f"rule {code}: {'this code is in use' if manual else 'the docstring is missing'}")
    REGISTRY[code] = Rule(code, level, manual, check)


def run(corpus: Corpus, rules: Iterable[Rule]) -> Iterator[RawFinding]:
    """Yield the findings of some rules in a corpus."""
    for entry in watched(tuple(rules), "checking rules"):
        if entry.check is not None:
            yield from (RawFinding(entry.code, *finding) for finding in entry.check(corpus))


def at(
    record: "AnyRecord | Audit", route: Route, message: str, fix: str | None = None, *, at_key: bool = False
) -> Found:
    """Build a finding in a record or an audit."""
    return Found(record.path, route, message, fix, record.key, at_key)


def spelt(word: str, known: Collection[str]) -> str:
    """Return the fix for an unknown word: the nearest valid one, or the list of valid ones."""
    close = nearest(word, known)
    return f"write {close!r} instead of {word!r}" if close else listed(known)


def choose(command: str, word: str, known: Iterable[str]) -> str:
    """Return a fix with a placeholder, and its valid values after `#`, which shells ignore."""
    return f"{command} # {word}: {', '.join(known)}"


def unparsed(path: str, route: Route, text: str, taxonomy: "Taxonomy", key: str | None = None) -> Iterator[Found]:
    """Yield a finding if a text is not a valid query."""
    try:
        parse(text, taxonomy)
    except UsageError as error:
        yield Found(path, route, error.message, error.hint, key)


def unknown_in(
    path: str, route: Route, word: str | None, known: Collection[str], kind: str, key: str | None = None
) -> Iterator[Found]:
    """Yield a finding if `word` is not a known word of this kind."""
    if word is not None and word not in known:
        yield Found(path, route, unknown(word, known, kind), spelt(word, known), key)


def repeated_ids(path: str, name: str, ids: Sequence[str]) -> Iterator[Found]:
    """Yield a finding for each id in the list `name` of a file that an earlier entry has."""
    for i, entry in repeated(ids):
        yield Found(path, (name, i, "id"), f"the id {entry!r} is used twice", "rename one of the two")


KEYS = re.compile(r"\bkey\s*=\s*([\w.-]+(?:\s*,\s*[\w.-]+)*)")


def unknown_keys(path: str, route: Route, query: str, corpus: Corpus) -> Iterator[Found]:
    """Yield a finding for each unknown key of a record that a query names."""
    for key in (key.strip() for keys in KEYS.findall(query) for key in keys.split(",")):
        if key not in corpus.by_key and key not in corpus.unread:
            yield from unknown_in(path, route, key, corpus.by_key, "record")


def missing(path: str, route: Route, key: str, corpus: Corpus, holder: str | None = None) -> Iterator[Found]:
    """Yield a finding if a record does not exist; an unreadable one exists."""
    if key not in corpus.by_key and key not in corpus.unread:
        message = unknown(key, corpus.by_key, "record")
        yield Found(path, route, message, "list the keys with 'awesome list'", holder)
