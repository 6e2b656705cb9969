"""The common grammar of both query languages: AND, OR, NOT and parentheses around conditions.

Blanks mean AND; NOT binds tighter than AND, AND tighter than OR: `a OR NOT b c` parses to
`any_of([a, all_of([none_of(b), c])])`.
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
"""Maximum nesting depth of parentheses and NOTs."""
LONGEST = 20_000
"""Maximum length of a query, in characters."""
ESCAPED = re.compile(r"\\([\"\\])")
"""A quotation mark or backslash after a backslash, in a text between quotation marks."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a query; `kind` is its group in the tokenizer's pattern, `at` its column (from 1)."""

    kind: str
    text: str
    at: int


def tokens(text: str, pattern: re.Pattern[str]) -> tuple[Token, ...]:
    """Tokenize a query; raise `UsageError` if it is too long or contains an invalid character."""
    if len(text) > LONGEST:
        raise UsageError(f"expected at most {LONGEST:,} characters, got {len(text):,}")
    result: list[Token] = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = pattern.match(stripped, at)
        if match is None:
            rest = stripped[at:].lstrip()
            column = len(stripped) - len(rest) + 1
            raise UsageError(f"cannot parse {excerpt(rest)!r} at column {column}: {excerpt(text)}")
        kind = match.lastgroup or "word"
        content = ESCAPED.sub(r"\1", match[kind]) if kind == "text" else match[kind]
        result.append(Token(kind, content, match.start(kind) + 1))
        at = match.end()
    return tuple(result)


class Logic(ABC, Generic[T]):
    """A recursive descent parser. Subclasses define a `single` condition and how to combine conditions."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.text = text
        self.tokens = tokens(text, pattern)
        self.next = 0
        self.depth = 0

    @abstractmethod
    def single(self, token: Token) -> T:
        """Parse a condition that starts with this token."""

    @abstractmethod
    def all_of(self, parts: list[T]) -> T:
        """Join parts by AND."""

    @abstractmethod
    def any_of(self, parts: list[T]) -> T:
        """Join parts by OR."""

    @abstractmethod
    def none_of(self, part: T) -> T:
        """Negate a part."""

    def whole(self) -> T:
        tree = self.either()
        if self.next < len(self.tokens):
            raise self.error("unexpected", self.tokens[self.next])
        return tree

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
        """Parse the operand of a NOT or of parentheses; raise `UsageError` if it is nested too deeply."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} nested parentheses and NOTs at", self.tokens[self.next - 1])
        operand = read()
        self.depth -= 1
        return operand

    def atom(self) -> T:
        token = self.take()
        if (token.kind, token.text) != ("paren", "("):
            return self.single(token)
        content = self.inside(self.either)
        if not self.follows("paren", ")"):
            raise self.error("missing closing parenthesis for", token)
        return content

    def keyword(self, word: str) -> bool:
        return self.follows("word", word)

    def follows(self, kind: str, text: str) -> bool:
        """Consume the token if it is next; return True if it was."""
        token = self.peek()
        matches = token is not None and (token.kind, token.text) == (kind, text)
        self.next += matches
        return matches

    def peek(self) -> Token | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def take(self) -> Token:
        token = self.peek()
        if token is None:
            raise UsageError(f"unexpected end of the query: {excerpt(self.text)}")
        self.next += 1
        return token

    def error(self, message: str, token: Token) -> UsageError:
        return UsageError(f"{message} {excerpt(token.text)!r} at column {token.at}: {excerpt(self.text)}")
