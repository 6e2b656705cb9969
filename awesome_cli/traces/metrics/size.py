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


@metric("calls", null="no event is an llm_call or has 'steps'", high="much was asked of models")
def model_calls(run: MeasuredRun) -> Value:
    """Number of model calls: the sum of `steps` where given, else 1 per `llm_call`."""
    return sum(run.steps) if run.counts_model_calls else None


@metric("events", high="the source says little of the orchestration; read the other metrics with care")
def inferred_events(run: MeasuredRun) -> Value:
    """Events that an importer added to fill gaps of the source format. Every count here includes them."""
    return sum(event.inferred for event in run.events) if "inferred" in run.trace.fields else 0


@metric("edges", high="the source names few dependencies")
def inferred_edges(run: MeasuredRun) -> Value:
    """Edges that an importer added."""
    return sum(edge.inferred for edge in run.trace.edges)


@metric("edges", high="clocks disagree, or edges name the wrong events; the longest chain may be too short")
def edges_left_out(run: MeasuredRun) -> Value:
    """Edges between agents whose source ended after the target started. Chains do not follow them."""
    return run.precedence.left_out


@metric("findings", high="the log contradicts itself: see 'awesome trace check'")
def breaches(run: MeasuredRun) -> Value:
    """Findings of the replay about illegal events (TR…)."""
    return len(run.replay.illegal)
