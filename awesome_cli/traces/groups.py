"""Summaries of many runs: per group of rollouts of one task, and per version of the policy."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, isfinite, sqrt
from typing import Any, Literal

from awesome_cli.traces.rows import Analysis, Row

MEANS = ("critical_steps", "tokens", "potential_speedup_steps", "achieved_speedup", "wasted_work", "overrun_steps")
Std = Literal["population", "sample"]
"""The divisor of a standard deviation: n for the population's, n - 1 for the sample's."""


Sample = tuple[int, float, int]
"""The place of a rollout in its group, a reward, and its weight."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of rewards from `n` rollouts; the deviation of a sample of one is None."""

    n: int
    mean: float
    deviation: float | None

    @classmethod
    def of(cls, samples: Sequence[Sample], std: Std = "population") -> "Spread":
        """Return the spread of weighted rewards; raises `ZeroDivisionError` for none."""
        total = sum(weight for _, _, weight in samples)
        mean = sum(reward * (weight / total) for _, reward, weight in samples)
        divisor = total - 1 if std == "sample" else total
        deviation = None
        if len({reward for _, reward, _ in samples}) == 1:  # A rounded mean of equal rewards can differ from them.
            deviation = 0.0 if divisor else None
        elif divisor:
            deviation = hypot(*((reward - mean) * sqrt(weight / divisor) for _, reward, weight in samples))
        return cls(len({place for place, _, _ in samples}), mean, finite(deviation))

    def advantage(self, reward: float) -> float | None:
        """(R - mean) / deviation, the group-relative advantage; None where all rewards are equal."""
        return (reward - self.mean) / self.deviation if self.deviation else None


Turn = tuple[str, int]
"""A turn of a run: an agent (in a group its unit), and the number of its model call, from 0."""


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
        sums: Counter[str] = Counter()
        for agent, calls in self.calls.items():
            sums[self.unit(agent, by_role)] += calls
        return sums


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """The rewards of the rollouts of a group: of the runs, of agents by their model calls, and of turns.

    Agents of the roles `by_role` have ids per run; they and their turns are compared by role. That is so if no two
    rollouts share an id of the role, or if one of its ids has another role elsewhere.
    """

    runs: Spread | None
    agents: Mapping[str, Spread]
    turns: Mapping[Turn, Spread]
    by_role: frozenset[str]

    @classmethod
    def of(cls, rollouts: Sequence[Rollout], std: Std) -> "GroupSpread":
        seen = Counter(pair for rollout in rollouts for pair in rollout.roles.items())
        roles_of = Counter(agent for agent, _ in seen)
        shared = {role for (_, role), n in seen.items() if n > 1}
        by_role = frozenset(role for agent, role in seen if role not in shared or roles_of[agent] > 1)
        runs: list[Sample] = []
        agents: dict[str, list[Sample]] = defaultdict(list)
        turns: dict[Turn, list[Sample]] = defaultdict(list)
        for i, rollout in enumerate(rollouts):
            if rollout.reward is not None:
                runs.append((i, rollout.reward, 1))
                for unit, calls in rollout.units(by_role).items():
                    agents[unit].append((i, rollout.reward, calls))
            for (agent, turn), reward in rollout.turns.items():
                turns[rollout.unit(agent, by_role), turn].append((i, reward, 1))
        return cls(
            Spread.of(runs, std) if runs else None,
            {unit: Spread.of(agents[unit], std) for unit in sorted(agents)},
            {turn: Spread.of(samples, std) for turn, samples in turns.items()},
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


def summary(group: Sequence[Analysis], std: Std) -> dict[str, Any]:
    """The summary of a group of runs; values are null where no row has the inputs.

    - `success`: mean reward R; `deviation`: its standard deviation, null for a sample of one
    - `advantages`: (R_i - mean) / deviation by trace id, as in GRPO; null where all rewards are equal
    - `agent_advantages`: the same per agent, with mean and deviation over the steps in which that agent acted, as in
      Dr. MAS: an agent that acts in few rollouts is compared with those only. Where ids are per run, agents of one role
      are compared, as `role=ROLE`
    - `cost_per_success`, `tokens_per_success`: Σ cost / Σ R, Σ tokens / Σ R; null if a row lacks its cost
    - `error_amplification`: E_MAS / E_SAS (arXiv 2512.08296, §4.1) with E_MAS = 1 - success and E_SAS = 1 -
      baseline.success, or baseline.errors
    - `shapes`: how many different orchestrations
    """
    rows = [analysis.row for analysis in group]
    rewarded = [row for row in rows if row["reward"] is not None]
    rollouts = [Rollout(each.row["reward"], each.calls, each.roles) for each in group]
    spread = GroupSpread.of(rollouts, std)
    members: dict[str, list[Row]] = defaultdict(list)
    for row, rollout in zip(rows, rollouts, strict=True):
        for unit in rollout.units(spread.by_role):
            members[unit].append(row)
    single = [
        1 - row["baseline_success"] if row["baseline_errors"] is None else row["baseline_errors"]
        for row in rows
        if row["baseline_errors"] is not None or row["baseline_success"] is not None
    ]
    by_agent = {unit: advantages(agent, members[unit]) for unit, agent in spread.agents.items()}
    return {
        "n": len(rows),
        "success": spread.runs and spread.runs.mean,
        "deviation": spread.runs and spread.runs.deviation,
        "cost_per_success": per_success(rewarded, "cost_usd"),
        "tokens_per_success": per_success(rewarded, "tokens"),
        "error_amplification": (1 - spread.runs.mean) / base if spread.runs and (base := mean(single)) else None,
        "shapes": len({row["shape_digest"] for row in rows}),
        "means": {name: mean([row[name] for row in rows if row[name] is not None]) for name in MEANS},
        "advantages": spread.runs and advantages(spread.runs, rewarded),
        "agent_advantages": {unit: values for unit, values in by_agent.items() if values},
    }


def mean(values: Sequence[float]) -> float | None:
    return finite(sum(values) / len(values)) if values else None


def finite(value: float | None) -> float | None:
    """The value; None if numbers of the traces are so large that it is infinite."""
    return value if value is not None and isfinite(value) else None


def per_success(rows: Sequence[Row], name: str) -> float | None:
    """The sum of a column by that of the rewards; null if a row lacks it, since a part could pass for the whole."""
    values, total = [row[name] for row in rows], sum(row["reward"] for row in rows)
    return finite(sum(values) / total) if total > 0 and None not in values else None


def advantages(spread: Spread, rows: Sequence[Row]) -> dict[str, float] | None:
    """(R_i - mean) / deviation by trace id; null where all rewards are equal."""
    values = {row["trace_id"]: spread.advantage(row["reward"]) for row in rows if row["reward"] is not None}
    return {key: value for key in sorted(values) if (value := values[key]) is not None} or None
