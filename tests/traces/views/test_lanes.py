"""Lanes in the terminal."""

import json

import runs

from awesome_cli.output import plain
from awesome_cli.traces.views import lanes, timeline


def test_a_run_reads_from_left_to_right():
    text = plain.write(lanes.report(timeline.timeline(runs.lunch())))
    rows = {line.split()[0]: line for line in text.splitlines() if line.split()[:1] in (["boss"], ["baker"], ["cook"])}
    begin = text.splitlines()[4].index("0 s")
    boss, baker, cook = (rows[name][begin:] for name in ("boss", "baker", "cook"))
    assert boss.startswith("=====")
    assert boss.rstrip().endswith("X")
    assert boss.index(">") < baker.index("=") < baker.index("<") < boss.index("A")
    assert cook.index("#") == baker.index("=")
    assert "TR009 at e14" in text


def test_long_lists_of_agents_are_cut_and_the_rest_is_counted():
    report = lanes.report(timeline.timeline(runs.swarm(1, 60, 1)), limit=10)
    text = plain.write(report)
    assert "51 more agents" in text
    assert len(report.data["rows"][0]["agents"]) == 61


def test_steps_without_a_clock_have_a_place_each():
    view = timeline.timeline(runs.lunch(time_unit="step"))
    assert "first event" in plain.write(lanes.report(view))


def test_the_command(run, tmp_path):
    path = tmp_path / "t.json"
    trace = runs.lunch()
    path.write_text(json.dumps(trace.header | {"events": [dict(e.data) for e in trace.events], "edges": []}))
    assert "baker" in run("trace", "show", path).out
    answer = run("trace", "show", path, "--format", "json").json
    assert answer["schema"] == "awesome/trace-show/1"
    assert answer["data"]["rows"][0]["trace_id"] == "run-1"
    two = tmp_path / "two.jsonl"
    line = json.dumps(json.loads(path.read_text()))
    two.write_text(line + "\n" + line.replace("run-1", "run-2") + "\n")
    assert "--id" in run("trace", "show", two, code=2).err
    assert run("trace", "show", two, "--id", "run-2").out.startswith("run-2")
    (tmp_path / "bad.json").write_text("{}")
    assert "trace check" in run("trace", "show", tmp_path / "bad.json", code=3).err
    assert "no such" in run("trace", "show", tmp_path / "none.json", code=2).err
