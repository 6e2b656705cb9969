"""Back to version 1: what it can say stays, what it cannot say is named."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.traces.consistency import cost_remarks, metric_remarks
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import METRICS, measure
from awesome_cli.traces.model import EDGE_TYPES_1, EVENT_TYPES_1, Event, Trace
from awesome_cli.traces.reading import build
from awesome_cli.traces.replay import replay
from awesome_cli.traces.shape import escape

TOP_LEVEL = ("trace_id", "task_id", "system", "topology", "rewards", "costs", "metrics")
EVENTS = {"delegate": "message", "stop": "orchestrator_decision", "llm_call": "orchestrator_decision"}
EDGES = {"delegate": "message", "data": "causal"}


@dataclass(frozen=True, slots=True)
class Downgrade:
    """A version 1 document, and in words what version 2 said more."""

    document: dict[str, Any]
    lost: tuple[str, ...]


def downgrade(trace: Trace) -> Downgrade:
    """The trace as version 1; one that is version 1 already comes back as it was.

    Event fields survive, because version 1 allows any. `reward` events go: version 1 has rewards per run only. Times
    keep their numbers; version 1 has no unit for them.
    """
    kept = [event for event in trace.events if event.type != "reward"]
    gone = {event.id for event in trace.events if event.type == "reward"}
    header = {key: value for key, value in trace.header.items() if key in TOP_LEVEL}
    order = ("trace_id", "task_id", "system", "topology")
    document = {key: header[key] for key in order if key in header}
    document["events"] = [_event(event) if trace.version == 2 else dict(event.data) for event in kept]
    document["edges"] = [
        {"src": edge.src, "dst": edge.dst, "type": edge.type if edge.type in EDGE_TYPES_1 else EDGES[edge.type]}
        for edge in trace.edges
        if edge.src not in gone and edge.dst not in gone
    ]
    document |= {key: header[key] for key in ("rewards", "costs", "metrics") if key in header}
    if trace.version == 1:
        return Downgrade(document, ())
    return Downgrade(document, (*_lost(trace, len(gone)), *_recounted(trace, document), *_replayed(trace, document)))


def _recounted(trace: Trace, document: dict[str, Any]) -> Iterator[str]:
    """Let the declared messages count the delegations, which are messages now."""
    delegated = sum(event.type == "delegate" for event in trace.events)
    declared = trace.costs.get("messages")
    if delegated and declared is not None:
        document["costs"] = {**document["costs"], "messages": declared + delegated}
        yield f"costs.messages was {declared:g}, it is {declared + delegated:g} with what was delegated"


def _replayed(trace: Trace, document: dict[str, Any]) -> Iterator[str]:
    """What a reader of version 1 makes of the document: metrics that are others now go, hand-overs are named."""
    written = build(document, trace.path, trace.line)
    graph = graph_of(written)
    again = replay(written, graph)
    if written.declared_metrics.keys() & METRICS.keys():
        others = {remark.pointer for remark in metric_remarks(written, measure(written, graph, again).values)}
        declared = document["metrics"]
        document["metrics"] = {name: v for name, v in declared.items() if f"/metrics/{escape(name)}" not in others}
        if others:
            gone = ", ".join(name for name in declared if name not in document["metrics"])
            yield f"declared metrics that come out different: {gone}"
    before = sum(breach.code == "TR006" for breach in replay(trace, graph_of(trace)).breaches)
    owed = sum(breach.code == "TR006" for breach in again.breaches) - before
    if owed > 0:
        yield f"{owed} hand-over{'s' if owed > 1 else ''} that version 1 cannot owe: the return warns (TR006)"
    if trace.time_unit not in (None, "s") and any(remark.code == "TC003" for remark in cost_remarks(written)):
        yield f"the time unit {trace.time_unit!r}: read as seconds, the events outlast costs.wall_clock_s (TC003)"


def _event(event: Event) -> dict[str, Any]:
    data = dict(event.data)
    if event.type not in EVENT_TYPES_1:
        data["type"] = EVENTS[event.type]
        # Only a reader of version 2 knows this name; version 1 lets it pass.
        data["was"] = event.type
    return data


def _lost(trace: Trace, rewards: int) -> list[str]:
    changed = Counter(event.type for event in trace.events if event.type in EVENTS)
    lost = [f"{n} {kind} event{'s' if n > 1 else ''} became {EVENTS[kind]}" for kind, n in sorted(changed.items())]
    if rewards:
        lost.append(f"{rewards} reward event{'s' if rewards > 1 else ''} left out, with the edges at them")
    edges = Counter(edge.type for edge in trace.edges if edge.type in EDGES)
    lost += [f"{n} {kind} edge{'s' if n > 1 else ''} became {EDGES[kind]}" for kind, n in sorted(edges.items())]
    inferred = sum(edge.inferred for edge in trace.edges)
    if inferred:
        lost.append(f"{inferred} edge{'s' if inferred > 1 else ''} no longer marked as inferred")
    dropped = sorted(trace.header.keys() - set(TOP_LEVEL))
    if dropped:
        lost.append(f"top-level fields: {', '.join(dropped)}")
    return lost
