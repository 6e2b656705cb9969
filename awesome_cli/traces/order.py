"""The order in which events are replayed. It depends on the content of a trace, never on the order of its arrays.

Events are ordered by time, then by `seq`, then the shorter interval first, then by id with its numbers read as numbers
(`e2` before `e10`). Edges override this for events at the same time: the order is the least linear extension of the
edges with respect to this key (Kahn's algorithm with a heap).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import groupby, pairwise

from awesome_cli.text.grouping import group_pairs
from awesome_cli.traces.model import Event

DIGITS = re.compile(r"([0-9]+)")
NO_SEQ = float("inf")
IndexPair = tuple[int, int]


def by_time(events: Sequence[Event]) -> list[int]:
    """Indices of the events by the key, without regard to edges."""
    starts, seqs = [event.start for event in events], [event.data.get("seq", NO_SEQ) for event in events]
    indices = sorted((event.index for event in events), key=seqs.__getitem__)
    indices.sort(key=starts.__getitem__)
    tied = {i for a, b in pairwise(indices) if starts[a] == starts[b] and seqs[a] == seqs[b] for i in (a, b)}
    if tied:
        # The rest of the key takes long to make, and most events have a `seq`, or a time of their own.
        indices.sort(key=lambda i: (starts[i], *(tie_key(events[i]) if i in tied else (seqs[i],))))
    return indices


def tie_key(event: Event) -> tuple[object, ...]:
    """The key of an event among those that start at the same time."""
    # Digits are compared by their number first, and never converted: ids can have thousands of them.
    natural = [(len(n := part.lstrip("0")), n) if i % 2 else part for i, part in enumerate(DIGITS.split(event.id))]
    return event.data.get("seq", NO_SEQ), event.end, natural, event.id


def ranks(order: Sequence[int]) -> list[int]:
    """The place of every index in an order."""
    rank = [0] * len(order)
    for place, i in enumerate(order):
        rank[i] = place
    return rank


def same_time_links(events: Sequence[Event], base: Sequence[int]) -> Iterable[IndexPair]:
    """Implied pairs of events at the same time: a spawn before events of its agent, a call before its result."""
    if all("seq" in event.data for event in events):
        return
    for _, group in groupby(base, key=lambda i: events[i].start):
        run = [events[i] for i in group]
        if len(run) == 1 or all("seq" in event.data for event in run):
            continue
        spawned = {event.to: event.index for event in run if event.type == "spawn"}
        calls = {e.call_id or e.id: e.index for e in run if e.type == "tool_call"}
        for event in run:
            if event.agent in spawned and spawned[event.agent] != event.index:
                yield spawned[event.agent], event.index
            if event.type == "tool_result" and event.call_id in calls:
                yield calls[event.call_id], event.index


def program_links(events: Sequence[Event], rank: Sequence[int]) -> tuple[int, list[IndexPair]]:
    """Return the order of every agent's own events: each ends before, or when, the next starts.

    Such an interval order can have quadratically many pairs, so each agent gets a chain of markers, numbered from
    `len(events)` on: the k-th comes after the k events that end first. Returns the number of nodes and the
    pairs. Instants at the same time are ordered by `seq` alone.
    """
    pairs: list[IndexPair] = []
    nodes = len(events)
    for acts in group_pairs((event.agent, event) for event in events).values():
        ended = sorted(acts, key=lambda e: (e.end, e.start, rank[e.index]))
        keys = [(e.end, e.start) for e in ended]
        for k, event in enumerate(ended):
            pairs.append((event.index, nodes + k))
            if k:
                pairs.append((nodes + k - 1, nodes + k))
            # Longer events that end at the start of this one come before it; instants only if it is longer itself.
            place = bisect_left if event.start == event.end else bisect_right
            if before := place(keys, (event.start, event.start)):
                pairs.append((nodes + before - 1, event.index))
        instants = [e for e in sorted(acts, key=lambda e: rank[e.index]) if e.start == e.end and "seq" in e.data]
        pairs += [(a.index, b.index) for a, b in pairwise(instants) if a.start == b.start]
        nodes += len(ended)
    return nodes, pairs


def sort(events: Sequence[Event], rank: Sequence[int], pairs: Sequence[IndexPair]) -> tuple[list[int], set[int]]:
    """Return the order of the events, and the events on or between cycles, whose edges cannot all hold."""
    nodes, links = program_links(events, rank)
    # A marker is placed as early as possible, before any event.
    keys = [*rank, *range(len(rank) - nodes, 0)]
    order, stuck = least_extension(keys, [*pairs, *links])
    return [i for i in order if i < len(events)], {i for i in stuck if i < len(events)}


def least_extension(keys: Sequence[int], pairs: Iterable[IndexPair]) -> tuple[list[int], set[int]]:
    """The least linear extension by `keys` (one per node, all different), and the nodes on or between cycles.

    If all remaining nodes wait for each other, the node with the least key goes first.
    """
    after: list[list[int]] = [[] for _ in keys]
    waits = [0] * len(keys)
    for u, v in pairs:
        after[u].append(v)
        waits[v] += 1
    ready = [(key, node) for node, key in enumerate(keys) if not waits[node]]
    heapify(ready)
    stuck: set[int] = set()
    rest: list[IndexPair] = []
    done = [False] * len(keys)
    order: list[int] = []
    while len(order) < len(keys):
        if not ready and not stuck:
            stuck = without_sinks(after, [node for node in range(len(keys)) if not done[node]])
            rest = sorted(((keys[node], node) for node in stuck), reverse=True)
        _, node = heappop(ready) if ready else rest.pop()
        if done[node]:
            continue
        done[node] = True
        order.append(node)
        for follower in after[node]:
            waits[follower] -= 1
            if not waits[follower] and not done[follower]:
                heappush(ready, (keys[follower], follower))
    return order, stuck


def without_sinks(after: Sequence[Sequence[int]], nodes: Sequence[int]) -> set[int]:
    """Remove sinks until none is left; return the remaining nodes. Edges from `nodes` must stay within `nodes`."""
    before: list[list[int]] = [[] for _ in after]
    for u in nodes:
        for v in after[u]:
            before[v].append(u)
    left = {u: len(after[u]) for u in nodes}
    sinks = [u for u in nodes if not after[u]]
    while sinks:
        sink = sinks.pop()
        del left[sink]
        for u in before[sink]:
            left[u] -= 1
            if not left[u]:
                sinks.append(u)
    return set(left)
