"""The graph of a trace: events in replay order, declared edges as pairs of events, and the checks of edges (TG…)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from awesome_cli.traces import rules
from awesome_cli.traces.model import Edge, Trace
from awesome_cli.traces.order import IndexPair, by_time, least_extension, ranks, same_time_links, sort
from awesome_cli.traces.rules import TraceFinding


@dataclass(frozen=True, slots=True)
class Graph:
    """The replay order of the events, and the usable edges between events.

    `index` maps an event's id to the event's index. `pairs` are the usable edges as pairs of event indices: an edge is
    usable if its ends are different events and it does not go back in time by more than `skew`. `order` lists the event
    indices in replay order. `findings` are the findings of the TG rules.
    """

    index: dict[str, int]
    pairs: tuple[IndexPair, ...]
    order: tuple[int, ...]
    findings: tuple[TraceFinding, ...]


def graph_of(trace: Trace, skew: float = 0.0) -> Graph:
    """Resolve the edges; `skew` (at least 0, in the trace's time unit) is the allowed difference of clocks."""
    events = trace.events
    index: dict[str, int] = {}
    findings = list(check_events(trace, index))
    resolved = resolve(trace, index, findings)
    backward: set[IndexPair] = set()
    for (u, v), edge in resolved:
        start, end = events[u].start, events[v].start
        if start > end + skew:
            backward.add((u, v))
            message = f"goes back in time, from {start} to {end}"
            findings.append(TraceFinding(rules.BACKWARD_EDGE, message, edge.pointer))
    usable = tuple(pair for pair, _ in resolved if pair not in backward)
    base = by_time(events)
    rank = ranks(base)
    findings += contradictions(trace, resolved, rank)
    pairs = [*usable, *same_time_links(events, base)]
    # A pair that is part of a cycle, with other pairs or with the order of an agent's own events, can be violated.
    order = base if all(rank[u] < rank[v] for u, v in pairs) else sort(events, rank, pairs)[0]
    findings += check_inputs(trace, index, order, skew)
    return Graph(index, usable, tuple(order), tuple(findings))


def check_events(trace: Trace, index: dict[str, int]) -> Iterator[TraceFinding]:
    """Find repeated ids, and events that end before they start. Add the first event of each id to `index`."""
    for event in trace.events:
        first = index.setdefault(event.id, event.index)
        if first != event.index:
            yield TraceFinding.at(rules.REPEATED_ID, event, f"the id {event.id!r} is also the id of /events/{first}")
        # An end before the start is read as an instant.
        if event.end == event.start and "t_end" in event.data and event.data["t_end"] < event.start:
            message = f"ends at {event.data['t_end']}, before it starts at {event.start}"
            yield TraceFinding.at(rules.ENDS_BEFORE_START, event, message)


def check_inputs(trace: Trace, index: Mapping[str, int], order: Sequence[int], skew: float) -> Iterator[TraceFinding]:
    """Find inputs that name an unknown event, or an event that is replayed after the event that lists the input."""
    listing = [event for event in trace.events if event.inputs]
    place = ranks(order) if listing else []
    for event in listing:
        for name in event.inputs or ():
            i = index.get(name)
            if i is None:
                yield TraceFinding.at(rules.UNKNOWN_INPUT, event, f"'inputs' names {name!r}, and no event has that id")
            elif place[i] >= place[event.index] and not 0 < trace.events[i].start - event.start <= skew:
                yield TraceFinding.at(rules.LATER_INPUT, event, f"'inputs' names {name!r}, which is not earlier")


def resolve(trace: Trace, index: dict[str, int], findings: list[TraceFinding]) -> list[tuple[IndexPair, Edge]]:
    """Return the valid edges, each with its pair of event indices; add findings about invalid edges to `findings`."""
    resolved: list[tuple[IndexPair, Edge]] = []
    seen: set[tuple[str, str, str]] = set()
    for edge in trace.edges:
        u, v = index.get(edge.src), index.get(edge.dst)
        if u is None or v is None:
            missing = edge.src if u is None else edge.dst
            findings.append(TraceFinding(rules.UNKNOWN_EVENT, f"no event has the id {missing!r}", edge.pointer))
        elif u == v:
            findings.append(TraceFinding(rules.SELF_LOOP, f"leads from {edge.src!r} to itself", edge.pointer))
        elif (key := (edge.src, edge.dst, edge.type)) in seen:
            message = f"is listed twice: {edge.src} to {edge.dst}, {edge.type}"
            findings.append(TraceFinding(rules.REPEATED_EDGE, message, edge.pointer))
        else:
            seen.add(key)
            resolved.append(((u, v), edge))
    return resolved


def contradictions(
    trace: Trace, resolved: Sequence[tuple[IndexPair, Edge]], rank: Sequence[int]
) -> Iterator[TraceFinding]:
    """Find cycles of edges, and edges that contradict the order of an agent's events.

    `rank` has the position of every event by time. Every cycle has an edge that goes back in this order, and most
    traces have no such edge.
    """
    backward = [(pair, edge.pointer) for pair, edge in resolved if rank[pair[0]] > rank[pair[1]]]
    if not backward:
        return
    pairs = [pair for pair, _ in resolved]
    _, cyclic = least_extension(rank, pairs)
    if cyclic:
        ids = [trace.events[i].id for i in one_cycle(pairs, cyclic)]
        inside = next(pointer for (u, v), pointer in backward if u in cyclic and v in cyclic)
        yield TraceFinding(rules.CYCLE, f"closes a cycle: {' → '.join(ids)}", inside)
    _, stuck = sort(trace.events, rank, pairs)
    for (u, v), pointer in backward:
        if u in stuck and v in stuck and not (u in cyclic and v in cyclic):
            first, then = trace.events[v], trace.events[u]
            message = f"puts {then.id!r} before {first.id!r}, against the order of the agents' own events"
            yield TraceFinding(rules.AGAINST_AGENT_ORDER, message, pointer)


def one_cycle(pairs: Sequence[IndexPair], nodes: set[int]) -> list[int]:
    """Return a cycle that starts and ends at its least index; every node in `nodes` must have a successor there."""
    following = {u: v for u, v in pairs if u in nodes and v in nodes}
    path: dict[int, None] = {}
    node = min(nodes)
    while node not in path:
        path[node] = None
        node = following[node]
    cycle = list(path)[list(path).index(node) :]
    least = cycle.index(min(cycle))
    return [*cycle[least:], *cycle[: least + 1]]
