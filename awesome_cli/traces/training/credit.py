"""Published rules of credit: to which unit each gives the reward of a decision, and how much."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from awesome_cli.traces.groups import Spread
from awesome_cli.traces.training.decisions import DecidedRun, TrainedDecision, Turn

NO_GROUP = "the trace has no rollout.group_id"
NO_TURN = "no model call of the agent is recorded before the decision"


class NoCreditError(Exception):
    """Why a rule gives no credit here: what the data lack."""


@dataclass(frozen=True, slots=True)
class GroupStatistics:
    """The rewards of the rollouts of one group: of the runs, of each agent by its model calls, and of each turn."""

    rollouts: int
    runs: Spread | None
    agents: Mapping[str, Spread]
    turns: Mapping[Turn, Spread]


@dataclass(frozen=True, slots=True)
class RolloutRewards:
    """The rewards of one run, to be compared in its group."""

    group: str | None
    reward: float | None
    calls: Mapping[str, int]
    turns: Mapping[Turn, float]
    channels: tuple[str, ...]

    @classmethod
    def of(cls, run: DecidedRun, channel: str) -> "RolloutRewards":
        """The rewards of a run in one channel, and the names of all of its channels."""
        return cls(run.group, run.totals.get(channel), run.calls, run.turn_rewards(channel), tuple(sorted(run.totals)))


def groups_of(rollouts: Iterable[RolloutRewards]) -> dict[str, GroupStatistics]:
    """The statistics of every group; rollouts without a group are left out."""
    grouped: dict[str, list[RolloutRewards]] = defaultdict(list)
    for rollout in rollouts:
        if rollout.group is not None:
            grouped[rollout.group].append(rollout)
    return {name: _statistics(own) for name, own in grouped.items()}


def _statistics(rollouts: list[RolloutRewards]) -> GroupStatistics:
    runs: list[tuple[float, int]] = []
    agents: dict[str, list[tuple[float, int]]] = defaultdict(list)
    turns: dict[Turn, list[tuple[float, int]]] = defaultdict(list)
    for own in rollouts:
        if own.reward is not None:
            runs.append((own.reward, 1))
            for agent, calls in own.calls.items():
                agents[agent].append((own.reward, calls))
        for turn, reward in own.turns.items():
            turns[turn].append((reward, 1))
    return GroupStatistics(
        len(rollouts),
        Spread.of(runs) if runs else None,
        {agent: Spread.of(rewards) for agent, rewards in agents.items()},
        {turn: Spread.of(rewards) for turn, rewards in turns.items()},
    )


@dataclass(frozen=True, slots=True)
class Context:
    """A decision, its run with the rewards of its turns, and the statistics of the run's group; all of one channel."""

    run: DecidedRun
    decision: TrainedDecision
    group: GroupStatistics | None
    channel: str
    turn_rewards: Mapping[Turn, float]

    @property
    def reward(self) -> float:
        if self.channel not in self.run.totals:
            raise NoCreditError(f"the run has no reward {self.channel!r}")
        return self.run.totals[self.channel]

    @property
    def statistics(self) -> GroupStatistics:
        if self.group is None:
            raise NoCreditError(NO_GROUP)
        return self.group

    @property
    def turn(self) -> Turn:
        if self.decision.turn is None:
            raise NoCreditError(NO_TURN)
        return (self.decision.event.agent, self.decision.turn)


Rule = Callable[[Context], float]
UnitOf = Callable[[Context], str]


@dataclass(frozen=True, slots=True)
class CreditRule:
    """A rule. `unit` says in words what receives the credit, `unit_of` names it for a decision; `credit` is its share.

    Both raise `NoCreditError` where the data do not allow the rule.
    """

    name: str
    unit: str
    unit_of: UnitOf
    credit: Rule

    @property
    def meaning(self) -> str:
        """The formula and its source: the docstring."""
        return " ".join((inspect.getdoc(self.credit) or "").split())


def rule(unit: str, unit_of: UnitOf) -> Callable[[Rule], CreditRule]:
    """Make a rule of a function; it has the function's name."""
    return lambda credit: CreditRule(credit.__name__, unit, unit_of, credit)


def _run(context: Context) -> str:
    return context.run.trace.trace_id


def _agent(context: Context) -> str:
    return f"{_run(context)}/{context.decision.event.agent}"


def _turn(context: Context) -> str:
    agent, turn = context.turn
    return f"{_run(context)}/{agent}/{turn}"


def _relative(reward: float, spread: Spread | None, context: Context, what: str) -> float:
    """(R - mean) / deviation; `NoCreditError` where nothing differs, or nothing can be compared."""
    if context.statistics.rollouts == 1:
        raise NoCreditError("the group has one rollout")
    if spread is None or not spread.deviation:
        raise NoCreditError(f"{what} are equal in all rollouts of the group that have them")
    return spread.advantage(reward)


@rule("the run", _run)
def broadcast(context: Context) -> float:
    """R: every decision of every agent gets the reward of the whole run, as with one reward shared by a team."""
    return context.reward


@rule("the run, in its group", _run)
def group_relative(context: Context) -> float:
    """(R - mean) / deviation over the rollouts of the group, the same for every decision: GRPO, arXiv 2402.03300."""
    return _relative(context.reward, context.statistics.runs, context, "the rewards")


@rule("the agent in the run", _agent)
def per_agent(context: Context) -> float:
    """(R - mean) / deviation over the model calls that this agent made in the group: Dr. MAS, arXiv 2602.08847."""
    spread = context.statistics.agents.get(context.decision.event.agent)
    return _relative(context.reward, spread, context, "the rewards of the agent's runs")


@rule("the turn", _turn)
def per_turn(context: Context) -> float:
    """(r - mean) / deviation of the turn's own reward r, over the same turn of the group: MT-GRPO, arXiv 2505.11821."""
    if context.turn not in context.turn_rewards:
        raise NoCreditError(f"no reward event gives a {context.channel!r} reward to the turn")
    spread = context.statistics.turns.get(context.turn)
    return _relative(context.turn_rewards[context.turn], spread, context, "the rewards of the turn")


RULES: Mapping[str, CreditRule] = {each.name: each for each in (broadcast, group_relative, per_agent, per_turn)}
"""Every rule by its name, in the order of the columns."""
