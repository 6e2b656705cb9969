"""What an export writes, the import reads again: the same run."""

import json
from collections import Counter

import generated_tables
import pytest
import wellformed
from builders import DATA
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from awesome_cli.errors import AwesomeError
from awesome_cli.traces.actors import find_non_agents
from awesome_cli.traces.exports.atif import METRICS, MORE_METRICS, to_atif
from awesome_cli.traces.exports.otel import to_otel
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.importers.exported import NATIVE
from awesome_cli.traces.importers.importing import import_path
from awesome_cli.traces.model import TOKENS
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.replay import replay

REAL = sorted(
    path
    for folder in (
        "otel-genai",
        "otlp-openinference",
        "openai-agents-sdk",
        "who-and-when",
        "atif",
        "swe-agent",
        "claude-code",
    )
    for path in (DATA / "traces" / folder).rglob("*")
    if path.suffix in {".json", ".jsonl", ".traj"} and "subagents" not in path.parts
)


def back(text, tmp_path, *, with_content=True):
    """The only trace of an exported text."""
    path = tmp_path / "exported.json"
    path.write_text(text, encoding="utf-8")
    (result,) = import_path(path, with_content=with_content)
    assert result.error is None
    (document,) = result.traces
    return read_document(document).trace


def everything(trace):
    """All events with all fields, all edges and the whole header."""
    events = sorted((dict(event.data) for event in trace.events), key=lambda data: str(data["id"]))
    edges = sorted((edge.src, edge.dst, edge.type, edge.inferred) for edge in trace.edges)
    about = {key: value for key, value in trace.header.get("provenance", {}).items() if key != "read_from"}
    return events, edges, {**trace.header, "provenance": about}


def digests(trace):
    done = replay(trace, graph_of(trace))
    return done.digest, done.shape_digest


def same(trace, text, tmp_path):
    again = back(text, tmp_path)
    assert everything(again) == everything(trace)
    assert digests(again) == digests(trace)


def imported(path):
    (result,) = import_path(path, with_content=True)
    return [read_document(document).trace for document in result.traces]


seeds = pytest.fixture(scope="session")(lambda tmp_path_factory: tmp_path_factory.mktemp("round"))
TALK = (3115, 5)
"""A run of messages and a stop only, for which ATIF has no steps."""
REFUSED = ["kimi-code", "otlp/plain", "who-and-when/group-chat"]
"""The formats of the samples that have no model call, tool call or spawn."""
runs = st.tuples(st.integers(0, 10_000), st.sampled_from([5, 40, 120]))


@settings(max_examples=40, deadline=None)
@given(run=runs)
def test_otel_and_back_is_the_same_trace(seeds, run):
    trace = read_document(wellformed.run(*run)).trace
    text, lost = to_otel(trace)
    assert lost == ()
    same(trace, text, seeds)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem[:30])
def test_real_runs_to_otel_and_back(path, tmp_path):
    for trace in imported(path):
        same(trace, to_otel(trace)[0], tmp_path)


@pytest.mark.parametrize("name", ["minimal-v1.json", "rich-v2.json", "violations-v2.json"])
def test_the_shipped_examples_to_otel_and_back(name, repository, tmp_path):
    path = repository / "traces" / "examples" / name
    trace = read_document(json.loads(path.read_text(encoding="utf-8"))).trace
    same(trace, to_otel(trace)[0], tmp_path)


def bare(text):
    """Spans as a program that knows nothing of this one would write them: without its attributes and events."""
    document = json.loads(text)
    for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        span["attributes"] = [pair for pair in span["attributes"] if not pair["key"].startswith("awesome.")]
        span["events"] = []
    return json.dumps(document)


def summed(trace):
    """Model calls with their tokens and tool calls, per agent."""
    calls = Counter((e.agent, e.type, e.tool) for e in trace.events if e.type in {"llm_call", "tool_call"})
    used = Counter()
    for event in trace.events:
        if event.type == "llm_call":
            used.update({(event.agent, key): event.data.get(key, 0) for key in TOKENS})
    return calls, {key: n for key, n in used.items() if n}


def tree(trace):
    """Who started whom, and who returned to whom how often."""
    kinds = {"spawn", "delegate", "return"}
    return Counter((e.type, e.agent, e.to) for e in trace.events if e.type in kinds and not e.inferred)


@settings(max_examples=40, deadline=None)
@given(run=runs)
def test_the_standard_attributes_alone_say_agents_spawns_returns_and_tokens(seeds, run):
    trace = read_document(wellformed.run(*run)).trace
    again = back(bare(to_otel(trace)[0]), seeds)
    assert summed(again) == summed(trace)
    assert tree(again) == tree(trace)


@settings(max_examples=40, deadline=None)
@given(run=runs)
def test_atif_and_back_keeps_agents_spawns_returns_calls_and_tokens(seeds, run):
    trace = read_document(wellformed.run(*run)).trace
    talks = all(event.type in {"message", "aggregate", "stop"} for event in trace.events)
    assert (to_atif_or_none(trace) is None) == talks
    assume(not talks)
    text, lost = to_atif(trace)
    again = back(text, seeds)
    assert summed(again) == summed(trace)
    assert tree(again) == tree(trace)
    assert "ends of events: a step has one time" in lost
    assert any(what.startswith("1 stop event") for what in lost)


def to_atif_or_none(trace):
    try:
        return to_atif(trace)[0]
    except AwesomeError:
        return None


def test_a_run_of_which_atif_holds_nothing_is_refused():
    with pytest.raises(AwesomeError, match=r"ATIF has no place for this run \(\d+ events\): no agent calls a model"):
        to_atif(read_document(wellformed.run(*TALK)).trace)


def facts(trace):
    """Agents, spawns, delegations, ends with their status, calls, results and tokens of a run."""
    kinds = {"spawn", "delegate", "return", "llm_call", "tool_call", "tool_result"}
    ends = [e for e in trace.events if e.type == "stop" and e.data.get("scope") == "agent"]
    counts = Counter(e.type for e in trace.events if e.type in kinds)
    counts += Counter(("return", e.status) for e in trace.events if e.type == "return")
    counts += Counter(("stop", e.data["reason"]) for e in ends)
    for event in trace.events:
        counts.update({key: event.data.get(key, 0) for key in TOKENS})
    return {"agents": len(trace.names - find_non_agents(trace))} | +counts


def test_all_samples_to_atif_and_back(tmp_path):
    refused = []
    for result in (*import_path(DATA / "runs"), *import_path(DATA / "traces")):
        for document in result.traces:
            trace = read_document(document).trace
            text = to_atif_or_none(trace)
            if text is None:
                refused.append(trace.provenance["format"])
            else:
                assert facts(back(text, tmp_path)) == facts(trace), trace.trace_id
    assert sorted(refused) == REFUSED


def test_all_samples_to_otel_and_back(tmp_path):
    for result in import_path(DATA / "runs"):
        for document in result.traces:
            trace = read_document(document).trace
            same(trace, to_otel(trace)[0], tmp_path)


def test_tokens_apart_survive_both(tmp_path):
    used = {"tokens_in": 90, "tokens_cached": 60, "tokens_cache_write": 20, "tokens_out": 9, "tokens_reasoning": 4}
    event = {"id": "e1", "t": 0, "type": "llm_call", "agent": "boss", "model": "m", "cost_usd": 0.5, **used}
    header = {"schema_version": "2.0", "trace_id": "t", "task_id": "t", "time_unit": "s", "root_agents": ["boss"]}
    document = header | {"events": [event], "edges": [], "rewards": {}, "costs": {"tokens": 99, "wall_clock_s": 0}}
    trace = read_document(document).trace
    for text in (to_otel(trace)[0], bare(to_otel(trace)[0]), to_atif(trace)[0]):
        (call,) = (e for e in back(text, tmp_path).events if e.type == "llm_call")
        assert {key: call.data[key] for key in used} == used


def test_fields_that_atif_has_no_place_for_are_named():
    event = {"id": "e1", "t": 0, "type": "llm_call", "agent": "boss", "purpose": "compaction", "attempts": 2}
    header = {"schema_version": "2.0", "trace_id": "t", "task_id": "t", "time_unit": "s", "root_agents": ["boss"]}
    document = header | {"events": [event], "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 0}}
    assert "fields of events: attempts, purpose" in to_atif(read_document(document).trace)[1]


def test_content_stays_out_unless_asked(tmp_path):
    document = wellformed.run(1, 10)
    document["events"][0]["content"] = "SECRET"
    text, _ = to_otel(read_document(document).trace)
    assert "SECRET" not in json.dumps([dict(e.data) for e in back(text, tmp_path, with_content=False).events])


def test_what_otlp_cannot_hold_is_named():
    deep = {}
    for _ in range(40):
        deep = {"in": deep}
    document = wellformed.run(1, 10)
    document["annotations"] = deep
    document["edges"].append({"src": document["events"][0]["id"], "dst": "e1", "type": "causal"})
    assert to_otel(read_document(document).trace)[1] == (
        "values nested too deeply or beyond 64 bits, in annotations: 1",
    )


def test_the_tables_of_attributes_are_current(repository, updating):
    page = repository / "docs" / "trace-format.md"
    rows = [(f"`{kind}`", f"`{field}`", f"`{key}`") for kind, fields in NATIVE.items() for field, key in fields.items()]
    generated_tables.check(page, "otel attributes", ("event", "field", "attribute"), rows, update=updating)
    found = METRICS | {f"extra.{name}": field for name, field in MORE_METRICS.items()}
    pairs = [(f"`metrics.{name}`", f"`{field}`") for name, field in found.items()]
    generated_tables.check(page, "atif metrics", ("metric of a step", "field"), pairs, update=updating)
