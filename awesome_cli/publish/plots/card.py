"""The preview card of a survey for social media: 1200 by 630 pixels, with title, statement and key figures."""

import io
import textwrap
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from awesome_cli.publish.plots.figures import visible
from awesome_cli.publish.plots.themes import METADATA, THEMES, Theme, settings

PATH = "card.png"
WIDTH, HEIGHT, DPI = 1200, 630, 100
MARGIN = 64
WIDE = WIDTH - 2 * MARGIN
"""Pixels, like all positions below, from the top left."""
SHADES = bytes(round(value * 7 / 255) * 255 // 7 for value in range(256))
"""Quantisation to eight shades per channel, which keeps the file small."""


@dataclass(frozen=True, slots=True)
class Card:
    """The texts of the card; `figures` are `(number, label)`, the first belongs to the statement."""

    title: str
    statement: str
    figures: tuple[tuple[str, str], ...]


@lru_cache(maxsize=1)
def draw(card: Card) -> bytes:
    """Draw the card as PNG, reproducible with the same matplotlib; raises `AwesomeError` without matplotlib."""
    theme, shown = THEMES["light"], visible(card)
    with settings(theme) as pyplot, warnings.catch_warnings():
        # Matplotlib warns of missing glyphs, which it draws as boxes.
        warnings.simplefilter("ignore")
        drawn = pyplot.figure(figsize=(WIDTH / DPI, HEIGHT / DPI))
        _write(drawn, shown, theme)
        drawn.canvas.draw()
        shades = memoryview(bytes(drawn.canvas.buffer_rgba()).translate(SHADES)).cast("B", (HEIGHT, WIDTH, 4))
        pyplot.close(drawn)
        buffer = io.BytesIO()
        pyplot.imsave(buffer, shades, format="png", metadata=dict(METADATA["png"]), pil_kwargs={"compress_level": 9})
    return buffer.getvalue()


def _write(drawn: Any, card: Card, theme: Theme) -> None:
    step = WIDE / max(len(card.figures), 1)

    def text(x: float, y: float, words: str, size: int, lines: int, wide: float = WIDE, **more: Any) -> None:
        """Draw lines of `wide` pixels with their top left corner at `(x, y)`; `size` is in pixels."""
        style = {"va": "top", "fontsize": size * 72 / DPI, "linespacing": 1.3, **more}
        _wrap(drawn.text(x / WIDTH, 1 - y / HEIGHT, "", **style), words, wide, lines)

    text(MARGIN, 52, card.title, 30, 2, color=theme.soft)
    text(MARGIN, 156, card.statement, 40, 4, family="serif", weight="bold")
    for i, (number, words) in enumerate(card.figures):
        text(MARGIN + i * step, 412, number, 84, 1, family="serif", weight="bold", color=theme.accent)
        text(MARGIN + i * step, 520, words, 25, 2, step - MARGIN / 2, color=theme.soft)


def _wrap(drawn: Any, words: str, wide: float, lines: int) -> None:
    """Put words into a drawn text, with as many letters a line as fit into the width."""
    letters, width = len(words) + 1, wide + 1
    while width > wide and letters > 1:
        letters = min(letters - 1, int(letters * wide / width))
        drawn.set_text("\n".join(textwrap.wrap(words, letters, max_lines=lines, placeholder=" …")))
        width = drawn.get_window_extent().width
