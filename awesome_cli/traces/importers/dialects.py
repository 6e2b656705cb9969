"""What span attributes mean: OpenTelemetry GenAI, OpenInference, and Traceloop with AgentOps."""

from collections.abc import Mapping, Sequence
from typing import Any

from awesome_cli.traces.importers.foreign import amount, count, langchain_usage, mapping, parsed, text, tokens_of_whole
from awesome_cli.traces.importers.spans import RawSpan, SpanKind, TraceSpan

OPENINFERENCE = "openinference.span.kind"
OPERATION = "gen_ai.operation.name"
TRACELOOP = ("agentops.span.kind", "traceloop.span.kind")
HANDOFF = "handoff to "

GENAI_KINDS: Mapping[str, SpanKind] = {
    "chat": "llm",
    "text_completion": "llm",
    "generate_content": "llm",
    "completion": "llm",
    "execute_tool": "tool",
    "embeddings": "tool",
    "retrieval": "tool",
    "invoke_agent": "agent",
    "plan": "decision",
    # Registration and grouping are not acts of an agent.
    "create_agent": "other",
    "invoke_workflow": "other",
}
OPENINFERENCE_KINDS: Mapping[str, SpanKind] = {
    "AGENT": "agent",
    "LLM": "llm",
    "TOOL": "tool",
    "RETRIEVER": "tool",
    "RERANKER": "tool",
    "EMBEDDING": "tool",
    "GUARDRAIL": "guardrail",
}
TRACELOOP_KINDS: Mapping[str, SpanKind] = {"agent": "agent", "tool": "tool", "llm": "llm", "guardrail": "guardrail"}

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
        "gen_ai.usage.reasoning_tokens",
    ),
}  # fmt: skip
"""Tokens of a model call. By the GenAI conventions `input_tokens` includes the tokens read from and written to a cache,
and `output_tokens` those of reasoning; OpenInference's details are parts of its totals too."""
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


def dialects_of(raws: Sequence[RawSpan]) -> str:
    """The dialects of a trace, joined by `+`; `plain` if there is none."""
    present = (name for name, keys in MARKS.items() if any(key in raw.attributes for raw in raws for key in keys))
    return "+".join(present) or "plain"


def read_spans(raws: Sequence[RawSpan]) -> list[TraceSpan]:
    """Read the attributes of all spans of a trace."""
    callers = {raw.parent for raw in raws}
    naming = {raw.scope for raw in raws if _names_agents(raw)}
    return [_span(raw, leaf=raw.id not in callers, named=raw.scope in naming) for raw in raws]


def _names_agents(raw: RawSpan) -> bool:
    """True if the instrumentation of a span tells agents by more than the mark AGENT.

    LangChain's marks every run with "agent" in its name, that of OpenAI's SDK the whole workflow.
    """
    named = "langchain" in raw.scope or _text(raw.attributes, AGENT_NAME)
    return bool(named) or any(key.startswith("ls_") for key in _metadata(raw))


def _span(raw: RawSpan, *, leaf: bool, named: bool) -> TraceSpan:
    attributes = raw.attributes
    kind = _kind(raw, leaf=leaf, named=named)
    cost = next(
        (amount(attributes[key]) for key in COSTS if key in attributes),
        sum(amount(attributes.get(key)) for key in PARTIAL_COSTS),
    )
    error_type = text(attributes.get("error.type") or attributes.get("exception.type"))
    handoff = kind == "handoff"
    return TraceSpan(
        id=raw.id,
        parent=raw.parent,
        kind=kind,
        name=_text(attributes, NAMES.get(kind, ())) or _own_name(raw, kind),
        start=raw.start,
        end=raw.end,
        scope=raw.scope,
        agent_id=_text(attributes, AGENT_ID) if kind == "agent" else "",
        target=raw.name[len(HANDOFF) :] or _text(attributes, ("output.value",)) if handoff else "",
        model=_text(attributes, MODEL),
        usage=_usage(attributes) | {"cost_usd": cost},
        call_id=_text(attributes, CALL_ID),
        status="error" if error_type else raw.status,
        error_type=error_type,
        # The values of a hand-off are the names of the two agents.
        content_in=None if handoff else _first(attributes, CONTENT_IN),
        content_out=None if handoff else _first(attributes, CONTENT_OUT),
    )


def _own_name(raw: RawSpan, kind: SpanKind) -> str:
    """The name of the agent or tool in a span's own name: `invoke_agent baker` and `baker.run` are `baker`."""
    name = raw.name.removeprefix(PREFIXES.get(kind, ""))
    return name.removesuffix(".run") or name if kind == "agent" else name


def _kind(raw: RawSpan, *, leaf: bool, named: bool) -> SpanKind:
    """The kind of a span. Of several dialects, the most exact one decides."""
    attributes = raw.attributes
    mark = _text(attributes, TRACELOOP).casefold()
    kind: SpanKind | None = TRACELOOP_KINDS.get(mark, "other") if mark else None
    if OPENINFERENCE in attributes:
        kind = _openinference_kind(raw, named=named)
    elif OPERATION in attributes:
        operation = text(attributes[OPERATION])
        kind = "other" if operation == "plan" and not leaf else GENAI_KINDS.get(operation)
    return kind or _unmarked_kind(attributes, leaf=leaf)


def _openinference_kind(raw: RawSpan, *, named: bool) -> SpanKind | None:
    """The kind by OpenInference; `named` agents have a name attribute, and others with the mark AGENT are no agents."""
    mark = text(raw.attributes[OPENINFERENCE]).upper()
    if mark == "TOOL" and raw.name.casefold().startswith(HANDOFF):
        return "handoff"
    if mark in {"AGENT", "CHAIN"} and _metadata(raw).get("lc_agent_name") == raw.name:
        return "agent"
    if mark == "AGENT" and named:
        return "agent" if _text(raw.attributes, AGENT_NAME) or raw.name == "AgentExecutor" else None
    return OPENINFERENCE_KINDS.get(mark, "other")


def _unmarked_kind(attributes: Mapping[str, object], *, leaf: bool) -> SpanKind:
    """Without a known mark, a span with tokens and a model and no span below it is a model call."""
    if _text(attributes, TOOL_NAME):
        return "tool"
    used = _count(attributes, TOKENS["prompt"]) + _count(attributes, TOKENS["out"])
    return "llm" if leaf and used and _text(attributes, MODEL) else "other"


def _usage(attributes: Mapping[str, object]) -> dict[str, Any]:
    """Tokens by the attributes; without any, those that LangChain keeps in the output."""
    counts = {part: _count(attributes, keys) for part, keys in TOKENS.items()}
    return tokens_of_whole(**counts) if any(counts.values()) else langchain_usage(attributes.get("output.value"))


def _metadata(raw: RawSpan) -> Mapping[str, object]:
    return mapping(parsed(raw.attributes.get("metadata")))


def _text(attributes: Mapping[str, object], keys: Sequence[str]) -> str:
    return text(_first(attributes, keys))


def _count(attributes: Mapping[str, object], keys: Sequence[str]) -> int:
    return count(_first(attributes, keys))


def _first(attributes: Mapping[str, object], keys: Sequence[str]) -> object:
    """The value of the first of some attributes that is not empty."""
    return next((attributes[key] for key in keys if attributes.get(key) not in (None, "")), None)
