"""Summaries of many runs: per group of rollouts of one task, and per version of the policy."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from awesome_cli.traces.rows import Analysis, Row

MEANS = ("critical_steps", "tokens", "potential_speedup_steps", "achieved_speedup", "wasted_work", "overrun_steps")


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean and the population deviation of some rewards."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, rewards: Iterable[tuple[float, int]]) -> "Spread":
        """Of rewards with their weights; raises `ZeroDivisionError` for none."""
        known = list(rewards)
        n = sum(weight for _, weight in known)
        mean = sum(reward * weight for reward, weight in known) / n
        return cls(mean, sqrt(sum(weight * (reward - mean) ** 2 for reward, weight in known) / n))

    def advantage(self, reward: float) -> float:
        """(R - mean) / deviation, the group-relative advantage; raises `ZeroDivisionError` where all are equal."""
        return (reward - self.mean) / self.deviation


def summaries(analyses: Sequence[Analysis]) -> dict[str, dict[str, Any]]:
    """`{"group_id": {id: summary}, "policy_version": {version: summary}}`, keys as text and sorted.

    Rows without a group, or without a version, are left out there.
    """
    result: dict[str, dict[str, Any]] = {}
    for column in ("group_id", "policy_version"):
        groups: dict[str, list[Analysis]] = defaultdict(list)
        for analysis in analyses:
            if (value := analysis.row[column]) is not None:
                groups[str(value)].append(analysis)
        result[column] = {key: summary(groups[key]) for key in sorted(groups)}
    return result


def summary(group: Sequence[Analysis]) -> dict[str, Any]:
    """The summary of a group of runs; values are null where no row has the inputs.

    - `success`: mean reward R (rewards.team); `deviation`: its population standard deviation
    - `advantages`: (R_i - mean) / deviation by trace id, as in GRPO; null where all rewards are equal
    - `agent_advantages`: the same per agent, with mean and deviation over the steps in which that agent acted, as in
      Dr. MAS: an agent that acts in few rollouts is compared with those only
    - `cost_per_success`, `tokens_per_success`: Σ cost / Σ R, Σ tokens / Σ R
    - `error_amplification`: E_MAS / E_SAS with E_MAS = 1 - success and E_SAS = 1 - baseline.success, or baseline.errors
    - `shapes`: how many different orchestrations
    """
    rows = [analysis.row for analysis in group]
    paid = [row for row in rows if row["reward"] is not None]
    rewards = [row["reward"] for row in paid]
    spread = Spread.of((reward, 1) for reward in rewards) if rewards else None
    total = sum(rewards)
    return {
        "n": len(rows),
        "success": spread and spread.mean,
        "deviation": spread and spread.deviation,
        "cost_per_success": ratio(known(paid, "cost_usd"), total),
        "tokens_per_success": ratio(known(paid, "tokens"), total),
        "error_amplification": amplification(rows, rewards),
        "shapes": len({row["shape_digest"] for row in rows}),
        "means": {name: mean([row[name] for row in rows if row[name] is not None]) for name in MEANS},
        "advantages": advantages(rows),
        "agent_advantages": agent_advantages(group),
    }


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def known(rows: Iterable[Row], name: str) -> float | None:
    """The sum of a column; null if any row lacks it, because the sum of a part could be mistaken for the whole."""
    values = [row[name] for row in rows]
    return sum(values) if values and None not in values else None


def ratio(total: float | None, reward: float) -> float | None:
    """Cost / reward; null where nothing succeeded."""
    return total / reward if total is not None and reward > 0 else None


def amplification(rows: Sequence[Row], rewards: Sequence[float]) -> float | None:
    """Ae = E_MAS / E_SAS, failure probabilities (arXiv 2512.08296, §4.1)."""
    single = [
        row["baseline_errors"] if row["baseline_errors"] is not None else 1 - row["baseline_success"]
        for row in rows
        if row["baseline_errors"] is not None or row["baseline_success"] is not None
    ]
    base = mean(single)
    return (1 - sum(rewards) / len(rewards)) / base if rewards and base else None


def advantages(rows: Sequence[Row]) -> dict[str, float] | None:
    """(R_i - mean) / deviation by trace id; null where all rewards are equal."""
    rewards = {row["trace_id"]: row["reward"] for row in rows if row["reward"] is not None}
    return normalised([(trace_id, reward, 1) for trace_id, reward in rewards.items()])


def agent_advantages(group: Sequence[Analysis]) -> dict[str, dict[str, float]]:
    """By agent, then by trace id: normalised over the agent's own steps; agents with equal rewards are left out."""
    acted: dict[str, list[tuple[str, float, int]]] = defaultdict(list)
    for analysis in group:
        reward = analysis.row["reward"]
        if reward is not None:
            for agent, steps in analysis.agent_steps.items():
                acted[agent].append((analysis.row["trace_id"], reward, steps))
    found = {agent: normalised(own) for agent, own in sorted(acted.items())}
    return {agent: values for agent, values in found.items() if values is not None}


def normalised(rewards: Sequence[tuple[str, float, int]]) -> dict[str, float] | None:
    """Advantages by trace id, from ids, rewards and weights; null where all rewards are equal."""
    spread = Spread.of((reward, weight) for _, reward, weight in rewards) if rewards else None
    if spread is None or not spread.deviation:
        return None
    return {key: spread.advantage(reward) for key, reward, _ in sorted(rewards)}
