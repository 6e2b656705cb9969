"""The table of decisions: the worked example of the manual, what cannot be computed, and what holds for every trace."""

import json
from math import isclose
from pathlib import Path
from typing import Any

import generated_tables
import pytest
from builders import DATA, EXAMPLES
from hypothesis import given
from hypothesis import strategies as st
from running import invoke
from trace_runs import import_path
from wellformed import run

from awesome_cli import api
from awesome_cli.traces.groups import RULES, GroupSpread, Rollout, Spread
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.training.decisions import DECISIONS, decided
from awesome_cli.traces.training.table import COLUMNS, DecisionTable


def trace_of(document: Any) -> Trace:
    trace = read_document(document).trace
    assert trace is not None
    return trace


@pytest.fixture
def page(repository: Path) -> Path:
    return repository / "docs" / "training.md"


@pytest.fixture
def lines(page: Path) -> list[str]:
    """The rollouts of the manual's example."""
    return [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith('{"schema_version"')]


@pytest.fixture
def rollouts(lines: list[str]) -> list[Trace]:
    return [trace_of(json.loads(line)) for line in lines]


def rows_of(traces: list[Trace], **how: Any) -> list[dict[str, Any]]:
    table = DecisionTable.over(traces, **how)
    return [row for trace in traces for row in table.rows(trace)]


def column(rows: list[dict[str, Any]], name: str, **where: Any) -> list[Any]:
    return [row[name] for row in rows if all(row[key] == value for key, value in where.items())]


def test_the_example_of_the_manual_by_hand(rollouts, lines):
    assert len(lines) == 3
    rows = rows_of(rollouts, gamma=0.5)
    assert column(rows, "decision", trace_id="run-1") == ["spawn", "tool_call", "return", "stop"]
    assert column(rows, "return_to_go", trace_id="run-1") == pytest.approx([0.21875, 0.4375, 0.375, 0.75])
    assert column(rows, "broadcast_credit", decision="spawn") == [1, 0, 1]
    assert column(rows, "group_relative_credit", decision="stop") == pytest.approx([0.7071, -1.4142, 0.7071], abs=1e-4)
    assert column(rows, "per_agent_credit", decision="tool_call") == pytest.approx([0.5774, -1.7321, 0.5774], abs=1e-4)
    assert column(rows, "per_turn_credit", decision="tool_call") == pytest.approx([0, -1.2247, 1.2247], abs=1e-4)
    turns = ["run-3/lead/0", "run-3/worker/0", "run-3/worker/1", "run-3/lead/1"]
    assert column(rows, "per_turn_unit", trace_id="run-3") == turns
    assert column(rows, "model_call", trace_id="run-3") == ["a", "c", "g", "i"]
    assert column(rows, "tokens_out", trace_id="run-1") == [10, 8, 8, 6]
    assert column(rows, "shared_by", trace_id="run-1") == [1, 2, 2, 1]


def test_the_sample_deviation_divides_by_one_less(rollouts):
    rows = rows_of(rollouts, std="sample")
    # The rewards 1, 0, 1 and, by model calls of the worker, 1, 0, 1, 1.
    assert column(rows, "group_relative_credit", decision="stop") == pytest.approx([0.57735, -1.1547, 0.57735])
    assert column(rows, "per_agent_credit", decision="tool_call") == pytest.approx([0.5, -1.5, 0.5])


def test_without_a_discount_a_run_returns_what_it_earned(rollouts):
    rows = rows_of(rollouts)
    assert column(rows, "return_to_go", k=0) == [1, 0, 1]


def test_what_the_data_lack_is_null_and_named():
    (row,) = rows_of([trace_of(bare())])
    assert {name for name in COLUMNS if row[name] is None} >= {"turn", "t_s", "reward", "group_id", "per_turn_unit"}
    for name in ("turn", "t_s", "reward", "group_id", "tokens_in", "broadcast_credit", "per_turn_credit"):
        assert f"{name}: " in row["missing"]


def test_one_rollout_and_equal_rollouts_have_no_advantage(rollouts):
    first, _, third = rollouts
    assert "no other rollout of the group has a reward" in rows_of([first])[0]["missing"]
    assert "have the same reward" in rows_of([first, third])[0]["missing"]


@pytest.mark.parametrize("std", ["population", "sample"])
def test_equal_rewards_whose_mean_is_rounded_have_no_advantage(std):
    spread = Spread.of([(i, 0.1, 1) for i in range(3)], std)
    assert spread == Spread(3, pytest.approx(0.1), 0)
    assert spread.advantage(0.1) is None


def test_huge_rewards_have_a_spread_or_none():
    spread = Spread.of([(0, 1e308, 1), (1, -1e308, 1)])
    assert (spread.mean, spread.deviation, spread.advantage(1e308)) == (0, pytest.approx(1e308), pytest.approx(1))
    assert Spread.of([(0, 1.7e308, 1), (1, -1.7e308, 3)]).deviation is None


def test_agents_are_compared_by_role():
    def spread(*rollouts: dict[str, int]) -> GroupSpread:
        return GroupSpread.of([Rollout(i % 2, calls) for i, calls in enumerate(rollouts)], "sample")

    assert list(spread({"tester": 1, "coder": 1}, {"coder": 2}).roles) == ["coder", "tester"]
    assert spread({"coder": 1}, {"coder": 2}).roles["coder"].mean == 2 / 3


def test_a_second_run_of_an_agent_has_the_role_of_the_first(lines):
    """Importers name the second run of `worker` `worker#2`, with the role `worker`; here in one rollout of three."""
    runs = [json.loads(text) for text in lines]
    twice = [dict(event, id=f"{event['id']}2", agent="worker#2") for event in runs[0]["events"] if event["id"] in "cd"]
    runs[0]["agents"] = {"worker": {"kind": "llm"}, "worker#2": {"kind": "llm", "role": "worker"}}
    runs[0]["events"] += [{"id": "b2", "t": 1, "type": "spawn", "agent": "lead", "to": "worker#2"}, *twice]
    rows = rows_of([trace_of(document) for document in runs])
    assert set(column(rows, "role")) == {"lead", "worker"}
    second = next(row for row in rows if row["agent"] == "worker#2")
    assert (second["per_agent_unit"], second["per_turn_unit"]) == ("run-1/worker", "run-1/worker#2/0")
    assert second["per_agent_credit"] == column(rows, "per_agent_credit", agent="worker", trace_id="run-1")[0] > 0


def test_turns_are_compared_by_role(rollouts, lines):
    """The example of the manual, with another id of the worker in each run, gives the same credit."""
    runs = [json.loads(text.replace('"worker"', f'"worker-{i}"')) for i, text in enumerate(lines)]
    for i, document in enumerate(runs):
        document["agents"] = {f"worker-{i}": {"role": "adder"}}
    rows = rows_of([trace_of(document) for document in runs])
    assert column(rows, "per_turn_unit", decision="tool_call") == [f"run-{i}/worker-{i - 1}/0" for i in (1, 2, 3)]
    assert column(rows, "per_turn_credit", decision="tool_call") == pytest.approx([0, -1.2247, 1.2247], abs=1e-4)
    alone = rows_of([trace_of(runs[0])])
    reason = "no other rollout of the group has a reward for the turn of the role"
    assert f"per_turn_credit: {reason}" in column(alone, "missing", decision="tool_call")[0]


def test_two_agents_of_a_role_in_one_rollout_are_not_a_group():
    turns = {("a", 0): 1.0, ("b", 0): 0.0}
    spread = GroupSpread.of([Rollout(1, {"coder": 2}, {"a": "coder", "b": "coder"}, turns)], "population")
    assert (spread.turns["coder", 0].n, spread.turns["coder", 0].mean) == (1, 0.5)


def test_a_call_that_nothing_follows_has_a_row_and_gets_the_reward_that_names_it():
    document = bare() | {
        "events": [
            {"id": "m", "t": 0, "type": "llm_call", "agent": "a", "tokens_out": 3},
            {"id": "n", "t": 1, "type": "llm_call", "agent": "a", "tokens_out": 5},
            {"id": "g", "t": 2, "type": "aggregate", "agent": "a"},
            {"id": "s", "t": 2, "type": "stop", "agent": "a", "reason": "answered"},
            {"id": "r", "t": 3, "type": "reward", "agent": "a", "inputs": ["n"], "reward": {"team": 2}},
            {"id": "q", "t": 3, "type": "reward", "agent": "a", "inputs": ["m"], "reward": {"team": 1}},
        ]
    }
    rows = rows_of([trace_of(document)])
    assert column(rows, "decision") == ["llm_call", "aggregate", "stop"]
    assert column(rows, "model_call") == ["m", "n", "n"]
    assert column(rows, "tokens_out") == [3, 5, 5]
    assert column(rows, "reward/team") == [1, 2, None]


def test_a_return_is_a_decision_unless_the_agent_was_cancelled():
    document = bare() | {
        "events": [
            {"id": "s", "t": 0, "type": "spawn", "agent": "a", "to": "b"},
            {"id": "t", "t": 0, "type": "spawn", "agent": "a", "to": "c"},
            {"id": "r", "t": 1, "type": "return", "agent": "b", "to": "a", "status": "error"},
            {"id": "q", "t": 1, "type": "return", "agent": "c", "to": "a", "status": "cancelled"},
        ]
    }
    assert column(rows_of([trace_of(document)]), "event") == ["s", "t", "r"]


@pytest.mark.parametrize(("folder", "least"), [("runs", 170), ("traces", 60)])
def test_every_model_call_of_every_sample_has_a_row(folder, least):
    """A call with several decisions has a row for each; shares of its tokens add up to the tokens of all calls."""
    called = 0
    for document in (trace for result in import_path(DATA / folder) for trace in result.traces):
        trace = trace_of(document)
        rows = rows_of([trace])
        calls = {event.id: event for event in trace.events if event.type == "llm_call"}
        assert {row["model_call"] for row in rows} - {None} == set(calls)
        shares = sum((row["tokens_out"] or 0) / row["shared_by"] for row in rows if row["model_call"])
        assert shares == pytest.approx(sum(event.data.get("tokens_out") or 0 for event in calls.values()))
        called += len(calls)
    assert called > least


def test_texts_stay_out_unless_asked():
    document = bare()
    document["events"][0]["content"] = "a secret"
    (row,), (told,) = (rows_of([trace_of(document)], with_content=asked) for asked in (False, True))
    assert "content" not in row
    assert told["content"] == "a secret"


def test_rewards_have_the_names_of_the_survey(rollouts):
    mapping = {"events": {"kind": {"spawn": "grow"}}, "rewards": {"family": {"te*": "shared"}, "unit": {"team": "all"}}}
    row = rows_of(rollouts[:1], mapping=mapping)[0]
    assert (row["outcome/family=shared"], row["outcome/unit=all"], row["kind"]) == (1, 1, "grow")
    assert "outcome/team" not in row


def test_pandas_gets_the_same_table(rollouts):
    frame = api.decisions(rollouts, gamma=0.5)
    assert list(frame.return_to_go[:4]) == pytest.approx([0.21875, 0.4375, 0.375, 0.75])
    assert list(frame.columns[: len(COLUMNS)]) == list(COLUMNS)


def test_a_cancelled_agent_and_a_program_decide_no_stop():
    base = {
        "trace_id": "t",
        "task_id": "t",
        "schema_version": "2.0",
        "edges": [],
        "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": 1},
    }
    spawn = {"id": "s", "t": 1, "type": "spawn", "agent": "lead", "to": "a", "role": "coder"}
    ended = {"id": "x", "t": 2, "type": "stop", "agent": "a", "scope": "agent", "reason": "cancelled"}
    stop = {"id": "z", "t": 3, "type": "stop", "agent": "lead", "reason": "answered"}
    call = {"id": "m", "t": 0, "type": "llm_call", "agent": "lead"}
    rows = rows_of([trace_of(base | {"events": [call, spawn, ended, stop]})])
    assert column(rows, "event") == ["s", "z"]
    assert column(rows, "role") == ["lead", "lead"]
    assert column(rows_of([trace_of(base | {"events": [spawn, stop]})]), "event") == ["s"]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_the_command_writes_every_row(kind, tmp_path, lines):
    (tmp_path / "r.jsonl").write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / f"rows.{kind}"
    assert "12 rows" in invoke("trace", "rows", tmp_path / "r.jsonl", "--out", out).err
    assert out.stat().st_size > 1000


@given(st.integers(0, 10**6), st.floats(0, 1))
def test_what_holds_for_every_run(seed, gamma):
    trace = trace_of(run(seed))
    found = decided(trace)
    rows = rows_of([trace], gamma=gamma)
    assert len(rows) == len(found.decisions)
    assert {row["model_call"] for row in rows} - {None} == {e.id for e in trace.events if e.type == "llm_call"}
    assert sum(row["decision"] != "llm_call" for row in rows) <= sum(e.type in DECISIONS for e in trace.events)
    assert all(set(row) >= set(COLUMNS) for row in rows)
    if rows and rows[0]["return_to_go"] is not None:
        assert isclose(
            rows[-1]["return_to_go"] + sum(each.rewards.get("team", 0.0) for each in found.decisions[:-1]),
            found.totals["team"],
            abs_tol=1e-6,
        )
    for row in rows:
        assert (row["turn"] is None) == (row["shared_by"] is None)
        for name in RULES:
            assert row[f"{name}_credit"] is not None or f"{name}_credit: " in row["missing"]


def test_the_tables_of_the_manual_are_current(updating, page):
    rules = [(f"`{name}`", rule.unit, rule.meaning) for name, rule in RULES.items()]
    generated_tables.check(page, "credit rules", ("rule", "gives it to", "credit"), rules, update=updating)
    columns = [(f"`{name}`", words) for name, words in COLUMNS.items()]
    generated_tables.check(page, "decision columns", ("column", "holds"), columns, update=updating)


def test_the_example_of_the_repository():
    trace = trace_of(json.loads((EXAMPLES / "rich-v2.json").read_text(encoding="utf-8")))
    assert {row["decision"] for row in rows_of([trace])} - {"llm_call"} == DECISIONS


def bare() -> dict[str, Any]:
    return {
        "schema_version": "2.0", "trace_id": "x", "task_id": "x", "root_agents": ["a"], "edges": [], "rewards": {},
        "events": [{"id": "1", "t": 0, "type": "aggregate", "agent": "a"}],
        "costs": {"tokens": 0, "wall_clock_s": 0},
    }  # fmt: skip


def test_a_reward_before_the_decision_of_its_call_belongs_to_that_decision():
    document = bare() | {
        "events": [
            {"id": "m", "t": 0, "type": "llm_call", "agent": "a"},
            {"id": "r", "t": 1, "type": "reward", "agent": "a", "inputs": ["m"], "reward": {"team": 1}},
            {"id": "c", "t": 2, "type": "tool_call", "agent": "a", "tool": "search", "call_id": "k"},
        ]
    }
    (decision,) = decided(trace_of(document)).decisions
    assert (decision.event.id, decision.rewards) == ("c", {"team": 1})
