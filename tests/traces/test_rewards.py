"""Tables of rewards: their formats, their faults, and their join to imported runs, from the logs to a DataFrame."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from blocks import blocks
from builders import EXAMPLES
from hypothesis import given
from hypothesis import strategies as st
from running import invoke

from awesome_cli import api
from awesome_cli.errors import AwesomeError
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.rewards import RewardTable, read_rewards

RICH = EXAMPLES / "rich-v2.json"


def trace(**more: object) -> Trace:
    read = read_document(json.loads(RICH.read_text(encoding="utf-8")) | more).trace
    assert read is not None
    return read


def table(folder: Path, text: str, name: str = "rewards.csv") -> RewardTable:
    (folder / name).write_text(text, encoding="utf-8")
    return read_rewards(folder / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.csv", 'trace,value,group\r\n"harbours-1",0.25,"a, ""b"""\r\n'),
        ("r.tsv", '\ufefftrace\tgroup\tvalue\nharbours-1\t"a, ""b"""\t0.25\n\n'),
        ("r.jsonl", '{"trace": "harbours-1", "group": "a, \\"b\\"", "value": 0.25, "agent": null}\n'),
    ],
)
def test_the_same_table_in_each_format(name, text, tmp_path):
    joined = table(tmp_path, text, name).join(trace(trace_id="harbours-1", rewards={"team": 1, "other": 2}))
    assert joined.rewards == {"team": 0.25, "other": 2}
    assert joined.rollout["group_id"] == 'a, "b"'
    assert joined.rollout["sample"] == trace().rollout["sample"]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("r.csv", "trace,grop,value\na,b,1\n", "r.csv:1:7: unknown column 'grop'; did you mean 'group'?"),
        ("r.csv", "trace,value\na,1,5\n", "r.csv:2:5: expected 2 cells as in the header, got 3"),
        ("r.csv", 'trace,value\na,"1\n', "r.csv:2:1: not CSV"),
        ("r.csv", "trace,value\na,1\nb,nan\n", "r.csv:3:3: 'nan' is not a finite number"),
        ("r.csv", "trace,value\na,\n", "r.csv:2:3: '' is not a finite number"),
        ("r.csv", "trace,value\n,1\n", "r.csv:2:1: the row names no trace"),
        ("r.csv", "value\n1\n", "r.csv:2:1: the row names no trace"),
        ("r.csv", "trace,value\na,1\na,2\n", "r.csv:3:3: the same trace and agent have a reward at"),
        ("r.csv", "trace,group,value\na,g,1\na,h,\n", "r.csv:3:3: the group of the trace is 'g' at"),
        ("r.csv", "trace,value\n", "r.csv:1:1: the table has no rows"),
        ("r.jsonl", '{"trace": "a", "value": 1}\n{"trace": "b", "value": true}\n', "r.jsonl:2:16: 'True' is not"),
        ("r.jsonl", '{"trace": "a",,}\n', "r.jsonl:1:15: not JSON"),
        ("r.jsonl", "[1]\n", "r.jsonl:1:1: expected a non-empty JSON object"),
    ],
)
def test_a_fault_has_its_place(name, text, fault, tmp_path):
    with pytest.raises(AwesomeError) as error:
        table(tmp_path, text, name)
    assert fault in str(error.value)


@given(
    st.sampled_from([".csv", ".tsv", ".jsonl"]),
    st.text(alphabet='trace,value\t\r\n"{}[]:1.e\\\u2028\0 '),
    st.sampled_from(["", "trace,value\n", "trace\tvalue\n", '{"trace": "a", "value": ']),
)
def test_any_text_is_a_table_or_an_error_with_its_place(tmp_path_factory, suffix, text, begin):
    path = tmp_path_factory.mktemp("table") / f"r{suffix}"
    path.write_text(begin + text, encoding="utf-8", newline="")
    try:
        read_rewards(path)
    except AwesomeError as error:
        assert re.match(re.escape(str(path)) + r":\d+:\d+: ", str(error))


def test_deep_nesting_is_not_json(tmp_path):
    with pytest.raises(AwesomeError, match=r"r\.jsonl:1:1: not JSON"):
        table(tmp_path, "[" * 100_000, "r.jsonl")


def test_what_is_no_table_cannot_be_read(tmp_path):
    (tmp_path / "r.csv").write_bytes(b"\xff")
    with pytest.raises(AwesomeError, match="is not UTF-8 text"):
        read_rewards(tmp_path / "r.csv")
    with pytest.raises(AwesomeError, match="cannot read the table: No such file"):
        read_rewards(tmp_path / "none.csv")


def test_rewards_of_agents_belong_to_their_last_decisions_and_add_up_to_that_of_the_run(tmp_path):
    run = trace(rewards={}, events=[e for e in json.loads(RICH.read_text("utf-8"))["events"] if e["type"] != "reward"])
    (tmp_path / "r.csv").write_text(
        f"trace,agent,value\n{run.trace_id},north,0.5\n{run.trace_id},south,0.25\n", "utf-8"
    )
    frame = api.decisions([run], rewards=tmp_path / "r.csv")
    assert set(frame.reward) == {0.75}
    rewarded = frame[frame["reward/team"].notna()]
    assert dict(zip(rewarded.agent, rewarded["reward/team"], strict=True)) == {"north": 0.5, "south": 0.25}
    assert list(rewarded.k) == sorted(frame.groupby("agent").k.max()[["north", "south"]])
    (tmp_path / "r.csv").write_text(f"trace,agent,value\n{run.trace_id},nord,1\n", "utf-8")
    with pytest.raises(AwesomeError, match=r"r\.csv:2:12: trace 'harbours-7' has no agent 'nord'"):
        api.decisions([run], rewards=tmp_path / "r.csv")


def test_traces_of_the_table_that_are_not_in_the_input_are_named(tmp_path):
    rewards = tmp_path / "r.csv"
    rewards.write_text(f"trace,value\nharbour,1\n{trace().trace_id},1\n", encoding="utf-8")
    for verb in ("rows", "metrics"):
        told = invoke("trace", verb, RICH, "--rewards", rewards)
        assert f"{rewards}:2:1: the input has no trace 'harbour'" in told.err
        assert "(1 of 2 traces of the table are not in the input)" in told.err
    both = tmp_path / "both.jsonl"
    both.write_text("".join(json.dumps(json.loads(RICH.read_text("utf-8")) | {"trace_id": i}) + "\n" for i in "abc"))
    rewards.write_text("trace,value\na,1\n", encoding="utf-8")
    for verb in ("rows", "metrics"):
        told = invoke("trace", verb, both, "--rewards", rewards)
        assert told.err == "the table has no reward for 2 of 3 traces: b and 1 more\n"
    rewards.write_text("trace,value\nharbour,1\n", encoding="utf-8")
    assert "did you mean 'harbours-7'?" in invoke("trace", "metrics", RICH, "--rewards", rewards, code=2).err


def test_metrics_and_rows_have_one_rule_for_the_reward_of_a_run(tmp_path):
    """The reward of the trace counts; without it, the sum of its reward events; a difference is said once."""
    document = json.loads(RICH.read_text(encoding="utf-8"))
    event = {"t": 0, "type": "reward", "agent": "lead", "reward": {"team": 0.25}}
    document["events"] = [
        *(e for e in document["events"] if e["type"] != "reward"),
        {"id": "w1", **event},
        {"id": "w2", **event},
    ]
    path = tmp_path / "run.json"
    for rewards, total, message in (
        ({}, 0.5, ""),
        ({"team": 0.5}, 0.5, ""),
        ({"team": 1}, 1, "the reward 'team' of the run is 1, the sum of its reward events 0.5; that of the run counts"),
    ):
        path.write_text(json.dumps(document | {"rewards": rewards}), encoding="utf-8")
        measured, tabled = (invoke("trace", verb, path, "--format", "json") for verb in ("metrics", "rows"))
        (row,) = measured.json["data"]["rows"]
        assert (row["reward"], row["values"]["success"]) == (total, total)
        assert {each["reward"] for each in tabled.json["data"]["rows"]} == {total}
        for result in (measured, tabled):
            assert result.err.strip() == (message and f"{path}: {message}")


def test_five_imported_rollouts_and_a_table_become_rows_with_advantages(tmp_path, repository, monkeypatch):
    """The example of the manual: its files and commands, and the numbers that it works out by hand."""
    for block in blocks(repository / "docs" / "training.md"):
        if block.note.startswith("file: "):
            (tmp_path / block.note.removeprefix("file: ")).write_text(block.text, encoding="utf-8")
        elif block.language == "sh" and "sed" in block.text:
            subprocess.run([shutil.which("sh") or "sh", "-ec", block.text], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    invoke("trace", "import", "logs", "--out", "five.jsonl")
    runs = [read_document(json.loads(line)).trace for line in Path("five.jsonl").read_text("utf-8").splitlines()]
    frame = api.decisions([run for run in runs if run is not None], rewards="rewards.csv", std="sample")
    assert (len(runs), len(frame)) == (5, 15)
    assert list(frame.decision[:3]) == ["spawn", "return", "aggregate"]
    assert list(frame.group_relative_credit[:6]) == pytest.approx([0.7303] * 3 + [-1.0954] * 3, abs=1e-4)
    adder = frame[frame.role == "adder"]
    assert list(adder.per_agent_unit[:2]) == ["run-1/adder", "run-2/adder"]
    assert list(adder.per_agent_credit) == pytest.approx([0.7303, -1.0954, 0.7303, 0.7303, -1.0954], abs=1e-4)
    told = invoke("trace", "metrics", "five.jsonl", "--rewards", "rewards.csv", "--std", "sample", "--format", "json")
    group = json.loads(told.out)["data"]["groups"]["group_id"]["sum"]
    assert group["deviation"] == pytest.approx(0.5477, abs=1e-4)
    assert group["advantages"]["run-2"] == pytest.approx(-1.0954, abs=1e-4)
    assert set(group["agent_advantages"]) == {"main", "adder"}
