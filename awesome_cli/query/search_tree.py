"""What a search looks for, as a tree of phrases, and whether and where a text has it.

Texts are compared word by word, without case, accents and hyphens.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from awesome_cli.text.folding import SEPARATORS, fold, spaced

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
    """What the part does not say."""

    part: "Tree"

    def __str__(self) -> str:
        return f"NOT {f'({self.part})' if isinstance(self.part, AllOf | AnyOf) else self.part}"


Tree = Phrase | AllOf | AnyOf | NoneOf
KEYWORDS = ("AND", "OR", "NOT")


def all_of(parts: Sequence[Tree]) -> Tree:
    """All of some parts, where those that say the same are taken apart."""
    flat = tuple(p for part in parts for p in (part.parts if isinstance(part, AllOf) else (part,)))
    return flat[0] if len(flat) == 1 else AllOf(flat)


def any_of(parts: Sequence[Tree]) -> Tree:
    """One of some parts, where those that say the same are taken apart."""
    flat = tuple(p for part in parts for p in (part.parts if isinstance(part, AnyOf) else (part,)))
    return flat[0] if len(flat) == 1 else AnyOf(flat)


def matches(tree: Tree, title: str, abstract: str = "", authors: Sequence[str] = ()) -> bool:
    """Whether a work has the words of a tree. A text that is not known counts as empty."""
    return _holds(tree, (spaced(title), spaced(abstract), tuple(map(spaced, authors))))


def asked_for(tree: Tree) -> Iterator[Phrase]:
    """The phrases that do not stand behind a NOT."""
    if isinstance(tree, Phrase):
        yield tree
    elif not isinstance(tree, NoneOf):
        for part in tree.parts:
            yield from asked_for(part)


def needs_a_word(tree: Tree) -> bool:
    """Whether every work that fits has at least one of the tree's words."""
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
    """What is looked for in folded words with blanks between them; for an author's name, each word on its own."""
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
