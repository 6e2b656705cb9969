"""What a Codex thread did: its turns, model calls and tool calls, and what arrived from other agents."""

from dataclasses import dataclass, field

from awesome_cli.traces.importers.event_order import EventDraft
from awesome_cli.traces.importers.foreign import Json, mapping, reach, text


@dataclass
class CodexCall:
    """One call of a tool: `line` is its place in the thread; `result` is what the model was told, None before it."""

    id: str
    name: str
    arguments: object
    begin: int
    line: int
    end: int | None = None
    result: object = None
    status: str = ""
    model: "CodexModelCall | None" = None

    @property
    def waits(self) -> bool:
        """Whether the call only waits for other agents; the `wait` of code mode waits for a cell of code."""
        return self.name == "wait_agent" or (self.name == "wait" and "ids" in mapping(self.arguments))

    @property
    def start(self) -> int:
        """When the tool started: when the model call had ended, unless its result came earlier."""
        ended = self.model.end if self.model is not None else self.begin
        return max(self.begin, ended) if self.end is None or ended <= self.end else self.begin


@dataclass
class CodexModelCall:
    """One model call; `line` is the place of its first output."""

    begin: int
    end: int
    line: int
    model: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    content: list[Json] = field(default_factory=list)
    compaction: bool = False
    source: str = ""
    status: str = ""
    draft: EventDraft | None = None


@dataclass
class CodexTurn:
    """One turn; `end` and `status` are None and "" while it is open."""

    id: str
    begin: int
    end: int | None = None
    status: str = ""
    answer: str = ""
    last: int = 0


@dataclass(frozen=True, slots=True)
class CodexArrival:
    """Words from another agent, `author`, that became part of the thread's history at its line `line`.

    `status` says how the author's turn ended, if this is the news of that.
    """

    author: str
    kind: str
    words: str
    at: int
    line: int
    status: str = ""


@dataclass
class CodexThread:
    """One thread: one agent. `meta` is the description with which its file begins.

    `ended` are the names of each thread whose turn it saw `completed` or `interrupted`, and when.
    """

    id: str
    meta: Json
    turns: list[CodexTurn] = field(default_factory=list)
    models: list[CodexModelCall] = field(default_factory=list)
    calls: dict[str, CodexCall] = field(default_factory=dict)
    arrivals: list[CodexArrival] = field(default_factory=list)
    prompts: list[tuple[int, str]] = field(default_factory=list)
    started: dict[str, str] = field(default_factory=dict)
    ended: list[tuple[set[str], str, int]] = field(default_factory=list)
    first: int = 0
    last: int = 0
    copied: int = 0
    timeless: bool = False

    @property
    def parent(self) -> str:
        """The id of the thread that spawned this one; "" for a thread that a person or another part started."""
        return text(reach(self.meta, "source", "subagent", "thread_spawn", "parent_thread_id"))

    def about(self, name: str) -> str:
        """A field of the description, or of the description of the spawn."""
        return text(self.meta.get(name) or reach(self.meta, "source", "subagent", "thread_spawn", name))
