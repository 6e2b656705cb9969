"""Which records make one work, in surveys that have many records of each."""

import pytest
from builders import make_corpus, make_paper
from hypothesis import given
from hypothesis import strategies as st
from work import calls

from awesome_cli.survey.duplicates import grouped, manifestations, sketched
from bench._citations import citations, works
from bench.dedupe import quality_of_groups

TITLE = "The roasting of green beans in small drums"
WORK = {"title": TITLE, "authors": ["Bean, Ada", "Rye, Bo"], "year": 2001}


def groups(*records):
    found = grouped(manifestations(record) for record in make_corpus(*records).records).groups()
    return [set(group.keys) for group in found]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_work_with_many_citations_is_one_group(seed: int):
    assert quality_of_groups(citations(works(), 1_295, seed))[2] >= 0.9


def test_all_copies_of_a_work_are_one_group_beside_its_neighbours():
    copies = [make_paper(f"a{i}", **WORK) for i in range(70)]
    others = [
        make_paper(
            f"b{i}", **{**WORK, "title": f"{TITLE} {'bcdfghjklm'[i % 10] * 5}", "authors": [f"{'xyz'[i % 3]}orn{i}, A"]}
        )
        for i in range(30)
    ]
    found = groups(*copies, *others)
    assert {f"a{i}" for i in range(70)} in found
    assert len(found[0]) == 70 or all(len(keys) < 5 for keys in found[1:])


def test_each_link_joins_the_next_record():
    (group,) = grouped(manifestations(make_paper(f"a{i}", **WORK)) for i in range(5)).groups()
    assert group.keys[1:] == tuple(link.a for link in group.links)
    for i, link in enumerate(group.links):
        assert link.b in group.keys[: i + 1]


def test_a_record_joins_two_groups_that_it_links():
    left = make_paper("a", title="Roasting beans: the small drums", authors=["Bean, Ada"])
    right = make_paper("b", title="The small drums", authors=["Bean, Ada"])
    both = make_paper("c", title="Roasting beans: the small drums", authors=["Bean, Ada", "others"])
    assert groups(left, right, both) == [{"a", "b", "c"}]


def test_records_marked_as_different_are_in_two_groups():
    first, other = make_paper("a", **WORK), make_paper("b", **WORK, distinct_from=["a"])
    assert groups(first, other) == []
    assert groups(first, other, make_paper("c", **WORK)) == [{"a", "c"}]
    assert groups(make_paper("d", **WORK), other, first) == [{"b", "d"}]
    assert groups(make_paper("c", **WORK, distinct_from=["d"]), first, make_paper("d", **WORK)) == [{"a", "c"}]


def test_one_member_that_matches_is_too_few():
    """A title of two subjects is like both, and neither is like the other."""
    one = {"authors": ["Bean, Ada"], "year": 2001, "venue": "Crema"}
    steam = [make_paper(f"s{i}", title="Worksheet of beans for steam", **one) for i in range(3)]
    odd = make_paper("odd", title="Worksheet of beans for water", authors=["Bean, Ada"])
    assert all("odd" not in keys for keys in groups(*steam, odd))


@given(st.lists(st.sampled_from("abcdef"), max_size=12), st.data())
def test_no_record_is_in_two_groups(letters, data):
    drafts = [
        sketched(
            f"k{i}",
            {**WORK, "title": f"{TITLE} {letter}", "identifiers": {"doi": f"10.1000/{data.draw(st.integers(0, 4))}"}},
        )
        for i, letter in enumerate(letters)
    ]
    found = grouped([draft] for draft in drafts).groups()
    keys = [key for group in found for key in group.keys]
    assert len(keys) == len(set(keys))
    assert all(len(group.keys) == len(group.links) + 1 >= 2 for group in found)


def test_time_grows_with_the_records_of_a_work():
    def work(n: int) -> int:
        drafts = [sketched(f"k{i}", WORK) for i in range(n)]
        return calls(lambda: grouped([draft] for draft in drafts).groups())

    assert work(800) < 9 * work(100)
