"""Replay: the events of a trace applied in order, with a digest of every step and of the shape of the whole."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.traces.actors import roots
from awesome_cli.traces.canonical import canonical
from awesome_cli.traces.graph import Graph
from awesome_cli.traces.loose_ends import loose_ends
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.rules import RULES, TraceFinding

DOMAIN = b"orch-trace-replay/2"
# The fields beside names and ids that decide what an event does.
MODES: Mapping[str, tuple[str, ...]] = {"delegate": ("mode",), "return": ("delivery",), "stop": ("scope", "reason")}


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay.

    - `digest`: of the chain over all steps; `state_digest`: of the final state alone
    - `shape_digest`: of the steps with agents and ids numbered by first appearance: equal for runs that did the same
    - `illegal`: findings of the TR rules; `loose_ends`: findings of the TW rules, if all events were applied
    - `steps`: how many events were applied; all, unless `strict` or `to` ended the replay early
    """

    digest: str
    state_digest: str
    shape_digest: str
    illegal: tuple[TraceFinding, ...]
    loose_ends: tuple[TraceFinding, ...]
    machine: Machine
    steps: int

    @property
    def findings(self) -> tuple[TraceFinding, ...]:
        """Everything illegal, then everything that is left open."""
        return (*self.illegal, *self.loose_ends)


def first_link(trace: Trace, graph: Graph) -> bytes:
    """The digest that the chain begins with: of the ids, the version and the root agents."""
    header = {
        "trace_id": trace.trace_id,
        "task_id": trace.task_id,
        "version": trace.version,
        "root_agents": sorted(roots(trace, graph.order)),
    }
    return hashlib.sha256(DOMAIN + canonical(header)).digest()


def replay(trace: Trace, graph: Graph, *, strict: bool = False, to: int | None = None) -> Replay:
    """Apply the events in order, at most `to` of them, and with `strict` up to the first illegal one."""
    machine = Machine(trace, graph.order)
    link = first_link(trace, graph)
    events, sha, dumps = trace.events, hashlib.sha256, canonical
    illegal: list[TraceFinding] = []
    done = 0
    for i in graph.order[:to]:
        event = events[i]
        machine.step(event)
        link = sha(link + dumps([event.id, event.type, event.agent, machine.changes])).digest()
        done += 1
        if machine.findings:
            illegal += findings_of(trace, event, machine)
            if strict and illegal:
                break
    return Replay(
        digest=link.hex(),
        state_digest=sha(canonical(machine.to_json())).hexdigest(),
        shape_digest=sha(canonical(shape(trace, graph))).hexdigest(),
        illegal=tuple(illegal),
        loose_ends=tuple(loose_ends(trace, machine)) if done == len(events) else (),
        machine=machine,
        steps=done,
    )


def findings_of(trace: Trace, event: Event, machine: Machine) -> Iterator[TraceFinding]:
    """The findings of the event that the machine applied last."""
    found = (TraceFinding.at(rule, event, message, event.agent) for rule, message in machine.findings)
    return (each for each in found if each.rule.holds_for(trace))


def first_step(trace: Trace, graph: Graph, code: str) -> int | None:
    """The first step, from 1, with a finding of this code; a finding without an event belongs to the last step.

    Raises `UsageError` if the code is not one of the replay.
    """
    if code not in RULES or code[:2] not in ("TR", "TW"):
        raise UsageError(f"{code!r} is not a code of the replay", hint="they begin with TR or TW: TR003, TW103")
    found = [each for each in replay(trace, graph).findings if each.code == code]
    place = {i: step for step, i in enumerate(graph.order, 1)} if found else {}
    return min((place[each.event.index] if each.event else len(place) for each in found), default=None)


def shape(trace: Trace, graph: Graph) -> list[list[Any]]:
    """One array per event, in replay order, with agents, calls, tasks and events numbered by first appearance."""
    agents, calls, tasks = (defaultdict[str, int](count().__next__) for _ in range(3))
    places: dict[str, int] = {}
    rows: list[list[Any]] = []
    for place, i in enumerate(graph.order):
        event = trace.events[i]
        data, kind = event.data, event.type
        places.setdefault(event.id, place)
        row: list[Any] = [kind, agents[event.agent]]
        if event.to is not None:
            row += "to", agents[event.to]
        if "tool" in data:
            row += "tool", data["tool"]
        if "call_id" in data or kind == "tool_call":
            row += "call", calls[data.get("call_id", event.id)]
        if "task_ref" in data:
            row += "task", tasks[data["task_ref"]]
        if "inputs" in data:
            row += "inputs", sorted(places.get(key, -1) for key in data["inputs"])
        if kind in MODES:
            row += ([key, data[key]] for key in MODES[kind] if key in data)
        rows.append(row)
    return rows
