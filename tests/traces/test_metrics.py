"""Every metric on a run small enough to count by hand."""

import copy
import json
from importlib import resources
from pathlib import Path
from typing import Any

import generated_tables
import pytest
from builders import DATA, EXAMPLES
from hypothesis import given
from hypothesis import strategies as st
from trace_runs import import_path
from wellformed import run

from awesome_cli.traces import metrics
from awesome_cli.traces.metrics import METRICS, QUESTIONS, Measures, measure
from awesome_cli.traces.metrics.run import Metric
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.rows import COLUMNS, Analysis, analyze, analyze_trace

RICH = json.loads((EXAMPLES / "rich-v2.json").read_text(encoding="utf-8"))


def measures(document: Any) -> Measures:
    trace = read_document(document).trace
    assert trace is not None
    return measure(trace)


def value(document: Any, name: str) -> Any:
    return measures(document).values[name]


def event(key: str, t: float, kind: str, agent: str, **more: Any) -> dict[str, Any]:
    return {"id": key, "t": t, "type": kind, "agent": agent, **more}


def document(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "schema_version": "2.0", "trace_id": "t", "task_id": "t", "time_unit": "s", "root_agents": ["lead"],
        "events": list(events), "edges": [], "rewards": {}, "costs": {"tokens": 0, "wall_clock_s": 99}, **more,
    }  # fmt: skip


EXPECTED = {
    "events": 28, "agents": 3, "inferred_events": 0, "inferred_edges": 1, "breaches": 0, "model_calls": 7,
    # lead 1, then one branch with two calls, lead, south again: 1 + 2 + 1 + 1.
    "work_steps": 7, "critical_steps": 5, "stage_steps": 5, "potential_speedup_steps": 7 / 5,
    # 0 to 2, two branches from 2.5 to 9, then 9.2 to 10.5, 10.6 to 12 and 12.4 to 12.9.
    "elapsed_s": 14, "busy_s": 11.7, "max_concurrency": 2,
    "spawn_depth": 1, "spawn_width": 2, "live_children": 2, "live_agents": 3,
    "protocol_overhead": 8 / 28, "message_density": 1 / 7, "redundant_actions": 1 / 3, "redundant_actions_own": 0,
    "oscillation": 0, "tool_success": 3 / 4, "unread_returns": 0, "unreturned_children": 0, "open_calls": 0,
    # 3,820 + 300 + 550; 14 s are 11.7 s of work, and nobody was waited for.
    "tokens": 4670, "tokens_fresh": 3820, "tokens_cached": 300, "tokens_out": 550, "tokens_partial": 0, "idle_s": 2.3,
    "unread_tokens": 0, "unread_s": 0, "lost_work_share": 0, "agents_without_tokens": 0, "unread_messages": 0,
    # d1 spawns (820); d2 delegates (690): 1,510, and no other call coordinates.
    "protocol_token_share": 1510 / 4670, "overrun_steps": 0,
    "success": 1, "split_correctness": 2 / 3, "subtask_coverage": 1,
    "aggregation_loss": 0, "premature_stop": 0,
    # The timeout comes before south's wrong return and nothing else that is wrong.
    "error_spread": 1, "taint_violations": 0, "parl_finish": 1, "edges_left_out": 0,
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_the_rich_example(name: str) -> None:
    assert value(RICH, name) == pytest.approx(EXPECTED[name])


def test_every_metric_is_documented_and_answers_or_says_why() -> None:
    folder = resources.files(metrics)
    files = {p.name.removesuffix(".py") for p in folder.iterdir() if p.name.endswith(".py")}
    modules = {module.__name__.rpartition(".")[2] for module in metrics.MODULES.values()}
    assert files == {*modules, "__init__", "details", "report", "run"}
    assert all(metric.paragraphs[0] for metric in METRICS.values())
    for source in (RICH, run(1), document(event("a", 0, "llm_call", "lead"))):
        found = measures(source)
        assert set(found.values) == set(METRICS)
        assert set(found.not_computable) == {name for name, number in found.values.items() if number is None}
        assert all(found.not_computable.values())


def test_what_the_root_does_by_tools_is_no_protocol_and_a_run_of_one_agent_has_none() -> None:
    """The root's 5 tokens for a tool and the 100 of the child's return are work; 3 to spawn and 2 to aggregate are not."""
    alone = [event("m", 0, "llm_call", "lead", tokens_in=5), event("t", 1, "tool_call", "lead", tool="x", call_id="t")]
    found = measures(document(*alone))
    assert found.values["protocol_token_share"] is None
    assert found.not_computable["protocol_token_share"] == "the run has fewer than two agents"
    more = [
        event("n", 2, "llm_call", "lead", tokens_in=3), event("s", 3, "spawn", "lead", to="a"), event("b", 3, "spawn", "lead", to="b"),
        event("r", 4, "return", "a", to="lead", tokens_in=100, status="error"), event("q", 5, "llm_call", "lead", tokens_in=2),
        event("g", 6, "aggregate", "lead"),
    ]  # fmt: skip
    values = measures(document(*alone, *more)).values
    assert values["protocol_token_share"] == pytest.approx(5 / 110)
    assert (values["agents_without_tokens"], values["parl_finish"], values["returns_ok"]) == (0, 0.5, 0)


def test_without_model_calls_no_work_is_wasted_or_late() -> None:
    found = measures(document(event("a", 0, "spawn", "lead", to="b"), event("g", 1, "aggregate", "lead")))
    assert [found.values[name] for name in ("wasted_work", "overrun_steps")] == [None] * 2
    assert found.not_computable["wasted_work"] == "no model call is recorded"


def test_a_message_that_was_never_delivered_is_unread() -> None:
    told = [event(f"m{i}", i, "message", "lead", to="a", delivery="explicit") for i in range(2)]
    read = event("c", 5, "llm_call", "a", inputs=["m0"])
    assert value(document(*told, read, event("n", 6, "message", "lead", to="a")), "unread_messages") == 1


def test_v1_gives_structure_and_no_times() -> None:
    found = measures({key: copy.deepcopy(RICH[key]) for key in ("trace_id", "task_id", "rewards")} | {
        "events": [event("a", 0, "spawn", "lead", to="b"), event("b", 4, "return", "b", to="lead"), event("c", 9, "aggregate", "lead")],
        "edges": [], "costs": {"tokens": 1, "wall_clock_s": 9},
    })  # fmt: skip
    assert (found.values["work_steps"], found.values["critical_steps"], found.values["parl_finish"]) == (3, 3, 1)
    assert found.values["tokens"] == 1
    for name in ("elapsed_s", "span_s", "achieved_speedup", "tool_success", "tokens_fresh", "model_calls"):
        assert found.values[name] is None


def test_overlapping_calls_of_one_agent_are_no_chain() -> None:
    calls = [event(f"c{i}", 0, "tool_call", "lead", t_end=2, tool="x", call_id=f"c{i}") for i in range(3)]
    found = measures(document(*calls)).values
    assert (found["span_s"], found["work_s"], found["busy_s"], found["max_concurrency"]) == (2, 6, 2, 3)
    assert found["potential_speedup"] == found["achieved_speedup"] == 3


def test_independent_jobs_in_turn_could_run_at_once() -> None:
    jobs = [event(f"j{i}", 2 * i, "llm_call", f"a{i}", t_end=2 * i + 2) for i in range(3)]
    found = measures(document(*jobs, root_agents=["a0", "a1", "a2"])).values
    assert (found["potential_speedup"], found["achieved_speedup"], found["max_concurrency"]) == (3, 1, 1)


def test_a_parent_around_its_children_and_waiting_are_no_work() -> None:
    events = [
        event("p", 0, "orchestrator_decision", "lead", t_end=10), event("c", 1, "llm_call", "lead", t_end=3, parent="p"),
        event("s", 4, "spawn", "lead", t_end=9, to="a"), event("x", 5, "llm_call", "a", t_end=8),
        event("h", 11, "human_intervention", "ann", t_end=20),
    ]  # fmt: skip
    found = measures(document(*events)).values
    assert (found["work_s"], found["busy_s"], found["span_s"]) == (5, 5, 5)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), min_size=1, max_size=10))
def test_busy_and_concurrency_are_those_of_a_count_moment_by_moment(intervals: list[tuple[int, int]]) -> None:
    events = [event(f"e{i}", t, "llm_call", f"a{i}", t_end=t + lasts) for i, (t, lasts) in enumerate(intervals)]
    found = measures(document(*events)).values
    running = [sum(t <= moment < t + lasts for t, lasts in intervals) for moment in range(20)]
    assert (found["busy_s"], found["max_concurrency"]) == (sum(map(bool, running)), max(running))


def test_a_cross_edge_from_what_is_not_over_is_left_out_and_counted() -> None:
    events = [event("a", 0, "llm_call", "lead", t_end=5), event("b", 3, "llm_call", "other", t_end=6)]
    source = document(*events, root_agents=["lead", "other"])
    source["edges"] = [{"src": "a", "dst": "b", "type": "causal"}]
    found = measures(source).values
    assert (found["edges_left_out"], found["span_s"], found["busy_s"]) == (1, 5, 6)


def test_lost_and_wasted_work() -> None:
    events = [
        event("s1", 0, "spawn", "lead", to="a"), event("s2", 0, "spawn", "lead", to="b"),
        event("a1", 1, "llm_call", "a", tokens_in=10, tokens_out=0), event("b1", 1, "llm_call", "b", tokens_in=30, tokens_out=0),
        event("r", 2, "return", "a", to="lead"), event("q", 3, "aggregate", "lead"),
        event("late", 4, "llm_call", "b", tokens_in=0, tokens_out=0),
    ]  # fmt: skip
    found = measures(document(*events)).values
    assert found["lost_work_share"] == 30 / 40
    assert found["wasted_work"] == pytest.approx(2 / 3)


def test_overrun_counts_what_starts_after_the_answer() -> None:
    events = [event(f"e{i}", i, "llm_call", "lead", steps=2) for i in range(4)]
    assert value(document(*events, answer_available_at=1), "overrun_steps") == 4


def test_oscillation_is_back_and_forth() -> None:
    targets = ["a", "b", "a", "b", "c"]
    events = [event(f"d{i}", i, "delegate", "lead", to=to) for i, to in enumerate(targets)]
    assert value(document(*events, root_agents=["lead", "a", "b", "c"]), "oscillation") == 2 / 3


def test_taint_passes_between_agents_until_sanitized() -> None:
    def found(*, clean: bool = False) -> dict[str, Any]:
        events = [
            event("c", 0, "tool_call", "lead", tool="web", call_id="c"),
            event("r", 1, "tool_result", "web", tool="web", call_id="c", trusted=False),
            event("s", 2, "spawn", "lead", to="a", **({"sanitized": True} if clean else {})),
            event("p", 3, "tool_call", "a", tool="mail", call_id="m"),
        ]
        return dict(measures(document(*events, tools={"mail": {"privileged": True}})).values)

    assert (found()["taint_violations"], found()["taint_reach"]) == (1, 3 / 4)
    assert (found(clean=True)["taint_violations"], found(clean=True)["taint_reach"]) == (0, 1 / 4)


def test_steps_stand_for_calls() -> None:
    events = [event("a", 0, "llm_call", "lead", steps=5), event("b", 1, "orchestrator_decision", "lead", steps=2)]
    assert value(document(*events), "critical_steps") == 7


def test_rows_are_flat_and_have_one_set_of_keys() -> None:
    row = analyze(RICH)
    assert tuple(row) == COLUMNS
    assert all(v is None or isinstance(v, str | int | float) for v in row.values())
    assert analyze(json.dumps(RICH)) == analyze(json.dumps(RICH).encode()) == row
    assert (row["group_id"], row["policy_version"], row["train_step"]) == ("find-harbours@3", "step-120", 120)
    broken = analyze("{")
    assert tuple(broken) == COLUMNS
    assert " TP004 " in broken["error"]


def group(*rewards: float, **more: Any) -> list[Analysis]:
    analyses = []
    for i, reward in enumerate(rewards):
        source = copy.deepcopy(RICH) | {"trace_id": f"r{i}", "rewards": {"team": reward}, **more}
        trace = read_document(source).trace
        assert trace is not None
        analyses.append(analyze_trace(trace))
    return analyses


def test_waiting_is_no_work() -> None:
    """Waits count in no redundancy; one that times out is neither a failed tool nor an error."""
    waits = [
        each
        for i, status in enumerate(("timeout", "timeout", "error"))
        for each in (
            event(f"w{i}", i, "tool_call", "lead", tool="wait", call_id=f"w{i}", content_ref="same", waits=True),
            event(f"v{i}", i + 0.5, "tool_result", "lead", call_id=f"w{i}", status=status),
        )
    ]
    work = [
        event("c", 5, "tool_call", "lead", tool="web", call_id="c", content_ref="page"),
        event("r", 6, "tool_result", "lead", call_id="c", status="ok"),
    ]
    found = measures(document(*waits, *work)).values
    names = ("redundant_actions", "redundant_actions_own", "tool_success", "error_spread")
    assert [found[name] for name in names] == [0, 0, 1, 0]
    told = measures(document(*waits))
    assert [told.values[name] for name in names] == [None, None, None, 0]
    assert (
        told.not_computable["tool_success"]
        == "no tool result has a status (results of calls that only wait do not count)"
    )
    assert "only wait" in told.not_computable["redundant_actions"]


def test_the_reason_of_a_null_is_its_own() -> None:
    """A metric that can be null for several reasons names the one that holds."""
    alone = [event("m", 0, "llm_call", "lead", t_end=1)]
    told = measures(document(*alone)).not_computable
    assert told["person_wait_s"] == "no human_intervention has an end (t_end) after its start"
    assert told["overrun_steps"].endswith("or a recorded aggregate)")
    told = measures(document(event("a", 0, "tool_call", "lead"), answer_available_at=0)).not_computable
    assert told["overrun_steps"] == "no model call is recorded"
    assert told["person_wait_s"] == "no working event has an end (t_end) after its start"


def has(document: Any, *fields: str, kinds: tuple[str, ...] = ()) -> bool:
    """True if an event, of one of the kinds if there are any, has a value in one of the fields."""
    events = [e for e in document["events"] if not kinds or e["type"] in kinds]
    return any(e.get(field) is not None for e in events for field in fields)


def works(document: Any) -> bool:
    idle = {"spawn", "delegate", "human_intervention"}
    return any(e.get("t_end", e["t"]) > e["t"] and e["type"] not in idle for e in document["events"])


def kinds(document: Any) -> list[str]:
    return [e["type"] for e in document["events"]]


TRUE = {
    "no event records tokens": lambda d: not has(d, "tokens_in", "tokens_out"),
    "no event records tokens, and costs.tokens is 0": lambda d: (
        not has(d, "tokens_in", "tokens_out") and not d["costs"]["tokens"]
    ),
    **{
        f"no event records {field}": lambda d, field=field: not has(d, field)
        for field in ("tokens_in", "tokens_out", "tokens_cached", "tokens_cache_write", "tokens_reasoning")
    },
    "no working event has an end (t_end) after its start": lambda d: not works(d),
    "no human_intervention has an end (t_end) after its start": lambda d: (
        not any(e["type"] == "human_intervention" and e.get("t_end", e["t"]) > e["t"] for e in d["events"])
    ),
    "the time unit is 'step', not a time": lambda d: d["time_unit"] == "step",
    "no model call is recorded": lambda d: "llm_call" not in kinds(d) and not has(d, "steps"),
    "no event is an llm_call or has 'steps'": lambda d: "llm_call" not in kinds(d) and not has(d, "steps"),
    "no reasoning turn (llm_call) is recorded": lambda d: "llm_call" not in kinds(d) and not has(d, "steps"),
    "the run has fewer than two agents": lambda d: "spawn" not in kinds(d) and len(d.get("root_agents", ())) < 2,
    "fewer than three spawns and delegations": lambda d: kinds(d).count("spawn") + kinds(d).count("delegate") < 3,
    "the run has no spawn or delegate": lambda d: not {"spawn", "delegate"} & set(kinds(d)),
    "no return has a status": lambda d: not has(d, "status", kinds=("return",)),
    "no tool result has a status (results of calls that only wait do not count)": lambda d: (
        not has(d, "status", kinds=("tool_result",))
    ),
    "no spawn or delegate has a content_hash or content_ref": lambda d: (
        not has(d, "content_hash", "content_ref", kinds=("spawn", "delegate"))
    ),
    "no spawn, delegate or tool_call has a content_hash or content_ref (calls that only wait do not count)": lambda d: (
        not has(d, "content_hash", "content_ref", kinds=("spawn", "delegate", "tool_call"))
    ),
    "no event has a status or says whether it was correct": lambda d: not has(d, "status", "correct"),
    "no return says whether it was correct": lambda d: not has(d, "correct", kinds=("return",)),
    "no spawn or delegate names its subtask": lambda d: not has(d, "subtask"),
    "no stop of the run is recorded": lambda d: (
        not any(e["type"] == "stop" and e.get("scope") != "agent" and not e.get("inferred") for e in d["events"])
    ),
    "the trace has no reward 'team' and no annotation 'success'": lambda d: (
        "team" not in d["rewards"] and "success" not in d.get("annotations", {})
    ),
    "the trace does not record trust (trusted, or output_trusted of a tool)": lambda d: (
        not has(d, "trusted") and not any("output_trusted" in tool for tool in d.get("tools", {}).values())
    ),
    "no tool records if it is privileged (tools.*.privileged)": lambda d: (
        not any("privileged" in tool for tool in d.get("tools", {}).values())
    ),
    **{
        f"provenance.unrecorded lists {word!r}": lambda d, word=word: word in d["provenance"]["unrecorded"]
        for word in ("delivery", "return", "result")
    },
    "it is unknown when the answer was available (answer_available_at, a correct return, or a recorded aggregate)": (
        lambda d: not any(e["type"] == "aggregate" and not e.get("inferred") for e in d["events"])
    ),
    "no answer is recorded (an aggregate, a stop with reason answered, or answer_available_at)": lambda d: (
        not any(
            (e["type"] == "aggregate" or (e.get("reason") == "answered" and e.get("scope") != "agent"))
            and not e.get("inferred")
            for e in d["events"]
        )
    ),
    "neither the events nor the trace record cost_usd, and prices.yaml is missing": lambda d: (
        not has(d, "cost_usd") and "cost_usd" not in d["costs"]
    ),
}
"""The reasons of nulls, each as a condition on the JSON of the trace."""


@pytest.mark.parametrize("folder", ["runs", "traces"])
def test_the_reasons_of_nulls_are_true_of_every_sample(folder: str) -> None:
    for source in (trace for result in import_path(DATA / folder) for trace in result.traces):
        for name, why in measures(source).not_computable.items():
            if name != "stage_steps":
                assert TRUE[why](source), f"{source['trace_id']}: {name}: {why}"


def test_messages_of_people_are_not_messages_between_agents() -> None:
    events = [
        {"id": "p", "t": 0, "type": "message", "agent": "user", "to": "lead"},
        {"id": "m", "t": 1, "type": "llm_call", "agent": "lead"},
        {"id": "b", "t": 2, "type": "message", "agent": "lead"},
        {"id": "q", "t": 3, "type": "message", "agent": "lead", "to": "user"},
    ]
    source = RICH | {"root_agents": ["lead"], "agents": {"user": {"kind": "human"}}, "events": events, "edges": []}
    assert measures(source).values["message_density"] == 1


def test_groups() -> None:
    from awesome_cli.traces.groups import summaries

    found = summaries(group(0, 1, 1, 0))
    assert list(found) == ["group_id", "policy_version"]
    summary = found["group_id"]["find-harbours@3"]
    assert found["policy_version"]["step-120"] == summary
    assert (summary["n"], summary["success"], summary["deviation"], summary["shapes"]) == (4, 0.5, 0.5, 1)
    assert summary["tokens_per_success"] == 4670 * 4 / 2
    assert summary["error_amplification"] == 1
    assert summary["advantages"] == {"r0": -1, "r1": 1, "r2": 1, "r3": -1}
    assert summary["agent_advantages"]["searcher"] == summary["advantages"]
    sample = summaries(group(0, 1, 1, 0), "sample")["group_id"]["find-harbours@3"]
    assert sample["deviation"] == pytest.approx((1 / 3) ** 0.5)
    assert sample["advantages"]["r1"] == pytest.approx(0.75**0.5)
    assert summaries(group(1), "sample")["group_id"]["find-harbours@3"]["deviation"] is None


def test_a_group_without_spread_has_no_advantages_and_without_success_no_price() -> None:
    from awesome_cli.traces.groups import summaries

    summary = summaries(group(0, 0))["group_id"]["find-harbours@3"]
    assert (summary["advantages"], summary["agent_advantages"], summary["cost_per_success"]) == (None, {}, None)


MAPPING = {
    "events": {"heat": {"spawn": "kettle", "delegate": "kettle", "stop": "off"}},
    "rewards": {"taste": {"team": "shared", "credit/agent/*": "each", "never": "bitter"}},
}


def test_cells_of_a_taxonomy() -> None:
    from awesome_cli.errors import SurveyError
    from awesome_cli.traces.cells import cells

    trace = read_document(RICH).trace
    assert trace is not None
    assert cells(trace, MAPPING) == {
        "heat": {"kettle": {"events": 3, "rewards": {}}, "off": {"events": 1, "rewards": {}}},
        "taste": {
            "shared": {"events": 0, "rewards": {"team": 1}},
            "each": {"events": 0, "rewards": {"credit/agent/north": 0.6, "credit/agent/south": 0.4}},
            "bitter": {"events": 0, "rewards": {}},
        },
    }
    with pytest.raises(SurveyError, match="'boil' is not an event type"):
        cells(trace, {"events": {"heat": {"boil": "kettle"}}})
    with pytest.raises(SurveyError, match="unknown part 'agents'"):
        cells(trace, {"agents": {}})


def test_comparison_finds_the_first_difference_whatever_the_names() -> None:
    from wellformed import renamed

    from awesome_cli.traces.comparing import compare

    a = read_document(run(5)).trace
    b = read_document(renamed(run(5), {"web": "web"})).trace
    assert a is not None
    assert b is not None
    assert (compare(a, b).step, compare(a, b).metrics) == (None, {})
    longer = copy.deepcopy(run(5))
    longer["events"][7]["type"] = "orchestrator_decision"
    c = read_document(longer).trace
    assert c is not None
    difference = compare(a, c)
    assert difference.step == 8
    assert difference.events[0] == a.events[7]


def entry(metric: Metric) -> str:
    facts = "\n".join(f"- {name}: {fact}" for name, fact in metric.facts.items())
    return "\n\n".join((f"### {metric.name}", *metric.paragraphs, facts)) + "\n"


def test_the_page_of_metrics_is_current(repository: Path, updating: bool) -> None:
    parts = [
        "\n".join((f"## {question}\n", *(entry(METRICS[name]) for name in names)))
        for question, names in QUESTIONS.items()
    ]
    generated_tables.check_text(repository / "docs" / "metrics.md", "metrics", "\n" + "\n".join(parts), update=updating)


def test_what_a_format_cannot_record_is_null_and_not_zero() -> None:
    events = [
        event("a", 0, "spawn", "lead", to="cook"),
        event("b", 1, "tool_call", "cook", tool="oven", call_id="c", tokens_in=5, t_end=2),
        event("d", 3, "return", "cook", to="lead", delivery="explicit"),
    ]
    about = {"provenance": {"unrecorded": ["return", "result", "delivery"]}}
    words = {
        "open_calls": "result", "unreturned_children": "return",
        **dict.fromkeys(("unread_returns", "unread_tokens", "unread_s", "lost_work_share"), "delivery"),
    }  # fmt: skip
    found = measures(document(*events, **about))
    for name, word in words.items():
        assert found.values[name] is None
        assert found.not_computable[name] == f"provenance.unrecorded lists {word!r}"
    known = measures(document(*events)).values
    assert [known[name] for name in words] == [1, 0, 1, 5, 1, 1]


def test_costs_of_some_calls_are_a_lower_bound() -> None:
    calls = [event("a", 0, "spawn", "lead", to="cook"), event("b", 1, "llm_call", "cook", cost_usd=0.5)]
    calls.append(event("c", 2, "return", "cook", to="lead", delivery="explicit"))
    whole = measures(document(*calls)).values
    assert (whole["cost_usd"], whole["cost_partial"]) == (0.5, 0)
    assert value(document(*calls, event("d", 3, "llm_call", "lead")), "cost_partial") == 1
    total = measures(document(*calls[::2], costs={"tokens": 0, "wall_clock_s": 9, "cost_usd": 2.5}))
    assert (total.values["cost_usd"], total.values["cost_partial"]) == (2.5, 0)


def test_only_metrics_that_say_so_are_null() -> None:
    found = [measures(source) for source in (RICH, run(1), document(event("a", 0, "llm_call", "lead")))]
    null = {name for each in found for name in each.not_computable}
    assert {metric.name for metric in METRICS.values() if metric.null == "never"} & null == set()
    assert {name for name in METRICS if all(name in each.not_computable for each in found)} <= {
        "person_wait_s", "repeated_tasks", "returns_ok", "tokens_cache_write", "tokens_reasoning",
    }  # fmt: skip


def test_an_agent_that_failed_may_have_used_no_tokens() -> None:
    events = [
        event("m", 0, "llm_call", "lead", tokens_in=3), event("s", 1, "spawn", "lead", to="a"), event("b", 1, "spawn", "lead", to="b"),
        event("r", 2, "return", "a", to="lead", status="error"), event("q", 2, "return", "b", to="lead", status="ok"),
    ]  # fmt: skip
    assert value(document(*events), "agents_without_tokens") == 1
    assert value(document(*events[1:]), "agents_without_tokens") is None
