"""The lines of a Claude Code transcript, combined to model calls, tool calls with results, prompts and turns."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from awesome_cli.traces.importers.foreign import Json, mapping, moment, objects, reach, text, usage
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import EventDraft

NOTICES = ("<task-notification>", "<agent-notification>", "<teammate-message")
NOTICE = re.compile(r"<(task-notification|agent-notification|teammate-message)\b([^>]*)>(.*?)(?:</\1>|\Z)", re.DOTALL)
NOTICE_NAMES = re.compile(r"<(?:task-id|agent-id|tool-use-id)>\s*([^<\s]+)|teammate_id=\"([^\"]+)\"")
NOTICE_STATUS = re.compile(r"<status>\s*(\w+)")
AGENT_TAIL = re.compile(r"\bagentId: ([\w@.-]+)")
RETRIEVAL = re.compile(r"<retrieval_status>\s*(\w+)")
FETCHING = {"AgentOutputTool", "TaskOutput"}
INTERRUPTED = "[Request interrupted by user"
# Lines of the user that no person typed.
MACHINE = ("<command-", "<local-command-", "<system-reminder>", "Caveat:", *NOTICES)
STATUSES = {"failed": "error", "error": "error", "killed": "cancelled", "stopped": "cancelled"}


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line, the object `raw`; `at` is its time in microseconds since 1970, or its number where lines have none."""

    kind: str
    at: int
    uuid: str
    raw: Json

    @property
    def message(self) -> Json:
        return mapping(self.raw.get("message"))

    @property
    def blocks(self) -> list[Json]:
        return objects(self.message.get("content"))

    @property
    def text(self) -> str:
        """The text of the line, without results of tools."""
        return words_of(self.message.get("content"))


@dataclass
class ModelCall:
    """One model call: all lines with one message id."""

    id: str
    begin: int
    end: int
    model: str = ""
    usage: Json = field(default_factory=dict)
    content: list[object] = field(default_factory=list)


@dataclass
class TranscriptCall:
    """One tool call, with its result where there is one; `answer` is what Claude Code itself noted of the result."""

    id: str
    name: str
    arguments: Json
    begin: int
    end: int | None = None
    result: object = None
    answer: Json = field(default_factory=dict)
    status: str = "ok"
    answered: bool = False

    @property
    def agent_id(self) -> str:
        """The sub-agent that the result names, else the end of its text does."""
        named = text(self.answer.get("agentId") or self.answer.get("agent_id"))
        tail = AGENT_TAIL.search(words_of(self.result)) if not named else None
        return tail[1] if tail else named

    @property
    def background(self) -> bool:
        status = self.answer.get("status")
        tail = words_of(self.result).startswith("Async agent launched")
        return tail or self.answer.get("isAsync") is True or status in ("async_launched", "teammate_spawned")


@dataclass
class Turn:
    """From a prompt to the last line before the next; `ended` if the agent itself ended it."""

    prompt: TranscriptLine
    last: TranscriptLine
    answer: object = None
    ended: bool = False
    failed: bool = False
    interrupted: bool = False


@dataclass
class Transcript:
    """What one agent did.

    `asked` are the prompts of a person after the first, with the time from which the agent waited for them.
    `delivered` has, by the id of a task, call or agent, when news of its end reached this agent, and its status.
    """

    agent: str
    meta: Json = field(default_factory=dict)
    models: list[ModelCall] = field(default_factory=list)
    calls: list[TranscriptCall] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    asked: list[tuple[TranscriptLine, int]] = field(default_factory=list)
    delivered: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    drafts: list[EventDraft] = field(default_factory=list)
    synthetic: int = 0
    nameless: int = 0

    @property
    def first(self) -> TranscriptLine | None:
        return self.turns[0].prompt if self.turns else None

    def turn_at(self, at: int) -> Turn | None:
        """The turn that had begun last at a time."""
        return next((turn for turn in reversed(self.turns) if turn.prompt.at <= at), None)


def words_of(content: object) -> str:
    """The text of a content, without results of tools."""
    if isinstance(content, str):
        return text(content)
    return "\n".join(text(block.get("text")) for block in objects(content) if block.get("type") == "text")


def read_lines(log: LogFile) -> Iterator[TranscriptLine]:
    """The lines of the user and the assistant; others, such as progress, are left out.

    What reached an agent while it worked is an attachment: it is a line of the user.
    """
    for raw in log.records():
        kind, at = text(raw.get("type")), moment(raw.get("timestamp"))
        if kind == "attachment" and reach(raw, "attachment", "type") == "queued_command":
            kind, raw = "user", raw | {"message": {"content": reach(raw, "attachment", "prompt")}}
        if at is not None and kind in {"user", "assistant"}:
            yield TranscriptLine(kind, at, text(raw.get("uuid")), raw)


def read_transcript(lines: list[TranscriptLine], agent: str, meta: Json | None = None) -> Transcript:
    """Combine the lines of one agent."""
    own = Transcript(agent, meta=meta or {})
    models: dict[str, ModelCall] = {}
    calls: dict[str, TranscriptCall] = {}
    asked_in: dict[str, str] = {}
    before: TranscriptLine | None = None
    open_calls: set[str] = set()
    # Lines can be written late; lines of equal time keep the file's order.
    for line in sorted(lines, key=lambda line: line.at):
        idle = before is None or (before.kind == "assistant" and not open_calls)
        if line.kind == "assistant":
            key = _assistant(line, before.at if before else line.at, models, own)
            for block in line.blocks:
                name = text(block.get("id"))
                if block.get("type") == "tool_use" and name and name not in calls:
                    calls[name] = TranscriptCall(name, text(block.get("name")), mapping(block.get("input")), line.at)
                    asked_in[name] = key
                    open_calls.add(name)
                own.nameless += block.get("type") == "tool_use" and not name
        else:
            open_calls -= _results(line, calls, own)
            if line.text.startswith(INTERRUPTED):
                own.asked.append((line, line.at))
            elif _is_prompt(line):
                if own.turns:
                    own.asked.append((line, before.at if idle and before else line.at))
                if idle:
                    own.turns.append(Turn(line, line))
        _continue(own, line, models, open_calls)
        before = line
    for call in calls.values():
        # A tool starts when the model call has ended, unless its result came earlier.
        ended = models[asked_in[call.id]].end if asked_in[call.id] in models else call.begin
        if call.end is None or ended <= call.end:
            call.begin = max(call.begin, ended)
        if call.end is not None:
            call.end = max(call.begin, call.end)
    own.models, own.calls = list(models.values()), list(calls.values())
    return own


def _continue(own: Transcript, line: TranscriptLine, models: dict[str, ModelCall], open_calls: set[str]) -> None:
    """Make the line the last one of the running turn."""
    if not own.turns:
        own.turns.append(Turn(line, line))
    turn = own.turns[-1]
    turn.last, turn.ended = line, line.kind == "assistant" and not open_calls
    turn.interrupted = line.kind == "user" and line.text.startswith(INTERRUPTED)
    turn.failed = line.raw.get("isApiErrorMessage") is True
    if line.kind == "assistant" and models:
        turn.answer = next(reversed(models.values())).content


def _is_prompt(line: TranscriptLine) -> bool:
    by_interface = line.raw.get("isMeta") is True or line.raw.get("isCompactSummary") is True
    has_result = any(block.get("type") == "tool_result" for block in line.blocks)
    words = line.text
    return bool(words) and not has_result and not by_interface and not words.startswith(MACHINE)


def _assistant(line: TranscriptLine, before: int, models: dict[str, ModelCall], own: Transcript) -> str:
    """Add a line to its model call; the id of that call. Every line repeats the usage, and the last one has it whole."""
    key = text(line.message.get("id")) or line.uuid
    name = text(line.message.get("model"))
    if name == "<synthetic>":
        own.synthetic += 1
        return key
    model = models.setdefault(key, ModelCall(key, before, line.at))
    model.begin, model.end = min(model.begin, line.at), max(model.end, line.at)
    model.model = name or model.model
    if found := mapping(line.message.get("usage")):
        model.usage = tokens_of(found)
        if line.message.get("stop_reason", "") is None:
            # While a message is written, the number of tokens is a placeholder.
            model.usage["tokens_partial"] = True
    # Signatures differ in every run, so the content is text, thinking and calls only.
    model.content += ({k: b[k] for k in ("type", "text", "thinking", "name", "input") if k in b} for b in line.blocks)
    return key


def tokens_of(found: Json) -> Json:
    """The token fields of an event from a usage of the Messages API."""
    return usage(
        fresh=found.get("input_tokens"),
        cached=found.get("cache_read_input_tokens"),
        cache_write=found.get("cache_creation_input_tokens"),
        out=found.get("output_tokens"),
    )


def _results(line: TranscriptLine, calls: dict[str, TranscriptCall], own: Transcript) -> set[str]:
    """Add results of tools to their calls, and note what the line says about the end of tasks; the ids of the calls."""
    answered = set()
    for block in line.blocks:
        call = calls.get(text(block.get("tool_use_id")))
        if block.get("type") != "tool_result" or call is None or call.answered:
            continue
        answered.add(call.id)
        call.answered, call.end, call.result = True, line.at, block.get("content")
        call.answer = mapping(line.raw.get("toolUseResult"))
        call.status = "error" if block.get("is_error") is True else "ok"
        if call.name in FETCHING:
            _fetched(call, line.at, own)
    words = line.text
    for notice in NOTICE.finditer(words) if words.lstrip().startswith(NOTICES) else ():
        status = NOTICE_STATUS.search(notice[3])
        for names in NOTICE_NAMES.findall(notice[2] + notice[3]):
            own.delivered[names[0] or names[1]].append((line.at, STATUSES.get(status[1], "ok") if status else "ok"))
    return answered


def _fetched(call: TranscriptCall, at: int, own: Transcript) -> None:
    """A poll delivers if it says success, or nothing about that; while the task runs it says not_ready or timeout."""
    said = RETRIEVAL.search(words_of(call.result))
    retrieval = text(call.answer.get("retrieval_status")) or (said[1] if said else "success")
    if retrieval == "success":
        name = text(call.arguments.get("task_id") or call.arguments.get("agentId"))
        own.delivered[name].append((at, STATUSES.get(text(reach(call.answer, "task", "status")), "ok")))
