"""Calls that only wait for other agents are no work: known answers of real and scripted runs."""

from itertools import pairwise

import pytest
from builders import DATA

from awesome_cli.traces.metrics import measure
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.views.timeline import timeline, waits
from tests.traces.importers import kimi_files as kimi
from tests.traces.importers.test_kimi_code import SESSION, session

ROOT = "/root"  # the first agent of Codex
RUNS = DATA / "runs"
CODEX, CLAUDE = RUNS / "codex" / "multi-agent", RUNS / "claude-code"
POLLED = CLAUDE / "entire-f8-background" / "full.jsonl"
V1, V2 = CODEX / "scripted-v1-cli0.125" / "sessions", CODEX / "scripted-v2-cli0.169" / "sessions"
REAL = {
    V1: ("codex", 3),
    V2: ("codex", 6),
    CODEX / "scripted-v2-trace-bundle-cli0.169" / "bundle": ("codex-bundle", 6),
    POLLED: ("claude-code", 16),
    CLAUDE / "entire-51-foreground" / "full.jsonl": ("claude-code", 0),
    SESSION: ("kimi-code", 0),
}
"""Runs, their formats, and how many of their calls only wait for agents."""


def union(events):
    """The length of the union of the intervals of events, between each two of their times."""
    cuts = sorted({time for e in events for time in (e["t"], e.get("t_end", e["t"]))})
    pairs = pairwise(cuts)
    return sum(b - a for a, b in pairs if any(e["t"] <= a and b <= e.get("t_end", e["t"]) for e in events))


def is_busy(event):
    return event["type"] in {"llm_call", "tool_call"} and event.get("tool") not in {
        "wait_agent",
        "list_agents",
        "TaskOutput",
    }


def drawn(document):
    """The waits of calls, as who, for whom and how long."""
    view = timeline(read_document(document).trace)
    found = [wait for wait in waits(view) if view.order[wait.place].tool is not None]
    return [(view.names[wait.agent], wait.whom, round(wait.end - wait.start, 3)) for wait in found]


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.parent.name)
def test_elapsed_is_busy_and_idle_and_waiting_for_people(path, imported):
    form, calls = REAL[path]
    document = imported(path, form)
    assert sum(event.get("waits") is True for event in document["events"]) == calls
    found = measure(read_document(document).trace).values
    people = found["person_wait_s"] or 0
    assert found["busy_s"] == pytest.approx(union([e for e in document["events"] if is_busy(e)]))
    assert found["elapsed_s"] == pytest.approx(found["busy_s"] + found["idle_s"] + people)


def test_who_waited_for_whom_in_codex(imported):
    # The third wait of the session ran out after ten seconds: no agent had ended. The last one is a list of the agents.
    assert drawn(imported(V2, "codex")) == [
        (ROOT, f"{ROOT}/alpha", 0.377),
        (ROOT, f"{ROOT}/gamma", 0.358),
        (ROOT, "others", 10.012),
        (ROOT, f"{ROOT}/alpha", 0.469),
        (ROOT, "others", 0.005),
        (f"{ROOT}/alpha", "others", 0.002),
    ]


def test_polls_at_once_wait_for_one_agent_each(imported):
    document = imported(POLLED, "claude-code")
    ends = {event["agent"]: event["t"] for event in document["events"] if event["type"] == "return"}
    long = [(whom, length) for _, whom, length in drawn(document) if length > 1]
    assert dict(long) == {agent: pytest.approx(t - 75.383, abs=1e-3) for agent, t in ends.items()}
    targets = [event["targets"] for event in document["events"] if event.get("waits")]
    assert len(targets) == 16
    assert {agent for names in targets for agent in names} == {*ends}


def test_a_wait_is_for_the_agents_that_it_names_whoever_returned(imported):
    """The first wait names A and B, and A answered; the second names A while C had answered; the third names D."""
    document = imported(V1, "codex")
    names = {event["source"]: event["to"] for event in document["events"] if event["type"] == "spawn"}
    a, b, d = (names[f"call_spawn_{letter}"] for letter in "ABD")
    targets = [event["targets"] for event in document["events"] if event.get("waits")]
    assert targets == [[a, b], [a], [d]]
    assert [whom for _, whom, _ in drawn(document)] == [f"{a} and {b}", a, d]


@pytest.mark.parametrize(
    ("tool", "given", "is_wait"),
    [("WaitFor", {"timeout": 60}, True), ("TaskOutput", {"task_id": "task-1"}, True),
     ("TaskOutput", {"task_id": "bash-1"}, False)],
)  # fmt: skip
def test_a_kimi_session_that_waits_for_its_background_agent(tool, given, is_wait, tmp_path, imported):
    rows = kimi.main()
    rows[5] = kimi.spawned(2.2, "agent-0", "t1", background=True, taskId="task-1")
    rows[6:7] = [
        kimi.result(2.3, "t1", "task_id: task-1\nstatus: running\nagent_id: agent-0"),
        kimi.call(2.4, "t2", tool, **given),
        kimi.result(5.9, "t2", "completed"),
    ]
    document = imported(session(tmp_path, main=rows, agent_0=kimi.child()), "kimi-code")
    (call,) = (event for event in document["events"] if event["type"] == "tool_call" and event["tool"] == tool)
    assert call.get("waits", False) is is_wait
    assert call.get("targets") == (["agent-0"] if is_wait and "task_id" in given else None)
