"""Cells that the words of a text or a candidate point to."""

from dataclasses import replace

import pytest
from builders import coffee
from claiming import claiming, make_claim

from awesome_cli.analysis.claims.danger import judged
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.guessing import guessed, guesses, stem
from awesome_cli.model.records import Candidate
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.text.passages import Searchable

BREWING = Taxonomy.model_validate(
    {
        "survey": {"title": "Brewing"},
        "axes": [
            {
                "id": "device",
                "label": "Device",
                "question": "With what?",
                "terms": [
                    {"id": "drip", "code": "D1", "label": "Dripper", "definition": "Water falls through a paper."},
                    {"id": "press", "label": "Press", "definition": "A plunger pushes water through a metal sieve."},
                    {"id": "pump", "label": "Pump", "parent": "engine", "definition": "Water under pressure."},
                    {"id": "engine", "label": "Engine", "definition": "An engine with an engine."},
                    {"id": "old", "label": "Old", "deprecated": {"on": "2026-01-01", "use": "press"}},
                ],
            },
            {
                "id": "taste",
                "label": "Taste",
                "question": "Which one?",
                "kind": "many",
                "strengths": [
                    {"id": "named", "label": "named"},
                    {"id": "measured", "label": "measured", "definition": "Tasters gave it a number."},
                ],
                "terms": [{"id": "sour", "label": "Sourness"}, {"id": "bitter", "label": "Bitter"}],
            },
        ],
    }
)


def found(text: str) -> dict[str, list[str]]:
    answer: dict[str, list[str]] = {}
    for guess in guesses(BREWING, text):
        answer.setdefault(guess.axis, []).append(guess.term)
    return answer


def test_a_term_is_guessed_from_its_name_whatever_its_ending():
    assert found("Two ways of dripping.") == {"device": ["drip"]}
    assert found("The PRESSES of Milan") == {"device": ["press"]}


@pytest.mark.parametrize(
    "text", ["", "Nothing here.", "D1", "old", "expression", "an engine", "water through paper", "a is of"]
)
def test_no_word_no_guess(text: str):
    """A code, a retired term, a part of a word, a term that is counted through others, and words that several share."""
    assert found(text) == {}


def test_a_definition_counts_with_enough_words_of_its_own():
    assert found("A plunger pushes it through a sieve.") == {"device": ["press"]}


def test_the_best_comes_first_with_its_words_and_the_sentence_they_stand_in():
    text = "On coffee.\n\nThe dripper was dry. A plunger in a press pushes through metal. Sour notes were measured."
    first, second, third = guesses(BREWING, text)
    assert (first.axis, first.term, second.term) == ("device", "press", "drip")
    assert set(first.words) == {"plunger", "press", "pushes", "metal"}
    assert first.quote == "A plunger in a press pushes through metal."
    assert first.score > second.score > 0
    assert (third.term, third.strength) == ("sour", "measured")


def test_without_words_of_a_strength_the_weakest_is_guessed():
    assert guesses(BREWING, "sourness")[0].strength == "named"


def test_a_quote_of_a_long_sentence_is_short_and_stands_in_the_text():
    text = "grounds and " * 500 + "a dripper at last" + " and more grounds" * 500
    (guess,) = guesses(BREWING, text)
    assert len(guess.quote) <= 300
    assert "dripper" in guess.quote
    assert Searchable([("", text)]).find(guess.quote).state == "found"


@pytest.mark.parametrize("words", ["delegate delegates delegated delegating delegation",
        "bitter bitterness",
        "process processes processing processed", "plan plans planned planning planner", "organise organize organised organizing organization"])  # fmt: skip
def test_forms_of_a_word_have_one_stem(words: str):
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("pair", ["general generation", "team term", "press expression", "code coffee"])
def test_other_words_have_another(pair: str):
    one, other = pair.split()
    assert stem(one) != stem(other)


COLD = make_claim({"count": "device=cold", "at_most": 0}, name="no-cold")
HOT = make_claim({"count": "device=immersion", "at_least": 1}, name="some-immersion")


def candidate(key: str, title: str, abstract: str) -> Candidate:
    fields = {"title": title, "proposal": "consider", "extra": {"abstract": abstract}}
    return Candidate.model_validate({"key": key, **fields})


def test_words_point_to_cells_and_claims_ask_for_them():
    pool = Pool(claiming(COLD, HOT))
    brew = candidate("brew", "Cold brew at home", "Nothing is heated.")
    none = candidate("none", "On chairs", "They stand.")
    (first, second) = guessed(pool, judged(pool), [none, brew])
    assert (first.candidate, second.candidate) == (brew, none)
    cells = {guess.axis: (guess.term, set(guess.words)) for guess in first.cells}
    term, words = cells["device"]
    assert term == "cold"
    assert {"Cold", "brew"} <= words
    assert first.claims == ("no-cold",)
    assert second.claims == ()


def test_claim_asks_for_what_stands_below_its_term():
    pool = Pool(claiming(HOT))
    (one,) = guessed(pool, judged(pool), [candidate("one", "A press", "A plunger ends the steeping.")])
    assert [(guess.axis, guess.term) for guess in one.cells][:1] == [("device", "press")]
    assert one.claims == ("some-immersion",)


def test_nearest_are_coded_papers_alone():
    corpus = coffee()
    bare = replace(corpus, papers=tuple(paper.model_copy(update={"tags": {}}) for paper in corpus.papers))
    drip = candidate("x", "Dripping slowly", "Drips.")
    for survey, nearest in ((corpus, ("drip2021",)), (bare, ())):
        pool = Pool(survey)
        (one,) = guessed(pool, (), [drip])
        assert tuple(neighbour.key for neighbour in one.nearest)[:1] == nearest
