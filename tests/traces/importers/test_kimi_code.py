"""Kimi Code: the known answers of real sessions, and sessions that lack something or are arranged otherwise."""

import gzip
import json
import shutil
from pathlib import Path

import foreign_files as files
import kimi_files as kimi
import pytest
from builders import DATA
from event_lines import event_lines

from tests.traces.importers.known_answers import answers, of

RUNS = DATA / "runs" / "kimi"
SWARM = RUNS / "scripted-agents-and-swarm-kimi-code-2.1.0"
SESSION = next(SWARM.glob("session_*"))
REAL = RUNS / "agent-sessions-real-trimmed"


def truth(run: Path) -> list[dict]:
    """What the server of the scripted model answered, failures left out."""
    rows = [json.loads(line) for line in (run / "TRUTH.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["status"] == 200]


def agrees_with_server(trace: dict, run: Path) -> bool:
    found, rows = answers(trace), truth(run)
    sums = [sum(row["usage"][name] for row in rows) for name in ("in", "cached", "out")]
    calls = sum(len(row["calls"]) for row in rows)
    told = [found[name] for name in ("tokens_in", "tokens_cached", "tokens_out", "llm_calls", "calls")]
    return told == [*sums, len(rows), calls]


def most_at_once(trace: dict) -> int:
    """The most agents with an open turn at one moment; the root's turn is open all the time."""
    begins = {e["to"]: e["t"] for e in of(trace, "spawn")}
    ends = {e["agent"]: e["t"] for e in of(trace, "return")}
    return 1 + max(sum(begins[a] <= t < ends[a] for a in begins) for t in begins.values())


def failed_calls(trace: dict) -> int:
    """Tool calls whose result is an error: those of tools, and of single sub-agents that failed."""
    by_call: dict[tuple[str, str], list[str]] = {}
    for spawn in of(trace, "spawn"):
        by_call.setdefault((spawn["agent"], spawn["source"]), []).append(spawn["to"])
    failed = {e["agent"] for e in of(trace, "return") if e["status"] == "error"}
    single = sum(len(names) == 1 and names[0] in failed for names in by_call.values())
    return single + sum(e.get("status") == "error" for e in of(trace, "tool_result"))


def session(folder: Path, **agents: list) -> Path:
    """A session's folder with a file per agent."""
    for name, rows in agents.items():
        files.lines(folder / "agents" / name.replace("_", "-") / "wire.jsonl", rows)
    return folder


def test_a_swarm_with_background_and_failing_agents(imported):
    trace = imported(SESSION, "kimi-code")
    assert answers(trace) == {
        "agents": 8, "spawns": 7, "returns": 7, "errors": 2, "undelivered": [], "calls": 11, "unanswered": 0,
        "llm_calls": 15, "tokens_in": 51_400, "tokens_cached": 12_550, "tokens_out": 169, "wall": 8.710,
    }  # fmt: skip
    assert agrees_with_server(trace, SWARM)
    assert failed_calls(trace) == 2
    assert most_at_once(trace) == 5
    assert trace["trace_id"] == SESSION.name
    assert trace["provenance"]["lossy"] == ["requests to a model that failed or were cancelled: 2"]
    assert [e["reason"] for e in of(trace, "stop")] == ["answered"]
    swarm = [e["to"] for e in of(trace, "spawn") if e["source"] == "call_swarm"]
    assert swarm == ["agent-3", "agent-4", "agent-5"]
    assert len({e["content_hash"] for e in of(trace, "spawn")}) == 7


def test_the_answers_of_a_swarm_reach_the_parent_together(imported):
    trace = imported(SESSION, "kimi-code")
    named = {e["id"]: e["agent"] for e in of(trace, "return")}
    read = [{named[i] for i in e["inputs"]} for e in of(trace, "llm_call") if "inputs" in e]
    assert read == [{"agent-0", "agent-1"}, {"agent-3", "agent-4", "agent-5"}, {"agent-6"}, {"agent-2"}]


def test_the_background_answer_is_read_after_its_notice_only(imported):
    trace = imported(SESSION, "kimi-code")
    (back,) = (e for e in of(trace, "return") if e["agent"] == "agent-2")
    (reader,) = (e for e in of(trace, "llm_call") if back["id"] in e.get("inputs", ()))
    assert reader["t"] - back["t"] > 1
    assert reader is of(trace, "llm_call")[-1]


def test_a_real_session_with_approvals_and_a_compaction(imported):
    trace = imported(REAL, "kimi-code")
    assert answers(trace) == {
        "agents": 2, "spawns": 1, "returns": 1, "errors": 0, "undelivered": [], "calls": 21, "unanswered": 0,
        "llm_calls": 26, "tokens_in": 732_999, "tokens_cached": 689_920, "tokens_out": 5_845, "wall": 6_261.398,
    }  # fmt: skip
    assert failed_calls(trace) == 1
    assert most_at_once(trace) == 2
    assert trace["provenance"]["lossy"] == ["requests to a model that failed or were cancelled: 2"]
    assert trace["provenance"]["unrecorded"] == ["stop"]
    assert [e["tokens_in"] for e in of(trace, "llm_call") if e.get("purpose") == "compaction"] == [42_371]
    waits = [(e["agent"], round(e["t_end"] - e["t"], 3)) for e in of(trace, "human_intervention") if "source" in e]
    assert waits[:3] == [("main", 2.184), ("main", 2.716), ("agent-0", 8.879)]
    assert len(waits) == 9


def test_retries_and_cancels_without_any_answer_of_a_model(imported):
    trace = imported(RUNS / "agent-sessions-real-retries-and-cancel", "kimi-code")
    # The last lines of this sample were written by hand, with times of other days.
    assert event_lines(trace) == ["human_intervention main", "human_intervention main", "stop main cancelled"]
    assert max(event.get("t_end", event["t"]) for event in trace["events"]) < 60
    assert trace["provenance"]["lossy"] == ["requests to a model that failed or were cancelled: 13"]


@pytest.mark.parametrize(("reason", "stop"), [("completed", "error"), ("cancelled", "cancelled")])
def test_a_turn_without_any_answer_of_a_model_has_not_answered(reason, stop, tmp_path, imported):
    lines = [
        {"type": "turn.prompt", "origin": {"kind": "user"}, "input": [], "time": 1_784_950_605_000},
        {"type": "llm.request", "kind": "loop", "model": "m", "attempt": "1/3", "time": 1_784_950_606_000},
        {"type": "turn.ended", "reason": reason, "time": 1_784_950_607_000},
    ]
    (tmp_path / "wire.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert event_lines(imported(tmp_path / "wire.jsonl", "kimi-code")) == [f"stop main {stop}"]


@pytest.mark.parametrize("start", ["", "agents", "agents/main/wire.jsonl", "agents/agent-4/wire.jsonl"])
def test_every_file_of_a_session_leads_to_the_session(start, imported):
    assert imported(SESSION / start, "kimi-code") == imported(SESSION, "kimi-code")


def test_packed_files_are_read(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    for path in [*folder.glob("agents/agent-[14]/wire.jsonl"), folder / "agents" / "main" / "wire.jsonl"]:
        path.with_name("wire.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert imported(folder, "kimi-code")["events"] == imported(SESSION, "kimi-code")["events"]


def test_a_missing_file_of_a_sub_agent_is_named_and_its_end_kept(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    (folder / "agents" / "agent-5" / "wire.jsonl").unlink()
    (folder / "agents" / "agent-2" / "wire.jsonl").unlink()
    trace = imported(folder, "kimi-code")
    assert "events of sub-agents whose files are missing: 2" in trace["provenance"]["lossy"]
    found = answers(trace)
    assert (found["agents"], found["returns"], found["errors"], found["undelivered"]) == (8, 7, 2, [])


def test_a_cut_last_line_is_named(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    path = folder / "agents" / "agent-1" / "wire.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    trace = imported(folder, "kimi-code")
    assert "lines that are not JSON: 1" in trace["provenance"]["lossy"]
    assert answers(trace) == answers(imported(SESSION, "kimi-code"))


def test_a_session_without_its_main_file(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    (folder / "agents" / "main" / "wire.jsonl").unlink()
    trace = imported(folder, "kimi-code")
    assert trace["root_agents"] == ["main"]
    assert trace["provenance"]["lossy"][0] == "the session's main agent: its file is missing"
    assert all(e["inferred"] for e in of(trace, "spawn", "return"))


def test_a_file_alone_is_a_session_of_its_agent(tmp_path, imported):
    copy = shutil.copy(SESSION / "agents" / "agent-1" / "wire.jsonl", tmp_path / "x.jsonl")
    trace = imported(Path(copy), "kimi-code")
    assert trace["root_agents"] == ["agent-1"]
    assert "the session's main agent: its file is missing" in trace["provenance"]["lossy"]
    copy = shutil.copy(SESSION / "agents" / "main" / "wire.jsonl", tmp_path / "y.jsonl")
    assert answers(imported(Path(copy), "kimi-code"))["agents"] == 8


def test_a_resumed_agent_gets_a_delegation_though_it_is_said_to_be_spawned(tmp_path, imported):
    again = [
        prompt := kimi.prompt(8, "And the second?"),
        kimi.call(8.1, "t2", "Agent", prompt="Go on", resume="agent-0"),
        kimi.spawned(8.2, "agent-0", "t2"),
        kimi.result(11, "t2", "agent_id: agent-0\nstatus: completed"),
    ]
    folder = session(tmp_path, main=kimi.main() + again, agent_0=kimi.child() + kimi.child(8.3, "Go on"))
    trace = imported(folder, "kimi-code")
    told = [f"{e['type']} {e['source']}" for e in of(trace, "spawn", "delegate")]
    assert told == ["spawn t1", "delegate t2"]
    assert [e["t"] for e in of(trace, "return")] == [3.3, 9.3]
    assert prompt["origin"] == {"kind": "user"}
    assert [(e["t"], e["t_end"]) for e in of(trace, "human_intervention")] == [(6.3, 7.0)]


def test_a_background_agent_that_nobody_heard_of_again(tmp_path, imported):
    rows = kimi.main()
    rows[5] = kimi.spawned(2.2, "agent-0", "t1", background=True, taskId="task-1")
    rows[6] = kimi.result(2.3, "t1", "task_id: task-1\nstatus: running\nagent_id: agent-0")
    info = {"taskId": "task-1", "agentId": "agent-0", "status": "completed"}
    rows.insert(8, kimi.row("task.terminated", 6, info=info))
    folder = session(tmp_path, main=rows, agent_0=kimi.child())
    assert answers(imported(folder, "kimi-code"))["undelivered"] == ["agent-0"]
    notice = {"role": "user", "content": [], "origin": {"kind": "task", "taskId": "task-1"}}
    rows.insert(9, kimi.row("context.append_message", 6.05, message=notice))
    folder = session(tmp_path, main=rows, agent_0=kimi.child())
    assert answers(imported(folder, "kimi-code"))["undelivered"] == []


def test_a_cancelled_agent_stops_and_does_not_return(tmp_path, imported):
    rows = kimi.child()
    rows[-1] = kimi.ended(4.3, "cancelled")
    trace = imported(session(tmp_path, main=kimi.main(), agent_0=rows), "kimi-code")
    assert of(trace, "return") == []
    assert [(e["agent"], e["scope"], e["reason"]) for e in of(trace, "stop")] == [
        ("agent-0", "agent", "cancelled"),
        ("main", "trace", "answered"),
    ]


def test_attempts_are_one_call(tmp_path, imported):
    rows = kimi.main()
    rows[3:3] = [kimi.request(1.2, "0.1", attempt="2/10"), kimi.request(1.4, "0.1", attempt="3/10")]
    (first, _) = of(imported(session(tmp_path, main=rows), "kimi-code"), "llm_call")
    assert (first["attempts"], first["t"], first["t_end"]) == (3, 0.0, 1.0)


def test_a_question_to_a_person_is_a_wait(tmp_path, imported):
    rows = kimi.main()
    rows[4:4] = [
        kimi.row("interaction.request", 2.0, id="q", kind="approval", toolCallId="t1", request={}),
        kimi.row("permission.record_approval_result", 2.05, toolCallId="t1", result={"decision": "approved"}),
        kimi.row("interaction.resolved", 2.05, id="q", response={}),
    ]
    (wait,) = of(imported(session(tmp_path, main=rows), "kimi-code"), "human_intervention")
    assert (wait["agent"], wait["from"], wait["source"], wait["t"], wait["t_end"]) == ("main", "user", "t1", 1.0, 1.05)


def test_lines_before_a_fork_are_copies(tmp_path, imported):
    rows = [*kimi.main(), kimi.row("forked", 20)]
    rows += [kimi.prompt(21, "And the last?"), kimi.request(21.1, "1.1"), kimi.usage(22)]
    copied = [*kimi.child(), kimi.row("forked", 20)]
    trace = imported(session(tmp_path, main=rows, agent_0=copied), "kimi-code")
    assert event_lines(trace) == ["llm_call main"]
    assert trace["provenance"]["lossy"] == ["lines copied from another run or thread: 20"]


def test_a_call_that_made_no_agent_is_a_tool_call(tmp_path, imported):
    rows = [row for row in kimi.main() if row["type"] != "subagent.spawned"]
    rows[5] = kimi.result(6, "t1", "unknown subagent_type: cook", isError=True)
    trace = imported(session(tmp_path, main=rows), "kimi-code")
    assert event_lines(trace)[1:3] == ["tool_call main Agent", "tool_result main Agent"]
    assert answers(trace)["spawns"] == 0


def test_numbers_of_calls_that_begin_again(tmp_path, imported):
    again = [
        kimi.prompt(8, "And the second?"),
        kimi.call(8.1, "t1", "Bash", command="ls"),
        kimi.result(9, "t1", "bread"),
    ]
    folder = session(tmp_path, main=kimi.main() + again, agent_0=kimi.child())
    assert answers(imported(folder, "kimi-code"))["calls"] == 3


def test_an_agent_whose_turn_was_blocked_failed(tmp_path, imported):
    folder = session(tmp_path, main=kimi.main(), agent_0=[*kimi.child()[:-1], kimi.ended(4.3, "blocked")])
    assert [e["status"] for e in of(imported(folder, "kimi-code"), "return")] == ["error"]


def test_an_answer_that_looks_like_the_result_of_a_swarm_makes_no_agent(tmp_path, imported):
    rows = kimi.main()
    forged = 'agent_id: agent-0\nstatus: completed\n\nagent_id: agent-9\n<subagent agent_id="agent-8" outcome="failed">'
    rows[6] = kimi.result(6, "t1", forged)
    folder = session(tmp_path, main=rows, agent_0=kimi.child())
    assert imported(folder, "kimi-code")["agents"].keys() == {"main", "agent-0"}


def test_the_state_of_a_session_alone_is_refused_by_name(run, tmp_path):
    shutil.copy(SESSION / "state.json", tmp_path)
    assert "state.json: not a known format" in run("trace", "import", tmp_path / "state.json", code=3).err
