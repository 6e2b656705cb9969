"""What a run did, counted from its trace; compared with the known answers of `tests/data/runs`."""

from typing import Any

from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.reading import read_document
from awesome_cli.traces.replay import replay

Trace = dict[str, Any]
TOKENS = ("tokens_in", "tokens_cached", "tokens_out")


def of(trace: Trace, *kinds: str) -> list[dict[str, Any]]:
    """The events of some types."""
    return [event for event in trace["events"] if event["type"] in kinds]


def answers(trace: Trace) -> dict[str, Any]:
    """Counts of one trace.

    `calls` are all calls that models made: events of tools, and distinct calls that spawns, delegations and messages
    were made from. `undelivered` are the returns that nobody read. `wall` is in seconds.
    """
    returns, models = of(trace, "return"), of(trace, "llm_call")
    answered = {event["call_id"] for event in of(trace, "tool_result")}
    calls = of(trace, "tool_call")
    made = {
        (event["agent"], event["source"]) for event in of(trace, "spawn", "delegate", "message") if "source" in event
    }
    return {
        "agents": sum(about.get("kind") == "llm" for about in trace["agents"].values()),
        "spawns": len(of(trace, "spawn")),
        "returns": len(returns),
        "errors": sum(event.get("status") == "error" for event in returns),
        "undelivered": undelivered(trace),
        "calls": len(calls) + len(made),
        "unanswered": sum(event["call_id"] not in answered for event in calls),
        "llm_calls": len(models),
        **{name: sum(event.get(name, 0) for event in models) for name in TOKENS},
        "wall": trace["costs"]["wall_clock_s"],
    }


def undelivered(trace: Trace) -> list[str]:
    """The agents whose returns nobody read, by replay."""
    reading = read_document(trace)
    assert reading.trace is not None, reading.findings
    found = replay(reading.trace, graph_of(reading.trace)).findings
    unread = {each.event.id for each in found if each.rule.code == "TW103" and each.event is not None}
    return [event["agent"] for event in of(trace, "return") if event["id"] in unread]
