"""The lists beside the metrics: parts of a run, its critical path, unread returns, and agents over time."""

from itertools import pairwise
from typing import Any

import pytest
from builders import DATA
from hypothesis import given
from hypothesis import strategies as st
from test_metrics import RICH, document, event, measures
from trace_runs import import_path
from wellformed import run

from awesome_cli.traces.reading import read_document
from awesome_cli.traces.rows import Wanted, analyze_trace


def analysed(source: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    trace = read_document(source).trace
    assert trace is not None
    analysis = analyze_trace(trace, Wanted(details=True))
    return analysis.row, dict(analysis.details)


def real(path: str) -> dict[str, Any]:
    """A real run, imported."""
    (result,) = import_path(DATA / "runs" / path)
    (trace,) = result.traces
    return trace


def spent(seed: int) -> dict[str, Any]:
    """A simulated run whose model calls have tokens, and in which people are waited for."""
    source = run(seed)
    for i, one in enumerate(source["events"]):
        if one["type"] == "llm_call":
            one |= {
                "tokens_in": 10 * i + 7,
                "tokens_cached": 3 * i,
                "tokens_cache_write": i,
                "tokens_out": i,
                "cost_usd": i / 100,
            }
    begin, end = (f(one["t"] for one in source["events"]) for f in (min, max))
    waits = [
        event(
            f"h{i}",
            begin + (end - begin) * i / 7,
            "human_intervention",
            "ann",
            t_end=begin + (end - begin) * (i + 2) / 7,
        )
        for i in (0, 3)
    ]
    return {**source, "agents": {"ann": {"kind": "human"}}, "events": [*source["events"], *waits]}


def path(source: Any) -> list[str]:
    _, more = analysed(source)
    return [each["id"] for each in more["critical_path"]]


def test_a_critical_path_goes_over_what_has_ended() -> None:
    """`z` is as long as `y` and ends too late; the tool `u` is as long as `l` and leads to nothing."""
    calls = [("x", 0, 4), ("y", 1, 3), ("z", 2, 4), ("t", 3, 6)]
    assert path(document(*(event(key, t, "llm_call", "lead", t_end=end) for key, t, end in calls))) == ["y", "t"]
    source = document(
        event("l", 0, "llm_call", "lead", t_end=2),
        event("u", 0, "tool_result", "web", tool="web", t_end=2),
        event("v", 3, "tool_result", "web", tool="web", t_end=6),
    )
    source["edges"] = [{"src": "l", "dst": "v", "type": "causal"}]
    assert path(source) == ["l", "v"]


@given(st.integers(0, 400))
def test_parts_add_up_to_the_whole(seed: int) -> None:
    row, more = analysed(spent(seed))
    parts = (row["tokens_fresh"], row["tokens_cached"], row["tokens_cache_write"], row["tokens_out"])
    assert sum(n or 0 for n in parts) == (row["tokens"] or 0)
    for name in ("by_role", "by_sub_decision"):
        assert sum(part["events"] for part in more[name]) == row["events"]
        assert sum(part["tokens"] or 0 for part in more[name]) == (row["tokens"] or 0)
        assert sum(part["work_s"] for part in more[name]) == pytest.approx(row["work_s"] or 0)
        assert sum(part["cost"] or 0 for part in more[name]) == pytest.approx(row["cost_usd"] or 0)


@given(st.integers(0, 400))
def test_time_is_work_people_or_idle_and_the_path_is_as_long_as_the_span(seed: int) -> None:
    row, more = analysed(spent(seed))
    assert row["busy_s"] + (row["person_wait_s"] or 0) + row["idle_s"] == pytest.approx(row["elapsed_s"])
    path = more["critical_path"]
    assert sum(one["work_s"] for one in path) == pytest.approx(row["span_s"])
    assert all(a["t"] + a["work_s"] <= b["t"] + 1e-9 for a, b in pairwise(path))


@given(st.integers(0, 400))
def test_agents_over_time_reach_what_the_metrics_say(seed: int) -> None:
    row, more = analysed(run(seed))
    assert max(one["agents"] for one in more["over_time"]) <= row["live_agents"]
    assert max(one["depth"] for one in more["over_time"]) <= row["spawn_depth"]
    assert [one["t"] for one in more["over_time"]] == sorted({one["t"] for one in more["over_time"]})


def test_waiting_for_a_person_is_not_idle() -> None:
    """Work from 0 to 2; a person from 1 to 5, and again from 4 to 6; nothing until 8; work until 9."""
    events = [
        event("a", 0, "llm_call", "lead", t_end=2), event("p", 1, "human_intervention", "lead", t_end=5),
        event("q", 4, "human_intervention", "lead", t_end=6), event("b", 8, "llm_call", "lead", t_end=9),
    ]  # fmt: skip
    found = measures(document(*events)).values
    assert (found["busy_s"], found["person_wait_s"], found["idle_s"], found["idle_share"]) == (
        3,
        4,
        2,
        pytest.approx(2 / 9),
    )


def test_model_calls_count_for_what_they_decide() -> None:
    events = [
        event("m1", 0, "llm_call", "lead", tokens_out=1), event("s", 1, "spawn", "lead", to="a"),
        event("m2", 2, "llm_call", "a", tokens_out=10), event("t", 3, "tool_call", "a", tool="x", call_id="t"),
        event("u", 4, "tool_result", "a", tool="x", call_id="t"), event("m3", 5, "llm_call", "a", tokens_out=100),
        event("r", 6, "return", "a", to="lead"), event("m4", 7, "llm_call", "lead", tokens_out=1000),
        event("g", 8, "message", "lead", to="a"), event("m5", 9, "llm_call", "lead", tokens_out=10_000),
        event("z", 10, "stop", "lead", reason="answered"),
    ]  # fmt: skip
    _, more = analysed(document(*events))
    found = {part["name"]: part["tokens"] for part in more["by_sub_decision"]}
    assert found == {"spawn": 1, "communicate": 1000, "stop": 10_000, "execute": 110}
    assert {part["name"]: part["events"] for part in more["by_sub_decision"]}["execute"] == 5  # The return is work.
    final = [*events[:7], event("m4", 7, "llm_call", "lead", tokens_out=1000), events[-1]]
    assert {part["name"]: part["tokens"] for part in analysed(document(*final))[1]["by_sub_decision"]}[
        "aggregate"
    ] == 1000


def test_the_role_of_a_spawn_is_that_of_the_child() -> None:
    """The root has no role, and the known tokens of its own calls; each child has those of its return."""
    _, more = analysed(real("claude-code/entire-51-foreground/full.jsonl"))
    roles = {part["name"]: (part["events"], part["tokens"]) for part in more["by_role"]}
    assert len(roles) == 7
    assert roles["main"] == (56, 845_061 + 3_467)
    assert roles["entire-engineering:review:pattern-recognition-specialist"] == (1, 67_791)
    events = [event("s", 0, "spawn", "lead", to="a", role="r"), event("a", 1, "llm_call", "a", tokens_in=3)]
    assert [part["name"] for part in analysed(document(*events))[1]["by_role"]] == ["r", "lead"]
    declared = document(*events, agents={"a": {"role": "as declared"}})
    assert [part["name"] for part in analysed(declared)[1]["by_role"]] == ["as declared", "lead"]


def test_a_result_that_nobody_read_and_its_price() -> None:
    """`a` returns twice: what it spent on the first result, which was read, is not lost."""
    events = [
        event("s", 0, "spawn", "lead", to="a"), event("m1", 1, "llm_call", "a", t_end=2, tokens_in=5, cost_usd=1),
        event("r1", 3, "return", "a", to="lead"), event("d", 4, "delegate", "lead", to="a"),
        event("m2", 5, "llm_call", "a", t_end=8, tokens_in=30, cost_usd=2), event("r2", 9, "return", "a", to="lead", delivery="explicit"),
        event("m3", 10, "llm_call", "lead", t_end=11, tokens_in=1),
    ]  # fmt: skip
    row, more = analysed(document(*events))
    assert more["unread"] == [{"id": "r2", "agent": "a", "tokens": 30, "work_s": 3, "cost": 2}]
    assert (row["unread_returns"], row["unread_tokens"], row["unread_s"]) == (1, 30, 3)


def test_a_job_that_is_spawned_twice_is_seen() -> None:
    events = [event(f"s{i}", i, "spawn", "lead", to=f"a{i}", content_ref=content) for i, content in enumerate("xyx")]
    found = measures(document(*events)).values
    assert (found["repeated_tasks"], found["redundant_actions"], found["redundant_actions_own"]) == (
        1,
        pytest.approx(1 / 3),
        pytest.approx(1 / 3),
    )


def test_an_inferred_answer_is_no_answer() -> None:
    events = [
        event("a", 0, "llm_call", "lead"),
        event("b", 1, "llm_call", "lead"),
        event("q", 2, "aggregate", "lead", inferred=True),
    ]
    found = measures(document(*events, event("z", 3, "stop", "lead", reason="answered", inferred=True)))
    assert found.values["wasted_work"] is None
    assert "no answer is recorded" in found.not_computable["wasted_work"]
    assert measures(document(*events, event("z", 3, "stop", "lead", reason="error"))).values["wasted_work"] is None
    assert measures(document(*events, event("z", 3, "stop", "lead", reason="answered"))).values["wasted_work"] == 0
    assert measures(document(*events, answer_available_at=0)).values["wasted_work"] == 0.5


def test_a_stop_is_premature_where_the_run_failed_and_something_is_open() -> None:
    def found(reward: float, *last: dict[str, Any]) -> float | int | None:
        events = [event("s", 0, "spawn", "lead", to="a"), event("m", 1, "llm_call", "a")]
        return measures(document(*events, *last, rewards={"team": reward})).values["premature_stop"]

    stop = event("z", 9, "stop", "lead", reason="answered")
    assert (found(0, stop), found(1, stop), found(0)) == (1, 0, None)
    assert found(0, event("r", 2, "return", "a", to="lead"), stop) == 0


def test_the_rich_example_over_time() -> None:
    _, more = analysed(RICH)
    assert [point["agents"] for point in more["over_time"]] == [1, 3, 2, 1, 2, 1]
