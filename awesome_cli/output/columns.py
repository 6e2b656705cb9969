"""The columns of a table at the width of a terminal: they become narrower, are left out, or stand below the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from awesome_cli.output.wrapping import longest

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
