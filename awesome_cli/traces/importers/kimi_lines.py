"""What one agent of a Kimi program did, as read from its `wire.jsonl`; times in microseconds since 1970."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from awesome_cli.files.paths import below_named
from awesome_cli.traces.importers.foreign import objects, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.run_files import RunFiles
from awesome_cli.traces.importers.session import AgentLog, Assignment, RecordedCall, WorkEnd

ROOT = "main"
LABEL = re.compile(r"^(agent_id|task_id|status): *(\S+)", re.MULTILINE)
ITEM = re.compile(r"<subagent ([^<>]*)>")
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
FAILED = {"failed": "error", "error": "error", "timeout": "error", "timed_out": "error"}
CANCELLED = {"cancelled": "cancelled", "aborted": "cancelled", "killed": "cancelled", "stopped": "cancelled"}
OUTCOMES = FAILED | CANCELLED | {"completed": "ok"}
"""The status of an event for each word that the programs end a run with."""


@dataclass
class KimiLog(AgentLog):
    """An agent's log.

    `delivered` has the times at which the agent was told of each background task, `ended` the end of each task that a
    notice says has ended, `running` the work of each agent that has not ended.
    """

    running: dict[str, Assignment] = field(default_factory=dict)
    delivered: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    ended: dict[str, WorkEnd] = field(default_factory=dict)

    def start(self, call: RecordedCall, agent: str) -> Assignment:
        """Return the work that `call` gave to `agent`; add it if it is new."""
        work = next((work for work in call.works if work.to == agent), None)
        if work is None:
            work = self.running[agent] = Assignment(agent, self.id, call.begin, call)
            call.works.append(work)
        return work

    def answer(self, call: RecordedCall, at: int, output: object, *, failed: bool) -> None:
        """Add the result of a call, and the agents that it names as started by the call."""
        call.end, call.result, call.status = max(at, call.begin), output, "error" if failed else "ok"
        if call.name not in SPAWNING:
            if call.name != "TaskStop":
                self.delivered[text(call.argument("task_id"))].append(call.end)
            return
        # The labels that the result of a spawning call begins with.
        labels = dict(LABEL.findall(words(output).partition("\n\n")[0]))
        if "agent_id" in labels:
            work = self.start(call, labels["agent_id"])
            work.task = work.task or labels.get("task_id", "")
            work.background = work.background or "task_id" in labels
            work.status = work.status or OUTCOMES.get(labels.get("status", ""), "")
        known = {work.to for work in call.works}
        for about in (dict(ATTRIBUTE.findall(found)) for found in ITEM.findall(words(output))):
            # The answers of the agents can contain anything, also what looks like a further agent.
            if "agent_id" in about and about["agent_id"] in (known or {about["agent_id"]}):
                work = self.start(call, about["agent_id"])
                work.item, work.status = about.get("item", ""), OUTCOMES.get(about.get("outcome", ""), work.status)


SPAWNING = {"Agent", "AgentSwarm", "Task"}


def words(content: object) -> str:
    """The text of a content: text, or a list of parts."""
    if isinstance(content, str):
        return text(content)
    return "".join(text(part.get("text")) for part in objects(content))


def session_runs(
    logs: Iterable[LogFile], place: Callable[[Path], tuple[Path, str]], names: Iterable[str]
) -> Iterator[RunFiles]:
    """A run per session. `place` gives the session's folder and the agent of a log; without a folder, the log itself.

    Of an agent's logs only the first is read. The other files of a session are those of the `names`, or below a folder
    of that name. A log without a session's folder is a run without an id.
    """
    sessions: dict[Path, dict[str, LogFile]] = defaultdict(dict)
    found: dict[Path, set[Path]] = defaultdict(set)
    for log in sorted(logs, key=lambda each: each.path):
        folder, agent = place(log.path)
        found[folder].add(log.path)
        sessions[folder].setdefault(agent, log)
    for folder, own in sessions.items():
        main, *others = (own[agent] for agent in sorted(own, key=lambda agent: (agent != ROOT, agent)))
        second = frozenset(found[folder] - {log.path for log in own.values()})
        side = frozenset(below_named(folder, *names)) - found[folder]
        yield RunFiles(main, tuple(others), side=side, id=folder.name if folder != main.path else "", second=second)
