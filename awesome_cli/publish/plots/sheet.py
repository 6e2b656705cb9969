"""The page layout of a figure: title above, legend and note below, measured so that nothing overlaps."""

import re
import warnings
from collections.abc import Sequence
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.publish.plots.themes import COLUMN_MM, INCH, Look, Theme

PAD = 0.08
"""Margin of the picture and gap between title, body, legend and note, in inches."""
SPACING = 1.05
"""Distance of the lines of a label, in heights of a line."""
LEAST_BODY = 0.4
"""Minimum legible height of the body, in inches."""


class Sheet:
    """A figure being drawn; lengths are in inches, font sizes in points."""

    def __init__(self, pyplot: Any, theme: Theme, look: Look) -> None:
        self.pyplot, self.theme, self.look = pyplot, theme, look
        self.em = theme.size / 10
        self.small = theme.size * 0.85
        self.picture = pyplot.figure(layout="constrained")
        self._ruler = self.picture.text(0, 0, "", linespacing=SPACING)
        self._handles: list[Any] = []
        self._size = (0.0, 0.0)

    def width(self, natural: float, least: float = 0) -> float:
        """Return the width of the picture: as requested, else one column for the paper theme, else `natural`.

        The default is at least `least`, which the labels need; raises `UsageError` if the requested width is not.
        """
        if self.look.width and self.look.width < least:
            raise _too_small()
        return self.look.width or max(COLUMN_MM / INCH if self.theme.name == "paper" else natural, least)

    def measure(self, text: str, size: float | None = None, weight: str = "normal") -> tuple[float, float]:
        """Return the width and height of a text."""
        self._ruler.set(text=text, fontsize=size or self.theme.size, fontweight=weight)
        box = self._ruler.get_window_extent(self.picture.canvas.get_renderer())
        return box.width / self.picture.dpi, box.height / self.picture.dpi

    def wrapped(self, text: str, width: float, size: float | None = None, weight: str = "normal") -> str:
        """Wrap a text into lines of at most `width`, not at no-break spaces; longer words are cut."""
        lines = [""]
        for word in filter(None, re.split(r"[ \t\n]+", text)):
            joined = f"{lines[-1]} {word}".strip()
            if self.measure(joined, size, weight)[0] <= width:
                lines[-1] = joined
                continue
            rest = word
            while (wide := self.measure(rest, size, weight)[0]) > width and len(rest) > 1:
                fits = max(1, int(len(rest) * width / wide * 0.95))
                cut = rest.rfind("-", 0, fits) + 1 or fits
                lines, rest = [*lines, rest[:cut]], rest[cut:]
            lines.append(rest)
        return "\n".join(filter(None, lines))

    def subplots(self, width: float, height: float, rows: int = 1, columns: int = 1, *, same: bool = True) -> Any:
        """Return an array of axes, rows by columns, on a body of this size, with the `same` y scale or their own."""
        self._size = (width, height)
        self.picture.set_size_inches(width, height)
        return self.picture.subplots(rows, columns, sharex=True, sharey=same, squeeze=False)

    def axes(self, width: float, height: float) -> Any:
        """Return single axes on a body of this size."""
        return self.subplots(width, height)[0, 0]

    def patch(self, color: str, label: str, hatch: str = "") -> None:
        """Add a colour or hatch to the legend."""
        style = {"facecolor": color, "edgecolor": self.theme.soft, "linewidth": 0.5, "hatch": hatch * 2}
        self._handles.append(self.pyplot.Rectangle((0, 0), 1, 1, label=label, **style))

    def handles(self, handles: Sequence[Any]) -> None:
        self._handles += handles

    def finish(self, title: str, note: str) -> Any:
        """Place title, legend and note, and the body between them; `UsageError` if the labels need more space."""
        width, body = self._size
        wide = width - 2 * PAD
        above = self._text(title, wide, self.theme.size * 1.15, "bold") if title else None
        below = [part for part in (self._legend(wide), self._text(note, wide, self.small)) if part]
        ends = [self._height(part) for part in (above, *below) if part]
        over = PAD if title else 0
        height = self.look.height or body + sum(ends) + PAD * (len(ends) + 1) + over
        self.picture.set_size_inches(width, height)
        low = PAD
        for part in reversed(below):
            _place(part, PAD / width, low / height)
            low += self._height(part) + PAD
        high = height - over
        if above:
            high -= self._height(above)
            _place(above, PAD / width, high / height)
        self._ruler.remove()
        self._lay_out((PAD / width, low / height, wide / width, (high - over - low) / height), high - low)
        return self.picture

    def _lay_out(self, rect: tuple[float, float, float, float], body: float) -> None:
        with warnings.catch_warnings(record=True) as messages:
            warnings.simplefilter("always")
            if body > LEAST_BODY:
                self.picture.get_layout_engine().set(rect=rect)
                self.picture.draw_without_rendering()
        if body <= LEAST_BODY or any("collapsed" in str(message.message) for message in messages):
            raise _too_small()

    def _height(self, part: Any) -> float:
        box = part.get_window_extent(self.picture.canvas.get_renderer())
        return float(box.height / self.picture.dpi)

    def _text(self, text: str, width: float, size: float, weight: str = "normal") -> Any:
        if not text:
            return None
        color = self.theme.ink if weight == "bold" else self.theme.soft
        style = {"fontsize": size, "fontweight": weight, "color": color, "va": "bottom", "linespacing": 1.15}
        return self.picture.text(0, 0, self.wrapped(text, width, size, weight), **style)

    def _legend(self, width: float) -> Any:
        if not self._handles:
            return None
        for handle in self._handles:
            handle.set_label(self.wrapped(handle.get_label(), width - 0.5, self.small))
        style = {"loc": "lower left", "frameon": False, "fontsize": self.small, "borderpad": 0, "borderaxespad": 0}
        spacing = {"columnspacing": 1.2, "handlelength": 1.6, "handletextpad": 0.5, "labelspacing": 0.35}
        for columns in range(len(self._handles), 0, -1):
            made = self.picture.legend(handles=self._handles, ncols=columns, **style, **spacing)
            box = made.get_window_extent(self.picture.canvas.get_renderer())
            if columns == 1 or box.width / self.picture.dpi <= width:
                return made
            made.remove()
        return None


def _too_small() -> UsageError:
    return UsageError("the picture is too small for its labels", hint="give more --width or --height")


def _place(part: Any, x: float, y: float) -> None:
    """Move the lower left corner of a text or legend to `(x, y)`, in shares of the picture."""
    if hasattr(part, "set_bbox_to_anchor"):
        part.set_bbox_to_anchor((x, y))
    else:
        part.set_position((x, y))
