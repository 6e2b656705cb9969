"""What the words of a text point to, on a vocabulary that is made up here."""

import pytest

from awesome_cli.analysis.guessing import guesses, stem
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
