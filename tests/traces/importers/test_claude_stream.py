"""The output of `claude -p`."""

import json

import foreign_files as files
import pytest
from event_lines import event_lines, events_of

from awesome_cli.traces.rows import analyze


def test_the_stop_is_the_one_that_the_result_names(tmp_path, imported):
    trace = imported(files.lines(tmp_path / "out.jsonl", files.claude_stream()), "claude-stream")
    assert event_lines(trace) == [
        "llm_call main",
        "spawn main to k1",
        "llm_call k1",
        "tool_call k1 Grep",
        "tool_result k1 Grep",
        "llm_call k1",
        "return k1 to main",
        "llm_call main",
        "aggregate? main",
        "stop main answered",
    ]
    assert trace["time_unit"] == "step"
    assert trace["provenance"]["unrecorded"] == ["duration"]


def test_an_array_of_the_records_is_the_same_run(tmp_path, imported):
    """As `--output-format json --verbose` prints it on one line, and the GitHub action writes it on many."""
    lines = imported(files.lines(tmp_path / "out.jsonl", files.claude_stream()), "claude-stream")
    for indent in (None, 2):
        path = tmp_path / f"out-{indent}.json"
        path.write_text(json.dumps(files.claude_stream(), indent=indent), encoding="utf-8")
        assert {**imported(path, "claude-stream"), "provenance": 0} == {**lines, "provenance": 0}


def test_a_result_alone_is_refused_with_the_option_that_is_missing(tmp_path, run):
    done = run("trace", "import", files.document(tmp_path / "out.json", files.claude_stream()[-1]), code=3)
    assert "out.json: the result of a run without its messages" in done.err
    assert "claude -p --verbose" in done.err


def test_costs_are_the_declared_ones(tmp_path, imported):
    trace = imported(files.lines(tmp_path / "out.jsonl", files.claude_stream()), "claude-stream")
    costs = trace["costs"]
    assert (costs["cost_usd"], costs["wall_clock_s"], costs["tokens"]) == (0.25, 12.5, 100)
    assert analyze(trace)["cost_usd"] == 0.25


def test_tokens_of_whole_messages_need_no_declared_total(tmp_path, imported):
    rows = files.claude_stream()
    for row in rows[1:-1]:
        row["message"] |= {"stop_reason": "end_turn"}
    assert imported(files.lines(tmp_path / "out.jsonl", rows), "claude-stream")["costs"]["tokens"] == 80


@pytest.mark.parametrize(
    ("subtype", "reason"),
    [("error_max_turns", "budget"), ("error_max_budget_usd", "budget"), ("error_during_execution", "error")],
)
def test_a_run_that_did_not_answer(subtype, reason, tmp_path, imported):
    rows = files.claude_stream()
    rows[-1] |= {"subtype": subtype, "is_error": True}
    (stop,) = events_of(imported(files.lines(tmp_path / "out.jsonl", rows), "claude-stream"), "stop")
    assert stop["reason"] == reason
    assert "inferred" not in stop


def test_without_a_result_the_stop_is_not_recorded(tmp_path, imported):
    trace = imported(files.lines(tmp_path / "out.jsonl", files.claude_stream()[:-1]), "claude-stream")
    assert events_of(trace, "stop") == []
    assert trace["provenance"]["unrecorded"] == ["duration", "stop"]


def test_lines_with_times_give_seconds(tmp_path, imported):
    rows = [row | {"timestamp": files.at(n)} for n, row in enumerate(files.claude_stream())]
    trace = imported(files.lines(tmp_path / "out.jsonl", rows), "claude-stream")
    assert (trace["time_unit"], trace["costs"]["wall_clock_s"]) == ("s", 6)
    assert trace["provenance"]["unrecorded"] == []
