"""Combine the lines of Codex rollouts into threads.

`{"type": "response_item", "payload": {"type": "function_call", "call_id": "c1", "name": "exec_command", …}}` begins
a tool call, which ends with the `function_call_output` of that id. The model call ends with the next usage.
"""

import re
from collections.abc import Sequence
from typing import Any

from awesome_cli.traces.importers.codex_run import CodexLog
from awesome_cli.traces.importers.foreign import (
    Json,
    content_hash,
    decoded,
    mapping,
    moment,
    objects,
    parsed,
    reach,
    text,
    tokens_of_whole,
)
from awesome_cli.traces.importers.session import Arrival, ModelCall, RecordedCall, Turn

EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)$", re.MULTILINE)
REFUSED = ("unsupported call", "collab spawn failed", "failed to parse function arguments")
QUIET = {"send_message", "followup_task"}
AGENTS = QUIET | {
    "spawn_agent", "send_input", "resume_agent", "wait_agent", "wait", "close_agent", "interrupt_agent", "list_agents",
}  # fmt: skip
"""Tools that return JSON (`QUIET` tools: nothing) unless they fail."""
NOTICE = "<subagent_notification>"


def text_of(content: object) -> str:
    """Return the text of a message or of a tool's output: text, a list of parts, or an object that contains these."""
    if isinstance(content, dict):
        return text_of(content.get("content") or content.get("text"))
    if isinstance(content, list):
        return "\n".join(text(part.get("text") or part.get("encrypted_content")) for part in objects(content))
    return text(content)


def message_of(whole: str) -> tuple[str, str]:
    """Return the kind (`task`, `answer` or `message`) and the text of another agent's message, without its header."""
    head, _, words = whole.partition("Payload:\n")
    kind = head.removeprefix("Message Type:").split("\n", 1)[0].strip()
    return {"NEW_TASK": "task", "FINAL_ANSWER": "answer"}.get(kind, "message"), words.strip()


def state_of(status: object) -> tuple[str, str]:
    """Return the last text of an agent, and the status with which its turn ended ("" if it has not ended).

    The state is `{"completed": text}` (null after a failure), `{"errored": text}`, or the name of another state.
    """
    state = mapping(status)
    end = "" if not state else "error" if "errored" in state or None in state.values() else "ok"
    return next(map(text, state.values()), ""), end


def call_status(tool: str, output: str) -> str:
    """Return the status of a tool call from its output; "" if the output does not tell."""
    if output.startswith(REFUSED):
        return "error"
    if output.startswith("aborted") or output.endswith("aborted by user"):
        return "cancelled"
    result = decoded(output) if output.startswith("{") else None
    if tool in AGENTS:
        failed = result is None and (output != "" or tool not in QUIET)
        return "error" if failed else "timeout" if reach(result, "timed_out") is True else "ok"
    exit_line = EXIT.search(output[:500])
    code = exit_line[1] if exit_line else text(reach(result, "metadata", "exit_code"))
    return "" if not code else "ok" if code == "0" else "error"


def token_fields(usage: object) -> dict[str, Any]:
    """Convert a usage of Codex to the token fields of an event; {} if the usage is missing."""
    if "input_tokens" not in mapping(usage):
        return {}
    return tokens_of_whole(
        prompt=reach(usage, "input_tokens"), cached=reach(usage, "cached_input_tokens"),
        cache_write=reach(usage, "cache_write_input_tokens"),
        out=reach(usage, "output_tokens"), reasoning=reach(usage, "reasoning_output_tokens"),
    )  # fmt: skip


def _own_start(records: Sequence[Json], thread: str, turns: dict[int, str]) -> int:
    """Return the number of copied lines with which a forked thread begins; 0 if the thread is not a fork.

    `turns` maps the index of a turn's first line to the turn's id. Ids begin with a time: copied turns have lower ids.
    """
    metas = [mapping(record.get("payload")) for record in records[:2] if record.get("type") == "session_meta"]
    if not any(meta.get("forked_from_id") or text(meta.get("id")) not in {thread, ""} for meta in metas):
        return 0
    return next((i for i, turn in turns.items() if turn >= thread), len(records) if turns else 0)


def read_thread(thread: str, files: Sequence[Sequence[Json]]) -> CodexLog:
    """Combine the files of one thread into a log."""
    meta = next((mapping(records[0].get("payload")) for records in files if records), {})
    reader = _RolloutReader(CodexLog(thread, meta=meta))
    # A later file of a thread can repeat earlier files, which can end during a turn.
    first: dict[tuple[str | None, ...], int] = {}
    for n, records in enumerate(files):
        starts = ((i, mapping(record.get("payload"))) for i, record in enumerate(records))
        turns = {i: text(body.get("turn_id")) for i, body in starts if body.get("type") == "task_started"}
        start, turn = _own_start(records, thread, turns), ""
        # A file can begin with the token counter from the end of the previous file.
        reader.carried, reader.total = reader.total or reader.carried, {}
        for i, record in enumerate(records):
            turn = turns.get(i, turn)
            # Copies of a line share this key: within a turn, the time of a copy can differ.
            when, kind = turn or text(record.get("timestamp")), text(record.get("type"))
            key = (when, kind, content_hash(record.get("payload"))) if len(files) > 1 else ()
            reader.read(record, copied=first.setdefault(key, n) < n or i < start)
    reader.flush()
    return reader.thread


class _RolloutReader:
    """Combines lines into a thread. The method `on_X` reads payloads of type `X`, and lines of type `X` without it."""

    def __init__(self, thread: CodexLog) -> None:
        self.thread = thread
        self.recorded = False
        self.responses: set[str] = set()
        self.model = ""
        self.line = 0
        self.at = moment(thread.meta.get("timestamp")) or 0
        self.prompted: int | None = None
        self.call: ModelCall | None = None
        self.total: dict[str, int] = {}
        self.carried: dict[str, int] = {}

    def read(self, record: Json, *, copied: bool) -> None:
        """Read one line; a copied line only updates the token counter."""
        body = mapping(record.get("payload"))
        kind = text(body.get("type"))
        if copied:
            self.thread.copied += record.get("type") != "session_meta"
            if kind == "token_count":
                self.total = token_fields(reach(body, "info", "total_token_usage"))
            return
        self.line += 1
        at = moment(record.get("timestamp"))
        self.at = self.at + 1 if at is None else at
        self.thread.times.append(self.at)
        if self.thread.turns:
            self.thread.turns[-1].last = self.at
        if handler := getattr(self, f"on_{kind or text(record.get('type'))}", None):
            handler(body)

    def on_turn_context(self, body: Json) -> None:
        self.model = text(body.get("model")) or self.model

    def on_message(self, body: Json) -> None:
        if body.get("role") == "assistant":
            self.on_function_call(body)
            return
        self.prompted = self.at
        words = text_of(body.get("content"))
        if words.startswith(NOTICE):
            notice = mapping(decoded(words.removeprefix(NOTICE).partition("</")[0].strip()))
            self._arrived(text(notice.get("agent_path")), "answer", *state_of(notice.get("status")))

    def on_agent_message(self, body: Json) -> None:
        """Record a message from another agent. A message without `author` is a copy of the model's output: skip it."""
        if "author" in body:
            self._arrived(text(body.get("author")), *message_of(text_of(body.get("content"))))

    def on_function_call(self, body: Json) -> None:
        """Add an output of the model; if the output is a tool call, add that call."""
        kind = text(body.get("type"))
        if self.call is not None and self.prompted is not None and self.prompted > self.call.end:
            self.flush()
        call = self._open_call()
        call.end = self.at
        call.content.append({key: body[key] for key in ("content", "name", "arguments", "input") if key in body})
        name = text(body.get("call_id") or body.get("id"))
        if not kind.endswith("_call") or not name or name in self.thread.by_id:
            return
        space = text(body.get("namespace"))
        tool = text(body.get("name")) or kind.removesuffix("_call")
        tool = f"{space}.{tool}" if space.startswith("mcp") else tool
        arguments = parsed(body.get("arguments") or body.get("input") or body.get("action"))
        made = self.thread.add_call(RecordedCall(name, tool, arguments, self.at, place=self.line, model=call))
        if kind == "web_search_call":
            # The provider runs it inside the model call.
            made.end, made.result, made.status = self.at, "", "ok" if body.get("status") == "completed" else ""

    on_reasoning = on_custom_tool_call = on_local_shell_call = on_function_call
    on_web_search_call = on_tool_search_call = on_function_call

    def on_function_call_output(self, body: Json) -> None:
        self.prompted = self.at
        call = self.thread.by_id.get(text(body.get("call_id")))
        if call is None or call.end is not None:
            return
        output = text_of(body.get("output"))
        call.end, call.result = max(self.at, call.begin), output
        call.status = call.status or call_status(call.name, output)
        if call.name in {"wait", "wait_agent"}:
            for child, status in mapping(reach(decoded(output), "status")).items():
                self._arrived(text(child), "answer", *state_of(status))
        elif call.name == "close_agent" and reach(decoded(output), "previous_status") == "running":
            self.thread.ended.append(({text(call.argument("target"))}, "interrupted", self.at))

    on_custom_tool_call_output = on_tool_search_output = on_function_call_output

    def _arrived(self, author: str, kind: str, words: str, status: str = "ok") -> None:
        self.prompted = self.at
        self.thread.arrivals.append(Arrival(author, kind, words, self.at, self.line, status))

    def _open_call(self) -> ModelCall:
        if self.call is None:
            begin = self.at if self.prompted is None else min(self.prompted, self.at)
            self.call = ModelCall(begin, self.at, self.line, model=self.model)
        return self.call

    def _counted(self, usage: dict[str, int], source: str = "") -> None:
        call = self._open_call()
        call.usage, call.id = usage, source
        if not call.content:
            call.end = self.at
        if self.prompted is None or self.prompted <= call.begin:
            self.prompted = self.at
        self.flush()

    def flush(self) -> None:
        """End a model call, with or without a usage."""
        if self.call is not None:
            self.thread.models.append(self.call)
        self.call = None

    def on_token_usage_record(self, body: Json) -> None:
        source = text(body.get("response_id"))
        if text(body.get("thread_id")) in {"", self.thread.id} and source not in self.responses:
            self.responses |= {source} - {""}
            self.recorded = True
            self._counted(token_fields(body.get("usage")), source)

    def on_token_count(self, body: Json) -> None:
        """Read the usage of a call if the counter has changed. The counter is also written when no model was called."""
        total, last = (token_fields(reach(body, "info", f"{part}_token_usage")) for part in ("total", "last"))
        before = self.total or (self.carried if self.call is None else {})
        self.total = total or self.total
        if total and total != before and any(last.values()) and not self.recorded:
            self._counted(last)

    def on_compacted(self, _: Json) -> None:
        """Mark the last model call as a compaction, unless it requested a tool or ended a turn."""
        last = self.thread.models[-1] if self.thread.models else None
        if last is not None and not any(call.place >= last.place for call in self.thread.calls):
            ended = self.thread.turns and self.thread.turns[-1].end is not None
            last.purpose = "" if ended else "compaction"
        self.prompted = self.at

    def on_task_started(self, body: Json) -> None:
        self.flush()
        self.thread.turns.append(Turn(self.at, self.at, id=text(body.get("turn_id"))))
        self.recorded = False
        self.prompted = self.at

    def on_task_complete(self, body: Json) -> None:
        turn = next((t for t in self.thread.turns if t.id == text(body.get("turn_id")) and t.end is None), None)
        if turn is None:
            return
        self.flush()
        turn.last, turn.answer = self.at, text(body.get("last_agent_message"))
        failed = bool(body.get("error")) or ("last_agent_message" in body and body["last_agent_message"] is None)
        turn.close(self.at, "cancelled" if body.get("type") == "turn_aborted" else "error" if failed else "ok")

    on_turn_aborted = on_task_complete

    def on_user_message(self, body: Json) -> None:
        self.thread.prompts.append((self.at, text(body.get("message"))))

    def on_item_completed(self, body: Json) -> None:
        item = mapping(body.get("item"))
        kind, call = item.get("type"), self.thread.by_id.get(text(item.get("id")))
        if kind == "UserMessage":
            self.thread.prompts.append((self.at, text_of(item.get("content"))))
        elif kind == "SubAgentActivity" and item.get("kind") == "started":
            self.thread.started[text(item.get("id"))] = text(item.get("agent_thread_id"))
        elif kind == "SubAgentActivity":
            names = {text(item.get("agent_thread_id")), text(item.get("agent_path"))}
            self.thread.ended.append((names, text(item.get("kind")), self.at))
        elif call is not None and call.end is None and kind == "CommandExecution":
            began = moment(body.get("started_at_ms")) or 0
            call.begin = began if call.begin <= began <= self.at else call.begin
            call.status = "error" if item.get("exit_code") else "ok" if "exit_code" in item else ""
