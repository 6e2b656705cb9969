"""How alike two titles are."""

import pytest

from awesome_cli.survey.duplicates import sketched
from awesome_cli.survey.duplicates.scoring import lost


@pytest.mark.parametrize(
    ("one", "other", "n"),
    [
        ("Fresh bread roast", "Fresh shortbread roast", 0),  # written together
        ("Fresh bean roast", "Fresh soybeans roast", 1),  # four letters stand in many words
        ("Fresh bean roast", "Fresh bean roast", 0),
        ("Warm milk roast", "Fresh bean roast", 2),
    ],
)
def test_words_that_one_title_lost(one: str, other: str, n: int):
    assert lost(sketched("a", {"title": one}), sketched("b", {"title": other}), 9) == n
