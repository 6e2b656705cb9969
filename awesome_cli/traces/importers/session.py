"""A session of several agents, as the readers of Codex, Claude Code and Kimi fill it and one writer writes it.

Times are microseconds since 1970, or numbers of lines where a log has no times. A place is a position in the log of an
agent: the number of a line, or a time where the lines of a program are not in order.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from awesome_cli.traces.importers.event_order import EventDraft
from awesome_cli.traces.importers.foreign import Json, mapping


@dataclass
class ModelCall:
    """A call of a model, after `attempts` requests; `place` is that of its request or of its first output."""

    begin: int
    end: int
    place: int = 0
    id: str = ""
    model: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    content: list[Any] = field(default_factory=list)
    purpose: str = ""
    status: str = ""
    attempts: int = 1
    draft: EventDraft | None = None


@dataclass
class RecordedCall:
    """A call of a tool; `end` is None if it has no result, `note` is the program's own record of the result.

    A call that only `waits` for other agents can name them as its `targets`.
    """

    id: str
    name: str
    arguments: object
    begin: int
    end: int | None = None
    result: object = None
    status: str = ""
    note: Json = field(default_factory=dict)
    place: int = 0
    model: ModelCall | None = None
    waits: bool = False
    targets: tuple[str, ...] = ()
    works: list["Assignment"] = field(default_factory=list)
    messages: list["Message"] = field(default_factory=list)

    def argument(self, name: str) -> object:
        return mapping(self.arguments).get(name)

    def start_after_model(self) -> None:
        """Start the tool when the model call has ended, unless its result came earlier."""
        if self.model is not None and (self.end is None or self.model.end <= self.end):
            self.begin = max(self.begin, self.model.end)


@dataclass
class Turn:
    """The work of an agent from a prompt until it answers.

    `end` is None while it is open, and `recorded` if a line of its own marks it; `last` is the time of its last line.
    """

    begin: int
    last: int
    end: int | None = None
    status: str = ""
    id: str = ""
    prompt: str = ""
    by_user: bool = False
    answer: object = ""
    error: str = ""
    recorded: bool = False

    def close(self, at: int, status: str, *, recorded: bool = True, error: str = "") -> None:
        self.end, self.status, self.recorded, self.error = at, status, recorded, error


@dataclass(frozen=True)
class WorkEnd:
    """The end of a piece of work, as the log of its giver has it."""

    at: int
    status: str = "ok"
    answer: object = ""
    inferred: bool = False
    usage: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Arrival:
    """Words of the agent `author` in the log of another agent, at a time and a place; `status` is that of an answer."""

    author: str
    kind: str
    words: str
    at: int
    place: int
    status: str = ""


@dataclass
class Assignment:
    """Work that the agent `by` gave to the agent `to`, by a tool call if that is known, and the `turn` that did it.

    `status` is that of its result, where a call reports several, `reported` its end in the giver's log, `arrivals` are
    the times and places at which its result came into that log. Without `background` the result is that of the call.
    `addressee` is the agent that gets the result, if it is not the giver.
    """

    to: str
    by: str
    at: int
    call: RecordedCall | None = None
    content: object = ""
    role: str = ""
    task: str = ""
    item: str = ""
    status: str = ""
    background: bool = False
    turn: Turn | None = None
    reported: WorkEnd | None = None
    addressee: str = ""
    arrivals: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Message:
    """Words of an agent to another that start no turn; `arrival` is their place in the log of the other."""

    by: str
    to: str
    at: int
    content: object = ""
    source: str = ""
    tracked: bool = False
    arrival: int | None = None


@dataclass
class HumanWait:
    """A person was waited for, or interrupted, from `begin` to `end`."""

    begin: int
    end: int | None
    content: object = ""
    source: str = ""


@dataclass
class AgentLog:
    """Everything that one agent did; `name` is its name in the trace, `times` are those of its lines.

    `parent` is the id of the agent that started it, if its log has that; an agent that `is_root` was started by none.
    """

    id: str
    name: str = ""
    role: str = ""
    parent: str = ""
    meta: Json = field(default_factory=dict)
    models: list[ModelCall] = field(default_factory=list)
    calls: list[RecordedCall] = field(default_factory=list)
    by_id: dict[str, RecordedCall] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    waits: list[HumanWait] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    is_root: bool = False
    losses: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.name = self.name or self.id

    @property
    def turn(self) -> Turn | None:
        return self.turns[-1] if self.turns else None

    def add_call(self, call: RecordedCall) -> RecordedCall:
        """Add a call. Its id can be that of an earlier one: some programs number calls anew when a session goes on."""
        self.calls.append(call)
        self.by_id[call.id] = call
        return call


@dataclass
class Session:
    """The agents of a run by id, `root` among them, with their works and messages.

    `records_ends` is False if the log does not record the end of the root's last turn.
    """

    root: str
    agents: dict[str, AgentLog]
    works: list[Assignment] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    losses: Counter[str] = field(default_factory=Counter)
    records_ends: bool = True

    def name_of(self, agent: str) -> str:
        """The name of an agent in the trace; its id if it has no log."""
        return self.agents[agent].name if agent in self.agents else agent
