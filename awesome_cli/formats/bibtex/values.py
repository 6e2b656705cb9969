"""Values of BibTeX fields as they are written: braced, quoted, numbers and names of strings, joined by `#`."""

import re
from collections.abc import Iterator, Mapping

from awesome_cli.model.months import MONTHS

MARKS = re.compile(r'(?<!\\)[{}"]')
BARE = re.compile(r'[^\s#{}"=]+')
JOINT = re.compile(r"\s*#\s*")
NEXT = re.compile(r"\s*([^\W\d][\w:+.-]*)\s*=\s*")
PREDEFINED: Mapping[str, str] = {month: month for month in MONTHS}
"""Names that every bibliography style defines; a month keeps its name, since styles spell it in their own way."""


def closing(text: str, start: int = 0) -> int:
    """Where the brace or quote at `start` is closed; -1 for one that is not."""
    depth, quoted = 0, text[start] == '"'
    for mark in MARKS.finditer(text, start + quoted):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0 and (mark[0] == '"') == quoted:
            return mark.start()
    return text.rfind('"') if quoted and text.rfind('"') > start else -1


def read(name: str, value: str, strings: Mapping[str, str]) -> Iterator[tuple[str, str, str | None]]:
    """`(name, text, doubt)` of a field, and of those behind it that no comma parts from it (`title={A} year=2020`)."""
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


def _joined(value: str, strings: Mapping[str, str]) -> tuple[str, str | None]:
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
        texts.append(_text(value[start:end], strings, unknown))
        start = joint.end() if joint else end
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


def _text(piece: str, strings: Mapping[str, str], unknown: list[str]) -> str:
    if piece[0] in '{"':
        return piece[1:-1]
    text = strings.get(piece.lower())
    if text is None and not piece[0].isdigit():
        unknown.append(piece)
    return piece if text is None else text
