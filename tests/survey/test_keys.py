"""Keys say what a work is, and two branches give one work one key."""

import re

from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.model.records import KEY
from awesome_cli.survey.keys import exclusion_id, paper_key


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


@given(st.text(max_size=80), st.lists(st.text(max_size=10), max_size=2), st.integers(1500, 2200) | st.none())
def test_every_work_has_a_key(title, authors, year):
    assert re.fullmatch(KEY, paper_key(title, authors, year))
    assert re.fullmatch(KEY, exclusion_id(title, authors, year))
