"""Codex: files that are moved, packed, cut, missing, there twice, or forks of others."""

import gzip
import os
import random
import shutil

import foreign_files as files
import pytest
import zstandard

from awesome_cli.traces.importers.finding import runs_of_program
from tests.traces.importers.codex_runs import (
    COMPACTED,
    KNOWN,
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
    assert "events of sub-agents whose files are missing: 1" in trace["provenance"]["lossy"]
    assert answers(trace)["tokens_in"] < want["tokens_in"]


@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_a_session_without_its_own_file_keeps_its_sub_agents(run, moved):
    folder = moved(run)
    root_file(folder).unlink()
    trace = one(folder)
    assert answers(trace)["spawns"] == known(run)["spawns"]
    assert all(event["inferred"] for event in of(trace, "spawn"))
    assert "the session's main agent: its file is missing" in trace["provenance"]["lossy"]
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
    ((kept, _),) = runs_of_program("codex", os.environ)
    assert len(kept.paths) == known(run)["agents"]
    for file in (*rollouts(folder), *rollouts(archived)):
        assert answers(one(file)) == known(run)


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


@pytest.mark.parametrize("run", [V1, V2], ids=lambda run: run.name)
def test_a_sub_agent_whose_file_ends_in_its_copied_lines_keeps_the_times_of_the_run(run, moved):
    folder = moved(run)
    fork = next(file for file in rollouts(folder) if "forked_from_id" in file.read_text().split("\n", 1)[0])
    rows = lines(fork)
    files.lines(fork, rows[:10])
    trace = one(folder)
    assert trace["provenance"]["started_at"].startswith("2026-11-21T2")
    assert trace["costs"]["wall_clock_s"] == pytest.approx(known(run)["wall"], abs=0.1)
