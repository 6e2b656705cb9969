"""The state of a run, and the changes that are possible in it: each is written down, none is judged."""

from collections import deque
from collections.abc import Iterable
from copy import copy
from typing import Any, Self

from awesome_cli.traces.actors import Agent, Call, Status, Task, Unread, outsiders, roots
from awesome_cli.traces.model import Event, Trace


class State:
    """Who is there, what is open, and what happened so far.

    `changes` lists what the last event changed, as arrays of strings (and null), and `codes` the rules that it broke,
    as `(code, message)`.
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

    def open_call(self, event: Event, key: str) -> None:
        """The event's agent now waits for its tool."""
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

    def oldest_open(self, tool: str | None) -> str | None:
        """The open call of a tool that was made first."""
        waiting = self.open_by_tool.get(tool)
        while waiting and self.calls[waiting[0]].status != "open":
            waiting.popleft()
        return waiting[0] if waiting else None

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

    def copy(self) -> Self:
        """The same state, independent of this one."""
        other = object.__new__(type(self))
        for name in State.__slots__:
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
