"""Metrics of size: the content of a trace, and the part that an importer inferred."""

from awesome_cli.traces.metrics.run import MeasuredRun, Value, metric


@metric("events", "≥ 1", high="a long run, or a producer that records much")
def events(run: MeasuredRun) -> Value:
    """Number of events."""
    return len(run.events)


@metric("agents", high="work is divided among many")
def agents(run: MeasuredRun) -> Value:
    """Number of agents in the replay, without people, environments and tools that sign their results."""
    return len(run.replay.machine.agents)


@metric("calls", null="no event is an llm_call or has 'steps'", high="models were called often")
def model_calls(run: MeasuredRun) -> Value:
    """Number of model calls: the sum of the field `steps`; an `llm_call` without this field counts as 1."""
    return sum(run.steps) if run.counts_model_calls else None


@metric("events", high="the log records little of the orchestration; other metrics are less certain")
def inferred_events(run: MeasuredRun) -> Value:
    """Events that an importer added to fill gaps of the source format. All other counts include these events."""
    return sum(event.inferred for event in run.events) if "inferred" in run.trace.fields else 0


@metric("edges", high="the source names few dependencies")
def inferred_edges(run: MeasuredRun) -> Value:
    """Edges that an importer added."""
    return sum(edge.inferred for edge in run.trace.edges)


@metric("edges", high="clocks disagree, or edges name the wrong events; the longest chain may be too short")
def edges_left_out(run: MeasuredRun) -> Value:
    """Edges between agents that chains do not follow, because the source ended after the target started."""
    return run.precedence.left_out


@metric("findings", high="the log contradicts itself: see 'awesome trace check'")
def breaches(run: MeasuredRun) -> Value:
    """Number of findings of the replay about illegal events (rules TR…)."""
    return len(run.replay.illegal)
