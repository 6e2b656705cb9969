"""Questions, answered by keys that are pressed on a real prompt."""

from contextlib import contextmanager

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from awesome_cli.system import prompts

DOWN, ENTER, SPACE, CTRL_C = "\x1b[B", "\r", " ", "\x03"
CHOICES = [prompts.Choice("a", "Apple", "a fruit"), prompts.Choice("b", "Bread"), prompts.Choice("c", "Cheese")]


@contextmanager
def pressing(keys: str):
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        keyboard.send_text(keys)
        yield


@pytest.mark.parametrize(("keys", "answer"), [(ENTER, "a"), (DOWN + ENTER, "b"), ("chee" + ENTER, "c")])
def test_one_is_found_by_arrows_or_by_typing(keys, answer):
    with pressing(keys):
        assert prompts.ask_one("Which?", CHOICES) == answer


def test_many():
    with pressing(SPACE + DOWN + DOWN + SPACE + ENTER):
        assert prompts.ask_many("Which?", CHOICES) == ("a", "c")
    with pressing(ENTER):
        assert prompts.ask_many("Which?", CHOICES) == ()


def test_text():
    with pressing("  On Bread " + ENTER):
        assert prompts.ask_text("Title") == "On Bread"


@pytest.mark.parametrize(("keys", "answer"), [("Tea" + ENTER, "Tea"), (ENTER, "My bread"), (" " + ENTER, "My bread")])
def test_what_is_typed_replaces_the_default(keys, answer):
    with pressing(keys):
        assert prompts.ask_text("Title", "My bread", lambda text: bool(text) or "none") == answer


def test_an_interrupt_is_one():
    with pressing(CTRL_C), pytest.raises(KeyboardInterrupt):
        prompts.ask_one("Which?", CHOICES)


def test_what_a_choice_shows():
    assert [choice.shown for choice in CHOICES] == ["Apple: a fruit", "Bread", "Cheese"]
