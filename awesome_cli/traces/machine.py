"""The state machine of a replay: the state of a run, and the effect of each event type on this state.

Illegal events also have an effect: the machine reports the event and continues as the rule's manual page describes.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from awesome_cli.text.numbers import counted
from awesome_cli.traces import rules
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.rules import TraceFinding, TraceRule
from awesome_cli.traces.state import NEEDS_NO_AGENT, find_non_agents, roots

AgentStatus = Literal["run", "returned", "despawned", "stopped"]
ENDED = frozenset({"despawned", "stopped"})
LEGAL_AFTER_STOP = NEEDS_NO_AGENT | {"despawn"}
# A second return breaks another rule (TR006); a tool result answers an earlier call.
LEGAL_AFTER_RETURN = frozenset({"return", "tool_result", "despawn", "stop"})


@dataclass(slots=True)
class Agent:
    """The state of an agent.

    `tasks` lists the ids of the events that gave the agent its open tasks. `calls` counts open calls, `children`
    running children, and `spawns` all children so far. `received` counts messages and returns since the agent's last
    aggregation, `broadcasts_seen` the broadcasts before it. `ever_returned` is true if the agent has closed a task.
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
    """A tool call. `status` is `open` until the result, then the result's status, or `closed` without a status."""

    event: Event
    status: str = "open"


@dataclass(slots=True)
class AgentTask:
    """A task that the agent of `event` gave to the agent `to`.

    `owed_to` lists the agents that may receive the result. If a task is passed on, it includes the first agents.
    """

    event: Event
    to: str
    owed_to: tuple[str, ...]
    open: bool = True


class Machine:
    """The state of a run after some of its events.

    - `changes`: changes of state by the last event, as arrays of strings and null; `illegal`: findings so far
    - `unread`: unread returns by id, with their receivers; `inbox`: by agent, the returns that its next event reads
    - `non_agents`: the names of tools, people and environments
    - `reads`: event indices of a return and its reader; `answers`: event index of the call by that of the result
    - `lifecycle`: starts and ends of agents, as `(event index, agent, True for a start)`
    - `live`: number of running agents; `peak_live`: maximum of `live`
    - `peak_children`: maximum number of running children of one parent
    """

    def __init__(self, trace: Trace, order: Iterable[int]) -> None:
        self.trace = trace
        self.illegal: list[TraceFinding] = []
        self.agents = {name: Agent("run", None, 0) for name in roots(trace, order)}
        self.calls: dict[str, ToolCall] = {}
        self.tasks: dict[str, AgentTask] = {}
        self.unread: dict[str, tuple[Event, str | None]] = {}
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
        """Add a finding about the current event, unless the trace's format cannot record what the rule checks."""
        if rule.holds_for(self.trace):
            event = self.trace.events[self.at]
            self.illegal.append(TraceFinding.at(rule, event, message, event.agent))

    def create(self, name: str, parent: str | None, spawned_by: Event | None = None) -> Agent:
        """Add a running agent one level below its parent, and return the agent."""
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
        """Open the task that `event` gives to the agent `to`. The event's agent and `owed_to` may get the result."""
        self.tasks[event.id] = AgentTask(event, to, (event.agent, *owed_to))
        if to in self.agents:
            self.agents[to].tasks.append(event.id)
        self.changes.append(["task", event.id, "open", event.agent, to])

    def close_task(self, event: Event, key: str) -> None:
        """Close the open task `key` of the event's agent. If event ids repeat, `key` can name another agent's task."""
        agent = self.agents[event.agent]
        self.tasks[key].open = False
        agent.tasks.remove(key)
        agent.ever_returned = True
        self.changes.append(["task", key, "done"])

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
        """Return the id of the task in `tasks` that a 'return' event closes; None if `tasks` is empty.

        This is the task of the event's `task_ref`, else the latest task owed to the receiver, else the latest task.
        """
        ref, latest = event.task_ref, tasks[::-1]
        same = (key for key in latest if ref is not None and ref == (self.tasks[key].event.task_ref or key))
        owed = (key for key in latest if event.to is not None and event.to in self.tasks[key].owed_to)
        return next(chain(same, owed, latest), None)

    def step(self, event: Event) -> None:
        self.changes = []
        self.at = event.index
        kind = event.type
        self.counters[kind] = self.counters.get(kind, 0) + 1
        if self.stopped is not None and kind not in LEGAL_AFTER_STOP:
            self.report(rules.AFTER_STOP, f"{kind!r} after the run was stopped")
        if kind not in NEEDS_NO_AGENT and event.agent not in self.non_agents:
            self.act(event)
        if effect := EFFECTS.get(kind):
            effect(self, event)

    def act(self, event: Event) -> None:
        """Report an event whose agent is unknown, ended or returned; then let the agent read its returns."""
        agent = self.agents.get(event.agent)
        if agent is None:
            if event.type == "tool_result":
                return
            self.report(rules.UNKNOWN_AGENT, f"{event.agent!r} acts, but no event spawned it")
            agent = self.create(event.agent, None)
        elif agent.status in ENDED:
            self.report(rules.ACTS_AFTER_END, f"{event.agent!r} acts after it was {agent.status}")
        elif agent.status == "returned" and event.type not in LEGAL_AFTER_RETURN:
            self.report(rules.ACTS_AFTER_RETURN, f"{event.agent!r} acts after it returned")
        agent.acted = True
        if event.type != "despawn" and (event.inputs is not None or event.agent in self.inbox):
            self.read(event, agent)

    @property
    def never_read(self) -> list[tuple[Event, str | None]]:
        """The unread returns and their receivers, except returns that the log marks as read."""
        return [(event, to) for event, to in self.unread.values() if event.data.get("read") is not True]

    def read(self, event: Event, agent: Agent) -> None:
        """Mark returns as read: the returns in the event's `inputs`, or without `inputs` all in the agent's inbox."""
        if event.inputs is not None:
            agent.received += len(event.inputs)
            keys = [key for key in event.inputs if key in self.unread]
        else:
            # Returns with the same id count once.
            keys = [key for key in dict.fromkeys(self.inbox.pop(event.agent)) if key in self.unread]
            agent.received += len(keys)
        for key in keys:
            self.reads.append((self.unread.pop(key)[0].index, event.index))
            self.changes.append(["read", key, event.agent])

    def spawn(self, event: Event) -> None:
        child, parent = event.to, self.agents.get(event.agent)
        if child is None:
            self.report(rules.SPAWN_WITHOUT_NAME, "a spawn has no 'to'")
            return
        if parent is not None:
            parent.spawns += 1
        known = self.agents.get(child)
        if known is not None and known.status == "run":
            self.report(rules.SPAWNED_WHILE_RUNNING, f"{child!r} is spawned while it runs")
        elif known is not None and known.status == "returned":
            known.spawned_by = event
            self.set_status(child, "run")
        else:
            self.create(child, event.agent, event)
        self.open_task(event, child)

    def delegate(self, event: Event) -> None:
        target = event.to
        if target is None:
            return
        if target not in self.non_agents:
            known = self.agents.get(target)
            if known is None:
                self.report(rules.UNKNOWN_DELEGATE, f"work is delegated to {target!r}, which no event spawned")
                self.create(target, event.agent)
            elif known.status == "despawned":
                self.report(rules.UNKNOWN_RECEIVER, f"work is delegated to {target!r}, which was despawned")
            else:
                self.set_status(target, "run")
        owed_to: tuple[str, ...] = ()
        agent = self.agents.get(event.agent)
        if event.data.get("mode") == "pass_control" and agent is not None:
            # The target takes over the tasks of the agent, and returns them to the same agents.
            for key in list(agent.tasks):
                owed_to += self.tasks[key].owed_to
                self.close_task(event, key)
            self.open_task(event, target, owed_to)
            self.set_status(event.agent, "returned")
        else:
            self.open_task(event, target)

    def message(self, event: Event) -> None:
        sender = event.data.get("from")
        if sender is not None and sender != event.agent:
            self.report(rules.WRONG_SENDER, f"a message from {sender!r} is signed by {event.agent!r}")
        if event.to is None:
            self.broadcasts += 1
            return
        receiver = self.agents.get(event.to)
        if receiver is not None:
            receiver.received += 1
            if receiver.status in ENDED:
                self.report(rules.UNKNOWN_RECEIVER, f"a message to {event.to!r}, which was {receiver.status}")
        elif event.to not in self.non_agents:
            self.report(rules.UNKNOWN_RECEIVER, f"a message to {event.to!r}, which no event spawned")

    def tool_call(self, event: Event) -> None:
        key = event.call_id or event.id
        known = self.calls.get(key)
        if known is not None:
            self.report(rules.REPEATED_CALL_ID, f"the call id {key!r} is used again")
            if known.status == "open":
                self.close_call(key, "closed")
        self.calls[key] = ToolCall(event)
        self.open_by_tool[event.tool].append(key)
        if event.agent in self.agents:
            self.agents[event.agent].calls += 1
        self.changes.append(["call", key, "open", event.agent, event.tool])

    def tool_result(self, event: Event) -> None:
        key = event.call_id
        if key is None:
            # Without a call id, as in v1, a result belongs to the oldest open call of its tool.
            key = self.oldest_open(event.tool) or self.oldest_open(event.agent)
        call = self.calls.get(key) if key is not None else None
        if call is None or key is None:
            of = f"the call {key!r}" if key else f"a call of {event.tool or event.agent!r}"
            self.report(rules.RESULT_WITHOUT_CALL, f"a result of {of}, which is not open")
        elif call.status != "open":
            self.report(rules.SECOND_RESULT, f"a second result of the call {key!r}")
        else:
            self.close_call(key, event.status or "closed")
            start = call.event
            self.answers[event.index] = start.index
            signs = event.agent in (start.agent, start.tool, event.tool) or event.agent in self.non_agents
            if event.call_id and not signs:
                self.report(rules.WRONG_SIGNER, f"the result of a call by {start.agent!r} is signed by {event.agent!r}")

    def return_(self, event: Event) -> None:
        agent = self.agents.get(event.agent)
        tasks = agent.tasks if agent is not None else []
        receiver = event.to
        known = receiver is None or receiver in self.non_agents or (agent is not None and receiver == agent.parent)
        if not known and not any(receiver in self.tasks[key].owed_to for key in tasks):
            self.report(rules.WRONG_RETURN, f"{event.agent!r} returns to {receiver!r}, which gave it no task")
        key = self.task_to_close(event, tasks)
        if key is not None:
            receiver = receiver or self.tasks[key].event.agent
            self.close_task(event, key)
            if agent is not None and not agent.tasks:
                self.set_status(event.agent, "returned")
        elif receiver not in self.non_agents or receiver is None:
            self.report(rules.RETURN_WITHOUT_TASK, f"{event.agent!r} returns, but it has no open task")
            receiver = receiver or (agent.parent if agent is not None else None)
        if receiver not in self.non_agents:
            self.unread[event.id] = (event, receiver)
            if event.data.get("delivery") != "explicit":
                self.inbox.setdefault(receiver, []).append(event.id)
            self.changes.append(["unread", event.id, receiver])

    def aggregate(self, event: Event) -> None:
        agent = self.agents.get(event.agent)
        if agent is not None:
            if not agent.received and agent.broadcasts_seen == self.broadcasts:
                message = f"{event.agent!r} aggregates, but has read nothing since its last aggregation"
                self.report(rules.NOTHING_TO_AGGREGATE, message)
            agent.received = 0
            agent.broadcasts_seen = self.broadcasts
        self.answer = event.id
        self.changes.append(["answer", event.id])

    def despawn(self, event: Event) -> None:
        name = event.to or event.agent
        agent = self.agents.get(name)
        if agent is None:
            self.report(rules.UNKNOWN_RECEIVER, f"{name!r} is despawned, but no event spawned it")
            return
        if agent.calls or agent.children:
            calls = counted(agent.calls, "open call")
            children = f"{agent.children} {'child' if agent.children == 1 else 'children'}"
            self.report(rules.DESPAWNED_AT_WORK, f"{name!r} is despawned with {calls}, {children}")
        self.set_status(name, "despawned")

    def stop(self, event: Event) -> None:
        agent = self.agents.get(event.agent)
        for key in list(agent.tasks) if agent is not None else ():
            self.close_task(event, key)
        if event.data.get("scope") == "agent":
            self.set_status(event.agent, "stopped")
        elif self.stopped is None:
            self.stopped = event.data.get("reason", "unspecified")
            self.stopper = event.agent
            self.changes.append(["stopped", self.stopped, event.agent])

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON, without times: digests must not depend on the notation of times."""
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
            "unread": {key: receiver for key, (_, receiver) in self.unread.items()},
            "answer": self.answer,
            "stopped": self.stopped,
            "counters": dict(self.counters),
        }


METHODS = ("spawn", "delegate", "message", "tool_call", "tool_result", "return_", "aggregate", "despawn", "stop")
EFFECTS: Mapping[str, Callable[[Machine, Event], None]] = {m.removesuffix("_"): getattr(Machine, m) for m in METHODS}
"""The effect of each event type; other event types have no effect."""
