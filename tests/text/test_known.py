"""Unknown words are answered with the nearest known one and with what there is."""

import pytest

from awesome_cli.errors import UsageError
from awesome_cli.text.known import LISTED, nearest, require_known, unknown

KNOWN = ("Arabica", "robusta")


@pytest.mark.parametrize(
    ("word", "near"), [("arabcia", "Arabica"), ("ROBUST", "robusta"), ("rob", "robusta"), ("r", None), ("tea", None)]
)
def test_the_nearest_word_forgives_slips_and_case(word: str, near: str | None):
    assert nearest(word, KNOWN) == near


def test_a_word_is_near_to_the_name_that_has_it_as_a_part():
    assert nearest("links", ["link", "check-links"]) == "check-links"
    assert nearest("links", ["link", "check-links", "open_links"]) == "link"


def test_the_sentence_names_the_owner_and_the_nearest_word():
    assert unknown("robsta", KNOWN, "bean") == "unknown bean 'robsta'; did you mean 'robusta'?"
    assert unknown("tea", KNOWN, "bean", owner="the shop") == "the shop has no bean 'tea'"


def test_a_known_word_is_returned_and_another_raises():
    assert require_known("robusta", KNOWN, "bean") == "robusta"
    with pytest.raises(UsageError, match="unknown bean 'tea'") as caught:
        require_known("tea", KNOWN, "bean")
    assert caught.value.hint == "one of: Arabica, robusta"


@pytest.mark.parametrize(
    ("known", "hint", "end"),
    [
        ((), None, "none is defined yet"),
        ([f"b{i}" for i in range(LISTED + 2)], None, " and 2 more"),
        (KNOWN, "ask", "ask"),
    ],
)
def test_the_hint_lists_what_there_is(known: tuple[str, ...], hint: str | None, end: str):
    with pytest.raises(UsageError) as caught:
        require_known("tea", known, "bean", hint=hint)
    assert caught.value.hint.endswith(end)
