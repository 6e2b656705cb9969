"""Published rules of credit: to which unit each gives the reward of a decision, and how much."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from awesome_cli.traces.groups import GroupSpread, Rollout, Spread

NO_GROUP = "the trace has no rollout.group_id"
NO_REWARD = "the run has no reward in the channel"
NO_TURN = "no model call of the agent is recorded before the decision"


class NoCreditError(Exception):
    """Raised where a rule gives no credit; the message says what the data lack."""


@dataclass(frozen=True, slots=True)
class Context:
    """The agent and the turn of a decision, its run with the rewards in one channel, and their spread in the group."""

    run_id: str
    agent: str
    number: int | None
    rollout: Rollout
    group: GroupSpread | None

    @property
    def reward(self) -> float:
        if self.rollout.reward is None:
            raise NoCreditError(NO_REWARD)
        return self.rollout.reward

    @property
    def spread(self) -> GroupSpread:
        if self.group is None:
            raise NoCreditError(NO_GROUP)
        return self.group

    @property
    def unit(self) -> str:
        """The agent's id, or its role where ids are per run."""
        return self.rollout.unit(self.agent, self.group.by_role if self.group else ())

    @property
    def turn(self) -> int:
        if self.number is None:
            raise NoCreditError(NO_TURN)
        return self.number


@dataclass(frozen=True, slots=True)
class CreditRule:
    """A rule. `unit` describes what receives the credit, `unit_of` names it for a decision; `credit` is its share.

    Both raise `NoCreditError` where the data do not allow the rule.
    """

    unit: str
    unit_of: Callable[[Context], str]
    credit: Callable[[Context], float]

    @property
    def name(self) -> str:
        return self.credit.__name__

    @property
    def meaning(self) -> str:
        """The formula and its source: the docstring."""
        return " ".join((inspect.getdoc(self.credit) or "").split())


def _relative(reward: float, spread: Spread | None, what: str) -> float:
    """(R - mean) / deviation; `NoCreditError` where nothing differs, or nothing can be compared."""
    if spread is None or spread.n == 1:
        raise NoCreditError(f"no other rollout of the group has {what}")
    if (advantage := spread.advantage(reward)) is None:
        raise NoCreditError(f"all rollouts of the group that have {what} have the same reward")
    return advantage


def broadcast(context: Context) -> float:
    """R: every decision of every agent gets the reward of the whole run, as with one reward shared by a team."""
    return context.reward


def group_relative(context: Context) -> float:
    """(R - mean) / deviation over the rollouts of the group, the same for every decision: GRPO, arXiv 2402.03300."""
    return _relative(context.reward, context.spread.runs, "a reward")


def per_agent(context: Context) -> float:
    """(R - mean) / deviation over the model calls that this agent made in the group: Dr. MAS, arXiv 2602.08847."""
    reward, agents = context.reward, context.spread.agents
    if context.unit not in agents:
        raise NoCreditError("no model call of the agent is recorded")
    return _relative(reward, agents[context.unit], "model calls of the agent or its role")


def per_turn(context: Context) -> float:
    """(r - mean) / deviation of the turn's own reward r, over the same turn of the group: MT-GRPO, arXiv 2505.11821."""
    reward = context.rollout.turns.get((context.agent, context.turn))
    if reward is None:
        raise NoCreditError("no reward in the channel is recorded for the turn")
    spread = context.spread.turns.get((context.unit, context.turn))
    return _relative(reward, spread, "a reward for the turn of the agent or its role")


RULES: Mapping[str, CreditRule] = {
    rule.name: rule
    for rule in (
        CreditRule("the run", lambda context: context.run_id, broadcast),
        CreditRule("the run, in its group", lambda context: context.run_id, group_relative),
        CreditRule(
            "the agent in the run, or its role where ids are per run",
            lambda context: f"{context.run_id}/{context.unit}",
            per_agent,
        ),
        CreditRule(
            "the turn of the agent, or of its role where ids are per run",
            lambda context: f"{context.run_id}/{context.unit}/{context.turn}",
            per_turn,
        ),
    )
}
"""Every rule by its name, in the order of the columns."""
