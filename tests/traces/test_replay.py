"""Replay: what it depends on, what it reports, and the bytes that its digests cover."""

import copy
import random
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from wellformed import renamed, run

from awesome_cli.errors import UsageError
from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.replay import Replay, canonical, first_step, replay, shape
from awesome_cli.traces.state import answer_of

SEEDS = st.integers(0, 10_000)


def trace_of(document: Any) -> Trace:
    reading = read_document(document)
    assert reading.trace is not None, reading.findings
    return reading.trace


def replayed(document: Any) -> Replay:
    trace = trace_of(document)
    return replay(trace, graph_of(trace))


def digests(document: Any) -> tuple[str, str, str]:
    result = replayed(document)
    return result.digest, result.state_digest, result.shape_digest


@given(SEEDS, st.integers(5, 80))
def test_well_formed_runs_break_no_rule(seed: int, size: int) -> None:
    assert check_trace(trace_of(run(seed, size))) == ()


@given(SEEDS, SEEDS, st.booleans())
def test_the_order_of_the_arrays_changes_nothing(seed: int, shuffle: int, with_seq: bool) -> None:
    document = run(seed)
    if not with_seq:
        for event in document["events"]:
            del event["seq"]
    shuffled = copy.deepcopy(document)
    random.Random(shuffle).shuffle(shuffled["events"])
    random.Random(shuffle).shuffle(shuffled["edges"])
    assert digests(shuffled) == digests(document)


@given(SEEDS)
def test_how_a_clock_is_written_changes_nothing(seed: int) -> None:
    document = run(seed)
    other = copy.deepcopy(document)
    for event in other["events"]:
        for key in ("t", "t_end"):
            if key in event:
                event[key] = float(event[key]) * 1000 + 17
    assert digests(other) == digests(document)


@given(SEEDS)
def test_the_shape_survives_new_names_and_the_digest_does_not(seed: int) -> None:
    document = run(seed)
    names = {event["agent"]: f"x{i}" for i, event in enumerate(document["events"])} | {"web": "web"}
    other = renamed(document, names)
    a, b = replayed(document), replayed(other)
    assert a.shape_digest == b.shape_digest
    assert a.digest != b.digest


@given(SEEDS, st.data())
def test_any_event_that_is_changed_changes_the_digest(seed: int, data: st.DataObject) -> None:
    document = run(seed)
    other = copy.deepcopy(document)
    event = data.draw(st.sampled_from(other["events"]))
    event["type"] = "human_intervention" if event["type"] != "human_intervention" else "safety_event"
    assert replayed(other).digest != replayed(document).digest
    assert replayed(other).shape_digest != replayed(document).shape_digest


@given(SEEDS)
def test_the_changes_of_all_steps_rebuild_the_agents(seed: int) -> None:
    trace = trace_of(run(seed))
    graph = graph_of(trace)
    status = {"lead": "run"}
    machine = Machine(trace, graph.order)
    for i in graph.order:
        machine.step(trace.events[i])
        for change in machine.changes:
            if change[0] == "agent":
                status[str(change[1])] = str(change[2])
    assert status == {name: agent.status for name, agent in replay(trace, graph).machine.agents.items()}


def test_ids_with_numbers_are_in_their_natural_order() -> None:
    document = {
        "trace_id": "t", "task_id": "t", "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 0},
        "events": [{"id": f"e{i}", "t": 0, "type": "message", "agent": "a"} for i in ("9" * 5000, "010", 10, 9, 2, 1)],
    }  # fmt: skip
    trace = trace_of(document)
    assert [trace.events[i].id for i in graph_of(trace).order] == ["e1", "e2", "e9", "e010", "e10", "e" + "9" * 5000]


def event(key: str, t: float, kind: str, agent: str, **more: Any) -> dict[str, Any]:
    return {"id": key, "t": t, "type": kind, "agent": agent, **more}


def document(*events: dict[str, Any], edges: list[tuple[str, str]] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "schema_version": "2.0", "trace_id": "t", "task_id": "t", "root_agents": ["lead"], "events": list(events),
        "edges": [{"src": a, "dst": b, "type": "causal"} for a, b in edges or []], "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": 99}, **more,
    }  # fmt: skip


def order(value: Any) -> list[str]:
    trace = trace_of(value)
    return [trace.events[i].id for i in graph_of(trace).order]


def test_an_edge_decides_between_events_at_the_same_time() -> None:
    events = [event(k, 1, "llm_call", k) for k in "abc"]
    assert order(document(*events)) == ["a", "b", "c"]
    assert order(document(*events, edges=[("c", "a")])) == ["b", "c", "a"]


def test_a_spawn_comes_before_the_spawned_at_the_same_time() -> None:
    events = [event("a", 1, "llm_call", "child"), event("z", 1, "spawn", "lead", to="child")]
    assert order(document(*events)) == ["z", "a"]


def test_a_call_comes_before_its_result_at_the_same_time() -> None:
    events = [
        event("a", 1, "tool_result", "web", tool="web", call_id="c"),
        event("b", 1, "tool_call", "lead", tool="web", call_id="c"),
    ]
    assert order(document(*events)) == ["b", "a"]
    assert [b.code for b in replayed(document(*events)).illegal] == []


def test_seq_decides_before_everything_but_time() -> None:
    events = [
        event("a", 1, "llm_call", "lead", seq=2),
        event("b", 1, "llm_call", "lead", seq=1),
        event("c", 0, "llm_call", "x"),
    ]
    assert order(document(*events)) == ["c", "b", "a"]


def test_a_cycle_at_one_time_is_broken_the_same_way_every_time() -> None:
    events = [event(k, 1, "llm_call", k) for k in "abc"]
    value = document(*events, edges=[("a", "b"), ("b", "a")])
    assert order(value) == order(document(*events[::-1], edges=[("b", "a"), ("a", "b")])) == ["c", "a", "b"]


def test_a_result_before_its_call_is_illegal_and_the_call_stays_open() -> None:
    result = replayed(
        document(
            event("a", 1, "tool_result", "web", tool="web", call_id="c"),
            event("b", 2, "tool_call", "lead", tool="web", call_id="c"),
        )
    )
    assert [b.code for b in result.illegal] == ["TR004"]
    assert "TW101" in [b.code for b in result.loose_ends]


def test_strict_stops_at_the_first_illegal_event() -> None:
    value = document(event("a", 1, "llm_call", "x"), event("b", 2, "llm_call", "y"))
    trace = trace_of(value)
    result = replay(trace, graph_of(trace), strict=True)
    assert (result.steps, len(result.illegal), result.loose_ends) == (1, 1, ())


def test_inputs_name_exactly_what_is_read() -> None:
    spawns = [event("s1", 0, "spawn", "lead", to="a"), event("s2", 0, "spawn", "lead", to="b")]
    backs = [event("r1", 1, "return", "a", to="lead"), event("r2", 1, "return", "b", to="lead")]
    some = replayed(document(*spawns, *backs, event("q", 2, "aggregate", "lead", inputs=["r1"])))
    assert list(some.machine.unread) == ["r2"]
    everything = replayed(document(*spawns, *backs, event("q", 2, "aggregate", "lead")))
    assert not everything.machine.unread


def test_explicit_delivery_is_read_through_inputs_alone() -> None:
    spawn = event("s", 0, "spawn", "lead", to="a")
    back = event("r", 1, "return", "a", to="lead", delivery="explicit")
    ignored = replayed(document(spawn, back, event("q", 2, "llm_call", "lead")))
    assert [w.code for w in ignored.loose_ends if w.code == "TW103"] == ["TW103"]
    read = replayed(document(spawn, back, event("q", 2, "llm_call", "lead", inputs=["r"])))
    assert "TW103" not in [w.code for w in read.loose_ends]


def test_control_that_is_passed_on_is_answered_to_the_first_caller() -> None:
    value = document(
        event("s", 0, "spawn", "lead", to="a"),
        event("x", 1, "llm_call", "a"),
        event("s2", 1.5, "spawn", "lead", to="b"),
        event("y", 1.6, "return", "b", to="lead"),
        event("g", 2, "delegate", "a", to="b", mode="pass_control"),
        event("r", 3, "return", "b", to="lead"),
        event("z", 4, "stop", "lead", reason="answered"),
    )
    result = replayed(value)
    assert (result.illegal, result.loose_ends) == ((), ())
    assert result.machine.agents["a"].status == "returned"


def test_whoever_stops_the_run_owes_nothing_any_more() -> None:
    value = document(
        event("g", 0, "delegate", "lead", to="a", mode="pass_control"),
        event("x", 1, "stop", "a", reason="answered"),
        root_agents=["lead", "a"],
    )
    result = replayed(value)
    assert [b.code for b in (*result.illegal, *result.loose_ends)] == []


def test_an_agent_that_stops_itself_does_not_answer_for_the_run() -> None:
    stops = [event("z", 1, "stop", "lead", reason="answered"), event("a", 2, "stop", "a", reason="answered")]
    stops[1]["scope"] = "agent"
    trace = trace_of(document(*stops, root_agents=["lead", "a"]))
    found = answer_of(trace, graph_of(trace).order)
    assert found is not None
    assert found.id == "z"


@pytest.fixture
def small() -> Trace:
    """A run of two children in which a task is open, a call id is used twice and a return is not read."""
    return trace_of(
        document(
            event("s1", 0, "spawn", "lead", to="a"),
            event("s2", 1, "delegate", "lead", to="a", task_ref="job", mode="return_to_caller"),
            event("c1", 2, "tool_call", "a", tool="web"),
            event("c2", 3, "tool_call", "a", tool="web", call_id="k"),
            event("x2", 4, "tool_result", "web", tool="web", call_id="k"),
            event("r1", 5, "return", "a", to="lead", task_ref="job"),
            event("c3", 6, "tool_call", "a", tool="web", call_id="c1"),
            event("q", 7, "aggregate", "lead", inputs=["r1", "gone", "s1"]),
            event("s3", 8, "spawn", "a", to="b"),
            event("d", 9, "return", "b", to="a", delivery="explicit"),
        )
    )


def test_the_state_in_json(small: Trace) -> None:
    agent = {"status": "run", "parent": None, "depth": 0, "open_tasks": [], "open_calls": 0, "live_children": 0}
    done = replay(small, graph_of(small))
    assert done.machine.to_json() == {
        "agents": {
            "lead": agent | {"live_children": 1},
            "a": agent | {"parent": "lead", "depth": 1, "open_tasks": ["s1"], "open_calls": 1},
            "b": agent | {"parent": "a", "depth": 2, "status": "returned"},
        },
        "calls": {
            "c1": {"agent": "a", "tool": "web", "status": "open"},
            "k": {"agent": "a", "tool": "web", "status": "closed"},
        },
        "tasks": {
            "s1": {"by": "lead", "to": "a", "open": True},
            "s2": {"by": "lead", "to": "a", "open": False},
            "s3": {"by": "a", "to": "b", "open": False},
        },
        "unread": {"d": "a"},
        "answer": "q",
        "stopped": None,
        "counters": {"spawn": 2, "delegate": 1, "tool_call": 3, "tool_result": 1, "return": 2, "aggregate": 1},
    }
    assert done.machine.live == 2
    order = graph_of(small).order
    machine = Machine(small, order)
    for i in order:
        machine.step(small.events[i])
        if small.events[i].id == "c3":
            break
    assert machine.changes == [["call", "c1", "closed"], ["call", "c1", "open", "a", "web"]]


def test_the_shape_numbers_names_by_first_appearance(small: Trace) -> None:
    assert shape(small, graph_of(small)) == [
        ["spawn", 0, "to", 1],
        ["delegate", 0, "to", 1, "task", 0, ["mode", "return_to_caller"]],
        ["tool_call", 1, "tool", "web", "call", 0],
        ["tool_call", 1, "tool", "web", "call", 1],
        ["tool_result", 2, "tool", "web", "call", 1],
        ["return", 1, "to", 0, "task", 0],
        ["tool_call", 1, "tool", "web", "call", 0],
        ["aggregate", 0, "inputs", [-1, 0, 5]],
        ["spawn", 1, "to", 3],
        ["return", 3, "to", 1, ["delivery", "explicit"]],
    ]


def test_who_is_given_a_task_again_runs_again() -> None:
    first = [event("s", 0, "spawn", "lead", to="a"), event("r", 1, "return", "a", to="lead")]
    assert replayed(document(*first)).machine.live == 1
    again = replayed(document(*first, event("g", 2, "delegate", "lead", to="a"))).machine
    assert (again.live, again.agents["lead"].children) == (2, 1)


def test_the_digest_is_also_of_ids_and_root_agents() -> None:
    said = event("m", 0, "message", "lead")
    others = ({}, {"trace_id": "u"}, {"task_id": "u"}, {"root_agents": ["lead", "a"]})
    assert len({replayed(document(said, **more)).digest for more in others}) == len(others)


def test_a_digest_that_somebody_kept_stays_the_digest_of_the_run(small: Trace) -> None:
    kept = "17a300052cef6120864adf121f7022653b3cf351a4884effd135826051f2371b"
    assert replay(small, graph_of(small)).digest == kept


def test_broadcasts_are_counted() -> None:
    says = [event(key, t, "message", "lead") for t, key in enumerate("abc")]
    assert replayed(document(*says)).machine.broadcasts == 3


def test_people_that_are_declared_and_tools_that_sign_results_need_no_spawn() -> None:
    value = document(
        event("c", 0, "tool_call", "lead", tool="web", call_id="c"),
        event("r", 0, "tool_result", "web", tool="web", call_id="c"),
        event("w", 0, "message", "lead", to="web"),
        event("h", 0, "message", "ann", to="lead"),
        event("m", 1, "message", "lead", to="ann"),
        event("z", 2, "stop", "lead", reason="answered"),
        agents={"ann": {"kind": "human"}},
    )
    assert replayed(value).illegal == ()


def test_results_in_v1_go_to_the_oldest_open_call_of_their_tool() -> None:
    calls = [event(f"c{i}", i, "tool_call", "lead", tool="web") for i in (1, 2)]
    value = {
        "trace_id": "t", "task_id": "t", "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 9},
        "events": [*calls, event("r", 3, "tool_result", "web", tool="web")],
    }  # fmt: skip
    result = replayed(value)
    assert {key: call.status for key, call in result.machine.calls.items()} == {"c1": "closed", "c2": "open"}


def test_broadcasts_count_as_something_to_aggregate() -> None:
    value = document(
        event("m", 0, "message", "lead"), event("a", 1, "aggregate", "other"), event("b", 2, "aggregate", "other"),
        root_agents=["lead", "other"],
    )  # fmt: skip
    assert [(b.code, b.event and b.event.id) for b in replayed(value).illegal] == [("TR011", "b")]


@pytest.mark.parametrize("kind", ["reward", "safety_event", "human_intervention", "despawn"])
def test_some_events_may_come_after_the_stop(kind: str) -> None:
    more = {"reward": {"team": 1}} if kind == "reward" else {}
    value = document(event("z", 1, "stop", "lead", reason="budget"), event("y", 2, kind, "lead", **more))
    assert replayed(value).illegal == ()


def test_findings_say_what_happened() -> None:
    value = document(
        event("a", 0, "spawn", "lead"),
        event("b", 1, "spawn", "lead", to="x"),
        event("c", 2, "spawn", "x", to="y"),
        event("d", 3, "tool_call", "x", tool="web"),
        event("e", 4, "despawn", "x"),
    )
    assert [found.message for found in replayed(value).illegal] == [
        "a spawn has no 'to'",
        "'x' is despawned with 1 open call, 1 child",
    ]


def test_returns_with_one_id_are_read_once() -> None:
    spawns = [event(f"s{child}", 0, "spawn", "lead", to=child) for child in "ab"]
    returns = [event("r", t, "return", child, to="lead") for t, child in enumerate("ab", 1)]
    machine = replayed(document(*spawns, *returns, event("q", 3, "aggregate", "lead"))).machine
    assert (len(machine.reads), machine.unread) == (1, {})


def test_tasks_with_one_id_are_closed_by_whoever_has_them() -> None:
    spawns = [event("s", t, "spawn", "lead", to=child) for t, child in enumerate("ab")]
    returns = [event(f"r{t}", t, "return", child, to="lead") for t, child in enumerate("aba", 2)]
    result = replayed(document(*spawns, *returns))
    assert [agent.tasks for agent in result.machine.agents.values()] == [[], [], []]
    assert [(found.code, found.event and found.event.id) for found in result.illegal] == [("TR006", "r4")]


def test_an_open_task_is_reported_at_the_event_that_gave_it_though_another_has_its_id() -> None:
    value = document(event("s", 0, "message", "lead"), event("s", 1, "spawn", "lead", to="a"))
    assert [f.pointer for f in replayed(value).loose_ends if f.code == "TW102"] == ["/events/1"]


def test_the_first_step_with_a_code() -> None:
    """Agents b and d act in steps 3 and 5, and nobody spawned them; what has no event belongs to the last step."""
    events = [
        event("s1", 0, "spawn", "lead", to="a"), event("m1", 1, "message", "a"), event("m2", 2, "message", "b"),
        event("s2", 3, "spawn", "lead", to="c"), event("m3", 4, "message", "d"), event("m4", 5, "message", "lead", to="a"),
    ]  # fmt: skip
    trace = trace_of({"schema_version": "2.0", "trace_id": "t", "task_id": "t", "root_agents": ["lead"], "time_unit": "s", "events": events,
                      "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 9}})  # fmt: skip
    graph = graph_of(trace)
    assert [first_step(trace, graph, code) for code in ("TR002", "TR003", "TW104")] == [3, None, 6]
    for code in ("TS001", "TR999"):
        with pytest.raises(UsageError, match=f"'{code}' is not a code of the replay") as caught:
            first_step(trace, graph, code)
        assert "TR003" in (caught.value.hint or "")


TEXT = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(VALUES)
def test_bytes_are_those_of_the_rfc(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_keys_are_sorted_by_utf16_units() -> None:
    assert canonical({"b": 1, "a": 2}) == b'{"a":2,"b":1}'
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()
