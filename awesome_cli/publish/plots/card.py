"""The card that stands for a survey where its address is shared: 1200 by 630 pixels, with its title and figures."""

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
"""Pixels; as are all places below, counted from the top left."""
SHADES = bytes(round(value * 7 / 255) * 255 // 7 for value in range(256))
"""Eight shades of each colour are enough for letters, and make a small file."""


@dataclass(frozen=True, slots=True)
class Card:
    """The texts of the card: `figures` are numbers with their words, the first of them with the statement."""

    title: str
    statement: str
    figures: tuple[tuple[str, str], ...]


@lru_cache(maxsize=1)
def draw(card: Card) -> bytes:
    """The card as PNG, the same bytes for the same card with the same library; `AwesomeError` without matplotlib."""
    theme, shown = THEMES["light"], visible(card)
    with settings(theme) as pyplot, warnings.catch_warnings():
        # Letters that the fonts have not are boxes.
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
        """Words whose top left corner is at a place; `size` is in pixels."""
        drawn.text(x / WIDTH, 1 - y / HEIGHT, words, va="top", fontsize=size * 72 / DPI, linespacing=1.3, **more)

    text(MARGIN, 52, _lines(card.title, 62, 2), 30, color=theme.soft)
    text(MARGIN, 156, _lines(card.statement, 48, 4), 40, family="serif", weight="bold")
    for i, (number, words) in enumerate(card.figures):
        x = MARGIN + i * (WIDTH - 2 * MARGIN) / len(card.figures)
        text(x, 412, number, 84, family="serif", weight="bold", color=theme.series[0])
        text(x, 520, _lines(words, 76 // len(card.figures), 2), 25, color=theme.soft)


def _lines(words: str, width: int, most: int) -> str:
    return "\n".join(textwrap.wrap(words, width, max_lines=most, placeholder=" …"))
