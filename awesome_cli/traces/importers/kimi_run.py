"""The session of a Kimi program, from the logs of its agents."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from awesome_cli.files.paths import below_named
from awesome_cli.traces.importers._format import RunFiles
from awesome_cli.traces.importers.foreign import Json, mapping, objects, text
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import AgentLog, Assignment, HumanWait, RecordedCall, Session, Turn, WorkEnd
from awesome_cli.traces.importers.session_writer import session_trace

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


WRITING = {"Bash", "Edit", "Shell", "StrReplaceFile", "Write", "WriteFile"}
WAITING = {"TaskOutput", "WaitFor"}
WEB = {"FetchURL", "SearchWeb", "WebSearch"}
FURTHER = "further turns that the program itself asked a sub-agent for"


def run_trace(
    rec: Recording, run: RunFiles, root: KimiLog, agents: dict[str, KimiLog], name: str, system: str
) -> Iterator[Json]:
    """The trace of a session, if it has events; `name` is the id of the session."""
    rec.tools |= {tool: {"output_trusted": False} for tool in WEB}
    rec.tools |= {tool: {"side_effect": True} for tool in WRITING}
    logs = {root.id: root} | agents
    session = Session(root.id, {**logs})
    for log in logs.values():
        for call in log.calls:
            call.works = [work for work in call.works if work.to not in {log.id, root.id}]
            session.works += call.works
    tasks = {work.task: work.to for work in session.works if work.background}
    for log in logs.values():
        _complete(log, tasks)
    _add_prompts(root)
    for agent in {work.to for work in session.works}:
        works = sorted(
            (work for work in session.works if work.to == agent), key=lambda work: work.call.begin if work.call else 0
        )
        turns = logs[agent].turns if agent in logs else []
        session.losses[FURTHER] += _assign_turns(works, turns)
    for work in session.works:
        _settle(work, logs[work.by])
    session.records_ends = root.turn is not None and root.turn.recorded
    prompt = root.turns[0].prompt if root.turns else ""
    return session_trace(rec, run, session, name=name or run.id or run.main.name, prompt=prompt, system=system)


def _complete(log: KimiLog, tasks: dict[str, str]) -> None:
    """Set what the lines of a log alone do not say: when a person was asked, and which calls wait for `tasks`."""
    models = sorted(log.models, key=lambda model: model.begin)
    begins = [model.begin for model in models]
    for wait in log.waits:
        # A person is asked when the model has answered, which no line of its own says.
        before = bisect_right(begins, wait.begin)
        answered = models[before - 1].end if before else wait.begin
        if wait.end is not None and answered <= wait.end:
            wait.begin = max(wait.begin, answered)
    for model in log.models:
        model.place = model.begin
    for call in log.calls:
        task = text(call.argument("task_id"))
        waits = bool(tasks) and call.name in WAITING and task in {*tasks, ""}
        call.waits = waits or call.name in SPAWNING
        call.targets = (tasks[task],) if waits and task else ()


def _add_prompts(root: KimiLog) -> None:
    """Add the prompts of a person after the first; the run waited for them if its last turn had ended."""
    for before, turn in pairwise(root.turns):
        if turn.by_user:
            begin = min(before.end, turn.begin) if before.end is not None else turn.begin
            root.waits.append(HumanWait(begin, turn.begin, turn.prompt))


def _assign_turns(works: list[Assignment], turns: list[Turn]) -> int:
    """Give each work of an agent, by time, the last of its turns; return the number of turns before these."""
    further, rest = 0, list(turns)
    for i, work in enumerate(works):
        following = works[i + 1] if i + 1 < len(works) else None
        own = [turn for turn in rest if following is None or turn.begin < _limit(work, following)]
        rest = rest[len(own) :]
        further += max(len(own) - 1, 0)
        work.content = _prompt(work, own)
        if own:
            work.turn = own[-1]
            work.at = min(work.at, own[0].begin)
    return further


def _limit(work: Assignment, following: Assignment) -> int:
    """The time from which turns belong to the following work of the same agent."""
    ended = work.call.end if work.call is not None and not work.background else None
    begin = following.call.begin if following.call is not None else following.at
    return begin if ended is None else min(ended, following.at)


def _prompt(work: Assignment, turns: list[Turn]) -> object:
    """The prompt of a work: that of its call, for an item of a swarm the template with the item in it."""
    call = work.call or RecordedCall("", "", {}, work.at)
    resumed = text(mapping(call.argument("resume_agent_ids")).get(work.to))
    template = text(call.argument("prompt_template"))
    if template and work.item and not resumed:
        return template.replace("{{item}}", work.item)
    return resumed or text(call.argument("prompt")) or (turns[0].prompt if turns else "")


def _settle(work: Assignment, by: KimiLog) -> None:
    """Set the end of a work that its giver's log reports, and when its result reached the giver."""
    call = work.call
    if call is not None:
        work.role = work.role or text(call.argument("subagent_type"))
    if work.background:
        work.arrivals = [(at, at) for at in sorted(by.delivered.get(work.task, []) if work.task else [])]
    elif call is not None and call.end is not None:
        work.arrivals = [(call.end, call.end)]
    if work.reported is None and work.turn is None:
        work.reported = by.ended.get(work.task)
