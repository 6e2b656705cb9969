"""Event lists that no run makes: each is read, and its faults are findings; none ends a verb, or a batch."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from running import Result

from awesome_cli.errors import AwesomeError
from awesome_cli.output import Format, to_text
from awesome_cli.reports.report import Report
from awesome_cli.traces import sources
from awesome_cli.traces.checking import check_reading, check_report
from awesome_cli.traces.comparing import compare, diff_report
from awesome_cli.traces.exports import EXPORTS
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.groups import summaries
from awesome_cli.traces.metrics.report import metrics_report
from awesome_cli.traces.model import EVENT_TYPES, EVENT_TYPES_1, STATUSES, STOP_REASONS, TOKENS, UNRECORDED
from awesome_cli.traces.reading import Reading, read_document
from awesome_cli.traces.replay import replay, replay_entry, replay_report
from awesome_cli.traces.rows import Wanted, analyze_reading
from awesome_cli.traces.training.table import DecisionTable, decisions_report
from awesome_cli.traces.views import lanes, page, timeline

Json = dict[str, Any]
IDS = st.sampled_from(("e1", "e2", "e10", "9" * 5000))
NAMES = st.sampled_from(("lead", "a", "b", "web"))
TIMES = st.sampled_from((0, 1, -0.0, 0.5, 2, 5e-324, 2**60, 1e308))
COUNTS = st.sampled_from((0, 5, 2**60))
AMOUNTS = st.sampled_from((-1, 0, 0.5, 1e308))
REQUIRED: Mapping[str, Mapping[str, Any]] = {
    "spawn": {"to": "a"}, "delegate": {"to": "a"}, "tool_call": {"tool": "web"}, "tool_result": {"call_id": "e1"},
    "stop": {"reason": "answered"}, "reward": {"reward": {"team": 1}},
}  # fmt: skip
FIELDS: Mapping[str, st.SearchStrategy[Any]] = {
    "to": NAMES, "from": NAMES, "tool": NAMES, "t_end": TIMES, "call_id": IDS, "task_ref": IDS, "cost_usd": TIMES,
    "inputs": st.lists(IDS, unique=True, max_size=3), "delivery": st.sampled_from(("explicit", "next_event")),
    "mode": st.sampled_from(("pass_control", "return_to_caller")), "scope": st.sampled_from(("agent", "trace")),
    "reason": st.sampled_from(STOP_REASONS), "status": st.sampled_from(STATUSES), "seq": st.integers(0, 3),
    "steps": st.integers(0, 7), "role": NAMES, "model": IDS, "subtask": IDS, "content_hash": st.just("sha256:0123abcd"),
    "reward": st.dictionaries(st.sampled_from(("team", "agent/a")), AMOUNTS),
    **dict.fromkeys(TOKENS, COUNTS), **dict.fromkeys(("correct", "sanitized", "trusted", "inferred"), st.booleans()),
}  # fmt: skip
HEADER: Mapping[str, st.SearchStrategy[Any]] = {
    "root_agents": st.lists(NAMES, unique=True), "time_unit": st.sampled_from(("s", "ns", "step")),
    "agents": st.dictionaries(NAMES, st.fixed_dictionaries({"kind": st.sampled_from(("llm", "tool", "human"))})),
    "tools": st.dictionaries(NAMES, st.fixed_dictionaries({"privileged": st.booleans(), "output_trusted": st.booleans()})),
    "rollout": st.fixed_dictionaries({"group_id": IDS}, optional={"sample": COUNTS}), "answer_available_at": TIMES,
    "baseline": st.fixed_dictionaries({"turns": COUNTS, "tokens": COUNTS, "success": AMOUNTS, "errors": TIMES}),
    "provenance": st.fixed_dictionaries({"unrecorded": st.lists(st.sampled_from(UNRECORDED), unique=True)}),
    "metrics": st.dictionaries(st.sampled_from(("agents", "elapsed_s", "own")), AMOUNTS),
}  # fmt: skip
EDGES = st.fixed_dictionaries({"src": IDS, "dst": IDS, "type": st.sampled_from(("causal", "message", "spawn"))})


@st.composite
def documents(draw: st.DrawFn) -> Json:
    """A document that the schema accepts: few ids for many events, any order, and numbers of any size."""
    version = draw(st.sampled_from((1, 2, 2, 2)))
    kinds = draw(st.lists(st.sampled_from(EVENT_TYPES_1 if version == 1 else EVENT_TYPES), min_size=1, max_size=9))
    events = [
        {"id": draw(IDS), "t": draw(TIMES), "type": kind, "agent": draw(NAMES)}
        | {**REQUIRED.get(kind, {}), **{name: draw(FIELDS[name]) for name in draw(st.sets(st.sampled_from(sorted(FIELDS)), max_size=6))}}
        for kind in kinds
    ]  # fmt: skip
    header = (
        draw(st.fixed_dictionaries({"schema_version": st.just("2.0")}, optional=dict(HEADER))) if version == 2 else {}
    )
    whole = {"rewards": {"team": draw(AMOUNTS)}, "costs": {"tokens": draw(TIMES), "wall_clock_s": draw(TIMES)}}
    return {
        "trace_id": "t",
        "task_id": "t",
        "events": events,
        "edges": draw(st.lists(EDGES, max_size=3)),
        **header,
        **whole,
    }


def checked(reading: Reading) -> Iterator[Report]:
    yield check_report([check_reading(reading)])
    yield check_report([check_reading(reading, skew=0.5)], every=True)


def replayed(reading: Reading) -> Iterator[Report]:
    assert reading.trace is not None
    graph = graph_of(reading.trace)
    yield replay_report([replay_entry(reading, replay(reading.trace, graph, to=to)) for to in (None, 2)])
    yield replay_report([replay_entry(reading, replay(reading.trace, graph, strict=True), "a")])


def measured(reading: Reading) -> Iterator[Report]:
    analyses = [analyze_reading(reading, Wanted(details=True))] * 2
    yield metrics_report(analyses[:1], summaries(analyses))
    yield metrics_report(analyses, summaries(analyses))


def shown(reading: Reading) -> Iterator[Report]:
    assert reading.trace is not None
    view = timeline.timeline(reading.trace)
    page.render(view, sheet="")
    yield lanes.report(view)


def tabled(reading: Reading) -> Iterator[Report]:
    assert reading.trace is not None
    table = DecisionTable.over([reading.trace] * 2, with_content=True)
    yield decisions_report(list(table.rows(reading.trace)), tuple(table.columns))


def compared(reading: Reading) -> Iterator[Report]:
    assert reading.trace is not None
    yield diff_report(reading.trace, reading.trace, compare(reading.trace, reading.trace))


def exported(reading: Reading) -> Iterator[Report]:
    assert reading.trace is not None
    for export in EXPORTS.values():
        export(reading.trace)
    yield from ()


VERBS: tuple[Callable[[Reading], Iterator[Report]], ...] = (
    checked, replayed, measured, shown, tabled, compared, exported,
)  # fmt: skip


def event(key: str, t: float, kind: str, agent: str, **more: Any) -> Json:
    return {"id": key, "t": t, "type": kind, "agent": agent, **more}


def document(name: str, *events: Json, **more: Any) -> Json:
    """A trace of version 2; without events, a sound one."""
    sound = (event("s", 0, "spawn", "lead", to="a"), event("m", 1, "message", "a"), event("r", 2, "return", "a", to="lead"),
             event("q", 3, "aggregate", "lead"), event("z", 4, "stop", "lead", reason="answered"))  # fmt: skip
    return {
        "schema_version": "2.0", "trace_id": name, "task_id": "t", "root_agents": ["lead"], "edges": [], "rewards": {"team": 1},
        "costs": {"tokens": 0, "wall_clock_s": 99}, "events": list(events or sound), **more,
    }  # fmt: skip


TWO_RETURNS = document(
    "bad", event("s1", 0, "spawn", "lead", to="a"), event("s2", 0, "spawn", "lead", to="b"),
    event("r", 1, "return", "a", to="lead"), event("r", 2, "return", "b", to="lead"), event("q", 3, "aggregate", "lead"),
)  # fmt: skip
TWO_SPAWNS = document(
    "bad", event("s", 0, "spawn", "lead", to="a"), event("s", 0, "spawn", "lead", to="b"),
    event("r", 1, "return", "a", to="lead"), event("r", 2, "return", "b", to="lead", inputs=["r", "s"]),
)  # fmt: skip
ENDLESS = document(
    "bad", event("c", 0, "spawn", "lead", to="a"), event("s", 0, "llm_call", "lead", t_end=1e308), event("m", 0, "llm_call", "a", t_end=1e308, tokens_in=2**60),
    event("w", 0, "reward", "a", reward={"team": 1e308}), time_unit="s", rewards={"team": 1e308}, rollout={"group_id": "g"},
)  # fmt: skip


@given(documents())
@example(TWO_RETURNS)
@example(TWO_SPAWNS)
@example(ENDLESS)
def test_no_list_of_events_ends_a_verb(value: Json) -> None:
    reading = read_document(json.loads(json.dumps(value)))
    assert reading.trace is not None, reading.findings
    for verb in VERBS:
        try:
            for report in verb(reading):
                for form in Format:
                    to_text(report, form)
        except AwesomeError as error:
            assert error.hint, error


MANY = 300
READABLE = (TWO_RETURNS, TWO_SPAWNS, ENDLESS)
UNREADABLE = (json.dumps(TWO_RETURNS)[:99], '{"events": []}')


@pytest.fixture
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Many traces, in several pieces; before each of them a bad one, or a line that is no trace."""
    bad = [*UNREADABLE, *map(json.dumps, READABLE)]
    lines = [text for n in range(MANY) for text in (bad[n % len(bad)], json.dumps(document(f"run-{n}")))]
    (tmp_path / "runs.jsonl").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(sources, "PIECE", 50_000)
    return tmp_path / "runs.jsonl"


@pytest.mark.parametrize("words", ["check", "replay", "metrics", "metrics --jobs 2", "rows"])
def test_a_batch_goes_on_after_bad_lines(run: Callable[..., Result], batch: Path, words: str) -> None:
    rows = run("trace", *words.split(), batch, "--format", "json", code=4).json["data"]["rows"]
    read = list(dict.fromkeys((row["line"], row["trace_id"]) for row in rows if row["trace_id"] is not None))
    assert [name for _, name in read if name != "bad"] == [f"run-{n}" for n in range(MANY)]
    assert sum(name == "bad" for _, name in read) == MANY * len(READABLE) // (len(READABLE) + len(UNREADABLE))
    # The table of decisions has no row for a line that is no trace.
    assert words == "rows" or len(rows) == 2 * MANY


def test_a_run_among_bad_lines_is_shown(run: Callable[..., Result], batch: Path) -> None:
    assert "run-200" in run("trace", "show", batch, "--id", "run-200").out
