"""Strict JSON, and the lines and columns of JSON pointers in it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import calls

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces.parsing import parse, pointer, positions, with_positions
from awesome_cli.traces.reading import read_trace

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


KEYS = st.text(st.characters(codec="utf-8"), max_size=3) | st.sampled_from(["a/b", "~1", "é𝄞", 'q"', "\\"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=15,
)


def written_at(value: object, route: list[str | int], into: dict[str, int], *, text: str, gap: str) -> str:
    """`text` and the JSON of the value behind it; `into` gets where every value begins."""
    into[pointer(route)] = len(text)
    if isinstance(value, dict):
        text += "{" + gap
        for i, (key, item) in enumerate(value.items()):
            text += ("," + gap if i else "") + json.dumps(key, ensure_ascii=False) + gap + ":" + gap
            text = written_at(item, [*route, key], into, text=text, gap=gap)
        return text + gap + "}"
    if isinstance(value, list):
        text += "[" + gap
        for i, item in enumerate(value):
            text = written_at(item, [*route, i], into, text=text + ("," + gap if i else ""), gap=gap)
        return text + gap + "]"
    return text + json.dumps(value, ensure_ascii=False)


@given(JSON, st.sampled_from(["", " ", "\n  "]), st.data())
def test_every_pointer_leads_to_its_value(value: object, gap: str, data: st.DataObject) -> None:
    at: dict[str, int] = {}
    text = written_at(value, [], at, text=gap, gap=gap)
    wanted = data.draw(st.sets(st.sampled_from(sorted(at)), min_size=1))
    expected = {name: (text.count("\n", 0, at[name]) + 1, at[name] - text.rfind("\n", 0, at[name])) for name in wanted}
    assert positions(text.encode(), wanted) == expected


def test_a_pointer_to_what_is_absent_has_the_place_of_what_holds_it() -> None:
    text = b'{"costs":\n {"usd": 1}, "events": [3]}'
    assert positions(text, ["/costs/tokens", "/events/7/id", "/x"]) == {
        "/costs/tokens": (2, 2), "/events/7/id": (2, 24), "/x": (1, 1),
    }  # fmt: skip


def test_findings_are_placed_after_the_line_where_their_text_begins() -> None:
    finding = Finding("TG001", Level.ERROR, "m", "a.jsonl", line=5, pointer="/a")
    (moved,) = with_positions([finding], b'{"a":\n1}', 5)
    assert (moved.line, moved.column) == (6, 1)
    assert with_positions([finding], None, 5) == (finding,)


def test_shape_findings_point_to_their_line() -> None:
    document = {"trace_id": "a", "task_id": "b", "events": [{"id": "e", "t": "x", "type": "spawn", "agent": "a"}]}
    (finding, *_) = [f for f in read_trace(json.dumps(document, indent=1).encode()).findings if f.code == "TS004"]
    assert (finding.pointer, finding.line, finding.column) == ("/events/0/t", 7, 9)


def test_many_findings_on_one_line_cost_no_more_each():
    def work(n: int) -> int:
        data = json.dumps(["é" * 20] * n, ensure_ascii=False).encode()
        pointers = [f"/{i}" for i in range(n)]
        assert positions(data, pointers)[f"/{n - 1}"] == (1, 24 * (n - 1) + 2)
        return calls(lambda: positions(data, pointers))

    # Ten times as many cost ten times as much, or a hundred times if each looks through all.
    assert work(2_000) < 20 * work(200)
