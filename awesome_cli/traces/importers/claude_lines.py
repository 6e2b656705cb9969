"""The lines of a Claude Code transcript, combined to model calls, tool calls with results, and prompts."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awesome_cli.traces.importers.foreign import Json, count, mapping, moment, objects, reach, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import EventDraft

NOTICE = "<task-notification>"
# Lines of the user that no person typed.
MACHINE = ("<command-", "<local-command-", "<system-reminder>", "Caveat:", NOTICE)


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line, the object `raw`; `at` is its time in microseconds since 1970."""

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
        content = self.message.get("content")
        if isinstance(content, str):
            return text(content)
        return "\n".join(text(block.get("text")) for block in self.blocks if block.get("type") == "text")


@dataclass
class ModelCall:
    """One model call: all lines with one message id."""

    id: str
    begin: int
    end: int
    model: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    content: list[object] = field(default_factory=list)


@dataclass
class TranscriptCall:
    """One tool call, with its result where there is one."""

    id: str
    name: str
    arguments: Json
    begin: int
    end: int | None = None
    result: object = None
    status: str = "ok"
    answered: bool = False
    agent_id: str = ""
    background: bool = False


@dataclass
class Transcript:
    """What one agent did."""

    agent: str
    role: str = ""
    meta: Json = field(default_factory=dict)
    models: list[ModelCall] = field(default_factory=list)
    calls: list[TranscriptCall] = field(default_factory=list)
    prompts: list[TranscriptLine] = field(default_factory=list)
    notices: list[TranscriptLine] = field(default_factory=list)
    delivered: dict[str, int] = field(default_factory=dict)
    drafts: list[EventDraft] = field(default_factory=list)
    synthetic: int = 0
    first: TranscriptLine | None = None
    last: TranscriptLine | None = None

    @property
    def answer(self) -> object:
        """The text of the last message."""
        return self.models[-1].content if self.models else None

    def notified_at(self, child: str, names: set[str]) -> int | None:
        """When the agent received the notification that a background child had finished; queued ones do not count."""
        times = [line.at for line in self.notices if any(name and name in line.text for name in names)]
        if child in self.delivered:
            times.append(self.delivered[child])
        return min(times, default=None)


def read_lines(log: LogFile) -> Iterator[TranscriptLine]:
    """The lines of the user and the assistant; others, such as progress, are left out."""
    for raw in log.records():
        at, kind = moment(raw.get("timestamp")), text(raw.get("type"))
        if at is not None and kind in {"user", "assistant"}:
            yield TranscriptLine(kind, at, text(raw.get("uuid")), raw)


def read_transcript(lines: list[TranscriptLine], agent: str, meta: Json | None = None) -> Transcript:
    """Combine the lines of one agent."""
    meta = meta or {}
    own = Transcript(agent, role=text(meta.get("agentType")), meta=meta)
    models: dict[str, ModelCall] = {}
    calls: dict[str, TranscriptCall] = {}
    asked_in: dict[str, str] = {}
    before: int | None = None
    # Lines can be written late; lines of equal time keep the file's order.
    for line in sorted(lines, key=lambda line: line.at):
        own.first, own.last = own.first or line, line
        if line.kind == "assistant":
            key = _assistant(line, before, models, own)
            for block in line.blocks:
                name = text(block.get("id"))
                if block.get("type") == "tool_use" and name and name not in calls:
                    calls[name] = TranscriptCall(name, text(block.get("name")), mapping(block.get("input")), line.at)
                    asked_in[name] = key
        else:
            _user(line, calls, own)
        before = line.at
    for call in calls.values():
        # A tool starts when the model call has ended, unless its result came earlier.
        ended = models[asked_in[call.id]].end if asked_in[call.id] in models else call.begin
        if call.end is None or ended <= call.end:
            call.begin = max(call.begin, ended)
        if call.end is not None:
            call.end = max(call.begin, call.end)
    own.models, own.calls = list(models.values()), list(calls.values())
    return own


def _assistant(line: TranscriptLine, before: int | None, models: dict[str, ModelCall], own: Transcript) -> str:
    """Add a line to its model call; the id of that call. Every line repeats the usage of the whole call."""
    key = text(line.message.get("id")) or line.uuid
    name = text(line.message.get("model"))
    if name == "<synthetic>":
        own.synthetic += 1
        return key
    model = models.setdefault(key, ModelCall(key, before if before is not None else line.at, line.at))
    model.begin, model.end = min(model.begin, line.at), max(model.end, line.at)
    model.model = name or model.model
    usage = mapping(line.message.get("usage"))
    cached = count(usage.get("cache_read_input_tokens"))
    fresh = count(usage.get("input_tokens")) + count(usage.get("cache_creation_input_tokens"))
    found = {"tokens_in": fresh + cached, "tokens_out": count(usage.get("output_tokens")), "tokens_cached": cached}
    model.usage = {key: max(n, model.usage.get(key, 0)) for key, n in found.items()}
    # Signatures differ in every run, so the content is text, thinking and calls only.
    said = ({k: b[k] for k in ("type", "text", "thinking", "name", "input") if k in b} for b in line.blocks)
    model.content += said
    return key


def _user(line: TranscriptLine, calls: dict[str, TranscriptCall], own: Transcript) -> None:
    """Add results of tools to their calls; keep notifications, and prompts of a person."""
    results = [block for block in line.blocks if block.get("type") == "tool_result"]
    answer = line.raw.get("toolUseResult")
    for block in results:
        call = calls.get(text(block.get("tool_use_id")))
        if call is None or call.answered:
            continue
        call.answered, call.end, call.result = True, line.at, block.get("content")
        call.status = "error" if block.get("is_error") is True else "ok"
        call.agent_id = text(reach(answer, "agentId") or reach(answer, "agent_id"))
        call.background = reach(answer, "isAsync") is True or reach(answer, "status") == "async_launched"
    by_interface = line.raw.get("isMeta") is True or line.raw.get("isCompactSummary") is True
    words = line.text
    if words.startswith(NOTICE):
        own.notices.append(line)
    elif not results and words and not by_interface and not words.startswith(MACHINE):
        own.prompts.append(line)
