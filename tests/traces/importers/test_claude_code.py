"""Claude Code sessions in their three layouts."""

import foreign_files as files
import pytest
from event_lines import event_lines, events_of

FOREGROUND = [
    "llm_call main",
    "spawn main to k1",
    "llm_call k1",
    "tool_call k1 WebSearch",
    "tool_result k1 WebSearch",
    "llm_call k1",
    "return k1 to main",
    "llm_call main",
    "aggregate? main",
]


def place(layout: str, folder) -> object:
    """The session on disk in one of the layouts."""
    main = folder / "S1.jsonl"
    if layout == "inside":
        return files.lines(main, [*files.session()[:3], *files.scout(), *files.session()[3:]])
    files.lines(folder / ("S1/subagents" if layout == "below" else ".") / "agent-k1.jsonl", files.scout())
    return files.lines(main, files.session())


@pytest.mark.parametrize("layout", ["inside", "beside", "below"])
def test_every_layout_tells_the_same_run(layout, tmp_path, imported):
    trace = imported(place(layout, tmp_path), "claude-code")
    assert event_lines(trace) == FOREGROUND
    assert trace["agents"]["k1"]["role"] == "scout"


def test_usage_counts_once_per_message_though_every_line_repeats_it(tmp_path, imported):
    trace = imported(place("below", tmp_path), "claude-code")
    assert [(e["tokens_in"], e["tokens_out"]) for e in events_of(trace, "llm_call")] == [(10, 10)] * 4
    assert trace["costs"]["tokens"] == 80


def test_a_model_call_lasts_from_the_line_before_it_to_its_last_line(tmp_path, imported):
    first = events_of(imported(place("below", tmp_path), "claude-code"), "llm_call")[0]
    assert (first["t"], first["t_end"]) == (0, 3)


def test_a_background_answer_is_read_at_its_notification_not_when_it_is_queued(tmp_path, imported):
    files.lines(tmp_path / "S1/subagents/agent-k1.jsonl", files.scout())
    trace = imported(files.lines(tmp_path / "S1.jsonl", files.session(background=True)), "claude-code")
    (back,) = events_of(trace, "return")
    assert back["delivery"] == "explicit"
    readers = [e for e in trace["events"] if back["id"] in e.get("inputs", [])]
    assert [(e["type"], e["t"]) for e in readers] == [("llm_call", 12)]


def test_the_web_is_not_trusted_and_no_word_of_the_session_stays(tmp_path, imported):
    trace = imported(place("below", tmp_path), "claude-code")
    (result,) = events_of(trace, "tool_result")
    assert result["trusted"] is False
    assert result["content_hash"].startswith("sha256:")
    assert "bakery" not in str(trace)
    assert "corner" not in str(trace)


def test_content_is_kept_where_it_is_asked_for(tmp_path, imported):
    trace = imported(place("below", tmp_path), "claude-code", with_content=True)
    assert events_of(trace, "tool_result")[0]["content"] == "a page"


def test_an_interrupted_file_loses_its_last_line_and_says_so(tmp_path, imported):
    path = place("below", tmp_path)
    path.write_text(path.read_text() + '{"type": "assis', encoding="utf-8")
    trace = imported(path, "claude-code")
    assert event_lines(trace) == FOREGROUND
    assert "lines that are not JSON: 1" in trace["provenance"]["lossy"]


def test_a_sub_agent_that_nobody_is_known_to_have_started(tmp_path, imported):
    path = place("below", tmp_path)
    inner = [line | {"agentId": "k2"} for line in files.scout()]
    inner[0] = files.told("s1", 5.5, "another task", isSidechain=True, agentId="k2")
    file = files.lines(tmp_path / "S1/subagents/agent-k2.jsonl", inner)
    files.document(file.with_suffix(".meta.json"), {"agentType": "helper", "parentAgentId": "k1"})
    trace = imported(path, "claude-code")
    assert {"spawn? k1 to k2", "return? k2 to k1", "tool_call k2 WebSearch"} <= set(event_lines(trace))
    assert trace["agents"]["k2"]["role"] == "helper"


def test_a_meta_file_names_the_call(tmp_path, imported):
    """The answer lacks the id, as it does while a sub-agent is still running."""
    rows = [{k: v for k, v in row.items() if k != "toolUseResult"} for row in files.session()]
    changed = [files.told("s1", 3.5, "reworded", isSidechain=True, agentId="k1"), *files.scout()[1:]]
    file = files.lines(tmp_path / "S1/subagents/agent-k1.jsonl", changed)
    files.document(file.with_suffix(".meta.json"), {"toolUseId": "t1"})
    assert event_lines(imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code")) == FOREGROUND


def test_messages_between_agents(tmp_path, imported):
    rows = files.session()
    rows.insert(3, files.said("a3", 3.2, "msg2", files.use("t3", "SendMessage", to="k1", message="hurry")))
    files.lines(tmp_path / "S1/subagents/agent-k1.jsonl", files.scout())
    (message,) = events_of(imported(files.lines(tmp_path / "S1.jsonl", rows), "claude-code"), "message")
    assert (message["from"], message["to"]) == ("main", "k1")


def test_a_compaction_is_no_sub_agent(tmp_path, imported):
    path = place("below", tmp_path)
    files.lines(tmp_path / "S1/subagents/agent-acompact-k2.jsonl", files.scout())
    assert event_lines(imported(path, "claude-code")) == FOREGROUND
