"""The writer of recorded sessions, on small sessions: one test for each rule, whatever program wrote the log."""

from typing import Any

import foreign_files as files
import kimi_files as kimi
import pytest
from event_lines import event_lines, events_of

from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import (
    AgentLog,
    Assignment,
    HumanWait,
    Message,
    ModelCall,
    RecordedCall,
    Session,
    Turn,
    WorkEnd,
)
from awesome_cli.traces.importers.session_writer import MISSING, NO_ROOT, ORPHANS, UNREAD, SessionWriter

SECOND = 1_000_000
USED = {"tokens_in": 5, "tokens_out": 1}


def s(seconds: float) -> int:
    return round(seconds * SECOND)


def model(begin: float, end: float) -> ModelCall:
    return ModelCall(s(begin), s(end), s(begin), usage=dict(USED))


def turn(begin: float, end: float, status: str = "ok") -> Turn:
    done = Turn(s(begin), s(end), answer=f"answer of {begin}")
    done.close(s(end), status)
    return done


def agent(key: str, *turns: Turn, models: tuple[ModelCall, ...] = (), **about: Any) -> AgentLog:
    times = [time for each in turns for time in (each.begin, each.last)]
    return AgentLog(key, turns=list(turns), models=list(models), times=times, **about)


def call(name: str, begin: float, end: float, **about: Any) -> RecordedCall:
    return RecordedCall(name, "Agent", {}, s(begin), s(end), status="ok", **about)


def work(at: float, done: Turn | None = None, *, to: str = "child", **about: Any) -> Assignment:
    given = Assignment(to, "main", s(at), call=call(f"t{at}", at, at + 0.5), content="work", turn=done, **about)
    given.background = True
    return given


def session(*agents: AgentLog, works: tuple[Assignment, ...] = (), **about: Any) -> Session:
    """A session; the root works from 0 to 20 if it is not given."""
    logs = {"main": agent("main", turn(0, 20))} | {log.id: log for log in agents}
    return Session("main", logs, list(works), **about)


def written(recorded: Session, unit: str = "us") -> dict[str, Any]:
    """The trace of a session, with the times of the session: those of a trace count from its first event."""
    rec = Recording("test", with_content=True, unit=unit)
    writer = SessionWriter(rec, recorded)
    writer.write()
    trace = rec.trace(trace_id="run", task_id="task", provenance={}, costs=writer.wall_clock())
    begin = min(draft.t for draft in rec.drafts) / SECOND
    for event in trace["events"]:
        event |= {key: event[key] + begin for key in ("t", "t_end") if key in event}
    return trace


def lossy(trace: dict[str, Any]) -> list[str]:
    return trace["provenance"]["lossy"]


def unrecorded(trace: dict[str, Any]) -> list[str]:
    return trace["provenance"]["unrecorded"]


# Work ----------------------------------------------------------------------------------------------------------------


def test_the_first_work_of_an_agent_is_a_spawn_and_others_are_delegations():
    turns = turn(1, 2), turn(4, 5)
    trace = written(session(agent("child", *turns), works=(work(4, turns[1]), work(1, turns[0]))))
    given = ["spawn main to child", "return child to main", "delegate main to child", "return child to main"]
    assert event_lines(trace) == [*given, "stop main answered"]


def test_the_first_work_of_each_agent_is_a_spawn():
    trace = written(session(agent("a"), agent("b"), works=(work(1, to="a"), work(2, to="b"), work(3, to="a"))))
    assert event_lines(trace)[:3] == ["spawn main to a", "spawn main to b", "delegate main to a"]


def test_a_cancelled_turn_is_a_stop_and_no_return():
    done = turn(1, 2, "cancelled")
    trace = written(session(agent("child", done), works=(work(1, done),)))
    assert event_lines(trace)[:2] == ["spawn main to child", "stop child cancelled"]
    assert events_of(trace, "stop")[0]["scope"] == "agent"
    assert events_of(trace, "return") == []


@pytest.mark.parametrize(("status", "expected"), [("ok", "ok"), ("error", "error"), ("blocked", "error"), ("", "ok")])
def test_the_status_of_a_turn_is_that_of_its_return(status, expected):
    done = turn(1, 2, status)
    trace = written(session(agent("child", done), works=(work(1, done),)))
    assert [(e["status"], e["t"], e["content"]) for e in events_of(trace, "return")] == [(expected, 2, "answer of 1")]


@pytest.mark.parametrize("ended", [4, 4.5])
def test_a_delegation_that_interrupts_a_turn_comes_after_its_stop(ended):
    """The call of the delegation began before the turn ended, and ended it."""
    first, second = turn(1, ended, "cancelled"), turn(4.5, 6)
    log = agent("child", first, second, models=(model(1, 2), model(4.5, 5)))
    trace = written(session(log, works=(work(1, first), work(3.5, second))))
    events = [(e["type"], e["agent"], e["t"]) for e in trace["events"] if e["type"] in {"stop", "delegate"}]
    assert events[:2] == [("stop", "child", ended), ("delegate", "main", ended)]


def test_a_delegation_after_a_turn_that_ended_by_itself_keeps_its_time():
    first, second = turn(1, 4), turn(4.5, 6)
    trace = written(session(agent("child", first, second), works=(work(1, first), work(3.5, second))))
    assert [e["t"] for e in events_of(trace, "delegate")] == [3.5]


def test_a_work_begins_no_later_than_its_turn():
    done = turn(1, 2)
    trace = written(session(agent("child", done), works=(work(3, done),)))
    assert [e["t"] for e in events_of(trace, "spawn")] == [1]


def test_an_agent_that_nobody_is_known_to_have_started_gets_an_inferred_spawn_from_its_parent():
    known = turn(1, 9)
    agents = agent("known", known), agent("below", turn(2, 3), turn(4, 5), parent="known"), agent("other", turn(6, 7))
    trace = written(session(*agents, works=(work(1, known, to="known"),)))
    given = [e for e in trace["events"] if e["type"] in {"spawn", "delegate"}]
    assert [(e["type"], e["agent"], e["to"], e.get("inferred", False)) for e in given] == [
        ("spawn", "main", "known", False),
        ("spawn", "known", "below", True),
        ("delegate", "known", "below", True),
        ("spawn", "main", "other", True),
    ]
    assert f"{ORPHANS}: 2" in lossy(trace)


def test_an_agent_that_is_a_root_itself_is_no_orphan():
    trace = written(session(agent("review", turn(1, 2), models=(model(1, 2),), is_root=True)))
    assert trace["root_agents"] == ["main", "review"]
    assert events_of(trace, "spawn") == []


# Missing files -------------------------------------------------------------------------------------------------------


def test_a_child_without_a_file_is_said_once_and_its_end_is_what_the_giver_saw():
    first, second = work(1), work(5)
    first.reported = WorkEnd(s(3), "error", "no flour", inferred=True)
    trace = written(session(works=(first, second)))
    assert event_lines(trace)[:3] == ["spawn main to child", "return? child to main", "delegate main to child"]
    assert [e["status"] for e in events_of(trace, "return")] == ["error"]
    assert lossy(trace) == [f"{MISSING}: 1"]
    assert unrecorded(trace) == ["return", "usage", "work"]


def test_a_root_without_a_file_is_said_and_asks_for_neither_delivery_nor_stop():
    trace = written(session(AgentLog("main"), agent("a", turn(1, 2)), agent("b", turn(3, 4))))
    assert trace["root_agents"] == ["main"]
    assert event_lines(trace) == ["spawn? main to a", "return? a to main", "spawn? main to b", "return? b to main"]
    assert lossy(trace) == [NO_ROOT, f"{ORPHANS}: 2"]
    assert unrecorded(trace) == ["delivery", "stop", "usage"]


@pytest.mark.parametrize(
    ("form", "described"),
    [("claude-code", False), ("claude-code", True), ("codex", False), ("kimi-code", False), ("kimi-cli", False)],
)
def test_sub_agents_without_the_file_of_their_session_are_one_run(form, described, tmp_path, imported):
    for i in (5, 6):
        if form == "claude-code":
            files.lines(tmp_path / f"S1/subagents/agent-k{i}.jsonl", claude_agent(i))
            if described:
                files.document(tmp_path / f"S1/subagents/agent-k{i}.meta.json", {"agentType": "scout"})
        elif form == "codex":
            files.lines(tmp_path / f"rollout-{i}.jsonl", codex_thread(i))
        elif form == "kimi-code":
            files.lines(tmp_path / f"S1/agents/agent-{i}/wire.jsonl", kimi.child(i))
        else:
            files.lines(tmp_path / f"S1/subagents/a{i}/wire.jsonl", kimi.cli_child())
    trace = imported(tmp_path, form)
    assert len(events_of(trace, "spawn")) == len(events_of(trace, "return")) == 2
    assert all(event["inferred"] for event in events_of(trace, "spawn"))
    assert [event.get("role") for event in events_of(trace, "spawn")] == ["scout" if described else None] * 2
    assert NO_ROOT in lossy(trace)
    assert f"{ORPHANS}: 2" in lossy(trace)
    assert {"delivery", "stop"} <= {*unrecorded(trace)}


def claude_agent(n: int) -> list[dict[str, Any]]:
    about = {"isSidechain": True, "agentId": f"k{n}"}
    return [
        files.told(f"p{n}", n, "Find the bakery", **about),
        files.said(f"a{n}", n + 1, f"m{n}", files.words("At the corner"), **about),
    ]


def codex_thread(n: int) -> list[dict[str, Any]]:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": files.THREAD.format(1), "depth": 1}}}
    meta = {"id": files.THREAD.format(n), "timestamp": files.at(n), "source": source}
    named = {"turn_id": files.THREAD.format(n + 10)}
    return [
        files.codex_line(n, "session_meta", **meta),
        files.codex_line(n, "event_msg", type="task_started", **named),
        files.codex_line(n + 1, "event_msg", type="task_complete", last_agent_message="At the corner", **named),
    ]


# What was read -------------------------------------------------------------------------------------------------------


def readers(trace: dict[str, Any], kind: str) -> list[list[float]]:
    """For each event of a type, the times of the events that list it in `inputs`."""
    names = [event["id"] for event in events_of(trace, kind)]
    return [[event["t"] for event in trace["events"] if name in event.get("inputs", ())] for name in names]


def test_a_return_is_read_by_the_first_model_call_after_its_arrival():
    done = turn(1, 2)
    root = agent("main", turn(0, 20), models=(model(0, 1), model(2.5, 3), model(6, 7), model(8, 9)))
    trace = written(session(root, agent("child", done), works=(work(1, done, arrivals=[(s(4), s(4))]),)))
    assert [e["delivery"] for e in events_of(trace, "return")] == ["explicit"]
    assert readers(trace, "return") == [[6]]
    assert lossy(trace) == []


@pytest.mark.parametrize("models", [(), (model(0, 1), model(2.5, 3))])
def test_a_return_that_arrived_when_no_model_call_followed_is_counted(models):
    done = turn(1, 2)
    root = agent("main", turn(0, 20), models=models)
    trace = written(session(root, agent("child", done), works=(work(1, done, arrivals=[(s(4), s(4))]),)))
    assert readers(trace, "return") == [[]]
    assert lossy(trace) == [f"{UNREAD}: 1"]


def test_an_arrival_before_the_end_of_a_turn_is_of_an_earlier_one():
    done = turn(3, 4)
    root = agent("main", turn(0, 20), models=(model(2, 2.5), model(6, 7)))
    arrivals = [(s(2), s(2)), (s(5), s(5))]
    trace = written(session(root, agent("child", done), works=(work(1, done, arrivals=arrivals),)))
    assert readers(trace, "return") == [[6]]


def test_a_message_is_read_where_it_arrived():
    log = agent("child", turn(1, 9), models=(model(1, 2), model(4, 5), model(6, 7)))
    words = Message("main", "child", s(3), "hurry", tracked=True, arrival=s(5))
    lost = Message("main", "child", s(3.5), "stop", tracked=True)
    trace = written(session(log, works=(work(1, log.turns[0]),), messages=[words, lost]))
    assert [e["delivery"] for e in events_of(trace, "message")] == ["explicit", "explicit"]
    assert readers(trace, "message") == [[6], []]


# What agents did -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("without", "words"), [(1, []), (2, ["usage"])])
def test_model_calls_without_usage_are_counted_and_usage_is_unrecorded_if_none_has_it(without, words):
    models = model(0, 1), model(2, 3)
    for each in models[:without]:
        each.usage = {}
    trace = written(session(agent("main", turn(0, 4), models=models)))
    assert lossy(trace) == [f"model calls without usage: {without}"]
    assert unrecorded(trace) == words


def test_a_call_that_waits_names_its_targets_each_once():
    root = agent("main", turn(0, 20))
    root.add_call(call("t1", 3, 5, waits=True, targets=("b", "gone", "b")))
    trace = written(session(root, agent("b", name="b~2"), works=(work(1, to="b"),)))
    assert [(e["waits"], e["targets"]) for e in events_of(trace, "tool_call")] == [(True, ["b~2", "gone"])]


def test_a_call_that_gave_work_is_no_tool_call_besides():
    given = work(1)
    given.call.works = [given]
    root = agent("main", turn(0, 20))
    root.add_call(given.call)
    assert event_lines(written(session(root, works=(given,)))) == ["spawn main to child", "stop main answered"]


def test_a_person_that_was_waited_for():
    root = agent("main", turn(0, 20), waits=[HumanWait(s(2), s(5))], models=(model(0, 1),))
    (wait,) = events_of(written(session(root)), "human_intervention")
    assert (wait["agent"], wait["from"], wait["t"], wait["t_end"]) == ("main", "user", 2, 5)


# The run -------------------------------------------------------------------------------------------------------------


def test_the_wall_clock_runs_from_the_first_line_to_the_last():
    root = agent("main", turn(3, 4), models=(model(3, 4),))
    root.times = [s(1), s(9)]
    recorded = session(root)
    assert written(recorded)["costs"]["wall_clock_s"] == 8
    root.models[0].end = s(12)
    assert written(recorded)["costs"]["wall_clock_s"] == 11
    assert written(recorded, unit="step")["costs"]["wall_clock_s"] == 0


@pytest.mark.parametrize(
    ("status", "reason"),
    [("ok", "answered"), ("error", "error"), ("cancelled", "cancelled"), ("blocked", "unspecified")],
)
def test_the_run_stops_with_the_last_turn_of_the_root_when_everything_has_ended(status, reason):
    done = turn(1, 30)
    root = agent("main", turn(0, 20, status))
    trace = written(session(root, agent("child", done), works=(work(1, done),)))
    (stop,) = events_of(trace, "stop")
    assert (stop["scope"], stop["reason"], stop["t"], stop["content"]) == ("trace", reason, 30, "answer of 0")


def test_a_run_whose_end_no_line_records_has_no_stop():
    open_turn = agent("main", Turn(0, s(20)), models=(model(0, 1),))
    trace = written(session(open_turn, records_ends=False))
    assert events_of(trace, "stop") == []
    assert unrecorded(trace) == ["stop"]
    assert unrecorded(written(session(open_turn))) == []
