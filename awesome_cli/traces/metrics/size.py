"""Metrics of size: what the trace holds, and what in it an importer inferred."""

from awesome_cli.traces.metrics._metric import Value, metric
from awesome_cli.traces.metrics.run import MeasuredRun


@metric("events", "≥ 1")
def events(run: MeasuredRun) -> Value:
    """Number of events."""
    return len(run.events)


@metric("agents")
def agents(run: MeasuredRun) -> Value:
    """Number of agents in the replay, without people, environments and tools that sign their results."""
    return len(run.replay.machine.agents)


@metric("events")
def inferred_events(run: MeasuredRun) -> Value:
    """Events that an importer added to fill gaps of the source format. Every metric here counts them."""
    return sum(event.inferred for event in run.events)


@metric("edges")
def inferred_edges(run: MeasuredRun) -> Value:
    """Edges that an importer added."""
    return sum(edge.inferred for edge in run.trace.edges)


@metric("findings")
def breaches(run: MeasuredRun) -> Value:
    """Findings of the replay about illegal events (TR…)."""
    return len(run.replay.illegal)
