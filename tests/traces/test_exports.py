"""Traces for other programs: what an export writes, the import reads again as the same run."""

import json
from collections import Counter, defaultdict
from itertools import combinations, pairwise
from typing import get_args

import generated_tables
import pytest
import trace_runs
import wellformed
from builders import DATA
from hypothesis import given
from hypothesis import strategies as st
from trace_runs import import_path

from awesome_cli.cli.trace import Target
from awesome_cli.traces.exports import EXPORTS, to_chrome, to_otel
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.importers.exported import NATIVE
from awesome_cli.traces.model import TOKENS
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.replay import replay
from awesome_cli.traces.sources import pieces, readings
from awesome_cli.traces.views.timeline import timeline

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
RUNS = st.tuples(st.integers(0, 10_000), st.sampled_from([5, 40, 120]))


@given(run=RUNS)
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


@given(run=RUNS)
def test_the_standard_attributes_alone_say_agents_spawns_returns_and_tokens(seeds, run):
    trace = read_document(wellformed.run(*run)).trace
    again = back(bare(to_otel(trace)[0]), seeds)
    assert summed(again) == summed(trace)
    assert tree(again) == tree(trace)


def test_all_samples_to_otel_and_back(tmp_path):
    for result in import_path(DATA / "runs"):
        for document in result.traces:
            trace = read_document(document).trace
            same(trace, to_otel(trace)[0], tmp_path)


def test_tokens_apart_survive(tmp_path):
    used = {"tokens_in": 90, "tokens_cached": 60, "tokens_cache_write": 20, "tokens_out": 9, "tokens_reasoning": 4}
    event = {"id": "e1", "t": 0, "type": "llm_call", "agent": "boss", "model": "m", "cost_usd": 0.5, **used}
    header = {"schema_version": "2.0", "trace_id": "t", "task_id": "t", "time_unit": "s", "root_agents": ["boss"]}
    document = header | {"events": [event], "edges": [], "rewards": {}, "costs": {"tokens": 99, "wall_clock_s": 0}}
    trace = read_document(document).trace
    for text in (to_otel(trace)[0], bare(to_otel(trace)[0])):
        (call,) = (e for e in back(text, tmp_path).events if e.type == "llm_call")
        assert {key: call.data[key] for key in used} == used


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


def test_the_table_of_attributes_is_current(repository, updating):
    page = repository / "docs" / "trace-format.md"
    rows = [(f"`{kind}`", f"`{field}`", f"`{key}`") for kind, fields in NATIVE.items() for field, key in fields.items()]
    generated_tables.check(page, "otel attributes", ("event", "field", "attribute"), rows, update=updating)


def saved(trace, path):
    """A trace on disk."""
    edges = [{"src": e.src, "dst": e.dst, "type": e.type} for e in trace.edges]
    path.write_text(json.dumps(trace.header | {"events": [dict(e.data) for e in trace.events], "edges": edges}))
    return path


def chrome(trace):
    """The rows of a Chrome trace, and its slices by thread, each with its rank in the file."""
    rows = json.loads(to_chrome(trace)[0])["traceEvents"]
    slices = defaultdict(list)
    for rank, row in enumerate(rows):
        if row["ph"] == "X":
            slices[row["tid"]].append((row["ts"], row["ts"] + row["dur"], rank, row))
    return rows, slices


def innermost(slices, flow):
    """The slice that encloses a flow event: of those that are open at its time, the one that began last."""
    return max(each for each in slices[flow["tid"]] if each[0] <= flow["ts"] < each[1])[3]


def check_chrome(trace):
    """Check a Chrome trace against the Trace Event Format.

    Complete events of a thread nest. A flow is a row `s` and a later row `f` of one name, category and id, the second
    not earlier. Each binds to the slice that encloses it, `f` because of `bp: e`; this must be that of its event.
    """
    view, (rows, slices) = timeline(trace), chrome(trace)
    assert sum(map(len, slices.values())) == len(trace.events)
    for own in slices.values():
        assert all(a[1] <= b[0] or b[1] <= a[1] for a, b in combinations(sorted(own), 2))
    flows = defaultdict(list)
    for row in rows:
        if row["ph"] in "sf":
            flows[row["name"], row["cat"], row["id"]].append(row)
    for (_, _, n), (begin, end) in flows.items():
        assert (begin["ph"], end["ph"], end["bp"]) == ("s", "f", "e")
        assert begin["ts"] <= end["ts"]
        ends = [innermost(slices, flow)["args"]["id"] for flow in (begin, end)]
        assert ends == [view.order[k].id for k in view.arrows[n]]
    return len(view.arrows) - len(flows)


@given(run=RUNS)
def test_every_arrow_of_a_chrome_trace_leads_from_the_slice_of_an_event_to_another(run):
    assert check_chrome(read_document(wellformed.run(*run)).trace) == 0


TIES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 5), st.sampled_from("abc"), st.sampled_from("abc")), min_size=1
)


@given(rows=TIES, unit=st.sampled_from(["us", "ns", "s", "step"]))
def test_events_at_one_time_have_slices_of_their_own(rows, unit):
    events = [
        {"id": f"e{n}", "t": t, "t_end": t + length, "type": "message", "agent": agent, "to": to}
        for n, (t, length, agent, to) in enumerate(rows)
    ]
    assert check_chrome(trace_runs.trace(events, time_unit=unit, root_agents=[*"abc"])) == 0


def test_arrows_of_the_samples_lead_from_slice_to_slice(repository):
    results = [result for folder in (DATA / "runs", *(DATA / "traces").iterdir()) for result in import_path(folder)]
    read = [read_document(document) for result in results for document in result.traces]
    read += readings(pieces([str(repository / "traces" / "examples"), str(DATA / "traces" / "v1")]))
    back = {each.trace.trace_id for each in read if each.trace is not None and check_chrome(each.trace)}
    # An edge of each of these runs leads back in time.
    assert back == {"violations", "TG005"}


def test_a_chrome_trace_says_which_arrows_it_leaves_out():
    events = [{"t": 5, "type": "message", "agent": "boss"}, {"t": 1, "type": "message", "agent": "cook"}]
    trace = trace_runs.trace(events, edges=[{"src": "e1", "dst": "e2", "type": "causal"}])
    assert to_chrome(trace)[1] == ("arrows that lead back in time: 1",)


def test_longer_slices_of_one_thread_do_not_nest():
    _, slices = chrome(trace_runs.lunch())
    longer = {tid: [each for each in own if each[1] - each[0] > 1] for tid, own in slices.items()}
    assert sum(map(len, longer.values())) == 5
    for own in longer.values():
        assert all(a[1] <= b[0] for a, b in pairwise(sorted(own)))


def test_every_agent_has_a_named_thread_and_every_arrow_two_ends():
    rows, _ = chrome(trace_runs.lunch())
    names = [row["args"]["name"] for row in rows if row["name"] == "thread_name"]
    # The cook's two calls overlap, so it has a second thread.
    assert names == ["boss", "baker", "cook", "cook"]
    flows = [(row["ph"], row["id"]) for row in rows if row.get("cat") == "flow"]
    assert sorted(flows) == sorted([(ph, n) for n in range(4) for ph in "sf"])
    assert {row["ts"] for row in rows if row["name"] == "spawn → baker"} == {2e6}


def test_the_command_knows_every_format():
    assert {*get_args(Target)} == EXPORTS.keys()


@pytest.mark.parametrize("target", EXPORTS)
def test_the_command(target, run, tmp_path):
    path = saved(trace_runs.lunch(), tmp_path / "t.json")
    out = tmp_path / "out"
    done = run("trace", "export", target, path, "--out", out)
    assert done.out == ""
    assert out.read_text(encoding="utf-8") == run("trace", "export", target, path).out
    assert list(tmp_path.glob(".*")) == []


def test_an_output_folder_that_is_not_there(run, tmp_path):
    path = saved(trace_runs.lunch(), tmp_path / "t.json")
    assert "mkdir" in run("trace", "show", path, "--html", tmp_path / "no" / "x.html", code=3).err
