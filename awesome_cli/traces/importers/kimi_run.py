"""Link the logs of agents of a Kimi program into a session."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from awesome_cli.files.paths import below_named
from awesome_cli.traces.importers.foreign import Json, grouped, mapping, objects, text
from awesome_cli.traces.importers.log_file import LogFile, RunFiles
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import AgentLog, Assignment, HumanWait, RecordedCall, Session, Turn, WorkEnd
from awesome_cli.traces.importers.session_writer import NO_ROOT, session_trace

ROOT = "main"
SPAWNING = {"Agent", "AgentSwarm", "Task"}
WAITING = {"TaskOutput", "WaitFor"}
WEB = {"FetchURL", "SearchWeb", "WebSearch"}
WRITING = {"Bash", "Edit", "Shell", "StrReplaceFile", "Write", "WriteFile"}
FURTHER = "further turns that the program itself asked a sub-agent for"
LABEL = re.compile(r"^(agent_id|task_id|status): *(\S+)", re.MULTILINE)
ITEM = re.compile(r"<subagent ([^<>]*)>")
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
FAILURES = ("failed", "error", "timeout", "timed_out")
CANCELS = ("cancelled", "aborted", "killed", "stopped")
OUTCOMES = {**dict.fromkeys(FAILURES, "error"), **dict.fromkeys(CANCELS, "cancelled"), "completed": "ok"}
"""The status of an event by the word with which the programs end a run."""


@dataclass
class KimiLog(AgentLog):
    """An agent's log.

    `running` has the unfinished assignments by agent, `delivered` the times at which results of background tasks
    reached this agent, and `ended` the ends of tasks that notices report, both by task.
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

    def answer(self, name: object, at: int, output: object, *, failed: bool) -> None:
        """Set the result of the call `name`; add the agents that the call started according to the result."""
        call = self.by_id.get(text(name))
        if call is None or call.end is not None:
            return
        call.end, call.result, call.status = max(at, call.begin), output, "error" if failed else "ok"
        if call.name in SPAWNING:
            self._spawned(call, words(output))
        elif call.name != "TaskStop":
            self.delivered[text(call.argument("task_id"))].append(call.end)

    def _spawned(self, call: RecordedCall, output: str) -> None:
        # The result of a spawning call begins with labels.
        labels = dict(LABEL.findall(output.partition("\n\n")[0]))
        if "agent_id" in labels:
            work = self.start(call, labels["agent_id"])
            work.task = work.task or labels.get("task_id", "")
            work.background = work.background or "task_id" in labels
            work.status = work.status or OUTCOMES.get(labels.get("status", ""), "")
        known = {work.to for work in call.works}
        for item in ITEM.findall(output):
            about = dict(ATTRIBUTE.findall(item))
            # The answers of the agents can contain anything, also text that looks like another agent.
            if "agent_id" in about and about["agent_id"] in (known or about.values()):
                work = self.start(call, about["agent_id"])
                work.item, work.status = about.get("item", ""), OUTCOMES.get(about.get("outcome", ""), work.status)


class WireReader:
    """Reads the lines of one agent. The method `on_turn_prompt` reads lines of type `turn.prompt`, and so on.

    `questions` are the waits for a person that have not ended yet, by the id of the question.
    """

    def __init__(self, agent: str) -> None:
        self.own = KimiLog(agent)
        self.questions: dict[str, HumanWait] = {}

    @classmethod
    def method(cls, kind: str) -> Callable[..., None] | None:
        """Return the method that reads lines of a type; None for a type that is skipped."""
        return getattr(cls, "on_" + kind.replace(".", "_").lower(), None)

    def dispatch(self, kind: str, at: int, line: Json) -> None:
        if method := self.method(kind):
            method(self, at, line)

    def resolve(self, name: object, at: int) -> None:
        """End the wait for the answer to a question."""
        if wait := self.questions.pop(text(name), None):
            wait.end = at
            self.own.waits.append(wait)


def words(content: object) -> str:
    """Return the text of a content, which is text or a list of parts."""
    if isinstance(content, str):
        return text(content)
    return "".join(text(part.get("text")) for part in objects(content))


def session_runs(
    logs: Iterable[LogFile], place: Callable[[Path], tuple[Path, str]], names: Iterable[str]
) -> Iterator[RunFiles]:
    """Yield a run per session. `place` returns the session's folder (else the log's path) and the agent of a log.

    Only the first log of an agent is read. `names` are the names of the session's other files, and of folders with such
    files. A log that is not in the folder of a session is a run without an id.
    """
    in_order = sorted(logs, key=lambda log: log.path)
    for folder, session in grouped(in_order, lambda log: place(log.path)[0]).items():
        paths = {log.path for log in session}
        own = {place(log.path)[1]: log for log in reversed(session)}
        main, *others = (own[agent] for agent in sorted(own, key=lambda agent: (agent != ROOT, agent)))
        second = frozenset(paths - {log.path for log in own.values()})
        side = frozenset(below_named(folder, *names)) - paths
        yield RunFiles(main, tuple(others), side=side, id=folder.name if folder != main.path else "", second=second)


def run_trace(rec: Recording, run: RunFiles, agents: dict[str, KimiLog], system: str) -> Iterator[Json]:
    """Yield the trace of a session if it has events; the log of a sub-agent alone is a run of that agent."""
    rec.tools |= {tool: {"output_trusted": False} for tool in WEB}
    rec.tools |= {tool: {"side_effect": True} for tool in WRITING}
    root = agents.get(ROOT) or (next(iter(agents.values())) if len(agents) == 1 else KimiLog(ROOT))
    if root.id != ROOT:
        rec.add_loss(NO_ROOT)
    session = Session(root.id, {root.id: root, **agents}, records_ends=root.turn is not None and root.turn.recorded)
    for before, turn in pairwise(root.turns):
        if turn.by_user:
            # The run waited for the person if its last turn had ended.
            begin = min(before.end, turn.begin) if before.end is not None else turn.begin
            root.waits.append(HumanWait(begin, turn.begin, turn.prompt))
    _link(session, {root.id: root} | agents)
    return session_trace(rec, run, session, name=run.id or run.main.name, system=system)


def _link(session: Session, logs: dict[str, KimiLog]) -> None:
    """Set the turn, the end and the arrivals of each assignment."""
    works: dict[str, list[tuple[RecordedCall, Assignment]]] = defaultdict(list)
    calls = [(call, log) for log in logs.values() for call in log.calls]
    for call, log in sorted(calls, key=lambda each: each[0].begin):
        call.works = [work for work in call.works if work.to not in {log.id, session.root}]
        session.works += call.works
        for work in call.works:
            works[work.to].append((call, work))
    tasks = {work.task: work.to for work in session.works if work.background}
    for log in logs.values():
        _complete(log, tasks)
    for agent, pairs in works.items():
        session.losses[FURTHER] += _assign_turns(pairs, logs[agent].turns if agent in logs else [])
        for call, work in pairs:
            _settle(work, call, logs[work.by])


def _complete(log: KimiLog, tasks: dict[str, str]) -> None:
    """Set the time when each wait for a person began, and mark the calls that wait for `tasks` (agents by task)."""
    models = sorted(log.models, key=lambda model: model.begin)
    for wait in log.waits:
        # A person is asked when the model has answered; no line records that time.
        before = bisect_right(models, wait.begin, key=lambda model: model.begin)
        answered = models[before - 1].end if before else wait.begin
        if wait.end is not None and answered <= wait.end:
            wait.begin = max(wait.begin, answered)
    for call in log.calls:
        task = text(call.argument("task_id"))
        waits = bool(tasks) and call.name in WAITING and task in {*tasks, ""}
        call.waits = waits or call.name in SPAWNING
        call.targets = (tasks[task],) if waits and task else ()


def _assign_turns(works: list[tuple[RecordedCall, Assignment]], turns: list[Turn]) -> int:
    """Set the turn of each assignment to the last of its turns; return the number of its earlier turns."""
    further = 0
    for i, (call, work) in enumerate(works):
        own = turns
        if i + 1 < len(works):
            # Turns belong to the next work from its call on, and from the end of a call that waited for this one.
            begin = works[i + 1][0].begin
            limit = begin if work.background or call.end is None else min(begin, call.end)
            own = [turn for turn in turns if turn.begin < limit]
        turns = turns[len(own) :]
        further += max(len(own) - 1, 0)
        work.content = _prompt(work, call) or (own[0].prompt if own else "")
        if own:
            work.turn = own[-1]
            work.at = min(work.at, own[0].begin)
    return further


def _prompt(work: Assignment, call: RecordedCall) -> str:
    """Return the prompt of a call; for an item of a swarm, the template with the item in it."""
    resumed = text(mapping(call.argument("resume_agent_ids")).get(work.to))
    template = text(call.argument("prompt_template"))
    if template and work.item and not resumed:
        return template.replace("{{item}}", work.item)
    return resumed or text(call.argument("prompt"))


def _settle(work: Assignment, call: RecordedCall, by: KimiLog) -> None:
    """Set an assignment's role, the end in its giver's log, and the times when its result reached the giver."""
    work.role = text(call.argument("subagent_type"))
    if work.background:
        work.arrivals = [(at, at) for at in sorted(by.delivered.get(work.task, []) if work.task else [])]
    elif call.end is not None:
        work.arrivals = [(call.end, call.end)]
    if work.turn is None:
        work.reported = work.reported or by.ended.get(work.task)
