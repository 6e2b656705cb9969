"""Spans of any format, and their tree. The importer of a format decides what kind each span has."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

SpanKind = Literal["agent", "llm", "tool", "handoff", "guardrail", "decision", "other"]

OVERLAP = 0.9
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
    """An OpenTelemetry span before its attributes are read: ids as hex text, times in microseconds."""

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


class Tree:
    """Spans by id, with their parents."""

    def __init__(self, spans: Iterable[TraceSpan]) -> None:
        self.spans = sorted({span.id: span for span in spans}.values(), key=lambda s: (s.start, -s.end, s.id))
        self.by_id = {span.id: span for span in self.spans}
        self.parents = {span.id: self.by_id.get(span.parent) for span in self.spans}

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
    calls = [span for span in tree.spans if span.kind == "llm"]
    around: dict[str, TraceSpan] = {}
    for call in calls:
        outer = next((up for up in tree.above(call) if up.kind in {"llm", "agent", "tool"}), None)
        if outer is not None and outer.kind == "llm":
            around[outer.id] = outer
    dropped = set(around)
    live: list[TraceSpan] = []
    for call in (c for c in calls if c.id not in dropped):
        live = [other for other in live[-AT_ONCE:] if other.end > call.start]
        duplicate = next((o for o in live if o.scope != call.scope and _same(o, call)), None)
        if duplicate is None:
            live.append(call)
            continue
        weaker = call if (duplicate.tokens, -duplicate.start) >= (call.tokens, -call.start) else duplicate
        dropped.add(weaker.id)
        if weaker is duplicate:
            live.remove(duplicate)
            live.append(call)
    # Children of a dropped span move to its nearest ancestor that stays.
    kept = []
    for span in tree.spans:
        if span.id in dropped:
            continue
        up = next((u for u in tree.above(span) if u.id not in dropped), None)
        kept.append(span if up is None or up.id == span.parent else replace(span, parent=up.id))
    return kept


def _same(a: TraceSpan, b: TraceSpan) -> bool:
    shared = min(a.end, b.end) - max(a.start, b.start)
    longer = max(a.end - a.start, b.end - b.start)
    return longer > 0 and shared >= OVERLAP * longer and a.model.rpartition("/")[2] == b.model.rpartition("/")[2]
