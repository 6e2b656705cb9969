"""Recorded Codex runs with their known answers, and what tests ask of them."""

import json

from trace_runs import import_path

from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.reading import read_document
from tests.builders import DATA

RUNS = DATA / "runs" / "codex"
ROOT = "/root"
V1, V2 = RUNS / "multi-agent" / "scripted-v1-cli0.125", RUNS / "multi-agent" / "scripted-v2-cli0.169"
BUNDLED = RUNS / "multi-agent" / "scripted-v2-trace-bundle-cli0.169"
COMPACTED, REAL = (
    RUNS / "single-agent" / "scripted-compaction-cli0.169",
    RUNS / "single-agent" / "localpush-real-cli0.104",
)
KEYS = ("agents", "spawns", "returns", "errors", "undelivered", "calls", "unanswered", "llm_calls")
KNOWN = {
    V1: (6, 5, 5, 1, [], 16, 0, 18, 40_200, 12_100, 232, 9.201),
    V2: (5, 4, 4, 0, [f"{ROOT}/eps"], 21, 0, 21, 46_700, 15_350, 287, 18.944),
    BUNDLED: (5, 4, 4, 0, [f"{ROOT}/eps"], 21, 0, 21, 46_700, 15_350, 287, 18.543),
    COMPACTED: (1, 0, 0, 0, [], 3, 0, 5, 24_100, 3_000, 131, 1.760),
}
# Calls, follow-ups, messages, aborted sub-agents, and most agents with an open turn at one moment.
WORK = {V1: (5, 1, 0, 1, 5), V2: (6, 1, 1, 1, 4), BUNDLED: (6, 1, 1, 1, 4), COMPACTED: (0, 0, 0, 0, 1)}


def traces(path):
    results = import_path(path)
    assert [str(each.error) for each in results if each.error] == []
    return [trace for each in results for trace in each.traces]


def one(path):
    (trace,) = traces(path)
    return trace


def known(path):
    keys = (*KEYS, "tokens_in", "tokens_cached", "tokens_out", "wall")
    return dict(zip(keys, KNOWN[path], strict=True))


def errors(trace):
    """The codes of what a check finds that is no loose end."""
    reading = read_document(trace)
    return [finding.code for finding in check_trace(reading.trace) if not finding.code.startswith("TW103")]


def rollouts(path):
    return sorted(path.rglob("rollout-*"))


def root_file(path):
    return next(file for file in rollouts(path) if "thread_spawn" not in file.read_text().split("\n", 1)[0])


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def open_agents(trace):
    """The most agents that had an open turn at one moment."""
    changes = [(0.0, 1)]
    for event in trace["events"]:
        kind = event["type"]
        changes += [(event["t"], 1)] if kind in {"spawn", "delegate"} else []
        changes += [(event["t"], -1)] if kind == "return" or (kind == "stop" and event.get("scope") == "agent") else []
    now, most = 0, 0
    for _, change in sorted(changes):
        now += change
        most = max(most, now)
    return most
