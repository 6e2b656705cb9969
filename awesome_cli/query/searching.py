"""The language of saved searches: which words a work has, where, and when it appeared.

    word                 a word of the title or the abstract; case, accents and hyphens mean nothing
    "some words"         these words in a row; word-word is the same
    word*                a word that begins so, with three letters or more
    title:word           only in the title; abstract: and author: likewise, and also before "some words" and ( … )
    author:"some words"  all of these words stand in one author's name, in any order
    date>=2025-01-31     appeared on that day or later; = < <= > likewise, and a month or a year will do

Joined by AND, OR, NOT and parentheses; blanks mean AND; NOT binds before AND, AND before OR. A date stands beside
the rest, not within parentheses, OR or NOT. At least one word must be there.
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
"""Where a word starts, where a whole word ends, and what may follow the beginning of one."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in a row, as typed, somewhere in a field; `begins` says that the last is only the beginning of a word."""

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
    """Join parts by AND; nested ones are flattened."""
    return _flat(AllOf, parts)


def any_of(parts: Sequence[Tree]) -> Tree:
    """Join parts by OR; nested ones are flattened."""
    return _flat(AnyOf, parts)


def _flat(kind: type[AllOf | AnyOf], parts: Sequence[Tree]) -> Tree:
    flat = tuple(p for part in parts for p in (part.parts if isinstance(part, kind) else (part,)))
    return flat[0] if len(flat) == 1 else kind(flat)


def matches(tree: Tree, title: str, abstract: str = "", authors: Sequence[str] = ()) -> bool:
    """True if a work has the words of a tree. A text that is not known counts as empty."""
    return _holds(tree, (spaced(title), spaced(abstract), tuple(map(spaced, authors))))


def asked_for(tree: Tree) -> Iterator[Phrase]:
    """The phrases that do not stand behind a NOT."""
    if isinstance(tree, Phrase):
        yield tree
    elif not isinstance(tree, NoneOf):
        for part in tree.parts:
            yield from asked_for(part)


def needs_a_word(tree: Tree) -> bool:
    """True if every work that fits has at least one of the tree's words."""
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
    if tree.field == "author":
        return any(all(pattern.search(name) for pattern in _patterns(tree)) for name in authors)
    (pattern,) = _patterns(tree)
    texts = {"title": (title,), "abstract": (abstract,)}.get(tree.field, (title, abstract))
    return any(pattern.search(text) for text in texts)


@lru_cache(maxsize=1024)
def _patterns(phrase: Phrase) -> tuple[re.Pattern[str], ...]:
    """Return the patterns for folded words with blanks between them; for an author, one for each word."""
    words = spaced(" ".join(phrase.words)).split()
    ends = [WHOLE] * (len(words) - 1) + [REST if phrase.begins else WHOLE]
    words = [re.escape(word) for word in words]
    if phrase.field == "author":
        return tuple(re.compile(START + word + end) for word, end in zip(words, ends, strict=True))
    return (re.compile(START + " +".join(words) + ends[-1]),)


def spans(phrases: Sequence[Phrase], text: str) -> tuple[tuple[int, int], ...]:
    """Where phrases stand in a text, in order, those that overlap as one; a beginning counts to the word's end."""
    letters = [(SEPARATORS.sub(" ", folded), at) for at, c in enumerate(text) for folded in fold(c)]
    line = "".join(letter for letter, _ in letters)
    patterns = dict.fromkeys(pattern for phrase in phrases for pattern in _patterns(phrase))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(match.span() for pattern in patterns for match in pattern.finditer(line)):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple((letters[start][1], letters[end - 1][1] + 1) for start, end in merged)


HELP = "see 'awesome explain search'"
MOST_WORDS = 1_000
"""How many words a search may have."""
SHORTEST_BEGINNING = 3
"""Letters that a beginning of a word must have; a shorter one would find nearly everything."""
TOKEN = re.compile(
    r"\s*(?:(?P<paren>[()])|(?P<op><=|>=|=|<|>)|(?P<colon>:)|\"(?P<text>[^\"]*)\"|(?P<word>[^\s()<>=:\"]+))"
)
DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Search:
    """A valid search. Works are wanted that appeared from `since` to `until`, both included."""

    text: str
    tree: Tree
    since: date | None = None
    until: date | None = None

    def __str__(self) -> str:
        """The search in its language; to read it again gives the same search."""
        days = [f"date{op}{day}" for op, day in ((">=", self.since), ("<=", self.until)) if day]
        tree = f"({self.tree})" if days and isinstance(self.tree, AnyOf) else str(self.tree)
        return " AND ".join([tree, *days])

    def matches(self, title: str, abstract: str = "", authors: Sequence[str] = ()) -> bool:
        """True if a work has the words; the dates are not looked at."""
        return matches(self.tree, title, abstract, authors)


def marks(searches: Iterable[Search], text: str, field: Where = "") -> tuple[tuple[int, int], ...]:
    """Where the words that some searches look for stand in a text, `(start, end)` in order, none within another.

    With a `field`, only words that are looked for there. Words behind a NOT are not looked for.
    """
    phrases = [phrase for search in searches for phrase in asked_for(search.tree) if phrase.field != "author"]
    return spans([phrase for phrase in phrases if not field or phrase.field in {"", field}], text)


def parse(text: str) -> Search:
    """Read a search; raises `UsageError` that says where it cannot be read."""
    try:
        return _SearchParser(text).search()
    except UsageError as error:
        raise UsageError(f"search: {error.message}", hint=error.hint or HELP) from None


@dataclass(frozen=True, slots=True, eq=False)
class _Day:
    """A condition on the day of appearance, and where it stands."""

    token: Token
    since: date | None = None
    until: date | None = None


class _SearchParser(Logic["Tree | _Day"]):
    """Each method that reads returns a tree, or a day that must stand beside it."""

    def __init__(self, text: str) -> None:
        super().__init__(text, TOKEN)
        self.field: Where = ""
        self.days: list[_Day] = []
        self.words = 0

    def search(self) -> Search:
        tree = self.whole() if self.tokens else None
        if tree is None or isinstance(tree, _Day) or not needs_a_word(tree):
            raise UsageError(f"at least one word must be there: {excerpt(self.text)}")
        since = max((day.since for day in self.days if day.since), default=None)
        until = min((day.until for day in self.days if day.until), default=None)
        if since and until and since > until:
            raise self.error("no day fits all dates; see", self.days[-1].token)
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
        """The parts; raises `UsageError` if there are days, which stand beside the rest only."""
        if days := [*days, *(part for part in parts if isinstance(part, _Day))]:
            raise self.error("a date stands beside the rest, not within parentheses, OR or NOT:", days[0].token)
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
        """Read the condition behind the name of a field."""
        field = next((field for field in FIELDS if field == token.text), None)
        if field is None:
            hint = f"one of: {', '.join(FIELDS)}; put words with a colon in quotes"
            raise UsageError(f"{unknown(token.text, FIELDS, 'field')} at column {token.at}", hint=hint)
        if self.field:
            raise self.error(f"it is within {self.field!r}, and so cannot be within", token)
        self.field = field
        found = self.atom()
        self.field = ""
        return found

    def phrase(self, token: Token) -> Phrase:
        text = token.text.strip()
        begins = text.endswith("*")
        words = _pieces(text)
        if "*" in text[: -1 if begins else None] or (begins and not text[-2:-1].isalnum()):
            raise self.error("'*' stands only at the end of a word, in", token)
        if not spaced(" ".join(words)):
            raise self.error("there is no letter and no digit in", token)
        if begins and len(words[-1]) < SHORTEST_BEGINNING:
            raise self.error(f"fewer than {SHORTEST_BEGINNING} letters stand before '*' in", token)
        self.words += len(words)
        if self.words > MOST_WORDS:
            raise self.error(f"more than {MOST_WORDS:,} words are looked for at", token)
        return Phrase(words, self.field, begins)

    def day(self, token: Token) -> _Day:
        if token.text != "date" or self.field:
            raise self.error("only a date is compared, and beside the rest, not", token)
        operator, value = self.take().text, self.take()
        try:
            since, until = _bounds(operator, value.text)
        except (ValueError, OverflowError):
            raise self.error("this is no day, month or year:", value) from None
        return _Day(token, since, until)


def _bounds(operator: str, text: str) -> tuple[date | None, date | None]:
    """The first and the last day that a comparison leaves; raises `ValueError` for what is no date."""
    found = DAY.fullmatch(text)
    if found is None:
        raise ValueError(text)
    year, month, day = (int(part) if part else None for part in found.groups())
    first = date(year or 0, month or 1, day or 1)
    last = date(first.year, month or 12, day or monthrange(first.year, month or 12)[1])
    one = timedelta(days=1)
    bounds: dict[str, Callable[[], tuple[date | None, date | None]]] = {
        "=": lambda: (first, last),
        ">=": lambda: (first, None),
        "<=": lambda: (None, last),
        ">": lambda: (last + one, None),
        "<": lambda: (None, first - one),
    }
    return bounds[operator]()


def _pieces(text: str) -> tuple[str, ...]:
    """The words of a text as typed: rows of letters, digits and the marks above them."""
    composed = unicodedata.normalize("NFC", text)
    kept = (c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in composed)
    return tuple("".join(kept).split())
