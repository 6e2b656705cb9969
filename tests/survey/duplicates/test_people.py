"""How far two lists of authors agree."""

import pytest

from awesome_cli.survey.duplicates import sketched
from awesome_cli.survey.duplicates.people import agreement


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("Garofalakis, M.", "Minos, G.", 1),  # family and given name changed places
        ("Garofalakis, MH", "Minos, GA", 1),
        ("Adams, D.", "Dora, A.", 1),
        ("Garofalakis, Ann", "Minos, Bob", 0),
        ("Garofalakis, Max", "Minos, Gil", 0),
    ],
)
def test_names_that_changed_places(one: str, other: str, share: float):
    a, b = (sketched(key, {"title": "On Bread", "authors": [name]}) for key, name in (("a", one), ("b", other)))
    assert agreement(a, b) == share
