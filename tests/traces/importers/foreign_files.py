"""Small runs in other frameworks' formats, written here by hand."""

import json
from pathlib import Path
from typing import Any

CLOCK = "2026-03-01T10:00:{:06.3f}Z"


def at(seconds: float) -> str:
    """A time of the day on which all these runs took place."""
    return CLOCK.format(seconds)


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def document(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


# Claude Code ---------------------------------------------------------------------------------------------------------


def said(uuid: str, seconds: float, message: str, *blocks: dict[str, Any], tokens: int = 10, **more: Any) -> Any:
    """A line of the assistant: one block of a message, with the usage of the whole message."""
    usage = {"input_tokens": 1, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 7, "output_tokens": tokens}
    body = {"role": "assistant", "id": message, "model": "m-1", "content": list(blocks), "usage": usage}
    return {"type": "assistant", "uuid": uuid, "sessionId": "S1", "timestamp": at(seconds), "message": body, **more}


def told(uuid: str, seconds: float, content: Any, **more: Any) -> Any:
    """A line in the user's voice."""
    body = {"role": "user", "content": content}
    return {"type": "user", "uuid": uuid, "sessionId": "S1", "timestamp": at(seconds), "message": body, **more}


def use(call: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def answer(call: str, content: Any, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call, "content": content, **more}]


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def session(*, background: bool = False) -> list[dict[str, Any]]:
    """A session that starts one sub-agent `k1`, in the foreground or in the background."""
    rows = [
        told("u1", 0, "Which bakery opens first?"),
        said("a1", 2, "msg1", words("I will ask.")),
        said("a2", 3, "msg1", use("t1", "Agent", subagent_type="scout", prompt="Find the bakery")),
    ]
    if background:
        rows += [
            told("u2", 3.2, answer("t1", "launched"), toolUseResult={"status": "async_launched", "agentId": "k1"}),
            said("a3", 4, "msg2", use("t2", "Bash", command="date")),
            told("u3", 5, answer("t2", "late")),
            said("a4", 6, "msg3", words("Waiting.")),
            {"type": "queue-operation", "operation": "enqueue", "sessionId": "S1", "timestamp": at(9)},
            told("u4", 12, "<task-notification><task-id>k1</task-id> done</task-notification>"),
        ]
    else:
        rows.append(told("u2", 10.5, answer("t1", "The one at the corner"), toolUseResult={"agentId": "k1"}))
    return [*rows, said("a9", 14, "msg9", words("The one at the corner."))]


def scout() -> list[dict[str, Any]]:
    """What the sub-agent wrote."""
    side = {"isSidechain": True, "agentId": "k1"}
    return [
        told("s1", 3.5, "Find the bakery", **side),
        said("s2", 5, "msgA", use("t5", "WebSearch", query="bakery"), **side),
        told("s3", 7, answer("t5", "a page"), **side),
        said("s4", 8, "msgB", words("The one at the corner"), **side),
    ]


def claude_stream() -> list[dict[str, Any]]:
    """What `claude -p --output-format stream-json` prints: no times, and sub-agents by the call that started them."""
    own: list[tuple[str | None, dict[str, Any]]] = [
        (None, said("a1", 0, "msg1", use("t1", "Task", subagent_type="scout", prompt="Find it"))),
        ("t1", told("s1", 0, [words("Find it")])),
        ("t1", said("s2", 0, "msgA", use("t5", "Grep", pattern="x"))),
        ("t1", told("s3", 0, answer("t5", "x"))),
        ("t1", said("s4", 0, "msgB", words("found"))),
        (None, told("u2", 0, answer("t1", "found"), tool_use_result={"agentId": "k1", "status": "completed"})),
        (None, said("a2", 0, "msg2", words("found"))),
    ]
    rows = [{"type": "system", "subtype": "init", "session_id": "S1", "permissionMode": "default"}]
    for parent, row in own:
        kept = {key: value for key, value in row.items() if key not in {"timestamp", "sessionId"}}
        # The stream has messages as they begin.
        kept["message"] = row["message"] | {"stop_reason": None}
        rows.append(kept | {"session_id": "S1", "parent_tool_use_id": parent})
    result = {"type": "result", "subtype": "success", "is_error": False, "session_id": "S1", "num_turns": 2,
              "duration_ms": 12500, "total_cost_usd": 0.25, "result": "found",
              "usage": {"input_tokens": 2, "cache_read_input_tokens": 14, "output_tokens": 20},
              "modelUsage": {"m-1": {"inputTokens": 10, "cacheReadInputTokens": 50, "outputTokens": 40}}}  # fmt: skip
    return [*rows, result]


def claude_team() -> list[dict[str, Any]]:
    """The configuration of a team of Claude Code, and entries of inboxes."""
    lead = {"name": "team-lead", "agentId": "team-lead@t"}
    member = {"name": "ada", "agentId": "ada@t", "agentType": "baker", "prompt": "bake", "joinedAt": 1772359201000}
    config = {"name": "t", "createdAt": 1772359200000, "leadAgentId": "team-lead@t", "members": [lead, member]}
    texts = ["done", '{"type":"idle_notification"}', '{"type":"task_assignment","taskId":"1"}',
             '{"type":"shutdown_approved"}']  # fmt: skip
    letters = [{"from": "ada", "text": text, "timestamp": at(n + 2), "read": n < 2} for n, text in enumerate(texts)]
    return [config, *letters]


# OTLP ----------------------------------------------------------------------------------------------------------------

BEGIN = 1_772_359_200_000_000_000


def span(name: str, own: str, parent: str, start: float, end: float, **attributes: Any) -> dict[str, Any]:
    """A span of OTLP/JSON; attribute names are written with `__` for the dot."""
    pairs = []
    for key, value in attributes.items():
        box = {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}
        pairs.append({"key": key.replace("__", "."), "value": box})
    return {
        "traceId": "0af7651916cd43dd8448eb211c80319c",
        "spanId": own.rjust(16, "0"),
        "parentSpanId": parent.rjust(16, "0") if parent else "",
        "name": name,
        "startTimeUnixNano": str(BEGIN + int(start * 1e9)),
        "endTimeUnixNano": str(BEGIN + int(end * 1e9)),
        "attributes": pairs,
        "status": {},
    }


def batch(*spans: dict[str, Any], scope: str = "kitchen") -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": scope}, "spans": list(spans)}]}]}


def agent_span(name: str, own: str, parent: str, start: float, end: float, **more: Any) -> dict[str, Any]:
    more = {"gen_ai__operation__name": "invoke_agent", "gen_ai__agent__name": name, **more}
    return span(f"invoke_agent {name}", own, parent, start, end, **more)


def model_span(own: str, parent: str, start: float, end: float, tokens: int = 5, **more: Any) -> dict[str, Any]:
    return span(
        "chat m-1", own, parent, start, end,
        gen_ai__operation__name="chat", gen_ai__request__model="m-1",
        gen_ai__usage__input_tokens=tokens, gen_ai__usage__output_tokens=1, **more,
    )  # fmt: skip


def tool_span(name: str, own: str, parent: str, start: float, end: float, **more: Any) -> dict[str, Any]:
    return span(f"execute_tool {name}", own, parent, start, end,
                gen_ai__operation__name="execute_tool", gen_ai__tool__name=name, **more)  # fmt: skip


# Others --------------------------------------------------------------------------------------------------------------


def atif() -> dict[str, Any]:
    """A chef whose two helpers work side by side, embedded in the document."""
    call = {"tool_call_id": "c1", "function_name": "ask_baker", "arguments": {"task": "bread"}}
    other = {"tool_call_id": "c2", "function_name": "ask_cook", "arguments": {"task": "soup"}}

    def helper(name: str) -> dict[str, Any]:
        steps = [
            {"step_id": 1, "source": "user", "message": "do it"},
            {"step_id": 2, "source": "agent", "message": "done", "metrics": {"prompt_tokens": 20, "cached_tokens": 5}},
        ]
        return {"schema_version": "ATIF-v1.7", "trajectory_id": name, "agent": {"name": name}, "steps": steps}

    results = [
        {"source_call_id": "c1", "content": "bread", "subagent_trajectory_ref": [{"trajectory_id": "baker"}]},
        {"source_call_id": "c2", "content": "soup", "subagent_trajectory_ref": [{"trajectory_id": "cook"}]},
    ]
    steps = [
        {"step_id": 1, "source": "user", "message": "lunch", "timestamp": at(0)},
        {"step_id": 2, "source": "agent", "message": "", "tool_calls": [call, other], "llm_call_count": 1,
         "observation": {"results": results}, "timestamp": at(5)},
        {"step_id": 3, "source": "agent", "message": "old", "is_copied_context": True},
        {"step_id": 4, "source": "agent", "message": "served", "llm_call_count": 0, "timestamp": at(9)},
    ]  # fmt: skip
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "lunch",
        "agent": {"name": "chef", "model_name": "m-1"},
        "steps": steps,
        "subagent_trajectories": [helper("baker"), helper("cook")],
    }


def magentic() -> dict[str, Any]:
    roles = ["human", "Orchestrator (thought)", "Orchestrator (-> Surfer)", "Surfer", "Orchestrator (-> Surfer)",
             "Surfer", "Orchestrator (termination condition)"]  # fmt: skip
    history = [{"role": role, "content": f"text {n}"} for n, role in enumerate(roles)]
    return {"history": history, "question_ID": "q1", "mistake_agent": "Surfer", "mistake_step": "3",
            "mistake_reason": "secret reason", "is_corrected": False}  # fmt: skip


def group_chat() -> dict[str, Any]:
    names = ["Expert", "Computer_terminal", "Expert"]
    contents = ["run it", "exitcode: 1", "TERMINATE"]
    pairs = zip(names, contents, strict=True)
    history = [{"name": name, "content": content, "role": "user"} for name, content in pairs]
    return {"history": history, "mistake_step": "0", "mistake_agent": "Expert", "is_correct": True}


def swe() -> dict[str, Any]:
    steps = [
        {"thought": "look", "response": "look", "action": "ls -F", "observation": "a b"},
        {"thought": "done", "response": "done", "action": "submit", "observation": ""},
    ]
    stats = {"tokens_sent": 90, "tokens_received": 10, "api_calls": 2, "instance_cost": 0.5}
    return {"trajectory": steps, "history": [], "info": {"exit_status": "submitted (exit_cost)", "model_stats": stats}}


def langsmith() -> list[dict[str, Any]]:
    def run(own: str, parent: str | None, kind: str, name: str, start: float, end: float, **more: Any) -> Any:
        return {"id": own, "parent_run_id": parent, "trace_id": "r", "run_type": kind, "name": name,
                "start_time": at(start), "end_time": at(end), "status": "success", **more}  # fmt: skip

    def typed(kind: str) -> dict[str, Any]:
        return {"metadata": {"ls_agent_type": kind}}

    used = {"prompt_tokens": 30, "completion_tokens": 3}
    return [
        run("r", None, "chain", "boss", 0, 9, extra=typed("root"), **used),
        run("m1", "r", "llm", "ChatModel", 0.5, 1, **used),
        run("t", "r", "tool", "ask_helper", 1, 6),
        run("h", "t", "chain", "helper", 1.5, 5.5, extra=typed("subagent"), **used),
        run("m2", "h", "llm", "ChatModel", 2, 5, **used),
        run("m3", "r", "llm", "ChatModel", 7, 8, **used),
    ]


def core_log() -> str:
    send = {"type": "Message", "sender": "boss/default", "receiver": "helper/default", "kind": "MessageKind.DIRECT",
            "delivery_stage": "DeliveryStage.SEND", "payload": "go"}  # fmt: skip
    rows = [
        send,
        send | {"delivery_stage": "DeliveryStage.DELIVER"},
        {"type": "LLMCall", "agent_id": "helper/default", "prompt_tokens": 8, "completion_tokens": 2},
        {
            "type": "ToolCall",
            "tool_name": "oven",
            "arguments": {"c": 200},
            "result": "hot",
            "agent_id": "helper/default",
        },
        send | {"kind": "MessageKind.PUBLISH", "receiver": None, "sender": "helper/default"},
    ]
    stamped = (f"2026-03-01 10:00:0{n},000 INFO autogen_core.events {json.dumps(row)}" for n, row in enumerate(rows))
    return "\n".join(stamped) + "\n"


def team() -> dict[str, Any]:
    used = {"prompt_tokens": 8, "completion_tokens": 2}
    call = {"id": "x1", "name": "oven", "arguments": '{"c": 200}'}
    messages = [
        {"type": "TextMessage", "source": "user", "content": "bread please", "models_usage": None},
        {"type": "HandoffMessage", "source": "waiter", "target": "baker", "content": "over", "models_usage": used},
        {"type": "ToolCallRequestEvent", "source": "baker", "content": [call], "models_usage": used},
        {"type": "ToolCallExecutionEvent", "source": "baker",
         "content": [{"call_id": "x1", "name": "oven", "content": "hot", "is_error": False}]},
        {"type": "TextMessage", "source": "baker", "content": "done", "models_usage": used},
    ]  # fmt: skip
    return {"messages": messages, "stop_reason": "Maximum number of messages 5 reached"}


def sdk(*, handoff: bool = False) -> list[dict[str, Any]]:
    def row(own: str, parent: str | None, start: float, end: float, **data: Any) -> dict[str, Any]:
        return {"object": "trace.span", "id": own, "trace_id": "T", "parent_id": parent, "started_at": at(start),
                "ended_at": at(end), "span_data": data, "error": None}  # fmt: skip

    used = {"input_tokens": 50, "output_tokens": 5}
    rows = [
        row("g2", "a2", 2, 3, type="generation", model="m-1", usage=used),
        row("a2", "f1", 1.5, 3.5, type="agent", name="helper"),
        row("g3", "a3", 2.1, 4, type="generation", model="m-1", usage=used),
        row("a3", "f2", 1.6, 4.5, type="agent", name="helper"),
        row("f1", "a1", 1, 4, type="function", name="ask", input='{"b": 1, "a": 2}', output="x"),
        row("f2", "a1", 1.1, 5, type="function", name="ask", input='{"a": 2, "b": 1}', output="y"),
        row("g1", "a1", 0, 1, type="generation", model="m-1", usage=used),
        row("g4", "a1", 6, 7, type="generation", model="m-1", usage=used),
    ]
    if handoff:
        rows += [
            row("h1", "a1", 7, 7.1, type="handoff", from_agent="lead", to_agent="writer"),
            row("g5", "a4", 8, 9, type="generation", model="m-1", usage=used),
            row("a4", None, 7.5, 9.5, type="agent", name="writer"),
        ]
    rows.append(row("a1", None, 0, 7.4, type="agent", name="lead"))
    return [{"object": "trace", "id": "T", "workflow_name": "lunch", "group_id": "g7"}, *rows]


# Codex ---------------------------------------------------------------------------------------------------------------

THREAD = "019d0000-0000-7000-8000-00000000000{}"
ROOT = "/root"


def codex_line(seconds: float, kind: str, **payload: Any) -> Any:
    return {"timestamp": at(seconds), "type": kind, "payload": payload}


def codex_usage(seconds: float, response: str, tokens: int) -> Any:
    counts = {"input_tokens": tokens, "cached_input_tokens": tokens // 2, "output_tokens": 5}
    return codex_line(seconds, "token_usage_record", thread_id=THREAD.format(1), response_id=response, usage=counts)


def codex_call(seconds: float, call: str, name: str, **arguments: Any) -> Any:
    given = json.dumps(arguments)
    return codex_line(seconds, "response_item", type="function_call", name=name, arguments=given, call_id=call)


def codex_result(seconds: float, call: str, output: str) -> Any:
    return codex_line(seconds, "response_item", type="function_call_output", call_id=call, output=output)


def codex(**meta: Any) -> list[dict[str, Any]]:
    """A session that spawns one sub-agent, whose file is missing, and runs one command."""
    return [
        codex_line(0, "session_meta", id=THREAD.format(1), timestamp=at(0), source="cli", **meta),
        codex_line(0, "event_msg", type="task_started", turn_id=THREAD.format(2)),
        codex_line(0, "turn_context", model="m-1"),
        codex_line(0.1, "event_msg", type="user_message", message="Which bakery opens first?"),
        codex_call(2, "c1", "spawn_agent", message="Find the bakery", agent_type="explorer"),
        codex_usage(2.1, "r1", 100),
        codex_result(2.5, "c1", json.dumps({"agent_id": "k1"})),
        codex_call(4, "c2", "exec_command", cmd="date"),
        codex_call(4, "c3", "wait_agent", targets=["k1"]),
        codex_usage(4.1, "r2", 200),
        codex_result(5, "c2", "Process exited with code 2\nOutput:\n"),
        codex_result(9, "c3", json.dumps({"status": {"k1": {"completed": "The corner"}}, "timed_out": False})),
        codex_line(11, "response_item", type="message", role="assistant", content=[{"text": "The corner"}]),
        codex_usage(11.1, "r3", 300),
        codex_line(11.2, "event_msg", type="task_complete", turn_id=THREAD.format(2), last_agent_message="The corner"),
    ]


def codex_bundle() -> list[dict[str, Any]]:
    """The lines of a trace bundle, without its payloads: one sub-agent, whose answer arrives."""
    made = {"tool_call_id": "c1"}
    spawn = {"label": "collaboration.spawn_agent", "input_preview": json.dumps({"task_name": "a", "message": "look"})}
    result = {"child_thread_id": "k1", "child_codex_turn_id": "t2", "parent_thread_id": "k0"}
    words = "Message Type: FINAL_ANSWER\nPayload:\nThe corner"
    steps: list[tuple[str, str, dict[str, Any]]] = [
        ("", "rollout_started", {"trace_id": "b1", "root_thread_id": "k0"}),
        ("", "thread_started", {"thread_id": "k0", "agent_path": "/root"}),
        ("k0", "codex_turn_started", {"codex_turn_id": "t1", "thread_id": "k0"}),
        ("k0", "inference_started", {"inference_call_id": "i1", "thread_id": "k0", "model": "m-1"}),
        ("k0", "inference_completed", {"inference_call_id": "i1", "response_id": "r1"}),
        ("k0", "tool_call_started", {**made, "kind": {"type": "spawn_agent"}, "summary": spawn}),
        ("", "thread_started", {"thread_id": "k1", "agent_path": f"{ROOT}/a"}),
        ("k1", "codex_turn_started", {"codex_turn_id": "t2", "thread_id": "k1"}),
        ("k0", "tool_call_runtime_ended", {**made, "status": "completed"}),
        ("k0", "tool_call_ended", {**made, "status": "completed"}),
        ("k1", "history_item_accepted", {"item_id": "amsg_1"}),
        ("k1", "codex_turn_ended", {"codex_turn_id": "t2", "status": "completed"}),
        ("k1", "agent_result_observed", {**result, "message": words}),
        ("k0", "history_item_accepted", {"item_id": "amsg_2"}),
        ("k0", "inference_started", {"inference_call_id": "i2", "thread_id": "k0", "model": "m-1"}),
        ("k0", "inference_completed", {"inference_call_id": "i2", "response_id": "r2"}),
        ("k0", "codex_turn_ended", {"codex_turn_id": "t1", "status": "completed"}),
    ]
    return [
        {
            "schema_version": 2,
            "seq": i,
            "wall_time_unix_ms": 1_780_000_000_000 + 100 * i,
            "rollout_id": "k0",
            "thread_id": thread or None,
            "payload": {"type": kind, **body},
        }
        for i, (thread, kind, body) in enumerate(steps, 1)
    ]
