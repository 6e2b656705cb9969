"""Lanes in the terminal."""

import json
import os
import subprocess
import sys

import pytest
import trace_runs
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.output import plain
from awesome_cli.output.terminal import Terminal
from awesome_cli.traces.views import lanes, timeline


def test_a_run_reads_from_left_to_right():
    text = plain.write(lanes.report(timeline.timeline(trace_runs.lunch())))
    rows = {line.split()[0]: line for line in text.splitlines() if line.split()[:1] in (["boss"], ["baker"], ["cook"])}
    begin = text.splitlines()[4].index("0 s")
    boss, baker, cook = (rows[name][begin:] for name in ("boss", "baker", "cook"))
    assert boss.startswith("=====")
    assert boss.rstrip().endswith("X")
    assert boss.index(">") < baker.index("=") < baker.index("<") < boss.index("X")
    assert cook.index("#") == baker.index("=")
    assert ">---" in boss, "the boss waits for both helpers"
    assert "A" not in boss, "an importer inferred the aggregation"
    assert "TR009 at e14" in text


def test_many_agents_are_groups_by_parent_or_role():
    view = timeline.timeline(trace_runs.swarm(1, 60, 1))
    report = lanes.report(view)
    text = plain.write(report)
    assert [line.split("  ")[0] for line in text.splitlines() if "60 agents of boss" in line or line.startswith("boss")]
    assert "60 agents of boss" in text
    assert "worker 7" not in text
    assert len(report.data["rows"][0]["agents"]) == 61
    roles = [
        {"t": n, "type": "spawn", "agent": "boss", "to": f"w{n}", "role": ("cook", "baker")[n % 2]} for n in range(60)
    ]
    text = plain.write(lanes.report(timeline.timeline(trace_runs.trace(roles))))
    assert "30 \u00d7 cook" in text
    assert "30 \u00d7 baker" in text


def test_the_lines_with_fewest_events_are_left_out_and_counted():
    text = plain.write(lanes.report(timeline.timeline(trace_runs.lunch()), limit=1))
    assert "2 more lines" in text
    assert "baker  " not in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_fits_the_terminal(width):
    long = "the-agent-that-reads-all-the-minutes-of-the-meeting-of-the-board-number-17"
    events = [
        {"t": 0, "type": "spawn", "agent": "boss", "to": long},
        {"t": 1, "t_end": 18_061, "type": "llm_call", "agent": long, "tokens_in": 123_456_789},
        {"t": 18_061, "type": "despawn", "agent": "boss", "to": long},
    ]
    text = Terminal(width, colored=False).write(lanes.report(timeline.timeline(trace_runs.trace(events)), width=width))
    assert max(map(len, text.splitlines())) <= width
    row = next(line for line in text.splitlines() if "…" in line)
    assert "despawned" in row
    assert "====" in row, "the lane stands beside the name"
    assert "5 h 1 min" in text


NAMES = st.lists(st.text("ab-1…", min_size=1, max_size=40), unique=True)


@given(NAMES, st.lists(st.integers(10, 30), min_size=1))
def test_no_two_names_are_shortened_to_one_text(names, rooms):
    rooms = {name: rooms[n % len(rooms)] for n, name in enumerate(names)}
    texts = timeline.elided(rooms)
    assert len(set(texts.values())) == len(names)
    for name, text in texts.items():
        assert len(text) <= rooms[name]
        assert text == name or len(name) > rooms[name]


def test_a_shortened_name_shows_what_differs():
    ids = [f"01a20056-34de-7bd1-a135-4526d130{n:04x}" for n in (7, 8)]
    experts = [f"expert-for-{what}-at-the-university-of-the-sea" for what in ("maths", "magic")]
    same = ["a" * 50, "a" * 51]
    texts = timeline.elided(dict.fromkeys([*ids, *experts, *same], 16))
    assert list(texts.values()) == [
        "01a2005…d1300007", "01a2005…d1300008", "…ths-at-the-univ", "…gic-at-the-univ", "aaaaaaaaaaaaaa…5", "aaaaaaaaaaaaaa…6",
    ]  # fmt: skip


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=30), st.sampled_from([40, 80, 120]))
def test_every_line_has_a_label_of_its_own(steps, width):
    """A tree of any depth, with names that differ at their ends, at their beginnings and in the middle."""
    parents, events = ["boss"], []
    for n, step in enumerate(steps):
        name = {"a": f"{n} the-long-name-of-an-agent", "b": f"the-long-name-of-an-agent {n}"}.get(
            step, f"the-long-{n:02}-name-of-an-agent"
        )
        events.append({"t": n, "type": "spawn", "agent": parents[-1 - n % len(parents) // 2], "to": name})
        parents.append(name)
    report = lanes.report(timeline.timeline(trace_runs.trace(events)), width=width)
    labels = [str(row[0]).strip() for row in report.sections[0].blocks[1].rows]
    assert len(set(labels)) == len(labels) == len(steps) + 1


def test_the_terminal_that_a_command_runs_in_decides(tmp_path, golden):
    path = tmp_path / "t.json"
    trace = trace_runs.lunch()
    path.write_text(json.dumps(trace.header | {"events": [dict(e.data) for e in trace.events], "edges": []}))
    command = [sys.executable, "-m", "awesome_cli", "trace", "show", str(path)]
    out = subprocess.run(command, env=os.environ | {"COLUMNS": "80"}, capture_output=True, text=True, check=True).stdout
    golden("cli/trace-show-80.txt", out)


TIMES = st.floats(0, 1e6, allow_nan=False)


@given(
    st.lists(st.tuples(TIMES, TIMES, st.sampled_from(["llm_call", "tool_call", "message"])), min_size=1, max_size=20),
    st.integers(1, 90),
)
def test_every_event_is_covered_by_its_lane(rows, width):
    events = [
        {"t": min(a, b), "t_end": max(a, b), "type": kind, "agent": "boss", "tool": "oven", "call_id": f"c{n}"}
        for n, (a, b, kind) in enumerate(rows)
    ]
    view = timeline.timeline(trace_runs.trace(events))
    first, last = view.range
    strip = lanes.strip(view, view.order, width=width).ljust(width)
    for event in view.order:
        for time in (event.start, event.end):
            column = min(int((time - first) * width / (last - first)), width - 1) if last > first else None
            signs = strip if column is None else strip[column]
            assert any(lanes.IMPORTANCE.get(s, 0) >= lanes.IMPORTANCE[lanes.SIGNS[event.type][0]] for s in signs)


def test_steps_without_a_clock_have_a_place_each():
    view = timeline.timeline(trace_runs.lunch(time_unit="step"))
    assert "first event" in plain.write(lanes.report(view))


def test_the_command(run, tmp_path):
    path = tmp_path / "t.json"
    trace = trace_runs.lunch()
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
