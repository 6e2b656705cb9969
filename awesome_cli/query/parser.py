"""One query language for the command line, the claims and the site.

    axis=term            exact; a parent term matches its children; a term's code works too
    axis=*               any term on that axis
    axis=term,term       any of them
    axis!=term           has a term on that axis, but not this one
    axis=NA              no main term on that axis
    axis=term:strength   the term at that strength or stronger
    axis=term:=strength  the term at exactly that strength
    axis=term:main       the term as the main coding; :part as a further one; both may follow a strength
    term                 a bare term that stands on one axis only
    year>=2025           numbers and dates: = != < <= > >=; measures likewise
    text~"some words"    words of a text, typing slips forgiven; = compares the whole text
    contested=GRADE      contested at that grade or above; yes and no work too
    judged=yes           a paper that the taxonomy judges so on a term: yes, near or no
    *                    every record

Joined by AND, OR, NOT and parentheses; blanks mean AND; NOT binds before AND, AND before OR.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from awesome_cli.errors import UsageError
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.records import AnyRecord
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.query import logic
from awesome_cli.query.criteria import Criteria, Test
from awesome_cli.query.logic import Logic, Token
from awesome_cli.text.folding import is_like

R = TypeVar("R", bound=AnyRecord)
HELP = "see 'awesome explain query'"
TOKEN = re.compile(
    r"\s*(?:(?P<paren>[()])|(?P<exact>:=)|(?P<op><=|>=|!=|=|<|>|~)|(?P<comma>,)"
    r"|\"(?P<text>(?:[^\"\\]|\\.)*)\"|(?P<word>(?:[^\s()<>!=~\",:]|:(?!=))+))"
)


@dataclass(frozen=True, eq=False)
class Query:
    """A valid query; `matches` says whether a record fits. In one vocabulary there is one for each text."""

    text: str
    matches: Test
    names: frozenset[str] = frozenset()
    """The axes, fields and measures that it compares."""
    terms: frozenset[tuple[str, str]] = frozenset()
    """`(axis, term)` of the terms that it asks for."""

    def select(self, records: Sequence[R]) -> tuple[R, ...]:
        """The records that fit, in their order."""
        return tuple(record for record in records if self.matches(record))


def parse(text: str, taxonomy: Taxonomy) -> Query:
    """Read a query; raises `UsageError` that says where, and names the nearest axis or term."""
    if ("query", text) in taxonomy.memo:  # to read one costs more than to ask it
        return cast("Query", taxonomy.memo["query", text])
    try:
        parser = _Parser(text, taxonomy)
        test = parser.whole()
    except UsageError as error:
        raise UsageError(f"query: {error.message}", hint=error.hint or HELP) from None
    found = Query(text, test, frozenset(parser.compared), frozenset(parser.names.terms))
    return cast("Query", taxonomy.memo.setdefault(("query", text), found))


def tokens(text: str) -> tuple[Token, ...]:
    """The pieces of a query; raises `UsageError` at the first character that starts no piece."""
    return logic.tokens(text, TOKEN)


class _Parser(Logic[Test]):
    """Each method that reads returns a test."""

    def __init__(self, text: str, taxonomy: Taxonomy) -> None:
        super().__init__(text, TOKEN)
        self.compared: set[str] = set()
        self.names = Criteria(taxonomy)

    def whole(self) -> Test:
        if not self.tokens:
            raise UsageError("it is empty; '*' matches every record")
        return super().whole()

    def any_of(self, parts: list[Test]) -> Test:
        return lambda record: any(test(record) for test in parts)

    def all_of(self, parts: list[Test]) -> Test:
        return lambda record: all(test(record) for test in parts)

    def none_of(self, part: Test) -> Test:
        return lambda record: not part(record)

    def single(self, token: Token) -> Test:
        if token.kind == "text":
            return lambda record: is_like(token.text, FIELDS["text"].get(record))
        if token.kind != "word":
            raise self.error("unexpected", token)
        if token.text == "*":
            return lambda _record: True
        following = self.peek()
        if following is not None and following.kind == "op":
            self.next += 1
            self.compared.add(token.text)
            return self.names.comparison(token.text, following.text, self.values())
        return self.names.bare(token.text, self.strength())

    def values(self) -> tuple[tuple[str, str | None], ...]:
        """`(value, strength that must be met exactly)`, at least one."""
        values: list[tuple[str, str | None]] = []
        while True:
            token = self.take()
            if token.kind not in {"word", "text"}:
                raise self.error("a value is missing before", token)
            values.append((token.text, self.strength()))
            following = self.peek()
            if following is None or following.kind != "comma":
                return tuple(values)
            self.next += 1

    def strength(self) -> str | None:
        following = self.peek()
        if following is None or following.kind != "exact":
            return None
        self.next += 1
        return self.take().text
