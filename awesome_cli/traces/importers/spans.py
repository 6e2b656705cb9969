"""Spans of any format, and their tree. The importer of a format decides what kind each span has."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    tokens and cost. `content_in` and `content_out` are prompts, arguments, results. `scope` is the instrumentation.

    Of an OpenTelemetry span, whose kind its `attributes` tell, `marks` are the span events that `awesome trace export
    otel` writes: name, time, attributes.
    """

    id: str
    parent: str
    name: str
    start: int
    end: int
    kind: SpanKind = "other"
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
    attributes: Mapping[str, object] = field(default_factory=dict)
    marks: Sequence[tuple[str, int, Mapping[str, object]]] = ()

    @property
    def tokens(self) -> int:
        return int(self.usage.get("tokens_in", 0) + self.usage.get("tokens_out", 0))


class Tree:
    """Spans, by start, and the parent of each by its id."""

    def __init__(self, spans: Iterable[TraceSpan]) -> None:
        by_id = {span.id: span for span in spans}
        self.spans = sorted(by_id.values(), key=lambda span: (span.start, -span.end, span.id))
        self.parents = {span.id: by_id.get(span.parent) for span in self.spans}

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

    def adopt(self) -> int:
        """Give spans whose parent was not exported to the agent that covers them in time; return their number.

        Of nested agents the innermost covers a span. Of agents that run side by side none does.
        """
        orphans = {span.id for span in self.spans if span.parent and self.parents[span.id] is None}
        agents = [span for span in self.spans if span.kind == "agent"] if orphans else []
        lineages = {agent.id: [agent, *self.above(agent)] for agent in agents}
        depths = {name: sum(up.kind == "agent" for up in lineage) for name, lineage in lineages.items()}
        live: list[TraceSpan] = []
        adopted = 0
        for span in self.spans if agents else ():
            if span.id in orphans:
                live = [agent for agent in live[-AT_ONCE:] if agent.end >= span.start]
                around = [agent for agent in live if agent.end >= span.end and lineages[agent.id][-1].id != span.id]
                self.parents[span.id] = _innermost(around, depths)
                adopted += self.parents[span.id] is not None
            if span.kind == "agent":
                live.append(span)
        return adopted

    def merge_calls(self) -> int:
        """Remove second descriptions of a model call; return their number.

        Two instrumentations (scopes) can describe one call: the one with more tokens is kept, below an agent if either
        is. A wrapper around a call can repeat its tokens: it is removed.
        """
        calls = [span for span in self.spans if span.kind == "llm"]
        outer = [next((up for up in self.above(call) if up.kind in {"llm", "agent", "tool"}), None) for call in calls]
        removed = {span.id for span in outer if span is not None and span.kind == "llm"}
        live: list[TraceSpan] = []
        for call in (call for call in calls if call.id not in removed):
            live = [other for other in live[-AT_ONCE:] if other.end > call.start]
            twin = next((other for other in live if other.scope != call.scope and _same(other, call)), None)
            if twin is None:
                live.append(call)
                continue
            weaker, better = sorted((call, twin), key=lambda span: (span.tokens, -span.start))
            removed.add(weaker.id)
            above = list(self.above(weaker))
            if _has_agent(above) and not _has_agent(self.above(better)) and better not in above:
                self.parents[better.id] = self.parents[weaker.id]
            live = [better if other is twin else other for other in live]
        self.spans = [span for span in self.spans if span.id not in removed]
        nearest = {span.id: next((up for up in self.above(span) if up.id not in removed), None) for span in self.spans}
        self.parents = nearest
        return len(removed)


def _same(a: TraceSpan, b: TraceSpan) -> bool:
    shared = min(a.end, b.end) - max(a.start, b.start)
    longer = max(a.end - a.start, b.end - b.start)
    return longer > 0 and shared >= OVERLAP * longer and _family(a.model) == _family(b.model)


def _family(model: str) -> str:
    """A model's name without its provider and version: `openai/gpt-4o-2025-01-31` is `gpt-4o`."""
    return DATED.sub("", model.rpartition("/")[2])


def _has_agent(spans: Iterable[TraceSpan]) -> bool:
    return any(span.kind == "agent" for span in spans)


def _innermost(agents: Sequence[TraceSpan], depths: Mapping[str, int]) -> TraceSpan | None:
    """The deepest agent above which every level has one agent only."""
    levels: dict[int, list[TraceSpan]] = defaultdict(list)
    for agent in agents:
        levels[depths[agent.id]].append(agent)
    alone = takewhile(lambda depth: len(levels[depth]) == 1, sorted(levels))
    return next((levels[depth][0] for depth in reversed(list(alone))), None)
