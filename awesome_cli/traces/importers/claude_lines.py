"""The lines of Claude Code, its tool calls, and the log of an agent."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from awesome_cli.traces.importers.foreign import Json, mapping, objects, text, usage
from awesome_cli.traces.importers.session import AgentLog, Assignment, RecordedCall, Turn

SPAWNING = {"Task", "Agent"}
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
class ClaudeCall(RecordedCall):
    """A tool call; `note` is the `toolUseResult` of the line with the result."""

    @property
    def awaited(self) -> str:
        """The id of the agent or background command that the call waits for; empty for other calls."""
        return text(self.argument("task_id") or self.argument("agentId")) if self.name in FETCHING else ""

    @property
    def agent_id(self) -> str:
        """The sub-agent that the result names, else the end of its text does."""
        named = text(self.note.get("agentId") or self.note.get("agent_id"))
        tail = AGENT_TAIL.search(words_of(self.result)) if not named else None
        return tail[1] if tail else named

    @property
    def workflow(self) -> str:
        """The id of the workflow that the call began."""
        return text(self.note.get("runId")) if self.name == "Workflow" else ""

    @property
    def background(self) -> bool:
        """True if the sub-agent works in the background, or the call started none."""
        status = self.note.get("status")
        tail = words_of(self.result).startswith("Async agent launched")
        launched = tail or self.note.get("isAsync") is True or status in ("async_launched", "teammate_spawned")
        return launched or self.name not in SPAWNING


@dataclass
class ClaudeLog(AgentLog):
    """The log of an agent.

    `delivered` has, by the id of a task, call or agent, when news of its end reached this agent, and its status.
    """

    delivered: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    workflow: str = ""

    @property
    def first(self) -> int | None:
        """The time of the first prompt."""
        return self.turns[0].begin if self.turns else None

    def turn_at(self, at: int) -> Turn | None:
        """The turn that had begun last at a time."""
        return next((turn for turn in reversed(self.turns) if turn.begin <= at), None)

    def news_of(self, work: Assignment) -> list[tuple[int, str]]:
        """Return when the agent heard of the end of a work, by the agent's id, its name or its call, and the status."""
        names, call = {work.to}, work.call
        if isinstance(call, ClaudeCall):
            names |= {call.id, text(call.argument("name")), work.to.partition("@")[0]}
            names |= {text(call.note.get("taskId"))} if call.workflow else set()
        return sorted(news for each in names - {""} for news in self.delivered.get(each, []))


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
