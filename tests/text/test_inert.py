from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.text.inert import ACTIVE, visible, visible_line


def test_what_acts_is_shown_as_an_escape() -> None:
    assert visible("a\x1b[31mb\u202ec\nd\te\ud800") == "a\\x1b[31mb\\u202ec\nd\te\\ud800"
    assert visible_line("a\n::error::\tb") == "a\\n::error::\\tb"


@given(st.text(st.characters()))
def test_nothing_active_is_left(text: str) -> None:
    assert not ACTIVE.search(visible(text))
    assert visible(visible(text)) == visible(text)
    assert "\n" not in visible_line(text)
