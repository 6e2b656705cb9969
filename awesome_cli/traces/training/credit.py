"""Published rules of credit: to which unit each gives the reward of a decision, and how much."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from awesome_cli.traces.groups import GroupSpread, Rollout, Spread, Turn
from awesome_cli.traces.training.decisions import DecidedRun, TrainedDecision

NO_GROUP = "the trace has no rollout.group_id"
NO_REWARD = "the run has no reward in the channel"
NO_TURN = "no model call of the agent is recorded before the decision"


class NoCreditError(Exception):
    """Why a rule gives no credit here: what the data lack."""


@dataclass(frozen=True, slots=True)
class Context:
    """A decision, its run with the rewards in one channel, and the spread of the rewards in the run's group."""

    run: DecidedRun
    decision: TrainedDecision
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
    def run_id(self) -> str:
        return self.run.trace.trace_id

    @property
    def agent(self) -> str:
        """The agent's id, or its role where ids are per run."""
        return self.rollout.unit(self.decision.event.agent, self.group.by_role if self.group else ())

    @property
    def turn(self) -> Turn:
        if self.decision.turn is None:
            raise NoCreditError(NO_TURN)
        return (self.decision.event.agent, self.decision.turn)


Rule = Callable[[Context], float]


@dataclass(frozen=True, slots=True)
class CreditRule:
    """A rule. `unit` says in words what receives the credit, `unit_of` names it for a decision; `credit` is its share.

    Both raise `NoCreditError` where the data do not allow the rule.
    """

    name: str
    unit: str
    unit_of: Callable[[Context], str]
    credit: Rule

    @property
    def meaning(self) -> str:
        """The formula and its source: the docstring."""
        return " ".join((inspect.getdoc(self.credit) or "").split())


def rule(unit: str, unit_of: Callable[[Context], str]) -> Callable[[Rule], CreditRule]:
    """Make a rule of a function; it has the function's name."""
    return lambda credit: CreditRule(credit.__name__, unit, unit_of, credit)


def _relative(reward: float, spread: Spread | None, what: str) -> float:
    """(R - mean) / deviation; `NoCreditError` where nothing differs, or nothing can be compared."""
    if spread is None or spread.n == 1:
        raise NoCreditError(f"no other rollout of the group has {what}")
    if (advantage := spread.advantage(reward)) is None:
        raise NoCreditError(f"all rollouts of the group that have {what} have the same reward")
    return advantage


@rule("the run", lambda context: context.run_id)
def broadcast(context: Context) -> float:
    """R: every decision of every agent gets the reward of the whole run, as with one reward shared by a team."""
    return context.reward


@rule("the run, in its group", lambda context: context.run_id)
def group_relative(context: Context) -> float:
    """(R - mean) / deviation over the rollouts of the group, the same for every decision: GRPO, arXiv 2402.03300."""
    return _relative(context.reward, context.spread.runs, "a reward")


@rule("the agent in the run, or its role where ids are per run", lambda context: f"{context.run_id}/{context.agent}")
def per_agent(context: Context) -> float:
    """(R - mean) / deviation over the model calls that this agent made in the group: Dr. MAS, arXiv 2602.08847."""
    reward, agents = context.reward, context.spread.agents
    if context.agent not in agents:
        raise NoCreditError("no model call of the agent is recorded")
    return _relative(reward, agents[context.agent], "model calls of the agent or its role")


@rule("the turn", lambda context: "/".join((context.run_id, context.turn[0], str(context.turn[1]))))
def per_turn(context: Context) -> float:
    """(r - mean) / deviation of the turn's own reward r, over the same turn of the group: MT-GRPO, arXiv 2505.11821."""
    if context.turn not in context.rollout.turns:
        raise NoCreditError("no reward in the channel is recorded for the turn")
    return _relative(context.rollout.turns[context.turn], context.spread.turns[context.turn], "a reward for the turn")


RULES: Mapping[str, CreditRule] = {each.name: each for each in (broadcast, group_relative, per_agent, per_turn)}
"""Every rule by its name, in the order of the columns."""
