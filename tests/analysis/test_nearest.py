"""Nearest papers by coding: a formula worked out by hand, the order, and the answer for hundreds of papers."""

import math
import random

import pytest
from builders import coffee, make_corpus, make_paper

from awesome_cli.analysis.likeness import BLOCK, nearest


def test_likeness_is_the_weighted_share_of_codings_that_both_have():
    corpus = make_corpus(
        make_paper("one", tags={"device": "press", "beans": "arabica"}),
        make_paper("two", tags={"device": "press", "beans": "robusta"}),
        make_paper("three", tags={"device": "drip"}),
    )
    found = nearest(corpus)
    press, bean = math.log(4 / 2), math.log(4 / 1)
    (near,) = found["one"]
    assert near.key == "two"
    assert near.score == pytest.approx(press / (press + 2 * bean), abs=1e-3)
    assert near.shared == (("device", "press", None),)
    assert found["three"] == ()


def test_a_strength_counts_beside_its_term_and_of_a_part_the_term_alone():
    def taste(strength: str, *, part: bool = False) -> dict[str, object]:
        return {"taste": [{"term": "sour", "strength": strength, "part": part}]}

    corpus = make_corpus(
        make_paper("a", tags=taste("measured")),
        make_paper("b", tags=taste("measured")),
        make_paper("c", tags=taste("measured", part=True)),
        make_paper("d", tags={"taste": [{"term": "bitter", "strength": "tasted"}]}),
    )
    same, part = nearest(corpus)["a"]
    assert (same.key, same.score, same.shared) == ("b", 1, (("taste", "sour", "measured"),))
    assert (part.key, part.shared) == ("c", (("taste", "sour", None),))
    assert part.score < 1


def test_of_the_same_likeness_the_key_decides_and_no_paper_is_near_itself():
    papers = [make_paper(f"p{n}", tags={"device": "press"}) for n in range(8)]
    other = make_paper("other", tags={"device": "drip"})
    found = nearest(make_corpus(*reversed(papers), other), 3)
    assert [near.key for near in found["p1"]] == ["p0", "p2", "p3"]
    assert [near.key for near in found["p7"]] == ["p0", "p1", "p2"]
    assert nearest(make_corpus()) == {}


def test_blocks_of_papers_are_compared_with_all_others():
    chance, taxonomy = random.Random(3), coffee().taxonomy
    axes = {axis.id: [term.id for term in axis.leaves] for axis in taxonomy.axes if not axis.strengths}
    papers = [
        make_paper(f"p{n:04}", tags={axis: chance.choice(terms) for axis, terms in axes.items()})
        for n in range(BLOCK + 40)
    ]
    found = nearest(make_corpus(*papers))
    held = {paper.key: {(axis, tags[0].term) for axis, tags in paper.tags.items()} for paper in papers}
    last = papers[-1].key
    assert found[last][0].score == 1
    assert all(held[near.key] == held[last] for near in found[last] if near.score == 1)
