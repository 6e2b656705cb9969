"""Real runs of Claude Code with known answers, and what changes when files are packed, cut or gone."""

import gzip
import json
import shutil
from pathlib import Path

import foreign_files as files
import pytest
from builders import DATA
from event_lines import event_lines, events_of
from trace_runs import import_path

from tests.traces.importers.known_answers import answers

RUNS = DATA / "runs" / "claude-code"
TRACES = DATA / "traces" / "claude-code"
NONE = {"errors": 0, "undelivered": [], "unanswered": 0}
KNOWN = {
    "entire-51-foreground": {
        "agents": 7, "spawns": 6, "returns": 6, "calls": 22, "llm_calls": 15,
        "tokens_in": 845_061, "tokens_cached": 672_271, "tokens_out": 3_467, "wall": 1526.544,
    },
    "entire-f8-background": {
        "agents": 9, "spawns": 8, "returns": 8, "calls": 40, "llm_calls": 13,
        "tokens_in": 961_960, "tokens_cached": 856_170, "tokens_out": 6_419, "wall": 474.740,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_real_runs_have_the_known_answers(name, imported):
    trace = imported(RUNS / name / "full.jsonl", "claude-code")
    assert answers(trace) == KNOWN[name] | NONE
    assert all(event["inferred"] for event in events_of(trace, "return"))


def test_tokens_of_sub_agents_without_files_are_lower_bounds_from_their_results(imported):
    returns = events_of(imported(RUNS / "entire-51-foreground" / "full.jsonl", "claude-code"), "return")
    assert sum(event["tokens_in"] + event["tokens_out"] for event in returns) == 326_790
    assert all(event["tokens_partial"] for event in returns)


def test_tokens_of_an_answer_are_a_lower_bound_where_the_last_line_has_no_stop_reason(imported):
    calls = events_of(imported(RUNS / "entire-51-foreground" / "full.jsonl", "claude-code"), "llm_call")
    assert sum("tokens_partial" in call for call in calls) == 10
    assert sum(call["tokens_cache_write"] for call in calls if "tokens_cache_write" in call) == 172_674


def test_a_person_is_waited_for_from_the_end_of_a_turn_to_the_next_prompt(imported):
    waits = events_of(imported(RUNS / "entire-51-foreground" / "full.jsonl", "claude-code"), "human_intervention")
    assert [(w["t"], w["t_end"]) for w in waits] == [(635.461, 870.183), (995.904, 1516.212)]


def test_a_poll_that_finds_a_task_running_delivers_nothing(imported):
    trace = imported(RUNS / "entire-f8-background" / "full.jsonl", "claude-code")
    returns = events_of(trace, "return")
    polls = [event["t"] for event in trace["events"] if event.get("tool") == "TaskOutput"]
    assert {event["delivery"] for event in returns} == {"explicit"}
    assert min(event["t"] for event in returns) > sorted(polls)[15]
    readers = [event for event in events_of(trace, "llm_call") if "inputs" in event]
    assert [len(event["inputs"]) for event in readers] == [8]


def test_the_layout_with_meta_files(imported):
    trace = imported(RUNS / "agent-sessions-subagents-meta", "claude-code")
    assert event_lines(trace) == ["llm_call main", "spawn? main to a0ad4f44468bdf20d", "llm_call a0ad4f44468bdf20d"]
    assert trace["agents"]["a0ad4f44468bdf20d"]["role"] == "general-purpose"
    assert "calls of tools without an id: 2" in trace["provenance"]["lossy"]


# Perturbations ---------------------------------------------------------------------------------------------------------

CHILD = "4b2030ed-5563-49ea-b703-6a002f2d3cc8/subagents/agent-a2018e5.jsonl"


@pytest.fixture
def run_folder(tmp_path) -> Path:
    """A writable copy of a real session with one sub-agent."""
    shutil.copytree(TRACES / "4b2030ed", tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def whole() -> list[str]:
    (result,) = import_path(TRACES / "4b2030ed")
    return event_lines(result.traces[0])


@pytest.mark.parametrize("part", [".", "4b2030ed-5563-49ea-b703-6a002f2d3cc8.jsonl", CHILD])
def test_a_run_is_found_by_its_folder_its_file_or_the_file_of_a_sub_agent(part, run_folder, whole, imported):
    assert event_lines(imported(run_folder / part, "claude-code")) == whole


def test_packed_files_are_joined(run_folder, whole, imported):
    for file in list(run_folder.rglob("*.jsonl")):
        Path(f"{file}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert event_lines(imported(run_folder, "claude-code")) == whole


def test_a_sub_agent_in_the_folder_of_a_workflow(run_folder, whole, imported):
    deeper = run_folder / Path(CHILD).parent / "workflows" / "wf_1"
    deeper.mkdir(parents=True)
    (run_folder / CHILD).rename(deeper / Path(CHILD).name)
    assert event_lines(imported(run_folder, "claude-code")) == whole


def test_without_its_file_a_sub_agent_has_its_call_and_its_result(run_folder, imported):
    (run_folder / CHILD).unlink()
    trace = imported(run_folder, "claude-code")
    assert "return? a2018e5 to main" in event_lines(trace)
    assert "events of sub-agents whose files are missing: 1" in trace["provenance"]["lossy"]


def test_a_cut_last_line_of_a_sub_agent(run_folder, whole, imported):
    path = run_folder / CHILD
    path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    trace = imported(run_folder, "claude-code")
    assert [line for line in whole if line not in event_lines(trace)] == []
    assert "lines that are not JSON: 1" in trace["provenance"]["lossy"]


# Shapes of newer versions ------------------------------------------------------------------------------------------------


def launched(call: str, seconds: float, agent: str = "k1") -> dict:
    answer = {"status": "async_launched", "isAsync": True, "agentId": agent}
    return files.told(
        f"l{call}", seconds, files.answer(call, "Async agent launched successfully."), toolUseResult=answer
    )


def notice(seconds: float, status: str = "completed", agent: str = "k1") -> str:
    words = f"<task-notification>\n<task-id>{agent}</task-id>\n<status>{status}</status>\n</task-notification>"
    return files.told(f"n{seconds}", seconds, words)


def start(seconds: float = 1) -> dict:
    spawn = files.use("t1", "Agent", subagent_type="scout", prompt="Find the bakery")
    spawn["input"]["name"] = "finder"
    return files.said("a1", seconds, "msg1", spawn)


def background(tmp_path: Path, *rows: dict, child: list[dict] | None = None) -> Path:
    files.lines(tmp_path / "S1/subagents/agent-k1.jsonl", child or files.scout())
    return files.lines(tmp_path / "S1.jsonl", [files.told("u1", 0, "Go"), start(), launched("t1", 3), *rows])


def test_news_that_comes_while_the_parent_works_is_an_attachment(tmp_path, imported):
    note = notice(12)
    row = note | {"type": "attachment", "attachment": {"type": "queued_command", "prompt": note["message"]["content"]}}
    del row["message"]
    trace = imported(background(tmp_path, row, files.said("a9", 14, "msg9", files.words("done"))), "claude-code")
    (back,) = events_of(trace, "return")
    assert [e["t"] for e in trace["events"] if back["id"] in e.get("inputs", ())] == [12]


def test_a_result_that_no_notice_brings_is_not_read(tmp_path, imported):
    queued = {"type": "queue-operation", "operation": "enqueue", "sessionId": "S1", "timestamp": files.at(9)}
    trace = imported(background(tmp_path, queued, files.said("a9", 14, "msg9", files.words("bye"))), "claude-code")
    assert answers(trace)["undelivered"] == ["k1"]


def test_a_stopped_task_ends_without_a_return(tmp_path, imported):
    rows = [
        files.said("a3", 5.5, "msg2", files.use("t3", "TaskStop", task_id="k1")),
        files.told("u3", 6, files.answer("t3", "stopped")),
        notice(7, "killed"),
    ]
    trace = imported(background(tmp_path, *rows, child=files.scout()[:2]), "claude-code")
    assert events_of(trace, "return") == []
    assert [(e["agent"], e["scope"], e["reason"]) for e in events_of(trace, "stop")] == [("k1", "agent", "cancelled")]


def test_words_for_an_agent_that_has_ended_are_more_work(tmp_path, imported):
    """Named as the call named it; while it works, the same words are a message."""
    send = {"to": "finder", "message": "And the second one?"}
    rows = [
        files.said("a2", 4, "msg2", files.use("t2", "SendMessage", **send)),
        files.told("u2", 4.5, files.answer("t2", "queued")),
        notice(12),
        files.said("a3", 13, "msg3", files.use("t3", "SendMessage", **send)),
        files.told("u3", 14, files.answer("t3", "resumed from transcript in the background")),
        notice(20),
        files.said("a4", 21, "msg4", files.words("Two.")),
    ]
    side = {"isSidechain": True, "agentId": "k1"}
    second = [
        files.told("s8", 14, "And the second one?", **side),
        files.said("s9", 18, "msgC", files.words("By the river"), **side),
    ]
    trace = imported(background(tmp_path, *rows, child=[*files.scout(), *second]), "claude-code")
    assert [e["to"] for e in events_of(trace, "delegate")] == ["k1"]
    assert [e["to"] for e in events_of(trace, "message")] == ["k1"]
    assert [(e["t"], e["agent"]) for e in events_of(trace, "return")] == [(8, "k1"), (18, "k1")]
    assert answers(trace)["undelivered"] == []


def test_a_call_that_was_refused_is_no_spawn(tmp_path, imported):
    rows = [files.told("u1", 0, "Go"), start(), files.told("u2", 2, files.answer("t1", "refused", is_error=True))]
    trace = imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code")
    assert event_lines(trace) == ["llm_call main", "tool_call main Agent", "tool_result main Agent"]


def test_an_agent_below_a_sub_agent_is_found_by_the_end_of_the_result(tmp_path, imported):
    side = {"isSidechain": True, "agentId": "k1"}
    child = [
        files.told("s1", 3.5, "Find the bakery", **side),
        files.said("s2", 4, "msgA", files.use("t5", "Agent", prompt="look"), **side),
        files.told(
            "s3", 7, files.answer("t5", [files.words("here\nagentId: k2 (use SendMessage to continue)")]), **side
        ),
        files.said("s4", 8, "msgB", files.words("here"), **side),
    ]
    inner = [files.told("i1", 5, "reworded", isSidechain=True, agentId="k2"),
             files.said("i2", 6, "msgI", files.words("here"), isSidechain=True, agentId="k2")]  # fmt: skip
    files.lines(tmp_path / "S1/subagents/agent-k2.jsonl", inner)
    trace = imported(background(tmp_path, notice(12), child=child), "claude-code")
    assert {"spawn k1 to k2", "return k2 to k1", "return k1 to main"} <= set(event_lines(trace))


def test_a_teammate_is_found_by_its_name_and_heard_in_its_words(tmp_path, imported):
    words = '<teammate-message teammate_id="finder" color="blue">\ndone\n</teammate-message>'
    answer = {"status": "teammate_spawned", "teammate_id": "finder@t", "agent_id": "finder@t", "name": "finder"}
    rows = [files.told("u1", 0, "Go"), start(),
            files.told("u2", 3, files.answer("t1", "Spawned"), toolUseResult=answer),
            files.told("u3", 12, words), files.said("a9", 14, "msg9", files.words("good"))]  # fmt: skip
    file = files.lines(tmp_path / "S1/subagents/agent-k1.jsonl", files.scout())
    files.document(file.with_suffix(".meta.json"), {"name": "finder", "taskKind": "in_process_teammate"})
    trace = imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code")
    assert answers(trace)["agents"] == 2
    assert answers(trace)["undelivered"] == []
    assert events_of(trace, "human_intervention") == []


def test_two_sub_agents_with_equal_prompts_are_told_apart_by_their_meta_files(tmp_path, imported):
    both = [files.use(f"t{n}", "Agent", prompt="Find the bakery") for n in (1, 2)]
    rows = [files.told("u1", 0, "Go"), files.said("a1", 1, "msg1", *both)]
    for agent, call in (("k1", "t2"), ("k2", "t1")):
        renamed = [line | {"agentId": agent, "uuid": f"{agent}{line['uuid']}"} for line in files.scout()]
        file = files.lines(tmp_path / f"S1/subagents/agent-{agent}.jsonl", renamed)
        files.document(file.with_suffix(".meta.json"), {"toolUseId": call, "spawnDepth": 1})
    trace = imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code")
    assert {e["source"]: e["to"] for e in events_of(trace, "spawn")} == {"t1": "k2", "t2": "k1"}


def test_without_meta_files_equal_prompts_are_told_apart_by_their_order(tmp_path, imported):
    """The first call began the sub-agent whose first line is the first."""
    both = [files.use(f"t{n}", "Agent", prompt="Find  the bakery") for n in (1, 2)]
    rows = [files.told("u1", 0, "Go"), files.said("a1", 1, "msg1", *both)]
    for agent, later in (("k1", 1), ("k2", 0)):
        renamed = [line | {"agentId": agent, "uuid": f"{agent}{line['uuid']}"} for line in files.scout()]
        renamed[0] |= {"timestamp": files.at(3.5 + later)}
        files.lines(tmp_path / f"S1/subagents/agent-{agent}.jsonl", renamed)
    trace = imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code")
    assert {e["source"]: e["to"] for e in events_of(trace, "spawn")} == {"t1": "k2", "t2": "k1"}


def test_copied_lines_of_a_fork_make_no_events(tmp_path):
    first = files.session()
    files.lines(tmp_path / "S1.jsonl", first)
    more = [files.told("f1", 20, "And the next?"), files.said("f2", 22, "msgF", files.words("Across"))]
    forked = [row | {"sessionId": "S2", "forkedFrom": {"sessionId": "S1"}} for row in first]
    files.lines(tmp_path / "A-fork.jsonl", [*forked, *(row | {"sessionId": "S2"} for row in more)])
    fork, session = (result.traces[0] for result in import_path(tmp_path))
    assert answers(session)["llm_calls"] == 2
    assert event_lines(fork) == ["llm_call main"]
    assert f"lines copied from another run or thread: {len(first)}" in fork["provenance"]["lossy"]
    (alone,) = import_path(tmp_path / "A-fork.jsonl")
    assert event_lines(alone.traces[0]) == ["llm_call main"]


def test_a_branch_without_its_origin_counts_only_its_own_lines(tmp_path, imported):
    first = [row | {"uuid": f"n{row['uuid']}", "forkedFrom": {"sessionId": "S0"}} for row in files.session()]
    more = [files.told("f1", 20, "And the next?"), files.said("f2", 22, "msgF", files.words("Across"))]
    trace = imported(files.lines(tmp_path / "S1.jsonl", [*first, *more]), "claude-code")
    assert event_lines(trace) == ["llm_call main"]
    assert f"lines copied from another run or thread: {len(first)}" in trace["provenance"]["lossy"]


def test_lines_of_one_time_are_in_the_order_of_causes(tmp_path, imported):
    same = {"timestamp": files.at(1)}
    files.lines(tmp_path / "S1/subagents/agent-k1.jsonl", [row | same for row in files.scout()])
    trace = imported(files.lines(tmp_path / "S1.jsonl", [row | same for row in files.session()]), "claude-code")
    lines = event_lines(trace)
    assert lines.index("spawn main to k1") < lines.index("llm_call k1")
    assert [line for line in lines if "k1" in line][-1] == "return k1 to main"
    assert lines[-3:] == ["return k1 to main", "llm_call main", "aggregate? main"]


@pytest.mark.parametrize("end", [12, None])
def test_the_call_of_a_workflow_started_its_agents(tmp_path, imported, end):
    begun = {"isAsync": True, "status": "async_launched", "runId": "wf_1", "taskId": "task_1"}
    rows = [files.told("u1", 0, "Go"), files.said("a1", 1, "msg1", files.use("t1", "Workflow", scriptPath="x.js")),
            files.told("u2", 2, files.answer("t1", "launched"), toolUseResult=begun),
            files.said("a2", 3, "msg2", files.words("Waiting."))]  # fmt: skip
    if end:
        rows += [notice(end, agent="task_1"), files.said("a9", 14, "msg9", files.words("done"))]
    files.lines(tmp_path / "S1/subagents/workflows/wf_1/agent-k1.jsonl", files.scout())
    trace = imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code")
    (spawn,) = events_of(trace, "spawn")
    assert (spawn["source"], spawn["t"], "inferred" in spawn) == ("t1", 3.5, False)
    assert not any("which call" in what for what in trace["provenance"]["lossy"])
    assert answers(trace) | NONE | {"undelivered": [] if end else ["k1"]} == answers(trace)
    assert answers(trace)["calls"] == 2


def test_a_child_that_inherits_the_history_begins_after_it(tmp_path, imported):
    inherited = [row | {"isSidechain": True, "agentId": "k1"} for row in (files.told("u1", 0, "Go"), start())]
    trace = imported(background(tmp_path, notice(12), child=[*inherited, *files.scout()]), "claude-code")
    assert [e["agent"] for e in events_of(trace, "llm_call")] == ["main", "k1", "k1"]
    assert "lines copied from another run or thread: 2" in trace["provenance"]["lossy"]


def test_the_call_that_shortened_the_history_counts_once(tmp_path, imported):
    files.lines(tmp_path / "S1/subagents/agent-acompact-1.jsonl",
                [*files.session()[:3], files.said("c1", 16, "msgS", files.words("summary"), isSidechain=True)])  # fmt: skip
    rows = [*files.session(), files.told("u8", 17, "This session is being continued", isCompactSummary=True)]
    trace = imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code")
    assert [e.get("purpose") for e in events_of(trace, "llm_call")] == [None, None, "compaction"]
    assert events_of(trace, "human_intervention") == []


def test_two_sessions_in_one_file_are_two_traces(tmp_path):
    other = [json.loads(json.dumps(row).replace('"S1"', '"S2"')) for row in files.session()]
    (result,) = import_path(files.lines(tmp_path / "both.jsonl", [*files.session(), *other]))
    assert [trace["trace_id"] for trace in result.traces] == ["S1", "S2"]
    assert event_lines(result.traces[0]) == event_lines(result.traces[1])


def test_a_question_to_a_person_is_waiting_for_a_person(tmp_path, imported):
    rows = [files.told("u1", 0, "Go"), files.said("a1", 1, "msg1", files.use("t1", "AskUserQuestion")),
            files.told("u2", 9, files.answer("t1", "yes"))]  # fmt: skip
    (wait,) = events_of(imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code"), "human_intervention")
    assert (wait["t"], wait["t_end"], wait["agent"], wait["from"]) == (1, 9, "main", "user")
