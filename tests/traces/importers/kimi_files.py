"""Small runs of Kimi Code and of kimi-cli, written here by hand."""

from typing import Any

Row = dict[str, Any]
START = 1_795_302_148_000


def at(seconds: float) -> int:
    return START + round(1000 * seconds)


# Kimi Code -----------------------------------------------------------------------------------------------------------


def row(kind: str, seconds: float, /, **fields: Any) -> Row:
    return {"type": kind, **fields, "time": at(seconds)}


def prompt(seconds: float, words: str, by: str = "user") -> Row:
    return row("turn.prompt", seconds, input=[{"type": "text", "text": words}], origin={"kind": by})


def loop(seconds: float, kind: str, /, **fields: Any) -> Row:
    return row("context.append_loop_event", seconds, event={"type": kind, **fields})


def call(seconds: float, name: str, tool: str, **arguments: Any) -> Row:
    return loop(seconds, "tool.call", toolCallId=name, name=tool, args=arguments)


def result(seconds: float, name: str, output: str, **fields: Any) -> Row:
    return loop(seconds, "tool.result", toolCallId=name, result={"output": output, **fields})


def request(seconds: float, step: str, **fields: Any) -> Row:
    return row("llm.request", seconds, kind="loop", model="k-1", turnStep=step, **fields)


def usage(seconds: float, fresh: int = 10, **fields: Any) -> Row:
    spent = {"inputOther": fresh, "output": 2, "inputCacheRead": 5, "inputCacheCreation": 1}
    return row("usage.record", seconds, model="k", usage=spent, usageScope="turn", **fields)


def spawned(seconds: float, agent: str, by: str, *, background: bool = False, **fields: Any) -> Row:
    about = {"subagentId": agent, "subagentName": "coder", "parentToolCallId": by, "runInBackground": background}
    return row("subagent.spawned", seconds, **about, **fields)


def ended(seconds: float, reason: str = "completed") -> Row:
    return row("turn.ended", seconds, turnId=0, reason=reason)


HEAD = {"type": "metadata", "protocol_version": "1.5", "created_at": START}


def main() -> list[Row]:
    """A session that asks one sub-agent, `agent-0`."""
    return [
        HEAD,
        prompt(0, "Which bakery opens first?"),
        request(1, "0.1"),
        usage(2, agentId="main"),
        call(2.1, "t1", "Agent", prompt="Find the bakery", subagent_type="coder"),
        spawned(2.2, "agent-0", "t1"),
        result(6, "t1", "agent_id: agent-0\nstatus: completed\n\n[summary]\nBread & Co."),
        loop(6, "step.end", turnId="0", step=1, finishReason="tool_use", llmFirstTokenLatencyMs=800),
        request(6.1, "0.2"),
        usage(7),
        loop(7.1, "content.part", part={"type": "text", "text": "Bread & Co."}),
        loop(7.2, "step.end", turnId="0", step=2, finishReason="end_turn"),
        ended(7.3),
    ]


def child(begin: float = 2.3, words: str = "Find the bakery") -> list[Row]:
    """The run of a sub-agent that takes two seconds."""
    return [
        prompt(begin, words, by="system_trigger"),
        request(begin + 0.1, "0.1"),
        usage(begin + 1),
        call(begin + 1.1, "c1", "Bash", command="ls"),
        result(begin + 1.2, "c1", "bread"),
        loop(begin + 1.9, "content.part", part={"type": "text", "text": "Bread & Co."}),
        ended(begin + 2),
    ]


# kimi-cli ------------------------------------------------------------------------------------------------------------


def line(seconds: float, kind: str, /, **payload: Any) -> Row:
    return {"timestamp": at(seconds) / 1000, "message": {"type": kind, "payload": payload}}


def asks(seconds: float, name: str, tool: str, arguments: str) -> Row:
    function = {"name": tool, "arguments": arguments}
    return line(seconds, "ToolCall", type="function", id=name, function=function)


def gives(seconds: float, name: str, output: str, *, is_error: bool = False) -> Row:
    return line(seconds, "ToolResult", tool_call_id=name, return_value={"is_error": is_error, "output": output})


def status(seconds: float, fresh: int = 10) -> Row:
    spent = {"input_other": fresh, "output": 2, "input_cache_read": 5, "input_cache_creation": 1}
    return line(seconds, "StatusUpdate", token_usage=spent, message_id=f"m{seconds}")


def mirrored(row: Row, call: str = "t1", **about: Any) -> Row:
    """A line of a sub-agent as the session's own file repeats it."""
    return row | {
        "message": {"type": "SubagentEvent", "payload": {"parent_tool_call_id": call, **about, "event": row["message"]}}
    }


def cli_child() -> list[Row]:
    return [
        line(3, "TurnBegin", user_input="Find the bakery"),
        line(3.1, "StepBegin", n=1),
        asks(3.5, "c1", "Shell", '{"command":"ls"}'),
        status(3.6),
        gives(4, "c1", "bread"),
        line(4.5, "TurnEnd"),
    ]


def cli(*repeated: Row) -> list[Row]:
    """A session whose one sub-agent's lines are `repeated` in it."""
    return [
        {"type": "metadata", "protocol_version": "1.10"},
        line(0, "TurnBegin", user_input="Which bakery opens first?"),
        line(0.1, "StepBegin", n=1),
        asks(1, "t1", "Agent", '{"prompt":"Find the'),
        line(1.1, "ToolCallPart", arguments_part=' bakery"}'),
        line(1.2, "ApprovalRequest", id="q1", tool_call_id="t1"),
        line(2.2, "ApprovalResponse", request_id="q1", response="approve"),
        status(2.3),
        *repeated,
        gives(5, "t1", "status: completed\n\n[summary]\nBread & Co."),
        line(5.1, "StepBegin", n=2),
        line(6, "ContentPart", type="text", text="Bread & Co."),
        status(6.1),
        line(6.2, "TurnEnd"),
    ]


def old_cli() -> list[Row]:
    """The same in a protocol whose repeated lines do not name the agent."""
    return cli(*[mirrored(each) for each in cli_child()])
