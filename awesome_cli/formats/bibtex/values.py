"""Values of BibTeX fields as they are written: braced, quoted, numbers and names of strings, joined by `#`."""

import re
from collections.abc import Iterator, Mapping

from awesome_cli.model.publication import MONTHS
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.known import shown

MOST_TAKEN = 10_000_000
"""So many characters may the values of a text take over; of a text with more than a tenth of it, ten for each one."""

MARKS = re.compile(r'(?<!\\)[{}"]')
BARE = re.compile(r'[^\s#{}"=]+')
JOINT = re.compile(r"\s*#\s*")
NEXT = re.compile(r"\s*([^\W\d][\w:+.-]*)\s*=\s*")
PREDEFINED: Mapping[str, str] = {month: month for month in MONTHS}
"""Names that every bibliography style defines; a month keeps its name, since styles spell it in their own way."""


class Strings:
    """The strings of a text by lower-case names, and what values may still take over from them and other entries.

    A string is None if it would take over too much.
    """

    def __init__(self, text: str) -> None:
        self.texts: dict[str, str | None] = {**PREDEFINED}
        self.bound = max(MOST_TAKEN, 10 * len(text))
        self.left = allowed(self.bound)

    def take(self, count: int) -> None:
        """Take over so many characters; raises `ValueError` where that is too much."""
        if count > self.left:
            raise ValueError(self.why())
        self.left -= max(count, 0)

    def why(self) -> str:
        """Why no more is taken over."""
        return too_large("what the file takes over by @string, crossref and xdata", self.bound, "characters")

    def text(self, piece: str, unknown: list[str]) -> str:
        """The text of a part of a value; a name that no string has is its text, and one of the `unknown`."""
        if piece[0] in '{"':
            return piece[1:-1]
        text = self.texts.get(piece.lower(), piece)
        if text is None:
            raise ValueError(f"the string {shown(piece)}: {self.why()}")
        if piece.lower() not in self.texts and not piece[0].isdigit():
            unknown.append(piece)
        return text


def closing(text: str, start: int = 0) -> int:
    """Where the brace or quote at `start` is closed; -1 for one that is not."""
    depth, quoted = 0, text[start] == '"'
    for mark in MARKS.finditer(text, start + quoted):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0 and (mark[0] == '"') == quoted:
            return mark.start()
    return text.rfind('"') if quoted and text.rfind('"') > start else -1


def read(name: str, value: str, strings: Strings) -> Iterator[tuple[str, str, str | None]]:
    """`(name, text, doubt)` of a field, and of those behind it that no comma parts from it (`title={A} year=2020`).

    Raises `ValueError` for one that takes over too much.
    """
    if (simple := _simple(value)) is not None:
        yield name, simple, None
        return
    start, doubt = 0, None
    while (end := _piece(value, start)) and (found := NEXT.match(value, end)):
        text, odd = _joined(value[start:end], strings)
        yield name, text, doubt or odd
        name, start, doubt = found[1], found.end(), "has no comma before it"
    text, odd = _joined(value[start:], strings)
    yield name, text, doubt or odd


def _joined(value: str, strings: Strings) -> tuple[str, str | None]:
    """The text of a value, and what is doubtful about it."""
    texts: list[str] = []
    unknown: list[str] = []
    start = 0
    while start < len(value):
        end = _piece(value, start)
        joint = JOINT.match(value, end) if end else None
        if not end or (end < len(value) and not joint):
            # Marks at both ends are left out if they belong together.
            outer = value[1:-1] if value[:1] + value[-1:] in {"{}", '""'} else value
            return outer, "has more than its braces or quotes enclose"
        texts.append(strings.text(value[start:end], unknown))
        start = joint.end() if joint else end
    strings.take(sum(map(len, texts)) - len(value))
    doubt = f"uses {', '.join(map(repr, unknown))}, which no @string defines" if unknown else None
    return "".join(texts), doubt


def _simple(value: str) -> str | None:
    """The text of most values, which one pair of braces or quotes encloses."""
    first, last = value[:1], len(value) - 1
    if (first == "{" and value.find("}") == last) or (first == '"' and value.find('"', 1) == last > 0):
        return value[1:last]
    return value if not value or value.isdigit() else None


def _piece(value: str, start: int) -> int:
    """Where the part of a value that begins at `start` ends; 0 if none does."""
    if value[start : start + 1] in {"{", '"'}:
        return closing(value, start) + 1
    found = BARE.match(value, start)
    return found.end() if found else 0
