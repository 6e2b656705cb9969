"""Summaries of many runs: per group of rollouts of one task, and per version of the policy."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

from awesome_cli.traces.rows import Analysis, Row

MEANS = ("critical_steps", "tokens", "potential_speedup_steps", "achieved_speedup", "wasted_work", "overrun_steps")


def summaries(analyses: Sequence[Analysis]) -> dict[str, dict[str, Any]]:
    """`{"group_id": {id: summary}, "policy_version": {version: summary}}`, keys as text and sorted.

    Rows without a group, or without a version, are left out there.
    """
    result: dict[str, dict[str, Any]] = {}
    for column in ("group_id", "policy_version"):
        groups: dict[str, list[Analysis]] = {}
        for analysis in analyses:
            value = analysis.row[column]
            if value is not None:
                groups.setdefault(str(value), []).append(analysis)
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
    rewards = [row["reward"] for row in rows if row["reward"] is not None]
    total = sum(rewards)
    paid = [row for row in rows if row["reward"] is not None]
    return {
        "n": len(rows),
        "success": mean(rewards),
        "deviation": deviation(rewards),
        "cost_per_success": ratio(known(paid, "cost_usd"), total),
        "tokens_per_success": ratio(known(paid, "tokens"), total),
        "error_amplification": amplification(rows, rewards),
        "shapes": len({row["shape_digest"] for row in rows}),
        "means": {name: mean([row[name] for row in rows if row[name] is not None]) for name in MEANS},
        "advantages": advantages(rows),
        "agent_advantages": agent_advantages(group),
    }


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean."""
    return sum(values) / len(values) if values else None


def deviation(values: Sequence[float]) -> float | None:
    """The population standard deviation."""
    if not values:
        return None
    middle = sum(values) / len(values)
    return sqrt(sum((v - middle) ** 2 for v in values) / len(values))


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
    acted: dict[str, list[tuple[str, float, int]]] = {}
    for analysis in group:
        reward = analysis.row["reward"]
        if reward is not None:
            for agent, steps in analysis.agent_steps.items():
                acted.setdefault(agent, []).append((analysis.row["trace_id"], reward, steps))
    found = {agent: normalised(own) for agent, own in sorted(acted.items())}
    return {agent: values for agent, values in found.items() if values is not None}


def normalised(rewards: Sequence[tuple[str, float, int]]) -> dict[str, float] | None:
    """(R - mean) / deviation by trace id, from ids, rewards and weights; null where the deviation is 0."""
    n = sum(weight for _, _, weight in rewards)
    middle = sum(reward * weight for _, reward, weight in rewards) / n if n else 0
    spread = sqrt(sum(weight * (reward - middle) ** 2 for _, reward, weight in rewards) / n) if n else 0
    return {key: (reward - middle) / spread for key, reward, _ in sorted(rewards)} if spread else None
