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
    def text(x: float, y: float, words: str, size: int, **more: Any) -> None:
        """Draw a text with its top left corner at `(x, y)`; `size` is in pixels."""
        drawn.text(x / WIDTH, 1 - y / HEIGHT, words, va="top", fontsize=size * 72 / DPI, linespacing=1.3, **more)

    text(MARGIN, 52, _lines(card.title, 62, 2), 30, color=theme.soft)
    text(MARGIN, 156, _lines(card.statement, 48, 4), 40, family="serif", weight="bold")
    for i, (number, words) in enumerate(card.figures):
        x = MARGIN + i * (WIDTH - 2 * MARGIN) / len(card.figures)
        text(x, 412, number, 84, family="serif", weight="bold", color=theme.accent)
        text(x, 520, _lines(words, 76 // len(card.figures), 2), 25, color=theme.soft)


def _lines(words: str, width: int, most: int) -> str:
    return "\n".join(textwrap.wrap(words, width, max_lines=most, placeholder=" …"))
