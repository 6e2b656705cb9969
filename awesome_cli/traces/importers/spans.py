"""Spans of any format, and their tree. The importer of a format decides what kind each span has."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
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
            way = list(takewhile(lambda up: up.id not in depths, (span, *self.above(span))))
            top = self.parents[way[-1].id] if way else None
            depth = depths.get(top.id, 0) if top is not None else 0
            depths.update({step.id: depth + n for n, step in enumerate(reversed(way), 1)})
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

    Two instrumentations (scopes) can describe one call: the one with more tokens is kept, below an agent if either is.
    A wrapper around a call can repeat its tokens: it is left out.
    """
    tree = Tree(spans)
    calls = [span for span in tree.spans if span.kind == "llm"]
    outer = [next((up for up in tree.above(call) if up.kind in {"llm", "agent", "tool"}), None) for call in calls]
    wrappers = {span.id for span in outer if span is not None and span.kind == "llm"}
    kept = {span.id: span for span in tree.spans if span.id not in wrappers}
    live: list[TraceSpan] = []
    for call in (call for call in calls if call.id in kept):
        live = [other for other in live[-AT_ONCE:] if other.end > call.start]
        twin = next((other for other in live if other.scope != call.scope and _same(other, call)), None)
        if twin is None:
            live.append(call)
            continue
        weaker, better = sorted((call, twin), key=lambda span: (span.tokens, -span.start))
        del kept[weaker.id]
        if not _has_agent(tree, better) and _has_agent(tree, weaker) and better not in tree.above(weaker):
            kept[better.id] = replace(better, parent=weaker.parent)
        live = [better if other is twin else other for other in live]
    return [replace(span, parent=_kept_parent(tree, span.parent, kept)) for span in kept.values()]


def _kept_parent(tree: Tree, parent: str, kept: Container[str]) -> str:
    """The nearest of a span and its ancestors that is kept; `parent` itself if there is none."""
    span = tree.by_id.get(parent)
    lineage = (span, *tree.above(span)) if span is not None and parent not in kept else ()
    return next((up.id for up in lineage if up.id in kept), parent)


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
    lineages = {span.id: [span, *tree.above(span)] for span in tree.spans if span.kind == "agent"}
    depths = {name: sum(up.kind == "agent" for up in lineage) for name, lineage in lineages.items()}
    tops = {name: lineage[-1].id for name, lineage in lineages.items()}
    live: list[TraceSpan] = []
    parents: dict[str, str] = {}
    for span in tree.spans:
        if span.parent and span.parent not in tree.by_id:
            live = [agent for agent in live[-AT_ONCE:] if agent.end >= span.start]
            around = [agent for agent in live if agent.end >= span.end and tops[agent.id] != span.id]
            agent = _innermost(around, depths)
            if agent is not None:
                parents[span.id] = agent.id
        if span.kind == "agent":
            live.append(span)
    return [replace(span, parent=parents.get(span.id, span.parent)) for span in tree.spans], len(parents)


def _innermost(agents: Sequence[TraceSpan], depths: Mapping[str, int]) -> TraceSpan | None:
    """The deepest agent above which every level has one agent only."""
    levels: dict[int, list[TraceSpan]] = defaultdict(list)
    for agent in agents:
        levels[depths[agent.id]].append(agent)
    alone = takewhile(lambda depth: len(levels[depth]) == 1, sorted(levels))
    return next((levels[depth][0] for depth in reversed(list(alone))), None)
