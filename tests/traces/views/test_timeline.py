"""What a timeline holds: replay order, the spawn tree, changes that can be run both ways, waits, and the facts above it."""

import trace_runs
from builders import DATA
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.state import gives_answer
from awesome_cli.traces.views.lanes import strip
from awesome_cli.traces.views.timeline import (
    AGENT,
    ANSWER,
    CALL,
    STATUS,
    STOPPED,
    TASK,
    UNREAD,
    facts,
    in_words,
    timeline,
    waits,
)


def states(view):
    """The state after each number of events, from the shipped changes alone."""
    now = {(AGENT, a): 1 for a in view.begin}
    seen = [dict(now)]
    for k in range(len(view.order)):
        for kind, key, new, old in view.changes[k]:
            assert now.get((kind, key), 0) == old
            now[kind, key] = new
        seen.append({at: value for at, value in now.items() if value})
    return seen


def test_the_shipped_changes_are_the_replay():
    trace = trace_runs.swarm(2, 3, 2)
    view = timeline(trace)
    machine = Machine(trace, graph_of(trace).order)
    at = {event.id: k for k, event in enumerate(view.order)}
    answer = 0
    for number, (event, state) in enumerate(zip(view.order, states(view)[1:], strict=True), 1):
        machine.step(event)
        names = {name: STATUS[agent.status] for name, agent in machine.agents.items()}
        assert {view.names[key]: value for (kind, key), value in state.items() if kind == AGENT} == names
        assert {k for kind, k in state if kind == TASK} == {at[i] for i, task in machine.tasks.items() if task.open}
        open_calls = {at[call.event.id] for call in machine.calls.values() if call.status == "open"}
        assert {k for kind, k in state if kind == CALL} == open_calls
        assert {k for kind, k in state if kind == UNREAD} == {at[i] for i in machine.unread}
        answer = number if gives_answer(event) else answer
        assert state.get((ANSWER, 0), 0) == answer
        assert ((STOPPED, 0) in state) == (machine.stopped is not None), number


def test_parents_stand_before_their_children():
    view = timeline(trace_runs.lunch())
    assert list(zip(view.names, view.depths, view.parents, strict=True)) == [
        ("boss", 0, -1),
        ("baker", 1, 0),
        ("cook", 1, 0),
    ]


def test_arrows_lead_from_one_agent_to_another():
    view = timeline(trace_runs.lunch())
    pairs = [(view.order[u], view.order[v]) for u, v in view.arrows]
    assert [(u.type, u.agent, v.agent) for u, v in pairs] == [
        ("spawn", "boss", "baker"),
        ("spawn", "boss", "cook"),
        ("return", "baker", "boss"),
        ("return", "cook", "boss"),
    ]


def test_findings_stand_at_their_events():
    view = timeline(trace_runs.lunch())
    first = view.findings[0]
    assert (first["code"], first["level"], view.order[first["event"]].type) == ("TR009", "error", "message")


def test_a_version_1_trace_has_a_timeline():
    from awesome_cli.traces.reading import read_trace

    reading = read_trace((DATA / "traces" / "v1" / "example.json").read_bytes())
    view = timeline(reading.trace)
    assert "web.search" in view.names
    assert len(states(view)) == 9


def of(events, **header):
    return dict(facts(timeline(trace_runs.trace(events, **header))))


MODEL_CALL = {
    "t": 0, "t_end": 4.2, "type": "llm_call", "agent": "boss", "tokens_in": 100, "tokens_cached": 60,
    "tokens_cache_write": 10, "tokens_out": 5,
}  # fmt: skip


def test_tokens_stand_apart_and_a_wrong_total_is_named():
    found = of([MODEL_CALL], costs={"tokens": 1, "wall_clock_s": 5})
    assert found["tokens"] == "105"
    assert (found["input tokens"], found["cache-read tokens"], found["cache-write tokens"]) == ("30", "60", "10")
    assert found["output tokens"] == "5"
    assert found["tokens declared (differs)"] == "1"
    assert "tokens declared (differs)" not in of([MODEL_CALL], costs={"tokens": 105, "wall_clock_s": 5})


def test_a_total_without_events_is_all_that_is_known():
    quiet = {"t": 0, "type": "llm_call", "agent": "boss"}
    assert of([quiet], costs={"tokens": 7, "wall_clock_s": 5})["tokens"] == "7"
    assert "tokens" not in of([quiet], costs={"tokens": 0, "wall_clock_s": 5})
    assert of([MODEL_CALL | {"tokens_partial": True}])["tokens"] == "at least 105"


def test_times_are_words():
    assert of([MODEL_CALL])["elapsed"] == "4.2 s"
    assert of([MODEL_CALL | {"t_end": 18_060}])["elapsed"] == "5 h 1 min"
    assert of([MODEL_CALL | {"t_end": 3}], time_unit="step")["elapsed"] == "3 steps"


def found(events, **header):
    """The waits as (agent, start, end, whom)."""
    view = timeline(trace_runs.trace(events, **header))
    return [(view.names[w.agent], w.start, w.end, w.whom) for w in waits(view)]


def test_a_parent_waits_for_its_children_until_it_reads_them():
    view = timeline(trace_runs.lunch())
    assert [(view.names[w.agent], w.start, w.end, w.whom) for w in waits(view)] == [("boss", 2, 8, "baker and cook")]


def test_an_agent_waits_for_a_result_and_for_a_person():
    events = [
        {"t": 0, "type": "tool_call", "agent": "boss", "tool": "oven", "call_id": "c"},
        {"t": 4, "type": "tool_result", "agent": "boss", "call_id": "c"},
        {"t": 5, "t_end": 9, "type": "human_intervention", "agent": "boss", "from": "user"},
    ]
    assert found(events) == [("boss", 0, 4, "oven"), ("boss", 5, 9, "user")]


def test_work_is_no_wait_and_neither_is_a_gap_in_which_nothing_ended():
    spawn = {"t": 0, "type": "spawn", "agent": "boss", "to": "cook"}
    back = {"t": 3, "type": "return", "agent": "cook", "to": "boss"}
    busy = {"t": 0, "t_end": 5, "type": "llm_call", "agent": "boss"}
    assert found([spawn, busy, back, {"t": 6, "type": "stop", "agent": "boss", "reason": "answered"}]) == []
    assert found([spawn, {"t": 2, "type": "llm_call", "agent": "boss"}]) == []
    # Nothing is known of a return that waits for its own delivery.
    late = back | {"delivery": "explicit"}
    assert found([spawn, late, {"t": 6, "type": "llm_call", "agent": "boss"}]) == []


def test_a_call_that_only_waits_is_a_wait_and_no_tool():
    events = [
        {"t": 0, "type": "spawn", "agent": "boss", "to": "cook"},
        {"t": 1, "t_end": 9, "type": "tool_call", "agent": "boss", "tool": "wait", "call_id": "c", "waits": True},
        {"t": 2, "t_end": 6, "type": "llm_call", "agent": "cook"},
        {"t": 6, "type": "return", "agent": "cook", "to": "boss"},
        {"t": 9, "t_end": 10, "type": "llm_call", "agent": "boss"},
    ]
    assert found(events) == [("boss", 1, 9, "cook")]
    view = timeline(trace_runs.trace(events))
    assert strip(view, [view.order[1]], list(waits(view)), 10) == " ---------"
    assert found([events[0], events[1], events[4]]) == [("boss", 1, 9, "others")]


def test_steps_are_no_time():
    assert found([dict(e.data) for e in trace_runs.lunch().events], time_unit="step") == []


def test_many_names_are_counted():
    assert in_words(["a"]) == "a"
    assert in_words(["a", "b", "a", "c"]) == "a, b and c"
    assert in_words(list("abcd")) == "a, b, c and 1 more"


@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 3))
def test_a_wait_holds_no_event_of_its_agent(rounds, workers, steps):
    view = timeline(trace_runs.swarm(rounds, workers, steps))
    all_ = list(waits(view))
    assert len(all_) >= rounds
    for wait in all_:
        assert wait.start < wait.end
        own = [e for e in view.order if e.agent == view.names[wait.agent]]
        assert all(e.end <= wait.start or e.start >= wait.end for e in own)
