"""What is shipped to a viewer: replay order, the spawn tree, and changes that can be run both ways."""

import trace_runs
from builders import DATA

from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.replay import Machine, gives_answer
from awesome_cli.traces.views import timeline
from awesome_cli.traces.views.timeline import AGENT, ANSWER, CALL, STATUS, STOPPED, TASK, UNREAD


def states(view):
    """The state after each number of events, from the shipped changes alone."""
    now = {(AGENT, a): 1 for a in view.begin}
    seen = [dict(now)]
    for k in range(len(view.order)):
        flat = view.changes[view.offsets[k] : view.offsets[k + 1]]
        for i in range(0, len(flat), 4):
            kind, key, new, old = flat[i : i + 4]
            assert now.get((kind, key), 0) == old
            now[kind, key] = new
        seen.append({at: value for at, value in now.items() if value})
    return seen


def test_the_shipped_changes_are_the_replay():
    trace = trace_runs.swarm(2, 3, 2)
    view = timeline.timeline(trace)
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
    view = timeline.timeline(trace_runs.lunch())
    assert list(zip(view.names, view.depths, view.parents, strict=True)) == [
        ("boss", 0, -1),
        ("baker", 1, 0),
        ("cook", 1, 0),
    ]


def test_arrows_lead_from_one_agent_to_another():
    view = timeline.timeline(trace_runs.lunch())
    pairs = [(view.order[u], view.order[v]) for u, v in zip(view.arrows[::2], view.arrows[1::2], strict=True)]
    assert [(u.type, u.agent, v.agent) for u, v in pairs] == [
        ("spawn", "boss", "baker"),
        ("spawn", "boss", "cook"),
        ("return", "baker", "boss"),
        ("return", "cook", "boss"),
    ]


def test_findings_stand_at_their_events():
    view = timeline.timeline(trace_runs.lunch())
    first = view.findings[0]
    assert (first["code"], first["level"], view.order[first["event"]].type) == ("TR009", "error", "message")


def test_a_version_1_trace_has_a_timeline():
    from awesome_cli.traces.reading import read_trace

    reading = read_trace((DATA / "traces" / "v1" / "example.json").read_bytes())
    view = timeline.timeline(reading.trace)
    assert "web.search" in view.names
    assert len(states(view)) == 9
