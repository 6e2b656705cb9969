"""Readings of contests: each side alone, from a grade on, and what a challenger's coding becomes."""

from datetime import date

import pytest
from builders import coffee, make_corpus, make_paper
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.errors import UsageError
from awesome_cli.model.codings import Tag
from awesome_cli.survey.corpus import ContestReading, Corpus, Side
from awesome_cli.survey.readings import read_as, reading_of, side_of

TAXONOMY = coffee().taxonomy
DAY = "2026-02-01"


def contested(axis: str, coding: dict[str, object], read_as: object, grade: str = "strong") -> Corpus:
    contest = {"on": DAY, "grade": grade, "because": "Read again."} | ({} if read_as == "doubt" else {"as": read_as})
    return make_corpus(make_paper(tags={axis: [coding | {"contested": contest}]}))


def read(corpus: Corpus, side: Side, grade: str = "weak") -> list[str]:
    (paper,) = read_as(corpus, ContestReading(side, grade)).papers
    return [str(tag) for tags in paper.tags.values() for tag in tags]


TASTED = {"term": "sour", "strength": "tasted"}
PLAIN = {"term": "arabica"}


@pytest.mark.parametrize(
    ("axis", "coding", "would_be", "strict", "generous"),
    [
        ("taste", TASTED, "doubt", None, None),
        ("taste", TASTED, {"strength": "measured"}, None, ["sour:measured"]),
        ("taste", TASTED, {"strength": "mentioned"}, ["sour:mentioned"], None),
        ("taste", TASTED, "none", [], None),
        ("taste", TASTED, "sour", None, None),
        ("taste", TASTED, "bitter", ["bitter:tasted"], None),
        ("taste", TASTED, ["sour", "umami:mentioned"], None, ["sour:tasted", "umami:mentioned"]),
        ("beans", PLAIN, "robusta", ["robusta"], None),
        ("beans", PLAIN, ["robusta", "cold"], ["robusta", "cold:part"], None),
        ("beans", PLAIN, ["arabica", "cold"], None, ["arabica", "cold:part"]),
    ],
)
def test_a_contest_is_on_one_side(
    axis: str, coding: dict[str, object], would_be: object, strict: list[str] | None, generous: list[str] | None
):
    corpus = contested(axis, coding, would_be)
    coded = [str(Tag.model_validate(coding))]
    assert read(corpus, Side.STRICT) == (coded if strict is None else strict)
    assert read(corpus, Side.GENEROUS) == (coded if generous is None else generous)


def test_a_reading_starts_at_a_grade():
    corpus = contested("taste", TASTED, "none", grade="weak")
    assert read(corpus, Side.STRICT, "weak") == []
    assert read(corpus, Side.STRICT, "strong") == ["sour:tasted"]


def test_a_main_coding_stays_beside_a_part_of_the_same_term():
    contest = {"grade": "strong", "as": "cold", "because": "Kept cold."}
    tags = {"beans": [PLAIN | {"contested": contest}, {"term": "cold", "part": True}]}
    assert read(make_corpus(make_paper(tags=tags)), Side.STRICT) == ["cold"]


def test_a_main_coding_that_another_one_replaces_becomes_a_part():
    contest = {"grade": "strong", "as": ["robusta", "arabica"], "because": "Mostly robusta."}
    corpus = make_corpus(make_paper(tags={"beans": [PLAIN | {"contested": contest}]}))
    assert read(corpus, Side.STRICT) == ["robusta", "arabica:part"]
    assert read(corpus, Side.GENEROUS) == ["arabica"]


def test_the_reason_of_the_challenger_stands_with_what_he_codes():
    (paper,) = read_as(contested("taste", TASTED, "bitter"), ContestReading(Side.STRICT, "weak")).papers
    assert paper.tags["taste"][0].evidence == "Read again."


def test_a_pool_does_not_know_contests_that_were_raised_later():
    corpus = contested("taste", TASTED, "none")
    (before,) = corpus.as_of(date(2026, 1, 31)).papers
    (after,) = corpus.as_of(date(2026, 2, 1)).papers
    assert before.tags["taste"][0].contested is None
    assert after.tags["taste"][0].contested is not None


@given(st.sampled_from(["mentioned", "tasted", "measured"]), st.sampled_from(["mentioned", "tasted", "measured"]))
def test_no_contest_is_in_both_readings(coded: str, would_be: str):
    corpus = contested("taste", {"term": "sour", "strength": coded}, {"strength": would_be})
    changed = [read(corpus, side) != [f"sour:{coded}"] for side in Side]
    assert sum(changed) == (coded != would_be)
    assert (side_of(TAXONOMY.by_id["taste"], corpus.papers[0].tags["taste"][0]) is None) is (coded == would_be)


def test_what_a_command_asks_for():
    assert reading_of(TAXONOMY, None) is None
    assert reading_of(TAXONOMY, "strict") == ContestReading(Side.STRICT, "weak")
    own = TAXONOMY.model_copy(update={"contested_from": "strong"})
    assert reading_of(own, "generous") == ContestReading(Side.GENEROUS, "strong")
    for side, grade in ((None, "weak"), ("strikt", None), ("strict", "loud")):
        with pytest.raises(UsageError):
            reading_of(TAXONOMY, side, grade)


def test_a_grade_without_a_side_says_which_option_is_missing():
    with pytest.raises(UsageError, match="--grade needs --reading") as refused:
        reading_of(TAXONOMY, None, "strong")
    assert refused.value.hint == "add --reading strict or --reading generous"
