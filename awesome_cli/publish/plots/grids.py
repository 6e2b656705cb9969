"""Grids as pictures: heat maps, gap matrices and bubbles."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.publish.plots.figures import Grid, GridCell, Style
from awesome_cli.publish.plots.sheet import PAD, Sheet
from awesome_cli.publish.plots.themes import bare

WIDE: Mapping[Style, float] = {"states": 1.0, "heat": 0.8, "bubbles": 0.8}
"""The natural width of a cell in inches, more for a long word above it."""
WIDEST, ROOM = 1.2, 0.92
"""The greatest natural width of a cell, and the share of a cell's width that a text may take."""
TALL, LABEL, INDENT = 0.32, 2.6, "    "
"""The least height of a row, the greatest width of a row's label, and what stands before the label of an inner row."""
SMALLEST = 4.5
"""Letters smaller than this, in points, are not read on paper."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where and with what a cell is drawn; `size` is that of its letters, `across` the room in it, in points."""

    axes: Any
    sheet: Sheet
    x: int
    y: int
    size: float
    across: float

    def rectangle(self, ground: Any, hatch: str = "") -> None:
        """Fill the place."""
        corner = (self.x - 0.48, self.y - 0.47)
        style = {"facecolor": ground, "edgecolor": self.sheet.theme.line, "linewidth": 0.5, "hatch": hatch}
        self.axes.add_patch(self.sheet.pyplot.Rectangle(corner, 0.96, 0.94, **style))

    def text(self, text: str, color: str, **style: Any) -> None:
        """Write into the middle."""
        self.axes.text(self.x, self.y, text, ha="center", va="center", color=color, fontsize=self.size, **style)


def grid(figure: Grid, sheet: Sheet) -> None:
    """A heat map, a gap matrix or bubbles."""
    em, count = sheet.em, max(len(figure.columns), 1)
    fixed = sheet.width(0)
    most = 0.34 * fixed if fixed else LABEL * em
    rows = [_label(sheet, figure, i, most) for i in range(len(figure.rows))]
    aside = max((sheet.measure(label)[0] for label in rows), default=0) + 3 * PAD
    words = [sheet.measure(word)[0] for name in figure.columns for word in name.split()]
    natural = min(max([WIDE[figure.style] * em, *(word / ROOM for word in words)]), WIDEST * em)
    width = sheet.width(aside + natural * count)
    cell = (width - aside) / count
    columns, turned = _headings(sheet, figure.columns, cell)
    size, texts = _texts(sheet, figure, cell)
    lines = max((sheet.measure(text, size)[1] for text in (*texts.values(), *rows)), default=0) + 2 * PAD * em
    tall = max(lines, min(cell, WIDE["bubbles"] * em) if figure.style == "bubbles" else TALL * em)
    above = max((sheet.measure(name)[0 if turned else 1] for name in columns), default=0) + 4 * PAD
    axes = sheet.axes(width, above + tall * max(len(rows), 1))
    top = max((cell.value for row in figure.cells for cell in row), default=0) or 1
    for column, line, entry in _cells(figure):
        _CELLS[figure.style](
            Place(axes, sheet, column, line, size, min(cell, tall) * 72), entry, texts[column, line], entry.value / top
        )
    axes.set_xlim(-0.5, len(figure.columns) - 0.5)
    axes.set_ylim(len(figure.rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns, rotation=90 if turned else 0)
    axes.set_yticks(range(len(rows)), rows, ha="left")
    bare(axes)
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0)
    axes.tick_params(axis="y", pad=(aside - 2.5 * PAD) * 72)
    for state, meaning in figure.legend:
        ground, _, hatch = sheet.theme.state(state)
        sheet.patch(ground, meaning, hatch)


def _cells(figure: Grid) -> Iterator[tuple[int, int, GridCell]]:
    return ((x, y, cell) for y, row in enumerate(figure.cells) for x, cell in enumerate(row))


def _label(sheet: Sheet, figure: Grid, i: int, width: float) -> str:
    """The label of a row in lines; each line of an inner row is indented."""
    indent = INDENT if figure.inner[i : i + 1] == (True,) else ""
    lines = sheet.wrapped(figure.rows[i], width - sheet.measure(indent)[0] if indent else width)
    return "\n".join(indent + line for line in lines.splitlines())


def _headings(sheet: Sheet, names: tuple[str, ...], cell: float) -> tuple[list[str], bool]:
    """The names of the columns in lines as wide as a cell, or turned where a word is wider than that."""
    room = cell * ROOM + 0.01
    if all(sheet.measure(word)[0] <= room for name in names for word in name.split()):
        return [sheet.wrapped(name, room) for name in names], False
    limit = 1.2 * sheet.em
    while any(sheet.measure(sheet.wrapped(name, limit))[1] > room for name in names):
        if limit > max(sheet.measure(name)[0] for name in names):
            break
        limit *= 1.25
    return [sheet.wrapped(name, limit) for name in names], True


def _texts(sheet: Sheet, figure: Grid, cell: float) -> tuple[float, dict[tuple[int, int], str]]:
    """The size of the letters and the text of each cell: whole, else its numbers below each other, the state by colour.

    Where even these are too wide, the letters get smaller.
    """
    full = {(x, y): entry.text for x, y, entry in _cells(figure)}
    numbers = {at: text.partition("\n")[0].replace(" (", "\n(").replace(" [", "\n[") for at, text in full.items()}
    room = cell * ROOM
    for texts in (full, numbers) if figure.legend else (full,):
        widest = max((sheet.measure(text, sheet.small)[0] for text in set(texts.values())), default=0)
        if widest <= room:
            return sheet.small, texts
    return max(sheet.small * room / widest, SMALLEST), texts


def _state(place: Place, cell: GridCell, text: str, _: float) -> None:
    ground, ink, hatch = place.sheet.theme.state(cell.state, cell.value)
    place.rectangle(ground, hatch)
    # No hatching behind the words.
    box = {"facecolor": ground, "edgecolor": "none", "boxstyle": "square,pad=0.15"} if hatch else None
    place.text(text, ink, linespacing=1.05, bbox=box)


def _heat(place: Place, _: GridCell, text: str, share: float) -> None:
    low, high = (tuple(int(end[i : i + 2], 16) / 255 for i in (1, 3, 5)) for end in place.sheet.theme.ramp)
    mixed = tuple(a + (b - a) * share for a, b in zip(low, high, strict=True))
    place.rectangle(mixed)
    place.text(text, "#111111" if sum(mixed) / 3 > 0.55 else "#ffffff")


def _bubble(place: Place, cell: GridCell, text: str, share: float) -> None:
    theme = place.sheet.theme
    place.axes.plot(place.x, place.y, "+", color=theme.line, markersize=4, zorder=0)
    if cell.value:
        style = {"color": theme.ground("#56b4e9"), "markeredgecolor": theme.line, "clip_on": False}
        place.axes.plot(place.x, place.y, "o", markersize=0.9 * place.across * math.sqrt(share), **style)
        place.text(text, "#111111")


_CELLS: Mapping[Style, Callable[[Place, GridCell, str, float], None]] = {
    "states": _state,
    "heat": _heat,
    "bubbles": _bubble,
}
