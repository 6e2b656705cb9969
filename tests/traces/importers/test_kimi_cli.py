"""kimi-cli: the known answers of a real session, and sessions that lack something or are of other versions."""

import gzip
import shutil

import foreign_files as files
import kimi_files as kimi
import pytest
from event_lines import event_lines
from test_kimi_code import RUNS, agrees_with_server, failed_calls, most_at_once

from awesome_cli.traces.importers.foreign import content_hash
from tests.traces.importers.known_answers import answers, of

RUN = RUNS / "scripted-legacy-kimi-cli-1.49.0"
SESSION = next(path.parent for path in RUN.glob("*/wire.jsonl"))
CHILD = "a9d7f818b"


def test_foreground_and_background_agents_are_read_once(imported):
    trace = imported(SESSION, "kimi-cli")
    found = answers(trace)
    assert found.pop("wall") == pytest.approx(9.403, abs=0.001)
    assert found == {
        "agents": 5, "spawns": 4, "returns": 4, "errors": 1, "undelivered": [], "calls": 9, "unanswered": 0,
        "llm_calls": 14, "tokens_in": 39_900, "tokens_cached": 13_950, "tokens_out": 159,
    }  # fmt: skip
    assert agrees_with_server(trace, RUN)
    assert failed_calls(trace) == 2
    assert most_at_once(trace) == 3
    assert trace["trace_id"] == SESSION.name
    assert trace["provenance"]["lossy"] == ["further turns that the program itself asked a sub-agent for: 3"]
    assert [e["reason"] for e in of(trace, "stop")] == ["answered"]


@pytest.mark.parametrize("start", ["", "wire.jsonl", "subagents", f"subagents/{CHILD}/wire.jsonl"])
def test_every_file_of_a_session_leads_to_the_session(start, imported):
    assert imported(SESSION / start, "kimi-cli") == imported(SESSION, "kimi-cli")


@pytest.mark.parametrize("name", ["kimi-cli-recent-protocol-1.10", "kimi-cli-with-tool-calls"])
def test_sessions_of_one_agent(name, imported):
    trace = imported(RUNS / name, "kimi-cli")
    assert trace["root_agents"] == ["main"]
    assert "stop" in trace["provenance"]["unrecorded"]
    found = answers(trace)
    assert (found["llm_calls"], found["calls"]) == (1, "tool" in name)
    assert found["tokens_in"] == (10 if "tool" in name else 0)
    assert ("usage" in trace["provenance"]["unrecorded"]) == ("tool" not in name)


def test_packed_files_are_read(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    for path in (folder / "wire.jsonl", folder / "subagents" / CHILD / "wire.jsonl"):
        path.with_name("wire.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert imported(folder, "kimi-cli")["events"] == imported(SESSION, "kimi-cli")["events"]


def test_a_missing_file_is_made_up_for_by_the_lines_that_repeat_it(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    (folder / "subagents" / CHILD / "wire.jsonl").unlink()
    trace = imported(folder, "kimi-cli")
    assert "sub-agents whose files are missing: read from the lines that repeat them: 1" in trace["provenance"]["lossy"]
    assert answers(trace) == answers(imported(SESSION, "kimi-cli"))


def test_a_missing_file_of_a_background_agent_is_named(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    (folder / "subagents" / "ad8545494" / "wire.jsonl").unlink()
    trace = imported(folder, "kimi-cli")
    assert "events of sub-agents whose files are missing: 1" in trace["provenance"]["lossy"]
    assert answers(trace)["spawns"] == 4
    # The notice in the session's file says when it ended.
    assert [e["agent"] for e in of(trace, "return") if e.get("inferred")] == ["ad8545494"]
    assert (answers(trace)["returns"], answers(trace)["undelivered"]) == (4, [])
    assert trace["provenance"]["unrecorded"] == ["work"]


def test_a_cut_last_line_is_named(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    path = folder / "wire.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    trace = imported(folder, "kimi-cli")
    assert "lines that are not JSON: 1" in trace["provenance"]["lossy"]
    assert (of(trace, "stop"), trace["provenance"]["unrecorded"]) == ([], ["stop"])


def test_a_session_without_its_own_file(tmp_path, imported):
    folder = shutil.copytree(SESSION, tmp_path / SESSION.name)
    (folder / "wire.jsonl").unlink()
    trace = imported(folder, "kimi-cli")
    assert trace["root_agents"] == ["main"]
    assert "the session's main agent: its file is missing" in trace["provenance"]["lossy"]
    assert answers(trace)["agents"] == 5


def test_repeated_lines_that_do_not_name_the_agent(tmp_path, imported):
    trace = imported(files.lines(tmp_path / "wire.jsonl", kimi.old_cli()), "kimi-cli")
    assert event_lines(trace) == [
        "llm_call main",
        "spawn main to agent-t1",
        "human_intervention main",
        "llm_call agent-t1",
        "tool_call agent-t1 Shell",
        "tool_result agent-t1 Shell",
        "return agent-t1 to main",
        "llm_call main",
        "aggregate? main",
        "stop main answered",
    ]
    (spawn,) = of(trace, "spawn")
    assert spawn["content_hash"] == content_hash("Find the bakery")
    (wait,) = of(trace, "human_intervention")
    assert (wait["source"], round(wait["t_end"] - wait["t"], 3)) == ("t1", 1.0)


def test_a_nested_or_unnamed_repeated_line_is_no_agent_of_its_own(tmp_path, imported):
    inner = kimi.mirrored(kimi.cli_child()[0], agent_id="b")
    path = files.lines(tmp_path / "wire.jsonl", kimi.cli(kimi.mirrored(inner, agent_id="a")))
    assert imported(path, "kimi-cli")["agents"].keys() == {"main", "a"}
