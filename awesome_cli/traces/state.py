"""The state of a run and what each event does to it: total, so an illegal event is named and repaired, never fatal."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal

from awesome_cli.traces.model import Event, Trace

Status = Literal["run", "returned", "despawned", "stopped"]
DEAD = frozenset({"despawned", "stopped"})
# What bystanders report: it needs no live agent, reads nothing, and may come after the end.
OBSERVED = frozenset({"reward", "safety_event", "human_intervention"})
AFTER_STOP = OBSERVED | {"despawn"}
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


class Machine:
    """The state, and `step`, which applies one event to it.

    After a step, `changes` lists what changed, as arrays of strings (and null), and `codes` the rules that the event
    broke, as `(code, message)`.
    """

    __slots__ = (
        "agents", "answer", "answers", "broadcasts", "calls", "changes", "codes", "counters", "inbox", "live",
        "open_by_tool", "outside", "peak_children", "peak_live", "reads", "stopped", "stopper", "tasks", "unread",
    )  # fmt: skip

    def __init__(self, trace: Trace, order: Iterable[int]) -> None:
        self.agents = {name: Agent("run", None, 0) for name in roots(trace, order)}
        self.calls: dict[str, Call] = {}
        self.tasks: dict[str, Task] = {}
        self.unread: dict[str, Unread] = {}
        self.inbox: dict[str | None, list[str]] = {}
        self.open_by_tool: dict[str | None, deque[str]] = {}
        self.outside = outsiders(trace)
        self.answer: str | None = None
        self.stopped: str | None = None
        self.stopper: str | None = None
        self.counters: dict[str, int] = {}
        self.reads: list[tuple[int, int]] = []
        self.answers: dict[int, int] = {}
        self.broadcasts = 0
        self.live = self.peak_live = len(self.agents)
        self.peak_children = 0
        self.changes: list[list[str | None]] = []
        self.codes: list[tuple[str, str]] = []

    def step(self, event: Event) -> None:
        """Apply one event."""
        self.changes = []
        self.codes = []
        kind = event.type
        self.counters[kind] = self.counters.get(kind, 0) + 1
        if self.stopped is not None and kind not in AFTER_STOP:
            self.codes.append(("TR009", f"a {kind} after the run was stopped"))
        if kind not in OBSERVED and event.agent not in self.outside:
            agent = self.agents.get(event.agent)
            if agent is None:
                if kind != "tool_result":
                    self.codes.append(("TR002", f"{event.agent!r} acts, but nobody spawned it"))
                    agent = self.create(event.agent, None)
            elif agent.status in DEAD:
                self.codes.append(("TR003", f"{event.agent!r} acts after it was {agent.status}"))
            if agent is not None:
                agent.acted = True
                if kind != "despawn":
                    self.read(event, agent)
        effect = EFFECTS.get(kind)
        if effect is not None:
            effect(self, event)

    def read(self, event: Event, agent: Agent) -> None:
        """Returns addressed to the agent are read by its next event, or exactly those that the event lists."""
        inputs = event.data.get("inputs")
        if inputs is not None:
            agent.fresh += len(inputs)
            found = [key for key in inputs if key in self.unread]
        elif event.agent in self.inbox:
            found = [key for key in self.inbox.pop(event.agent) if key in self.unread]
            agent.fresh += len(found)
        else:
            return
        for key in found:
            self.reads.append((self.unread.pop(key).event.index, event.index))
            self.changes.append(["read", key, event.agent])

    def create(self, name: str, parent: str | None, spawned_by: str | None = None) -> Agent:
        """A new running agent, one deeper than its parent."""
        above = self.agents.get(parent) if parent is not None else None
        agent = self.agents[name] = Agent("run", parent, above.depth + 1 if above else 0, spawned_by)
        agent.heard = self.broadcasts
        self.started(parent)
        self.changes.append(["agent", name, "run", parent])
        return agent

    def started(self, parent: str | None) -> None:
        self.live += 1
        self.peak_live = max(self.peak_live, self.live)
        above = self.agents.get(parent) if parent is not None else None
        if above is not None:
            above.children += 1
            self.peak_children = max(self.peak_children, above.children)

    def turn(self, name: str, status: Status) -> None:
        """Change an agent's status."""
        agent = self.agents.get(name)
        if agent is None or agent.status == status:
            return
        if status == "run":
            self.started(agent.parent)
        elif agent.status == "run":
            self.live -= 1
            if agent.parent in self.agents:
                self.agents[agent.parent].children -= 1
        agent.status = status
        agent.ever_returned = agent.ever_returned or status == "returned"
        self.changes.append(["agent", name, status])

    def open_task(self, event: Event, to: str, owed_to: tuple[str, ...] = ()) -> None:
        """`to` now owes something to the event's agent."""
        self.tasks[event.id] = Task(
            event.agent, to, event.data.get("task_ref", event.id), event.type, owed_to=(event.agent, *owed_to)
        )
        if to in self.agents:
            self.agents[to].tasks.append(event.id)
        self.changes.append(["task", event.id, "open", event.agent, to])

    def close_task(self, key: str) -> None:
        task = self.tasks[key]
        task.open = False
        if task.to in self.agents:
            self.agents[task.to].tasks.remove(key)
        self.changes.append(["task", key, "done"])

    def spawn(self, event: Event) -> None:
        child, parent = event.to, self.agents.get(event.agent)
        if child is None:
            self.codes.append(("TR013", "a spawn names nobody in 'to'"))
            return
        if parent is not None:
            parent.spawns += 1
        known = self.agents.get(child)
        if known is not None and known.status == "run":
            self.codes.append(("TR001", f"{child!r} is spawned while it runs"))
        elif known is not None and known.status == "returned":
            known.spawned_by = event.id
            self.turn(child, "run")
        else:
            self.create(child, event.agent, event.id)
        self.open_task(event, child)

    def delegate(self, event: Event) -> None:
        target = event.to
        if target is None:
            return
        if target not in self.outside:
            known = self.agents.get(target)
            if known is None:
                self.codes.append(("TR012", f"work is delegated to {target!r}, which nobody spawned"))
                self.create(target, event.agent)
            elif known.status in DEAD:
                self.codes.append(("TR008", f"work is delegated to {target!r}, which was {known.status}"))
            else:
                self.turn(target, "run")
        owed_to: tuple[str, ...] = ()
        agent = self.agents.get(event.agent)
        if event.data.get("mode") == "pass_control" and agent is not None:
            # Whoever takes over owes what the agent owed, and to the same.
            for key in list(agent.tasks):
                owed_to += self.tasks[key].owed_to
                self.close_task(key)
            self.open_task(event, target, owed_to)
            self.turn(event.agent, "returned")
        else:
            self.open_task(event, target)

    def message(self, event: Event) -> None:
        sender = event.data.get("from")
        if sender is not None and sender != event.agent:
            self.codes.append(("TR015", f"a message from {sender!r} is signed by {event.agent!r}"))
        if event.to is None:
            self.broadcasts += 1
            return
        receiver = self.agents.get(event.to)
        if receiver is not None:
            receiver.fresh += 1
            if receiver.status in DEAD:
                self.codes.append(("TR008", f"a message to {event.to!r}, which was {receiver.status}"))
        elif event.to not in self.outside:
            self.codes.append(("TR008", f"a message to {event.to!r}, which nobody spawned"))

    def tool_call(self, event: Event) -> None:
        key = event.call_id or event.id
        known = self.calls.get(key)
        if known is not None:
            self.codes.append(("TR014", f"the call id {key!r} is used again"))
            if known.status == "open":
                self.close_call(key, "closed")
        self.calls[key] = Call(event.agent, event.tool, "open", event)
        self.open_by_tool.setdefault(event.tool, deque()).append(key)
        if event.agent in self.agents:
            self.agents[event.agent].calls += 1
        self.changes.append(["call", key, "open", event.agent, event.tool])

    def close_call(self, key: str, status: str) -> None:
        call = self.calls[key]
        call.status = status
        if call.agent in self.agents:
            self.agents[call.agent].calls -= 1
        self.changes.append(["call", key, status])

    def tool_result(self, event: Event) -> None:
        key = event.call_id
        if key is None:
            # v1 names no call: a result belongs to the oldest open call of its tool.
            key = self.oldest_open(event.tool) or self.oldest_open(event.agent)
        call = self.calls.get(key) if key is not None else None
        if call is None or key is None:
            of = f"the call {key!r}" if key else f"a call of {event.tool or event.agent!r}"
            self.codes.append(("TR004", f"a result of {of}, which is not open"))
        elif call.status != "open":
            self.codes.append(("TR005", f"a second result of the call {key!r}"))
        else:
            self.close_call(key, event.status or "closed")
            self.answers[event.index] = call.event.index

    def oldest_open(self, tool: str | None) -> str | None:
        """The open call of a tool that was made first."""
        waiting = self.open_by_tool.get(tool)
        while waiting and self.calls[waiting[0]].status != "open":
            waiting.popleft()
        return waiting[0] if waiting else None

    def give_back(self, event: Event) -> None:
        agent = self.agents.get(event.agent)
        mine = agent.tasks if agent is not None else []
        addressee = event.to
        known = addressee is None or addressee in self.outside or (agent is not None and addressee == agent.parent)
        if not known and not any(addressee in self.tasks[key].owed_to for key in mine):
            self.codes.append(("TR007", f"returns to {addressee!r}, who neither spawned it nor delegated to it"))
        key = self.task_to_close(event, mine)
        if key is not None:
            addressee = addressee or self.tasks[key].by
            self.close_task(key)
            if agent is not None and not agent.tasks:
                self.turn(event.agent, "returned")
        elif addressee not in self.outside or addressee is None:
            self.codes.append(("TR006", f"{event.agent!r} returns, but owes nothing"))
            addressee = addressee or (agent.parent if agent is not None else None)
        if addressee not in self.outside:
            self.unread[event.id] = Unread(event, addressee)
            if event.data.get("delivery") != "explicit":
                self.inbox.setdefault(addressee, []).append(event.id)
            self.changes.append(["unread", event.id, addressee])

    def task_to_close(self, event: Event, mine: list[str]) -> str | None:
        """The task that a return answers: by its reference, else the oldest owed to the addressee, else the oldest."""
        ref = event.data.get("task_ref")
        if ref is not None:
            for key in mine:
                if self.tasks[key].ref == ref:
                    return key
        if event.to is not None:
            for key in mine:
                if event.to in self.tasks[key].owed_to:
                    return key
        return mine[0] if mine else None

    def aggregate(self, event: Event) -> None:
        agent = self.agents.get(event.agent)
        if agent is not None:
            if not agent.fresh and agent.heard == self.broadcasts:
                self.codes.append(("TR011", "aggregates, but nothing was read since the last time"))
            agent.fresh = 0
            agent.heard = self.broadcasts
        self.answer = event.id
        self.changes.append(["answer", event.id])

    def despawn(self, event: Event) -> None:
        name = event.to or event.agent
        agent = self.agents.get(name)
        if agent is None:
            self.codes.append(("TR008", f"{name!r} is despawned, but nobody spawned it"))
            return
        if agent.calls or agent.children:
            self.codes.append(
                ("TR010", f"{name!r} is despawned with {agent.calls} open calls, {agent.children} children")
            )
        self.turn(name, "despawned")

    def stop(self, event: Event) -> None:
        agent = self.agents.get(event.agent)
        for key in list(agent.tasks) if agent is not None else ():
            self.close_task(key)
        if event.data.get("scope") == "agent":
            self.turn(event.agent, "stopped")
        elif self.stopped is None:
            self.stopped = event.data.get("reason", "unspecified")
            self.stopper = event.agent
            self.changes.append(["stopped", self.stopped, event.agent])

    def copy(self) -> "Machine":
        """An independent machine in the same state."""
        other = object.__new__(Machine)
        for name in Machine.__slots__:
            setattr(other, name, getattr(self, name))
        other.agents = {k: copy(v) for k, v in self.agents.items()}
        for agent in other.agents.values():
            agent.tasks = list(agent.tasks)
        other.calls = {k: copy(v) for k, v in self.calls.items()}
        other.tasks = {k: copy(v) for k, v in self.tasks.items()}
        other.unread = dict(self.unread)
        other.inbox = {k: list(v) for k, v in self.inbox.items()}
        other.open_by_tool = {k: copy(v) for k, v in self.open_by_tool.items()}
        other.counters = dict(self.counters)
        other.reads = list(self.reads)
        other.answers = dict(self.answers)
        return other

    def to_json(self) -> dict[str, Any]:
        """The state as JSON: without times, so that it is the same however a clock is written."""
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
            "calls": {key: {"agent": c.agent, "tool": c.tool, "status": c.status} for key, c in self.calls.items()},
            "tasks": {key: {"by": t.by, "to": t.to, "open": t.open} for key, t in self.tasks.items()},
            "unread": {key: u.addressee for key, u in self.unread.items()},
            "answer": self.answer,
            "stopped": self.stopped,
            "counters": dict(self.counters),
        }


EFFECTS: Mapping[str, Callable[[Machine, Event], None]] = {
    "spawn": Machine.spawn,
    "delegate": Machine.delegate,
    "message": Machine.message,
    "tool_call": Machine.tool_call,
    "tool_result": Machine.tool_result,
    "return": Machine.give_back,
    "aggregate": Machine.aggregate,
    "despawn": Machine.despawn,
    "stop": Machine.stop,
}
