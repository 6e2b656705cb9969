"""The metrics of a run. Every function's docstring is its formula; what a trace cannot give is null with a reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.metrics import economy, outcome, structure, timing
from awesome_cli.traces.metrics.run import Missing, Run, Value
from awesome_cli.traces.model import Trace
from awesome_cli.traces.replay import Replay, replay

METRICS: Mapping[str, Callable[[Run], Value]] = {
    "events": structure.events,
    "agents": structure.agents,
    "inferred_events": structure.inferred_events,
    "inferred_edges": structure.inferred_edges,
    "breaches": structure.breaches,
    "model_calls": structure.model_calls,
    "work_steps": structure.work_steps,
    "critical_steps": structure.critical_steps,
    "stage_steps": structure.stage_steps,
    "potential_speedup_steps": structure.potential_speedup_steps,
    "elapsed_s": timing.elapsed_s,
    "busy_s": timing.busy_s,
    "work_s": timing.work_s,
    "span_s": timing.span_s,
    "potential_speedup": timing.potential_speedup,
    "achieved_speedup": timing.achieved_speedup,
    "parallelism_used": timing.parallelism_used,
    "max_concurrency": timing.max_concurrency,
    "idle_share": timing.idle_share,
    "edges_left_out": structure.edges_left_out,
    "spawn_depth": structure.spawn_depth,
    "spawn_width": structure.spawn_width,
    "live_children": structure.live_children,
    "live_agents": structure.live_agents,
    "protocol_overhead": structure.protocol_overhead,
    "protocol_token_share": economy.protocol_token_share,
    "message_density": structure.message_density,
    "redundant_actions": economy.redundant_actions,
    "redundant_actions_own": economy.redundant_actions_own,
    "redundancy": economy.redundancy,
    "oscillation": structure.oscillation,
    "tool_success": economy.tool_success,
    "unread_returns": structure.unread_returns,
    "unreturned_children": structure.unreturned_children,
    "open_calls": structure.open_calls,
    "tokens": economy.tokens,
    "cost_usd": economy.cost_usd,
    "lost_work_share": economy.lost_work_share,
    "wasted_work": economy.wasted_work,
    "overrun_steps": economy.overrun_steps,
    "overrun_share": economy.overrun_share,
    "overhead_percent": economy.overhead_percent,
    "efficiency": economy.efficiency,
    "success": outcome.success,
    "split_correctness": outcome.split_correctness,
    "subtask_coverage": outcome.subtask_coverage,
    "subtask_overlap": outcome.subtask_overlap,
    "aggregation_quality": outcome.aggregation_quality,
    "aggregation_quality_all": outcome.aggregation_quality_all,
    "aggregation_loss": outcome.aggregation_loss,
    "error_spread": outcome.error_spread,
    "taint_reach": outcome.taint_reach,
    "taint_violations": outcome.taint_violations,
    "parl_finish": outcome.parl_finish,
    "parl_performance": outcome.parl_performance,
    "parl_parallel": outcome.parl_parallel,
    "recorded_credit": outcome.recorded_credit,
    "counterfactual_credit": outcome.counterfactual_credit,
}


@dataclass(frozen=True, slots=True)
class Measures:
    """`values` holds every metric, null where it cannot be computed; `not_computable` says why."""

    values: Mapping[str, float | int | None]
    not_computable: Mapping[str, str]


def measure(trace: Trace, graph: Graph | None = None, replayed: Replay | None = None) -> Measures:
    """Every metric of a trace; `graph` (made without skew) and a whole replay are made here unless given."""
    graph = graph or graph_of(trace)
    run = Run(trace, graph, replayed or replay(trace, graph))
    values: dict[str, float | int | None] = {}
    missing: dict[str, str] = {}
    for name, metric in METRICS.items():
        value = metric(run)
        if isinstance(value, Missing):
            missing[name] = value.reason
            values[name] = None
        else:
            values[name] = value
    return Measures(values, missing)
