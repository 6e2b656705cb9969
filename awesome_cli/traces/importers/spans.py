"""Spans of any format, and their tree. The importer of a format decides what kind each span has."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

SpanKind = Literal["agent", "llm", "tool", "handoff", "guardrail", "decision", "other"]

OVERLAP = 0.9
DATED = re.compile(r"(?:[-@](?:\d{4}-\d\d-\d\d|\d{8}|\d{4})|-latest)\Z")
"""The version at the end of a model's name: one instrumentation records the name that was asked for, without it."""
AT_ONCE = 500
"""A model call is compared with so many of those that run at the same time, the last that began."""


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One span; times in microseconds since 1970.

    `name` is the name of the agent or tool, for a hand-off that of the agent that hands off; `target` is the agent
    that takes over. Runs of one agent can share an `agent_id`. `usage` are the fields of the model call's event for
    tokens and cost. `content_in` and `content_out` are prompts, arguments, results.
    """

    id: str
    parent: str
    kind: SpanKind
    name: str
    start: int
    end: int
    scope: str = ""
    agent_id: str = ""
    target: str = ""
    model: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    call_id: str = ""
    status: str = ""
    error_type: str = ""
    content_in: object = None
    content_out: object = None

    @property
    def tokens(self) -> int:
        return int(self.usage.get("tokens_in", 0) + self.usage.get("tokens_out", 0))


@dataclass(frozen=True, slots=True)
class RawSpan:
    """An OpenTelemetry span before its attributes are read: ids as hex text, times in microseconds.

    `marks` are the span events that `awesome trace export otel` writes: name, time, attributes.
    """

    trace_id: str
    id: str
    parent: str
    name: str
    start: int
    end: int
    status: str
    scope: str
    service: str
    attributes: Mapping[str, object]
    marks: Sequence[tuple[str, int, Mapping[str, object]]] = ()


class Tree:
    """Spans by id, with their parents."""

    def __init__(self, spans: Iterable[TraceSpan]) -> None:
        self.spans = sorted({span.id: span for span in spans}.values(), key=lambda s: (s.start, -s.end, s.id))
        self.by_id = {span.id: span for span in self.spans}
        self.parents = {span.id: self.by_id.get(span.parent) for span in self.spans}

    def downwards(self) -> list[TraceSpan]:
        """The spans, parents before their children: a child can have the times of its parent, or another clock."""
        depths: dict[str, int] = {}
        for span in self.spans:
            way = [span]
            for up in self.above(span):
                if up.id in depths:
                    break
                way.append(up)
            top = self.parents[way[-1].id]
            depth = depths.get(top.id, 0) if top is not None else 0
            for step in reversed(way):
                depth = depths[step.id] = depth + 1
        return sorted(self.spans, key=lambda span: depths[span.id])

    def above(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """The ancestors, nearest first."""
        seen = {span.id}
        up = self.parents[span.id]
        while up is not None and up.id not in seen:
            seen.add(up.id)
            yield up
            up = self.parents[up.id]


def merged_calls(spans: Sequence[TraceSpan]) -> list[TraceSpan]:
    """The spans without second descriptions of a model call.

    Two instrumentations (scopes) can describe one call, and a wrapper around a call can repeat its tokens.
    """
    tree = Tree(spans)
    dropped, places = _duplicates(tree)
    # Children of a dropped span move to its nearest ancestor that stays.
    kept = []
    for span in (s for s in tree.spans if s.id not in dropped):
        place = tree.by_id[places.get(span.id, span.id)]
        kept.append(replace(span, parent=next((u.id for u in tree.above(place) if u.id not in dropped), place.parent)))
    return kept


def _duplicates(tree: Tree) -> tuple[set[str], dict[str, str]]:
    """The spans to leave out, and for those that are kept in the place of another, that other."""
    calls = [span for span in tree.spans if span.kind == "llm"]
    dropped: set[str] = set()
    for call in calls:
        outer = next((up for up in tree.above(call) if up.kind in {"llm", "agent", "tool"}), None)
        if outer is not None and outer.kind == "llm":
            dropped.add(outer.id)
    places: dict[str, str] = {}
    live: list[TraceSpan] = []
    for call in (c for c in calls if c.id not in dropped):
        live = [other for other in live[-AT_ONCE:] if other.end > call.start]
        duplicate = next((o for o in live if o.scope != call.scope and _same(o, call)), None)
        if duplicate is None:
            live.append(call)
            continue
        better, weaker = duplicate, call
        if (call.tokens, -call.start) > (duplicate.tokens, -duplicate.start):
            better, weaker = call, duplicate
        dropped.add(weaker.id)
        if not _has_agent(tree, better) and _has_agent(tree, weaker):
            places[better.id] = weaker.id
        live = [better if other is duplicate else other for other in live]
    return dropped, places


def _same(a: TraceSpan, b: TraceSpan) -> bool:
    shared = min(a.end, b.end) - max(a.start, b.start)
    longer = max(a.end - a.start, b.end - b.start)
    return longer > 0 and shared >= OVERLAP * longer and _family(a.model) == _family(b.model)


def _family(model: str) -> str:
    """A model's name without its provider and version: `openai/gpt-4o-2025-01-31` is `gpt-4o`."""
    return DATED.sub("", model.rpartition("/")[2])


def _has_agent(tree: Tree, span: TraceSpan) -> bool:
    return any(up.kind == "agent" for up in tree.above(span))


def adopted(spans: Sequence[TraceSpan]) -> tuple[list[TraceSpan], int]:
    """The spans, and how many of them got a parent: where it was not exported, the agent that covers them in time.

    Of nested agents the innermost covers a span. Of agents that run side by side none does.
    """
    tree = Tree(spans)
    if all(not span.parent or span.parent in tree.by_id for span in tree.spans):
        return tree.spans, 0
    depths = {s.id: sum(up.kind == "agent" for up in tree.above(s)) for s in tree.spans if s.kind == "agent"}
    live: list[TraceSpan] = []
    parents: dict[str, str] = {}
    for span in tree.spans:
        if span.parent and span.parent not in tree.by_id:
            live = [agent for agent in live[-AT_ONCE:] if agent.end >= span.start]
            agent = _innermost([agent for agent in live if agent.end >= span.end], depths)
            if agent is not None:
                parents[span.id] = agent.id
        if span.kind == "agent":
            live.append(span)
    return [replace(span, parent=parents.get(span.id, span.parent)) for span in tree.spans], len(parents)


def _innermost(agents: Sequence[TraceSpan], depths: Mapping[str, int]) -> TraceSpan | None:
    """The deepest agent above which every level has one agent only."""
    found = None
    for depth in sorted({depths[agent.id] for agent in agents}):
        level = [agent for agent in agents if depths[agent.id] == depth]
        if len(level) > 1:
            break
        found = level[0]
    return found
