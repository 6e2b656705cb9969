"""Other viewers' formats, and version 1."""

import json
from collections import defaultdict
from itertools import pairwise

import pytest
import runs
from builders import DATA
from hypothesis import given, settings
from hypothesis import strategies as st

from awesome_cli.cli.trace.export import Target
from awesome_cli.traces.downgrade import downgrade
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.views import chrome, mermaid, timeline
from awesome_cli.traces.views.exports import EXPORTS


def saved(trace, path):
    """A trace on disk."""
    edges = [{"src": e.src, "dst": e.dst, "type": e.type} for e in trace.edges]
    path.write_text(json.dumps(trace.header | {"events": [dict(e.data) for e in trace.events], "edges": edges}))
    return path


def test_slices_of_one_thread_never_cross():
    document = json.loads(chrome.render(timeline.timeline(runs.lunch())))
    slices = defaultdict(list)
    for row in document["traceEvents"]:
        if row["ph"] == "X":
            slices[row["tid"]].append((row["ts"], row["ts"] + row["dur"]))
    assert sum(map(len, slices.values())) == 5
    for own in slices.values():
        own.sort()
        assert all(a[1] <= b[0] for a, b in pairwise(own))


def test_every_agent_has_a_named_thread_and_every_arrow_two_ends():
    rows = json.loads(chrome.render(timeline.timeline(runs.lunch())))["traceEvents"]
    names = [row["args"]["name"] for row in rows if row["name"] == "thread_name"]
    # The cook's two calls overlap, so it has a second thread.
    assert names == ["boss", "baker", "cook", "cook"]
    flows = [(row["ph"], row["id"]) for row in rows if row.get("cat") == "flow"]
    assert sorted(flows) == sorted([(ph, n) for n in range(4) for ph in "sf"])
    assert {row["ts"] for row in rows if row["name"] == "spawn → baker"} == {2e6}


def test_mermaid_tells_who_told_whom():
    assert mermaid.render(timeline.timeline(runs.lunch())) == (
        "sequenceDiagram\n"
        "    participant a0 as boss\n"
        "    participant a1 as baker\n"
        "    participant a2 as cook\n"
        "    note over a0: model\n"
        "    a0->>+a1: spawn\n"
        "    a0->>+a2: spawn\n"
        "    note over a1: model\n"
        "    note over a2: oven, knife\n"
        "    a1-->>-a0: return\n"
        "    a2-->>-a0: return\n"
        "    note over a0: model, aggregates\n"
        "    note over a0: stop answered\n"
        "    a1-)a2: message\n"
    )


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=12))
def test_no_name_can_end_a_mermaid_statement(name):
    trace = runs.trace([{"t": 0, "type": "spawn", "agent": "boss", "to": "x" + name}])
    lines = mermaid.render(timeline.timeline(trace)).split("\n")
    assert len(lines) == 5
    assert not set(lines[2].partition(" as ")[2].replace(";", "")) & set('<>{}"')


def test_a_long_run_is_cut_with_a_word():
    text = mermaid.render(timeline.timeline(runs.swarm(3, 9, 9)), limit=20)
    assert "more events" in text.splitlines()[-1]


def test_version_1_keeps_the_fields_and_names_what_is_lost():
    trace = runs.trace(
        [
            {"t": 0, "t_end": 1, "type": "llm_call", "agent": "boss", "model": "m-1"},
            {"t": 1, "type": "spawn", "agent": "boss", "to": "cook"},
            {"t": 2, "type": "reward", "agent": "boss", "reward": {"team": 1}},
            {"t": 3, "type": "stop", "agent": "boss", "reason": "answered"},
        ],
        edges=[
            {"src": "e1", "dst": "e2", "type": "data", "inferred": True},
            {"src": "e2", "dst": "e3", "type": "causal"},
        ],
    )
    done = downgrade(trace)
    reading = read_document(done.document)
    assert reading.trace is not None, reading.findings
    assert reading.trace.version == 1
    assert [e["type"] for e in done.document["events"]] == ["orchestrator_decision", "spawn", "orchestrator_decision"]
    assert done.document["events"][0]["model"] == "m-1"
    assert done.document["edges"] == [{"src": "e1", "dst": "e2", "type": "causal"}]
    assert done.lost == (
        "1 llm_call event became orchestrator_decision",
        "1 stop event became orchestrator_decision",
        "1 reward event left out, with the edges at them",
        "1 data edge became causal",
        "1 edge no longer marked as inferred",
        "top-level fields: root_agents, schema_version, time_unit",
    )


def test_version_1_stays_version_1():
    text = (DATA / "traces" / "v1" / "example.json").read_text()
    assert downgrade(read_document(json.loads(text)).trace).document == json.loads(text)


def test_the_command_knows_every_format():
    assert {target.value for target in Target} == EXPORTS.keys()


@pytest.mark.parametrize("target", EXPORTS)
def test_the_command(target, run, tmp_path):
    path = saved(runs.lunch(), tmp_path / "t.json")
    out = tmp_path / "out"
    done = run("trace", "export", target, path, "--out", out)
    assert done.out == ""
    assert out.read_text(encoding="utf-8") == run("trace", "export", target, path).out
    assert ("lost: 3 llm_call events became orchestrator_decision" in done.err) == (target == "v1")
    assert list(tmp_path.glob(".*")) == []


def test_an_output_folder_that_is_not_there(run, tmp_path):
    path = saved(runs.lunch(), tmp_path / "t.json")
    assert "mkdir" in run("trace", "show", path, "--html", tmp_path / "no" / "x.html", code=3).err
