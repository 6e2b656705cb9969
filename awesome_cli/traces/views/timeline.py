"""The timeline of a run, for viewers: lanes, changes of state, waits, arrows, groups of agents, facts and findings."""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from awesome_cli.reports.findings import RANK
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.numbers import both, counted, short, shortened, spell_seconds
from awesome_cli.traces.checking import findings
from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.order import ranks
from awesome_cli.traces.replay import replay
from awesome_cli.traces.rules import TraceFinding, collapse, listed
from awesome_cli.traces.state import answer_of, gives_answer, roles, roots
from awesome_cli.traces.usage import usage_of, without_tokens

NONE = -1
AGENT, TASK, CALL, UNREAD, ANSWER, STOPPED = range(6)
STATUS = {"run": 1, "returned": 2, "despawned": 3, "stopped": 4}


class ChangeLog:
    """Collector of the changes in a replay, in the form of `Timeline`, but with agents by name."""

    def __init__(self, trace: Trace, graph: Graph) -> None:
        self.trace = trace
        self.order = graph.order
        self.at = ranks(graph.order)
        self.places = {trace.events[i].id: k for k, i in reversed([*enumerate(graph.order)])}
        answer = answer_of(trace, graph.order)
        self.answer = NONE if answer is None else self.at[answer.index]
        self.opened: dict[str, int] = {}
        self.now: dict[tuple[int, str | int], int] = {
            (AGENT, name): STATUS["run"] for name in roots(trace, graph.order)
        }
        self.rows: list[list[tuple[int, str | int, int, int]]] = []

    def place_of(self, finding: TraceFinding) -> int:
        """Return the replay position of a finding's event, or of the first event of its edge."""
        if finding.event is not None:
            return self.at[finding.event.index]
        _, kind, *rest = (*finding.pointer.split("/"), "")
        return self.places.get(self.trace.edges[int(rest[0])].src, NONE) if kind == "edges" else NONE

    def add(self, changes: Sequence[Sequence[str | None]]) -> None:
        k = len(self.rows)
        self.rows.append([])
        if k == self.answer or gives_answer(self.trace.events[self.order[k]]):
            self._set(ANSWER, 0, k + 1)
        for kind, *rest in changes:
            name, opens = rest[0] or "", kind == "unread" or rest[1:2] == ["open"]
            if kind == "agent":
                self._set(AGENT, name, STATUS.get(rest[1] or "", 0))
            elif kind == "stopped":
                self._set(STOPPED, 0, k + 1)
            elif kind == "call":
                opener = self.opened[name] = k if opens else self.opened.get(name, k)
                self._set(CALL, opener, int(opens))
            else:
                self._set(TASK if kind == "task" else UNREAD, self.places.get(name, k), int(opens))

    def _set(self, kind: int, key: str | int, value: int) -> None:
        before = self.now.get((kind, key), 0)
        self.now[kind, key] = value
        self.rows[-1].append((kind, key, value, before))


CROSSING = frozenset({"spawn", "delegate", "message", "return", "aggregate", "data", "safety_flow", "causal"})


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events in replay order, agents in the order of the spawn tree, and the changes of state that each event made.

    - `range`: the first start and the last end, in the trace's unit
    - `parents`, `depths`, `roles`: one value per agent in `names`; a root has the parent -1
    - `begin`: positions in `names` of the agents that run from the start
    - `changes`: by event, tuples of a kind (agent, task, call, unread return, answer, stop), a key (an agent or the
      opening event), the new value and the old value. 0 means absent; the value of an agent is its status, the value
      of answer and stop is an event's position, from 1
    - `arrows`: pairs of event positions
    - `findings`: tuples of code, level, event position (-1 for none) and message, errors first
    - `kinds`: for each kind of finding, the position of the first in `findings`, and the number of findings
    """

    trace: Trace
    order: tuple[Event, ...]
    range: tuple[float, float]
    names: tuple[str, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    roles: tuple[str, ...]
    begin: tuple[int, ...]
    changes: tuple[tuple[tuple[int, int, int, int], ...], ...]
    arrows: tuple[tuple[int, int], ...]
    findings: tuple[dict[str, Any], ...]
    kinds: tuple[tuple[int, int], ...]
    machine: Machine

    @property
    def clocked(self) -> bool:
        """True if the events have clock times, and at least two different times."""
        first, last = self.range
        return self.trace.seconds is not None and last > first

    def status(self, a: int) -> str | None:
        """Return the last status of an agent; `None` for tools and people."""
        agent = self.machine.agents.get(self.names[a])
        return agent.status if agent is not None else None

    def lanes(self) -> list[list[int]]:
        """For each agent the places of its events in replay order."""
        lanes: dict[str, list[int]] = {name: [] for name in self.names}
        for k, event in enumerate(self.order):
            lanes[event.agent].append(k)
        return [*lanes.values()]


def timeline(trace: Trace) -> Timeline:
    """Replay the trace and record the changes of state that each event makes."""
    graph = graph_of(trace)
    log = ChangeLog(trace, graph)
    replayed = replay(trace, graph, watch=log.add)
    results = [(f.rule.levels[trace.version], log.place_of(f), f) for f in listed(findings(trace, graph, replayed))]
    results.sort(key=lambda each: (RANK[each[0]], each[1], each[2].code))
    number = {id(f): n for n, (_, _, f) in enumerate(results)}
    order = tuple(trace.events[i] for i in graph.order)
    parents = {name: agent.parent for name, agent in replayed.machine.agents.items()}
    depths, role_of = _spawn_tree(order, parents), roles(trace)
    index: dict[str | None, int] = {name: a for a, name in enumerate(depths)}
    return Timeline(
        trace=trace,
        order=order,
        range=(min(e.start for e in order), max(e.end for e in order)),
        names=tuple(depths),
        parents=tuple(index.get(parents.get(name), NONE) for name in depths),
        depths=tuple(depths.values()),
        roles=tuple(role_of[name] for name in depths),
        begin=tuple(index[name] for name in roots(trace, graph.order)),
        changes=tuple(
            tuple((kind, index[key] if isinstance(key, str) else key, new, old) for kind, key, new, old in changes)
            for changes in log.rows
        ),
        arrows=tuple(_arrows(trace, graph, order, replayed.machine)),
        findings=tuple(
            {"code": f.code, "level": level.value, "event": place, "message": f.message} for level, place, f in results
        ),
        kinds=tuple((number[id(f)], n) for f, n in collapse(f for _, _, f in results)),
        machine=replayed.machine,
    )


def _spawn_tree(order: Sequence[Event], parents: Mapping[str, str | None]) -> dict[str, int]:
    """Return the depth of every actor and receiver by name, parents before their children."""
    addressed = (name for event in order for name in (event.agent, event.to) if name is not None)
    seen = dict.fromkeys([*parents, *addressed])
    below: dict[str | None, list[str]] = defaultdict(list)
    for name in seen:
        parent = parents.get(name)
        below[parent if parent in seen and parent != name else None].append(name)
    depths: dict[str, int] = {}
    stack = [(name, 0) for name in reversed(below[None])]
    while stack:
        name, depth = stack.pop()
        if name not in depths:
            depths[name] = depth
            stack += [(child, depth + 1) for child in reversed(below[name])]
    # Agents whose parents form a cycle cannot be reached from a root.
    return depths | {name: 0 for name in seen if name not in depths}


def _arrows(trace: Trace, graph: Graph, order: Sequence[Event], machine: Machine) -> list[tuple[int, int]]:
    """Return arrows between agents: declared edges, and returns to their reader or the receiver's next event."""
    at = ranks(graph.order)
    ends = ((graph.index.get(edge.src), graph.index.get(edge.dst)) for edge in trace.edges if edge.type in CROSSING)
    pairs = {(at[u], at[v]) for u, v in (*machine.reads, *ends) if u is not None and v is not None}
    drawn = {u for u, _ in pairs}
    following: dict[str | None, int] = {}
    for k in reversed(range(len(order))):
        event = order[k]
        if k not in drawn and event.to in following and event.type in CROSSING - {"return"}:
            pairs.add((k, following[event.to]))
        following[event.agent] = k
    return sorted((u, v) for u, v in pairs if order[u].agent != order[v].agent)


PARTS = ("input", "cache-read", "cache-write", "output")
"""The names of the parts of `Usage`; input is what no cache holds."""


def length(trace: Trace, time: float) -> str:
    """Return a length of time of a trace in words: `4.2 s`, `5 h 1 min`, `12 steps`."""
    if trace.seconds is not None:
        return spell_seconds(time * trace.seconds)
    return short(time) + (" steps" if trace.time_unit == "step" else "")


def facts(view: Timeline) -> list[tuple[str, str]]:
    """Return the key figures as (name, value): agents, events, time, tokens, findings by level."""
    first, last = view.range
    levels = [finding["level"] for finding in view.findings]
    counts = [_counted(levels.count(level), level) for level in ("error", "warning", "note") if level in levels]
    return [
        _counted(len(view.machine.agents), "agent"),
        _counted(len(view.order), "event"),
        ("elapsed", length(view.trace, last - first)),
        *_tokens(view.trace, view.order, view.machine.agents),
        *(counts or [("findings", "no")]),
    ]


def _counted(n: int, noun: str) -> tuple[str, str]:
    number, name = counted(n, noun).split(" ", 1)
    return name, number


def _tokens(trace: Trace, events: Sequence[Event], agents: Iterable[str]) -> list[tuple[str, str]]:
    """Describe the tokens: the sum over events and its parts, and the declared total if it differs."""
    declared = trace.costs["tokens"]
    if all(event.tokens is None for event in events):
        return [_counted(round(declared), "token")] if declared else []
    sums = map(sum, zip(*map(usage_of, events), strict=True))
    total = sum(event.tokens or 0 for event in events)
    partial = any(event.data.get("tokens_partial") for event in events) or without_tokens(trace, agents)
    shown = [("tokens", f"at least {total:,}") if partial else _counted(total, "token")]
    shown += [_counted(n, f"{name} token") for name, n in zip(PARTS, sums, strict=True) if n]
    return shown if declared == total else [*shown, ("tokens declared (differs)", f"{declared:,.0f}")]


def elided(rooms: Mapping[str, int]) -> dict[str, str]:
    """Shorten each name to its maximum length in characters, and keep the names distinct.

    A long name loses its middle. Names that become equal are cut to start where they first differ; names that are
    still equal get a number as suffix.
    """
    texts = {name: name for name, room in rooms.items() if len(name) <= room}
    alike = group_pairs(
        (f"{name[: (room - 1) // 2]}…{name[-(room // 2) :]}", name) for name, room in rooms.items() if len(name) > room
    )
    cuts = {name: text for text, names in alike.items() for name in names}
    for names in alike.values():
        start = next((n for n, (a, b) in enumerate(zip(min(names), max(names), strict=False)) if a != b), 0)
        for name in names if len(names) > 1 else ():
            cut = rooms[name] - 1
            cuts[name] = "…" + name[min(start, len(name) - cut) :][:cut]
    taken = Counter([*texts, *cuts.values()])
    for n, (name, text) in enumerate(cuts.items(), 1):
        numbered = (f"{name[: rooms[name] - 1 - len(str(m))]}…{m}" for m in count(n))
        texts[name] = text if taken[text] == 1 else next(each for each in numbered if not taken[each])
        taken[texts[name]] += 1
    return texts


MANY = 40
"""A run with more agents than this is shown in groups."""
FEW = 3
"""The fewest agents of a group."""


def families(view: Timeline) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the groups of agents in the order of their first members: a label, and positions in the spawn tree.

    A group has the agents of one role, or agents without a role of one parent. Some agents are in no group.
    """
    if len(view.names) <= MANY:
        return ()
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    numbers = Counter(view.roles)
    for a, (role, parent) in enumerate(zip(view.roles, view.parents, strict=True)):
        if role != view.names[a] or numbers[role] > 1:
            groups["\u00d7", role].append(a)
        elif parent >= 0:
            groups["agents of", view.names[parent]].append(a)
        elif view.names[a] not in view.machine.agents:
            groups["tools", ""].append(a)
    return tuple(
        (f"{len(members):,} {noun} {name}".rstrip(), tuple(members))
        for (noun, name), members in groups.items()
        if len(members) >= FEW
    )


OTHERS = "others"
NAMED = 3
"""The most names that a wait spells out."""


class Wait(NamedTuple):
    """Agent `agent` waited for `whom`, from `start` to `end` in the trace's unit; event number `place` ended it."""

    agent: int
    start: float
    end: float
    place: int
    whom: str


class End(NamedTuple):
    """The end of a child's task or of a call; event `reader` of the agent took a return."""

    time: float
    name: str
    reader: int | None


def waits(view: Timeline) -> Iterator[Wait]:
    """Yield the waits of all agents.

    A gap between an agent's events is a wait if, during the gap, a child returned and the next event reads the return,
    or if the result of a call arrived. An agent also waits for a person during an intervention, and for other agents
    during a call that only waits (`waits`).
    """
    if view.trace.seconds is None:
        return
    ends = _ends(view)
    for a, (name, lane) in enumerate(zip(view.names, view.lanes(), strict=True)):
        if name not in view.machine.non_agents:
            places = sorted(lane, key=lambda k: (view.order[k].start, k))
            noticed = sorted(ends.get(name, ()))
            yield from _gaps(view, a, places, noticed)
            yield from _called(view, a, places, noticed)


def _called(view: Timeline, a: int, places: list[int], ends: list[End]) -> Iterator[Wait]:
    """Yield the waits of calls that only wait, in the order of their ends.

    A call waits for its targets, else for the agents that returned during the call, else for unknown agents.
    """
    before = -math.inf
    returns = [end for end in ends if end.reader is not None]
    for k in sorted((k for k in places if only_waits(view.order[k])), key=lambda k: (view.order[k].end, k)):
        call = view.order[k]
        since, until = (bisect_right(returns, time, key=lambda end: end.time) for time in (before, call.end))
        came = call.data.get("targets") or [end.name for end in returns[since:until] if end.time > call.start]
        yield Wait(a, call.start, call.end, k, in_words(came) or OTHERS)
        before = call.end


def only_waits(event: Event) -> bool:
    """True if the interval of an event is a wait for other agents."""
    return event.end > event.start and event.data.get("waits") is True


def _gaps(view: Timeline, a: int, places: list[int], ends: list[End]) -> Iterator[Wait]:
    """Yield the waits between the events of an agent, at `places`, and its waits for people."""
    busy, n = math.inf, 0
    for k in places:
        event = view.order[k]
        whom: list[str] = []
        while n < len(ends) and ends[n].time <= event.start:
            if ends[n].time > busy and ends[n].reader in {None, k}:
                whom.append(ends[n].name)
            n += 1
        if whom:
            yield Wait(a, busy, event.start, k, in_words(whom))
        if event.type == "human_intervention" and event.end > event.start:
            yield Wait(a, event.start, event.end, k, str(event.data.get("from") or "a person"))
        busy = event.end if busy == math.inf else max(busy, event.end)


def in_words(names: Iterable[str]) -> str:
    different = list(dict.fromkeys(names))
    return both(different) if len(different) <= NAMED else shortened(different, NAMED)


def _ends(view: Timeline) -> dict[str, list[End]]:
    """Return the ends that each agent noticed: of the returns that it read, and of its calls."""
    events = view.trace.events
    ends: dict[str, list[End]] = defaultdict(list)
    at = ranks([event.index for event in view.order])
    for returned, reader in view.machine.reads:
        event = events[returned]
        ends[events[reader].agent].append(End(event.end, event.agent, at[reader]))
    for result, caller in view.machine.answers.items():
        call = events[caller]
        ends[call.agent].append(End(events[result].start, call.tool or "a tool", None))
    return ends
