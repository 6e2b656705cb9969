"""Markdown escaping: what goes in is what a reader sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.text.markup import Markdown, code, escape, link, table, unescape


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("2026-05-04", "2026-05-04"),
        ("1. first", "1\\. first"),
        ("- a", "\\- a"),
        ("# a", "\\# a"),
        ("a_b*c", "a\\_b\\*c"),
        ("<b>|`x`", "\\<b\\>\\|\\`x\\`"),
        ("@you https://x www.x", "@&#8203;you https:&#47;&#47;x www&#46;x"),
        ("Fixes #1, closes octo/x#2, GH-3", "Fixes #&#8203;1, closes octo/x#&#8203;2, GH-&#8203;3"),
        ("#1 (gh-2)", "\\#&#8203;1 (gh-&#8203;2)"),
        ("C# 7, high-1, &#1", "C# 7, high-1, &amp;#&#8203;1"),
        ("&amp; & b", "&amp;amp; & b"),
        ("two\nlines\there", "two lines here"),
    ],
)
def test_escape(text: str, expected: str):
    assert escape(text) == expected
    assert unescape(expected) == " ".join(text.split())


@given(st.text())
def test_a_cell_stays_one_line_and_opens_no_markup(text: str):
    shown = escape(text)
    assert "\n" not in shown
    assert not any(f"{c}" in shown.replace(f"\\{c}", "") for c in "<>|`[]")


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), min_size=1, max_size=4))
def test_every_row_of_a_table_has_the_same_width(rows: list[tuple[str, str]]):
    lines = table(("a", "b"), rows, (False, True)).split("\n")
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == len(rows) + 2


def test_links_are_addresses_of_the_web():
    assert link("a]b", "https://x.org/a (b)") == "[a\\]b](https://x.org/a%20%28b%29)"
    assert link("x", "javascript:alert(1)") == "x"
    assert isinstance(link("x", "data:text/html,x"), Markdown)


def test_code_cannot_be_left():
    assert code("a`b|c\nd") == "`a'b\\|c d`"
