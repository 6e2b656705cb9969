"""Keys say what a work is, and two branches give one work one key."""

import re

from builders import make_corpus, make_exclusion, make_paper
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.model.codings import KEY
from awesome_cli.survey.keys import Names, exclusion_id, paper_key


def test_a_key_is_short_while_short_ones_are_free():
    about = ("MARFT: Multi-Agent Fine-Tuning", ["Liao, Junwei"], 2025)
    taken: list[str] = []
    for key in ("marft", "marft2025", "liao2025-marft", "liao2025-marft-multi"):
        assert paper_key(*about, taken) == key
        taken.append(key)


def test_an_exclusion_is_named_by_the_whole_of_what_it_is():
    assert exclusion_id("Deep Learning", ["LeCun, Yann"], 2015) == "lecun2015-deep-learning"
    long = "A very long title about everything that there is in the world of agents and more"
    assert exclusion_id(long, [], 2020) != exclusion_id(f"{long} things", [], 2020)
    assert len(exclusion_id(long, [], 2020)) <= 64


def test_a_free_id_says_what_tells_the_work_apart():
    editorial = ("Editorial", ["Doe, Jane"], 2001)
    taken = {exclusion_id(*editorial)}
    first, second = (exclusion_id(*editorial, taken, {"venue": venue}) for venue in ("Journal of A", "Journal of B"))
    assert len({first, second, *taken}) == 3
    # Another branch, which has other records, finds the same id.
    assert first == exclusion_id(*editorial, {*taken, second}, {"venue": "Journal of A"})
    assert exclusion_id(*editorial, {*taken, first}, {"venue": "Journal of A"}) == f"{first}-2"


def test_no_new_record_gets_a_name_that_is_in_use():
    cited = make_paper("ann", aliases=["old"], citation={"key": "Ann:1"})
    names = Names.of(make_corpus(cited, make_exclusion("X1")))
    assert [key in names for key in ("ann", "old", "x1", "bob")] == [True, True, True, False]
    assert names.cited == {"Ann:1"}


def test_no_key_is_a_name_that_some_system_reserves():
    assert all(key in Names() for key in ("con", "nul.x", "COM1", "a" * 200))
    assert paper_key("Con: A Study", ["Doe, Jane"], 2001, Names()) == "con2001"


@given(st.text(max_size=80), st.lists(st.text(max_size=10), max_size=2), st.integers(100, 2200) | st.none())
def test_every_work_has_a_key(title, authors, year):
    assert re.fullmatch(KEY, paper_key(title, authors, year))
    assert re.fullmatch(KEY, exclusion_id(title, authors, year))
