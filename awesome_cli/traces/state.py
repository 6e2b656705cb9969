"""The state of a run: its agents with their calls, tasks and returns, and the changes that events can make in it.

Every change is recorded; `effects` applies the rules.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, NamedTuple

from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.rules import TraceFinding, TraceRule

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
    `broadcasts_seen` is how many broadcasts there had been then. `ever_returned` is true once a task of it was closed.
    """

    status: AgentStatus
    parent: str | None
    depth: int
    spawned_by: Event | None = None
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

    event: Event
    status: str = "open"


@dataclass(slots=True)
class AgentTask:
    """A task that the agent of `event` gave to `to`.

    `owed_to` are the agents that `to` may return it to: that agent, and those whose tasks it passed on.
    """

    event: Event
    to: str
    owed_to: tuple[str, ...]
    open: bool = True


class UnreadReturn(NamedTuple):
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
    acted: dict[str, str] = {}
    spawned: dict[str, str] = {}
    for event in trace.events:
        if role := event.data.get("role"):
            roles, name = (spawned, event.to) if event.type in ("spawn", "delegate") else (acted, event.agent)
            if name is not None:
                roles.setdefault(name, str(role))
    declared = {name: str(agent["role"]) for name, agent in trace.agents.items() if agent.get("role")}
    return spawned | acted | declared


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


def gives_answer(event: Event) -> bool:
    """True if the producer recorded that this event answers: an aggregation, or a stop of the run as answered."""
    stops = event.type == "stop" and event.data.get("scope") != "agent" and event.data.get("reason") == "answered"
    return (event.type == "aggregate" or stops) and not event.inferred


def answer_of(trace: Trace, order: Sequence[int]) -> Event | None:
    """The last aggregation, or stop of the whole run with the reason `answered`, in `order`.

    Without one, the last event that had ended at `answer_available_at`.
    """
    at = trace.header.get("answer_available_at")
    ended = None
    for i in reversed(order):
        event = trace.events[i]
        if gives_answer(event):
            return event
        if ended is None and at is not None and event.end <= at:
            ended = event
    return ended


class RunState:
    """The agents, what is open, and what happened so far.

    - `changes`: what the last event changed, as arrays of strings and null; `illegal`: findings of all events so far
    - `unread`: returns that no event has read, by id; `inbox`: those that the receiver's next event will read
    - `non_agents`: actors that are tools, people or environments
    - `reads`: pairs of a return and the event that read it; `answers`: the call of every result; both by event index
    - `lifecycle`: who began to run (True) or ceased to, and at which event, by its index `at`
    - `live`, `peak_live`: agents that run now, and the most at once; `peak_children`: the most of one parent
    """

    def __init__(self, trace: Trace, order: Iterable[int]) -> None:
        self.trace = trace
        self.illegal: list[TraceFinding] = []
        self.agents = {name: Agent("run", None, 0) for name in roots(trace, order)}
        self.calls: dict[str, ToolCall] = {}
        self.tasks: dict[str, AgentTask] = {}
        self.unread: dict[str, UnreadReturn] = {}
        self.inbox: dict[str | None, list[str]] = {}
        self.open_by_tool: dict[str | None, deque[str]] = defaultdict(deque)
        self.non_agents = find_non_agents(trace)
        self.answer: str | None = None
        self.stopped: str | None = None
        self.stopper: str | None = None
        self.counters: dict[str, int] = {}
        self.reads: list[tuple[int, int]] = []
        self.answers: dict[int, int] = {}
        self.broadcasts = 0
        self.at = 0
        self.lifecycle: list[tuple[int, str, bool]] = []
        self.live = self.peak_live = len(self.agents)
        self.peak_children = 0
        self.changes: list[list[str | None]] = []

    def report(self, rule: TraceRule, message: str) -> None:
        """Add a finding about the event that is applied now."""
        if rule.holds_for(self.trace):
            event = self.trace.events[self.at]
            self.illegal.append(TraceFinding.at(rule, event, message, event.agent))

    def create(self, name: str, parent: str | None, spawned_by: Event | None = None) -> Agent:
        """A new running agent, one deeper than its parent."""
        above = self.agents.get(parent) if parent is not None else None
        agent = self.agents[name] = Agent("run", parent, above.depth + 1 if above else 0, spawned_by)
        agent.broadcasts_seen = self.broadcasts
        self.started(parent)
        self.lifecycle.append((self.at, name, True))
        self.changes.append(["agent", name, "run", parent])
        return agent

    def started(self, parent: str | None) -> None:
        """Count one more running agent, a child of `parent`."""
        self.live += 1
        self.peak_live = max(self.peak_live, self.live)
        above = self.agents.get(parent) if parent is not None else None
        if above is not None:
            above.children += 1
            self.peak_children = max(self.peak_children, above.children)

    def set_status(self, name: str, status: AgentStatus) -> None:
        agent = self.agents.get(name)
        if agent is None or agent.status == status:
            return
        if "run" in (status, agent.status):
            self.lifecycle.append((self.at, name, status == "run"))
        if status == "run":
            self.started(agent.parent)
        elif agent.status == "run":
            self.live -= 1
            if agent.parent in self.agents:
                self.agents[agent.parent].children -= 1
        agent.status = status
        self.changes.append(["agent", name, status])

    def open_task(self, event: Event, to: str, owed_to: tuple[str, ...] = ()) -> None:
        """The event gives `to` a task, to be returned to the event's agent or to one of `owed_to`."""
        self.tasks[event.id] = AgentTask(event, to, (event.agent, *owed_to))
        if to in self.agents:
            self.agents[to].tasks.append(event.id)
        self.changes.append(["task", event.id, "open", event.agent, to])

    def close_task(self, event: Event, key: str) -> None:
        """Close one of the open tasks of the event's agent; repeated ids can file it under a task of another agent."""
        agent = self.agents[event.agent]
        self.tasks[key].open = False
        agent.tasks.remove(key)
        agent.ever_returned = True
        self.changes.append(["task", key, "done"])

    def open_call(self, event: Event, key: str) -> None:
        self.calls[key] = ToolCall(event)
        self.open_by_tool[event.tool].append(key)
        if event.agent in self.agents:
            self.agents[event.agent].calls += 1
        self.changes.append(["call", key, "open", event.agent, event.tool])

    def close_call(self, key: str, status: str) -> None:
        call = self.calls[key]
        call.status = status
        if call.event.agent in self.agents:
            self.agents[call.event.agent].calls -= 1
        self.changes.append(["call", key, status])

    def oldest_open(self, tool: str | None) -> str | None:
        waiting = self.open_by_tool.get(tool)
        while waiting and self.calls[waiting[0]].status != "open":
            waiting.popleft()
        return waiting[0] if waiting else None

    def task_to_close(self, event: Event, tasks: list[str]) -> str | None:
        """Return the one of an agent's open tasks that a return closes.

        The task of its reference; without one, the latest task owed to the receiver; else the latest task.
        """
        ref, latest = event.task_ref, tasks[::-1]
        same = (key for key in latest if ref is not None and ref == (self.tasks[key].event.task_ref or key))
        owed = (key for key in latest if event.to is not None and event.to in self.tasks[key].owed_to)
        return next(chain(same, owed, latest), None)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON, without times: digests must not depend on how a time is written."""
        return {
            "agents": {
                name: {
                    "status": a.status,
                    "parent": a.parent,
                    "depth": a.depth,
                    "open_tasks": list(a.tasks),
                    "open_calls": a.calls,
                    "live_children": a.children,
                }
                for name, a in self.agents.items()
            },
            "calls": {
                key: {"agent": c.event.agent, "tool": c.event.tool, "status": c.status} for key, c in self.calls.items()
            },
            "tasks": {key: {"by": t.event.agent, "to": t.to, "open": t.open} for key, t in self.tasks.items()},
            "unread": {key: u.receiver for key, u in self.unread.items()},
            "answer": self.answer,
            "stopped": self.stopped,
            "counters": dict(self.counters),
        }
