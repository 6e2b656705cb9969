"""The canonical form is read back as it was meant, by this reader and by YAML 1.1's."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.files import canonical, yaml_reading

TRICKY = [
    *["no", "Yes", "on", "null", "~", "", "2508.04650", "1e5", "0x1F", "2020-01-01", "<<", "=", "1_000", "0o7", ".inf"],
    *["- a", "a: b", "a #b", "x:", "[a]", "{a", "&a", "*a", "!t", "a,b", "-", "?", "---", "...", "%a", "@a", "`a"],
    *["'", '"', "a\nb", " a", "a ", "\ta", "é", "\u2028", "\x85", "\ufeff", "12:30:45", "=>", "a]"],
]
TEXT = (st.text(max_size=20) | st.sampled_from(TRICKY)).filter(lambda s: not yaml_reading.CONTROL.search(s))
VALUES = st.recursive(
    TEXT, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8
)
DOCUMENTS = st.dictionaries(TEXT, VALUES, min_size=1, max_size=4)


@given(DOCUMENTS)
def test_what_is_written_is_read_back(document: dict[str, object]):
    assert yaml_reading.read(canonical.dump(document).encode()) == (document, ())


@given(DOCUMENTS)
def test_yaml_readers_that_guess_take_it_for_the_same(document: dict[str, object]):
    assert yaml.safe_load(canonical.dump(document)) == document


@given(DOCUMENTS)
def test_writing_again_changes_nothing(document: dict[str, object]):
    text = canonical.dump(document)
    assert canonical.dump(yaml_reading.read(text.encode())[0]) == text


def test_small_mappings_stand_in_braces_unless_told_otherwise():
    document = {"ids": {"arxiv": "2508.04650"}, "tags": {"a": "b"}, "list": ["x", {"k": "v"}], "none": []}
    assert canonical.dump(document, block=["tags"]) == (
        'ids: {arxiv: "2508.04650"}\ntags:\n  a: b\nlist:\n- x\n- {k: v}\nnone: []\n'
    )


def test_a_line_that_would_be_long_is_broken_by_field():
    document = {"m": {"a": "x" * 60, "b": "y" * 60}}
    assert canonical.dump(document) == f"m:\n  a: {'x' * 60}\n  b: {'y' * 60}\n"
