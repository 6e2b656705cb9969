"""How wide a text is on a terminal, and its lines there: words stay whole."""

import re
import unicodedata
from collections.abc import Iterator

COPIED = re.compile(r"\s*(?:(?:fix|hint): )?(?:awesome|git) (?!has |needs )")
"""A line with a command that is copied from the terminal into the shell: it stays one line."""


BEFORE = re.compile(r"^ +| {2,}")
"""The blanks before what a line says: a line is continued below the last of its columns."""


def width(text: str) -> int:
    """Columns that `text` takes on a terminal; wide East Asian characters take two."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def longest(text: str) -> int:
    """The width of the longest word; a word of wide characters may break at each of them."""
    return max((2 if size > len(word) else size for word in text.split() if (size := width(word))), default=0)


def wrapped(text: str, size: int) -> list[str]:
    """One line as lines of at most `size` columns; only a word that is longer than that is broken."""
    if width(text) <= size:
        return [text]
    lines = [""]
    for word in _pieces(text, size):
        if width(lines[-1]) + width(word.rstrip()) > size and lines[-1]:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def _pieces(text: str, size: int) -> Iterator[str]:
    """The words with the blanks behind them; parts of a word that is too long, characters of wide ones."""
    for word in re.findall(r"\S+\s*|\s+", text):
        bare = word.rstrip()
        if width(bare) <= size and width(bare) <= len(bare):
            yield word
            continue
        part = ""
        for character in word:
            if width(part.rstrip() + character) > (2 if width(bare) > len(bare) else size):
                yield part
                part = ""
            part += character
        yield part


def fitted(text: str, size: int) -> str:
    """Lines at a width, each continued under its beginning; a command that is copied stays on one line."""
    return "\n".join(line for whole in text.split("\n") for line in _continued(whole, size))


def _continued(line: str, size: int) -> list[str]:
    if COPIED.match(line) or width(line) <= size:
        return [line]
    start = max((found.end() for found in BEFORE.finditer(line) if found.end() <= size // 2), default=0)
    first, *more = wrapped(line[start:], size - start)
    return [line[:start] + first, *(" " * start + part for part in more)]
