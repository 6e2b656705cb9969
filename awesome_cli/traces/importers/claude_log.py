"""The log of one agent of Claude Code.

A message is written as several lines, one per block: `{"type": "assistant", "timestamp": "2026-…", "message":
{"id": "msg_1", "content": [{"type": "text", "text": "Hi"}], "usage": {…}}}`. These lines become one model call.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from awesome_cli.traces.importers.foreign import Json, mapping, moment, objects, reach, text, usage
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.session import AgentLog, HumanWait, ModelCall, RecordedCall, Turn

FETCHING = {"AgentOutputTool", "TaskOutput"}
NOTICES = ("<task-notification>", "<agent-notification>", "<teammate-message")
NOTICE = re.compile(r"<(task-notification|agent-notification|teammate-message)\b([^>]*)>(.*?)(?:</\1>|\Z)", re.DOTALL)
NOTICE_NAMES = re.compile(r"<(?:task-id|agent-id|tool-use-id)>\s*([^<\s]+)|teammate_id=\"([^\"]+)\"")
NOTICE_STATUS = re.compile(r"<status>\s*(\w+)")
RETRIEVAL = re.compile(r"<retrieval_status>\s*(\w+)")
INTERRUPTED = "[Request interrupted by user"
MACHINE = ("<command-", "<local-command-", "<system-reminder>", "Caveat:", *NOTICES)
"""Prefixes of the lines of the user that no person typed."""
STATUSES = {"failed": "error", "error": "error", "killed": "cancelled", "stopped": "cancelled"}
CONTENT = ("type", "text", "thinking", "name", "input")
"""Fields of blocks that are hashed. Signatures are left out because they differ in every run."""
USAGE = {
    "fresh": "input_tokens", "cached": "cache_read_input_tokens", "cache_write": "cache_creation_input_tokens",
    "out": "output_tokens",
}  # fmt: skip


class TranscriptLine:
    """A line of the log: its object (`raw`) and its message text, without tool results.

    `at` is the time in microseconds since 1970, or the line number if lines have no times.
    """

    def __init__(self, raw: Json, at: int) -> None:
        self.raw, self.at = raw, at
        self.uuid = text(raw.get("uuid"))
        self.message = mapping(raw.get("message"))
        self.blocks = objects(self.message.get("content"))
        self.text = words_of(self.message.get("content"))
        self.is_answer = raw.get("type") == "assistant"
        self.is_interrupt = not self.is_answer and self.text.startswith(INTERRUPTED)


@dataclass
class ClaudeLog(AgentLog):
    """The log of an agent; `meta` is its description, `workflow` the id of the workflow that it belongs to.

    `delivered` maps the id of a task, call or agent to the notices of its end that this agent got: time and status.
    """

    delivered: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    workflow: str = ""


def words_of(content: object) -> str:
    """Return the text of a message's content, without tool results."""
    if isinstance(content, str):
        return text(content)
    return "\n".join(text(block.get("text")) for block in objects(content) if block.get("type") == "text")


def tokens_of(spent: Json) -> Json:
    """Convert a usage of the Messages API to the token fields of an event."""
    return usage(**{field: spent.get(name) for field, name in USAGE.items()})


def awaited(call: RecordedCall) -> str:
    """Return the id of the agent or background command that a call waits for; empty for other calls."""
    return text(call.argument("task_id") or call.argument("agentId")) if call.name in FETCHING else ""


def read_lines(log: LogFile) -> Iterator[TranscriptLine]:
    """Yield the lines of the user and the assistant; other lines, such as progress, are skipped.

    An attachment is a prompt that reaches the agent during its turn; it is read as a line of the user.
    """
    for raw in log.records():
        at, kind = moment(raw.get("timestamp")), raw.get("type")
        if at is not None and kind in ("user", "assistant"):
            yield TranscriptLine(raw, at)
        elif at is not None and kind == "attachment" and reach(raw, "attachment", "type") == "queued_command":
            yield TranscriptLine(raw | {"type": "user", "message": {"content": reach(raw, "attachment", "prompt")}}, at)


def read_log(lines: list[TranscriptLine], agent: str, meta: Json | None = None) -> ClaudeLog:
    """Combine the lines of one agent into a log."""
    meta = meta or {}
    own = ClaudeLog(agent, role=text(meta.get("agentType")), parent=text(meta.get("parentAgentId")), meta=meta)
    reader = _LogReader(own)
    # Lines can be written late; lines of equal time keep the file's order.
    for line in sorted(lines, key=lambda line: line.at):
        reader.add(line)
    own.models = list(reader.models.values())
    for call in own.calls:
        call.start_after_model()
    return own


class _LogReader:
    """Adds lines in the order of their times; `open` has the ids of calls that have no result yet."""

    def __init__(self, own: ClaudeLog) -> None:
        self.own = own
        self.models: dict[str, ModelCall] = {}
        self.open: set[str] = set()
        self.before: TranscriptLine | None = None
        self.newest: ModelCall | None = None

    def add(self, line: TranscriptLine) -> None:
        self.own.times.append(line.at)
        if line.is_answer:
            self._calls(line, self._model(line))
        else:
            self._results(line)
            self._notices(line)
            self._prompt(line)
        self._turn(line)
        self.before = line

    def _model(self, line: TranscriptLine) -> ModelCall | None:
        """Add a line to its model call; return the call. Lines repeat the usage; the last line's is complete."""
        key = text(line.message.get("id")) or line.uuid
        name = text(line.message.get("model"))
        if name == "<synthetic>":
            self.own.losses["messages that the interface wrote in the name of an agent"] += 1
            return self.models.get(key)
        begin = self.before.at if self.before else line.at
        model = self.newest = self.models.setdefault(key, ModelCall(begin, line.at, begin, key))
        model.end = max(model.end, line.at)
        model.model = name or model.model
        if spent := mapping(line.message.get("usage")):
            model.usage = tokens_of(spent)
            if line.message.get("stop_reason", "") is None:
                # While a message is written, the number of tokens is a placeholder.
                model.usage["tokens_partial"] = True
        model.content += ({key: block[key] for key in CONTENT if key in block} for block in line.blocks)
        return model

    def _calls(self, line: TranscriptLine, model: ModelCall | None) -> None:
        for block in line.blocks:
            name = text(block.get("id"))
            if block.get("type") == "tool_use" and name and name not in self.own.by_id:
                arguments = mapping(block.get("input"))
                self.own.add_call(RecordedCall(name, text(block.get("name")), arguments, line.at, model=model))
                self.open.add(name)
            self.own.losses["calls of tools without an id"] += block.get("type") == "tool_use" and not name

    def _results(self, line: TranscriptLine) -> None:
        for block in line.blocks:
            call = self.own.by_id.get(text(block.get("tool_use_id")))
            if block.get("type") != "tool_result" or call is None or call.end is not None:
                continue
            self.open.discard(call.id)
            call.end, call.result = line.at, block.get("content")
            call.note = mapping(line.raw.get("toolUseResult"))
            call.status = "error" if block.get("is_error") is True else "ok"
            # A poll delivers a result if its status is success or missing; while the task runs, it has another status.
            retrieval = RETRIEVAL.search(words_of(call.result))
            state = text(call.note.get("retrieval_status")) or (retrieval[1] if retrieval else "success")
            if awaited(call) and state == "success":
                status = text(reach(call.note, "task", "status"))
                self.own.delivered[awaited(call)].append((line.at, STATUSES.get(status, "ok")))

    def _notices(self, line: TranscriptLine) -> None:
        """Add a line's notices about ended tasks, and the messages of teammates."""
        for notice in NOTICE.finditer(line.text) if line.text.lstrip().startswith(NOTICES) else ():
            status = NOTICE_STATUS.search(notice[3])
            for names in NOTICE_NAMES.findall(notice[2] + notice[3]):
                news = (line.at, STATUSES.get(status[1], "ok") if status else "ok")
                self.own.delivered[names[0] or names[1]].append(news)

    def _prompt(self, line: TranscriptLine) -> None:
        """Record a person's prompt or interrupt as a wait; a prompt to an idle agent also begins a turn."""
        by_interface = line.raw.get("isMeta") is True or line.raw.get("isCompactSummary") is True
        has_result = any(block.get("type") == "tool_result" for block in line.blocks)
        is_prompt = line.text and not has_result and not by_interface and not line.text.startswith(MACHINE)
        if not line.is_interrupt and not is_prompt:
            return
        idle = not line.is_interrupt and (self.before is None or (self.before.is_answer and not self.open))
        since = self.before.at if idle and self.before else line.at
        if self.own.turns or line.is_interrupt:
            self.own.waits.append(HumanWait(since, line.at if since < line.at else None, line.text, line.uuid))
        if idle:
            self.own.turns.append(Turn(line.at, line.at, prompt=line.text))

    def _turn(self, line: TranscriptLine) -> None:
        """Make the line the last of the current turn. A turn ends with the agent's answer or a person's interrupt."""
        if not self.own.turns:
            self.own.turns.append(Turn(line.at, line.at, prompt=line.text))
        turn = self.own.turns[-1]
        turn.last = line.at
        turn.end = line.at if line.is_interrupt or (line.is_answer and not self.open) else None
        failed = line.raw.get("isApiErrorMessage") is True
        turn.status = "cancelled" if line.is_interrupt else "error" if failed else "ok"
        if line.is_answer and self.newest:
            turn.answer = self.newest.content
