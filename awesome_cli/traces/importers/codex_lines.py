"""The lines of Codex rollouts, combined to threads."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from awesome_cli.traces.importers.codex_thread import CodexLog
from awesome_cli.traces.importers.foreign import (
    Json,
    content_hash,
    count,
    decoded,
    mapping,
    moment,
    objects,
    parsed,
    reach,
    text,
    usage,
)
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.session import Arrival, ModelCall, RecordedCall, Turn

EXIT = re.compile(r"^Process exited with code (-?\d+)$|^Exit code: (-?\d+)$", re.MULTILINE)
REFUSED = ("unsupported call", "collab spawn failed", "failed to parse function arguments")
QUIET = {"send_message", "followup_task"}
AGENTS = QUIET | {
    "spawn_agent", "send_input", "resume_agent", "wait_agent", "wait", "close_agent", "interrupt_agent", "list_agents",
}  # fmt: skip
"""Tools whose result is JSON, or nothing for the `QUIET` ones, unless they failed."""


def answer_of(content: object) -> str:
    """The text of a message or of a tool's output: text, a list of parts, or an object around either."""
    if isinstance(content, dict):
        return answer_of(content.get("content") or content.get("text"))
    if isinstance(content, list):
        return "\n".join(text(part.get("text") or part.get("encrypted_content")) for part in objects(content))
    return text(content)


def said(body: Json) -> tuple[str, str]:
    """What a message from another agent is (`task`, `answer` or `message`), and its words."""
    return words_of(answer_of(body.get("content")))


def words_of(whole: str) -> tuple[str, str]:
    """The same for the text of a message, which has a head of its own."""
    head, _, words = whole.partition("Payload:\n")
    kinds = {"NEW_TASK": "task", "FINAL_ANSWER": "answer"}
    kind = head.removeprefix("Message Type:").split("\n", 1)[0].strip()
    return kinds.get(kind, "message"), words.strip()


def state_of(status: object) -> tuple[str, str]:
    """The words in the state of an agent and how its turn ended.

    The state is `{"completed": words}`, with null after a failure, or `{"errored": words}`, or a name, which is no end.
    """
    state = mapping(status)
    how = "" if not state else "error" if "errored" in state or None in state.values() else "ok"
    return next((text(words) for words in state.values()), ""), how


def turn_result(tool: str, output: str) -> str:
    """The status of a tool call, where its output says so."""
    if output.startswith(REFUSED):
        return "error"
    if output.startswith("aborted") or output.endswith("aborted by user"):
        return "cancelled"
    found = EXIT.search(output[:500])
    code = found and (found[1] or found[2])
    about = decoded(output) if output.startswith("{") else None
    if code is None and isinstance(reach(about, "metadata", "exit_code"), int):
        code = text(reach(about, "metadata", "exit_code"))
    if tool in AGENTS:
        failed = about is None and (output != "" or tool not in QUIET)
        return "error" if failed else "timeout" if reach(about, "timed_out") is True else "ok"
    return "" if not code else "error" if code != "0" else "ok"


def used(value: object) -> dict[str, Any]:
    """The token fields of an event from a usage of Codex, whose input holds what was cached; {} if there is none."""
    given = mapping(value)
    if "input_tokens" not in given:
        return {}
    cached, written = count(given.get("cached_input_tokens")), count(given.get("cache_write_input_tokens"))
    return usage(
        fresh=count(given["input_tokens"]) - cached - written,
        cached=cached,
        cache_write=written,
        out=given.get("output_tokens"),
        reasoning=given.get("reasoning_output_tokens"),
    )


# An id that begins with its time, so that ids sort by time.
TIMED = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7")


def turn_ids(records: Iterable[Json]) -> set[str]:
    """The turns that some lines begin."""
    starts = (r for r in records if reach(r, "payload", "type") == "task_started")
    return {text(reach(r, "payload", "turn_id")) for r in starts}


def own_start(records: Sequence[Json], thread: str, known: set[str]) -> int:
    """How many of the first lines repeat another thread, or another file of this thread.

    `known` are the turns of the thread that can be repeated. The id of an own turn also sorts after that of the thread,
    because both begin with their time. A file that repeats nothing starts at 0.
    """
    first = mapping(records[0].get("payload")) if records else {}
    metas = {text(reach(r, "payload", "id")) for r in records[1:2] if r.get("type") == "session_meta"}
    found = turn_ids(records)
    if not (first.get("forked_from_id") or metas - {thread, ""} or found & known):
        return _older(records, thread, first)
    for i, record in enumerate(records):
        if reach(record, "payload", "type") == "task_started":
            turn = text(reach(record, "payload", "turn_id"))
            if turn not in known and (turn >= thread or not TIMED.match(thread) or not TIMED.match(turn)):
                return i
    return len(records) if found else _older(records, thread, first)


def _older(records: Sequence[Json], thread: str, meta: Json) -> int:
    """How many of the first lines are older than a sub-agent, so that they repeat its parent with its times."""
    if not reach(meta, "source", "subagent", "thread_spawn"):
        return 0
    begun = int(thread[:13].replace("-", ""), 16) * 1000 if TIMED.match(thread) else None
    born = min(filter(None, (begun, moment(meta.get("timestamp")))), default=0)
    rest = enumerate(records[1:], 1)
    n = next((i for i, record in rest if (moment(record.get("timestamp")) or born) >= born), len(records))
    return n if n > 1 else 0


def line_key(record: Json, turn: str) -> tuple[str | None, ...]:
    """What two lines have in common that are the same; those of one turn are the same whatever their times."""
    return turn or text(record.get("timestamp")), text(record.get("type")), content_hash(record.get("payload"))


OUTPUTS = {"reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"}
RESULTS = {"function_call_output", "custom_tool_call_output", "tool_search_output"}
ENDS = {"task_complete", "turn_aborted"}
NOTICE = "<subagent_notification>"


def read_records(log: LogFile) -> Iterator[Json]:
    """The lines in one shape; the oldest rollouts have neither times nor payloads."""
    for number, raw in enumerate(log.records()):
        if "payload" in raw:
            yield raw
        elif number == 0 and "id" in raw:
            yield {"timestamp": raw.get("timestamp"), "type": "session_meta", "payload": raw}
        elif "type" in raw:
            yield {"type": "response_item", "payload": raw}


def read_thread(thread: str, files: Sequence[Sequence[Json]], known: set[str]) -> CodexLog:
    """Combine the lines of the files of one thread. `known` are the turns of the thread that it was forked from."""
    meta = next((mapping(records[0].get("payload")) for records in files if records), {})
    reader = _RolloutReader(CodexLog(thread, meta=meta))
    # One thread in several files: a later file can repeat those before, which can end during a turn.
    ended: set[str] = set()
    lines: set[tuple[str | None, ...]] = set()
    for records in files:
        start, turn = own_start(records, thread, known | ended), ""
        reader.next_file()
        reader.recorded |= {
            text(reach(r, "payload", "turn_id")) for r in records[start:] if r.get("type") == "token_usage_record"
        }
        keys = []
        for i, record in enumerate(records):
            kind, about = text(reach(record, "payload", "type")), text(reach(record, "payload", "turn_id"))
            turn = about if kind == "task_started" else turn
            keys += [line_key(record, turn)] if len(files) > 1 else []
            reader.read(record, copied=i < start or (keys != [] and keys[-1] in lines))
            ended |= {about} if kind in ENDS else set()
        lines.update(keys)
    reader.flush()
    return reader.thread


class _RolloutReader:
    """Combines lines, one after the other."""

    def __init__(self, thread: CodexLog) -> None:
        self.thread = thread
        self.recorded: set[str] = set()
        self.responses: set[str] = set()
        self.model = ""
        self.line = 0
        self.at = moment(thread.meta.get("timestamp")) or 0
        self.asked: int | None = None
        self.said: ModelCall | None = None
        self.total: dict[str, int] = {}
        self.kept: dict[str, int] = {}

    def next_file(self) -> None:
        """Start the counter of tokens again: a file can go on from another one, before its end."""
        self.kept, self.total = self.total or self.kept, {}

    def read(self, record: Json, *, copied: bool) -> None:
        """Take one line; a copied one only moves the counter of tokens on."""
        body = mapping(record.get("payload"))
        kind = text(body.get("type"))
        if copied:
            self.thread.copied += record.get("type") != "session_meta"
            if kind == "token_count":
                self.total = used(reach(body, "info", "total_token_usage"))
            return
        self.line += 1
        at = moment(record.get("timestamp"))
        self.thread.timeless |= "timestamp" not in record
        self.at = self.at + 1 if at is None else at
        self.thread.times.append(self.at)
        if self.thread.turns:
            self.thread.turns[-1].last = self.at
        self._line(text(record.get("type")), kind, body)

    def _line(self, outer: str, kind: str, body: Json) -> None:
        if outer == "turn_context":
            self.model = text(body.get("model")) or self.model
        elif outer == "token_usage_record":
            self._record(body)
        elif outer == "compacted":
            self._compacted()
        elif outer == "response_item":
            self._item(kind, body)
        elif outer == "event_msg":
            self._event(kind, body)

    def _item(self, kind: str, body: Json) -> None:
        if kind in OUTPUTS or (kind == "message" and body.get("role") == "assistant"):
            self._output(kind, body)
        elif kind in RESULTS:
            self._result(body)
        elif kind == "agent_message":
            self._arrived(text(body.get("author")), *said(body))
        elif kind == "message":
            self.asked = self.at
            words = answer_of(body.get("content"))
            if words.startswith(NOTICE):
                notice = mapping(decoded(words.removeprefix(NOTICE).partition("</")[0].strip()))
                self._arrived(text(notice.get("agent_path")), "answer", *state_of(notice.get("status")))

    def _output(self, kind: str, body: Json) -> None:
        if self.said is not None and self.asked is not None and self.asked > self.said.end:
            self.flush()
        call = self._call()
        call.end = self.at
        call.content.append({key: body[key] for key in ("content", "name", "arguments", "input") if key in body})
        name = text(body.get("call_id") or body.get("id"))
        if not kind.endswith("_call") or not name or name in self.thread.by_id:
            return
        space = text(body.get("namespace"))
        tool = text(body.get("name")) or kind.removesuffix("_call")
        tool = f"{space}.{tool}" if space.startswith("mcp") else tool
        given = body.get("arguments") or body.get("input") or body.get("action")
        made = self.thread.add_call(RecordedCall(name, tool, parsed(given), self.at, place=self.line, model=call))
        if kind == "web_search_call":
            # The provider runs it inside the model call.
            made.end, made.result, made.status = self.at, "", "ok" if body.get("status") == "completed" else ""

    def _result(self, body: Json) -> None:
        self.asked = self.at
        call = self.thread.by_id.get(text(body.get("call_id")))
        if call is None or call.end is not None:
            return
        call.end = max(self.at, call.begin)
        call.result = answer_of(body.get("output"))
        call.status = call.status or turn_result(call.name, text(call.result))
        answers = mapping(mapping(decoded(text(call.result))).get("status"))
        if call.name in {"wait", "wait_agent"}:
            for child, status in answers.items():
                self._arrived(text(child), "answer", *state_of(status))
        if call.name == "close_agent" and mapping(decoded(text(call.result))).get("previous_status") == "running":
            self.thread.ended.append(({text(mapping(call.arguments).get("target"))}, "interrupted", self.at))

    def _arrived(self, author: str, kind: str, words: str, status: str = "ok") -> None:
        self.asked = self.at
        self.thread.arrivals.append(Arrival(author, kind, words, self.at, self.line, status))

    def _call(self) -> ModelCall:
        if self.said is None:
            begin = self.at if self.asked is None or self.thread.timeless else min(self.asked, self.at)
            self.said = ModelCall(begin, self.at, self.line, model=self.model)
        return self.said

    def _counted(self, usage: dict[str, int], source: str = "") -> None:
        """The end of a model call: its usage."""
        call = self._call()
        call.usage, call.id = usage, source
        if not call.content:
            call.end = self.at
        if self.asked is None or self.asked <= call.begin:
            self.asked = self.at
        self.flush()

    def flush(self) -> None:
        """The end of a model call, with or without its usage."""
        if self.said is not None:
            self.thread.models.append(self.said)
        self.said = None

    def _record(self, body: Json) -> None:
        source = text(body.get("response_id"))
        if text(body.get("thread_id")) in {"", self.thread.id} and source not in self.responses:
            self.responses |= {source} - {""}
            self._counted(used(body.get("usage")), source)

    def _count(self, info: object) -> None:
        """A counter of tokens, which grows with each model call, and is written again when nothing was called."""
        total, last = used(reach(info, "total_token_usage")), used(reach(info, "last_token_usage"))
        before, self.total = self.total or self._begun(total, last), total or self.total
        turn = self.thread.turns[-1].id if self.thread.turns else ""
        if not total or total == before or turn in self.recorded:
            return
        if last and not any(last.values()):
            return
        difference = {key: n - before.get(key, 0) for key, n in total.items()}
        # A counter that began anew: only the last call is known.
        self._counted(difference if min(difference.values()) >= 0 else last or total)

    def _begun(self, total: dict[str, int], last: dict[str, int]) -> dict[str, int]:
        """Where the counter of a file began: before its first call, if it is not the end of the file before again."""
        if self.said is None and total == self.kept:
            return total
        begun = {key: n - last.get(key, 0) for key, n in total.items()}
        return begun if any(last.values()) and min(begun.values(), default=0) >= 0 else self.kept

    def _compacted(self) -> None:
        """The call before it made the summary, unless that call asked for a tool or its answer was a turn's."""
        last = self.thread.models[-1] if self.thread.models else None
        if last is not None and not any(call.place >= last.place for call in self.thread.calls):
            ended = self.thread.turns and self.thread.turns[-1].end is not None
            last.purpose = "" if ended else "compaction"
        self.asked = self.at

    def _event(self, kind: str, body: Json) -> None:
        turns = self.thread.turns
        if kind == "task_started":
            self.flush()
            turns.append(Turn(self.at, self.at, id=text(body.get("turn_id"))))
            self.asked = self.at
        elif kind in ENDS:
            self._ended(kind, body)
        elif kind == "token_count":
            self._count(body.get("info"))
        elif kind == "user_message":
            self.thread.prompts.append((self.at, text(body.get("message"))))
        elif kind == "item_completed":
            self._completed(mapping(body.get("item")), body)

    def _ended(self, kind: str, body: Json) -> None:
        turn = next((t for t in self.thread.turns if t.id == text(body.get("turn_id")) and t.end is None), None)
        if turn is None:
            return
        self.flush()
        turn.last, turn.answer = self.at, text(body.get("last_agent_message"))
        failed = bool(body.get("error")) or ("last_agent_message" in body and body["last_agent_message"] is None)
        turn.close(self.at, "cancelled" if kind == "turn_aborted" else "error" if failed else "ok")

    def _completed(self, item: Json, body: Json) -> None:
        kind, call = item.get("type"), self.thread.by_id.get(text(item.get("id")))
        if kind == "UserMessage":
            self.thread.prompts.append((self.at, answer_of(item.get("content"))))
        elif kind == "SubAgentActivity" and item.get("kind") == "started":
            self.thread.started[text(item.get("id"))] = text(item.get("agent_thread_id"))
        elif kind == "SubAgentActivity" and item.get("kind") in {"completed", "interrupted"}:
            names = {text(item.get("agent_thread_id")), text(item.get("agent_path"))}
            self.thread.ended.append((names, text(item.get("kind")), self.at))
        elif call is not None and call.end is None and kind == "CommandExecution":
            began = moment(count(body.get("started_at_ms")))
            call.begin = began if began is not None and call.begin <= began <= self.at else call.begin
            call.status = "error" if count(item.get("exit_code")) else "ok" if "exit_code" in item else ""
