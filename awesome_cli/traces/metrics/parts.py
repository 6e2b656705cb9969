"""Tokens, time and money of a run by role and by sub-decision. Every event counts for exactly one of each.

A model call counts for the sub-decision that its agent takes next, before its next model call: spawn, delegate,
communicate (message) or aggregate. A call that reads a return and takes none of these counts for aggregate, a call
whose agent stops next for stop, and every other call for execute. Other events count by their own type; what is none of
these, tools among them, is execute. Which calls count for which is defined by this tool.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from awesome_cli.traces.actors import roles
from awesome_cli.traces.metrics.returns import money_of, work_of
from awesome_cli.traces.metrics.run import MeasuredRun

EXECUTE = "execute"
SUB_DECISIONS: Mapping[str, str] = {
    "spawn": "spawn", "delegate": "delegate", "message": "communicate", "return": "communicate",
    "aggregate": "aggregate", "stop": "stop", "despawn": "stop",
}  # fmt: skip
"""The sub-decision that an event is by its type; every other event is `execute`."""
PARTS = ("spawn", "delegate", "communicate", "aggregate", "stop", EXECUTE)
DECIDED = frozenset(SUB_DECISIONS) - {"return"}


@dataclass(slots=True)
class RunPart:
    """A part of a run: its events, tokens and money where they are known, and working time in the trace's unit."""

    name: str | None
    events: int = 0
    tokens: int | None = None
    work: float = 0.0
    cost: float | None = None

    def to_json(self, seconds: float | None) -> dict[str, Any]:
        """The published form; `seconds` are those of a unit of time, without them the time is null."""
        work = None if seconds is None else self.work * seconds
        return {"name": self.name, "events": self.events, "tokens": self.tokens, "work_s": work, "cost": self.cost}


def by_role(run: MeasuredRun) -> list[RunPart]:
    """By the role of the agent, the dearest first; a root without a role by its name, other such agents together."""
    names = {root: root for root in run.roots} | roles(run.trace)
    parts = grouped(run, [names.get(event.agent) for event in run.events])
    return sorted(parts, key=lambda part: (-(part.tokens or 0), -part.work, part.name or ""))


def by_sub_decision(run: MeasuredRun) -> list[RunPart]:
    """By sub-decision, in the order of `PARTS`; those that no event counts for are left out."""
    return sorted(grouped(run, sub_decisions(run)), key=lambda part: PARTS.index(part.name or EXECUTE))


def sub_decisions(run: MeasuredRun) -> list[str]:
    """The sub-decision of every event."""
    readers = {reader for _, reader in run.replay.machine.reads}
    found = [SUB_DECISIONS.get(event.type, EXECUTE) for event in run.events]
    coming: dict[str, str] = {}
    for i in reversed(run.graph.order):
        event = run.events[i]
        if event.type in DECIDED:
            coming[event.agent] = found[i]
        elif event.type in ("llm_call", "orchestrator_decision"):
            decided = coming.get(event.agent, EXECUTE)
            found[i] = "aggregate" if i in readers and decided in (EXECUTE, "stop") else decided
            if event.type == "llm_call":
                coming.pop(event.agent, None)
    return found


def grouped(run: MeasuredRun, names: Iterable[str | None]) -> list[RunPart]:
    """The parts of a run, given the name of the part of every event."""
    costs, work, known = money_of(run), work_of(run), any(run.tokens)
    parts: dict[str | None, RunPart] = {}
    for i, name in enumerate(names):
        part = parts.setdefault(name, RunPart(name, cost=None if costs is None else 0.0))
        part.events += 1
        if known:
            part.tokens = (part.tokens or 0) + run.tokens[i]
        part.work += work[i]
        if costs is not None:
            part.cost = (part.cost or 0.0) + costs[i]
    return list(parts.values())
