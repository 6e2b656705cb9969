"""The fields of traces in v1 and v2: what each means, which are required, and which values are valid.

A `Kind` of value has a check, which returns `None` for a valid value, else the broken rule; a JSON Schema; and, for
scalars, a type that decodes it fast. So one table gives the checks, the published schema and the fast decoding.
"""

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import GenericAlias
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import UNSET, Meta, UnsetType, ValidationError, convert, defstruct

from awesome_cli.traces import model, rules
from awesome_cli.traces.model import Version
from awesome_cli.traces.rules import RuleMessage, TraceFinding

INFINITY = float("inf")
GREATEST = sys.float_info.max
Validator = Callable[[Any], RuleMessage | None]
JsonSchema = dict[str, Any]
JSON_TYPES = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


class Kind(NamedTuple):
    """A kind of value. The type `decoded` accepts no value that `check` refuses; without it only the check can tell."""

    check: Validator
    schema: JsonSchema
    decoded: Any = None


Fields = Mapping[str, tuple[Kind, str]]
"""The kind of every known field and its description, by name."""


def kind(decoded: Any = None, **schema: Any) -> Callable[[Validator], Kind]:
    """Make a kind of the function that checks its values."""
    return lambda check: Kind(check, schema, decoded)


def json_type(value: object) -> str:
    return JSON_TYPES.get(type(value), type(value).__name__)


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def wrong_type(value: object, wanted: str) -> RuleMessage:
    """The finding for a value that is not of the type `wanted`."""
    return rules.WRONG_TYPE, f"is {json_type(value)}, not {wanted}"


@kind(str, type="string")
def text(value: Any) -> RuleMessage | None:
    """A string."""
    return None if type(value) is str else wrong_type(value, "a string")


@kind(Annotated[str, Meta(min_length=1)], type="string", minLength=1)
def name(value: Any) -> RuleMessage | None:
    """A string that is not empty."""
    if type(value) is not str:
        return wrong_type(value, "a string")
    return None if value else (rules.EMPTY, "is empty")


@kind(bool, type="boolean")
def flag(value: Any) -> RuleMessage | None:
    """A boolean."""
    return None if type(value) is bool else wrong_type(value, "a boolean")


@kind(type="number")
def number(value: Any) -> RuleMessage | None:
    """A finite number; a boolean is not a number."""
    if type(value) is not int and type(value) is not float:
        return wrong_type(value, "a number")
    return None if -INFINITY < value < INFINITY else (rules.NOT_A_NUMBER, "is not a finite number")


@kind(Annotated[float, Meta(ge=0, le=GREATEST)], type="number", minimum=0)
def amount(value: Any) -> RuleMessage | None:
    """A finite number, at least 0."""
    if (type(value) is int or type(value) is float) and 0 <= value < INFINITY:
        return None
    return number.check(value) or (rules.BELOW_MINIMUM, f"is {value}, below 0")


@kind(Annotated[int, Meta(ge=0)], type="integer", minimum=0)
def natural(value: Any) -> RuleMessage | None:
    """A whole number, at least 0; 3.0 is a whole number, as in JSON Schema, and is left to the check."""
    if type(value) is int and value >= 0:
        return None
    if type(value) is float and not value.is_integer():
        return rules.WRONG_TYPE, f"is {value}, not a whole number"
    return amount.check(value)


def one_of(choices: Collection[str]) -> Kind:
    """A string that is one of `choices`."""
    words = frozenset(choices)
    listing = ", ".join(choices)

    @kind(Literal[tuple(choices)], type="string", enum=[*choices])
    def check(value: Any) -> RuleMessage | None:
        if type(value) is not str:
            return rules.UNKNOWN_WORD, wrong_type(value, "a string")[1]
        return None if value in words else (rules.UNKNOWN_WORD, f"is {value!r}, not one of {listing}")

    return check


def matching(pattern: str, example: str) -> Kind:
    """A string that the regular expression matches as a whole; `example` is for the message."""
    compiled = re.compile(pattern)

    @kind(Annotated[str, Meta(pattern=rf"^(?:{pattern})\Z")], type="string", pattern=f"^{pattern}$")
    def check(value: Any) -> RuleMessage | None:
        if type(value) is not str:
            return wrong_type(value, "a string")
        return None if compiled.fullmatch(value) else (rules.WRONG_FORM, f"is {value!r}, not like {example}")

    return check


def array_of(items: Kind, **more: Any) -> Kind:
    """An array of values of one kind; `more` of its schema can say that they are all different (`uniqueItems`)."""
    different = "uniqueItems" in more

    @kind(type="array", items=items.schema, **more)
    def check(value: Any) -> RuleMessage | None:
        if type(value) is not list:
            return wrong_type(value, "an array")
        for i, item in enumerate(value):
            if found := items.check(item):
                return found[0], f"item {i} {found[1]}"
        return (rules.REPEATED_NAME, "contains a name twice") if different and len(set(value)) < len(value) else None

    return check


names = array_of(name, uniqueItems=True)
texts = array_of(text)


def object_of(fields: Mapping[str, Kind], *, required: Collection[str] = (), others: Kind | None = None) -> Kind:
    """An object: values of `fields` and, if given, of all `others` are of their kinds."""
    schema: JsonSchema = {"required": [*required]} if required else {}
    schema |= {"properties": {key: field.schema for key, field in fields.items()}} if fields else {}
    schema |= {"additionalProperties": others.schema} if others else {}

    @kind(type="object", **schema)
    def check(value: Any) -> RuleMessage | None:
        if type(value) is not dict:
            return wrong_type(value, "an object")
        for key in required:
            if key not in value:
                return rules.MISSING_FIELD, f"has no {key!r}"
        for key, item in value.items():
            expected = fields.get(key, others)
            if expected is not None and (found := expected.check(item)):
                return found[0], f"{key!r} {found[1]}"
        return None

    return check


mapping = object_of({})


def table_of(values: Kind) -> Kind:
    """An object whose values are all of one kind."""
    return object_of({}, others=values)


def costs(others: Kind) -> Kind:
    """The costs: `tokens` and `wall_clock_s` are required; costs of unknown names are of the kind `others`."""
    known = dict.fromkeys(("tokens", "wall_clock_s", "tool_calls", "messages"), amount)
    return object_of(known, required=("tokens", "wall_clock_s"), others=others)


def items(definition: str, **more: Any) -> Kind:
    """An array of events or edges, which are checked one by one."""
    check = array_of(Kind(lambda _: None, {"$ref": f"#/$defs/{definition}"})).check
    return Kind(check, {"type": "array", **more, "items": {"$ref": f"#/$defs/{definition}"}})


NUMBERS = table_of(number)
EVENT_1: Fields = {
    "id": (name, "Unique in the trace."),
    "t": (amount, "When it happened or began."),
    "type": (one_of(model.EVENT_TYPES_1), "What happened."),
    "agent": (name, "Who did it."),
    "role": (text, "The agent's role in the run."),
    "from": (text, "The sender of a message; equals agent."),
    "to": (text, "Who is spawned, told, or returned to. A message without it is a broadcast."),
    "tool": (text, "The tool called or answering."),
    "content_ref": (text, "Where the content is, or its hash; the content itself stays out of the trace."),
    "trusted": (flag, "Whether the content may be trusted; false taints what follows."),
}
EVENT_2: Fields = {
    **EVENT_1,
    "type": (one_of(model.EVENT_TYPES), "What happened."),
    "seq": (natural, "The producer's own order; decides between events at the same time."),
    "t_end": (amount, "When it ended; without it the event is an instant."),
    "call_id": (name, "Ties a tool's result to its call; without it the oldest open call of the tool is answered."),
    "task_ref": (name, "Names a sub-task, so that its return can be told from others."),
    "subtask": (name, "The piece of the task that is assigned; pieces assigned twice or never are counted."),
    "parent": (name, "The event whose interval contains this one; a parent's interval is no work of its own."),
    "model": (text, "The model that answered."),
    "purpose": (text, "llm_call: what it was for if not the task, such as compaction."),
    "mode": (one_of(("return_to_caller", "pass_control")), "delegate: the caller waits, or hands over control."),
    "scope": (one_of(("trace", "agent")), "stop: the whole trace (default), or this agent."),
    "reason": (one_of(model.STOP_REASONS), "stop: why."),
    "status": (one_of(model.STATUSES), "How it ended."),
    "error_type": (text, "What kind of error it was."),
    "source": (text, "The place of the event in the imported log, such as the id of the call that made it."),
    "content_hash": (
        matching(r"[a-z0-9]+:[0-9a-f]{8,128}", "sha256:0123abcd"),
        "A hash of the content, so that copies can be counted without it.",
    ),
    "inputs": (names, "Ids of the events that this one used: exactly these returns are read."),
    "delivery": (
        one_of(("next_event", "explicit")),
        "return: read by the receiver's next event (default), or only where inputs names it.",
    ),
    "read": (flag, "return: the log says that it was read, though by which event is unknown."),
    "steps": (natural, "How many model calls this event represents."),
    "attempts": (natural, "How many requests the model call took, retries included."),
    "tokens_in": (natural, "Prompt tokens, cached ones included."),
    "tokens_out": (natural, "Completion tokens."),
    "tokens_cached": (natural, "Prompt tokens read from a cache, part of tokens_in."),
    "tokens_cache_write": (natural, "Prompt tokens written to a cache, part of tokens_in."),
    "tokens_reasoning": (natural, "Completion tokens of reasoning, part of tokens_out."),
    "waits": (flag, "Whether the interval of a call is only waiting for other agents, and so no work."),
    "targets": (names, "A call that waits: the agents that it waits for."),
    "tokens_partial": (flag, "Whether the log lacks part of the usage: the tokens are a lower bound."),
    "cost_usd": (amount, "What it cost."),
    "reward": (NUMBERS, "reward: value by channel."),
    "correct": (flag, "Whether a return or result was right."),
    "sanitized": (flag, "The content was cleaned here; taint ends."),
    "inferred": (flag, "An importer made this up to fill a gap of the source."),
}
EDGE_1: Fields = {"src": (name, ""), "dst": (name, ""), "type": (one_of(model.EDGE_TYPES_1), "")}
EDGE_2: Fields = {**EDGE_1, "type": (one_of(model.EDGE_TYPES), ""), "inferred": (flag, "")}
AGENT = {"kind": one_of(("llm", "tool", "human", "environment")), "role": text, "model": text, "privileges": texts}
TOOL = dict.fromkeys(("privileged", "side_effect", "output_trusted"), flag)
TRACE_1: Fields = {
    "trace_id": (name, "The run."),
    "task_id": (name, "The task that the run works on; rollouts of one task share it."),
    "system": (text, "What ran."),
    "topology": (one_of(model.TOPOLOGIES), "How the agents are organised."),
    "events": (items("event", minItems=1), "The events, in any order: time and seq decide."),
    "edges": (items("edge"), "Which event led to which."),
    "rewards": (NUMBERS, "One number per reward channel; the channel is named after a reward family or a credit unit."),
    "costs": (costs(number), ""),
    "metrics": (NUMBERS, "Metrics that the producer declares; a checker recomputes them and reports differences."),
}
PROVENANCE = (
    "Where the trace comes from: format, file, file_sha256, companions, importer, lossy (what was lost), "
    "unrecorded (what the format cannot say), inferred (counts)."
)
TRACE_2: Fields = {
    **TRACE_1,
    "events": (items("event2", minItems=1), TRACE_1["events"][1]),
    "edges": (items("edge2"), TRACE_1["edges"][1]),
    "costs": (costs(amount), ""),
    "schema_version": (matching(r"2\.[0-9]+", "2.0"), "The version of this format; version 1 has no such field."),
    "time_unit": (one_of(model.TIME_UNITS), "The unit of t and t_end; without it only ratios are computed."),
    "root_agents": (names, "The agents that run from the start. Without it: the first agent that no event spawns."),
    "agents": (table_of(object_of(AGENT)), "Agents by id; declare tools, people and environments that act, by kind."),
    "tools": (table_of(object_of(TOOL)), "Tools by name."),
    "rollout": (mapping, "The place of the run in training: group_id, sample, policy_version, seed, train_step."),
    "baseline": (NUMBERS, "The single-agent run to compare with: turns, tokens, success, errors."),
    "provenance": (mapping, PROVENANCE),
    "annotations": (mapping, "Anything else, by people or programs."),
    "answer_available_at": (amount, "When the final answer could have been given; what follows is overrun."),
}
TRACE_REQUIRED = ("trace_id", "task_id", "events", "edges", "rewards", "costs")
EVENT_REQUIRED = ("id", "t", "type", "agent")
EDGE_REQUIRED = ("src", "dst", "type")
REQUIRED_BY_TYPE: Mapping[str, str] = {"delegate": "to", "stop": "reason", "reward": "reward"}


@dataclass(frozen=True)
class ObjectShape:
    """The fields of a trace, an event or an edge in one version.

    `required` fields must be there. A `closed` object, named by its noun, has no fields but the known ones and those
    that begin with `prefix`. `required_by_type` maps a type of event to the one more field that it requires.
    """

    fields: Fields
    required: tuple[str, ...]
    closed: str = ""
    prefix: str = ""
    required_by_type: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def decoded(self) -> Any:
        """The type of an array of such objects; what it accepts has no findings, but for `required_by_type`."""
        known = {key: value.decoded or checked(value.check) for key, (value, _) in self.fields.items()}
        fields = [(k, t) if k in self.required else (k, t | UnsetType, UNSET) for k, t in known.items()]
        item = defstruct("Decoded", fields, kw_only=True, gc=False, forbid_unknown_fields=bool(self.closed))
        return GenericAlias(list, item)

    def fit(self, items: list[Any]) -> bool:
        """True if `findings` would be empty for each item; much faster, because nearly all objects are valid."""
        try:
            convert(items, self.decoded, dec_hook=decode_checked)
        except ValidationError:
            return False
        needed = self.required_by_type
        return not any(item["type"] in needed and needed[item["type"]] not in item for item in items)

    def findings(self, item: Any, pointer: str) -> Iterator[TraceFinding]:
        """Everything wrong with the object at `pointer`."""
        if type(item) is not dict:
            yield TraceFinding(*wrong_type(item, "an object"), pointer)
            return
        missing = (key for key in self.required if key not in item)
        yield from (TraceFinding(rules.MISSING_FIELD, f"has no {key!r}", pointer) for key in missing)
        for key, value in item.items():
            if key in self.fields:
                if broken := self.fields[key][0].check(value):
                    yield TraceFinding(broken[0], f"{key!r} {broken[1]}", f"{pointer}/{key}")
            elif self.closed and not (self.prefix and key.startswith(self.prefix)):
                message = f"{key!r} is not a field of {self.closed}"
                yield TraceFinding(rules.UNKNOWN_FIELD, message, f"{pointer}/{escape(key)}")
        name = item.get("type")
        needed = self.required_by_type.get(name) if type(name) is str else None
        if needed is not None and needed not in item:
            yield TraceFinding(rules.MISSING_FOR_TYPE, f"an event of type {name!r} has no {needed!r}", pointer)

    def schema(self) -> JsonSchema:
        """The JSON Schema of such an object."""
        known = {k: value.schema | ({"description": text} if text else {}) for k, (value, text) in self.fields.items()}
        schema = {"type": "object", "required": [*self.required], "additionalProperties": not self.closed}
        schema |= {"properties": known}
        schema |= {"patternProperties": {f"^{self.prefix}": True}} if self.prefix else {}
        by_type = [
            {"if": {"properties": {"type": {"enum": [name]}}, "required": ["type"]}, "then": {"required": [needed]}}
            for name, needed in self.required_by_type.items()
        ]
        return schema | ({"allOf": by_type} if by_type else {})


def checked(check: Validator) -> type:
    """A type for decoding whose values pass a check."""
    return type("Checked", (), {"check": staticmethod(check)})


def decode_checked(wanted: Any, value: Any) -> Any:
    """An instance of a type that `checked` made, for a value that passes."""
    if wanted.check(value) is not None:
        raise ValueError
    return wanted()


TRACES: Mapping[Version, ObjectShape] = {
    1: ObjectShape(TRACE_1, TRACE_REQUIRED, closed="a trace"),
    2: ObjectShape(TRACE_2, ("schema_version", *TRACE_REQUIRED), closed="a trace", prefix="x-"),
}
ITEMS: Mapping[Version, Mapping[str, ObjectShape]] = {
    1: {
        "events": ObjectShape(EVENT_1, EVENT_REQUIRED),
        "edges": ObjectShape(EDGE_1, EDGE_REQUIRED, closed="an edge"),
    },
    2: {
        "events": ObjectShape(EVENT_2, EVENT_REQUIRED, required_by_type=REQUIRED_BY_TYPE),
        "edges": ObjectShape(EDGE_2, EDGE_REQUIRED, closed="an edge"),
    },
}


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
        "$defs": {
            "trace1": TRACES[1].schema(),
            "trace2": TRACES[2].schema(),
            "event": ITEMS[1]["events"].schema(),
            "edge": ITEMS[1]["edges"].schema(),
            "event2": ITEMS[2]["events"].schema(),
            "edge2": ITEMS[2]["edges"].schema(),
        },
    }
