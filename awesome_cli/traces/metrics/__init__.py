"""The metrics of a run. A metric that a trace does not support is null, with a reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.metrics import coordination, economy, outcome, parallelism, size, timing, unread
from awesome_cli.traces.metrics.run import MeasuredRun, Metric, NotComputableError, Value
from awesome_cli.traces.model import Trace
from awesome_cli.traces.replay import Replay, replay

MODULES = {
    "What is recorded": size,
    "What it cost": economy,
    "Where it waited": timing,
    "What nobody read": unread,
    "How parallel it was": parallelism,
    "How agents worked together": coordination,
    "How good it was": outcome,
}
"""The questions about a run, and the module whose metrics answer each question."""
QUESTIONS: Mapping[str, tuple[str, ...]] = {
    question: tuple(name for name, item in vars(module).items() if isinstance(item, Metric))
    for question, module in MODULES.items()
}
"""The names of the metrics that answer each question."""
METRICS: Mapping[str, Metric] = {
    name: vars(MODULES[question])[name] for question, names in QUESTIONS.items() for name in names
}
"""The metrics by name, in the order of the columns in tables."""
TOO_LARGE = "a number of the trace is so large that the result is infinite"


@dataclass(frozen=True, slots=True)
class Measures:
    """The metrics of a run: `values` has all of them by name, `not_computable` the reasons for values that are None."""

    values: Mapping[str, float | int | None]
    not_computable: Mapping[str, str]


def measure(trace: Trace, graph: Graph | None = None, replayed: Replay | None = None) -> Measures:
    """Return all metrics of a trace, or the reason for a null; `graph` (without skew) and `replayed` save work."""
    graph = graph or graph_of(trace)
    return measure_run(MeasuredRun(trace, graph, replayed or replay(trace, graph)))


def measure_run(run: MeasuredRun) -> Measures:
    values: dict[str, Value] = {}
    missing: dict[str, str] = {}
    for name, metric in METRICS.items():
        try:
            value, reason = metric.compute(run), metric.null
        except NotComputableError as error:
            value, reason = None, str(error) or metric.null
        if value is not None and not isfinite(value):
            value, reason = None, TOO_LARGE
        values[name] = value
        if value is None:
            missing[name] = reason
    return Measures(values, missing)
