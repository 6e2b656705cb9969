"""Link the logs of a Claude Code session: which tool call assigned work to which agent, and how the work ended."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from awesome_cli.traces.importers.claude_log import ClaudeLog, TranscriptLine, awaited, read_log, tokens_of, words_of
from awesome_cli.traces.importers.foreign import Json, count, mapping, text
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import Assignment, HumanWait, Message, RecordedCall, Session, Turn, WorkEnd
from awesome_cli.traces.importers.session_writer import NO_ROOT

ROOT = "main"
AGENT_TAIL = re.compile(r"\bagentId: ([\w@.-]+)")
ENVELOPE = re.compile(r"</?teammate-message[^>]*>")
LEAD = "team-lead"
SPAWNING = {"Task", "Agent"}
STOPPING = {"TaskStop", "KillShell"}
PEOPLE = {"AskUserQuestion", "ExitPlanMode"}
"""Tools whose answer comes from a person."""


@dataclass
class SessionLines:
    """The lines of one session, its sub-agents by id, and the logs of its compactions."""

    main: list[TranscriptLine] = field(default_factory=list)
    children: dict[str, ClaudeLog] = field(default_factory=dict)
    compactions: list[ClaudeLog] = field(default_factory=list)


def linked(rec: Recording, lines: SessionLines) -> Session:
    """Return the linked session; if only a sub-agent's log exists, that log is the root."""
    children = dict(lines.children)
    if not lines.main and len(children) == 1:
        root = children.popitem()[1]
        rec.add_loss(NO_ROOT)
    else:
        root = read_log(lines.main, ROOT)
    known = {model.id for log in (root, *children.values()) for model in log.models}
    for copy in lines.compactions:
        # The last call shortened the history; the calls before it are copies.
        for model in [model for model in copy.models if model.id not in known][-1:]:
            root.models.append(replace(model, purpose="compaction"))
    return _ClaudeLinks(root, children).link()


class _ClaudeLinks:
    """Links the tool calls of a session to its sub-agents; `children` are the logs of sub-agents by id."""

    def __init__(self, root: ClaudeLog, children: Mapping[str, ClaudeLog]) -> None:
        self.children = children
        self.works: dict[str, list[Assignment]] = defaultdict(list)
        self.stops: dict[str, int] = {}
        self.logs = {root.id: root, **children}
        self.session = Session(root.id, {**self.logs}, records_ends=False)
        self.names = {LEAD: root.id}
        self.by_call = {name: key for key, own in children.items() if (name := text(own.meta.get("toolUseId")))}
        self.by_prompt: dict[str, list[str]] = defaultdict(list)
        # Every sub-agent has a line, so it has a turn.
        self.order = sorted(children.values(), key=lambda log: log.turns[0].begin)
        for log in self.order:
            self.names[text(log.meta.get("name")) or log.id] = log.id
            if not log.meta.get("toolUseId"):
                self.by_prompt[_normal(log.turns[0].prompt)].append(log.id)

    def link(self) -> Session:
        for child in self.children.values():
            child.waits = []
        calls = [(call, log) for log in self.logs.values() for call in log.calls]
        for call, log in sorted(calls, key=lambda each: each[0].begin):
            self._link(log, call)
        for name, works in self.works.items():
            turns = self.children[name].turns if name in self.children else []
            works.sort(key=lambda work: work.at)
            for work, turn in zip(works, turns, strict=False):
                work.turn, work.at = turn, min(work.at, turn.begin)
            # Further turns have the giver of the last assignment.
            extra = [Assignment(name, works[-1].by, t.begin, background=True, turn=t) for t in turns[len(works) :]]
            self.session.works += [*works, *extra]
        for work in self.session.works:
            self._settle(work)
        return self.session

    def _link(self, log: ClaudeLog, call: RecordedCall) -> None:
        """Link a call to the work that it assigned, or the message that it sent, to another agent."""
        to = text(call.argument("to") or call.argument("recipient"))
        target = self.names.get(to, to)
        if call.name in SPAWNING:
            self._spawn(log, call)
        elif workflow := _workflow(call):
            for child in self.order:
                nested = child.parent in self.children or child.meta.get("toolUseId")
                if child.workflow == workflow and not nested and child.id not in self.works:
                    self._give(log, call, child.id, child.turns[0].begin, child.turns[0].prompt)
        elif call.name == "SendMessage" and target != log.id and target in {*self.works, *self.logs}:
            self._message(log, call, target)
        elif call.name in PEOPLE and call.end is not None:
            log.waits.append(HumanWait(call.begin, call.end))
        stopped = text(call.argument("task_id") or call.argument("shell_id"))
        if call.name in STOPPING and call.status == "ok" and stopped in self.works:
            self.stops.setdefault(stopped, call.end or call.begin)
        known = awaited(call) in self.works or awaited(call) in self.children
        call.waits = call.name in SPAWNING or known
        call.targets = (awaited(call),) if known else ()

    def _give(self, log: ClaudeLog, call: RecordedCall, to: str, at: int, content: object, role: str = "") -> None:
        work = Assignment(to, log.id, at, call, content, role, background=_is_background(call))
        self.works[to].append(work)
        call.works.append(work)

    def _spawn(self, log: ClaudeLog, call: RecordedCall) -> None:
        name = self._child(call)
        if name or call.status != "error":
            name = name or f"agent-{call.id[-8:]}"
            self.names[text(call.argument("name")) or name] = name
            prompt, role = text(call.argument("prompt")), text(call.argument("subagent_type"))
            self._give(log, call, name, call.begin, prompt, role)

    def _child(self, call: RecordedCall) -> str:
        """Return the id of the agent that a call started, from the result, a meta file, a name or the prompt."""
        known = text(call.note.get("agentId") or call.note.get("agent_id"))
        tail = AGENT_TAIL.search(words_of(call.result)) if not known else None
        known = (tail[1] if tail else known) or text(call.argument("resume"))
        if known in self.children or known in self.works:
            return known
        if call.id in self.by_call:
            return self.by_call[call.id]
        named = self.names.get(text(call.argument("name")), "")
        same = self.by_prompt.get(_normal(text(call.argument("prompt"))), [])
        return next((name for name in (named, *same) if name in self.children and name not in self.works), known)

    def _message(self, log: ClaudeLog, call: RecordedCall, target: str) -> None:
        """Add a call that writes to an agent: an assignment if the agent is idle, else a message during its turn."""
        words = call.argument("message") or call.argument("content")
        if target != self.session.root and self._is_idle(target, call.begin):
            self._give(log, call, target, call.begin, words)
        else:
            message = Message(log.id, target, call.begin, words, call.id)
            call.messages.append(message)
            self.session.messages.append(message)

    def _is_idle(self, target: str, at: int) -> bool:
        if child := self.children.get(target):
            turn = next((turn for turn in reversed(child.turns) if turn.begin <= at), None)
            return turn is not None and turn.end is not None and turn.end <= at
        work = self.works[target][-1]
        if work.call is not None and not work.background:
            return work.call.end is not None
        return any(time <= at for time, _ in self._news(work))

    def _news(self, work: Assignment) -> list[tuple[int, str]]:
        """Return the notices to the giver that `work` has ended: the time and status of each notice."""
        names, call = {work.to}, work.call
        if call is not None:
            names |= {call.id, text(call.argument("name")), work.to.partition("@")[0]}
            names |= {text(call.note.get("taskId"))} if _workflow(call) else set()
        return sorted(news for name in names - {""} for news in self.logs[work.by].delivered.get(name, []))

    def _settle(self, work: Assignment) -> None:
        """Set the end of an assignment, and the time at which its result reached the giver."""
        call, stop = work.call, self.stops.get(work.to)
        news = self._news(work)
        answered = None if work.background or call is None else call.end
        work.arrivals = [(at, at) for at in ([at for at, _ in news] if answered is None else [answered])]
        if work.turn is not None:
            work.turn = self._ended(work, work.turn, news, answered=answered is not None)
        elif stop is not None and work.to not in self.children and stop >= work.at:
            work.reported = WorkEnd(stop, "cancelled")
        elif answered is not None and call is not None:
            usage = _totals_of(call.note) if work.to not in self.children else {}
            work.reported = WorkEnd(answered, call.status, call.result, inferred=True, usage=usage)
        elif work.to not in self.children:
            work.reported = next((WorkEnd(at, status, inferred=True) for at, status in news if at >= work.at), None)

    def _ended(self, work: Assignment, turn: Turn, news: list[tuple[int, str]], *, answered: bool) -> Turn:
        """Return a turn with the end that other logs record: a stop, or the status of a notice or a call."""
        call, stop = work.call, self.stops.get(work.to)
        status = "ok"
        if answered and call is not None:
            status = call.status
        elif call is None or not _workflow(call):
            # A notice about a workflow holds for the workflow, not for each of its agents.
            status = next((status for at, status in news if at >= turn.last), "ok")
        if stop is not None and stop >= turn.begin and (turn.end is None or stop <= turn.last):
            return replace(turn, end=stop, status="cancelled")
        if turn.status == "cancelled" or status == "cancelled":
            return replace(turn, end=turn.last, status="cancelled")
        if turn.end is None and not answered:
            return replace(turn, end=None)
        return replace(turn, end=turn.last, status=turn.status if turn.status == "error" else status)


def _workflow(call: RecordedCall) -> str:
    """Return the id of the workflow that a call started; empty if it started none."""
    return text(call.note.get("runId")) if call.name == "Workflow" else ""


def _is_background(call: RecordedCall) -> bool:
    """Return True if a call started a sub-agent in the background, or if it is not a call that spawns agents."""
    status, result = call.note.get("status"), words_of(call.result)
    launched = call.note.get("isAsync") is True or status in ("async_launched", "teammate_spawned")
    return launched or result.startswith("Async agent launched") or call.name not in SPAWNING


def _normal(words: str) -> str:
    """Return a prompt without the tags that a team adds, and with single spaces."""
    return " ".join(ENVELOPE.sub(" ", words).split())


def _totals_of(note: Json) -> Json:
    """For a sub-agent whose file is missing, return the tokens of its last model call, a lower bound."""
    usage = tokens_of(mapping(note.get("usage")))
    if not any(usage.values()):
        usage = {"tokens_in": count(note.get("totalTokens"))}
    return usage | {"tokens_partial": True} if any(usage.values()) else {}
