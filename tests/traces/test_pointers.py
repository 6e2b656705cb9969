"""Places of pointers, against a parser that writes every place down."""

import json

from hypothesis import given
from hypothesis import strategies as st
from work import calls

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces.parsing import pointer, positions, with_positions
from awesome_cli.traces.reading import read_trace

KEYS = st.text(st.characters(codec="utf-8"), max_size=3) | st.sampled_from(["a/b", "~1", "é𝄞", 'q"', "\\"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=15,
)


def written(value: object, route: list[str | int], into: dict[str, int], *, text: str, gap: str) -> str:
    """`text` and the JSON of the value behind it; `into` gets where every value begins."""
    into[pointer(route)] = len(text)
    if isinstance(value, dict):
        text += "{" + gap
        for i, (key, item) in enumerate(value.items()):
            text += ("," + gap if i else "") + json.dumps(key, ensure_ascii=False) + gap + ":" + gap
            text = written(item, [*route, key], into, text=text, gap=gap)
        return text + gap + "}"
    if isinstance(value, list):
        text += "[" + gap
        for i, item in enumerate(value):
            text = written(item, [*route, i], into, text=text + ("," + gap if i else ""), gap=gap)
        return text + gap + "]"
    return text + json.dumps(value, ensure_ascii=False)


@given(JSON, st.sampled_from(["", " ", "\n  "]), st.data())
def test_every_pointer_leads_to_its_value(value: object, gap: str, data: st.DataObject) -> None:
    at: dict[str, int] = {}
    text = written(value, [], at, text=gap, gap=gap)
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
