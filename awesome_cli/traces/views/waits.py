"""Waiting: the times in which an agent did nothing until others answered it."""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from awesome_cli.traces.model import Event
from awesome_cli.traces.views.timeline import Timeline

OTHERS = "others"
NAMED = 3
"""So many names of those who are waited for are spelled out."""


class Wait(NamedTuple):
    """Agent `agent` waited from `start` to `end`, in the trace's unit, for `whom`; event `place` ended it."""

    agent: int
    start: float
    end: float
    place: int
    whom: str


class End(NamedTuple):
    """Something that an agent had asked for ended at `time`; for a return, event `reader` took it."""

    time: float
    name: str
    reader: int | None


def waits(view: Timeline) -> Iterator[Wait]:
    """The waits of all agents.

    A gap between an agent's events is a wait if in it a child returned and the event after the gap reads the return,
    or if in it the result of a call of the agent came. An agent also waits for a person as long as the intervention
    of the person takes, and for other agents as long as a call takes that only waits (`waits`).
    """
    if view.trace.seconds is None:
        return
    ends = _ends(view)
    for a, (name, lane) in enumerate(zip(view.names, view.lanes(), strict=True)):
        if name not in view.machine.non_agents:
            places = sorted(lane, key=lambda k: (view.order[k].start, k))
            own = sorted(ends.get(name, ()))
            yield from _of_agent(view, a, places, own)
            yield from _called(view, a, places, own)


def _called(view: Timeline, a: int, places: list[int], ends: list[End]) -> Iterator[Wait]:
    """The calls that only wait, by their ends: for the agents whose returns came in since the call that ended before.

    A return must have come in during the call; where none did, it is unknown for whom the agent waited.
    """
    before = -math.inf
    returns = [end for end in ends if end.reader is not None]
    for k in sorted((k for k in places if only_waits(view.order[k])), key=lambda k: (view.order[k].end, k)):
        call = view.order[k]
        since, until = (bisect_right(returns, time, key=lambda end: end.time) for time in (before, call.end))
        came = [end.name for end in returns[since:until] if end.time > call.start]
        yield Wait(a, call.start, call.end, k, words(came) if came else OTHERS)
        before = call.end


def only_waits(event: Event) -> bool:
    """Whether the interval of an event is a wait for other agents."""
    return event.end > event.start and event.data.get("waits") is True


def _of_agent(view: Timeline, a: int, places: list[int], ends: list[End]) -> Iterator[Wait]:
    """The waits of one agent, from the places of its events and what ended for it, both by time."""
    busy, n = math.inf, 0
    for k in places:
        event = view.order[k]
        whom = []
        while n < len(ends) and ends[n].time <= event.start:
            if ends[n].time > busy and ends[n].reader in {None, k}:
                whom.append(ends[n].name)
            n += 1
        if whom:
            yield Wait(a, busy, event.start, k, words(whom))
        if event.type == "human_intervention" and event.end > event.start:
            yield Wait(a, event.start, event.end, k, str(event.data.get("from") or "a person"))
        busy = event.end if busy == math.inf else max(busy, event.end)


def words(names: list[str]) -> str:
    """Names in a sentence: `a`, `a and b`, `25 (a, b, c, …)`."""
    names = list(dict.fromkeys(names))
    if len(names) > NAMED:
        return f"{len(names):,} ({', '.join(names[:NAMED])}, …)"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _ends(view: Timeline) -> dict[str, list[End]]:
    """What ended for each agent: returns that it read, and results of its calls."""
    events, found = view.trace.events, defaultdict(list)
    at = {event.index: k for k, event in enumerate(view.order)}
    for returned, reader in view.machine.reads:
        event = events[returned]
        found[events[reader].agent].append(End(event.end, event.agent, at[reader]))
    for result, asked in view.machine.answers.items():
        call = events[asked]
        found[call.agent].append(End(events[result].start, call.tool or "a tool", None))
    return found
