import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.traces.replay import canonical

TEXT = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(VALUES)
def test_bytes_are_those_of_the_rfc(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_keys_are_sorted_by_utf16_units() -> None:
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()
