"""Order the events of a run by time, and events of equal time by cause and effect."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from awesome_cli.traces.importers.foreign import Json
from awesome_cli.traces.order import least_extension


@dataclass(frozen=True, slots=True)
class EventDraft:
    """One event; `t` and `end` are in microseconds or steps; `phase`, `rank` and `order` sort events of equal `t`."""

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
    """Yield events in the order of their keys; at equal times, a cause comes before its effect."""
    known: set[object] = set()
    for _, group in groupby(sorted(drafts, key=lambda draft: draft.key), key=lambda draft: draft.t):
        same = list(group)
        yield from _after_causes(same, known) if len(same) > 1 else same
        known |= {draft.body["to"] for draft in same if draft.body["type"] == "spawn"}


def _after_causes(same: list[EventDraft], known: Container[object]) -> list[EventDraft]:
    """Return events of equal time by key, but each after its causes; events in or after a circle of causes come last.

    `same` is sorted by key; `known` has the agents that were spawned at an earlier time.
    """
    places = {draft.order: i for i, draft in enumerate(same)}
    causes = (*_of_agents(same, known), *_of_readers(same))
    pairs = [(places[a], places[b]) for a, b in causes if a in places and a != b]
    if not pairs:
        return same
    order, stuck = least_extension(range(len(same)), pairs)
    end = next((n for n, i in enumerate(order) if i in stuck), len(order))
    return [same[i] for i in (*order[:end], *sorted(order[end:]))]


def _of_agents(same: list[EventDraft], known: Container[object]) -> Iterator[tuple[int, int]]:
    """Yield pairs of cause and effect: an agent's spawn precedes its other events, and these precede its return.

    A return is not ordered if the agent gets another task at that time. A stop precedes the agent's next task.
    """
    spawns = {d.body["to"]: d.order for d in reversed(same) if d.body["type"] == "spawn" and d.body["to"] not in known}
    again = {d.body["to"] for d in same if d.body["type"] == "delegate"}
    again |= {d.body["to"] for d in same if d.body["type"] == "spawn"} - spawns.keys()
    returns = {d.body["agent"]: d.order for d in same if d.body["type"] == "return" and d.body["agent"] not in again}
    stops = {d.body["agent"]: d.order for d in same if d.body["type"] == "stop" and d.body.get("scope") == "agent"}
    for draft in same:
        agent, order = draft.body["agent"], draft.order
        if draft.body["type"] == "delegate":
            yield stops.get(draft.body["to"], order), order
        yield spawns.get(agent, order), order
        if draft.end == draft.t and draft.body["type"] != "stop":
            yield order, returns.get(agent, order)
        if draft.body["type"] == "return":
            yield order, returns.get(draft.body.get("to"), order)


def _of_readers(same: list[EventDraft]) -> Iterator[tuple[int, int]]:
    """Yield pairs of cause and effect: an event precedes the model call that reads it.

    Returns to an agent precede its last model call. An aggregation follows its model call if the call has no duration.
    """
    calls = {draft.body["agent"]: draft for draft in same if draft.body["type"] == "llm_call"}
    for draft in same:
        body, order = draft.body, draft.order
        yield from ((read.order, order) for read in cast("list[EventDraft]", body.get("inputs", [])))
        reader = calls.get(body.get("to"))
        if reader and body["type"] == "return" and body.get("delivery") != "explicit":
            yield order, reader.order
        call = calls.get(body["agent"])
        if call and body["type"] == "aggregate" and call.end == call.t:
            yield call.order, order
