"""What a metric is: a documented function of a run, and the facts that its row in the documentation needs."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError

Value = float | int | None
"""A number; `None` where there is none for the reason that the metric gives as `null`."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric. `unit` and `limits` describe its values, `null` says when a trace does not support it.

    `compute` raises `NotComputableError`, with a reason where that is not simply `null`.
    """

    name: str
    unit: str
    limits: str
    null: str
    compute: Callable[[MeasuredRun], Value]

    @property
    def meaning(self) -> str:
        """The formula in words: the first paragraph of the function's docstring."""
        return " ".join((inspect.getdoc(self.compute) or "").split("\n\n")[0].split())


def metric(unit: str, limits: str = "≥ 0", null: str = "never") -> Callable[[Callable[[MeasuredRun], Value]], Metric]:
    """Make a metric of a function; it has the function's name."""
    return lambda compute: Metric(compute.__name__, unit, limits, null, compute)


NO_STEP = "the run has no step"
NO_TOKENS = "no event records tokens"
NO_TURN = "no reasoning turn (llm_call) is recorded"
NO_TASK = "there is no spawn or delegate"


def ratio(part: float, whole: float, reason: str | None = None) -> float:
    """`part` / `whole`; where `whole` is 0, `NotComputableError` with the reason."""
    if not whole:
        raise NotComputableError(reason)
    return part / whole
