"""Codex: recorded runs have their known answers, and none of those that a naive reader would give."""

from collections import Counter

import pytest

from tests.traces.importers.codex_runs import (
    BUNDLED,
    COMPACTED,
    KNOWN,
    REAL,
    ROOT,
    RUNS,
    V1,
    V2,
    WORK,
    known,
    lines,
    one,
    open_agents,
    rollouts,
    traces,
)
from tests.traces.importers.known_answers import answers, of


@pytest.mark.parametrize("run", KNOWN, ids=lambda run: run.name)
def test_the_known_answers(run):
    trace = one(run / "sessions")
    assert answers(trace) == known(run)
    spawn_calls = sum(e["type"] == "spawn" or e.get("tool") == "spawn_agent" for e in of(trace, "spawn", "tool_call"))
    aborted = [event for event in of(trace, "stop") if event.get("scope") == "agent"]
    found = (spawn_calls, len(of(trace, "delegate")), len(of(trace, "message")), len(aborted), open_agents(trace))
    assert found == WORK[run]


@pytest.mark.parametrize("run", KNOWN, ids=lambda run: run.name)
def test_the_model_server_counted_the_same(run):
    answered = [row for row in lines(run / "TRUTH.jsonl") if row["status"] == 200 and row.get("usage")]
    trace = answers(one(run / "sessions"))
    sums = Counter()
    for row in answered:
        sums.update(row["usage"])
    assert (trace["tokens_in"], trace["tokens_cached"], trace["tokens_out"]) == (
        sums["in"],
        sums["cached"],
        sums["out"],
    )
    assert trace["calls"] == sum(len(row["calls"]) for row in answered)


def test_counters_that_are_written_again_and_those_of_a_fork_are_not_added():
    """The sum of all lines is 67,300; that of the last lines of the files is 42,300, with the 2,100 of the parent."""
    last = [
        [
            r["payload"]["info"]
            for r in lines(file)
            if r["payload"].get("type") == "token_count" and r["payload"]["info"]
        ]
        for file in rollouts(V1)
    ]
    assert sum(info["last_token_usage"]["input_tokens"] for own in last for info in own) == 67_300
    assert sum(own[-1]["total_token_usage"]["input_tokens"] for own in last if own) == 42_300
    fork = [e["tokens_in"] for e in of(one(V1 / "sessions"), "llm_call") if e["agent"].startswith("01a20056-3c7c")]
    assert fork == [4_000, 4_100]


def test_a_compaction_is_one_call_and_an_estimate_of_the_context_is_none():
    """The sum of `last_token_usage` over all lines is 33,100."""
    calls = of(one(COMPACTED / "sessions"), "llm_call")
    assert [call.get("purpose") for call in calls] == [None, "compaction", None, None, None]
    assert calls[1]["tokens_in"] == 9_000


def test_an_answer_that_arrives_twice_is_read_once():
    """Seven lines deliver the five returns."""
    trace = one(V1 / "sessions")
    read = [name for event in trace["events"] for name in event.get("inputs", ())]
    assert sorted(read) == sorted(event["id"] for event in of(trace, "return"))
    failed = next(event for event in of(trace, "return") if event["status"] == "error")
    assert failed["agent"].startswith("01a20056-3cac")


@pytest.mark.parametrize("run", [V2, BUNDLED], ids=lambda run: run.name)
def test_a_call_that_made_no_agent_is_no_spawn(run):
    trace = one(run / "sessions")
    refused = [event for event in of(trace, "tool_result") if event["tool"] == "spawn_agent"]
    assert [(event["agent"], event["status"]) for event in refused] == [("/root", "error"), (f"{ROOT}/alpha", "error")]


@pytest.mark.parametrize("run", [V2, BUNDLED], ids=lambda run: run.name)
def test_a_message_that_was_accepted_is_not_one_that_arrived(run):
    trace = one(run / "sessions")
    (message,) = of(trace, "message")
    assert (message["to"], message["delivery"]) == (f"{ROOT}/beta", "explicit")
    assert not [event for event in trace["events"] if message["id"] in event.get("inputs", ())]


def test_the_run_stops_when_its_session_has_ended():
    for run in KNOWN:
        (stop,) = (event for event in of(one(run / "sessions"), "stop") if event.get("scope") == "trace")
        assert (stop["reason"], "inferred" in stop) == ("answered", False)


def test_real_runs_of_one_agent():
    cut, whole = traces(REAL)
    assert answers(cut) | {"wall": 0} == {
        "agents": 1, "spawns": 0, "returns": 0, "errors": 0, "undelivered": [], "calls": 1, "unanswered": 1,
        "llm_calls": 1, "tokens_in": 34_469, "tokens_cached": 3_456, "tokens_out": 431, "wall": 0,
    }  # fmt: skip
    assert of(cut, "stop") == []
    (file,) = [file for file in rollouts(REAL) if "T20-34" in file.name]
    totals = [r["payload"]["info"]["total_token_usage"] for r in lines(file) if (r["payload"].get("info"))]
    assert answers(whole)["tokens_in"] == totals[-1]["input_tokens"] == 298_373
    assert answers(whole)["llm_calls"] == len({total["input_tokens"] for total in totals}) == 6
    assert answers(whole)["calls"] == sum(r["payload"].get("type") == "function_call" for r in lines(file))
    assert answers(whole)["unanswered"] == 0


def test_shapes_of_many_versions_are_read():
    path = RUNS / "shapes-hand-made" / "agent-sessions-small" / "small.jsonl"
    made = {"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"}
    items = [r["payload"] for r in lines(path) if r["type"] == "response_item" and r["payload"].get("type") in made]
    ids = {item.get("call_id") or item.get("id") for item in items} - {None}
    assert answers(one(path))["calls"] == len(ids)


# The same runs in other files ----------------------------------------------------------------------------------------
