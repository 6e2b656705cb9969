"""The card for those who share a survey's address."""

import struct

from awesome_cli.publish.plots import card
from awesome_cli.publish.plots.card import Card, draw


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_the_card_is_small_and_always_the_same():
    crowded = Card("A title " * 40, "A statement $x_{1}$ of ink 漢字 " * 30, (("1,234", "words " * 30),) * 3)
    first = draw(crowded)
    draw.cache_clear()
    assert draw(crowded) == first
    assert size(first) == (card.WIDTH, card.HEIGHT)
    assert len(first) <= 60_000
    assert draw(Card("A title", "A statement.", ())) != first
