"""The other formats, one run each."""

import json

import foreign_files as files
import pytest
from builders import DATA
from event_lines import event_lines, events_of

from awesome_cli.traces.importers.finding import SUFFIXES
from awesome_cli.traces.rows import analyze

TRACES = DATA / "traces"


def test_agents_sdk_two_runs_of_one_agent_are_two_agents(tmp_path, imported):
    trace = imported(files.lines(tmp_path / "t.jsonl", files.sdk(handoff=True)), "openai-agents-sdk")
    assert event_lines(trace) == [
        "llm_call lead",
        "spawn lead to helper",
        "spawn lead to helper#2",
        "llm_call helper",
        "llm_call helper#2",
        "return helper to lead",
        "return helper#2 to lead",
        "llm_call lead",
        "aggregate? lead",
        "delegate lead to writer",
        "llm_call writer",
        "stop? writer answered",
    ]
    assert trace["rollout"] == {"group_id": "g7"}


def test_equal_arguments_hash_equally_however_they_are_spelt(tmp_path, imported):
    trace = imported(files.lines(tmp_path / "t.jsonl", files.sdk()), "openai-agents-sdk")
    first, second = events_of(trace, "spawn")
    assert first["content_hash"] == second["content_hash"]


def test_atif_helpers_work_side_by_side(tmp_path, imported):
    trace = imported(files.document(tmp_path / "t.json", files.atif()), "atif")
    assert event_lines(trace) == [
        "llm_call chef",
        "spawn chef to baker",
        "spawn chef to cook",
        "llm_call baker",
        "llm_call cook",
        "return baker to chef",
        "return cook to chef",
        "orchestrator_decision chef",
    ]
    assert trace["time_unit"] == "step"
    assert trace["costs"] == {"tokens": 40, "wall_clock_s": 9, "tool_calls": 0, "messages": 0}
    assert [e["t"] for e in events_of(trace, "llm_call")] == [0, 1, 1]
    assert "steps copied from an earlier trajectory, left out" in trace["provenance"]["lossy"]


def test_atif_a_step_of_the_system_can_begin_an_agent(tmp_path, imported):
    run = files.atif()
    embedded = run["subagent_trajectories"][0] | {"trajectory_id": "short", "agent": {"name": "summarizer"}}
    run["subagent_trajectories"].append(embedded)
    found = {"content": "Summary", "subagent_trajectory_ref": [{"trajectory_id": "short", "trajectory_path": None}]}
    run["steps"].append({"source": "system", "message": "Compaction", "observation": {"results": [found]}})
    trace = imported(files.document(tmp_path / "t.json", run), "atif")
    assert event_lines(trace)[-3:] == ["spawn chef to summarizer", "llm_call summarizer", "return summarizer to chef"]
    assert [spawn.get("source") for spawn in events_of(trace, "spawn")] == ["c1", "c2", None]


def test_atif_follows_no_path_out_of_its_folder(tmp_path, imported):
    inside = tmp_path / "in"
    inside.mkdir()
    files.document(tmp_path / "out.json", files.atif())
    document = files.atif() | {"continued_trajectory_ref": "../out.json"}
    trace = imported(files.document(inside / "t.json", document), "atif")
    assert len(events_of(trace, "llm_call")) == 3


def test_atif_flattened_sub_agents_are_agents_again(tmp_path, imported):
    document = files.atif()
    document["steps"].insert(2, {"source": "agent", "extra": {"is_sidechain": True, "agent_id": "k1"}, "message": "x"})
    trace = imported(files.document(tmp_path / "t.json", document), "atif")
    assert {"spawn? chef to k1", "llm_call k1", "return? k1 to chef"} <= set(event_lines(trace))


def test_magentic_one_spawns_first_and_delegates_later(tmp_path, imported):
    trace = imported(files.document(tmp_path / "t.json", files.magentic()), "who-and-when")
    assert event_lines(trace) == [
        "orchestrator_decision Orchestrator",
        "spawn Orchestrator to Surfer",
        "return Surfer to Orchestrator",
        "delegate Orchestrator to Surfer",
        "return Surfer to Orchestrator",
        "stop Orchestrator unspecified",
    ]
    assert trace["annotations"] == {"mistake_agent": "Surfer", "mistake_step": 3, "mistake_event": "e3"}
    assert trace["rewards"] == {"team": 0}


def test_a_group_chat_speaks_to_all_and_a_terminal_is_a_tool(tmp_path, imported):
    trace = imported(files.document(tmp_path / "t.json", files.group_chat()), "who-and-when")
    assert event_lines(trace) == ["message Expert", "message Computer_terminal", "stop Expert unspecified"]
    assert trace["agents"]["Computer_terminal"]["kind"] == "tool"
    assert trace["rewards"] == {"team": 1}


@pytest.mark.parametrize("value", ["[Infinity]", "1e999", '{"a": NaN}'])
def test_a_number_that_json_cannot_hold_is_named_and_null(value, tmp_path, imported):
    path = tmp_path / "t.json"
    row = '[{"source": "a", "type": "TextMessage", "created_at": "2026-01-01T00:00:00Z", "content": %s}]'
    path.write_text(row % value, encoding="utf-8")
    trace = imported(path, "autogen", with_content=True)
    assert json.dumps(trace["events"][0].get("content"), allow_nan=False) in {"[null]", "null", '{"a": null}'}
    assert any("JSON cannot hold" in what for what in trace["provenance"]["lossy"])


@pytest.mark.parametrize("names", [("mistake_reason", "ground_truth"), ("ground_truth", "mistake_reason")])
def test_annotations_keep_the_order_of_the_document(names, tmp_path, imported):
    document = {"history": files.group_chat()["history"], "mistake_step": "0", **dict.fromkeys(names, "text")}
    trace = imported(files.document(tmp_path / "t.json", document), "who-and-when", with_content=True)
    assert list(trace["annotations"]) == [*names, "mistake_step", "mistake_event"]


def test_swe_agent_steps_and_totals(tmp_path, imported):
    trace = imported(files.document(tmp_path / "t.traj", files.swe()), "swe-agent")
    assert event_lines(trace) == [
        "llm_call? agent",
        "orchestrator_decision agent",
        "tool_call agent ls",
        "tool_result agent ls",
        "llm_call? agent",
        "orchestrator_decision agent",
        "tool_call agent submit",
        "tool_result agent submit",
        "stop agent budget",
    ]
    assert trace["costs"]["tokens"] == 100
    assert trace["costs"]["cost_usd"] == 0.5


def test_langsmith_counts_tokens_of_models_only(tmp_path, imported):
    trace = imported(files.lines(tmp_path / "t.jsonl", files.langsmith()), "langsmith")
    assert event_lines(trace) == [
        "llm_call boss",
        "spawn boss to helper",
        "llm_call helper",
        "return helper to boss",
        "llm_call boss",
        "aggregate? boss",
        "stop? boss answered",
    ]
    assert trace["costs"]["tokens"] == 99


def test_autogen_core_takes_the_time_of_the_log(tmp_path, imported):
    path = tmp_path / "run.log"
    path.write_text(files.core_log(), encoding="utf-8")
    trace = imported(path, "autogen")
    assert event_lines(trace) == [
        "message boss to helper",
        "llm_call helper",
        "tool_call helper oven",
        "tool_result helper oven",
        "message helper",
    ]
    assert trace["time_unit"] == "s"
    assert trace["costs"]["wall_clock_s"] == 4


def test_autogen_agents_are_named_without_the_random_id_of_their_team(tmp_path, imported):
    team = "a93ad603-cbb8-40e4-9d09-e295f88cb1dc"
    text = files.core_log().replace("boss/default", f"SwarmGroupChatManager_{team}/{team}")
    (tmp_path / "run.log").write_text("started\n\n" + text.replace("helper/default", f"helper_{team}/{team}"))
    trace = imported(tmp_path / "run.log", "autogen")
    assert trace["agents"] == {"SwarmGroupChatManager": {"kind": "environment"}, "helper": {"kind": "llm"}}
    assert "lines that are not JSON: 1" in trace["provenance"]["lossy"]


def test_autogen_teams_hand_over_and_stop(tmp_path, imported):
    trace = imported(files.document(tmp_path / "t.json", files.team()), "autogen")
    assert event_lines(trace) == [
        "message user",
        "llm_call waiter",
        "delegate waiter to baker",
        "llm_call baker",
        "tool_call baker oven",
        "tool_result baker oven",
        "llm_call baker",
        "message baker",
        "stop baker budget",
    ]


@pytest.mark.parametrize("answer", ["hot bread", "user: bake\n\nbaker: hot bread"])
def test_autogen_counts_the_messages_of_an_agent_as_tool_once(answer, tmp_path, imported):
    used = {"prompt_tokens": 8, "completion_tokens": 2}
    call = {"id": "a1", "name": "baker", "arguments": '{"task": "bake"}'}
    messages = [
        {"type": "TextMessage", "source": "user", "content": "bread please"},
        {"type": "ToolCallRequestEvent", "source": "chef", "content": [call], "models_usage": used},
        {"type": "TextMessage", "source": "user", "content": "bake"},
        {"type": "TextMessage", "source": "baker", "content": "hot bread", "models_usage": used},
        {"type": "ToolCallExecutionEvent", "source": "chef", "content": [{"call_id": "a1", "content": answer}]},
        {"type": "TextMessage", "source": "baker", "content": "hot bread", "models_usage": used},
    ]
    trace = imported(files.document(tmp_path / "t.json", {"messages": messages}), "autogen")
    assert event_lines(trace) == [
        "message user",
        "llm_call chef",
        "tool_call chef baker",
        "llm_call baker",
        "tool_result chef",
        "llm_call baker",
        "message baker",
    ]
    assert trace["costs"]["tokens"] == 30
    assert "messages that a call of an agent as tool, or its result, repeats: 2" in trace["provenance"]["lossy"]


def test_autogen_hand_offs_by_a_transfer_tool_delegate_once(tmp_path, imported):
    call = {"id": "h1", "name": "transfer_to_baker", "arguments": "{}"}
    result = {"call_id": "h1", "name": "transfer_to_baker", "content": "Transferred to baker."}
    messages = [
        {"type": "ToolCallRequestEvent", "source": "waiter", "content": [call]},
        {"type": "ToolCallExecutionEvent", "source": "waiter", "content": [result]},
        {"type": "HandoffMessage", "source": "waiter", "target": "baker", "content": "Transferred to baker."},
    ]
    trace = imported(files.document(tmp_path / "t.json", {"messages": messages}), "autogen")
    assert [event["to"] for event in events_of(trace, "delegate")] == ["baker"]


def test_usage_is_unrecorded_if_no_event_has_tokens(tmp_path, imported):
    team = files.team()
    silent = team | {"messages": [message | {"models_usage": None} for message in team["messages"]]}
    traces = [imported(files.document(tmp_path / "t.json", document), "autogen") for document in (team, silent)]
    assert [trace["costs"]["tokens"] for trace in traces] == [30, 0]
    assert ["usage" in trace["provenance"]["unrecorded"] for trace in traces] == [False, True]


def test_the_real_run_measures_the_same_in_both_exports(imported):
    folder = TRACES / "openai-agents-sdk"
    native = imported(next(folder.glob("*.spans.jsonl")), "openai-agents-sdk")
    otlp = imported(next(folder.glob("*.otlp.json")), "otlp")
    own, other = analyze(native), analyze(otlp)
    # Only the ids of the two exports differ, and the digest that covers them.
    assert {key for key in own if own[key] != other[key]} <= {"trace_id", "digest"}
    known = {"agents": 4, "tokens": 840, "model_calls": 7, "critical_steps": 5, "max_concurrency": 3}
    assert {key: own[key] for key in known} == known
    assert own["potential_speedup_steps"] == pytest.approx(1.4)


EXPECTED = {
    "claude-code/4b2030ed": (2, 63723),
    "claude-code/spotter": (1, 25366),
    "agentops": (2, 977),
    "otel-genai/AGNO": (1, 1470),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_real_runs_have_the_known_numbers(name, imported):
    found = sorted(p for p in TRACES.rglob("*") if str(p.relative_to(TRACES)).startswith(name))
    path = next(p for p in found if p.suffix in {".jsonl", ".json", ".md"} and "subagents" not in p.parts)
    form = {"claude-code": "claude-code"}.get(name.partition("/")[0], "otlp")
    row = analyze(imported(path, form))
    assert (row["agents"], row["tokens"]) == EXPECTED[name]


def test_every_real_file_becomes_a_trace_without_errors(run, tmp_path):
    """But the example of the specification, whose one span is a server's."""
    inputs = [p for p in sorted(TRACES.iterdir()) if p.name not in {"v1", "agentops", "otlp-spec"}]
    run("trace", "import", *inputs, TRACES / "agentops" / "agent_ops_traces.md", "--out", tmp_path / "all.jsonl")
    rows = [analyze(line) for line in (tmp_path / "all.jsonl").read_bytes().splitlines()]
    # Every file but the sub-agent's, which belongs to its session.
    files_there = [p for i in inputs for p in i.rglob("*") if p.suffix in SUFFIXES and "subagents" not in p.parts]
    assert len(rows) == len(files_there) + 1
    assert [row["error"] for row in rows if row["error"]] == []
    assert {row["errors"] for row in rows} == {0}
    refused = run("trace", "import", TRACES / "otlp-spec" / "trace.json", code=3)
    assert "trace.json: spans without a model call" in refused.err
