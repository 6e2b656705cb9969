"""Wording of numbers, and of lengths of time, as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.text.numbers import percentage, rounded, spell_seconds

UNITS = {"d": 86_400, "h": 3_600, "min": 60, "s": 1, "ms": 0.001}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"), (1e-6, "0.001 ms"), (0.38, "380 ms"), (0.9996, "1 s"), (4.2, "4.2 s"), (59.94, "59.9 s"), (59.96, "1 min"),
        (125, "2 min 5 s"), (3599.7, "1 h"), (18_060, "5 h 1 min"), (85_000, "23 h 37 min"), (86_399, "1 d"), (90_000, "1 d 1 h"), (-4.2, "-4.2 s"),
    ],
)  # fmt: skip
def test_a_length_of_time_is_spelled(seconds: float, words: str) -> None:
    assert spell_seconds(seconds) == words


@given(st.floats(1e-3, 1e9))
def test_what_is_spelled_is_the_time_to_one_in_a_hundred(seconds: float) -> None:
    words = spell_seconds(seconds).replace(",", "").split()
    said = sum(float(n) * UNITS[unit] for n, unit in zip(words[::2], words[1::2], strict=True))
    assert said == pytest.approx(seconds, rel=0.025)
    assert "e" not in "".join(words)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12345, "12,345"), (12345.5, "12,345.5"), (2.0, "2"), (1.5, "1.5"), (1 / 3, "0.3333"), (200 / 3, "66.67"), (0.25, "0.25"),
        (0.00001234, "0.00001234"), (99.996, "99.996"), (0.99996, "0.99996"), (-0.5, "-0.5"), (0, "0"), (0.1 + 0.2, "0.3"), (1.1 * 3 - 0.3, "3"),
    ],
)  # fmt: skip
def test_a_number_of_a_text_is_never_rounded_to_another_whole_one(value: float, text: str) -> None:
    assert rounded(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (2 / 3, "66.7 %"),
        (0.9996, "99.96 %"),
        (0.99996, "99.996 %"),
        (0.0004, "0.04 %"),
        (0.05, "5 %"),
    ],
)
def test_a_share_is_all_or_none_only_if_it_is(share: float, text: str) -> None:
    assert percentage(share) == text
