"""AutoGen: the runtime's event log (core) and the messages of a team (agentchat)."""

import re
from collections.abc import Iterator
from typing import Any

from awesome_cli.traces.importers.foreign import Json, decoded, mapping, moment, objects, parsed, reach, text, usage
from awesome_cli.traces.importers.log_file import LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording

CHAT = {
    "TextMessage", "MultiModalMessage", "HandoffMessage", "StopMessage", "ToolCallSummaryMessage",
    "ToolCallRequestEvent", "ToolCallExecutionEvent", "SelectSpeakerEvent", "MemoryQueryEvent", "ThoughtEvent",
    "UserInputRequestedEvent", "CodeGenerationEvent", "CodeExecutionEvent", "StructuredMessage",
}  # fmt: skip
# Keys by type of event. Other programs' events of the same type do not have these keys.
KEYS = {name: {"source"} for name in CHAT} | {
    "Message": {"sender", "receiver", "kind"},
    "MessageDropped": {"sender", "receiver", "kind"},
    "MessageHandlerException": {"handling_agent"},
    "LLMCall": {"prompt_tokens", "completion_tokens"},
    "LLMStreamEnd": {"prompt_tokens", "completion_tokens"},
    "ToolCall": {"tool_name", "arguments"},
}
CLOCKS = ("timestamp", "asctime", "created", "time", "created_at")
STAMP = re.compile(r"\s*\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)")
PEOPLE = {"user", "user_proxy", "human"}
# Reasons of a stop, by a part of the termination condition's message.
REASONS = {
    "maximum number": "budget", "token": "budget", "timeout": "timeout", "external": "human", "handoff": "handoff",
    "text": "answered", "stop message": "answered",
}  # fmt: skip
OUTSIDE = "outside"
ROUTERS = {"RoundRobinGroupChatManager", "SwarmGroupChatManager", "GraphFlowManager"}
TEAM = re.compile(r"[_/][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The random id of a team in the ids of its agents."""


def detect(log: LogFile) -> bool:
    """Return True if the log has events of the runtime or messages of a team."""
    return any(_is_event(record) for record, _ in _records(log))


def _is_event(record: Json) -> bool:
    keys = KEYS.get(text(record.get("type")))
    return keys is not None and keys <= record.keys()


def _records(log: LogFile) -> Iterator[tuple[Json, int | None]]:
    """Yield the events and messages of a log, with their times; unwrap an event that is inside a log record.

    An event has no time, so it gets the time of its log record. A line without an object yields an empty record.
    """
    for record in log.records() if log.document is not None else ():
        for event in objects(record.get("messages")) or [record]:
            yield event, _clock(event)
    for line in filter(str.strip, log.lines() if log.document is None else ()):
        stamp = STAMP.match(line)
        outer = mapping(decoded(line[line.find("{") :]))
        inner = (mapping(parsed(outer.get(key))) for key in ("message", "msg", "event", "payload"))
        event = next((value for value in inner if "type" in value), outer)
        yield event, moment(stamp[1].replace(",", ".")) if stamp else _clock(outer)


def _clock(record: Json) -> int | None:
    return next((at for key in CLOCKS if (at := moment(record.get(key))) is not None), None)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield the log as one trace; the time unit is seconds if every event has a time, otherwise steps."""
    log = run.main
    records = list(_records(log))
    events = [(record, at) for record, at in records if _is_event(record)]
    clocked = all(at is not None for _, at in events)
    chat = any(event["type"] in CHAT for event, _ in events)
    rec = Recording("autogen/agentchat" if chat else "autogen/core", with_content, unit="us" if clocked else "step")
    if not clocked:
        rec.add_loss("times: t counts the log's records")
    rec.add_loss("lines that are not JSON", sum(not record for record, _ in records))
    copies = _copies([event for event, _ in events]) if chat else set[int]()
    rec.add_loss("messages that a call of an agent as tool, or its result, repeats", len(copies))
    last = 0
    for i, (event, at) in enumerate(events):
        # A log is written in order: a clock that is set back must not change the order.
        last = max(last, at or 0) if clocked else i
        if i not in copies:
            (_chat if chat else _core)(event, last, rec)
        elif mapping(event.get("models_usage")):
            rec.add("llm_call", _actor(rec, text(event.get("source"))), last, **_usage(event.get("models_usage")))
    rec.add_loss("durations: the log has the times at which its records were written")
    reason = text(reach(log.document, "stop_reason")).casefold()
    if reason and rec.roots and not rec.has("stop"):
        why = next((value for part, value in REASONS.items() if part in reason), "unspecified")
        rec.add("stop", rec.roots[-1], last + 1, reason=why, scope="trace")
    rec.unrecorded |= {"return", "delivery", "duration"} | (set() if rec.has("stop") else {"stop"})
    if rec.drafts:
        yield rec.trace(trace_id=log.stem, task_id=log.stem, system="AutoGen", provenance=log.provenance)


def _copies(events: list[Json]) -> set[int]:
    """Return the positions of messages whose text is also in the call of an agent as tool, or in the result.

    Between the call of the tool `baker` and its result, these are the task from `user` and the answers from `baker`.
    """
    copies, calls = set[int](), dict[str, tuple[int, str, str]]()
    sources = {text(event.get("source")) for event in events} - {""}
    for i, event in enumerate(events):
        if event["type"] == "ToolCallRequestEvent":
            for call in objects(event.get("content")):
                task = text(mapping(parsed(call.get("arguments"))).get("task"))
                calls[text(call.get("id"))] = i, text(call.get("name")), task
        for result in objects(event.get("content")) if event["type"] == "ToolCallExecutionEvent" else ():
            begin, tool, task = calls.pop(text(result.get("call_id")), (i, "", ""))
            if tool not in sources:
                continue
            words = text(result.get("content"))
            inner = [(j, text(events[j].get("source")), text(events[j].get("content"))) for j in range(begin + 1, i)]
            if any(source == tool for _, source, _ in inner):
                copies |= {j for j, source, said in inner if said and source == tool and said in words}
                copies |= {j for j, source, said in inner if said and source in PEOPLE and said == task}
    return {j for j in copies if events[j]["type"] in {"TextMessage", "ToolCallSummaryMessage"}}


def _actor(rec: Recording, value: object) -> str:
    """Declare an agent and return its name. An id becomes `type/key`, without the key `default` and the team's id."""
    name = f"{text(reach(value, 'type'))}/{text(reach(value, 'key'))}" if mapping(value) else text(value)
    name = TEAM.sub("", name).strip("/").removesuffix("/default") or OUTSIDE
    return rec.root(name, kind="environment" if name in {OUTSIDE, *ROUTERS} else "human" if name in PEOPLE else "llm")


def _core(event: Json, t: int, rec: Recording) -> None:
    """Add a record of the runtime. A message is added when it is sent, and not again when it is delivered."""
    kind = text(event.get("type"))
    about = ("sender",) if kind in {"Message", "MessageDropped"} else ("agent_id", "handling_agent")
    agent = _actor(rec, next((event[key] for key in about if key in event), None))
    if kind == "Message" and text(event.get("delivery_stage")).endswith("DELIVER"):
        return
    if kind in {"Message", "MessageDropped"}:
        published = text(event.get("kind")).endswith("PUBLISH")
        to = "" if published or not event.get("receiver") else _actor(rec, event.get("receiver"))
        failure: dict[str, Any] = {"status": "error", "error_type": "dropped"} if kind == "MessageDropped" else {}
        rec.add("message", agent, t, to=to, content=event.get("payload"), sender=agent, **failure)
    elif kind in {"LLMCall", "LLMStreamEnd"}:
        model = text(reach(event, "response", "model"))
        rec.add("llm_call", agent, t, **_usage(event), content=event.get("response"), model=model)
    elif kind == "ToolCall":
        rec.call(agent, text(event.get("tool_name")), t, arguments=event.get("arguments"), result=event.get("result"))
    else:
        rec.add("safety_event", agent, t, status="error", error_type="message_handler_exception")


def _usage(counts: object) -> dict[str, Any]:
    return usage(fresh=reach(counts, "prompt_tokens"), out=reach(counts, "completion_tokens"))


def _chat(event: Json, t: int, rec: Recording) -> None:
    """Add a message or event of a team. Every message goes to the whole team."""
    name = _actor(rec, text(event.get("source")))
    content = event.get("content")
    if mapping(event.get("models_usage")):
        rec.add("llm_call", name, t, **_usage(event.get("models_usage")))
    match event["type"]:
        case "HandoffMessage":
            target = _actor(rec, text(event.get("target")))
            rec.add("delegate", name, t, to=target, mode="pass_control", content=content)
        case "ToolCallRequestEvent":
            for call in objects(content):
                tool, call_id = text(call.get("name")), text(call.get("id"))
                rec.call(name, tool, t, call_id=call_id, arguments=call.get("arguments"), answered=False)
        case "ToolCallExecutionEvent":
            _results(objects(content), name, t, rec)
        case "SelectSpeakerEvent" | "ThoughtEvent" | "MemoryQueryEvent" | "CodeGenerationEvent":
            rec.add("orchestrator_decision", name, t, content=content)
        case "StopMessage":
            rec.add("stop", name, t, reason="unspecified", scope="trace", content=content)
        case _:
            rec.add("message", name, t, content=content, sender=name)


def _results(results: list[Json], name: str, t: int, rec: Recording) -> None:
    """Add the results of earlier calls; results of unknown calls are left out."""
    for result in results:
        call_id = text(result.get("call_id"))
        if call_id in rec.call_ids:
            tool, status = text(result.get("name")), "error" if result.get("is_error") is True else "ok"
            rec.add("tool_result", name, t, call_id=call_id, tool=tool, content=result.get("content"), status=status)
        else:
            rec.add_loss("results of tool calls that are not in the log")


FORMAT = TraceFormat(
    "autogen", detect, convert, keys=(),
    reads="the runtime's event log (bare, in log lines, in JSON records), or a team's messages",
    spawns="- (agents are there from the start); `HandoffMessage` passes control",
    inferred="-", lost="durations",
)  # fmt: skip
