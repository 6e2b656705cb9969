"""The credit of decisions by published rules, within groups of rollouts of one task; and summaries of such groups."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, isfinite, sqrt
from typing import Any, Literal, NamedTuple

from awesome_cli.text.grouping import group_pairs
from awesome_cli.traces.rows import Analysis, Row

MEANS = ("critical_steps", "tokens", "potential_speedup_steps", "achieved_speedup", "wasted_work", "overrun_steps")
Std = Literal["population", "sample"]
"""The kind of standard deviation: `population` divides by n, `sample` by n - 1."""


Sample = tuple[int, float, int]
"""The index of a rollout in its group, a reward, and the weight of the reward."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of rewards from `n` rollouts; the deviation of a sample of one reward is None."""

    n: int
    mean: float
    deviation: float | None

    @classmethod
    def of(cls, samples: Sequence[Sample], std: Std = "population") -> "Spread":
        """Return the spread of weighted rewards; raises `ZeroDivisionError` if `samples` is empty."""
        total = sum(weight for _, _, weight in samples)
        mean = sum(reward * (weight / total) for _, reward, weight in samples)
        divisor = total - 1 if std == "sample" else total
        if len({reward for _, reward, _ in samples}) == 1:  # A rounded mean of equal rewards can differ from them.
            deviation = 0.0 if divisor else None
        else:
            deviation = hypot(*((reward - mean) * sqrt(weight / divisor) for _, reward, weight in samples))
        return cls(len({place for place, _, _ in samples}), mean, finite(deviation))

    def advantage(self, reward: float) -> float | None:
        """Return the group-relative advantage (R - mean) / deviation; None if all rewards are equal."""
        return (reward - self.mean) / self.deviation if self.deviation else None


Turn = tuple[str, int]
"""A turn of a run: the agent (for a group, the agent's role), and the number of the agent's model call, from 0."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """A rollout: its reward, the number of model calls by role, the role of each agent, and the reward of each turn."""

    reward: float | None
    calls: Mapping[str, int]
    roles: Mapping[str, str] = field(default_factory=dict)
    turns: Mapping[Turn, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """The spread of rewards in a group: of whole runs, of roles (weighted by model calls), and of turns of roles."""

    runs: Spread | None
    roles: Mapping[str, Spread]
    turns: Mapping[Turn, Spread]

    @classmethod
    def of(cls, rollouts: Sequence[Rollout], std: Std) -> "GroupSpread":
        runs: list[Sample] = []
        roles: dict[str, list[Sample]] = defaultdict(list)
        turns: dict[Turn, list[Sample]] = defaultdict(list)
        for i, rollout in enumerate(rollouts):
            if rollout.reward is not None:
                runs.append((i, rollout.reward, 1))
                for role, calls in rollout.calls.items():
                    roles[role].append((i, rollout.reward, calls))
            for (agent, turn), reward in rollout.turns.items():
                turns[rollout.roles[agent], turn].append((i, reward, 1))
        return cls(
            Spread.of(runs, std) if runs else None,
            {role: Spread.of(roles[role], std) for role in sorted(roles)},
            {turn: Spread.of(samples, std) for turn, samples in turns.items()},
        )


NO_GROUP = "the trace has no rollout.group_id"
NO_REWARD = "the run has no reward in the channel"
NO_TURN = "no model call of the agent is recorded before the decision"
NO_TURN_REWARD = "no reward in the channel is recorded for the turn"
NO_CALL = "no model call of the role is recorded"
CALLS = "model calls of the role"
TURNS = "a reward for the turn of the role"


class CreditRule(NamedTuple):
    """A published rule of credit: the unit that gets the credit (for example an agent's turn), formula and source."""

    unit: str
    meaning: str


RULES: Mapping[str, CreditRule] = {
    "broadcast": CreditRule(
        "the run",
        "R: every decision of every agent gets the reward of the whole run, as with one reward shared by a team.",
    ),
    "group_relative": CreditRule(
        "the run, in its group",
        "(R - mean) / deviation over the rollouts of the group, the same for every decision: GRPO, arXiv 2402.03300.",
    ),
    "per_agent": CreditRule(
        "the role in the run",
        "(R - mean) / deviation over the model calls that this role made in the group: Dr. MAS, arXiv 2602.08847.",
    ),
    "per_turn": CreditRule(
        "the turn of the agent",
        "(r - mean) / deviation of the turn's reward r over that turn of its role: MT-GRPO, arXiv 2505.11821.",
    ),
}
"""The rules of credit by name, in the order of the columns of the training table."""
Credit = tuple[str | None, float | None, str]
"""The credit of a decision by a rule: the id of the unit that gets it, the value, and the reason for a null value."""


def credit(run_id: str, agent: str, turn: int | None, rollout: Rollout, group: GroupSpread | None) -> dict[str, Credit]:
    """Return the credit of a decision by each rule; `turn` is None if no model call precedes the decision."""
    no_calls = NO_GROUP if group is None else NO_CALL
    group = group or GroupSpread(None, {}, {})
    role, reward = rollout.roles[agent], rollout.reward
    result: dict[str, Credit] = {
        "broadcast": (run_id, reward, NO_REWARD),
        "group_relative": (run_id, *_relative(reward, NO_REWARD, group.runs, NO_GROUP, "a reward")),
        "per_agent": (f"{run_id}/{role}", *_relative(reward, NO_REWARD, group.roles.get(role), no_calls, CALLS)),
        "per_turn": (None, None, NO_TURN),
    }
    if turn is not None:
        earned, spread = rollout.turns.get((agent, turn)), group.turns.get((role, turn))
        result["per_turn"] = (f"{run_id}/{agent}/{turn}", *_relative(earned, NO_TURN_REWARD, spread, NO_GROUP, TURNS))
    return result


def _relative(
    reward: float | None, no_reward: str, spread: Spread | None, no_spread: str, basis: str
) -> tuple[float | None, str]:
    """Return (R - mean) / deviation, or None if rewards are equal or missing, and the reason for None."""
    if reward is None:
        return None, no_reward
    if spread is None:
        return None, no_spread
    if spread.n == 1:
        return None, f"no other rollout of the group has {basis}"
    return spread.advantage(reward), f"all rollouts of the group that have {basis} have the same reward"


def summaries(analyses: Sequence[Analysis], std: Std = "population") -> dict[str, dict[str, Any]]:
    """Return `{"group_id": {id: summary}, "policy_version": {version: summary}}`; ids and versions are sorted text.

    A row without a group id is in no summary by group, and a row without a version in no summary by version.
    """
    result: dict[str, dict[str, Any]] = {}
    for column in ("group_id", "policy_version"):
        groups = group_pairs((str(a.row[column]), a) for a in analyses if a.row[column] is not None)
        result[column] = {key: summary(groups[key], std) for key in sorted(groups)}
    return result


def summary(group: Sequence[Analysis], std: Std) -> dict[str, Any]:
    """Return the summary of a group of runs; a value is null if all rows lack its inputs.

    - `success`: mean reward R; `deviation`: standard deviation of R, null for a sample of one
    - `advantages`: (R_i - mean) / deviation by trace id, as in GRPO; null if all rewards are equal
    - `agent_advantages`: advantages per role, with mean and deviation over the model calls of the role, as in Dr. MAS;
      only rollouts in which the role acts are compared
    - `cost_per_success`, `tokens_per_success`: Σ cost / Σ R, Σ tokens / Σ R; null if the number of a row is unknown
    - `error_amplification`: E_MAS / E_SAS (arXiv 2512.08296, §4.1) with E_MAS = 1 - success and E_SAS = 1 -
      baseline.success, or baseline.errors
    - `shapes`: number of different shape digests
    """
    rows = [analysis.row for analysis in group]
    rewarded = [row for row in rows if row["reward"] is not None]
    spread = GroupSpread.of([Rollout(each.row["reward"], each.calls) for each in group], std)
    single = [
        1 - row["baseline_success"] if row["baseline_errors"] is None else row["baseline_errors"]
        for row in rows
        if row["baseline_errors"] is not None or row["baseline_success"] is not None
    ]
    members = {role: [each.row for each in group if role in each.calls] for role in spread.roles}
    by_role = {role: advantages(rewards, members[role]) for role, rewards in spread.roles.items()}
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
        "agent_advantages": {role: values for role, values in by_role.items() if values},
    }


def mean(values: Sequence[float]) -> float | None:
    return finite(sum(values) / len(values)) if values else None


def finite(value: float | None) -> float | None:
    """Return the value; None if the value is infinite, because numbers in the traces are too large."""
    return value if value is not None and isfinite(value) else None


def per_success(rows: Sequence[Row], name: str) -> float | None:
    """Return the sum of a column divided by the sum of rewards; None if a row lacks the column."""
    values, total = [row[name] for row in rows], sum(row["reward"] for row in rows)
    return finite(sum(values) / total) if total > 0 and None not in values else None


def advantages(spread: Spread, rows: Sequence[Row]) -> dict[str, float] | None:
    """Return (R_i - mean) / deviation by trace id; None if all rewards are equal."""
    values = {row["trace_id"]: spread.advantage(row["reward"]) for row in rows if row["reward"] is not None}
    return {key: value for key in sorted(values) if (value := values[key]) is not None} or None
