"""What one agent of a Kimi program did, as read from its `wire.jsonl`; times in microseconds since 1970."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awesome_cli.files.paths import below_named
from awesome_cli.traces.importers.foreign import Json, mapping, objects, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.run_files import RunFiles

LABEL = re.compile(r"^(agent_id|task_id|status): *(\S+)", re.MULTILINE)
ITEM = re.compile(r"<subagent ([^<>]*)>")
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
FAILED = {"failed": "error", "error": "error", "timeout": "error", "timed_out": "error"}
CANCELLED = {"cancelled": "cancelled", "aborted": "cancelled", "killed": "cancelled", "stopped": "cancelled"}
OUTCOMES = FAILED | CANCELLED | {"completed": "ok"}
"""The status of an event for each word that the programs end a run with."""


@dataclass
class WireModelCall:
    """A call of a model that has a usage, after `attempts` requests."""

    begin: int
    end: int
    model: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    attempts: int = 1
    purpose: str = ""
    source: str = ""


@dataclass
class WireToolCall:
    """A tool call; `end` is None if it was never answered. `starts` are the runs of agents that it started."""

    id: str
    name: str
    arguments: object
    begin: int
    end: int | None = None
    output: object = None
    status: str = ""
    starts: dict[str, "AgentStart"] = field(default_factory=dict)

    def argument(self, name: str) -> object:
        """One argument; None where there is none."""
        return mapping(self.arguments).get(name)

    @property
    def labels(self) -> dict[str, str]:
        """The `agent_id`, `task_id` and `status` that the answer to a spawning call begins with."""
        return dict(LABEL.findall(words(self.output).partition("\n\n")[0]))

    @property
    def items(self) -> list[dict[str, str]]:
        """What the answer to a call for a swarm says of each of its agents."""
        return [dict(ATTRIBUTE.findall(found)) for found in ITEM.findall(words(self.output))]


@dataclass
class WireTurn:
    """A turn: `last` is its last line, `end` its end if that is known, `recorded` if a line says so by itself."""

    begin: int
    last: int
    prompt: str = ""
    by_user: bool = False
    end: int | None = None
    recorded: bool = False
    status: str = ""
    error: str = ""
    answer: str = ""

    def ended(self, at: int, status: str, *, recorded: bool = True, error: str = "") -> None:
        """Note the end of the turn."""
        self.end, self.status, self.recorded, self.error = at, status, recorded, error


@dataclass
class AgentStart:
    """A run of an agent that a call started: `end` and `status` as the starting agent's lines say."""

    agent: str
    call: WireToolCall
    at: int
    task: str = ""
    background: bool = False
    item: str = ""
    end: int | None = None
    status: str = ""


@dataclass
class AgentLog:
    """Everything that one agent did.

    `waits` are times at which a person was asked and answered, with their source; `told` has the times at which the
    agent was told of each background task, `ended` the end and status of each task that notices say has ended.
    """

    name: str
    role: str = ""
    parent: str = ""
    models: list[WireModelCall] = field(default_factory=list)
    calls: list[WireToolCall] = field(default_factory=list)
    by_id: dict[str, WireToolCall] = field(default_factory=dict)
    turns: list[WireTurn] = field(default_factory=list)
    running: dict[str, AgentStart] = field(default_factory=dict)
    waits: list[tuple[int, int, str]] = field(default_factory=list)
    told: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    ended: dict[str, tuple[int, str]] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)

    def lose(self, what: str, n: int = 1) -> None:
        """Count something that is not kept."""
        self.losses[what] = self.losses.get(what, 0) + n

    @property
    def turn(self) -> WireTurn | None:
        """The latest turn."""
        return self.turns[-1] if self.turns else None

    def called(self, call: WireToolCall) -> WireToolCall:
        """Note a call. Its id can be that of an earlier one: numbers begin again when a session goes on."""
        self.calls.append(call)
        self.by_id[call.id] = call
        return call

    def started(self, call: WireToolCall, agent: str) -> AgentStart:
        """The run of `agent` that `call` started; noted if it was not known."""
        if agent not in call.starts:
            call.starts[agent] = self.running[agent] = AgentStart(agent, call, call.begin)
        return call.starts[agent]

    def answered(self, call: WireToolCall, at: int, output: object, *, failed: bool) -> None:
        """Note the answer to a call, and the agents that it names as started by the call."""
        call.end, call.output, call.status = max(at, call.begin), output, "error" if failed else "ok"
        if call.name not in SPAWNING:
            if call.name != "TaskStop":
                self.told[text(call.argument("task_id"))].append(call.end)
            return
        labels = call.labels
        if "agent_id" in labels:
            start = self.started(call, labels["agent_id"])
            start.task = start.task or labels.get("task_id", "")
            start.background = start.background or "task_id" in labels
            start.status = start.status or OUTCOMES.get(labels.get("status", ""), "")
        known = set(call.starts)
        for about in call.items:
            # The answers of the agents can contain anything, also what looks like a further agent.
            if "agent_id" in about and about["agent_id"] in (known or {about["agent_id"]}):
                start = self.started(call, about["agent_id"])
                start.item, start.status = about.get("item", ""), OUTCOMES.get(about.get("outcome", ""), start.status)


SPAWNING = {"Agent", "AgentSwarm", "Task"}


def words(content: object) -> str:
    """The text of a content: text, or a list of parts."""
    if isinstance(content, str):
        return text(content)
    return "".join(text(part.get("text")) for part in objects(content))


def session_run(folder: Path, names: Iterable[str], logs: Sequence[LogFile], found: AbstractSet[Path]) -> RunFiles:
    """The run of a session whose `logs` are read, the main one first.

    Its other files are those of the `names`, or below a folder of that name. Of the logs `found` in it, the rest are
    second ones of an agent. A log without a session's folder is a run without an id.
    """
    main, *others = logs
    read = {log.path for log in logs}
    second = frozenset(found - read)
    side = frozenset(below_named(folder, *names)) - read - second
    return RunFiles(main, tuple(others), side=side, id=folder.name if folder != main.path else "", second=second)


def described(path: Path, side: frozenset[Path]) -> Json:
    """The object in a file beside the logs; an empty one where the run has no such file."""
    return LogFile(path).first if path in side else {}
