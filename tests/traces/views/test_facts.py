"""The numbers above the lanes."""

import trace_runs

from awesome_cli.traces.views.timeline import facts, timeline


def of(events, **header):
    return dict(facts(timeline(trace_runs.trace(events, **header))))


CALL = {
    "t": 0, "t_end": 4.2, "type": "llm_call", "agent": "boss", "tokens_in": 100, "tokens_cached": 60,
    "tokens_cache_write": 10, "tokens_out": 5,
}  # fmt: skip


def test_tokens_stand_apart_and_a_wrong_total_is_named():
    found = of([CALL], costs={"tokens": 1, "wall_clock_s": 5})
    assert found["tokens"] == "105"
    assert (found["fresh tokens"], found["cached tokens"], found["cache-writing tokens"]) == ("30", "60", "10")
    assert found["output tokens"] == "5"
    assert found["tokens declared (differs)"] == "1"
    assert "tokens declared (differs)" not in of([CALL], costs={"tokens": 105, "wall_clock_s": 5})


def test_a_total_without_events_is_all_that_is_known():
    quiet = {"t": 0, "type": "llm_call", "agent": "boss"}
    assert of([quiet], costs={"tokens": 7, "wall_clock_s": 5})["tokens"] == "7"
    assert "tokens" not in of([quiet], costs={"tokens": 0, "wall_clock_s": 5})
    assert of([CALL | {"tokens_partial": True}])["tokens"] == "at least 105"


def test_times_are_words():
    assert of([CALL])["elapsed"] == "4.2 s"
    assert of([CALL | {"t_end": 18_060}])["elapsed"] == "5 h 1 min"
    assert of([CALL | {"t_end": 3}], time_unit="step")["elapsed"] == "3 steps"
