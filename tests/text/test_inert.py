import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.text.inert import (
    ACTIVE,
    COMMAND,
    FORMULA,
    from_cell,
    to_cell,
    to_json,
    visible,
    visible_line,
    without_commands,
)


def test_what_acts_is_shown_as_an_escape() -> None:
    assert visible("a\x1b[31mb\u202ec\nd\te\ud800") == "a\\x1b[31mb\\u202ec\nd\te\\ud800"
    assert visible_line("a\n::error::\tb") == "a\\n::error::\\tb"


@given(st.text(st.characters()))
def test_nothing_active_is_left(text: str) -> None:
    assert not ACTIVE.search(visible(text))
    assert visible(visible(text)) == visible(text)
    assert "\n" not in visible_line(text)


@given(st.text(st.sampled_from(":#[e \t\n\u3000\x1b[1m")))
def test_no_line_is_left_that_a_workflow_obeys(text: str) -> None:
    quiet = without_commands(visible(text))
    assert not COMMAND.search(quiet)
    assert "##[" not in quiet
    assert not any(line.lstrip().startswith("::") for line in quiet.splitlines())
    assert quiet.replace("\\x3a", ":").replace("\\x23", "#") == visible(text)


@given(st.recursive(st.text(st.characters()), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_gives_the_same_value_and_nothing_active(value: object) -> None:
    text = to_json(value)
    assert not ACTIVE.search(text)
    assert "##[" not in text
    assert json.loads(text) == value


@pytest.mark.parametrize("indent", [None, 2])
def test_numbers_that_json_cannot_hold_are_null(indent: int | None) -> None:
    value = {"a": [float("inf"), 1.5], "b": (float("nan"), -float("inf"))}
    assert json.loads(to_json(value, indent=indent)) == {"a": [None, 1.5], "b": [None, None]}


@given(st.text(st.sampled_from("'=+-@\t\r 1.a")))
def test_a_cell_gives_its_text_back_and_is_no_formula(text: str) -> None:
    assert from_cell(to_cell(text)) == text
    assert to_cell(text)[:1] == "'" or not FORMULA.match(text) or float(text) is not None


@pytest.mark.parametrize("text", ["=1", "+cmd", "-x", "@SUM(1)", "\t=1", "\r=1", "-", "-1-1", "\uff1dA1", "'=1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert to_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-1", "+1.5e-3", "-.5", "a=b", "'quoted'", "", " =1", 3, -1.5, None])
def test_numbers_and_other_texts_stay(value: object) -> None:
    assert to_cell(value) == value
