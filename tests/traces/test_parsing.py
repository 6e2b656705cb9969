import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.reports.findings import Finding
from awesome_cli.traces.parsing import parse

CASES = {
    b'{"a": 1, "b": {"c": [1, {"d": 1, "d": 2}]}}': ("TP001", 1, 34, "/b/c/1/d"),
    b'{"a": 1,\n "\\u0061": 2}': ("TP001", 2, 2, "/a"),
    b'{"\xc3\xa9": "x\\"y", "\xc3\xa9": 1}': ("TP001", 1, 15, "/\u00e9"),
    b'{"a~/": [], "a~/": []}': ("TP001", 1, 13, "/a~0~1"),
    b'{"t": NaN}': ("TP002", 1, 7, ""),
    b'{"t":\n -Infinity}': ("TP002", 2, 2, ""),
    b'{"t": 1e999}': ("TP002", 1, 7, ""),
    b'{"a": "\xff"}': ("TP003", 1, 8, ""),
    b'{"a": "\\ud800"}': ("TP003", 1, 8, ""),
    b'{"a": 1,}': ("TP004", 1, 8, ""),
    b'{"a": 1': ("TP004", 1, 8, ""),
    b'\xef\xbb\xbf{"a": 1}': ("TP004", 1, 1, ""),
    b'{"a": 1\n': ("TP004", 1, 8, ""),
    b'{"a":\r\n\n': ("TP004", 1, 6, ""),
    b"  \n": ("TP004", 1, 1, ""),
    b'{"a": 1} {"a": 2}': ("TP004", 1, 10, ""),
}


@pytest.mark.parametrize("data", CASES, ids=repr)
def test_findings_name_code_and_place(data: bytes) -> None:
    finding = parse(data)
    assert isinstance(finding, Finding)
    assert (finding.code, finding.line, finding.column, finding.pointer) == CASES[data]


@pytest.mark.parametrize(
    "data", [b"{}", b"[]", b'{"a": {"a": {"a": 1}}, "b": {"a": 1}}', b'[{"a": 1}, {"a": 1}]', b'"\\"\\\\"']
)
def test_legal(data: bytes) -> None:
    assert parse(data) == json.loads(data)


def test_nesting_is_bounded() -> None:
    finding = parse(b"[" * 5000 + b"]" * 5000)
    assert isinstance(finding, Finding)
    assert finding.code == "TP004"


@pytest.mark.parametrize("depth", [250, 254, 260, 1000])
def test_deep_values_are_read_and_their_keys_compared(depth: int) -> None:
    text = b'{"a":' * depth + b"%s" + b"}" * depth
    value = parse(text % b"1")
    for _ in range(depth):
        value = value["a"]
    assert value == 1
    finding = parse(text % b'{"b": 1, "b": 2}')
    assert isinstance(finding, Finding)
    assert (finding.code, finding.pointer) == ("TP001", "/a" * depth + "/b")


KEY = st.text(st.characters(codec="utf-8"), max_size=3)
VALUE = st.recursive(
    st.none() | st.integers(-9, 9) | KEY,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(KEY, inner), max_size=4).map(tuple),
    max_leaves=12,
)


def written(value: object, *, ascii_only: bool) -> str:
    """JSON text of a value whose objects are tuples of pairs, so that keys can be repeated."""
    if isinstance(value, tuple):
        pairs = (f"{json.dumps(k, ensure_ascii=ascii_only)} : {written(v, ascii_only=ascii_only)}" for k, v in value)
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(v, ascii_only=ascii_only) for v in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


def repeats(value: object) -> bool:
    if isinstance(value, tuple):
        keys = [key for key, _ in value]
        return len(set(keys)) < len(keys) or any(repeats(item) for _, item in value)
    return isinstance(value, list) and any(map(repeats, value))


@given(VALUE, st.booleans())
def test_repeated_keys_and_only_those_are_found(value: object, ascii_only: bool) -> None:
    text = written(value, ascii_only=ascii_only)
    result = parse(text.encode())
    assert isinstance(result, Finding) == repeats(value)
    if isinstance(result, Finding):
        assert result.code == "TP001"
    else:
        assert result == json.loads(text)
