"""Nearest records by words: a formula worked out by hand, and what makes no difference."""

import math

import pytest

from awesome_cli.analysis.likeness import Likeness, text_of
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
