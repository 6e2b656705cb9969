"""What a metric is: a documented function of a run, and the facts that its row in the documentation needs."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from awesome_cli.traces.metrics.run import MeasuredRun, NotComputableError

Value = float | int | None
"""A number; `None` where there is none for the reason that the metric gives as `null`."""


OURS = "defined by this tool"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric. `unit` and `limits` describe its values, `null` says when a trace does not support it.

    `high` says what a high value means, `source` who defined it. `compute` raises `NotComputableError`, with a reason
    where that is not simply `null`.
    """

    name: str
    unit: str
    limits: str
    null: str
    high: str
    source: str
    compute: Callable[[MeasuredRun], Value]

    @property
    def meaning(self) -> str:
        """The formula in words: the first paragraph of the function's docstring."""
        return self.paragraphs[0]

    @property
    def paragraphs(self) -> list[str]:
        """The function's docstring, each paragraph on one line."""
        return [" ".join(part.split()) for part in (inspect.getdoc(self.compute) or "").split("\n\n")]

    @property
    def facts(self) -> dict[str, str]:
        """What its page says beside the definition."""
        return {
            "Unit": self.unit, "Range": self.limits, "Source": self.source, "Null when": self.null,
            "A high value means": self.high,
        }  # fmt: skip


def metric(
    unit: str, limits: str = "≥ 0", null: str = "never", *, high: str, source: str = OURS
) -> Callable[[Callable[[MeasuredRun], Value]], Metric]:
    """Make a metric of a function; it has the function's name."""
    return lambda compute: Metric(compute.__name__, unit, limits, null, high, source, compute)


NO_STEP = "the run has no step"
NO_CALL = "no model call is recorded"
NO_TOKENS = "no event records tokens"
SCALING = "Scaling Agent Systems, arXiv 2512.08296, §4.1"
WORK_SPAN = "the work-span model of parallel computation"
KIMI = "Kimi K2.5 report, arXiv 2602.02276"
NO_TURN = "no reasoning turn (llm_call) is recorded"
NO_TASK = "there is no spawn or delegate"


def ratio(part: float, whole: float, reason: str | None = None) -> float:
    """`part` / `whole`; where `whole` is 0, `NotComputableError` with the reason."""
    if not whole:
        raise NotComputableError(reason)
    return part / whole
