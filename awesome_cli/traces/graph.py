"""The declared edges of a trace, resolved to events, and the rules about them (TG…)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from awesome_cli.traces.model import Trace
from awesome_cli.traces.order import Link, by_time, least_extension, ranks, replay_order, sort


class Remark(NamedTuple):
    """A rule that a trace breaks, and the JSON pointer of the place."""

    code: str
    pointer: str
    message: str


@dataclass(frozen=True, slots=True)
class Graph:
    """The events' order and the edges between them.

    `links` are the usable declared edges as pairs of indices (no dangling edge, no self-loop, none that goes back in
    time by more than `skew`); `order` lists indices as they are replayed; `remarks` are the faults found on the way.
    """

    index: dict[str, int]
    links: tuple[Link, ...]
    order: tuple[int, ...]
    remarks: tuple[Remark, ...]


def graph_of(trace: Trace, skew: float = 0.0) -> Graph:
    """Resolve the edges; `skew` (0 or more, in the trace's time unit) is how far clocks may disagree."""
    remarks: list[Remark] = []
    index: dict[str, int] = {}
    for event in trace.events:
        first = index.setdefault(event.id, event.index)
        if first != event.index:
            remarks.append(Remark("TG001", event.pointer, f"the id {event.id!r} is taken by /events/{first}"))
        if event.data.get("t_end", event.start) < event.start:
            remarks.append(
                Remark("TG009", event.pointer, f"ends at {event.data['t_end']}, before it starts at {event.start}")
            )
    links = resolve(trace, index, remarks)
    events = trace.events
    late = [(u, v, pointer) for (u, v), pointer in links if events[u].start > events[v].start + skew]
    remarks += [
        Remark("TG005", pointer, f"goes back in time, from {events[u].start} to {events[v].start}")
        for u, v, pointer in late
    ]
    backwards = {(u, v) for u, v, _ in late}
    usable = tuple(link for link, _ in links if link not in backwards)
    base = by_time(events)
    rank = ranks(base)
    remarks += contradictions(trace, links, rank)
    return Graph(index, usable, tuple(replay_order(events, usable, base, rank)), tuple(remarks))


def resolve(trace: Trace, index: dict[str, int], remarks: list[Remark]) -> list[tuple[Link, str]]:
    """The edges whose ends are two events, each once, with their pointers; the others become remarks."""
    links: list[tuple[Link, str]] = []
    seen: set[tuple[str, str, str]] = set()
    for edge in trace.edges:
        u, v = index.get(edge.src), index.get(edge.dst)
        if u is None or v is None:
            missing = edge.src if u is None else edge.dst
            remarks.append(Remark("TG002", edge.pointer, f"names {missing!r}, which is no event"))
        elif u == v:
            remarks.append(Remark("TG003", edge.pointer, f"leads from {edge.src!r} to itself"))
        elif (key := (edge.src, edge.dst, edge.type)) in seen:
            remarks.append(Remark("TG004", edge.pointer, f"is there twice: {edge.src} to {edge.dst}, {edge.type}"))
        else:
            seen.add(key)
            links.append(((u, v), edge.pointer))
    return links


def contradictions(trace: Trace, places: Sequence[tuple[Link, str]], rank: Sequence[int]) -> Iterator[Remark]:
    """Cycles of edges, and edges that run against the order of an agent's own events.

    A cycle needs an edge that goes against time and tie-breaks, so most traces are done at once. `rank` is the place
    of every event by time.
    """
    crooked = [(link, pointer) for link, pointer in places if rank[link[0]] > rank[link[1]]]
    if not crooked:
        return
    links = [link for link, _ in places]
    _, cyclic = least_extension(rank, links)
    if cyclic:
        ids = [trace.events[i].id for i in one_cycle(links, cyclic)]
        inside = next(pointer for (u, v), pointer in crooked if u in cyclic and v in cyclic)
        yield Remark("TG006", inside, f"closes a cycle: {' → '.join(ids)}")
    _, stuck = sort(trace.events, rank, links)
    for (u, v), pointer in crooked:
        if u in stuck and v in stuck and not (u in cyclic and v in cyclic):
            first, then = trace.events[v], trace.events[u]
            yield Remark(
                "TG008", pointer, f"puts {then.id!r} before {first.id!r}, against the order of the agents' own events"
            )


def one_cycle(links: Sequence[Link], nodes: set[int]) -> list[int]:
    """A cycle among `nodes`, its first event named again at the end, beginning with the least index."""
    graph: dict[int, list[int]] = {}
    for u, v in links:
        if u in nodes and v in nodes:
            graph.setdefault(u, []).append(v)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # The sorter takes the mapping as node to predecessors, so its cycle runs backwards.
        cycle = error.args[1][:0:-1]
        least = cycle.index(min(cycle))
        turned = [*cycle[least:], *cycle[:least]]
        return [*turned, turned[0]]
    raise AssertionError("there is no cycle")
