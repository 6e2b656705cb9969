"""What a Claude Code transcript says: lines, model calls, tool calls with results, prompts and turns."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from awesome_cli.traces.importers.event_order import EventDraft
from awesome_cli.traces.importers.foreign import Json, mapping, objects, text, usage

FETCHING = {"AgentOutputTool", "TaskOutput"}
AGENT_TAIL = re.compile(r"\bagentId: ([\w@.-]+)")


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
    def awaited(self) -> str:
        """What the call waits for: the id of an agent or a command in the background; empty for other calls."""
        return text(self.arguments.get("task_id") or self.arguments.get("agentId")) if self.name in FETCHING else ""

    @property
    def agent_id(self) -> str:
        """The sub-agent that the result names, else the end of its text does."""
        named = text(self.answer.get("agentId") or self.answer.get("agent_id"))
        tail = AGENT_TAIL.search(words_of(self.result)) if not named else None
        return tail[1] if tail else named

    @property
    def workflow(self) -> str:
        """The id of the workflow that the call began."""
        return text(self.answer.get("runId")) if self.name == "Workflow" else ""

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
    workflow: str = ""
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


def tokens_of(found: Json) -> Json:
    """The token fields of an event from a usage of the Messages API."""
    return usage(
        fresh=found.get("input_tokens"),
        cached=found.get("cache_read_input_tokens"),
        cache_write=found.get("cache_creation_input_tokens"),
        out=found.get("output_tokens"),
    )
