"""The fields of traces in v1 and v2 as JSON Schema: what each means, which are required, and which values are valid.

`schema_check` checks values against the same tables.
"""

from collections.abc import Collection, Mapping
from typing import Any

from awesome_cli.traces import model

JsonSchema = dict[str, Any]
Fields = Mapping[str, tuple[JsonSchema, str]]
"""The schema of every known field and its description, by name."""


def one_of(choices: Collection[str]) -> JsonSchema:
    return {"type": "string", "enum": [*choices]}


def array_of(items: JsonSchema, **more: Any) -> JsonSchema:
    return {"type": "array", "items": items, **more}


def table_of(values: JsonSchema) -> JsonSchema:
    """An object whose values are all of one kind."""
    return {"type": "object", "additionalProperties": values}


def costs(unknown: JsonSchema) -> JsonSchema:
    """The object of costs; a cost with an unknown name has the kind `unknown`."""
    known = dict.fromkeys(("tokens", "wall_clock_s", "tool_calls", "messages"), AMOUNT)
    required = ["tokens", "wall_clock_s"]
    return {"type": "object", "required": required, "properties": known, "additionalProperties": unknown}


TEXT: JsonSchema = {"type": "string"}
NAME: JsonSchema = {"type": "string", "minLength": 1}
FLAG: JsonSchema = {"type": "boolean"}
NUMBER: JsonSchema = {"type": "number"}
AMOUNT: JsonSchema = {"type": "number", "minimum": 0}
NATURAL: JsonSchema = {"type": "integer", "minimum": 0}
OBJECT: JsonSchema = {"type": "object"}
VERSION: JsonSchema = {"type": "string", "pattern": r"^2\.[0-9]+$"}
HASH: JsonSchema = {"type": "string", "pattern": "^[a-z0-9]+:[0-9a-f]{8,128}$"}
NAMES = array_of(NAME, uniqueItems=True)
NUMBERS = table_of(NUMBER)
DELIVERY = one_of(("next_event", "explicit"))
EVENT_1: Fields = {
    "id": (NAME, "Unique in the trace."),
    "t": (AMOUNT, "When it happened or began."),
    "type": (one_of(model.EVENT_TYPES_1), "What happened."),
    "agent": (NAME, "Who did it."),
    "role": (TEXT, "The agent's role in the run."),
    "from": (TEXT, "The sender of a message; equals agent."),
    "to": (TEXT, "Who is spawned, told, or returned to. A message without it is a broadcast."),
    "tool": (TEXT, "The tool called or answering."),
    "content_ref": (TEXT, "Where the content is, or its hash; the content itself stays out of the trace."),
    "trusted": (FLAG, "Whether the content may be trusted; false taints what follows."),
}
EVENT_2: Fields = {
    **EVENT_1,
    "type": (one_of(model.EVENT_TYPES), "What happened."),
    "seq": (NATURAL, "The producer's own order; decides between events at the same time."),
    "t_end": (AMOUNT, "When it ended; without it the event is an instant."),
    "call_id": (NAME, "Ties a tool's result to its call; without it the oldest open call of the tool is answered."),
    "task_ref": (NAME, "Names a sub-task, so that its return can be told from others."),
    "subtask": (NAME, "The piece of the task that is assigned; pieces assigned twice or never are counted."),
    "parent": (NAME, "The event whose interval contains this one; a parent's interval does not count as work."),
    "model": (TEXT, "The model that answered."),
    "purpose": (TEXT, "llm_call: what it was for if not the task, such as compaction."),
    "mode": (one_of(("return_to_caller", "pass_control")), "delegate: the caller waits, or hands over control."),
    "scope": (one_of(("trace", "agent")), "stop: the whole trace (default), or this agent."),
    "reason": (one_of(model.STOP_REASONS), "stop: why."),
    "status": (one_of(model.STATUSES), "How it ended."),
    "error_type": (TEXT, "What kind of error it was."),
    "source": (TEXT, "The place of the event in the imported log, such as the id of the call that made it."),
    "content_hash": (HASH, "A hash of the content, so that copies can be counted without it."),
    "inputs": (NAMES, "Ids of the events that this one used: exactly these returns are read."),
    "delivery": (DELIVERY, "return: read by the receiver's next event (default), or only where inputs names it."),
    "read": (FLAG, "return: the log says that it was read, though by which event is unknown."),
    "steps": (NATURAL, "How many model calls this event represents."),
    "attempts": (NATURAL, "How many requests the model call took, retries included."),
    "tokens_in": (NATURAL, "Prompt tokens, cached ones included."),
    "tokens_out": (NATURAL, "Completion tokens."),
    "tokens_cached": (NATURAL, "Prompt tokens read from a cache, part of tokens_in."),
    "tokens_cache_write": (NATURAL, "Prompt tokens written to a cache, part of tokens_in."),
    "tokens_reasoning": (NATURAL, "Completion tokens of reasoning, part of tokens_out."),
    "waits": (FLAG, "Whether the interval of a call is only waiting for other agents, and so no work."),
    "targets": (NAMES, "A call that waits: the agents that it waits for."),
    "tokens_partial": (FLAG, "Whether the log lacks part of the usage: the tokens are a lower bound."),
    "cost_usd": (AMOUNT, "What it cost."),
    "reward": (NUMBERS, "reward: value by channel."),
    "correct": (FLAG, "Whether a return or result was right."),
    "sanitized": (FLAG, "The content was cleaned here; taint ends."),
    "inferred": (FLAG, "An importer made this up to fill a gap of the source."),
}
EDGE_1: Fields = {"src": (NAME, ""), "dst": (NAME, ""), "type": (one_of(model.EDGE_TYPES_1), "")}
EDGE_2: Fields = {**EDGE_1, "type": (one_of(model.EDGE_TYPES), ""), "inferred": (FLAG, "")}
KIND = one_of(("llm", "tool", "human", "environment"))
AGENT = OBJECT | {"properties": {"kind": KIND, "role": TEXT, "model": TEXT, "privileges": array_of(TEXT)}}
TOOL = OBJECT | {"properties": dict.fromkeys(("privileged", "side_effect", "output_trusted"), FLAG)}
TRACE_1: Fields = {
    "trace_id": (NAME, "The run."),
    "task_id": (NAME, "The task that the run works on; rollouts of one task share it."),
    "system": (TEXT, "What ran."),
    "topology": (one_of(model.TOPOLOGIES), "How the agents are organised."),
    "events": (array_of({"$ref": "#/$defs/event"}, minItems=1), "The events, in any order: time and seq decide."),
    "edges": (array_of({"$ref": "#/$defs/edge"}), "Which event led to which."),
    "rewards": (NUMBERS, "One number per reward channel; the channel is named after a reward family or a credit unit."),
    "costs": (costs(NUMBER), ""),
    "metrics": (NUMBERS, "Metrics that the producer declares; a checker recomputes them and reports differences."),
}
PROVENANCE = (
    "Where the trace comes from: format, file, file_sha256, companions, importer, lossy (what was lost), "
    "unrecorded (what the format cannot say), inferred (counts)."
)
TRACE_2: Fields = {
    **TRACE_1,
    "events": (array_of({"$ref": "#/$defs/event2"}, minItems=1), TRACE_1["events"][1]),
    "edges": (array_of({"$ref": "#/$defs/edge2"}), TRACE_1["edges"][1]),
    "costs": (costs(AMOUNT), ""),
    "schema_version": (VERSION, "The version of this format; version 1 has no such field."),
    "time_unit": (one_of(model.TIME_UNITS), "The unit of t and t_end; without it only ratios are computed."),
    "root_agents": (NAMES, "The agents that run from the start. Without it: the first agent that no event spawns."),
    "agents": (table_of(AGENT), "Agents by id; declare tools, people and environments that act, by kind."),
    "tools": (table_of(TOOL), "Tools by name."),
    "rollout": (OBJECT, "The place of the run in training: group_id, sample, policy_version, seed, train_step."),
    "baseline": (NUMBERS, "The single-agent run to compare with: turns, tokens, success, errors."),
    "provenance": (OBJECT, PROVENANCE),
    "annotations": (OBJECT, "Anything else, by people or programs."),
    "answer_available_at": (AMOUNT, "When the final answer could have been given; what follows is overrun."),
}
TRACE_REQUIRED = ("trace_id", "task_id", "events", "edges", "rewards", "costs")
EVENT_REQUIRED = ("id", "t", "type", "agent")
REQUIRED_BY_TYPE: Mapping[str, str] = {"delegate": "to", "stop": "reason", "reward": "reward"}


def object_of(fields: Fields, required: Collection[str], *, closed: bool = False, prefix: str = "") -> JsonSchema:
    """An object; if `closed`, it may only have known fields and fields that begin with `prefix`."""
    known = {k: kind | ({"description": text} if text else {}) for k, (kind, text) in fields.items()}
    schema = {"type": "object", "required": [*required], "additionalProperties": not closed, "properties": known}
    return schema | ({"patternProperties": {f"^{prefix}": True}} if prefix else {})


BY_TYPE = [
    {"if": {"properties": {"type": {"enum": [name]}}, "required": ["type"]}, "then": {"required": [needed]}}
    for name, needed in REQUIRED_BY_TYPE.items()
]
DEFINITIONS: Mapping[str, JsonSchema] = {
    "trace1": object_of(TRACE_1, TRACE_REQUIRED, closed=True),
    "trace2": object_of(TRACE_2, ("schema_version", *TRACE_REQUIRED), closed=True, prefix="x-"),
    "event": object_of(EVENT_1, EVENT_REQUIRED),
    "edge": object_of(EDGE_1, EDGE_1, closed=True),
    "event2": object_of(EVENT_2, EVENT_REQUIRED) | {"allOf": BY_TYPE},
    "edge2": object_of(EDGE_2, EDGE_1, closed=True),
}
ITEMS = {1: {"events": "event", "edges": "edge"}, 2: {"events": "event2", "edges": "edge2"}}
"""The definition of the items of each array, by version."""


def json_schema() -> JsonSchema:
    """The JSON Schema (2020-12) of a trace, version 1 or 2."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Orchestration trace, version 1 or 2",
        "description": "A multi-agent run as events and edges. Version 2 is chosen by the presence of schema_version. "
        "The rules that a schema cannot say are listed by 'awesome explain' under the codes TP, TG, TR, TW and TC.",
        "type": "object",
        "if": {"required": ["schema_version"]},
        "then": {"$ref": "#/$defs/trace2"},
        "else": {"$ref": "#/$defs/trace1"},
        "$defs": DEFINITIONS,
    }
