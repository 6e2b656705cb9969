"""Columns that a page can hold: nothing is lost."""

import base64
import json
import zlib
from array import array
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.traces.views.page import WIDTHS, pack, ticks


def unpacked(text):
    """The document and its columns, as the page reads them."""
    data = zlib.decompress(base64.b64decode(text))
    end = 4 + int.from_bytes(data[:4], "little")
    document, columns = json.loads(data[4:end]), {}
    for name, kind, n, differences in document.pop("columns"):
        size = array(kind).itemsize
        raw = bytearray(n * size)
        for part in range(size):
            raw[part::size] = data[end : end + n]
            end += n
        values = array(kind, bytes(raw)).tolist()
        columns[name] = list(accumulate(values)) if differences and kind != "d" else values
    assert end == len(data)
    return document, columns


NUMBERS = st.lists(st.integers(-(2**51), 2**51))


@given(NUMBERS, NUMBERS, st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_what_is_packed_is_unpacked(plain, rising, floats):
    columns = {"plain": plain, "rising": rising, "floats": floats}
    assert unpacked(pack({"a": "ä\n"}, columns, frozenset({"rising"}))) == ({"a": "ä\n"}, columns)


@given(st.lists(st.floats(0, 1e12), min_size=1))
def test_times_are_whole_ticks_or_stay_as_they_are(times):
    scale, values = ticks(times)
    assert [value / scale for value in values] == times if scale else values == times
    assert not scale or all(isinstance(value, int) and value < WIDTHS[-1][1] for value in values)


def test_usual_times_are_ticks():
    assert ticks([0, 0.001, 12.25]) == (1000, [0, 1, 12250])
