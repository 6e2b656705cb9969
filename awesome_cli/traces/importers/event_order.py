"""The order of a run's events: by time, and at equal times by what caused what."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import groupby
from typing import cast

from awesome_cli.traces.importers.foreign import Json


@dataclass(frozen=True, slots=True)
class EventDraft:
    """One event and its place: `t` and `end` in microseconds or steps, then `phase`, `rank` and `order`."""

    t: int
    end: int
    phase: int
    rank: int
    order: int
    body: Json

    @property
    def key(self) -> tuple[int, int, int, int]:
        return (self.t, self.phase, self.rank, self.order)


def by_cause(drafts: Iterable[EventDraft]) -> Iterator[EventDraft]:
    """Events by their keys; at equal times a cause comes before its effect."""
    known: set[object] = set()
    for _, group in groupby(sorted(drafts, key=lambda draft: draft.key), key=lambda draft: draft.t):
        same = list(group)
        causes = _causes(same, known) if len(same) > 1 else {}
        yield from _after_causes(same, causes) if causes else same
        known |= {draft.body["to"] for draft in same if draft.body["type"] == "spawn"}


def _causes(same: list[EventDraft], known: Container[object]) -> dict[int, set[int]]:
    """The causes of events with one time, all by `order`; `known` are the agents that were spawned before."""
    orders = {draft.order for draft in same}
    causes: dict[int, set[int]] = defaultdict(set)
    for cause, effect in (*_of_agents(same, known), *_of_readers(same)):
        if cause in orders and cause != effect:
            causes[effect].add(cause)
    return causes


def _of_agents(same: list[EventDraft], known: Container[object]) -> Iterator[tuple[int, int]]:
    """Causes and effects: a spawn comes before what the agent does, and its return after that.

    A return does not where the agent gets another task at that time. The stop of an agent comes before its next task.
    """
    spawns = {d.body["to"]: d.order for d in reversed(same) if d.body["type"] == "spawn" and d.body["to"] not in known}
    again = {d.body["to"] for d in same if d.body["type"] == "delegate"}
    again |= {d.body["to"] for d in same if d.body["type"] == "spawn"} - spawns.keys()
    returns = {d.body["agent"]: d.order for d in same if d.body["type"] == "return" and d.body["agent"] not in again}
    stops = {d.body["agent"]: d.order for d in same if d.body["type"] == "stop" and d.body.get("scope") == "agent"}
    for draft in same:
        agent, own = draft.body["agent"], draft.order
        if draft.body["type"] == "delegate":
            yield stops.get(draft.body["to"], own), own
        yield spawns.get(agent, own), own
        if draft.end == draft.t and draft.body["type"] != "stop":
            yield own, returns.get(agent, own)
        if draft.body["type"] == "return":
            yield own, returns.get(draft.body.get("to"), own)


def _of_readers(same: list[EventDraft]) -> Iterator[tuple[int, int]]:
    """Causes and effects: what an event reads, and what returned to an agent, comes before the agent's last model call.

    The aggregation of what a call without a length read comes after it.
    """
    calls = {draft.body["agent"]: draft for draft in same if draft.body["type"] == "llm_call"}
    for draft in same:
        body, own = draft.body, draft.order
        yield from ((read.order, own) for read in cast("list[EventDraft]", body.get("inputs", [])))
        reader = calls.get(body.get("to"))
        if reader and body["type"] == "return" and body.get("delivery") != "explicit":
            yield own, reader.order
        call = calls.get(body["agent"])
        if call and body["type"] == "aggregate" and call.end == call.t:
            yield call.order, own


def _after_causes(same: list[EventDraft], causes: dict[int, set[int]]) -> Iterator[EventDraft]:
    """Yield events by their keys, each after its causes; those that cause each other in a circle come last."""
    drafts = {draft.order: draft for draft in same}
    sorter = TopologicalSorter({order: causes.get(order, ()) for order in drafts})
    with suppress(CycleError):
        sorter.prepare()
    ready: list[tuple[tuple[int, ...], int]] = []
    while sorter.is_active():
        for order in sorter.get_ready():
            heappush(ready, (drafts[order].key, order))
        _, order = heappop(ready)
        sorter.done(order)
        yield drafts.pop(order)
    yield from drafts.values()
