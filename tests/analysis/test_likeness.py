"""Records alike by their words, papers alike by their codings."""

import math
import random

import pytest
from builders import coffee, make_corpus, make_paper

from awesome_cli.analysis.likeness import BLOCK, Likeness, nearest, text_of
from awesome_cli.model.records import Candidate, Paper


def paper(key: str, title: str, **more: object) -> Paper:
    return Paper.model_validate({"key": key, "title": title, "added": "2026-01-01", **more})


BOOKS = (
    paper("bees", "Bees count flowers", summary="Bees and the number of flowers in a garden."),
    paper("ants", "Ants count steps", extra={"abstract": "Ants walk home by the number of their steps."}),
    paper("moths", "Moths follow the moon"),
    paper("ships", "Ships sail by stars", note="Sailors measure heights of stars."),
    paper("tides", "Tides and harbours"),
)


def test_score_is_cosine_of_weighted_words() -> None:
    index = Likeness.of(
        [paper("one", "red green"), paper("two", "red blue"), paper("three", "grey"), paper("four", "a")]
    )
    (found,) = index.nearest("blue")
    red, blue = math.log(5 / 2), math.log(5 / 1)
    assert found.score == pytest.approx(blue / math.hypot(red, blue), abs=1e-4)
    assert (found.key, found.words) == ("two", ("blue",))


def test_nearest_come_first_with_the_words_that_weigh_most() -> None:
    first, second = Likeness.of(BOOKS).nearest("A bee and the flower", "How ants, too, use numbers.", 2)
    assert (first.key, first.words[:2]) == ("bees", ("bee", "flower"))
    assert second.key == "ants"
    assert first.score > second.score > 0


def test_a_record_is_wholly_like_itself() -> None:
    index = Likeness.of(BOOKS)
    for book in BOOKS:
        assert index.nearest(book.title, text_of(book), 1)[0].key == book.key
        assert index.nearest(book.title, text_of(book), 1)[0].score == pytest.approx(1)


def test_case_accents_and_plurals_make_no_difference() -> None:
    index = Likeness.of(BOOKS)
    assert index.nearest("MÖTHS, moons") == index.nearest("moth moon")


def test_words_of_most_records_and_short_ones_say_nothing() -> None:
    index = Likeness.of([paper(name, f"the {name} of 2026") for name in ("alpha", "beta", "gamma")])
    assert index.nearest("The of 2026 an") == ()
    assert index.nearest("") == Likeness.of([]).nearest("alpha") == ()


def test_order_of_records_makes_no_difference() -> None:
    assert Likeness.of(BOOKS).nearest("number", "of flowers", 9) == Likeness.of(BOOKS[::-1]).nearest(
        "number", "of flowers", 9
    )


def test_text_of_a_candidate_is_what_is_written_and_nothing_else() -> None:
    one = Candidate.model_validate(
        {"key": "k", "title": "T", "proposal": "consider", "extra": {"abstract": ["not", 1]}}
    )
    assert text_of(one) == ""


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
