"""Metrics of the spawn tree."""

from awesome_cli.traces.metrics._metric import Value, metric
from awesome_cli.traces.metrics.run import MeasuredRun


@metric("levels")
def spawn_depth(run: MeasuredRun) -> Value:
    """Greatest depth of the spawn tree; a root has depth 0."""
    return max((agent.depth for agent in run.replay.machine.agents.values()), default=0)


@metric("spawns")
def spawn_width(run: MeasuredRun) -> Value:
    """Most children that one agent spawned over the whole run (40 rounds of 25 count 1,000)."""
    return max((agent.spawns for agent in run.replay.machine.agents.values()), default=0)


@metric("agents")
def live_children(run: MeasuredRun) -> Value:
    """Most children of one agent that ran at once (40 rounds of 25 count 25)."""
    return run.replay.machine.peak_children


@metric("agents")
def live_agents(run: MeasuredRun) -> Value:
    """Most agents that ran at once, the roots among them."""
    return run.replay.machine.peak_live
