"""The short form of a tag, which commands, queries, keywords and cells share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.model.codings import Tag, parse_cell

WORDS = st.text("abcdefghij_-0123456789", min_size=1)


@given(WORDS, st.none() | WORDS)
def test_a_short_form_reads_back(term, strength):
    tag = Tag(term=term, strength=strength)
    assert Tag.parse(str(tag)) == tag


@pytest.mark.parametrize(
    ("cell", "tags"),
    [("", []), ("a", ["a"]), ("a:strong; b ;", ["a:strong", "b"])],
)
def test_a_cell_holds_several(cell, tags):
    assert [str(tag) for tag in parse_cell(cell)] == tags
