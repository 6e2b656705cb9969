"""Claims in plain words: what is asked, the figure, and its bound."""

import re
from typing import Any

import pytest
from builders import make_corpus, make_exclusion, make_paper
from claiming import claiming, make_claim

from awesome_cli.analysis.claims.results import check
from awesome_cli.analysis.claims.wording import answer_texts, decisive, first_sentence
from awesome_cli.survey.corpus import Corpus

POOL = make_corpus(
    make_paper(
        "a2020",
        tags={"device": ["press"], "beans": ["arabica"]},
        measures={"grams": {"value": 10, "confidence": "high"}},
    ),
    make_paper(
        "b2020",
        tags={"device": ["drip"], "beans": ["robusta"]},
        measures={"grams": {"value": 30, "confidence": "high"}},
    ),
    make_paper("c2020", tags={"device": ["drip"], "taste": [{"term": "sour", "strength": "measured"}]}),
    make_exclusion(),
)


@pytest.mark.parametrize(
    ("asked", "about", "figure"),
    [
        ({"count": "device=drip", "at_most": 4}, "papers with device “Drip”", "2 of at most 4 papers"),
        ({"count": "device=press", "at_most": 4}, "papers with device “Press”", "1 of at most 4 papers"),
        ({"count": "device=drip", "at_most": 1}, "papers with device “Drip”", "2 of at most 1 paper"),
        ({"count": "device=drip", "at_most": 0}, "papers with device “Drip”", "2 papers (expected none)"),
        ({"count": "device=press", "at_least": 1}, "papers with device “Press”", "1 paper (expected at least 1)"),
        ({"count": "device=press", "equals": 1}, "papers with device “Press”", "1 paper, as expected"),
        ({"count": "device=press", "equals": 7}, "papers with device “Press”", "1 paper (expected exactly 7)"),
        ({"count": "*", "of": "exclusions", "equals": 1}, "screened-out records", "1 screened-out record, as expected"),
        (
            {"count": "device=drip", "over": "device=press", "at_least": 1, "at_most": 3},
            "papers with device “Drip” for each of the papers with device “Press”",
            "2 (expected at least 1 and at most 3)",
        ),
        (
            {"count": "device=drip", "minus": "device=press", "at_least": 1},
            "papers with device “Drip” minus papers with device “Press”",
            "1 (expected at least 1)",
        ),
        (
            {"share": "taste=sour", "among": "device=drip", "at_most": 0.5},
            "share of papers with taste “Sour” in papers with device “Drip”",
            "50 %, 1 of 2 papers (expected at most 50 %)",
        ),
        ({"share": "taste=sour", "at_most": 0.5}, "share of papers with taste “Sour”", "33.3 %, 1 of 3 papers (expected at most 50 %)"),
        ({"state": "taste=sour", "is": ["gap", "sparse"]}, "state of taste “Sour”", "sparse, 1 paper (expected gap or sparse)"),
        ({"ids": "device=press", "equals": ["a2020"]}, "papers with device “Press”", "a2020, as expected"),
        ({"ids": "device=drip", "equals": ["a2020", "b2020"]}, "papers with device “Drip”", "b2020; c2020 (expected exactly a2020; b2020)"),
        ({"ids": "device=cold", "equals": ["a2020"]}, "papers with device “Cold brew”", "none (expected exactly a2020)"),
        ({"largest": "grams", "group": "shop", "equals": 30}, "largest dose in “shop”", "30 grams, as expected"),
        (
            {"median": "grams", "group": "shop", "minus": "home", "among": "device=drip,press", "confidence": "low", "equals": 20},
            "median dose in “shop” minus that in “home”, among papers with device “Drip” or “Press”, at confidence low or better",
            "20 grams, as expected",
        ),
        ({"largest": "grams", "group": "shop", "over": "home", "at_least": 2},
         "largest dose in “shop” divided by that in “home”", "3 times (expected at least 2)"),
        ({"largest": "grams", "group": "shop", "among": "device=cold", "equals": 3},
         "largest dose in “shop”, among papers with device “Cold brew”", "nothing to measure (expected exactly 3)"),
        ({"survive": ["other"], "under": "near_misses"},
         "claims that flip when near-misses are re-admitted", "0 of 1 claim (expected none)"),
    ],
)  # fmt: skip
def test_an_expectation_in_words(asked: dict[str, Any], about: str, figure: str):
    other = make_claim({"count": "device=press", "at_least": 1}, name="other")
    found = check(claiming(make_claim(asked), other, corpus=POOL))
    (told,) = answer_texts(found.results[0].verdict, found.pool)
    assert (told.about, told.figure) == (about, figure)
    assert told == decisive(found.results[0].verdict, found.pool)


@pytest.mark.parametrize(("asked", "sentence"), [
    ({"count": "device=drip", "at_most": 4}, "2 of at most 4 papers with device “Drip”"),
    ({"count": "device=press", "at_most": 4}, "1 of at most 4 papers with device “Press”"),
    ({"count": "device=press", "at_least": 1}, "1 paper with device “Press” (expected at least 1)"),
    ({"count": "*", "of": "exclusions", "equals": 1}, "1 screened-out record, as expected"),
    ({"ids": "device=press", "equals": ["a2020"]}, "papers with device “Press”: a2020, as expected"),
    ({"share": "taste=sour", "at_most": 0.5},
     "share of papers with taste “Sour”: 33.3 %, 1 of 3 papers (expected at most 50 %)"),
])  # fmt: skip
def test_a_number_precedes_the_records_that_it_counts(asked: dict[str, Any], sentence: str):
    found = check(claiming(make_claim(asked), corpus=POOL))
    assert [str(told) for told in answer_texts(found.results[0].verdict, found.pool)] == [sentence]


def test_only_numbers_from_zero_are_drawn():
    asked = ({"count": "device=drip", "at_most": 4}, {"ids": "device=press", "equals": ["a2020"]},
             {"count": "device=press", "minus": "device=drip", "at_most": 0})  # fmt: skip
    found = check(claiming(make_claim(*asked), corpus=POOL))
    told = answer_texts(found.results[0].verdict, found.pool)
    assert [one.scale for one in told] == [(2, 4), None, None]


def test_words_of_the_shipped_claims_name_labels_and_days(shipped: Corpus):
    found = check(shipped)
    told = [one for result in found.results for one in answer_texts(result.verdict, found.pool)]
    assert len(told) == sum(len(claim.expect) for claim in shipped.claims.claims)
    assert [str(one) for one in told if re.search(r"\w=\w|\w_\w|:\w", str(one))] == []
    assert {one.day is None for one in told} == {True, False}


def test_the_first_sentence():
    assert first_sentence("One is sparse. Another is not.") == "One is sparse."
    assert first_sentence("Of 2026, e.g. this one is. “No.”") == "Of 2026, e.g. this one is."
    assert first_sentence("Only one") == "Only one"
