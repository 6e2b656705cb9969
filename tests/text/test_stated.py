"""Numbers in sentences: digits and words, but no dates, names or code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.text.stated import numbers, stated


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        (
            "On 2026-05-04 `9` of c3, K2.6 and kimi-k2-5: 1,200 runs, 0.40, Twenty of none, no paper.",
            [1200, 0.4, 20, 0, 0],
        ),
        ("one in eight, 1 in 8, 12.5 %, 12.5%", [0.125] * 4),
        ("twenty-one, thirty two, a hundred, two hundred papers, two hundred five", [21, 32, 100, 200, 205]),
        ("May 2026, 4 May, on May 4, 2026, 2019-2021, in 1999", []),
        ("arXiv 2605.02801, 10.1000/5, https://example.org/7, version 3.11.2, #8, \u00a79", []),
        ("a 12-agent team, 3B, 4o, GPT-4, two-fold, 2nd", []),
        ("all but one of 160 cells: five axes", [160, 5]),
        ("-1 to 10\u201320, or 84.", [-1, 10, 20, 84]),
        ("Of 2,000 papers in 1984", [2000]),
        (
            "a dozen, two dozen, two thirds, a third, three quarters, one paper in three",
            [12, 24, 2 / 3, 1 / 3, 0.75, 1 / 3],
        ),
        ("no more than 3, not fewer than 3", [3, 3]),
        ("more than 3, fewer than two papers, less than 12.5 %", [4, 1, 0.125]),
        ("It runs 24/7 on Llama 3, but Llama 12 % of 5", [0.12, 5]),
    ],
)
def test_numbers(sentence: str, values: list[float]):
    assert [value for _, _, value in numbers(sentence)] == pytest.approx(values)


def test_a_word_can_imply_a_number():
    assert stated("Nobody has one of both, most not") >= {0, 1, 2, 0.5}
    assert stated("Each of three has a unit") == {1, 3}
    assert stated("12 papers") == {12}
    assert 0 in stated("neither paper")


@given(st.integers(0, 10**9), st.sampled_from(["{:,}", "{}"]))
def test_every_count_is_read_in_digits(n: int, form: str):
    assert form.format(n) in {str(y) for y in range(1500, 2100)} or n in stated(f"In all {form.format(n)} papers.")


@given(st.text())
def test_any_text_can_be_read(text: str):
    for start, found, _ in numbers(text):
        assert text[start : start + len(found)] == found
