"""Reads the lines of one agent of Claude Code, and combines them."""

import re
from collections.abc import Iterator

from awesome_cli.traces.importers.claude_lines import ClaudeCall, ClaudeLog, TranscriptLine, tokens_of, words_of
from awesome_cli.traces.importers.foreign import Json, mapping, moment, reach, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.session import HumanWait, ModelCall, Turn

NOTICES = ("<task-notification>", "<agent-notification>", "<teammate-message")
NOTICE = re.compile(r"<(task-notification|agent-notification|teammate-message)\b([^>]*)>(.*?)(?:</\1>|\Z)", re.DOTALL)
NOTICE_NAMES = re.compile(r"<(?:task-id|agent-id|tool-use-id)>\s*([^<\s]+)|teammate_id=\"([^\"]+)\"")
NOTICE_STATUS = re.compile(r"<status>\s*(\w+)")
RETRIEVAL = re.compile(r"<retrieval_status>\s*(\w+)")
INTERRUPTED = "[Request interrupted by user"
# Lines of the user that no person typed.
MACHINE = ("<command-", "<local-command-", "<system-reminder>", "Caveat:", *NOTICES)
STATUSES = {"failed": "error", "error": "error", "killed": "cancelled", "stopped": "cancelled"}


def read_lines(log: LogFile) -> Iterator[TranscriptLine]:
    """The lines of the user and the assistant; others, such as progress, are left out.

    What reached an agent while it worked is an attachment: it is a line of the user.
    """
    for raw in log.records():
        kind, at, message = text(raw.get("type")), moment(raw.get("timestamp")), raw.get("message")
        if kind == "attachment" and reach(raw, "attachment", "type") == "queued_command":
            kind, message = "user", {"content": reach(raw, "attachment", "prompt")}
        if at is not None and kind in {"user", "assistant"}:
            yield TranscriptLine(kind, at, text(raw.get("uuid")), raw | {"message": message})


def read_log(lines: list[TranscriptLine], agent: str, meta: Json | None = None) -> ClaudeLog:
    """Combine the lines of one agent."""
    meta = meta or {}
    own = ClaudeLog(agent, role=text(meta.get("agentType")), parent=text(meta.get("parentAgentId")), meta=meta)
    reader = _LogReader(own)
    # Lines can be written late; lines of equal time keep the file's order.
    for line in sorted(lines, key=lambda line: line.at):
        reader.add(line)
    reader.finish()
    return own


class _LogReader:
    """Adds lines in the order of time; `open` are the calls without a result so far."""

    def __init__(self, own: ClaudeLog) -> None:
        self.own = own
        self.models: dict[str, ModelCall] = {}
        self.open: set[str] = set()
        self.before: TranscriptLine | None = None
        self.newest: ModelCall | None = None

    def add(self, line: TranscriptLine) -> None:
        """Add the next line."""
        self.own.times.append(line.at)
        if line.kind == "assistant":
            self._calls(line, self._model(line))
        else:
            self._results(line)
            self._notices(line)
            self._prompt(line)
        self._turn(line)
        self.before = line

    def finish(self) -> None:
        """Set when tools started: when the model call had ended, unless their result came earlier."""
        for call in self.own.calls:
            ended = call.model.end if call.model is not None else call.begin
            if call.end is None or ended <= call.end:
                call.begin = max(call.begin, ended)
            if call.end is not None:
                call.end = max(call.begin, call.end)
        self.own.models = list(self.models.values())

    @property
    def _idle(self) -> bool:
        return self.before is None or (self.before.kind == "assistant" and not self.open)

    def _model(self, line: TranscriptLine) -> ModelCall | None:
        """Add a line to its model call, and return that. Each line repeats the usage; the last one has it whole."""
        key = text(line.message.get("id")) or line.uuid
        name = text(line.message.get("model"))
        if name == "<synthetic>":
            self.own.losses["messages that the interface wrote in the name of an agent"] += 1
            return self.models.get(key)
        begin = self.before.at if self.before else line.at
        model = self.newest = self.models.setdefault(key, ModelCall(begin, line.at, begin, key))
        model.end = max(model.end, line.at)
        model.model = name or model.model
        if found := mapping(line.message.get("usage")):
            model.usage = tokens_of(found)
            if line.message.get("stop_reason", "") is None:
                # While a message is written, the number of tokens is a placeholder.
                model.usage["tokens_partial"] = True
        # Signatures differ in every run, so the content is text, thinking and calls only.
        kept = ("type", "text", "thinking", "name", "input")
        model.content += ({key: block[key] for key in kept if key in block} for block in line.blocks)
        return model

    def _calls(self, line: TranscriptLine, model: ModelCall | None) -> None:
        for block in line.blocks:
            name = text(block.get("id"))
            if block.get("type") == "tool_use" and name and name not in self.own.by_id:
                tool, given = text(block.get("name")), mapping(block.get("input"))
                self.own.add_call(ClaudeCall(name, tool, given, line.at, model=model))
                self.open.add(name)
            self.own.losses["calls of tools without an id"] += block.get("type") == "tool_use" and not name

    def _results(self, line: TranscriptLine) -> None:
        for block in line.blocks:
            call = self.own.by_id.get(text(block.get("tool_use_id")))
            if block.get("type") != "tool_result" or not isinstance(call, ClaudeCall) or call.end is not None:
                continue
            self.open.discard(call.id)
            call.end, call.result = line.at, block.get("content")
            call.note = mapping(line.raw.get("toolUseResult"))
            call.status = "error" if block.get("is_error") is True else "ok"
            if call.awaited:
                self._fetched(call, line.at)

    def _fetched(self, call: ClaudeCall, at: int) -> None:
        """A poll delivers if it says success, or nothing about that; while a task runs, it says something else."""
        said = RETRIEVAL.search(words_of(call.result))
        retrieval = text(call.note.get("retrieval_status")) or (said[1] if said else "success")
        if retrieval == "success":
            status = text(reach(call.note, "task", "status"))
            self.own.delivered[call.awaited].append((at, STATUSES.get(status, "ok")))

    def _notices(self, line: TranscriptLine) -> None:
        """Note what a line says about the end of tasks and about words of teammates."""
        words = line.text
        for notice in NOTICE.finditer(words) if words.lstrip().startswith(NOTICES) else ():
            status = NOTICE_STATUS.search(notice[3])
            for names in NOTICE_NAMES.findall(notice[2] + notice[3]):
                news = (line.at, STATUSES.get(status[1], "ok") if status else "ok")
                self.own.delivered[names[0] or names[1]].append(news)

    def _prompt(self, line: TranscriptLine) -> None:
        """Note a prompt; one that comes while the agent is idle begins a turn."""
        if line.text.startswith(INTERRUPTED):
            self._wait(line, line.at)
        elif _is_prompt(line):
            if self.own.turns:
                self._wait(line, self.before.at if self._idle and self.before else line.at)
            if self._idle:
                self._begin(line)

    def _wait(self, line: TranscriptLine, since: int) -> None:
        self.own.waits.append(HumanWait(since, line.at if since < line.at else None, line.text, line.uuid))

    def _begin(self, line: TranscriptLine) -> None:
        self.own.turns.append(Turn(line.at, line.at, prompt=line.text))

    def _turn(self, line: TranscriptLine) -> None:
        """Make the line the last one of the running turn. The agent ends a turn by words, a person by an interrupt."""
        if not self.own.turns:
            self._begin(line)
        turn = self.own.turns[-1]
        interrupted = line.kind == "user" and line.text.startswith(INTERRUPTED)
        turn.last = line.at
        turn.end = line.at if interrupted or (line.kind == "assistant" and not self.open) else None
        turn.status = "cancelled" if interrupted else "error" if line.raw.get("isApiErrorMessage") is True else "ok"
        if line.kind == "assistant" and self.newest:
            turn.answer = self.newest.content


def _is_prompt(line: TranscriptLine) -> bool:
    by_interface = line.raw.get("isMeta") is True or line.raw.get("isCompactSummary") is True
    has_result = any(block.get("type") == "tool_result" for block in line.blocks)
    words = line.text
    return bool(words) and not has_result and not by_interface and not words.startswith(MACHINE)
