"""What the two languages of queries share: AND, OR, NOT and parentheses over whatever stands between them.

Blanks mean AND; NOT binds before AND, AND before OR.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from awesome_cli.errors import UsageError
from awesome_cli.text.known import excerpt

T = TypeVar("T")
DEEPEST = 100
"""How many parentheses and NOTs of a query may be open at one place."""
LONGEST = 20_000
"""How many characters a query may have."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query; `kind` is the name of its group in the pattern that found it, `at` its column from 1."""

    kind: str
    text: str
    at: int


def tokens(text: str, pattern: re.Pattern[str]) -> tuple[Token, ...]:
    """The pieces of a query; raises `UsageError` for a long one, and at the first character that starts no piece."""
    if len(text) > LONGEST:
        raise UsageError(f"it has {len(text):,} characters, and at most {LONGEST:,} are read")
    found: list[Token] = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = pattern.match(stripped, at)
        if match is None:
            rest = stripped[at:].lstrip()
            column = len(stripped) - len(rest) + 1
            raise UsageError(f"cannot read {excerpt(rest)!r} at column {column}: {excerpt(text)}")
        kind = match.lastgroup or "word"
        found.append(Token(kind, match[kind], match.start(kind) + 1))
        at = match.end()
    return tuple(found)


class Logic(ABC, Generic[T]):
    """Recursive descent over tokens; the methods that read return what the language makes of them.

    A language says what a `single` condition is, and what `all_of` several, `any_of` several and `none_of` one are.
    """

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.text = text
        self.tokens = tokens(text, pattern)
        self.next = 0
        self.depth = 0

    @abstractmethod
    def single(self, token: Token) -> T:
        """Read the condition that starts with a token other than a parenthesis."""

    @abstractmethod
    def all_of(self, parts: list[T]) -> T:
        """Combine parts that must all match."""

    @abstractmethod
    def any_of(self, parts: list[T]) -> T:
        """Combine parts of which one must match."""

    @abstractmethod
    def none_of(self, part: T) -> T:
        """Negate a part."""

    def whole(self) -> T:
        found = self.either()
        if self.next < len(self.tokens):
            raise self.error("unexpected", self.tokens[self.next])
        return found

    def either(self) -> T:
        parts = [self.both()]
        while self.keyword("OR"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else self.any_of(parts)

    def both(self) -> T:
        parts = [self.negated()]
        while self.keyword("AND") or not self.at_end():
            parts.append(self.negated())
        return parts[0] if len(parts) == 1 else self.all_of(parts)

    def at_end(self) -> bool:
        token = self.peek()
        return token is None or (token.kind, token.text) in {("word", "OR"), ("paren", ")")}

    def negated(self) -> T:
        if self.keyword("NOT"):
            return self.none_of(self.inside(self.negated))
        return self.atom()

    def inside(self, read: Callable[[], T]) -> T:
        """Read the operand of a NOT or of parentheses; raises `UsageError` where it is nested too deep."""
        self.depth += 1
        if self.depth > DEEPEST:
            what = f"more than {DEEPEST} parentheses and NOTs are open at"
            raise self.error(what, self.tokens[self.next - 1])
        found = read()
        self.depth -= 1
        return found

    def atom(self) -> T:
        token = self.take()
        if (token.kind, token.text) != ("paren", "("):
            return self.single(token)
        found = self.inside(self.either)
        closing = self.peek()
        if closing is None or (closing.kind, closing.text) != ("paren", ")"):
            raise self.error("this parenthesis is never closed", token)
        self.next += 1
        return found

    def keyword(self, word: str) -> bool:
        return self.follows("word", word)

    def follows(self, kind: str, text: str) -> bool:
        """Take this token if it is next; return True if it was."""
        token = self.peek()
        found = token is not None and (token.kind, token.text) == (kind, text)
        self.next += found
        return found

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
