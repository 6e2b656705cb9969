"""`awesome trace check|replay|metrics|diff` as their users meet them."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import DATA, EXAMPLES
from running import Result

Run = Callable[..., Result]


@pytest.fixture
def examples() -> Path:
    return EXAMPLES


def test_check_of_a_good_trace_is_yes(run: Run, examples: Path) -> None:
    assert "1 trace: no findings" in run("trace", "check", examples / "rich-v2.json").out


def test_v1_only_warns_unless_strict(run: Run, examples: Path) -> None:
    assert "no findings" in run("trace", "check", "--strict", examples / "minimal-v1.json").out
    published = DATA / "traces" / "v1" / "example.json"
    assert "TW102" in run("trace", "check", published).out
    run("trace", "check", "--strict", published, code=1)


def test_findings_of_one_kind_are_one_line_unless_all_are_asked_for(run: Run, examples: Path) -> None:
    path = examples / "violations-v2.json"
    short, long = (run("trace", "check", path, *more, code=1).out.splitlines() for more in ((), ("--all",)))
    assert [line.split(": ", 1)[1] for line in short if " TW102 " in line] == [
        "TW102 \u00d7 3, first at /events/6: 'b' was spawned and never returned"
    ]
    assert sum(" TW102 " in line for line in long) == 3
    assert short[-1] == long[-1]
    assert len(run("trace", "check", path, "-f", "json", code=1).json["findings"]) == sum(
        ": T" in line for line in long
    )


def test_check_says_no_and_where(run: Run, examples: Path) -> None:
    answer = run("trace", "check", examples / "violations-v2.json", "--format", "json", code=1).json
    assert answer["schema"] == "awesome/trace-check/1"
    (row,) = answer["data"]["rows"]
    assert (row["trace_id"], row["line"], row["version"], row["readable"]) == ("violations", 1, 2, True)
    assert row["findings"] == answer["findings"]
    finding = next(f for f in answer["findings"] if f["code"] == "TR003")
    assert (finding["pointer"], finding["level"], finding["key"]) == ("/events/8", "error", "violations")
    assert finding["fix"]


def test_one_bad_trace_stops_no_other(run: Run, examples: Path) -> None:
    result = run("trace", "check", examples, "--format", "json", code=4)
    rows = result.json["data"]["rows"]
    assert len(rows) > 40
    assert {row["trace_id"] for row in rows} >= {"minimal-1", "harbours-7", "violations", "TW106"}
    assert "could not be read" in result.err


def test_a_single_unreadable_trace_is_a_plain_no(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"trace_id": NaN}')
    assert f"{tmp_path / 'a.json'}:1:14: TP002" in run("trace", "check", tmp_path / "a.json", code=1).out


@pytest.mark.parametrize("depth", [250, 260, 1000])
def test_a_deep_trace_stops_no_other(run: Run, examples: Path, tmp_path: Path, depth: int) -> None:
    text = (examples / "rich-v2.json").read_text(encoding="utf-8").strip()
    nested = "[" * depth + "]" * depth
    for name, member in (("free", f'"x-deep": {nested}'), ("rollout", f'"rollout": {{"sample": {nested}}}')):
        document = {key: value for key, value in json.loads(text).items() if key != name}
        (tmp_path / f"{name}.json").write_text(json.dumps(document)[:-1] + f", {member}}}")
    files = (tmp_path / "free.json", tmp_path / "rollout.json", examples / "rich-v2.json")
    for verb in ("check", "replay", "metrics"):
        rows = run("trace", verb, *files, "--format", "json").json["data"]["rows"]
        assert [row["trace_id"] for row in rows] == ["harbours-7"] * 3
    run("trace", "export", "otel", files[0])


def test_findings_point_to_the_line_of_what_they_name(run: Run, examples: Path, tmp_path: Path) -> None:
    document = json.loads((examples / "violations-v2.json").read_text(encoding="utf-8"))
    text = json.dumps(document, indent=2)
    (tmp_path / "a.json").write_text(text)
    lines = text.splitlines()
    for finding in run("trace", "check", tmp_path / "a.json", "-f", "json", code=1).json["findings"]:
        _, *steps = finding["pointer"].split("/")
        value = document
        for step in steps:
            value = value[int(step)] if isinstance(value, list) else value[step]
        at = lines[finding["line"] - 1][finding["column"] - 1 :]
        assert at[0] == json.dumps(value)[0]
        if isinstance(value, dict) and "id" in value:
            assert f'"id": "{value["id"]}"' in lines[finding["line"]]
        assert finding["line"] > 1 or finding["pointer"] == ""


def test_the_first_of_many_lines_is_named(run: Run, examples: Path, tmp_path: Path) -> None:
    document = json.loads((examples / "minimal-v1.json").read_text(encoding="utf-8"))
    line = json.dumps({**document, "costs": {**document["costs"], "messages": 99}})
    (tmp_path / "a.jsonl").write_text(f'{line}\n{{"a": 1\n{line}\n')
    assert f"{tmp_path / 'a.jsonl'}:1 (minimal-1)" in run("trace", "replay", tmp_path / "a.jsonl", code=4).out
    out = run("trace", "check", tmp_path / "a.jsonl", "-f", "errorformat", code=4).out
    assert [found.split(":")[1] for found in out.splitlines()] == ["1", "2", "3"]


def test_findings_are_sentences(run: Run, examples: Path) -> None:
    out = run("trace", "check", examples / "violations-v2.json", examples / "one-rule-each.jsonl", code=4).out
    for wrong in ("1 children", "1 open calls", "a llm_call", "a aggregate"):
        assert wrong not in out
    assert "fix: Record the event that read the return" in out


def test_check_without_replay_says_nothing_of_the_run(run: Run, examples: Path) -> None:
    found = run("trace", "check", "--no-replay", examples / "violations-v2.json", "--format", "csv", code=1).out
    assert "TG005" in found
    assert "TR0" not in found


def test_skew_forgives_clocks(run: Run, tmp_path: Path, examples: Path) -> None:
    line = next(
        line for line in (examples / "one-rule-each.jsonl").read_bytes().splitlines() if b'"trace_id": "TG005"' in line
    )
    (tmp_path / "a.json").write_bytes(line)
    assert "TG005" in run("trace", "check", tmp_path / "a.json", code=1).out
    assert "TG005" not in run("trace", "check", tmp_path / "a.json", "--skew", "1", code=1).out


def test_standard_input_and_gzip(run: Run, examples: Path, tmp_path: Path) -> None:
    text = (examples / "rich-v2.json").read_text(encoding="utf-8")
    assert run("trace", "metrics", "-", "--format", "json", stdin=text).json["data"]["rows"][0]["path"] == "-"
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(text.encode()))
    run("trace", "check", tmp_path / "a.json.gz")


def test_wrong_arguments(run: Run, tmp_path: Path, examples: Path) -> None:
    assert "no such file" in run("trace", "check", "nothing.json", code=2).err
    assert "no trace files" in run("trace", "metrics", tmp_path, code=2).err
    (tmp_path / "empty.jsonl").write_text("\n")
    assert "the input contains no trace" in run("trace", "replay", tmp_path / "empty.jsonl", code=2).err
    assert (
        "holds more than one trace"
        in run("trace", "diff", examples / "rich-v2.json", examples / "one-rule-each-sound.jsonl", code=2).err
    )
    assert (
        "not a code of the replay" in run("trace", "replay", examples / "rich-v2.json", "--until", "TG001", code=2).err
    )


def test_replay_contract(run: Run, examples: Path, tmp_path: Path) -> None:
    document = json.loads((examples / "minimal-v1.json").read_text(encoding="utf-8"))
    (tmp_path / "a.json").write_text(json.dumps(document | {"schema_version": "2.0"}))
    (row,) = run("trace", "replay", tmp_path / "a.json", "--format", "json").json["data"]["rows"]
    assert {len(row[name]) for name in ("digest", "state_digest", "shape_digest")} == {64}
    assert row["steps"] == row["events"] == len(document["events"])
    assert row["findings"] == [
        {"code": "TW104", "event": None, "agent": None, "message": "no event says that the run stopped, and why"}
    ]
    assert row["state"]["agents"]["worker"] == {
        "status": "returned", "parent": "lead", "depth": 1, "open_tasks": [], "open_calls": 0, "live_children": 0,
    }  # fmt: skip
    assert row["state"]["answer"] == "e6"


def test_replay_to_a_step_and_until_a_code(run: Run, examples: Path) -> None:
    def steps(*options: str) -> int:
        answer = run("trace", "replay", examples / "violations-v2.json", *options, "--format", "json").json
        return int(answer["data"]["rows"][0]["steps"])

    assert steps("--to", "3") == 3
    assert steps("--until", "TR003") == 9
    assert steps("--until", "TR003", "--to", "4") == 4
    assert steps("--until", "TW103") == 15


def test_replay_strict_stops_and_says_no(run: Run, examples: Path) -> None:
    result = run("trace", "replay", "--stop", examples / "violations-v2.json", "--format", "json", code=1)
    assert [f["code"] for f in result.json["data"]["rows"][0]["findings"]] == ["TR001"]


def test_replay_of_one_agent(run: Run, examples: Path) -> None:
    out = run("trace", "replay", examples / "rich-v2.json", "--agent", "south").out
    assert "south" in out
    assert "north" not in out


def test_replay_of_nobody_names_the_nearest(run: Run, examples: Path) -> None:
    result = run("trace", "replay", examples / "rich-v2.json", "--agent", "soth", code=2)
    assert "did you mean 'south'?" in result.err
    assert result.out == ""


def test_replay_until_what_never_occurs_is_no(run: Run, examples: Path) -> None:
    result = run("trace", "replay", examples / "rich-v2.json", "--until", "TW103", code=1)
    assert "rich-v2.json:1: TW103 does not occur" in result.err
    assert "28 of 28 events" in result.out


def test_replay_goes_on_after_an_unreadable_trace(run: Run, examples: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    rows = run("trace", "replay", tmp_path / "bad.json", examples / "rich-v2.json", "--format", "json", code=4).json
    assert [("error" in row, row["trace_id"]) for row in rows["data"]["rows"]] == [(True, None), (False, "harbours-7")]
    run("trace", "replay", tmp_path / "bad.json", code=3)


def test_metrics_contract(run: Run, examples: Path) -> None:
    answer = run("trace", "metrics", examples / "rich-v2.json", examples / "minimal-v1.json", "--format", "json").json
    rich, minimal = answer["data"]["rows"]
    assert rich["values"]["critical_steps"] == 5
    assert minimal["values"]["span_s"] is None
    assert minimal["not_computable"]["elapsed_s"] == "the trace has no time_unit"
    assert answer["data"]["groups"]["group_id"]["find-harbours@3"]["n"] == 1


def test_metrics_of_many_in_processes_and_files(run: Run, examples: Path, tmp_path: Path) -> None:
    source = tmp_path / "many.jsonl"
    source.write_text((json.dumps(json.loads((examples / "rich-v2.json").read_text())) + "\n") * 20)
    for name, jobs in (("one.csv", "1"), ("two.csv", "2")):
        run("trace", "metrics", source, "--jobs", jobs, "--out", tmp_path / name)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    assert len((tmp_path / "one.csv").read_text().splitlines()) == 21
    assert "20 traces" in run("trace", "metrics", source).out
    assert run("trace", "metrics", source, "--format", "csv").out == (tmp_path / "one.csv").read_text()
    assert "no table format" in run("trace", "metrics", source, "--out", tmp_path / "x.ods", code=2).err


def test_metrics_by_the_surveys_taxonomy(run: Run, examples: Path, root: Path, tmp_path: Path) -> None:
    import yaml

    file = root / "taxonomy.yaml"
    taxonomy = yaml.safe_load(file.read_text(encoding="utf-8"))
    axis = taxonomy["axes"][0]
    first, second = axis["terms"][0]["id"], axis["terms"][1]["id"]
    mapping = {"events": {axis["id"]: {"spawn": first, "human_intervention": second}}}
    with file.open("a", encoding="utf-8") as out:
        out.write(yaml.safe_dump({"traces": mapping}))
    trace = examples / "rich-v2.json"
    (row,) = run("trace", "metrics", trace, "--by-taxonomy", "--format", "json", root=root).json["data"]["rows"]
    assert row["taxonomy"][axis["id"]] == {
        first: {"events": 2, "rewards": {}}, second: {"events": 0, "rewards": {}}
    }  # fmt: skip
    assert "never" in run("trace", "metrics", trace, "--by-taxonomy", root=root).out
    answer = run("trace", "metrics", trace, trace, "--by-taxonomy", "--format", "json", root=root).json
    assert answer["data"]["taxonomy"][axis["id"]] == {
        first: {"traces": 2, "events": 4, "rewards": []}, second: {"traces": 0, "events": 0, "rewards": []}
    }  # fmt: skip
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    table = run("trace", "metrics", trace, bad, "--by-taxonomy", "--format", "csv", root=root, code=4).out
    rows = list(csv.DictReader(table.splitlines()))
    assert [(row[f"{axis['id']}/{first}"], row[f"{axis['id']}/{second}"]) for row in rows] == [("2", "0"), ("", "")]
    said = run("trace", "metrics", trace, "--by-taxonomy", "--out", tmp_path / "x.csv", root=root).err
    assert "wrote 1 row to" in said
    assert (tmp_path / "x.csv").read_text() == "".join(table.splitlines(keepends=True)[:2])


def test_an_unreadable_trace_is_worded_alike_everywhere(run: Run, examples: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"trace_id": NaN}')
    said = f"{bad}:1:14: TP002 NaN is not a JSON number"
    for verb in ("check", "replay", "metrics"):
        assert said in run("trace", verb, bad, examples / "rich-v2.json", code=4).out
    (row, _) = run("trace", "replay", bad, examples / "rich-v2.json", "-f", "json", code=4).json["data"]["rows"]
    assert row["error"] == said
    assert [row[name] for name in ("digest", "shape_digest", "findings", "state")] == [None] * 4
    (row, good) = run("trace", "metrics", bad, examples / "rich-v2.json", "-f", "json", code=4).json["data"]["rows"]
    assert row.keys() - {"error"} == good.keys()
    assert (row["error"], row["values"], row["not_computable"]) == (said, None, None)
    assert "trace check" not in run("trace", "check", bad, examples / "rich-v2.json", code=4).err


def test_diff(run: Run, examples: Path, tmp_path: Path) -> None:
    rich = examples / "rich-v2.json"
    other = json.loads(rich.read_text(encoding="utf-8"))
    other["events"] = [e for e in other["events"] if e["id"] != "k1"]
    (tmp_path / "b.json").write_text(json.dumps(other))
    answer = run("trace", "diff", rich, tmp_path / "b.json", "--format", "json", "--fail-on", "shape", code=1).json
    assert answer["data"]["parting"]["a"]["event"] == "k1"
    assert answer["data"]["metrics"]["events"] == [28, 27]
    assert "no step differs" in run("trace", "diff", rich, rich, "--fail-on", "shape", "--fail-on", "metrics").out
