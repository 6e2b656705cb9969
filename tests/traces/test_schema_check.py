"""The hand-written shape rules against the schema, over thousands of mutants."""

import copy
import json
import random
from typing import Any

import jsonschema_rs
import orjson
import pytest
from builders import DATA, EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from awesome_cli import traces
from awesome_cli.reports.findings import Finding
from awesome_cli.traces import parsing, schema, schema_check

NAMES = ("minimal-v1.json", "rich-v2.json", "violations-v2.json")
DOCUMENTS = [json.loads((EXAMPLES / name).read_text(encoding="utf-8")) for name in NAMES]
SCHEMA = traces.json_schema()
ORACLE = jsonschema_rs.validator_for(SCHEMA)
KEYS = sorted(
    {
        *schema.EVENT_2,
        *schema.EDGE_2,
        *schema.TRACE_2,
        "x-any",
        "X-any",
        "unknown",
        "events",
        "edges",
        "a/b~c",
    }
)
WORDS = [
    "", "x", "spawn", "delegate", "stop", "reward", "tool_result", "temporal", "data", "swarm", "s", "step", "trace",
    "2.0", "2.11", "2.", "2.0\n", "1.0", "ok", "answered", "explicit", "pass_control", "lead", "é𝄞", "md5:0123456",
    "sha256:00ff00ff", "sha256:00FF00FF", "sha256:00ff00ff\n", "sha256:" + "0" * 129,
]  # fmt: skip
SCALARS: list[Any] = [None, True, False, 0, 1, -1, 2.0, 1.5, -0.5, 1e308, 2**53 + 1, 10**25, *WORDS]
NESTED: list[Any] = [
    [], {}, [1], ["a"], ["a", "a"], ["a", ""], [None], {"a": 1}, {"a": "1"}, {"a": True}, {"a": {}}, {"tokens": 1},
    {"tokens": 1, "wall_clock_s": 2}, {"tokens": 1, "wall_clock_s": 2, "usd": -1}, {"tokens": -1, "wall_clock_s": 2},
    {"a": {"kind": "llm", "privileges": ["x", 1]}}, {"a": {"kind": "robot"}}, {"a": {"privileged": 1}}, {"team": 1.5},
]  # fmt: skip


def paths(value: Any, route: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value, itself included."""
    found = [route]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += paths(item, (*route, key))
    return found


def mutated(document: Any, chance: random.Random) -> Any:
    """The document with one to three things changed, removed, added, renamed or doubled."""
    document = copy.deepcopy(document)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if not isinstance(document, dict | list) or not document:
            return document
        document = change(document, chance)
    return document


def change(document: Any, chance: random.Random) -> Any:
    value = copy.deepcopy(chance.choice(chance.choice([SCALARS, NESTED])))
    route = chance.choice(paths(document)[1:] or [()])
    if not route or chance.random() < 0.02:
        return value
    target = document
    for key in route[:-1]:
        target = target[key]
    key = route[-1]
    what = chance.choice(["replace", "replace", "remove", "add", "rename", "double"])
    if what == "remove":
        del target[key]
    elif what == "add" and isinstance(target[key], dict):
        target[key][chance.choice(KEYS)] = value
    elif what == "rename" and isinstance(target, dict):
        target[chance.choice(KEYS)] = target.pop(key)
    elif what == "double" and isinstance(target, list):
        target.insert(key, copy.deepcopy(target[key]))
    else:
        target[key] = value
    return document


def agree(document: Any) -> bool:
    """Both say the same of a document; returns what they say."""
    text = orjson.dumps(document) if not has_huge(document) else json.dumps(document).encode()
    parsed = parsing.parse(text)
    assert not isinstance(parsed, Finding), parsed
    found = list(schema_check.findings(parsed))
    valid = ORACLE.is_valid(parsed)
    schema_error = "" if valid else next(ORACLE.iter_errors(parsed)).message
    assert (not found) == valid, f"{found[:3]} against {schema_error!r}: {text.decode()[:2000]}"
    return valid


def has_huge(value: Any) -> bool:
    """Whether a whole number is beyond what orjson writes."""
    if isinstance(value, dict | list):
        return any(has_huge(item) for item in (value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and abs(value) >= 2**63


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_thousand_mutants_each(seed: int) -> None:
    chance = random.Random(seed)
    verdicts = [agree(mutated(DOCUMENTS[i % len(DOCUMENTS)], chance)) for i in range(1000)]
    # A test in which one side never says yes, or never no, would show nothing.
    assert 100 < sum(verdicts) < 900


def is_v1(document: Any) -> bool:
    """Whether a document is v1-valid: for the schema, and without a negative cost."""
    valid = isinstance(document, dict) and "schema_version" not in document and ORACLE.is_valid(document)
    return valid and min(document["costs"].values()) >= 0


@pytest.mark.parametrize("seed", range(2))
def test_a_trace_of_v1_with_a_version_is_one_of_v2(seed: int) -> None:
    """Only free fields that bear a name of version 2 must have its kind of value."""
    chance = random.Random(seed)
    published = json.loads((DATA / "traces" / "v1" / "example.json").read_text(encoding="utf-8"))
    valid = 0
    for i in range(1000):
        document = mutated((DOCUMENTS[0], published)[i % 2], chance)
        if is_v1(document):
            valid += 1
            events = [{k: v for k, v in e.items() if k not in schema.EVENT_2.keys() - schema.EVENT_1.keys()}
                      for e in document["events"]]  # fmt: skip
            assert agree(document | {"events": events, "schema_version": "2.0"})
    assert valid > 100


def test_the_published_example_with_a_version_has_a_note_for_what_v2_can_say() -> None:
    from awesome_cli.reports.findings import Level
    from awesome_cli.traces.checking import check_trace
    from awesome_cli.traces.reading import read_document

    document = json.loads((DATA / "traces" / "v1" / "example.json").read_text(encoding="utf-8"))
    first = read_document(document).trace
    second = read_document(document | {"schema_version": "2.0"}).trace
    assert first is not None
    assert second is not None
    assert {f.code for f in check_trace(first)} == {"TC004", "TW102"}
    assert {(f.code, f.level) for f in check_trace(second)} == {
        ("TC004", Level.WARNING), ("TS012", Level.NOTE), ("TW102", Level.WARNING), ("TW104", Level.WARNING),
    }  # fmt: skip


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=3 * settings.default.max_examples, deadline=None)
@given(st.sampled_from(DOCUMENTS), st.data())
def test_any_value_anywhere(document: Any, data: st.DataObject) -> None:
    document = copy.deepcopy(document)
    route = data.draw(st.sampled_from(paths(document)[1:]))
    target = document
    for key in route[:-1]:
        target = target[key]
    target[route[-1]] = data.draw(JSON)
    agree(document)


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_examples_have_the_right_shape(document: Any) -> None:
    assert agree(document)


def test_the_schema_is_a_schema() -> None:
    assert SCHEMA["$schema"].endswith("2020-12/schema")
    jsonschema_rs.meta.validate(SCHEMA)


def test_vocabularies_are_those_of_the_schema() -> None:
    from awesome_cli.traces import model

    defs = SCHEMA["$defs"]
    assert defs["event"]["properties"]["type"]["enum"] == list(model.EVENT_TYPES_1)
    assert defs["event2"]["properties"]["type"]["enum"] == list(model.EVENT_TYPES)
    assert defs["edge2"]["properties"]["type"]["enum"] == list(model.EDGE_TYPES)
    assert defs["trace2"]["properties"]["time_unit"]["enum"] == list(model.TIME_UNITS)
    assert set(defs["event2"]["properties"]) == set(schema.EVENT_2)


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_valid_objects_need_no_check_of_each_field(document: Any) -> None:
    for key, definition in schema.ITEMS[schema_check.version_of(document)].items():
        assert schema_check.fit(definition, document[key])
        assert not schema_check.fit(definition, [*document[key], document[key][0] | {"type": "robot"}])


def test_a_fault_names_its_place() -> None:
    document = copy.deepcopy(DOCUMENTS[0])
    document["events"][2]["t"] = "soon"
    document["edges"][0]["colour"] = "red"
    document["costs"]["tokens"] = -1
    places = {(finding.code, finding.pointer) for finding in schema_check.findings(document)}
    assert places == {("TS004", "/events/2/t"), ("TS003", "/edges/0/colour"), ("TS006", "/costs")}


def test_an_importers_infinity_is_refused() -> None:
    document = copy.deepcopy(DOCUMENTS[0])
    document["events"][0]["t"] = float("inf")
    document["rewards"]["team"] = float("nan")
    assert [finding.code for finding in schema_check.findings(document)] == ["TP002", "TP002"]


def test_free_members_of_v1_may_bear_names_of_v2() -> None:
    from awesome_cli.traces.reading import read_document

    document = copy.deepcopy(DOCUMENTS[0])
    document["events"][0] |= {"t_end": "late", "seq": -4, "status": "ok", "whatever": 1}
    trace = read_document(document).trace
    assert trace is not None
    assert trace.events[0].end == trace.events[0].start
    assert "seq" not in trace.events[0].data
    assert (trace.events[0].status, trace.events[0].data["whatever"]) == ("ok", 1)


def test_attributes_of_events_are_their_fields() -> None:
    from awesome_cli.traces.reading import read_document

    for document in DOCUMENTS:
        trace = read_document(document).trace
        assert trace is not None
        assert trace.fields == {field for event in document["events"] for field in event}
        for event in trace.events:
            for field in ("id", "type", "agent", "to", "tool", "call_id", "status", "inputs", "task_ref"):
                assert getattr(event, field) == event.data.get(field)
            counts = [event.data[field] for field in ("tokens_in", "tokens_out") if field in event.data]
            assert event.tokens == (sum(counts) if counts else None)
