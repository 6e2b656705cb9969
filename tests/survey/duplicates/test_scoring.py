"""How alike two titles are."""

import pytest

from awesome_cli.survey.duplicates import sketched
from awesome_cli.survey.duplicates.scoring import lost, score


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


TITLE = "Slow roasting of green beans in small drums"


@pytest.mark.parametrize(
    ("title", "one", "other", "value", "because"),
    [
        (TITLE, ["Bean, Ada"], ["Bean, Ada"], 1.0, "100% of the family names agree"),
        # A long title is lowered by 0.15 at most, unless nobody of several authors is known.
        (TITLE, ["Bean, Ada"], ["Roast, Rob"], 0.85, "0% of the family names agree"),
        (TITLE, ["Bean, Ada", "Cup, Tim"], ["Roast, Rob", "Pour, Olga"], 0.7, "0% of the family names agree"),
        ("Slow roasting", ["Bean, Ada"], ["Roast, Rob"], 0.7, "0% of the family names agree"),
        (TITLE, [], ["Roast, Rob"], 1.0, "no authors to compare"),
        ("Slow roasting", [], ["Roast, Rob"], 0.75, "no authors to compare"),
    ],
)
def test_what_authors_take_away(title: str, one: list[str], other: list[str], value: float, because: str):
    a, b = (sketched(key, {"title": title, "authors": authors}) for key, authors in (("a", one), ("b", other)))
    found, reasons = score(a, b, 1)
    assert found == pytest.approx(value)
    assert reasons == ("the titles are equal", because)
