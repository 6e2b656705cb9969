"""Quotes looked up in texts: what is forgiven, what is not, and what is nearest."""

import time

import pytest

from awesome_cli.text.passages import Searchable

TEXT = (
    ("Abstract", "We train a team of agents, and a fixed round limit ends the debate."),
    (
        "3 Reward",
        "The verdict of the judge is rewarded on its own: every token of a turn that fails receives minus one.",
    ),
)


def find(quote: str, text: str):
    return Searchable((("", text),)).find(quote)


def test_a_quote_is_found_with_its_place():
    found = Searchable(TEXT).find("every token of a turn that fails receives minus one")
    assert (found.state, found.heading) == ("found", "3 Reward")
    assert 0.5 < (found.share or 0) < 0.9
    assert Searchable(TEXT).find("We train").share == 0


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("the cooperation of agents", "the co-\noperation of agents"),
        ("the co-operation of agents", "the co-\n  operation of agents"),
        ("end-to-end training", "end\u2011to\u2010end training"),
        ("multi-agent systems", "multi agent systems"),
        ("the first final reward", "the \ufb01rst \ufb01nal reward"),
        ("an efficient policy", "an e\ufb03cient policy"),
        ('the agent\'s "own" reward', "the agent\u2019s \u201cown\u201d reward"),
        ("the ``own'' reward", "the \u201cown\u201d reward"),
        ("rewards \u2013 or not", "rewards \u2014 or not"),
        ("rewards--or not", "rewards\u2014or not"),
        ("receives \u22121 or 1", "receives -1 or 1"),
        ("a soft hyphen", "a so\u00adft hy\u200bphen"),
        ("many   blanks\nand lines", "many blanks and\u00a0lines"),
        ("R ( s ) = 1", "R(s)=1"),
        ("trained policy", "an RL-trained policy."),
    ],
)
def test_what_typesetting_changes_is_forgiven(quote: str, text: str):
    assert find(quote, text).state == "found"


@pytest.mark.parametrize(
    ("quote", "text", "difference"),
    [
        (
            "the policy is trained to stop the debate",
            "First, the policy is designed to stop the debate.",
            "the policy is [-trained-]{+designed+} to stop the debate",
        ),
        (
            "the policy learns when to stop the debate",
            "the policy never learns when to stop the debate",
            "the policy {+never+} learns when to stop the debate",
        ),
        (
            "every failed turn receives minus one",
            "every turn receives minus one",
            "every [-failed-] turn receives minus one",
        ),
        ("The Policy stops by itself", "the policy stops by itself", "[-The Policy-]{+the policy+} stops by itself"),
        ("the whole reward is -1", "the whole reward is 1", "the whole reward is [---] 1"),
        (
            "the multi-agent policy stops late",
            "the multiagent policy stops early",
            "the multi agent policy stops [-late-]{+early+}",
        ),
    ],
)
def test_a_near_passage_comes_with_the_difference(quote: str, text: str, difference: str):
    found = find(quote, f"Something else stands before it. {text} And something behind it.")
    assert (found.state, found.difference) == ("near", difference)


@pytest.mark.parametrize("quote", ["", " - ", "nothing of this was ever written here", "rain"])
def test_a_missing_quote(quote: str):
    found = find(quote, "we train a policy of agents and reward the verdict")
    assert (found.state, found.share, found.difference) == ("missing", None, None)
    assert find(quote, "").state == "missing"


def test_long_texts_are_searched_quickly():
    words = [f"w{n * 7919 % 5003}" for n in range(300_000)]
    text = Searchable((("", " ".join(words)),))
    quote = words[150_000:150_060]
    start = time.process_time()
    assert text.find(" ".join(quote)).state == "found"
    assert text.find(" ".join([*quote[:20], "changed", *quote[21:]])).state == "near"
    assert text.find("w1 " * 500).state == "missing"
    assert Searchable((("", "a " * 300_000),)).find("a b " * 200).state == "missing"
    assert time.process_time() - start < 10
