"""Convert a trace to version 1, and list what version 1 cannot express."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.text.numbers import counted
from awesome_cli.traces.consistency import cost_findings, metric_findings
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import METRICS, measure
from awesome_cli.traces.model import EDGE_TYPES_1, EVENT_TYPES_1, Event, Trace
from awesome_cli.traces.reading import build
from awesome_cli.traces.replay import replay
from awesome_cli.traces.rules import RETURN_WITHOUT_TASK, WALL_CLOCK_TOO_SHORT
from awesome_cli.traces.schema_check import escape

FIRST, LAST = ("trace_id", "task_id", "system", "topology"), ("rewards", "costs", "metrics")
EVENTS = {"delegate": "message", "stop": "orchestrator_decision", "llm_call": "orchestrator_decision"}
EDGES = {"delegate": "message", "data": "causal"}


@dataclass(frozen=True, slots=True)
class Downgrade:
    """A version 1 document, and what was lost in the conversion, in words."""

    document: dict[str, Any]
    lost: tuple[str, ...]


def downgrade(trace: Trace) -> Downgrade:
    """The trace as version 1; a trace of version 1 stays as it is.

    Event fields stay, because version 1 allows any. `reward` events are left out: version 1 has rewards per run only.
    Times keep their numbers; version 1 has no unit for them.
    """
    kept = [event for event in trace.events if event.type != "reward"]
    gone = {event.id for event in trace.events if event.type == "reward"}
    document = {key: trace.header[key] for key in FIRST if key in trace.header}
    document["events"] = [_event(event) if trace.version == 2 else dict(event.data) for event in kept]
    document["edges"] = [
        {"src": edge.src, "dst": edge.dst, "type": edge.type if edge.type in EDGE_TYPES_1 else EDGES[edge.type]}
        for edge in trace.edges
        if edge.src not in gone and edge.dst not in gone
    ]
    document |= {key: trace.header[key] for key in LAST if key in trace.header}
    if trace.version == 1:
        return Downgrade(document, ())
    return Downgrade(document, (*_lost(trace, len(gone)), *_recounted(trace, document), *_replayed(trace, document)))


def _recounted(trace: Trace, document: dict[str, Any]) -> Iterator[str]:
    """Add the delegations, which became messages, to the declared number of messages."""
    delegated = sum(event.type == "delegate" for event in trace.events)
    declared = trace.costs.get("messages")
    if delegated and declared is not None:
        document["costs"] = {**document["costs"], "messages": declared + delegated}
        yield f"costs.messages was {declared:g}, it is {declared + delegated:g} with what was delegated"


def _replayed(trace: Trace, document: dict[str, Any]) -> Iterator[str]:
    """Remove declared metrics that have another value in version 1, and name findings that only version 1 has."""
    written = build(document, trace.path, trace.line)
    graph = graph_of(written)
    again = replay(written, graph)
    if written.declared_metrics.keys() & METRICS.keys():
        others = {found.pointer for found in metric_findings(written, measure(written, graph, again).values)}
        declared = document["metrics"]
        document["metrics"] = {name: v for name, v in declared.items() if f"/metrics/{escape(name)}" not in others}
        if others:
            gone = ", ".join(name for name in declared if name not in document["metrics"])
            yield f"declared metrics that have another value in version 1: {gone}"
    before = replay(trace, graph_of(trace))
    returns = [sum(found.rule is RETURN_WITHOUT_TASK for found in each.illegal) for each in (before, again)]
    lost = returns[1] - returns[0]
    if lost > 0:
        yield f"{counted(lost, 'delegated task')}: the return has none in version 1 (TR006)"
    too_short = any(found.rule is WALL_CLOCK_TOO_SHORT for found in cost_findings(written))
    if trace.time_unit not in (None, "s") and too_short:
        yield f"the time unit {trace.time_unit!r}: read as seconds, the events outlast costs.wall_clock_s (TC003)"


def _event(event: Event) -> dict[str, Any]:
    data = dict(event.data)
    if event.type not in EVENT_TYPES_1:
        data["type"] = EVENTS[event.type]
        # Version 1 allows any field in events.
        data["was"] = event.type
    return data


def _lost(trace: Trace, rewards: int) -> list[str]:
    changed = Counter(event.type for event in trace.events if event.type in EVENTS)
    lost = [f"{counted(n, f'{kind} event')} became {EVENTS[kind]}" for kind, n in sorted(changed.items())]
    if rewards:
        lost.append(f"{counted(rewards, 'reward event')} left out, with the edges at them")
    edges = Counter(edge.type for edge in trace.edges if edge.type in EDGES)
    lost += [f"{counted(n, f'{kind} edge')} became {EDGES[kind]}" for kind, n in sorted(edges.items())]
    inferred = sum(edge.inferred for edge in trace.edges)
    if inferred:
        lost.append(f"{counted(inferred, 'edge')} no longer marked as inferred")
    dropped = sorted(trace.header.keys() - {*FIRST, *LAST})
    if dropped:
        lost.append(f"top-level fields: {', '.join(dropped)}")
    return lost
