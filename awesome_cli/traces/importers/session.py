"""A session of several agents. The readers of Codex, Claude Code and Kimi fill it; `session_writer` writes it.

Times are microseconds since 1970, or numbers of lines if a log has no times. A place is a position in the log of an
agent: the number of a line, or a time if the program does not write lines in order.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from awesome_cli.traces.importers.event_order import EventDraft
from awesome_cli.traces.importers.foreign import Json, mapping


@dataclass
class ModelCall:
    """A model call that took `attempts` requests; `place` is the place of its request or of its first output."""

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
    """A tool call; `end` is None if the call has no result, `note` is the program's own record of the result.

    If the call only `waits` for other agents, `targets` are these agents, if known.
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

    `end` is None while the turn is open; `recorded` means that a line marks the end; `last` is the last line's time.
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
    """The end of an assignment in the log of the agent that gave it."""

    at: int
    status: str = "ok"
    answer: object = ""
    inferred: bool = False
    usage: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Arrival:
    """A message of the agent `author` in the log of another agent; `status` is the status of an answer."""

    author: str
    kind: str
    words: str
    at: int
    place: int
    status: str = ""


@dataclass
class Assignment:
    """Work that the agent `by` gave to the agent `to`: the tool call, if known, and the `turn` of the work.

    `reported` is its end in the giver's log; `arrivals` are the times and places at which its result reached that log.
    Without `background`, the result is the call's result; `status` is set if one call reports several results.
    `addressee` is the agent that gets the result, if that is not the giver.
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
    """A message that starts no turn; `arrival` is its place in the log of the receiver."""

    by: str
    to: str
    at: int
    content: object = ""
    source: str = ""
    tracked: bool = False
    arrival: int | None = None


@dataclass
class HumanWait:
    """A wait for a person, or a person's interruption, from `begin` to `end`."""

    begin: int
    end: int | None
    content: object = ""
    source: str = ""


@dataclass
class AgentLog:
    """Everything that one agent did; `name` is its name in the trace, `times` are the times of its lines.

    `parent` is the id of the agent that started it, if the log records that. No agent started one that `is_root`.
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
        """Add a call. Its id can repeat an earlier id: some programs restart their numbers in a resumed session."""
        self.calls.append(call)
        self.by_id[call.id] = call
        return call


@dataclass
class Session:
    """The agents of a run by id (including `root`), their assignments (`works`) and their messages.

    `records_ends` is False if the log does not record the end of the root's last turn.
    """

    root: str
    agents: dict[str, AgentLog]
    works: list[Assignment] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    losses: Counter[str] = field(default_factory=Counter)
    records_ends: bool = True

    def name_of(self, agent: str) -> str:
        """Return the name of an agent in the trace; its id if the agent has no log."""
        return self.agents[agent].name if agent in self.agents else agent
