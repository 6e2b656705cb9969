"""The card for those who share a survey's address."""

import importlib.util
import io
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from running import Result

from awesome_cli.publish.plots import card
from awesome_cli.publish.plots.card import Card, draw
from awesome_cli.system.extras import install


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


Run = Callable[..., Result]


def test_a_site_without_a_card_names_what_draws_it(
    run: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "awesome_cli.publish.plots.themes.find_spec", lambda name: None if name == "matplotlib" else find(name)
    )
    messages = [run("site", "build", "--out", tmp_path / "s", root=root).err for _ in range(2)]
    assert not (tmp_path / "s" / card.PATH).exists()
    assert [install("plot") in message for message in messages] == [True, False]


def test_the_card_is_small_and_always_the_same():
    crowded = Card("A title " * 40, "A statement $x_{1}$ of ink 漢字 " * 30, (("1,234", "words " * 30),) * 3)
    first = draw(crowded)
    draw.cache_clear()
    assert draw(crowded) == first
    assert size(first) == (card.WIDTH, card.HEIGHT)
    assert len(first) <= 60_000
    assert draw(Card("A title", "A statement.", ())) != first


@pytest.mark.parametrize("words", ["WWW MMMM " * 30, "W" * 300, "i l " * 200, "漢字" * 100])
def test_texts_stay_inside_the_margin(words: str):
    picture = Image.open(io.BytesIO(draw(Card(words, words, (("1,234", words),) * 3)))).convert("RGB")
    beside = picture.crop((card.WIDTH - card.MARGIN + 4, 0, card.WIDTH, card.HEIGHT))
    assert len(beside.getcolors() or ()) == 1
    widest = picture.point(lambda value: 255 * (value < 200)).getbbox()
    assert widest is not None
    assert widest[2] > card.WIDTH * 0.8
