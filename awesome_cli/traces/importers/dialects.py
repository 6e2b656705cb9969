"""The meaning of span attributes: OpenTelemetry GenAI, OpenInference, and Traceloop with AgentOps.

`gen_ai.operation.name: execute_tool` with `gen_ai.tool.name: oven` is a span of kind `tool` named `oven`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from awesome_cli.traces.importers.foreign import amount, count, langchain_usage, mapping, parsed, text, tokens_of_whole
from awesome_cli.traces.importers.spans import SpanKind, TraceSpan

OPENINFERENCE = "openinference.span.kind"
OPERATION = "gen_ai.operation.name"
TRACELOOP = ("agentops.span.kind", "traceloop.span.kind")
HANDOFF = "handoff to "

KINDS: Mapping[SpanKind, tuple[str, ...]] = {
    "agent": ("invoke_agent", "agent"),
    "llm": ("chat", "text_completion", "generate_content", "completion", "llm"),
    "tool": ("execute_tool", "embeddings", "retrieval", "tool", "retriever", "reranker", "embedding"),
    "guardrail": ("guardrail",),
    "decision": ("plan",),
    # Registration and grouping are not acts of an agent.
    "other": ("create_agent", "invoke_workflow"),
}
"""The names of operations by kind of span, in lower case, from all dialects."""
KIND_OF: Mapping[str, SpanKind] = {word: kind for kind, words in KINDS.items() for word in words}

MARKS = {"openinference": (OPENINFERENCE,), "genai": (OPERATION,), "traceloop": TRACELOOP}
PREFIXES: Mapping[SpanKind, str] = {"agent": "invoke_agent ", "tool": "execute_tool "}

ENTITY = ("traceloop.entity.name", "agentops.entity.name")
TOOL_NAME = ("gen_ai.tool.name", "tool.name")
AGENT_NAME = ("agent.name", "graph.node.id")
NAMES: Mapping[SpanKind, tuple[str, ...]] = {
    "agent": ("gen_ai.agent.name", *AGENT_NAME, "agent.role", *ENTITY),
    "tool": (*TOOL_NAME, *ENTITY),
}
AGENT_ID = ("gen_ai.agent.id", "agent.id")
MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.request.model")
TOKENS = {
    "prompt": ("gen_ai.usage.input_tokens", "llm.token_count.prompt", "gen_ai.usage.prompt_tokens"),
    "cached": (
        "gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read",
        "gen_ai.usage.cache_read_input_tokens",
    ),
    "cache_write": (
        "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_write.input_tokens",
        "llm.token_count.prompt_details.cache_write", "gen_ai.usage.cache_creation_input_tokens",
    ),
    "out": ("gen_ai.usage.output_tokens", "llm.token_count.completion", "gen_ai.usage.completion_tokens"),
    "reasoning": (
        "gen_ai.usage.reasoning.output_tokens", "llm.token_count.completion_details.reasoning",
        "gen_ai.usage.reasoning_tokens", "gen_ai.usage.details.reasoning_tokens",
    ),
}  # fmt: skip
"""Attributes of a model call's tokens. In the GenAI conventions, `input_tokens` includes cache reads and writes, and
`output_tokens` includes reasoning. In OpenInference, the details are also parts of the totals."""
COSTS = ("gen_ai.usage.cost", "llm.cost.total", "gen_ai.usage.total_cost", "awesome.event.cost_usd")
PARTIAL_COSTS = ("gen_ai.usage.input_cost", "gen_ai.usage.output_cost", "llm.cost.prompt", "llm.cost.completion")
CALL_ID = ("gen_ai.tool.call.id", "tool.id", "tool_call.id")
CONTENT_IN = (
    "gen_ai.tool.call.arguments", "gen_ai.tool.args", "input.value", "traceloop.entity.input",
    "agentops.entity.input", "tool.parameters",
)  # fmt: skip
CONTENT_OUT = (
    "gen_ai.tool.call.result", "gen_ai.output.messages", "gen_ai.output", "output.value",
    "traceloop.entity.output", "agentops.entity.output", "gen_ai.completion",
)  # fmt: skip


def dialects_of(spans: Sequence[TraceSpan]) -> str:
    """Return the dialects of a trace, joined by `+`; `plain` if no dialect is recognised."""
    names = {key for span in spans for key in span.attributes}
    return "+".join(name for name, keys in MARKS.items() if not names.isdisjoint(keys)) or "plain"


def read_spans(spans: Sequence[TraceSpan]) -> list[TraceSpan]:
    """Set the fields of all spans of a trace from the attributes of the spans."""
    callers = {span.parent for span in spans}
    naming = {span.scope for span in spans if _names_agents(span)}
    return [_read(span, _kind(span, leaf=span.id not in callers, named=span.scope in naming)) for span in spans]


def _names_agents(span: TraceSpan) -> bool:
    """True if the instrumentation of a span names agents, so that the mark AGENT alone does not prove an agent.

    LangChain's instrumentation marks every run with "agent" in its name; that of OpenAI's SDK marks the whole workflow.
    """
    by_attribute = "langchain" in span.scope or bool(_text(span, AGENT_NAME))
    return by_attribute or any(key.startswith("ls_") for key in _metadata(span))


def _read(span: TraceSpan, kind: SpanKind) -> TraceSpan:
    attributes = span.attributes
    name = span.name.removeprefix(PREFIXES.get(kind, ""))
    costs = [attributes[key] for key in COSTS if key in attributes][:1] or map(attributes.get, PARTIAL_COSTS)
    counts = {part: count(first(attributes, keys)) for part, keys in TOKENS.items()}
    # If the attributes have no tokens, LangChain's output can have them.
    used = tokens_of_whole(**counts) if any(counts.values()) else langchain_usage(attributes.get("output.value"))
    error_type = text(attributes.get("error.type") or attributes.get("exception.type"))
    handoff = kind == "handoff"
    return replace(
        span,
        kind=kind,
        # The span of an agent can be named `baker.run`.
        name=_text(span, NAMES.get(kind, ())) or (kind == "agent" and name.removesuffix(".run")) or name,
        agent_id=_text(span, AGENT_ID) if kind == "agent" else "",
        agent=_text(span, ("gen_ai.agent.name", "agent.name")) if kind != "agent" else "",
        target=span.name[len(HANDOFF) :] or _text(span, ("output.value",)) if handoff else "",
        model=_text(span, MODEL),
        usage=used | {"cost_usd": sum(map(amount, costs))},
        call_id=_text(span, CALL_ID),
        status="error" if error_type else span.status,
        error_type=error_type,
        # The values of a hand-off are the names of the two agents.
        content_in=None if handoff else first(attributes, CONTENT_IN),
        content_out=None if handoff else first(attributes, CONTENT_OUT),
    )


def _kind(span: TraceSpan, *, leaf: bool, named: bool) -> SpanKind:
    """Return the kind of a span; if a span has several dialects, the most exact dialect decides.

    If `named` (see `_names_agents`), only spans with the name of an agent are agents. A span with an unknown operation
    is a model call if it has tokens and a model, and no span is below it (`leaf`).
    """
    mark = _text(span, (OPENINFERENCE, OPERATION, *TRACELOOP)).casefold()
    kind = KIND_OF.get(mark, "other")
    if OPENINFERENCE in span.attributes:
        if mark == "tool" and span.name.casefold().startswith(HANDOFF):
            return "handoff"
        if mark in {"agent", "chain"} and _metadata(span).get("lc_agent_name") == span.name:
            return "agent"
        unmarked = mark == "agent" and named and not _text(span, AGENT_NAME) and span.name != "AgentExecutor"
    else:
        unmarked = not mark or (OPERATION in span.attributes and mark not in KIND_OF)
    if not unmarked:
        return "other" if mark == "plan" and not leaf else kind
    if _text(span, TOOL_NAME):
        return "tool"
    used = any(count(first(span.attributes, TOKENS[part])) for part in ("prompt", "out"))
    return "llm" if leaf and used and _text(span, MODEL) else "other"


def _metadata(span: TraceSpan) -> Mapping[str, object]:
    return mapping(parsed(span.attributes.get("metadata")))


def _text(span: TraceSpan, keys: Sequence[str]) -> str:
    return text(first(span.attributes, keys))


def first(attributes: Mapping[str, object], keys: Sequence[str]) -> object:
    """Return the first attribute value that is not empty, in the order of `keys`; None if all values are empty."""
    return next((attributes[key] for key in keys if attributes.get(key) not in (None, "")), None)
