"""Fit lines and tables to the width of a terminal without breaking words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

COPIED = re.compile(r"\s*(?:(?:fix|hint): )?(?:awesome|git) (?!has |needs )")
"""A line with a command to copy into a shell, which is never wrapped."""
BEFORE = re.compile(r"^ +|^• | {2,}")
"""Indentation and columns of a line; its continuation is aligned with the last column."""


def longest(text: str) -> int:
    """Return the width of the longest word. A command is one word; wide (East Asian) words may break anywhere."""
    if COPIED.match(text):
        return cell_len(text)
    return max((2 if size > len(word) else size for word in text.split() if (size := cell_len(word))), default=0)


def fitted(text: str, size: int) -> str:
    """Wrap lines to a width with a hanging indent; lines with commands are not wrapped."""
    return "\n".join(_continued(line, size) for line in text.split("\n"))


def _continued(line: str, size: int) -> str:
    if COPIED.match(line) or cell_len(line) <= size:
        return line
    from rich.console import Console  # Imported here, because it is slow and needed for long lines only.
    from rich.text import Text

    start = max((match.end() for match in BEFORE.finditer(line) if match.end() <= size // 2), default=0)
    lines = Text(line[start:]).wrap(Console(), size - start, overflow="fold")
    return line[:start] + ("\n" + " " * start).join(part.plain.rstrip() for part in lines)


GAP = 2
"""Blanks between two columns."""
SENTENCE = 16
"""Minimum width of a column whose cells are wider than this."""


@dataclass(frozen=True, slots=True)
class Columns:
    """A layout. `parts` are groups of `(column, width)`; printed below each other, each with the first column."""

    parts: tuple[tuple[tuple[int, int], ...], ...]
    left_out: tuple[int, ...] = ()


def arranged(cells: Sequence[Sequence[str]], minor: Sequence[int], size: int) -> Columns:
    """Fit columns of cells, each with its heading, to a width.

    If the columns do not fit side by side, `minor` columns are left out, from the last to the first. The rest is split
    into parts below each other. Only words wider than the terminal are broken.
    """
    whole = [max(map(cell_len, column)) for column in cells]
    least = [max(*map(longest, column), min(wide, SENTENCE)) for column, wide in zip(cells, whole, strict=True)]
    least[0] = min(least[0], max(size // 2, 1))
    least[1:] = [min(width, max(size - GAP - least[0], 1)) for width in least[1:]]
    shown, waiting = list(range(len(cells))), list(minor)
    while waiting and _total([least[i] for i in shown]) > size:
        shown.remove(waiting.pop())
    left_out = tuple(i for i in range(len(cells)) if i not in shown)
    parts = (tuple(zip(group, widths(group, whole, least, size), strict=True)) for group in _groups(shown, least, size))
    return Columns(tuple(parts), left_out)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _groups(shown: Sequence[int], least: Sequence[int], size: int) -> list[list[int]]:
    """Group the columns that fit side by side; each group begins with the first column."""
    groups = [[shown[0]]]
    for i in shown[1:]:
        if len(groups[-1]) > 1 and _total([least[j] for j in (*groups[-1], i)]) > size:
            groups.append([shown[0]])
        groups[-1].append(i)
    return groups


def widths(group: Sequence[int], whole: Sequence[int], least: Sequence[int], size: int) -> list[int]:
    """Distribute the width of a group: the minimum to each column, the rest to the columns with most lines per cell."""
    widths = {i: least[i] for i in group}
    for _ in range(size - _total(list(widths.values()))):
        narrow = [i for i in group if widths[i] < whole[i]]
        if not narrow:
            break
        widths[max(narrow, key=lambda i: whole[i] / widths[i])] += 1
    return [widths[i] for i in group]
