"""Spans of any format, and the tree that they form. An importer says what each span is (`TraceSpan.kind`)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

SpanKind = Literal["agent", "llm", "tool", "handoff", "guardrail", "decision", "other"]

OVERLAP = 0.9


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One span; times in microseconds since 1970.

    `name` is the agent's, the tool's or the handing agent's name, `target` the agent that a hand-off names, `agent_id`
    an identity that several runs of one agent share.
    """

    id: str
    parent: str
    kind: SpanKind
    name: str
    start: int
    end: int
    title: str = ""
    scope: str = ""
    agent_id: str = ""
    target: str = ""
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float = 0.0
    call_id: str = ""
    status: str = ""
    error_type: str = ""
    content_in: object = None
    content_out: object = None

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


class Tree:
    """Spans by id, with parents; a span that is its own ancestor has none."""

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
    """The spans without the second description of one model call.

    Two instrumentations (scopes) describe one call, or a wrapper carries the tokens of the call inside it once more.
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
        live = [other for other in live if other.end > call.start]
        twin = next((o for o in live if o.scope != call.scope and _same(o, call)), None)
        if twin is None:
            live.append(call)
            continue
        weaker = call if (twin.tokens, -twin.start) >= (call.tokens, -call.start) else twin
        dropped.add(weaker.id)
        if weaker is twin:
            live.remove(twin)
            live.append(call)
    # What hung below a dropped span hangs below the nearest that stays.
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
    return longer > 0 and shared >= OVERLAP * longer and _model(a) == _model(b)


def _model(span: TraceSpan) -> str:
    return span.model.rpartition("/")[2]
