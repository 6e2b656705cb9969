"""How far two lists of authors agree."""

import pytest

from awesome_cli.survey.duplicates import sketched
from awesome_cli.survey.duplicates.scoring import agreement


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


@pytest.mark.parametrize(("name", "share"), [("M?ller, A.", 1), ("M?ller-Schmidt, A.", 0), ("B?ck, A.", 0)])
def test_a_name_with_a_lost_letter_is_the_name_that_has_it(name: str, share: float):
    a, b = (sketched(key, {"title": "On Bread", "authors": [one]}) for key, one in (("a", name), ("b", "Mueller, A.")))
    assert agreement(a, b) == share


def test_several_names_may_stand_in_one_place():
    """Initials between them are nobody's family name, and a short family name is one beside a given name."""
    a = sketched("a", {"title": "On Bread", "authors": ["Aha, D. W., Kibler, D., and Albert, M. K."]})
    assert a.surnames == ("aha", "kibler", "albert")
    assert sketched("b", {"title": "On Bread", "authors": ["Li, Ada", "Yu"]}).surnames == ("li",)


def test_a_draft_is_known_by_the_address_of_a_link():
    draft = {"title": "On Bread", "links": [{"kind": "paper", "url": "https://arxiv.org/abs/2508.04652v2"}]}
    assert (
        sketched("a", draft).identities
        == sketched("b", {"title": "Other", "url": "https://arxiv.org/abs/2508.04652"}).identities
    )
    assert sketched("a", draft).identities
