"""Replay: the events of a trace applied in order, with digests of all steps and of the shape, and the report of it."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import orjson

from awesome_cli.errors import UsageError
from awesome_cli.reports.findings import TONE
from awesome_cli.reports.report import Bullets, Report, Section, Table, Text, Toned, as_tables
from awesome_cli.text.numbers import counted
from awesome_cli.traces import rules
from awesome_cli.traces.graph import Graph
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import Reading
from awesome_cli.traces.rules import RULES, TraceFinding, applicable
from awesome_cli.traces.sources import place

DOMAIN = b"orch-trace-replay/2"
FIRST_BEYOND_BMP = 0xF0
Watcher = Callable[[Sequence[Sequence[str | None]]], None]


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay.

    - `digest`: digest of all steps, each chained to the step before; `state_digest`: digest of the final state
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
        """The findings: illegal events first, then loose ends."""
        return (*self.illegal, *self.loose_ends)


def replay(
    trace: Trace, graph: Graph, *, strict: bool = False, to: int | None = None, watch: Watcher | None = None
) -> Replay:
    """Apply the events in order, at most `to` of them, and with `strict` up to the first illegal one.

    `watch` is called with the changes of each event. Without digests the replay is twice as fast.
    """
    machine = Machine(trace, graph.order)
    header: dict[str, Any] = {"trace_id": trace.trace_id, "task_id": trace.task_id, "version": trace.version}
    header["root_agents"] = sorted(machine.agents)
    # Arrays alone have no keys to sort: their bytes are canonical.
    events, sha, dumps = trace.events, hashlib.sha256, orjson.dumps
    link = sha(DOMAIN + canonical(header)).digest()
    steps = 0
    for i in graph.order[:to]:
        event = events[i]
        machine.step(event)
        if watch is None:
            link = sha(link + dumps([event.id, event.type, event.agent, machine.changes])).digest()
        else:
            watch(machine.changes)
        steps += 1
        if strict and machine.illegal:
            break
    return Replay(
        digest=link.hex() if watch is None else "",
        state_digest=sha(canonical(machine.to_json())).hexdigest() if watch is None else "",
        shape_digest=sha(canonical(shape(trace, graph))).hexdigest() if watch is None else "",
        illegal=tuple(machine.illegal),
        loose_ends=tuple(applicable(left_open(machine), trace)) if steps == len(events) else (),
        machine=machine,
        steps=steps,
    )


def first_step(trace: Trace, graph: Graph, code: str) -> int | None:
    """Return the first step (from 1) with a finding of this code; findings without an event belong to the last step.

    Raises `UsageError` if the code is not one of the replay.
    """
    if code not in RULES or code[:2] not in ("TR", "TW"):
        raise UsageError(f"{code!r} is not a code of the replay", hint="use a code such as TR003 or TW103")
    steps = {i: step for step, i in enumerate(graph.order, 1)}
    findings = [finding for finding in replay(trace, graph).findings if finding.code == code]
    return min((steps[finding.event.index] if finding.event else len(steps) for finding in findings), default=None)


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a JSON value without floats."""
    data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    # orjson sorts keys by code point, the RFC by UTF-16 unit: they differ beyond the basic plane only.
    if not data.isascii() and max(data) >= FIRST_BEYOND_BMP:
        return orjson.dumps(by_utf16(value))
    return data


def by_utf16(value: Any) -> Any:
    """The same value with the keys of all objects in the order of their UTF-16 units."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return {key: by_utf16(value[key]) for key in keys}
    if isinstance(value, list | tuple):
        return [by_utf16(item) for item in value]
    return value


# The fields beside names and ids that decide what an event does.
MODES: Mapping[str, tuple[str, ...]] = {"delegate": ("mode",), "return": ("delivery",), "stop": ("scope", "reason")}


def shape(trace: Trace, graph: Graph) -> list[list[Any]]:
    """One array per event, in replay order, with agents, calls, tasks and events numbered by first appearance."""
    agents, calls, tasks = (defaultdict[str, int](count().__next__) for _ in range(3))
    events, steps = trace.events, reversed(list(enumerate(graph.order)) if "inputs" in trace.fields else [])
    places = {events[i].id: step for step, i in steps}
    rows: list[list[Any]] = []
    for step, i in enumerate(graph.order):
        event = events[i]
        kind = event.type
        row: list[Any] = [kind, agents[event.agent]]
        if event.to is not None:
            row += "to", agents[event.to]
        if event.tool is not None:
            row += "tool", event.tool
        if event.call_id is not None or kind == "tool_call":
            row += "call", calls[event.call_id or event.id]
        if event.task_ref is not None:
            row += "task", tasks[event.task_ref]
        if event.inputs is not None:
            row += "inputs", sorted(p if (p := places.get(key, -1)) <= step else -1 for key in event.inputs)
        if kind in MODES:
            row += ([key, event.data[key]] for key in MODES[kind] if key in event.data)
        rows.append(row)
    return rows


def left_open(machine: Machine) -> Iterator[TraceFinding]:
    """Find open calls, unread returns, a missing stop, open tasks and idle agents, each at its first event."""
    for key, call in machine.calls.items():
        if call.status == "open":
            yield TraceFinding.at(rules.OPEN_CALL, call.event, f"the call {key!r} never had a result", call.event.agent)
    for event, receiver in machine.never_read:
        by = f" by {receiver!r}" if receiver else ""
        message = f"the return of {event.agent!r} was never read{by}"
        yield TraceFinding.at(rules.UNREAD_RETURN, event, message, event.agent)
    if machine.stopped is None:
        yield TraceFinding(rules.NO_STOP, "no event says that the run stopped, and why")
    yield from open_tasks(machine)
    for name, agent in machine.agents.items():
        if not agent.acted:
            pointer = agent.spawned_by.pointer if agent.spawned_by else ""
            yield TraceFinding(rules.NEVER_ACTED, f"{name!r} never acted", pointer, agent.spawned_by, name)


def open_tasks(machine: Machine) -> Iterator[TraceFinding]:
    """Find tasks that were not returned, each at the event that assigned the task."""
    for task in machine.tasks.values():
        if task.open:
            agent = machine.agents.get(task.to)
            if task.event.type == "spawn" and agent is not None and not agent.ever_returned:
                rule, message = rules.NEVER_RETURNED, f"{task.to!r} was spawned and never returned"
            else:
                rule, message = rules.OPEN_TASK, f"{task.to!r} never returned what {task.event.agent!r} gave it to do"
            yield TraceFinding.at(rule, task.event, message, task.to)


DIGESTS = ("digest", "state_digest", "shape_digest")
AGENT_COLUMNS = ("agent", "status", "parent", "depth", "open tasks", "open calls", "live children")


def replay_entry(reading: Reading, result: Replay | None, agent: str | None = None) -> tuple[dict[str, Any], Section]:
    """Return one trace of the report: its JSON row, and a section for people, with `agent` of that agent only."""
    trace = reading.trace
    if trace is None or result is None:
        row = {
            **reading.identity(),
            **dict.fromkeys((*DIGESTS, "steps", "events", "findings", "state")),
            "error": reading.error,
        }
        return row, Section(None, (Text(reading.error or "", "bad"),))
    row = {
        **reading.identity(),
        **{name: getattr(result, name) for name in DIGESTS},
        "steps": result.steps,
        "events": len(trace.events),
        "findings": [finding.to_json() for finding in result.findings],
        "state": result.machine.to_json(),
    }
    machine = result.machine
    stopped = f"stopped: {machine.stopped}" if machine.stopped else "not stopped"
    done = f"{result.steps:,} of {counted(len(trace.events), 'event')}, {stopped}"
    answer = f", answer {machine.answer}" if machine.answer else ""
    digests = "\n".join(f"{name.replace('_', ' '):<14}{row[name]}" for name in DIGESTS)
    lines = tuple(finding_line(trace, each) for each in result.findings if agent in (None, each.agent))
    rows = [
        (name, a.status, a.parent, a.depth, len(a.tasks), a.calls, a.children)
        for name, a in machine.agents.items()
        if agent in (None, name)
    ]
    bullets = (Bullets(lines),) if lines else ()
    blocks = (Text(done + answer), Text(digests, "muted"), *bullets, Table.of(AGENT_COLUMNS, rows))
    return row, Section(f"{place(trace.path, trace.line)} ({trace.trace_id})", blocks)


def finding_line(trace: Trace, finding: TraceFinding) -> Toned:
    at = f" at {finding.event.id}" if finding.event else ""
    return Toned(f"{finding.code}{at}: {finding.message}", TONE[finding.rule.levels[trace.version]])


def replay_report(entries: Sequence[tuple[dict[str, Any], Section]]) -> Report:
    columns = ("path", "line", "trace_id", "steps", "events", *DIGESTS, "error")
    table = Table.of(columns, [[row.get(name) for name in columns] for row, _ in entries], title="replays")
    sections = tuple(section for _, section in entries)
    data = {"rows": [row for row, _ in entries]}
    return Report(schema="awesome/trace-replay/1", data=data, sections=sections, rows=(table, *as_tables(sections)))
