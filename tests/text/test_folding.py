"""Text is compared without case, accents and what separates words; family names likewise."""

import pytest

from awesome_cli.text.folding import fold, is_like, plain, spaced
from awesome_cli.text.names import family, is_cut


@pytest.mark.parametrize(
    ("function", "text", "folded"),
    [
        (fold, "Ängström", "angstrom"),
        (plain, "S &#248; rensen &amp; Łukasz", "sorensen&lukasz"),
        (spaced, "  Multi-Agent_RL:  a Survey.", "multi agent rl a survey"),
    ],
)
def test_what_differs_in_writing_alone_is_equal(function, text, folded):
    assert function(text) == folded


def test_a_search_forgives_a_slip_in_a_long_word_alone():
    assert is_like("shaplye", ("the Shapley value",)) is False
    assert is_like("shaply", ("the Shapley value",))
    assert not is_like("tha", ("the value",))
    assert not is_like("2601.00001", ("2601.00002",))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("multiagent", "Multi-Agent systems"),
        ("multiagents", "a multi agent system"),
        ("multi-agent", "multiagent"),
        ("multi agents", "Multi\N{NON-BREAKING HYPHEN}agent"),
        ("pretraining", "pre-training"),
        ("rewards", "reward"),
        ("LLMs", "an LLM"),
        ("policies", "policy"),
        ("policy", "policies"),
        ("series", "a series"),
        ("boxes", "box"),
        ("CRÈME", "creme"),
        ("gpt-4", "GPT4"),
        ("gpt4 agents", "an agent with GPT-4"),
        ("3-d", "3D"),
        ("covid\N{NON-BREAKING HYPHEN}19", "covid19"),
        ("biases", "a bias"),
        ("bias", "biases"),
        ("heroes", "the hero"),
        ("analyses", "analysis"),
        ("city", "cities"),
        ("classes", "class"),
        ("学習", "強化学習によるエージェント"),
    ],
)
def test_a_search_ignores_hyphens_and_plural(pattern: str, text: str):
    assert is_like(pattern, [text])


@pytest.mark.parametrize(
    ("pattern", "text"), [("team", "note among"), ("rl", "the world"), ("outcome", "come out"), ("phases", "emphasis")]
)
def test_a_search_reads_words(pattern: str, text: str):
    assert not is_like(pattern, [text])


@pytest.mark.parametrize(
    ("author", "name"),
    [("van der Berg, Jan", "van der Berg"), ("Qwen Team", "Qwen Team"), ("others", ""), ("et al.", "")],
)
def test_a_family_name(author, name):
    assert family(author) == name
    assert is_cut(author) is (name == "")
