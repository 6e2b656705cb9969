"""The actors of a run: agents with their calls, tasks and returns, and actors that are not agents."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from awesome_cli.traces.model import Event, Trace

AgentStatus = Literal["run", "returned", "despawned", "stopped"]
ENDED = frozenset({"despawned", "stopped"})
# Events that observers report: they need no running agent, read nothing, and may come after the stop.
NEEDS_NO_AGENT = frozenset({"reward", "safety_event", "human_intervention"})
NOT_AGENTS = frozenset({"tool", "human", "environment"})


@dataclass(slots=True)
class Agent:
    """The state of an agent.

    `tasks` are the ids of the events that opened its open tasks, `calls` and `children` count open calls and running
    children, `spawns` all children so far. `received` counts messages and returns since its last aggregation;
    `broadcasts_seen` is how many broadcasts there had been then.
    """

    status: AgentStatus
    parent: str | None
    depth: int
    spawned_by: str | None = None
    tasks: list[str] = field(default_factory=list)
    calls: int = 0
    children: int = 0
    spawns: int = 0
    received: int = 0
    broadcasts_seen: int = 0
    acted: bool = False
    ever_returned: bool = False


@dataclass(slots=True)
class ToolCall:
    """A tool call; `status` is `open`, then the result's status, or `closed` where that is unknown."""

    agent: str
    tool: str | None
    status: str
    event: Event


@dataclass(slots=True)
class AgentTask:
    """A task that `by` gave to `to`.

    `owed_to` are the agents that `to` may return it to: `by`, and those whose tasks `by` passed on. `kind` is the type
    of the event that opened it, `ref` its reference.
    """

    by: str
    to: str
    ref: str
    kind: str
    open: bool = True
    owed_to: tuple[str, ...] = ()


@dataclass(slots=True)
class UnreadReturn:
    """A return that no event has read yet."""

    event: Event
    receiver: str | None


def find_non_agents(trace: Trace) -> frozenset[str]:
    """Actors that are not agents: declared tools, people and environments, and tools that sign their own results."""
    declared = {name for name, agent in trace.agents.items() if agent.get("kind") in NOT_AGENTS}
    signed = {e.agent for e in trace.events if e.type == "tool_result" and e.agent == e.tool}
    return frozenset(declared | signed)


def roles(trace: Trace) -> dict[str, str]:
    """The role of every agent that has one: as declared, else that of its own events, else as it was spawned.

    The `role` of a spawn or delegate event is that of the agent it names.
    """
    own: dict[str, str] = {}
    given: dict[str, str] = {}
    for event in trace.events:
        if role := event.data.get("role"):
            found, name = (given, event.to) if event.type in ("spawn", "delegate") else (own, event.agent)
            if name is not None:
                found.setdefault(name, str(role))
    declared = {name: str(agent["role"]) for name, agent in trace.agents.items() if agent.get("role")}
    return given | own | declared


def roots(trace: Trace, order: Iterable[int]) -> tuple[str, ...]:
    """The agents that run from the start: `root_agents`, else the first agent in `order` that no event spawns."""
    declared = trace.header.get("root_agents")
    if declared:
        return tuple(declared)
    non_agents = find_non_agents(trace)
    spawned = {event.to for event in trace.events if event.type == "spawn"}
    for i in order:
        event = trace.events[i]
        if event.agent not in non_agents and event.agent not in spawned and event.type not in NEEDS_NO_AGENT:
            return (event.agent,)
    return ()
