"""The short form of a tag, which commands, queries, keywords and cells share."""

import pytest
from builders import coffee
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.model.codings import Tag, on_axis, parse_cell, split_axis, which_axis

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


def test_an_axis_and_its_tag_are_written_and_split_alike() -> None:
    for text, tag in (("stop=fixed", Tag(term="fixed")), ("stop=fixed:demonstrated", Tag.parse("fixed:demonstrated"))):
        axis, rest = split_axis(text)
        assert (axis, Tag.parse(rest or "")) == ("stop", tag)
        assert on_axis(axis, tag) == text
    assert split_axis("stop") == ("stop", None)
    assert split_axis("stop=") == ("stop", "")


def test_a_hint_names_each_axis_of_a_term() -> None:
    assert which_axis(("stop", "where"), "fixed") == "write stop=fixed or where=fixed"
    assert which_axis((), "fixed") == "write AXIS=TERM"


def test_a_copy_does_not_answer_with_what_was_computed_of_the_original() -> None:
    taxonomy = coffee().taxonomy
    assert list(taxonomy.by_id) == ["device", "taste", "beans"]
    assert list(taxonomy.model_copy(update={"axes": taxonomy.axes[1:]}).by_id) == ["taste", "beans"]
