"""Summaries of many runs: per group of rollouts of one task, and per version of the policy."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Literal

from awesome_cli.traces.rows import Analysis, Row

MEANS = ("critical_steps", "tokens", "potential_speedup_steps", "achieved_speedup", "wasted_work", "overrun_steps")
Std = Literal["population", "sample"]
"""The divisor of a standard deviation: n for the population's, n - 1 for the sample's."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of the rewards of `n` rollouts; the deviation of a sample of one is None."""

    n: int
    mean: float
    deviation: float | None

    @classmethod
    def of(cls, rewards: Sequence[tuple[float, int]], std: Std = "population") -> "Spread":
        """Return the spread of rewards with their weights; raises `ZeroDivisionError` for none."""
        total = sum(weight for _, weight in rewards)
        mean = sum(reward * weight for reward, weight in rewards) / total
        squares = sum(weight * (reward - mean) ** 2 for reward, weight in rewards)
        if len({reward for reward, _ in rewards}) == 1:  # A rounded mean of equal rewards can differ from them.
            squares = 0.0
        divisor = total - 1 if std == "sample" else total
        return cls(len(rewards), mean, sqrt(squares / divisor) if divisor else None)

    def advantage(self, reward: float) -> float | None:
        """(R - mean) / deviation, the group-relative advantage; None where all rewards are equal."""
        return (reward - self.mean) / self.deviation if self.deviation else None


Turn = tuple[str, int]
"""A turn of a run: an agent, and the number of its model call, from 0."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """The reward of a rollout, the model calls of its agents, their roles, and the rewards of turns."""

    reward: float | None
    calls: Mapping[str, int]
    roles: Mapping[str, str]
    turns: Mapping[Turn, float] = field(default_factory=dict)

    def unit(self, agent: str, by_role: Collection[str]) -> str:
        """The agent's id, or `role=ROLE` if its role is one of `by_role`."""
        role = self.roles.get(agent)
        return f"role={role}" if role in by_role else agent

    def units(self, by_role: Collection[str]) -> Counter[str]:
        """The model calls by unit."""
        summed: Counter[str] = Counter()
        for agent, calls in self.calls.items():
            summed[self.unit(agent, by_role)] += calls
        return summed


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """The rewards of the rollouts of a group: of the runs, of agents by their model calls, and of turns.

    Agents of the roles `by_role` have ids per run and are compared by role. That is so if no two rollouts share an id
    of the role, or if one of its ids has another role elsewhere.
    """

    runs: Spread | None
    agents: Mapping[str, Spread]
    turns: Mapping[Turn, Spread]
    by_role: frozenset[str]

    @classmethod
    def of(cls, rollouts: Sequence[Rollout], std: Std) -> "GroupSpread":
        seen = Counter(pair for rollout in rollouts for pair in rollout.roles.items())
        held = Counter(agent for agent, _ in seen)
        shared = {role for (_, role), n in seen.items() if n > 1}
        by_role = frozenset(role for agent, role in seen if role not in shared or held[agent] > 1)
        paid = [(rollout, rollout.reward) for rollout in rollouts if rollout.reward is not None]
        agents: dict[str, list[tuple[float, int]]] = defaultdict(list)
        turns: dict[Turn, list[tuple[float, int]]] = defaultdict(list)
        for rollout, reward in paid:
            for unit, calls in rollout.units(by_role).items():
                agents[unit].append((reward, calls))
        for rollout in rollouts:
            for turn, reward in rollout.turns.items():
                turns[turn].append((reward, 1))
        return cls(
            Spread.of([(reward, 1) for _, reward in paid], std) if paid else None,
            {unit: Spread.of(agents[unit], std) for unit in sorted(agents)},
            {turn: Spread.of(rewards, std) for turn, rewards in turns.items()},
            by_role,
        )


def summaries(analyses: Sequence[Analysis], std: Std = "population") -> dict[str, dict[str, Any]]:
    """`{"group_id": {id: summary}, "policy_version": {version: summary}}`, keys as text and sorted.

    Rows without a group, or without a version, are left out there.
    """
    result: dict[str, dict[str, Any]] = {}
    for column in ("group_id", "policy_version"):
        groups: dict[str, list[Analysis]] = defaultdict(list)
        for analysis in analyses:
            if (value := analysis.row[column]) is not None:
                groups[str(value)].append(analysis)
        result[column] = {key: summary(groups[key], std) for key in sorted(groups)}
    return result


def summary(group: Sequence[Analysis], std: Std = "population") -> dict[str, Any]:
    """The summary of a group of runs; values are null where no row has the inputs.

    - `success`: mean reward R (rewards.team); `deviation`: its standard deviation, null for a sample of one
    - `advantages`: (R_i - mean) / deviation by trace id, as in GRPO; null where all rewards are equal
    - `agent_advantages`: the same per agent, with mean and deviation over the steps in which that agent acted, as in
      Dr. MAS: an agent that acts in few rollouts is compared with those only. Where ids are per run, agents of one role
      are compared, as `role=ROLE`
    - `cost_per_success`, `tokens_per_success`: Σ cost / Σ R, Σ tokens / Σ R
    - `error_amplification`: E_MAS / E_SAS with E_MAS = 1 - success and E_SAS = 1 - baseline.success, or baseline.errors
    - `shapes`: how many different orchestrations
    """
    rows = [analysis.row for analysis in group]
    paid = [row for row in rows if row["reward"] is not None]
    rewards = [row["reward"] for row in paid]
    rollouts = [Rollout(each.row["reward"], each.calls, each.roles) for each in group]
    spread = GroupSpread.of(rollouts, std)
    calls = [rollout.units(spread.by_role) for rollout in rollouts]
    total = sum(rewards)
    return {
        "n": len(rows),
        "success": spread.runs and spread.runs.mean,
        "deviation": spread.runs and spread.runs.deviation,
        "cost_per_success": ratio(known(paid, "cost_usd"), total),
        "tokens_per_success": ratio(known(paid, "tokens"), total),
        "error_amplification": amplification(rows, rewards),
        "shapes": len({row["shape_digest"] for row in rows}),
        "means": {name: mean([row[name] for row in rows if row[name] is not None]) for name in MEANS},
        "advantages": spread.runs and advantages(spread.runs, paid),
        "agent_advantages": {
            unit: values
            for unit, agent in spread.agents.items()
            if (values := advantages(agent, (r for r, own in zip(rows, calls, strict=True) if unit in own)))
        },
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


def advantages(spread: Spread, rows: Iterable[Row]) -> dict[str, float] | None:
    """(R_i - mean) / deviation by trace id; null where all rewards are equal."""
    paid = {row["trace_id"]: spread.advantage(row["reward"]) for row in rows if row["reward"] is not None}
    return {key: value for key in sorted(paid) if (value := paid[key]) is not None} or None
