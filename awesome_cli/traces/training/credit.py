"""Published rules of credit: to which unit each gives the reward of a decision, and how much."""

from collections.abc import Mapping
from typing import NamedTuple

from awesome_cli.traces.groups import GroupSpread, Rollout, Spread

NO_GROUP = "the trace has no rollout.group_id"
NO_REWARD = "the run has no reward in the channel"
NO_TURN = "no model call of the agent is recorded before the decision"
NO_TURN_REWARD = "no reward in the channel is recorded for the turn"
NO_CALL = "no model call of the role is recorded"
CALLS = "model calls of the role"
TURNS = "a reward for the turn of the role"


class CreditRule(NamedTuple):
    """The unit that gets the credit of a rule, in words, and the rule's formula and source."""

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
        "the turn of the role",
        "(r - mean) / deviation of the turn's own reward r over the same turn of the group: MT-GRPO, arXiv 2505.11821.",
    ),
}
"""Every rule by its name, in the order of the columns."""


class Credit(NamedTuple):
    """The unit of a rule for a decision, and its credit; both can be null for the reason."""

    unit: str | None
    value: float | None
    reason: str


def credit(run_id: str, agent: str, turn: int | None, rollout: Rollout, group: GroupSpread | None) -> dict[str, Credit]:
    """The credit of a decision by rule, from its agent and turn, the rewards of its run, and those of the group."""
    no_calls = NO_GROUP if group is None else NO_CALL
    group = group or GroupSpread(None, {}, {})
    role, reward = rollout.roles[agent], rollout.reward
    result = {
        "broadcast": Credit(run_id, reward, NO_REWARD),
        "group_relative": Credit(run_id, *_relative(reward, NO_REWARD, group.runs, NO_GROUP, "a reward")),
        "per_agent": Credit(f"{run_id}/{role}", *_relative(reward, NO_REWARD, group.roles.get(role), no_calls, CALLS)),
        "per_turn": Credit(None, None, NO_TURN),
    }
    if turn is not None:
        earned, spread = rollout.turns.get((agent, turn)), group.turns.get((role, turn))
        result["per_turn"] = Credit(
            f"{run_id}/{role}/{turn}", *_relative(earned, NO_TURN_REWARD, spread, NO_GROUP, TURNS)
        )
    return result


def _relative(
    reward: float | None, no_reward: str, spread: Spread | None, no_spread: str, basis: str
) -> tuple[float | None, str]:
    """(R - mean) / deviation; None with a reason where nothing differs, or nothing can be compared."""
    if reward is None:
        return None, no_reward
    if spread is None:
        return None, no_spread
    if spread.n == 1:
        return None, f"no other rollout of the group has {basis}"
    return spread.advantage(reward), f"all rollouts of the group that have {basis} have the same reward"
