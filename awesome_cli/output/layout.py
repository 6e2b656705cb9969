"""Lines and columns at the width of a terminal: words stay whole; columns narrow, are left out, or stand below."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

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


GAP = 2
"""Blanks between two columns."""
SENTENCE = 16
"""The width that a column keeps in which a cell is wider."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What fits: `parts` are groups of `(column, width)` that stand below each other, each with the first column."""

    parts: tuple[tuple[tuple[int, int], ...], ...]
    left_out: tuple[int, ...] = ()


def arranged(cells: Sequence[Sequence[str]], minor: Sequence[int], size: int) -> Columns:
    """How columns of cells, each with its head, fit a width in which every word stays whole.

    Where they do not fit next to each other, the `minor` ones are left out, from the last one on; what still does not
    fit stands below. Only a word that is wider than the terminal leaves room for is broken.
    """
    whole = [max(map(cell_len, column)) for column in cells]
    least = [max(*map(longest, column), min(wide, SENTENCE)) for column, wide in zip(cells, whole, strict=True)]
    least[0] = min(least[0], max(size // 2, 1))
    least[1:] = [min(one, max(size - GAP - least[0], 1)) for one in least[1:]]
    shown, waiting = list(range(len(cells))), list(minor)
    while waiting and _total([least[i] for i in shown]) > size:
        shown.remove(waiting.pop())
    left_out = tuple(i for i in range(len(cells)) if i not in shown)
    parts = (
        tuple(zip(group, _widths(group, whole, least, size), strict=True)) for group in _groups(shown, least, size)
    )
    return Columns(tuple(parts), left_out)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _groups(shown: Sequence[int], least: Sequence[int], size: int) -> list[list[int]]:
    """The columns that stand next to each other; each group after the first begins with the first column."""
    groups = [[shown[0]]]
    for i in shown[1:]:
        if len(groups[-1]) > 1 and _total([least[j] for j in (*groups[-1], i)]) > size:
            groups.append([shown[0]])
        groups[-1].append(i)
    return groups


def _widths(group: Sequence[int], whole: Sequence[int], least: Sequence[int], size: int) -> list[int]:
    """The widths of columns that fit at their least; what is left goes to those whose cells take most lines."""
    widths = {i: least[i] for i in group}
    for _ in range(size - _total(list(widths.values()))):
        narrow = [i for i in group if widths[i] < whole[i]]
        if not narrow:
            break
        widths[max(narrow, key=lambda i: whole[i] / widths[i])] += 1
    return [widths[i] for i in group]
