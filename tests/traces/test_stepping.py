"""A walk through a trace: where a code or an agent comes next."""

from typing import Any

import pytest

from awesome_cli.errors import UsageError
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.stepping import Walk


def event(key: str, t: float, kind: str, agent: str, **more: Any) -> dict[str, Any]:
    return {"id": key, "t": t, "type": kind, "agent": agent, **more}


@pytest.fixture
def walk() -> Walk:
    """Agents b and d act in steps 3 and 5, and nobody spawned them."""
    events = [
        event("s1", 0, "spawn", "lead", to="a"), event("m1", 1, "message", "a"), event("m2", 2, "message", "b"),
        event("s2", 3, "spawn", "lead", to="c"), event("m3", 4, "message", "d"), event("m4", 5, "message", "lead", to="a"),
    ]  # fmt: skip
    trace = read_document({"schema_version": "2.0", "trace_id": "t", "task_id": "t", "root_agents": ["lead"], "time_unit": "s", "events": events,
                           "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 9}}).trace  # fmt: skip
    assert trace is not None
    return Walk(trace)


def test_a_code_is_found_after_a_step_and_not_at_it(walk: Walk):
    assert [walk.find("TR002", after) for after in range(6)] == [3, 3, 3, 5, 5, None]
    assert walk.find("TR003") is None


def test_the_walk_goes_on_to_a_code_or_to_a_step_before_it(walk: Walk):
    assert [walk.until("TR002", to) for to in (None, 2, 4)] == [3, 2, 3]
    assert (walk.until("TR003"), walk.until("TR003", 4)) == (None, 4)
    for code in ("TS001", "TR999"):
        with pytest.raises(UsageError, match=f"'{code}' is not a code of the replay") as caught:
            walk.until(code)
        assert "TR003" in (caught.value.hint or "")


def test_what_no_event_shows_stands_at_the_last_step(walk: Walk):
    assert {found.code: number for number, found in walk.findings if not found.event} == {"TW104": 6}


def test_an_agent_acts_or_is_addressed(walk: Walk):
    assert [walk.acts("a", after) for after in range(7)] == [1, 2, 6, 6, 6, 6, None]
    assert walk.acts("nobody") is None
