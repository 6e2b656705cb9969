"""Who acts in a run and what they owe each other: agents, calls, tasks and returns, and who is no agent at all."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from awesome_cli.traces.model import Event, Trace

Status = Literal["run", "returned", "despawned", "stopped"]
DEAD = frozenset({"despawned", "stopped"})
# What bystanders report: it needs no live agent, reads nothing, and may come after the end.
OBSERVED = frozenset({"reward", "safety_event", "human_intervention"})
NOT_AGENTS = frozenset({"tool", "human", "environment"})


@dataclass(slots=True)
class Agent:
    """What is known of an agent: `tasks` and `calls` are the open ones, `children` counts those that run."""

    status: Status
    parent: str | None
    depth: int
    spawned_by: str | None = None
    tasks: list[str] = field(default_factory=list)
    calls: int = 0
    children: int = 0
    spawns: int = 0
    fresh: int = 0
    heard: int = 0
    acted: bool = False
    ever_returned: bool = False


@dataclass(slots=True)
class Call:
    """A tool call; `status` is `open`, then the result's status, or `closed` where that is unknown."""

    agent: str
    tool: str | None
    status: str
    event: Event


@dataclass(slots=True)
class Task:
    """Something that `to` owes to `by`, or to those for whom `by` passed it on; `kind` is the event that opened it."""

    by: str
    to: str
    ref: str
    kind: str
    open: bool = True
    owed_to: tuple[str, ...] = ()


@dataclass(slots=True)
class Unread:
    """A return that nobody has read yet."""

    event: Event
    addressee: str | None


def outsiders(trace: Trace) -> frozenset[str]:
    """Actors that are no agents: what is declared as tool, person or environment, and tools that sign their results."""
    declared = {name for name, agent in trace.agents.items() if agent.get("kind") in NOT_AGENTS}
    signed = {e.agent for e in trace.events if e.type == "tool_result" and e.agent == e.tool}
    return frozenset(declared | signed)


def roots(trace: Trace, order: Iterable[int]) -> tuple[str, ...]:
    """The agents that run from the start: as declared, or the first actor that nobody spawns, outsiders apart."""
    declared = trace.header.get("root_agents")
    if declared:
        return tuple(declared)
    outside = outsiders(trace)
    spawned = {event.to for event in trace.events if event.type == "spawn"}
    for i in order:
        event = trace.events[i]
        if event.agent not in outside and event.agent not in spawned and event.type not in OBSERVED:
            return (event.agent,)
    return ()
