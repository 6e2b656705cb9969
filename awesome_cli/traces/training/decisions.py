"""The decisions of a run: the choices of its policies, with their model calls and the rewards recorded for them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.groups import Rollout, Turn
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.rewards import NO_REWARDS, RewardTable, rewards_of
from awesome_cli.traces.state import calls_by_role, roles

DECISIONS = frozenset({"spawn", "delegate", "message", "tool_call", "aggregate", "return", "stop"})


@dataclass(frozen=True, slots=True)
class TrainedDecision:
    """A decision of an agent, or a model call that no decision follows: then `event` and `call` are the same.

    `turn` is the number of the agent's model call that it came from, `call` that model call: the last one that began
    before it; both are None before the first. `rewards` are those of reward events for this decision, by channel.
    """

    event: Event
    turn: int | None
    call: Event | None
    rewards: dict[str, float]

    def add(self, rewards: Mapping[str, float]) -> None:
        for channel, value in rewards.items():
            self.rewards[channel] = self.rewards.get(channel, 0.0) + value


@dataclass(frozen=True)
class DecidedRun:
    """A trace with its decisions, in the order of the replay."""

    trace: Trace
    decisions: tuple[TrainedDecision, ...]

    @property
    def group(self) -> str | None:
        """The group of rollouts of one task, `rollout.group_id`."""
        group = self.trace.rollout.get("group_id")
        return None if group is None else str(group)

    @cached_property
    def totals(self) -> Mapping[str, float]:
        return rewards_of(self.trace)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        return roles(self.trace)

    def rollout(self, channel: str) -> Rollout:
        """The rewards of the run in a channel, and of every turn whose decisions have one."""
        turns: dict[Turn, float] = defaultdict(float)
        for each in self.decisions:
            if each.turn is not None and channel in each.rewards:
                turns[each.event.agent, each.turn] += each.rewards[channel]
        return Rollout(self.totals.get(channel), calls_by_role(self.trace, self.roles), self.roles, turns)

    def returns_to_go(self, channel: str, gamma: float) -> list[float] | None:
        """G_k = Σ_j≥k gamma^(j - k) r_j for every decision k (Sutton and Barto 2018, §3.3); None without the channel.

        r_j are the rewards of the decisions. What the run's total has beyond them is a reward of the last decision.
        """
        if channel not in self.totals or not self.decisions:
            return None
        rewards = [each.rewards.get(channel, 0.0) for each in self.decisions]
        rewards[-1] += self.totals[channel] - sum(rewards)
        following = 0.0
        for k in reversed(range(len(rewards))):
            following = rewards[k] = rewards[k] + gamma * following
        return rewards


def decided(trace: Trace, joined: RewardTable = NO_REWARDS) -> DecidedRun:
    """The decisions of the language models in a trace, and the model calls that none follows.

    A reward event belongs to the decision or the model call that its `inputs` name, else to the last decision of its
    agent; without one it counts for the run only. Rewards of agents in the table `joined` belong to the last decision.
    """
    trace = joined.join(trace)
    decisions: list[TrainedDecision] = []
    by_event: dict[str, TrainedDecision] = {}
    latest: dict[str, TrainedDecision] = {}
    rewards: list[tuple[Event, TrainedDecision | None]] = []
    events = [trace.events[i] for i in graph_of(trace).order]
    turns = _turns(trace, events)
    followed = {call.index for index, (_, call) in turns.items() if call is not None and call.index != index}
    for event in events:
        if event.index in turns and event.index not in followed:
            turn, call = turns[event.index]
            by_event[event.id] = latest[event.agent] = decision = TrainedDecision(event, turn, call, {})
            by_event.setdefault((call or event).id, decision)
            decisions.append(decision)
        elif event.type == "reward":
            rewards.append((event, latest.get(event.agent)))
    # After all decisions: a reward can come between a model call that its inputs name and the decision of that call.
    for event, last in rewards:
        named = (by_event[name] for name in event.data.get("inputs", ()) if name in by_event)
        if (target := next(named, last)) is not None:
            target.add(event.data["reward"])
    for agent, values in joined.agents(trace).items():
        if agent in latest:
            latest[agent].add(values)
    return DecidedRun(trace, tuple(decisions))


def _turns(trace: Trace, events: Iterable[Event]) -> dict[int, tuple[int | None, Event | None]]:
    """The number and the model call of the turn of every model call and every decision, by the event's index.

    People, tools and environments decide nothing that is trained.
    """
    turns: dict[int, tuple[int | None, Event | None]] = {}
    latest: dict[str, tuple[int, Event]] = {}
    called = any(event.type == "llm_call" for event in trace.events)
    for event in events:
        agent = event.agent
        if event.type == "llm_call":
            turns[event.index] = latest[agent] = (latest[agent][0] + 1 if agent in latest else 0, event)
        elif decides(event, called=called) and trace.agents.get(agent, {}).get("kind", "llm") == "llm":
            turns[event.index] = latest.get(agent, (None, None))
    return turns


def decides(event: Event, *, called: bool) -> bool:
    """True if an event is a decision of its agent; `called` says whether the run has model calls.

    An agent is cancelled by another one, whose decision that is, and a run without model calls ends by its program.
    """
    if event.type == "stop":
        return called and not (event.data.get("scope") == "agent" and event.data.get("reason") == "cancelled")
    return event.type in DECISIONS and not (event.type == "return" and event.status == "cancelled")
