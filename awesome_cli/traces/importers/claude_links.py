"""The session of Claude Code, from the logs of its agents: which calls gave work to which, and how that ended."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from awesome_cli.traces.importers.claude_lines import SPAWNING, ClaudeCall, ClaudeLog, tokens_of
from awesome_cli.traces.importers.foreign import Json, count, mapping, text
from awesome_cli.traces.importers.session import Assignment, HumanWait, Message, Session, Turn, WorkEnd

ENVELOPE = re.compile(r"</?teammate-message[^>]*>")
LEAD = "team-lead"
STOPPING = {"TaskStop", "KillShell"}
PEOPLE = {"AskUserQuestion", "ExitPlanMode"}
"""Tools whose answer comes from a person."""


class SessionLinks:
    """Links the calls of a session. `children` are its sub-agents by id, `running` those that began and never ended."""

    def __init__(self, root: ClaudeLog, children: Mapping[str, ClaudeLog], running: frozenset[str]) -> None:
        self.root, self.children, self.running = root, children, running
        self.works: dict[str, list[Assignment]] = defaultdict(list)
        self.stops: dict[str, int] = {}
        self.logs = {root.id: root, **children}
        self.session = Session(root.id, {**self.logs}, records_ends=False)
        self.todo: list[ClaudeLog] = []
        self.names = {LEAD: root.id}
        self.by_call = {name: key for key, own in children.items() if (name := text(own.meta.get("toolUseId")))}
        self.by_prompt: dict[str, list[str]] = defaultdict(list)
        for key, own in sorted(children.items(), key=lambda each: each[1].first or 0):
            self.names[text(own.meta.get("name")) or key] = key
            if own.turns and not own.meta.get("toolUseId"):
                self.by_prompt[_normal(own.turns[0].prompt)].append(key)

    def link(self) -> Session:
        """Link everything; sub-agents that no call started come last."""
        for log in self.logs.values():
            if log is self.root or log.id not in self.works:
                self.todo.append(log)
            while self.todo:
                self._agent(self.todo.pop())
        for name, works in self.works.items():
            self._assign_turns(name, sorted(works, key=lambda work: work.at))
        for work in (work for works in self.works.values() for work in works):
            self._settle(work)
            self.session.works.append(work)
        return self.session

    def _agent(self, log: ClaudeLog) -> None:
        if log is not self.root:
            log.waits = []
        for call in log.calls:
            if isinstance(call, ClaudeCall):
                self._link(log, call)

    def _link(self, log: ClaudeLog, call: ClaudeCall) -> None:
        """Link a call to the work or the words that it gave to another agent, if it did."""
        named = text(call.argument("to") or call.argument("recipient"))
        target = self.names.get(named, named)
        if call.name in SPAWNING:
            self._spawn(log, call)
        elif call.workflow:
            self._workflow(log, call)
        elif call.name == "SendMessage" and target != log.id and target in {*self.works, *self.logs}:
            self._message(log, call, target)
        elif call.name in PEOPLE and call.end is not None:
            log.waits.append(HumanWait(call.begin, call.end))
        stopped = text(call.argument("task_id") or call.argument("shell_id"))
        if call.name in STOPPING and call.status == "ok" and stopped in self.works:
            self.stops.setdefault(stopped, call.end or call.begin)
        known = call.awaited in self.works or call.awaited in self.children
        call.waits = call.name in SPAWNING or known
        call.targets = (call.awaited,) if known else ()

    def _give(self, log: ClaudeLog, call: ClaudeCall, to: str, at: int, content: object, role: str = "") -> None:
        if to not in self.works and to in self.children:
            self.todo.append(self.children[to])
        work = Assignment(to, log.id, at, call, content, role, background=call.background)
        self.works[to].append(work)
        call.works.append(work)

    def _spawn(self, log: ClaudeLog, call: ClaudeCall) -> None:
        name = self._child(call)
        if not name and call.status == "error":
            return
        name = name or f"agent-{call.id[-8:]}"
        self.names[text(call.argument("name")) or name] = name
        self._give(log, call, name, call.begin, text(call.argument("prompt")), text(call.argument("subagent_type")))

    def _child(self, call: ClaudeCall) -> str:
        """The agent that a call started: by the id in its result, by its meta file, by its name or by its prompt."""
        known = call.agent_id or text(call.argument("resume"))
        if known in self.children or known in self.works:
            return known
        if call.id in self.by_call:
            return self.by_call[call.id]
        named = self.names.get(text(call.argument("name")), "")
        same = self.by_prompt.get(_normal(text(call.argument("prompt"))), [])
        return next((name for name in (named, *same) if name in self.children and name not in self.works), known)

    def _workflow(self, log: ClaudeLog, call: ClaudeCall) -> None:
        """Link the agents of a workflow, each from its first line on."""
        children = [child for child in self.children.values() if child.workflow == call.workflow and child.turns]
        for child in sorted(children, key=lambda child: child.turns[0].begin):
            nested = child.parent in self.children or child.meta.get("toolUseId")
            if not nested and child.id not in self.works:
                self._give(log, call, child.id, child.turns[0].begin, child.turns[0].prompt)

    def _message(self, log: ClaudeLog, call: ClaudeCall, target: str) -> None:
        """Words for an agent that has ended its turn are more work for it; others start no turn."""
        words = call.argument("message") or call.argument("content")
        if target != self.root.id and self._is_idle(target, log, call.begin):
            self._give(log, call, target, call.begin, words)
        else:
            message = Message(log.id, target, call.begin, words, call.id)
            call.messages.append(message)
            self.session.messages.append(message)

    def _is_idle(self, target: str, log: ClaudeLog, at: int) -> bool:
        if child := self.children.get(target):
            turn = child.turn_at(at)
            return turn is not None and turn.end is not None and turn.end <= at
        works = self.works.get(target, [])
        work = works[-1] if works else Assignment(target, log.id, at, background=True)
        if work.call is not None and not work.background:
            return work.call.end is not None
        return any(time <= at for time, _ in self.logs[work.by].news_of(work))

    def _assign_turns(self, name: str, works: list[Assignment]) -> None:
        """Give each work of an agent a turn; the giver of turns without a work is that of the last one."""
        child = self.children.get(name)
        turns = child.turns if child is not None else []
        for work, turn in zip(works, turns, strict=False):
            work.turn = turn
            work.at = min(work.at, turn.begin)
        extra = [Assignment(name, works[-1].by, turn.begin, background=True, turn=turn) for turn in turns[len(works) :]]
        self.works[name] = [*works, *extra]

    def _settle(self, work: Assignment) -> None:
        """Set the end of a work, and when its result reached the giver."""
        call, stop = work.call, self.stops.get(work.to)
        news = self.logs[work.by].news_of(work)
        # The result of a call is no end of an agent that its journal has at work.
        work.background |= work.to in self.running
        answered = None if work.background or call is None else call.end
        work.arrivals = [(at, at) for at in ([at for at, _ in news] if answered is None else [answered])]
        if work.turn is not None:
            work.turn = self._ended(work, work.turn, news, answered=answered is not None)
        elif stop is not None and work.to not in self.children and stop >= work.at:
            work.reported = WorkEnd(stop, "cancelled")
        elif answered is not None and isinstance(call, ClaudeCall):
            usage = _totals_of(call.note) if work.to not in self.children else {}
            work.reported = WorkEnd(answered, call.status, call.result, inferred=True, usage=usage)
        elif work.to not in self.children:
            work.reported = next((WorkEnd(at, status, inferred=True) for at, status in news if at >= work.at), None)

    def _ended(self, work: Assignment, turn: Turn, news: list[tuple[int, str]], *, answered: bool) -> Turn:
        """Return a turn with the end that other logs give it: a stop, the status of a notice or of the call."""
        call, stop = work.call, self.stops.get(work.to)
        status = "ok"
        if answered and call is not None:
            status = call.status
        elif not (isinstance(call, ClaudeCall) and call.workflow):
            # A notice about a workflow holds for the workflow, not for each of its agents.
            status = next((status for at, status in news if at >= turn.last), "ok")
        if stop is not None and stop >= turn.begin and (turn.end is None or stop <= turn.last):
            return replace(turn, end=stop, status="cancelled")
        if turn.status == "cancelled" or status == "cancelled":
            return replace(turn, end=turn.last, status="cancelled")
        if work.to in self.running or (turn.end is None and not answered):
            return replace(turn, end=None)
        return replace(turn, end=turn.last, status=turn.status if turn.status == "error" else status)


def _normal(words: str) -> str:
    """A prompt without what a team wraps it in, and with simple spaces."""
    return " ".join(ENVELOPE.sub(" ", words).split())


def _totals_of(note: Json) -> Json:
    """The tokens of a sub-agent whose file is missing: those of its last call, so a lower bound."""
    usage = tokens_of(mapping(note.get("usage")))
    if not any(usage.values()):
        usage = {"tokens_in": count(note.get("totalTokens"))}
    return usage | {"tokens_partial": True} if any(usage.values()) else {}
