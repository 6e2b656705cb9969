"""Trace bundles of Codex, compared with OpenAI's own reading of the run, `state.json`."""

import json
import os
import shutil
from collections import Counter

import pytest
from trace_runs import import_path

from awesome_cli.traces.metrics import measure
from awesome_cli.traces.reading import read_document
from tests.builders import DATA
from tests.traces.importers.known_answers import answers, of

RUN = DATA / "runs" / "codex" / "multi-agent" / "scripted-v2-trace-bundle-cli0.169"
BUNDLE = RUN / "bundle"
ROOT = "/root"


def one(path):
    (result,) = import_path(path)
    assert result.error is None, result.error
    assert result.format == "codex-bundle"
    (trace,) = result.traces
    return trace


@pytest.fixture
def state():
    return json.loads((BUNDLE / "state.json").read_text(encoding="utf-8"))


def statuses(trace):
    return {event["call_id"]: event.get("status") for event in of(trace, "tool_result")}


def running(spans):
    """The most spans that overlap at one moment."""
    changes = sorted((at, change) for begin, end in spans for at, change in ((begin, 1), (end, -1)))
    return max(sum(change for _, change in changes[:i]) for i in range(len(changes) + 1))


def test_the_edges_are_those_of_the_reducer(state):
    trace = one(BUNDLE)
    kinds = Counter(edge["kind"] for edge in state["interaction_edges"].values())
    assert kinds == {"spawn_agent": 4, "agent_result": 3, "assign_agent_task": 1, "close_agent": 1}
    read = {name for event in trace["events"] for name in event.get("inputs", ())}
    stopped = [event for event in of(trace, "stop") if event.get("scope") == "agent"]
    assert len(of(trace, "spawn")) == kinds["spawn_agent"]
    assert sum(event["id"] in read for event in of(trace, "return")) == kinds["agent_result"]
    assert len(of(trace, "delegate")) == kinds["assign_agent_task"]
    assert [event["agent"] for event in stopped] == [f"{ROOT}/beta"]
    # The answer that the reducer draws no edge for was observed, and nobody read it; the message has no edge either.
    assert answers(trace)["undelivered"] == [f"{ROOT}/eps"]
    assert not {event["id"] for event in of(trace, "message")} & read


def test_the_model_calls_are_those_of_the_reducer(state):
    calls = of(one(BUNDLE), "llm_call")
    spans = [(call["execution"]["started_at_unix_ms"], call["execution"]["ended_at_unix_ms"])
             for call in state["inference_calls"].values()]  # fmt: skip
    assert len(calls) == len(spans) == 21
    assert running([(call["t"], call["t_end"]) for call in calls]) == running(spans) == 3
    assert sorted(round(1000 * (call["t_end"] - call["t"])) for call in calls) == sorted(e - b for b, e in spans)


def test_the_tools_are_those_of_the_reducer(state):
    trace = one(BUNDLE)
    ended = Counter(call["execution"]["status"] for call in state["tool_calls"].values())
    assert ended == {"completed": 17, "failed": 3, "running": 1}
    results = Counter(event["status"] for event in of(trace, "tool_result"))
    made = len(of(trace, "spawn", "delegate", "message"))
    # The reducer calls a command complete that exited with 3, and a wait that timed out.
    assert results == {"ok": 15 - made, "error": 3 + 1, "timeout": 1, "cancelled": 1}


def test_the_bundle_and_the_rollouts_tell_of_the_same_run():
    """The bundle begins and ends a little apart."""
    (rollouts,) = (trace for each in import_path(RUN / "sessions") for trace in each.traces)
    bundle = answers(one(BUNDLE))
    assert bundle | {"wall": 0} == answers(rollouts) | {"wall": 0}
    assert statuses(one(BUNDLE)) == statuses(rollouts)
    work = [measure(read_document(trace).trace).values["work_s"] for trace in (one(BUNDLE), rollouts)]
    assert work[0] == pytest.approx(work[1], rel=0.05)
    assert bundle["wall"] == 18.552
    assert rollouts["agents"].keys() == one(BUNDLE)["agents"].keys()


@pytest.mark.parametrize("name", ["manifest.json", "trace.jsonl", "state.json"])
def test_each_file_leads_to_the_run(name):
    assert answers(one(BUNDLE / name)) == answers(one(BUNDLE))


def test_tokens_come_from_the_payloads_where_there_are_any_and_are_unknown_where_nothing_says(tmp_path):
    shutil.copytree(BUNDLE, tmp_path / "b")
    (tmp_path / "b" / "state.json").unlink()
    trace = one(tmp_path / "b")
    assert answers(trace)["tokens_in"] == 0
    assert trace["provenance"]["unrecorded"] == ["usage"]
    payloads = tmp_path / "b" / "payloads"
    payloads.mkdir()
    for n, line in enumerate((BUNDLE / "trace.jsonl").read_text(encoding="utf-8").splitlines()):
        body = json.loads(line)["payload"]
        if body["type"] == "inference_completed":
            usage = {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 1}
            answer = {"response_id": f"r{n}", "token_usage": usage, "output_items": []}
            (payloads / body["response_payload"]["path"].rpartition("/")[2]).write_text(json.dumps(answer))
    found = answers(one(tmp_path / "b"))
    assert (found["tokens_in"], found["tokens_cached"], found["tokens_out"]) == (210, 84, 21)


def test_a_manifest_alone_has_no_run(tmp_path):
    shutil.copy(BUNDLE / "manifest.json", tmp_path)
    assert "has no event of a run" in str(import_path(tmp_path)[0].error)


def test_payloads_that_are_links_or_pipes_are_not_read(tmp_path):
    plain = one(shutil.copytree(BUNDLE, tmp_path / "plain"))
    for hostile in ("link", "pipe", "folder"):
        bundle = shutil.copytree(BUNDLE, tmp_path / hostile)
        (bundle / "state.json").unlink()
        outside = tmp_path / f"{hostile}-outside"
        outside.mkdir()
        if hostile == "folder":
            (bundle / "payloads").symlink_to(outside)
        else:
            (bundle / "payloads").mkdir()
        for line in (BUNDLE / "trace.jsonl").read_text(encoding="utf-8").splitlines():
            reference = json.loads(line)["payload"].get("response_payload")
            if reference is None:
                continue
            payload = bundle / reference["path"]
            usage = {"token_usage": {"input_tokens": 10, "output_tokens": 1}}
            (outside / payload.name).write_text(json.dumps(usage))
            if hostile == "link":
                payload.symlink_to(outside / payload.name)
            elif hostile == "pipe":
                os.mkfifo(payload)
        trace = one(bundle)
        assert (answers(trace)["tokens_in"], answers(trace)["llm_calls"]) == (0, answers(plain)["llm_calls"])
