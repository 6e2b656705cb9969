"""The language of saved searches: words of a work, their field, and the date of appearance.

    word                 a word of the title or the abstract; case, accents and hyphens are ignored
    "some words"         a phrase; word-word is the same
    word*                a word with this beginning of three letters or more
    title:word           only in the title; abstract: and author: likewise, and also before "some words" and ( … )
    author:"some words"  all of these words in one author's name, in any order
    date>=2025-01-31     appeared on that date or later; also = < <= >, and a month or a year

Join conditions by AND, OR, NOT and parentheses. Blanks mean AND; NOT binds before AND, AND before OR. Dates must
not be in parentheses, OR or NOT. A search needs at least one word.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from awesome_cli.errors import UsageError
from awesome_cli.query.logic import Logic, Token
from awesome_cli.text.folding import SEPARATORS, fold, spaced
from awesome_cli.text.known import excerpt, unknown

Where = Literal["", "title", "abstract", "author"]
FIELDS: tuple[Where, ...] = ("title", "abstract", "author")
START, WHOLE, REST = r"(?<![^ ])", r"(?![^ ])", r"[^ ]*"
"""Patterns for the start of a word, the end of a word, and the rest of a word after its beginning."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in a field; with `begins`, its last word is only the beginning of a word."""

    words: tuple[str, ...]
    field: Where = ""
    begins: bool = False

    def __str__(self) -> str:
        words = " ".join(self.words) + "*" * self.begins
        quote = '"' * (len(self.words) > 1 or words.upper() in KEYWORDS)
        return f"{self.field and f'{self.field}:'}{quote}{words}{quote}"


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of the parts."""

    parts: "tuple[Tree, ...]"

    def __str__(self) -> str:
        return " AND ".join(f"({part})" if isinstance(part, AnyOf) else str(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the parts, or several."""

    parts: "tuple[Tree, ...]"

    def __str__(self) -> str:
        return " OR ".join(map(str, self.parts))


@dataclass(frozen=True, slots=True)
class NoneOf:
    """Anything but the part."""

    part: "Tree"

    def __str__(self) -> str:
        return f"NOT {f'({self.part})' if isinstance(self.part, AllOf | AnyOf) else self.part}"


Tree = Phrase | AllOf | AnyOf | NoneOf
KEYWORDS = ("AND", "OR", "NOT")


def all_of(parts: Sequence[Tree]) -> Tree:
    """Join parts by AND, and flatten nested ones."""
    return _flat(AllOf, parts)


def any_of(parts: Sequence[Tree]) -> Tree:
    """Join parts by OR, and flatten nested ones."""
    return _flat(AnyOf, parts)


def _flat(kind: type[AllOf | AnyOf], parts: Sequence[Tree]) -> Tree:
    flat = tuple(p for part in parts for p in (part.parts if isinstance(part, kind) else (part,)))
    return flat[0] if len(flat) == 1 else kind(flat)


def conjuncts(tree: Tree) -> tuple[Tree, ...]:
    """Return the operands of a top-level AND, or the tree itself."""
    return tree.parts if isinstance(tree, AllOf) else (tree,)


def asked_for(tree: Tree) -> Iterator[Phrase]:
    """Yield the phrases of a tree that are not negated."""
    if isinstance(tree, Phrase):
        yield tree
    elif not isinstance(tree, NoneOf):
        for part in tree.parts:
            yield from asked_for(part)


def needs_a_word(tree: Tree) -> bool:
    """Return True if every matching work contains at least one word of the tree."""
    if isinstance(tree, AllOf):
        return any(map(needs_a_word, tree.parts))
    return isinstance(tree, Phrase) or (isinstance(tree, AnyOf) and all(map(needs_a_word, tree.parts)))


def _holds(tree: Tree, work: tuple[str, str, tuple[str, ...]]) -> bool:
    if isinstance(tree, AllOf):
        return all(_holds(part, work) for part in tree.parts)
    if isinstance(tree, AnyOf):
        return any(_holds(part, work) for part in tree.parts)
    if isinstance(tree, NoneOf):
        return not _holds(tree.part, work)
    title, abstract, authors = work
    words = _words(tree)
    if tree.field == "author":
        return any(all(word in name for word in words) for name in authors)
    texts = {"title": (title,), "abstract": (abstract,)}.get(tree.field, (title, abstract))
    return any("".join(words).replace("  ", " ") in text for text in texts)


@lru_cache(maxsize=1024)
def _words(phrase: Phrase) -> tuple[str, ...]:
    """Return the folded words of a phrase between blanks, without the last blank if it is a beginning."""
    *words, last = spaced(" ".join(phrase.words)).split()
    return (*(f" {word} " for word in words), f" {last}" if phrase.begins else f" {last} ")


def _pattern(phrase: Phrase) -> re.Pattern[str]:
    words = map(re.escape, map(str.strip, _words(phrase)))
    return re.compile(START + " +".join(words) + (REST if phrase.begins else WHOLE))


def spans(phrases: Sequence[Phrase], text: str) -> tuple[tuple[int, int], ...]:
    """Return `(start, end)` of phrases in a text, in order; merge overlaps, and extend beginnings to whole words."""
    letters = [(SEPARATORS.sub(" ", folded), at) for at, c in enumerate(text) for folded in fold(c)]
    line = "".join(letter for letter, _ in letters)
    patterns = dict.fromkeys(map(_pattern, phrases))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(match.span() for pattern in patterns for match in pattern.finditer(line)):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple((letters[start][1], letters[end - 1][1] + 1) for start, end in merged)


HELP = "see 'awesome explain search'"
MOST_WORDS = 1_000
"""Maximum number of words in a search."""
SHORTEST_BEGINNING = 3
"""Minimum number of letters before `*`; fewer would match nearly everything."""
TOKEN = re.compile(
    r"\s*(?:(?P<paren>[()])|(?P<op><=|>=|=|<|>)|(?P<colon>:)|\"(?P<text>[^\"]*)\"|(?P<word>[^\s()<>=:\"]+))"
)
DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Search:
    """A parsed search, for works that appeared from `since` to `until` (inclusive)."""

    text: str
    tree: Tree
    since: date | None = None
    until: date | None = None

    def __str__(self) -> str:
        """The search as text, which parses to the same search."""
        days = [f"date{op}{day}" for op, day in ((">=", self.since), ("<=", self.until)) if day]
        tree = f"({self.tree})" if days and isinstance(self.tree, AnyOf) else str(self.tree)
        return " AND ".join([tree, *days])

    def matches(self, title: str, abstract: str = "", authors: Sequence[str] = ()) -> bool:
        """Return True if a work matches the words; dates are ignored. Unknown texts count as empty."""
        return not self.unmet(title, abstract, authors)

    def unmet(self, title: str, abstract: str = "", authors: Sequence[str] = ()) -> tuple[Tree, ...]:
        """Return the conditions joined by AND that a work does not meet; empty if it matches."""
        work = f" {spaced(title)} ", f" {spaced(abstract)} ", tuple(f" {spaced(name)} " for name in authors)
        return tuple(part for part in conjuncts(self.tree) if not _holds(part, work))


def marks(searches: Iterable[Search], text: str, field: Where = "") -> tuple[tuple[int, int], ...]:
    """Return `(start, end)` of the words of some searches in a text, in order and without overlaps.

    With a `field`, skip words that are restricted to another field. Negated words are skipped.
    """
    phrases = [phrase for search in searches for phrase in asked_for(search.tree) if phrase.field != "author"]
    return spans([phrase for phrase in phrases if not field or phrase.field in {"", field}], text)


def parse(text: str) -> Search:
    """Parse a search; raise `UsageError` with the place of the error.

    `press* NOT date<2020 title:"cold brew"` is an error: a date must not be negated.
    """
    try:
        return _SearchParser(text).search()
    except UsageError as error:
        raise UsageError(f"search: {error.message}", hint=error.hint or HELP) from None


@dataclass(frozen=True, slots=True, eq=False)
class _Day:
    """A condition on the date of appearance, with its token."""

    token: Token
    since: date | None = None
    until: date | None = None


class _SearchParser(Logic["Tree | _Day"]):
    """A parser whose methods return a tree, or a date condition for the top level."""

    def __init__(self, text: str) -> None:
        super().__init__(text, TOKEN)
        self.field: Where = ""
        self.days: list[_Day] = []
        self.words = 0

    def search(self) -> Search:
        tree = self.whole() if self.tokens else None
        if tree is None or isinstance(tree, _Day) or not needs_a_word(tree):
            raise UsageError(f"a search needs at least one word: {excerpt(self.text)}")
        since = max((day.since for day in self.days if day.since), default=None)
        until = min((day.until for day in self.days if day.until), default=None)
        if since and until and since > until:
            raise self.error("the dates exclude each other; see", self.days[-1].token)
        return Search(self.text, tree, since, until)

    def any_of(self, parts: "list[Tree | _Day]") -> "Tree | _Day":
        return any_of(self.trees(parts, [*self.days]))

    def none_of(self, part: "Tree | _Day") -> "Tree | _Day":
        return NoneOf(*self.trees([part], []))

    def all_of(self, parts: "list[Tree | _Day]") -> "Tree | _Day":
        days = [part for part in parts if isinstance(part, _Day)]
        if self.depth == 0:
            self.days += days
            parts = [part for part in parts if part not in days] or [*days[:1]]
        return days[0] if parts == days[:1] and days else all_of(self.trees(parts, []))

    def trees(self, parts: "list[Tree | _Day]", days: list[_Day]) -> list[Tree]:
        """Return the parts; raise `UsageError` if they contain dates, which are only valid at the top level."""
        if days := [*days, *(part for part in parts if isinstance(part, _Day))]:
            raise self.error("a date must not be in parentheses, OR or NOT:", days[0].token)
        return [part for part in parts if not isinstance(part, _Day)]

    def single(self, token: Token) -> "Tree | _Day":
        if token.kind == "text":
            return self.phrase(token)
        if token.kind != "word" or token.text in KEYWORDS:
            raise self.error("unexpected", token)
        following = self.peek()
        if following is not None and following.kind == "op":
            return self.day(token)
        if self.follows("colon", ":"):
            return self.within(token)
        if token.text.upper() in KEYWORDS:
            hint = f"write {token.text.upper()}, or put the word in quotes"
            raise UsageError(f"{self.error('is it a word?', token)}", hint=hint)
        return self.phrase(token)

    def within(self, token: Token) -> "Tree | _Day":
        """Parse the condition after the name of a field."""
        field = next((field for field in FIELDS if field == token.text), None)
        if field is None:
            hint = f"one of: {', '.join(FIELDS)}; quote words that contain a colon"
            raise UsageError(f"column {token.at}: {unknown(token.text, FIELDS, 'field')}", hint=hint)
        if self.field:
            raise self.error(f"a condition in {self.field!r} cannot contain the field", token)
        self.field = field
        condition = self.atom()
        self.field = ""
        return condition

    def phrase(self, token: Token) -> Phrase:
        text = token.text.strip()
        begins = text.endswith("*")
        words = _pieces(text)
        if "*" in text[: -1 if begins else None] or (begins and not text[-2:-1].isalnum()):
            raise self.error("'*' is only valid at the end of a word, in", token)
        if not spaced(" ".join(words)):
            raise self.error("expected a letter or digit in", token)
        if begins and len(words[-1]) < SHORTEST_BEGINNING:
            raise self.error(f"expected at least {SHORTEST_BEGINNING} letters before '*' in", token)
        self.words += len(words)
        if self.words > MOST_WORDS:
            raise self.error(f"a search takes at most {MOST_WORDS:,} words; too many at", token)
        return Phrase(words, self.field, begins)

    def day(self, token: Token) -> _Day:
        if token.text != "date" or self.field:
            raise self.error("only 'date' can be compared, outside of fields; got", token)
        operator, value = self.take().text, self.take()
        try:
            since, until = _bounds(operator, value.text)
        except (ValueError, OverflowError):
            raise self.error("not a valid day, month or year:", value) from None
        return _Day(token, since, until)


def _bounds(operator: str, text: str) -> tuple[date | None, date | None]:
    """Return the first and last day of a date comparison; raise `ValueError` for an invalid date.

    `>=` and `2025-01-31` give `(2025-01-31, None)`.
    """
    match = DAY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day = (int(part) if part else None for part in match.groups())
    first = date(year or 0, month or 1, day or 1)
    last = date(first.year, month or 12, day or monthrange(first.year, month or 12)[1])
    step = timedelta(days=1)
    bounds: dict[str, Callable[[], tuple[date | None, date | None]]] = {
        "=": lambda: (first, last),
        ">=": lambda: (first, None),
        "<=": lambda: (None, last),
        ">": lambda: (last + step, None),
        "<": lambda: (None, first - step),
    }
    return bounds[operator]()


def _pieces(text: str) -> tuple[str, ...]:
    """Split a text into words of letters, digits and combining marks."""
    composed = unicodedata.normalize("NFC", text)
    letters = (c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in composed)
    return tuple("".join(letters).split())
