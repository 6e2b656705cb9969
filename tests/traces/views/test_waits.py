"""Waiting, as the trace tells it."""

import trace_runs
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.traces.views.lanes import strip
from awesome_cli.traces.views.timeline import timeline, waits, words


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
    assert words(["a"]) == "a"
    assert words(["a", "b", "a", "c"]) == "a, b and c"
    assert words(list("abcd")) == "4 (a, b, c, …)"


@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 3))
def test_a_wait_holds_no_event_of_its_agent(rounds, workers, steps):
    view = timeline(trace_runs.swarm(rounds, workers, steps))
    all_ = list(waits(view))
    assert len(all_) >= rounds
    for wait in all_:
        assert wait.start < wait.end
        own = [e for e in view.order if e.agent == view.names[wait.agent]]
        assert all(e.end <= wait.start or e.start >= wait.end for e in own)
