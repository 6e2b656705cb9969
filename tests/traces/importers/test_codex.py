"""Rollouts of Codex: the known answers of recorded runs, and the same runs in other files."""

import gzip
import json
import os
import random
import shutil
import sys
from collections import Counter
from pathlib import Path

import foreign_files as files
import pytest
import zstandard

from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.importers import codex, log_file
from awesome_cli.traces.importers.homes import runs_of_program
from awesome_cli.traces.importers.importing import import_path
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.reading import read_document
from tests.builders import DATA
from tests.traces.importers.known_answers import answers, of

RUNS = DATA / "runs" / "codex"
ROOT = "/root"
V1, V2 = RUNS / "multi-agent" / "scripted-v1-cli0.125", RUNS / "multi-agent" / "scripted-v2-cli0.169"
BUNDLED = RUNS / "multi-agent" / "scripted-v2-trace-bundle-cli0.169"
COMPACTED, REAL = (
    RUNS / "single-agent" / "scripted-compaction-cli0.169",
    RUNS / "single-agent" / "localpush-real-cli0.104",
)
KEYS = ("agents", "spawns", "returns", "errors", "undelivered", "calls", "unanswered", "llm_calls")
KNOWN = {
    V1: (6, 5, 5, 1, [], 16, 0, 18, 40_200, 12_100, 232, 9.201),
    V2: (5, 4, 4, 0, [f"{ROOT}/eps"], 21, 0, 21, 46_700, 15_350, 287, 18.944),
    BUNDLED: (5, 4, 4, 0, [f"{ROOT}/eps"], 21, 0, 21, 46_700, 15_350, 287, 18.543),
    COMPACTED: (1, 0, 0, 0, [], 3, 0, 5, 24_100, 3_000, 131, 1.760),
}
# Calls, follow-ups, messages, aborted sub-agents, and most agents with an open turn at one moment.
WORK = {V1: (5, 1, 0, 1, 5), V2: (6, 1, 1, 1, 4), BUNDLED: (6, 1, 1, 1, 4), COMPACTED: (0, 0, 0, 0, 1)}


def traces(path):
    results = import_path(path)
    assert [str(each.error) for each in results if each.error] == []
    return [trace for each in results for trace in each.traces]


def one(path):
    (trace,) = traces(path)
    return trace


def known(path):
    keys = (*KEYS, "tokens_in", "tokens_cached", "tokens_out", "wall")
    return dict(zip(keys, KNOWN[path], strict=True))


def errors(trace):
    """The codes of what a check finds that is no loose end."""
    reading = read_document(trace)
    return [finding.code for finding in check_trace(reading.trace) if not finding.code.startswith("TW103")]


def rollouts(path):
    return sorted(path.rglob("rollout-*"))


def root_file(path):
    return next(file for file in rollouts(path) if "thread_spawn" not in file.read_text().split("\n", 1)[0])


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def open_agents(trace):
    """The most agents that had an open turn at one moment."""
    changes = [(0.0, 1)]
    for event in trace["events"]:
        kind = event["type"]
        changes += [(event["t"], 1)] if kind in {"spawn", "delegate"} else []
        changes += [(event["t"], -1)] if kind == "return" or (kind == "stop" and event.get("scope") == "agent") else []
    now, most = 0, 0
    for _, change in sorted(changes):
        now += change
        most = max(most, now)
    return most


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


@pytest.fixture
def moved(tmp_path):
    """A copy of a run's folder of sessions."""

    def copy(run):
        shutil.copytree(run / "sessions", tmp_path / "sessions")
        return tmp_path / "sessions"

    return copy


@pytest.mark.parametrize("run", KNOWN, ids=lambda run: run.name)
def test_files_of_any_names_on_any_days_packed_or_archived(run, moved):
    folder = moved(run)
    order = rollouts(folder)
    random.Random(7).shuffle(order)
    for i, file in enumerate(order):
        day = folder / "2026" / f"{i % 3 + 10}" / f"{i + 1:02}"
        day.mkdir(parents=True, exist_ok=True)
        data = file.read_bytes()
        file.unlink()
        packed = [data, gzip.compress(data), zstandard.compress(data)][i % 3]
        (day / f"rollout-{i}.jsonl{['', '.gz', '.zst'][i % 3]}").write_bytes(packed)
    assert answers(one(folder)) == known(run)
    folder.rename(folder.with_name("archived_sessions"))
    assert answers(one(folder.with_name("archived_sessions"))) == known(run)


@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_each_file_leads_to_the_whole_run(run, moved):
    for file in rollouts(moved(run)):
        assert answers(one(file)) == known(run)


@pytest.mark.parametrize(("run", "child"), [(V1, "39e7"), (V2, "658f")], ids=["v1", "v2"])
def test_a_sub_agent_without_a_file_is_still_spawned_and_named_as_a_loss(run, child, moved):
    folder = moved(run)
    next(file for file in rollouts(folder) if f"-{child}-" in file.name).unlink()
    trace = one(folder)
    want = known(run)
    assert {key: answers(trace)[key] for key in ("agents", "spawns", "returns", "errors", "undelivered")} == {
        key: want[key] for key in ("agents", "spawns", "returns", "errors", "undelivered")
    }
    assert "events of sub-agents whose files are missing" in trace["provenance"]["lossy"]
    assert answers(trace)["tokens_in"] < want["tokens_in"]


@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_a_session_without_its_own_file_keeps_its_sub_agents(run, moved):
    folder = moved(run)
    root_file(folder).unlink()
    trace = one(folder)
    assert answers(trace)["spawns"] == known(run)["spawns"]
    assert all(event["inferred"] for event in of(trace, "spawn"))
    assert "the session's own file is missing" in trace["provenance"]["lossy"]
    # What the fork copied is known by the times in its ids alone.
    fork = [event["tokens_in"] for event in of(trace, "llm_call") if event["tokens_in"] in {4_000, 4_100}]
    assert fork == [4_000, 4_100]


@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_a_line_that_is_cut_is_named_as_a_loss(run, moved):
    folder = moved(run)
    file = root_file(folder)
    file.write_bytes(file.read_bytes()[:-40])
    trace = one(folder)
    assert "lines that are not JSON: 1" in trace["provenance"]["lossy"]
    assert not [event for event in of(trace, "stop") if event.get("scope") == "trace"]
    assert {**answers(trace), "wall": 0} == {**known(run), "wall": 0}


@pytest.mark.parametrize("run", KNOWN, ids=lambda run: run.name)
def test_a_file_that_is_there_twice_counts_once(run, moved):
    folder = moved(run)
    for file in rollouts(folder):
        shutil.copy(file, file.with_name(f"{file.stem}_copy.jsonl"))
    assert answers(one(folder)) == known(run)


@pytest.mark.parametrize("stale", [0.4, 0.7])
@pytest.mark.parametrize("folder", ["a", "z", "archived_sessions"])
@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_an_old_copy_that_ends_during_a_turn_hides_nothing(run, folder, stale, moved, tmp_path):
    file = root_file(moved(run))
    rows = lines(file)
    (file.parent / folder).mkdir()
    files.lines(file.parent / folder / file.name, rows[: int(len(rows) * stale)])
    assert answers(one(tmp_path)) == known(run)


@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_archived_files_belong_to_the_runs_beside_them(run, moved, monkeypatch):
    folder = moved(run)
    archived = folder.with_name("archived_sessions")
    archived.mkdir()
    for file in rollouts(folder)[::2]:
        file.rename(archived / file.name)
    (folder.parent / "other").mkdir()
    shutil.copytree(COMPACTED / "sessions", folder.parent / "other" / "sessions")
    monkeypatch.setenv("CODEX_HOME", str(folder.parent))
    (kept,) = runs_of_program("codex", os.environ)
    assert len(kept.run.paths) == known(run)["agents"]
    for file in (*rollouts(folder), *rollouts(archived)):
        assert answers(one(file)) == known(run)


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


def test_the_lines_of_a_parent_that_keep_their_times_are_copies(tmp_path):
    rows = files.codex()
    born = {"id": "33333333-3333-4333-8333-333333333333", "timestamp": files.at(2.2)}
    source = {"subagent": {"thread_spawn": {"parent_thread_id": files.THREAD.format(1)}}}
    meta = files.codex_line(2.2, "session_meta", source=source, **born)
    own = files.codex_line(3, "response_item", type="message", role="assistant", content=[{"text": "here"}])
    copied = [row for row in rows[1:] if row["timestamp"] < files.at(2.2) and "task_started" not in json.dumps(row)]
    files.lines(tmp_path / "a.jsonl", rows)
    files.lines(tmp_path / "b.jsonl", [meta, *copied, own])
    trace = one(tmp_path)
    assert [e["type"] for e in trace["events"] if e["agent"] == born["id"]] == ["llm_call"]
    assert "lines copied from another run or thread: 4" in trace["provenance"]["lossy"]


def test_a_thread_without_an_id_has_that_in_its_files_name(tmp_path):
    rows = files.codex()
    name = rows[0]["payload"].pop("id")
    rows[0]["payload"]["session_id"] = name
    assert one(files.lines(tmp_path / f"rollout-2026-07-02T11-00-00-{name}.jsonl", rows))["trace_id"] == name
    assert one(files.lines(tmp_path / "x" / "any.jsonl", rows))["trace_id"] == name


# Files that are missing ----------------------------------------------------------------------------------------------


def test_a_parent_alone_says_how_its_sub_agents_ended(tmp_path):
    """The failure of D arrives twice in version 1; nobody saw how B ended."""
    keys = ("spawns", "returns", "errors", "undelivered")
    first, second = (one(shutil.copy(root_file(run), tmp_path / f"{run.name}.jsonl")) for run in (V1, V2))
    for trace, run in ((first, V1), (second, V2)):
        assert [answers(trace)[key] for key in keys] == [known(run)[key] for key in keys]
        assert errors(trace) == []
    assert first["provenance"]["unrecorded"] == ["return", "work"]
    assert second["provenance"]["unrecorded"] == []
    assert [e["agent"] for e in of(second, "stop") if e["scope"] == "agent"] == [f"{ROOT}/beta"]


@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_nothing_is_said_about_what_the_missing_file_of_a_session_would_tell(run, moved):
    folder = moved(run)
    root_file(folder).unlink()
    trace = one(folder)
    assert trace["provenance"]["unrecorded"] == ["delivery", "stop"]
    assert answers(trace)["undelivered"] == []
    assert errors(trace) == []


def forked(rows, *, when):
    """A person's fork of a session: its lines, stamped anew, and one turn of its own."""
    other, turn = "01a20099-0000-7000-8000-000000000000", "01a20099-0001-7000-8000-000000000000"
    meta = {**rows[0]["payload"], "id": other, "session_id": other, "forked_from_id": rows[0]["payload"]["id"]}
    record = next(row for row in rows if row["type"] == "token_usage_record")["payload"]
    usage = {**record["usage"], "input_tokens": 77, "cached_input_tokens": 7}
    own = [
        {"type": "event_msg", "payload": {"type": "task_started", "turn_id": turn}},
        {"type": "token_usage_record", "payload": {"thread_id": other, "response_id": "resp_fork", "usage": usage}},
        {"type": "event_msg", "payload": {"type": "task_complete", "turn_id": turn, "last_agent_message": "done"}},
    ]
    first = {"type": "session_meta", "payload": meta}
    return [{**row, "timestamp": when} for row in [first, *rows, *own]]


@pytest.mark.parametrize("kept", [True, False], ids=["with the original", "alone"])
def test_a_persons_fork_is_a_run_of_its_own_without_the_lines_it_copied(kept, moved):
    folder = moved(COMPACTED)
    (file,) = rollouts(folder)
    fork = files.lines(folder / "rollout-fork.jsonl", forked(lines(file), when="2026-11-22T08:00:00Z"))
    if not kept:
        file.unlink()
    made = {trace["trace_id"][:8]: answers(trace) for trace in traces(folder)}
    assert made.pop("01a20099")["tokens_in"] == 77
    assert list(made.values()) == ([known(COMPACTED)] if kept else [])
    lossy = one(fork)["provenance"]["lossy"] if not kept else []
    assert kept or any(loss.startswith("lines copied from another run or thread: 3") for loss in lossy)


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


def test_flat_lines_of_2025_are_steps(tmp_path):
    """No sample is known: the shape is that of the notes on 0.60 and before."""
    rows = [
        {"id": files.THREAD.format(1), "timestamp": files.at(0), "instructions": None, "git": {}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": '{"output": "", "metadata": {"exit_code": 1}}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "bye"}]},
    ]
    trace = one(files.lines(tmp_path / "old.jsonl", rows))
    assert trace["time_unit"] == "step"
    assert [event["type"] for event in trace["events"]] == ["llm_call", "tool_call", "tool_result", "llm_call"]
    assert of(trace, "tool_result")[0]["status"] == "error"
    assert trace["provenance"]["unrecorded"] == ["duration", "return", "stop", "usage"]


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
    assert "pip install 'awesome-survey[zstd]'" in error
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


def test_parents_that_form_a_circle_are_a_loss(tmp_path):
    for i, above in ((1, 2), (2, 1)):
        meta, *rows = child(i, "x", *turn(3, i, 4), files.codex_line(4, "response_item", type="reasoning"))
        meta["payload"]["source"]["subagent"]["thread_spawn"]["parent_thread_id"] = files.THREAD.format(above)
        files.lines(tmp_path / f"{i}.jsonl", [meta, *rows])
    runs = traces(tmp_path)
    assert [any("circle" in loss for loss in run["provenance"]["lossy"]) for run in runs] == [True, True]
