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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from awesome_cli.errors import UsageError
from awesome_cli.model.fields import FIELDS
from awesome_cli.model.records import AnyRecord
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.query.criteria import Criteria, Test
from awesome_cli.text.folding import is_like
from awesome_cli.text.known import excerpt

R = TypeVar("R", bound=AnyRecord)
HELP = "see 'awesome explain query'"
DEEPEST = 100
"""How many parentheses and NOTs of a query may be open at one place."""
LONGEST = 20_000
"""How many characters a query may have."""
TOKEN = re.compile(
    r"\s*(?:(?P<paren>[()])|(?P<exact>:=)|(?P<op><=|>=|!=|=|<|>|~)|(?P<comma>,)"
    r"|\"(?P<text>(?:[^\"\\]|\\.)*)\"|(?P<word>(?:[^\s()<>!=~\",:]|:(?!=))+))"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query; `kind` is the name of its group in TOKEN."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True)
class Query:
    """A valid query; `matches` says whether a record fits."""

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
    try:
        if len(text) > LONGEST:
            raise UsageError(f"it has {len(text):,} characters, and at most {LONGEST:,} are read")
        parser = _Parser(text, taxonomy)
        test = parser.whole()
    except UsageError as error:
        raise UsageError(f"query: {error.message}", hint=error.hint or HELP) from None
    return Query(text, test, frozenset(parser.compared), frozenset(parser.names.terms))


def tokens(text: str) -> tuple[Token, ...]:
    """The pieces of a query; raises `UsageError` at the first character that starts no piece."""
    found: list[Token] = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = TOKEN.match(stripped, at)
        if match is None:
            rest = excerpt(stripped[at:].lstrip())
            raise UsageError(f"cannot read {rest!r} at column {at + 1}: {excerpt(text)}")
        kind = match.lastgroup or "word"
        found.append(Token(kind, match[kind], match.start(kind) + 1))
        at = match.end()
    return tuple(found)


class _Parser:
    """Recursive descent over tokens; each method returns a test."""

    def __init__(self, text: str, taxonomy: Taxonomy) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.next = 0
        self.depth = 0
        self.compared: set[str] = set()
        self.names = Criteria(taxonomy)

    def whole(self) -> Test:
        if not self.tokens:
            raise UsageError("it is empty; '*' matches every record")
        test = self.either()
        if self.next < len(self.tokens):
            raise self.error("unexpected", self.tokens[self.next])
        return test

    def either(self) -> Test:
        tests = [self.both()]
        while self.keyword("OR"):
            tests.append(self.both())
        return tests[0] if len(tests) == 1 else lambda record: any(test(record) for test in tests)

    def both(self) -> Test:
        tests = [self.negated()]
        while self.keyword("AND") or (self.peek() is not None and not self.at_end()):
            tests.append(self.negated())
        return tests[0] if len(tests) == 1 else lambda record: all(test(record) for test in tests)

    def at_end(self) -> bool:
        token = self.peek()
        return token is None or (token.kind == "word" and token.text == "OR") or token.text == ")"

    def negated(self) -> Test:
        if self.keyword("NOT"):
            test = self.inside(self.negated)
            return lambda record: not test(record)
        return self.atom()

    def inside(self, read: Callable[[], Test]) -> Test:
        """What stands behind a NOT or in parentheses; raises `UsageError` where it is nested too deep."""
        self.depth += 1
        if self.depth > DEEPEST:
            what = f"more than {DEEPEST} parentheses and NOTs are open at"
            raise self.error(what, self.tokens[self.next - 1])
        test = read()
        self.depth -= 1
        return test

    def atom(self) -> Test:
        token = self.take()
        if token.kind == "paren" and token.text == "(":
            test = self.inside(self.either)
            closing = self.peek()
            if closing is None or closing.text != ")":
                raise self.error("this parenthesis is never closed", token)
            self.next += 1
            return test
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

    def keyword(self, word: str) -> bool:
        token = self.peek()
        if token is not None and token.kind == "word" and token.text == word:
            self.next += 1
            return True
        return False

    def peek(self) -> Token | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def take(self) -> Token:
        token = self.peek()
        if token is None:
            raise UsageError(f"something is missing at the end: {excerpt(self.text)}")
        self.next += 1
        return token

    def error(self, what: str, token: Token) -> UsageError:
        return UsageError(f"{what} {excerpt(token.text)!r} at column {token.at}: {excerpt(self.text)}")
