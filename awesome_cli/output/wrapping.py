"""The lines of a text on a terminal: words stay whole."""

import re

from rich.cells import cell_len

COPIED = re.compile(r"\s*(?:(?:fix|hint): )?(?:awesome|git) (?!has |needs )")
"""A line with a command that is copied from the terminal into the shell: it stays one line."""
BEFORE = re.compile(r"^ +|^• | {2,}")
"""What stands before a text on its line: it is continued below the last of the line's columns."""


def longest(text: str) -> int:
    """The width of the longest word; a command counts as one, a word of wide characters may break at each of them."""
    if COPIED.match(text):
        return cell_len(text)
    return max((2 if size > len(word) else size for word in text.split() if (size := cell_len(word))), default=0)


def fitted(text: str, size: int) -> str:
    """Lines at a width, each continued under its beginning; a command that is copied stays on one line."""
    return "\n".join(_continued(line, size) for line in text.split("\n"))


def _continued(line: str, size: int) -> str:
    if COPIED.match(line) or cell_len(line) <= size:
        return line
    from rich.console import Console  # Imported here: it takes ten times as long as the rest, for a line that is long.
    from rich.text import Text

    start = max((found.end() for found in BEFORE.finditer(line) if found.end() <= size // 2), default=0)
    lines = Text(line[start:]).wrap(Console(), size - start, overflow="fold")
    return line[:start] + ("\n" + " " * start).join(one.plain.rstrip() for one in lines)
