"""Grids as pictures: heat maps, gap matrices and bubbles."""

import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.publish.plots.figures import Grid, GridCell, Style
from awesome_cli.publish.plots.themes import Theme, bare


@dataclass(frozen=True, slots=True)
class Place:
    """Where and with what a cell is drawn."""

    axes: Any
    theme: Theme
    pyplot: Any
    x: int
    y: int

    def rectangle(self, ground: Any, hatch: str = "") -> None:
        """Fill the place."""
        corner = (self.x - 0.48, self.y - 0.47)
        style = {"facecolor": ground, "edgecolor": self.theme.line, "linewidth": 0.5, "hatch": hatch}
        self.axes.add_patch(self.pyplot.Rectangle(corner, 0.96, 0.94, **style))

    def text(self, text: str, color: str, **style: Any) -> None:
        """Write into the middle."""
        self.axes.text(self.x, self.y, text, ha="center", va="center", color=color, **style)


def grid(figure: Grid, theme: Theme, pyplot: Any) -> Any:
    """A heat map, a gap matrix or bubbles."""
    tall = 0.8 if figure.style == "bubbles" else 0.46
    drawn, axes = pyplot.subplots(figsize=(2.4 + 1.0 * len(figure.columns), 1.0 + tall * len(figure.rows)))
    axes.set_aspect("equal" if figure.style == "bubbles" else "auto")
    most = max((cell.value for row in figure.cells for cell in row), default=0) or 1
    for y, row in enumerate(figure.cells):
        for x, cell in enumerate(row):
            _CELLS[figure.style](Place(axes, theme, pyplot, x, y), cell, cell.value / most)
    axes.set_xlim(-0.5, len(figure.columns) - 0.5)
    axes.set_ylim(len(figure.rows) - 0.5, -0.5)
    axes.set_xticks(range(len(figure.columns)), [_wrapped(name) for name in figure.columns])
    axes.set_yticks(range(len(figure.rows)), figure.rows)
    axes.xaxis.tick_top()
    bare(axes)
    axes.set_title(figure.title, pad=14)
    if figure.note:
        axes.annotate(figure.note, (0, 0), (0, -12), "axes fraction", "offset points", fontsize=8, color=theme.soft)
    return drawn


def _state(place: Place, cell: GridCell, _: float) -> None:
    ground, ink, hatch = place.theme.state(cell.state)
    place.rectangle(ground, hatch)
    # No hatching behind the words.
    box = {"facecolor": ground, "edgecolor": "none", "boxstyle": "square,pad=0.15"} if hatch else None
    place.text(cell.text, ink, fontsize=8.5, linespacing=1.05, bbox=box)


def _heat(place: Place, cell: GridCell, share: float) -> None:
    low, high = (tuple(int(end[i : i + 2], 16) / 255 for i in (1, 3, 5)) for end in place.theme.ramp)
    mixed = tuple(a + (b - a) * share for a, b in zip(low, high, strict=True))
    place.rectangle(mixed)
    place.text(cell.text, "#111111" if sum(mixed) / 3 > 0.55 else "#ffffff")


def _bubble(place: Place, cell: GridCell, share: float) -> None:
    if cell.value:
        style = {"facecolor": place.theme.series[4], "edgecolor": place.theme.line}
        place.axes.add_patch(place.pyplot.Circle((place.x, place.y), 0.46 * math.sqrt(share), **style))
        place.text(cell.text, "#111111" if share > 0.1 else place.theme.ink, fontsize=9)


_CELLS: Mapping[Style, Callable[[Place, GridCell, float], None]] = {"states": _state, "heat": _heat, "bubbles": _bubble}


def _wrapped(text: str, width: int = 14) -> str:
    return "\n".join(textwrap.wrap(text, width)) or text
