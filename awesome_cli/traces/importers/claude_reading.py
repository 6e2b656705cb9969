"""Reads the lines of one agent of Claude Code, and combines them."""

import re
from collections.abc import Iterator

from awesome_cli.traces.importers.claude_lines import (
    ModelCall,
    Transcript,
    TranscriptCall,
    TranscriptLine,
    Turn,
    tokens_of,
    words_of,
)
from awesome_cli.traces.importers.foreign import Json, mapping, moment, reach, text
from awesome_cli.traces.importers.log_file import LogFile

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


def read_transcript(lines: list[TranscriptLine], agent: str, meta: Json | None = None) -> Transcript:
    """Combine the lines of one agent."""
    reader = _TranscriptReader(Transcript(agent, meta=meta or {}))
    # Lines can be written late; lines of equal time keep the file's order.
    for line in sorted(lines, key=lambda line: line.at):
        reader.add(line)
    return reader.finished()


class _TranscriptReader:
    """Adds lines in the order of time; `open` are the calls without a result so far."""

    def __init__(self, own: Transcript) -> None:
        self.own = own
        self.models: dict[str, ModelCall] = {}
        self.calls: dict[str, TranscriptCall] = {}
        self.asked_in: dict[str, str] = {}
        self.open: set[str] = set()
        self.before: TranscriptLine | None = None
        self.newest: ModelCall | None = None

    def add(self, line: TranscriptLine) -> None:
        """Add the next line."""
        if line.kind == "assistant":
            self._calls(line, self._model(line))
        else:
            self._results(line)
            self._notices(line)
            self._prompt(line)
        self._turn(line)
        self.before = line

    def finished(self) -> Transcript:
        """The transcript. A tool starts when the model call has ended, unless its result came earlier."""
        for call in self.calls.values():
            model = self.models.get(self.asked_in[call.id])
            ended = model.end if model else call.begin
            if call.end is None or ended <= call.end:
                call.begin = max(call.begin, ended)
            if call.end is not None:
                call.end = max(call.begin, call.end)
        self.own.models, self.own.calls = list(self.models.values()), list(self.calls.values())
        return self.own

    @property
    def _idle(self) -> bool:
        return self.before is None or (self.before.kind == "assistant" and not self.open)

    def _model(self, line: TranscriptLine) -> str:
        """Add a line to its model call; the id of that call. Each line repeats the usage; the last one has it whole."""
        key = text(line.message.get("id")) or line.uuid
        name = text(line.message.get("model"))
        if name == "<synthetic>":
            self.own.synthetic += 1
            return key
        begin = self.before.at if self.before else line.at
        model = self.newest = self.models.setdefault(key, ModelCall(key, begin, line.at))
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
        return key

    def _calls(self, line: TranscriptLine, key: str) -> None:
        for block in line.blocks:
            name = text(block.get("id"))
            if block.get("type") == "tool_use" and name and name not in self.calls:
                tool = text(block.get("name"))
                self.calls[name] = TranscriptCall(name, tool, mapping(block.get("input")), line.at)
                self.asked_in[name] = key
                self.open.add(name)
            self.own.nameless += block.get("type") == "tool_use" and not name

    def _results(self, line: TranscriptLine) -> None:
        """Add results of tools to their calls."""
        for block in line.blocks:
            call = self.calls.get(text(block.get("tool_use_id")))
            if block.get("type") != "tool_result" or call is None or call.answered:
                continue
            self.open.discard(call.id)
            call.answered, call.end, call.result = True, line.at, block.get("content")
            call.answer = mapping(line.raw.get("toolUseResult"))
            call.status = "error" if block.get("is_error") is True else "ok"
            if call.awaited:
                self._fetched(call, line.at)

    def _fetched(self, call: TranscriptCall, at: int) -> None:
        """A poll delivers if it says success, or nothing about that; while a task runs, it says something else."""
        said = RETRIEVAL.search(words_of(call.result))
        retrieval = text(call.answer.get("retrieval_status")) or (said[1] if said else "success")
        if retrieval == "success":
            status = text(reach(call.answer, "task", "status"))
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
            self.own.asked.append((line, line.at))
        elif _is_prompt(line):
            if self.own.turns:
                self.own.asked.append((line, self.before.at if self._idle and self.before else line.at))
            if self._idle:
                self.own.turns.append(Turn(line, line))

    def _turn(self, line: TranscriptLine) -> None:
        """Make the line the last one of the running turn."""
        if not self.own.turns:
            self.own.turns.append(Turn(line, line))
        turn = self.own.turns[-1]
        turn.last, turn.ended = line, line.kind == "assistant" and not self.open
        turn.interrupted = line.kind == "user" and line.text.startswith(INTERRUPTED)
        turn.failed = line.raw.get("isApiErrorMessage") is True
        if line.kind == "assistant" and self.newest:
            turn.answer = self.newest.content


def _is_prompt(line: TranscriptLine) -> bool:
    by_interface = line.raw.get("isMeta") is True or line.raw.get("isCompactSummary") is True
    has_result = any(block.get("type") == "tool_result" for block in line.blocks)
    words = line.text
    return bool(words) and not has_result and not by_interface and not words.startswith(MACHINE)
