"""What a rule is: a function with a code and a level, whose docstring is its manual page. `@rule` registers it."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from awesome_cli.errors import UsageError
from awesome_cli.query.parser import parse
from awesome_cli.reports.findings import Level, RawFinding
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import listed, nearest, unknown

if TYPE_CHECKING:
    from awesome_cli.model.audits import Audit
    from awesome_cli.model.records import AnyRecord
    from awesome_cli.model.taxonomy import Taxonomy

Route = tuple[str | int, ...]


class Found(NamedTuple):
    """One finding of a rule, without the code, which is the rule's: where, what is wrong, and what puts it right.

    `route` leads to a value by field names and indexes; `at_key` points to the field's name instead.
    `place` is a line and a column, for findings that concern the whole file.
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
    """A rule; without `check` its findings come from reading the files."""

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
        """The name of the file in which the rule is written."""
        return self.check.__module__.rpartition(".")[2] if self.check else "reading"


REGISTRY: dict[str, Rule] = {}
"""The rules of the topic files that have been imported, by code; `checking.RULES` has all."""


def rule(code: str, level: Level) -> Callable[[Check], Check]:
    """Register the function below as a rule; its docstring becomes the manual page."""

    def register(check: Check) -> Check:
        page(code, level, inspect.getdoc(check) or "", check)
        return check

    return register


def page(code: str, level: Level, manual: str, check: Check | None = None) -> None:
    """Register a rule by its manual page; raises `ValueError` without a page and for a code that is in use."""
    if not manual or code in REGISTRY:
        raise ValueError(f"rule {code}: {'this code is in use' if manual else 'the docstring is missing'}")
    REGISTRY[code] = Rule(code, level, manual, check)


def run(corpus: Corpus, rules: Iterable[Rule]) -> Iterator[RawFinding]:
    """What some rules find in a corpus."""
    for one in watched(tuple(rules), "checking rules"):
        if one.check is not None:
            yield from (RawFinding(one.code, *found) for found in one.check(corpus))


def at(
    record: "AnyRecord | Audit", route: Route, message: str, fix: str | None = None, *, at_key: bool = False
) -> Found:
    """A finding in a record or an audit."""
    return Found(record.path, route, message, fix, record.key, at_key)


def spelt(word: str, known: Collection[str]) -> str:
    """The fix for an unknown word: the nearest known one, or all of them."""
    close = nearest(word, known)
    return f"write {close!r} instead of {word!r}" if close else listed(known)


def choose(command: str, word: str, known: Iterable[str]) -> str:
    """The fix for a choice: a command with a placeholder, and the words for it after `#`, which a shell leaves out."""
    return f"{command} # {word}: {', '.join(known)}"


def unparsed(path: str, route: Route, text: str, taxonomy: "Taxonomy", key: str | None = None) -> Iterator[Found]:
    """A finding if a text is not a query in the vocabulary of a taxonomy."""
    try:
        parse(text, taxonomy)
    except UsageError as error:
        yield Found(path, route, error.message, error.hint, key)


def unknown_in(
    path: str, route: Route, word: str | None, known: Collection[str], what: str, key: str | None = None
) -> Iterator[Found]:
    """A finding if `word` is not one of the known ones; `what` says what kind of word it is."""
    if word is not None and word not in known:
        yield Found(path, route, unknown(word, known, what), spelt(word, known), key)
