"""Replay: the events of a trace applied in order, with a digest of every step and of the shape of the whole."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.traces.actors import roots
from awesome_cli.traces.canonical import canonical, sha256
from awesome_cli.traces.graph import Graph, Remark
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace

DOMAIN = b"orch-trace-replay/2"
# The fields beside names and ids that decide what an event does.
MANNERS: Mapping[str, tuple[str, ...]] = {"delegate": ("mode",), "return": ("delivery",), "stop": ("scope", "reason")}


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule broken by an event, or a thing left open at the end (then `event` is where it began, if anywhere)."""

    code: str
    event: Event | None
    agent: str | None
    message: str

    def to_json(self) -> dict[str, str | None]:
        """The published form."""
        return {
            "code": self.code,
            "event": self.event.id if self.event else None,
            "agent": self.agent,
            "message": self.message,
        }

    def remark(self) -> Remark:
        """The same as a remark on a place of the document."""
        return Remark(self.code, self.event.pointer if self.event else "", self.message)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: number from 1, what changed, what was illegal, and the digest of the chain so far."""

    number: int
    event: Event
    changes: tuple[tuple[str | None, ...], ...]
    breaches: tuple[Breach, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay ends with.

    `digest` is the end of the chain over all steps, `state_digest` covers the final state alone, `shape_digest` the
    orchestration with agents and ids renamed by first appearance: equal for two rollouts that did the same.
    `steps` is how many events were applied: all, unless `strict` or a limit ended the replay early.
    """

    digest: str
    state_digest: str
    shape_digest: str
    breaches: tuple[Breach, ...]
    warnings: tuple[Breach, ...]
    machine: Machine
    steps: int

    @property
    def reads(self) -> list[tuple[int, int]]:
        """Returns and their readers, as indices."""
        return self.machine.reads


def first_link(trace: Trace, graph: Graph) -> bytes:
    """The digest that the chain begins with: what the trace says before its first event."""
    header = {
        "trace_id": trace.trace_id,
        "task_id": trace.task_id,
        "version": trace.version,
        "root_agents": sorted(roots(trace, graph.order)),
    }
    return hashlib.sha256(DOMAIN + canonical(header)).digest()


def replay(trace: Trace, graph: Graph, *, strict: bool = False, to: int | None = None) -> Replay:
    """Apply the events in order; `to` ends after that many, `strict` at the first illegal one.

    The end warnings are given where every event was applied.
    """
    machine = Machine(trace, graph.order)
    link = first_link(trace, graph)
    events, sha, dumps = trace.events, hashlib.sha256, canonical
    breaches: list[Breach] = []
    done = 0
    for i in graph.order[:to]:
        event = events[i]
        machine.step(event)
        link = sha(link + dumps([event.id, event.type, event.agent, machine.changes])).digest()
        done += 1
        if machine.codes:
            breaches += [Breach(code, event, event.agent, message) for code, message in machine.codes]
            if strict:
                break
    return Replay(
        digest=link.hex(),
        state_digest=sha256(canonical(machine.to_json())),
        shape_digest=sha256(canonical(shape(trace, graph))),
        breaches=tuple(breaches),
        warnings=tuple(loose_ends(trace, machine)) if done == len(events) else (),
        machine=machine,
        steps=done,
    )


def walk(trace: Trace, graph: Graph, machine: Machine | None = None, start: int = 0) -> Iterator[Step]:
    """The steps one by one; with a `machine` that has done `start` steps, from there on, with an empty chain."""
    link = first_link(trace, graph) if machine is None else b""
    machine = machine or Machine(trace, graph.order)
    for number, i in enumerate(graph.order[start:], start + 1):
        event = trace.events[i]
        machine.step(event)
        link = hashlib.sha256(link + canonical([event.id, event.type, event.agent, machine.changes])).digest()
        breaches = tuple(Breach(code, event, event.agent, message) for code, message in machine.codes)
        yield Step(number, event, tuple(tuple(c) for c in machine.changes), breaches, link.hex())


def loose_ends(trace: Trace, machine: Machine) -> Iterator[Breach]:
    """What is left open at the end (TW…), in the order in which it began."""
    events = {event.id: event for event in reversed(trace.events)}
    for key, call in machine.calls.items():
        if call.status == "open":
            yield Breach("TW101", call.event, call.agent, f"the call {key!r} never had a result")
    for unread in machine.unread.values():
        who = unread.event.agent
        to = f" by {unread.addressee!r}" if unread.addressee else ""
        yield Breach("TW103", unread.event, who, f"the return of {who!r} was never read{to}")
    if machine.stopped is None:
        yield Breach("TW104", None, None, "nothing says that, and why, the run stopped")
    yield from idle_agents(events, machine)
    for key, task in machine.tasks.items():
        if task.open and task.kind == "delegate":
            yield Breach("TW106", events[key], task.to, f"{task.to!r} never returned what {task.by!r} delegated to it")


def idle_agents(events: Mapping[str, Event], machine: Machine) -> Iterator[Breach]:
    """Agents that never returned to whoever spawned them, and agents that never did a thing."""
    for name, agent in machine.agents.items():
        spawn = events[agent.spawned_by] if agent.spawned_by is not None else None
        if spawn is not None and not agent.ever_returned and name != machine.stopper:
            yield Breach("TW102", spawn, name, f"{name!r} was spawned and never returned")
        if not agent.acted:
            yield Breach("TW105", spawn, name, f"{name!r} never acted")


def shape(trace: Trace, graph: Graph) -> list[list[Any]]:
    """One array per event, in replay order; agents, calls, tasks and events bear numbers by first appearance."""
    agents: dict[str, int] = {}
    calls: dict[str, int] = {}
    tasks: dict[str, int] = {}
    places: dict[str, int] = {}
    rows: list[list[Any]] = []
    for place, i in enumerate(graph.order):
        event = trace.events[i]
        data = event.data
        places.setdefault(event.id, place)
        row: list[Any] = [event.type, agents.setdefault(event.agent, len(agents))]
        if event.to is not None:
            row += ["to", agents.setdefault(event.to, len(agents))]
        if "tool" in data:
            row += ["tool", data["tool"]]
        if event.type == "tool_call" or "call_id" in data:
            row += ["call", calls.setdefault(data.get("call_id", event.id), len(calls))]
        if "task_ref" in data:
            row += ["task", tasks.setdefault(data["task_ref"], len(tasks))]
        if "inputs" in data:
            row += ["inputs", sorted(places.get(key, -1) for key in data["inputs"])]
        if event.type in MANNERS:
            row += [[key, data[key]] for key in MANNERS[event.type] if key in data]
        rows.append(row)
    return rows
