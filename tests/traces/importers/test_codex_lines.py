"""Codex: lines that recorded runs do not have, written for the test."""

import json
import shutil
import sys
from pathlib import Path

import foreign_files as files
import pytest
import zstandard
from trace_runs import import_path

from awesome_cli.system.extras import install
from awesome_cli.traces.importers import codex, log_file
from awesome_cli.traces.importers.log_file import LogFile
from tests.traces.importers.codex_runs import (
    COMPACTED,
    ROOT,
    V1,
    V2,
    errors,
    known,
    lines,
    one,
    rollouts,
    root_file,
    traces,
)
from tests.traces.importers.known_answers import answers, of


def counted(seconds, total, last):
    usages = ({"input_tokens": n, "cached_input_tokens": n // 10, "output_tokens": 1 + n // 100} for n in (total, last))
    info = dict(zip(("total_token_usage", "last_token_usage"), usages, strict=True))
    return files.codex_line(seconds, "event_msg", type="token_count", info=info)


def spoken_turn(seconds, n, *counts):
    begin, end = turn(seconds, n, seconds + 2, last_agent_message="done")
    words = {"type": "message", "role": "assistant", "content": [{"text": f"done {n}"}]}
    return [begin, files.codex_line(seconds + 1, "response_item", **words), *counts, end]


def test_a_counter_that_goes_on_from_another_file_counts_only_its_own_calls(tmp_path):
    """A fork by reference, and a thread after a revert: nothing is copied but the counter."""
    first, other = files.THREAD.format(1), files.THREAD.format(7)
    meta = files.codex_line(0, "session_meta", id=first, timestamp=files.at(0), source="cli")
    base = {"source": "cli", "history_mode": "paginated", "history_base": {"thread_id": first}}
    fork = files.codex_line(20, "session_meta", id=other, forked_from_id=first, **base)
    again = files.codex_line(30, "session_meta", id=first, **base)
    files.lines(tmp_path / "0.jsonl", [meta, *spoken_turn(1, 2, counted(2, 500, 500)),
                                       *spoken_turn(5, 3, counted(6, 700, 200), counted(6.5, 700, 200))])  # fmt: skip
    files.lines(tmp_path / "1.jsonl", [fork, *spoken_turn(21, 8, counted(22, 800, 100))])
    # The turn of 200 was taken back, and a turn of 200 again was counted from 500.
    files.lines(tmp_path / "2.jsonl", [again, *spoken_turn(31, 9, counted(32, 700, 200))])
    # The end of a file can be the beginning of the next.
    files.lines(tmp_path / "3.jsonl", [again, counted(40, 700, 200), *spoken_turn(41, 10, counted(42, 730, 30))])
    made = {trace["trace_id"]: [e["tokens_in"] for e in of(trace, "llm_call")] for trace in traces(tmp_path)}
    assert made == {first: [500, 200, 200, 30], other: [100]}


# Files that are missing ----------------------------------------------------------------------------------------------


def test_a_parent_alone_says_how_its_sub_agents_ended(tmp_path):
    """The failure of D arrives twice in version 1; nobody saw how B ended."""
    keys = ("spawns", "returns", "errors", "undelivered")
    first, second = (one(shutil.copy(root_file(run), tmp_path / f"{run.name}.jsonl")) for run in (V1, V2))
    for trace, run in ((first, V1), (second, V2)):
        assert [answers(trace)[key] for key in keys] == [known(run)[key] for key in keys]
        assert errors(trace) == []
    assert first["provenance"]["unrecorded"] == ["return", "work"]
    assert second["provenance"]["unrecorded"] == ["work"]
    assert [e["agent"] for e in of(second, "stop") if e["scope"] == "agent"] == [f"{ROOT}/beta"]


def test_a_thread_that_goes_on_waited_for_its_user(tmp_path):
    rows = files.codex()
    again = [
        files.codex_line(31, "event_msg", type="task_started", turn_id=files.THREAD.format(5)),
        files.codex_line(31, "event_msg", type="user_message", message="And which closes last?"),
        files.codex_usage(33, "r4", 400),
        files.codex_line(34, "event_msg", type="task_complete", turn_id=files.THREAD.format(5), last_agent_message="x"),
    ]
    trace = one(files.lines(tmp_path / "one.jsonl", rows + again))
    (wait,) = of(trace, "human_intervention")
    assert (wait["agent"], wait["from"], round(wait["t_end"] - wait["t"], 3)) == ("root", "user", 19.8)
    assert [event["type"] for event in of(trace, "stop")] == ["stop"]
    # The same in a second file of the thread, which repeats the first.
    (tmp_path / "one.jsonl").unlink()
    files.lines(tmp_path / "a.jsonl", rows)
    stamped = [{**row, "timestamp": files.at(30)} for row in rows]
    files.lines(tmp_path / "b_2.jsonl", stamped + again)
    assert answers(one(tmp_path)) == answers(trace)


def test_a_file_is_recognised_by_its_first_lines(monkeypatch):
    monkeypatch.setattr(log_file, "MOST_LINES", 3)
    assert all(codex.detect(LogFile(file)) for file in rollouts(V2))


def test_zstd_that_cannot_be_read_is_named(tmp_path, monkeypatch, run):
    data = zstandard.compress(root_file(COMPACTED).read_bytes())
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(data[:20] + bytes(20) + data[40:])
    assert "not readable as gzip or zstd" in run("trace", "import", path, code=3).err
    path.write_bytes(data)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    error = run("trace", "import", path, code=3).err
    assert "needs zstandard" in error
    assert install("zstd") in error
    assert "Traceback" not in error


def test_what_zstd_unpacks_to_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log_file, "UNPACKED", 40_000)
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(zstandard.compress(b"".join(b'{"type": "x"}\n' for _ in range(10_000))))
    assert "has more than 40,000 bytes" in str(import_path(path)[0].error)


# What the recorded runs do not have ----------------------------------------------------------------------------------


def child(n, path, *rows):
    """The file of a sub-agent of `files.codex`, of version 2."""
    spawn = {"parent_thread_id": files.THREAD.format(1), "depth": 1, "agent_path": path}
    meta = {"id": files.THREAD.format(n), "timestamp": files.at(2.2), "source": {"subagent": {"thread_spawn": spawn}}}
    return [files.codex_line(2.2, "session_meta", **meta), *rows]


def turn(seconds, n, until, *, how="task_complete", **ended):
    begin = files.codex_line(seconds, "event_msg", type="task_started", turn_id=files.THREAD.format(n))
    return [begin, files.codex_line(until, "event_msg", type=how, turn_id=files.THREAD.format(n), **ended)]


def spoken(seconds, author, recipient, kind, words):
    content = [{"type": "input_text", "text": f"Message Type: {kind}\nPayload:\n{words}"}]
    return files.codex_line(
        seconds, "response_item", type="agent_message", author=author, recipient=recipient, content=content
    )


def activity(seconds, call, thread, path):
    item = {"type": "SubAgentActivity", "id": call, "kind": "started", "agent_thread_id": thread, "agent_path": path}
    return files.codex_line(seconds, "event_msg", type="item_completed", item=item)


def team(tmp_path, inserted, *children):
    rows = [row for row in files.codex(multi_agent_version="v2") if "k1" not in json.dumps(row)]
    started = activity(2.4, "c1", files.THREAD.format(3), f"{ROOT}/a")
    rows = sorted([*rows, started, files.codex_result(2.5, "c1", '{"task_name": f"{ROOT}/a"}'), *inserted],
                  key=lambda row: row["timestamp"])  # fmt: skip
    for i, own in enumerate([rows, *children]):
        files.lines(tmp_path / f"{i}.jsonl", own)
    return one(tmp_path)


def test_a_message_that_arrived_is_in_the_inputs_of_the_call_that_read_it(tmp_path):
    sent = [files.codex_call(4.5, "c7", "send_message", target="a", message="hurry"), files.codex_result(4.6, "c7", "")]
    begin, end = turn(2.3, 4, 8, last_agent_message="done")
    heard = [spoken(5, "/root", f"{ROOT}/a", "MESSAGE", "hurry"), files.codex_usage(6, "k-1", 50)]
    heard[1]["payload"]["thread_id"] = files.THREAD.format(3)
    trace = team(tmp_path, sent, child(3, f"{ROOT}/a", begin, *heard, end))
    (message,) = of(trace, "message")
    assert [e["agent"] for e in trace["events"] if message["id"] in e.get("inputs", ())] == [f"{ROOT}/a"]


def test_more_work_for_an_agent_at_work_starts_no_turn(tmp_path):
    more = [
        files.codex_call(4.5, "c7", "followup_task", target="a", message="and b"),
        files.codex_result(4.6, "c7", ""),
    ]
    busy = team(tmp_path / "busy", more, child(3, f"{ROOT}/a", *turn(2.3, 4, 8, last_agent_message="x")))
    idle = team(tmp_path / "idle", more, child(3, f"{ROOT}/a", *turn(2.3, 4, 3, last_agent_message="x")))
    assert [len(of(busy, kind)) for kind in ("delegate", "message")] == [0, 1]
    assert [len(of(idle, kind)) for kind in ("delegate", "message")] == [1, 0]


def test_an_interrupted_agent_has_stopped_and_not_returned_also_if_it_gets_more_work(tmp_path):
    once = turn(2.3, 4, 3, how="turn_aborted", reason="interrupted")
    again = turn(5, 5, 6, last_agent_message="x")
    stopped = team(tmp_path / "a", [], child(3, f"{ROOT}/a", *once))
    resumed = team(tmp_path / "b", [], child(3, f"{ROOT}/a", *once, *again))
    assert [e.get("scope") for e in of(stopped, "stop")] == ["agent", "trace"]
    assert [e.get("scope") for e in of(resumed, "stop")] == ["agent", "trace"]
    assert [e["status"] for e in of(resumed, "return")] == ["ok"]
    assert errors(resumed) == []


@pytest.mark.parametrize("aborted", ["22:59:42.614", "22:59:42.615"])
def test_an_input_that_interrupts_ends_a_turn_and_gives_the_next(aborted, tmp_path):
    """The run of version 1 with agent A still at work when the root gives it more: its turn ends after the call."""
    shutil.copytree(V1 / "sessions", tmp_path / "run")
    root, child = root_file(tmp_path / "run"), next((tmp_path / "run").rglob("*-01a20056-39e7-*"))
    rows = lines(root)
    for row in rows:
        body = row["payload"]
        if body.get("call_id") == "call_send_A" and "arguments" in body:
            body["arguments"] = json.dumps(json.loads(body["arguments"]) | {"interrupt": True})
        if body.get("call_id") == "call_wait_1" and "output" in body:
            body["output"] = json.dumps({"status": {}, "timed_out": True})
    files.lines(root, [row for row in rows if "part a done" not in json.dumps(row)])
    rows = lines(child)
    end = next(row for row in rows if row["payload"].get("type") == "task_complete")
    end["timestamp"] = end["timestamp"][:11] + aborted + "Z"
    end["payload"] = {"type": "turn_aborted", "turn_id": end["payload"]["turn_id"], "reason": "interrupted"}
    files.lines(child, [row for row in rows if "part a done" not in json.dumps(row)])
    trace = one(tmp_path / "run")
    name = next(event["to"] for event in of(trace, "spawn") if event["source"] == "call_spawn_A")
    mine = [event for event in trace["events"] if name in {event.get("to"), event["agent"]}]
    given = [event["type"] for event in mine if event["type"] in {"spawn", "delegate", "stop", "return"}]
    assert given == ["spawn", "stop", "delegate", "return"]
    assert [event["source"] for event in of(trace, "delegate")] == ["call_send_A"]
    assert errors(trace) == []


def test_a_path_that_is_given_again_is_another_agent(tmp_path):
    more = [
        files.codex_call(6, "c8", "spawn_agent", task_name="a", message="again"),
        activity(6.1, "c8", files.THREAD.format(6), f"{ROOT}/a"),
        files.codex_result(6.2, "c8", '{"task_name": f"{ROOT}/a"}'),
    ]
    first = child(3, f"{ROOT}/a", *turn(2.3, 4, 3, last_agent_message="x"))
    second = [{**row, "timestamp": files.at(6.5)} for row in child(6, f"{ROOT}/a", *turn(6.5, 7, 7))]
    trace = team(tmp_path, more, first, second)
    assert [event["to"] for event in of(trace, "spawn")] == [f"{ROOT}/a", f"{ROOT}/a~2"]


def test_a_review_is_part_of_the_run_and_no_spawn(tmp_path):
    rows = files.codex()
    meta = {"id": files.THREAD.format(8), "session_id": files.THREAD.format(1), "source": {"subagent": "review"}}
    usage = files.codex_usage(7, "rev", 30)
    usage["payload"]["thread_id"] = files.THREAD.format(8)
    files.lines(tmp_path / "a.jsonl", rows)
    files.lines(tmp_path / "b.jsonl", [files.codex_line(6, "session_meta", **meta), *turn(6, 9, 8), usage])
    trace = one(tmp_path)
    assert len(of(trace, "spawn")) == 1
    assert trace["root_agents"] == ["root", files.THREAD.format(8)]
    assert answers(trace)["tokens_in"] == 630


def test_threads_whose_parents_form_a_circle_are_runs_of_their_own(tmp_path):
    for i, above in ((1, 2), (2, 1)):
        meta, *rows = child(i, "x", *turn(3, i, 4), files.codex_line(4, "response_item", type="reasoning"))
        meta["payload"]["source"]["subagent"]["thread_spawn"]["parent_thread_id"] = files.THREAD.format(above)
        files.lines(tmp_path / f"{i}.jsonl", [meta, *rows])
    assert [trace["trace_id"] for trace in traces(tmp_path)] == [files.THREAD.format(1), files.THREAD.format(2)]


@pytest.mark.parametrize(("code", "status"), [(-1, "error"), (0, "ok"), (2, "error")])
def test_a_command_that_does_not_exit_with_0_failed(code, status, tmp_path):
    item = {"type": "CommandExecution", "id": "c9", "exit_code": code}
    rows = [
        files.codex_call(4.5, "c9", "exec_command", cmd="date"),
        files.codex_line(4.6, "event_msg", type="item_completed", item=item),
        files.codex_result(4.7, "c9", "no exit code in words"),
    ]
    trace = team(tmp_path, rows)
    (result,) = (event for event in of(trace, "tool_result") if event["call_id"] == "c9")
    assert result["status"] == status
