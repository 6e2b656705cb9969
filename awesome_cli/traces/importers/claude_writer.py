"""Writes the events of a Claude Code session and of its sub-agents, each once."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from awesome_cli.traces.importers.claude_lines import ModelCall, Transcript, TranscriptCall, Turn
from awesome_cli.traces.importers.claude_links import Links, news_of, totals_of
from awesome_cli.traces.importers.event_order import EventDraft
from awesome_cli.traces.importers.foreign import text
from awesome_cli.traces.importers.inference import infer_aggregates
from awesome_cli.traces.importers.recording import AFTER, ENDS, RETURNS, SPAWNS, Recording

ROOT = "main"
LEAD = "team-lead"
SPAWNING = {"Task", "Agent"}
STOPPING = {"TaskStop", "KillShell"}
PEOPLE = {"AskUserQuestion", "ExitPlanMode"}
"""Tools whose answer comes from a person."""


class SessionWriter:
    """Records a session. `children` are its sub-agents by id, `running` those that began and never ended."""

    def __init__(self, rec: Recording, children: dict[str, Transcript], running: frozenset[str] = frozenset()) -> None:
        self.rec = rec
        self.children = children
        self.running = running
        self.root = ROOT
        self.todo: list[Transcript] = []
        self.done: list[Transcript] = []
        self.starts: dict[str, list[tuple[Transcript, TranscriptCall | None]]] = defaultdict(list)
        self.stopped: dict[str, int] = {}
        self.returns: dict[str, list[EventDraft]] = defaultdict(list)
        self.links = Links(children)

    def write(self, session: Transcript) -> None:
        """Record the session, the sub-agents that it is known to have started, and then all others."""
        self.root = self.links.names[LEAD] = self.rec.root(session.agent)
        self.todo.append(session)
        self._all()
        for name, orphan in self.children.items():
            if name not in self.starts and orphan.first is not None:
                self._orphan(name, orphan, session)
                self._all()
        for name, starts in list(self.starts.items()):
            self._returns(name, starts)
        for own in self.done:
            self._deliver(own)
        infer_aggregates(self.rec)

    def _all(self) -> None:
        while self.todo:
            own = self.todo.pop()
            self.done.append(own)
            self._agent(own)

    def _orphan(self, name: str, own: Transcript, session: Transcript) -> None:
        """Record a sub-agent whose starting call is unknown; its meta file can name the parent."""
        self.rec.add_loss("which call started a sub-agent: its spawn and return are inferred")
        parent = self.children.get(text(own.meta.get("parentAgentId")), session)
        by = parent if parent.agent in self.starts else session
        at = own.first.at if own.first else 0
        self._started(by, name, at, None, role=text(own.meta.get("agentType")), inferred=True)

    def _agent(self, own: Transcript) -> None:
        """Record everything that one agent did; the sub-agents that it starts come later."""
        for model in own.models:
            own.drafts.append(model_call(self.rec, own.agent, model))
            self.rec.agent(own.agent, model=model.model)
        self.rec.add_loss("messages that the interface wrote in the name of an agent", own.synthetic)
        self.rec.add_loss("calls of tools without an id", own.nameless)
        for line, since in own.asked if own.agent == self.root else []:
            end = line.at if since < line.at else None
            self._person(own, since, end, content=line.text, source=line.uuid)
        for call in own.calls:
            self._call(own, call)

    def _person(self, own: Transcript, at: int, end: int | None, **about: Any) -> None:
        self.rec.add("human_intervention", own.agent, at, end=end, sender="user", **about)

    def _call(self, own: Transcript, call: TranscriptCall) -> None:
        named = text(call.arguments.get("to") or call.arguments.get("recipient"))
        target = self.links.names.get(named, named)
        if (call.name in SPAWNING and self._spawn(own, call)) or (call.workflow and self._workflow(own, call)):
            return
        if call.name == "SendMessage" and target != own.agent and target in {self.root, *self.starts, *self.children}:
            self._message(own, call, target)
            return
        self.rec.call(
            own.agent,
            call.name,
            call.begin,
            end=call.end,
            call_id=call.id,
            arguments=call.arguments,
            result=call.result,
            answered=call.answered,
            status=call.status,
            waits=call.name in SPAWNING or call.awaited in self.starts or call.awaited in self.children,
        )
        if call.name in PEOPLE and call.answered:
            self._person(own, call.begin, call.end)
        stopped = text(call.arguments.get("task_id") or call.arguments.get("shell_id"))
        if call.name in STOPPING and call.status == "ok" and stopped in self.starts:
            self._stop(stopped, call.end or call.begin)

    def _stop(self, name: str, at: int) -> None:
        """Record that an agent was stopped by another, or by a person, unless it had already ended."""
        child = self.children.get(name)
        turn = child.turn_at(at) if child else None
        if name in self.stopped or (turn and turn.ended and turn.last.at < at):
            return
        self.stopped[name] = at
        self.rec.add("stop", name, at, phase=AFTER, scope="agent", reason="cancelled")

    def _message(self, own: Transcript, call: TranscriptCall, target: str) -> None:
        """Words for an agent that has ended its turn are more work for it; others start no turn."""
        words = call.arguments.get("message") or call.arguments.get("content")
        if target != self.root and self._idle(target, own, call):
            self._started(own, target, call.begin, call, content=words, source=call.id)
        else:
            self.rec.add("message", own.agent, call.begin, to=target, content=words, source=call.id, sender=own.agent)

    def _idle(self, target: str, own: Transcript, call: TranscriptCall) -> bool:
        if child := self.children.get(target):
            turn = child.turn_at(call.begin)
            return turn is not None and turn.ended and turn.last.at <= call.begin
        starts = self.starts.get(target, [])
        by, last = starts[-1] if starts else (own, None)
        if last and not last.background:
            return last.answered
        return any(at <= call.begin for at, _ in news_of(by, target, last))

    def _spawn(self, own: Transcript, call: TranscriptCall) -> bool:
        """Record a sub-agent; False if the call made none."""
        name = self.links.child(call, self.starts)
        if not name and call.status == "error":
            return False
        name = name or f"agent-{call.id[-8:]}"
        child = self.children.get(name)
        if child is None and name not in self.starts:
            self.rec.add_loss("events of sub-agents whose files are missing")
        first = child.first.at if child and child.first and name not in self.starts else call.begin
        self.links.names[text(call.arguments.get("name")) or name] = name
        role = text(call.arguments.get("subagent_type"))
        prompt = text(call.arguments.get("prompt"))
        self._started(own, name, min(call.begin, first), call, role=role, content=prompt, source=call.id)
        return True

    def _workflow(self, own: Transcript, call: TranscriptCall) -> bool:
        """Record the agents of a workflow, each from its first line on; False if the call made none."""
        found = [child for child in self.children.values() if child.workflow == call.workflow and child.first]
        for child in sorted(found, key=lambda child: child.first.at if child.first else 0):
            nested = text(child.meta.get("parentAgentId")) in self.children or child.meta.get("toolUseId")
            if child.first and not nested and child.agent not in self.starts:
                self._started(own, child.agent, child.first.at, call, content=child.first.text, source=call.id)
        return any(by is own and start is call for child in found for by, start in self.starts[child.agent])

    def _started(self, by: Transcript, name: str, at: int, call: TranscriptCall | None, **about: Any) -> None:
        """Record the spawn of an agent, or the delegation to one that is known."""
        kind = "delegate" if name in self.starts else "spawn"
        own = self.children.get(name)
        if name not in self.starts and own:
            self.todo.append(own)
        self.starts[name].append((by, call))
        role = about.pop("role", "") or text(own.meta.get("agentType") if own else "")
        self.rec.agent(name, role=role)
        self.rec.add(kind, by.agent, at, phase=SPAWNS, to=name, role=role, **about)

    def _returns(self, name: str, starts: list[tuple[Transcript, TranscriptCall | None]]) -> None:
        """Record how the turns of a sub-agent ended; each start has begun one of them, in their order."""
        child = self.children.get(name)
        if child is None:
            for by, call in starts:
                if call is not None:
                    self._reported(name, by, call)
            return
        for i, turn in enumerate(child.turns):
            by, call = starts[min(i, len(starts) - 1)]
            self._turn(name, by, call if i < len(starts) else None, turn)

    def _turn(self, name: str, by: Transcript, call: TranscriptCall | None, turn: Turn) -> None:
        foreground = call is not None and not call.background and call.name in SPAWNING
        # What a notice says of a workflow holds for the workflow, not for each of its agents.
        news = [] if foreground or (call and call.workflow) else self._after(by, name, call, turn.last.at)
        status = next((said for _, said in news), call.status if call and foreground else "ok")
        if turn.interrupted or status == "cancelled":
            self._stop(name, turn.last.at)
        stopped = self.stopped.get(name, -1) >= turn.prompt.at
        answered = foreground and call is not None and call.answered
        if not stopped and name not in self.running and (turn.ended or answered):
            status = "error" if turn.failed else status
            about: dict[str, Any] = {"content": turn.answer, "status": status, "inferred": call is None}
            self._returned(name, by, turn.last.at, explicit=not foreground and call is not None, **about)

    def _reported(self, name: str, by: Transcript, call: TranscriptCall) -> None:
        """Record the return of a sub-agent without a file from what reached its parent."""
        if call.name in SPAWNING and not call.background:
            if call.answered:
                about: dict[str, Any] = {"content": call.result, "status": call.status, **totals_of(call.answer)}
                self._returned(name, by, call.end or call.begin, explicit=False, inferred=True, **about)
            return
        for at, status in self._after(by, name, call, call.begin):
            if status == "cancelled":
                self._stop(name, at)
            elif name not in self.stopped:
                self._returned(name, by, at, explicit=True, inferred=True, status=status)
            break

    def _returned(self, name: str, by: Transcript, at: int, *, explicit: bool, **about: Any) -> None:
        delivery = "explicit" if explicit else ""
        draft = self.rec.add("return", name, at, phase=RETURNS, to=by.agent, delivery=delivery, **about)
        self.returns[by.agent].append(draft)

    def _after(self, by: Transcript, name: str, call: TranscriptCall | None, at: int) -> Iterator[tuple[int, str]]:
        return (news for news in sorted(news_of(by, name, call)) if news[0] >= at)

    def _deliver(self, own: Transcript) -> None:
        """Add `inputs` to the model calls that read returns of background agents: the first after each notification.

        They also read all other returns since the call before.
        """
        read: dict[int, list[EventDraft]] = defaultdict(list)
        calls = sorted(own.drafts, key=lambda draft: draft.key)
        begins = [call.t for call in calls]
        returns = self.returns[own.agent]
        seen_at_once = [draft for draft in returns if "delivery" not in draft.body]
        for draft in (each for each in returns if "delivery" in each.body):
            name = text(draft.body["agent"])
            calls_of = [call for by, call in self.starts[name] if by is own]
            times = [at for call in calls_of for at, _ in self._after(own, name, call, draft.t)]
            reader = bisect_left(begins, min(times)) if times else len(calls)
            if reader < len(calls):
                read[reader].append(draft)
        for i, returned in read.items():
            since = calls[i - 1].t if i else 0
            direct = [n for n in seen_at_once if since <= n.t <= calls[i].t]
            calls[i].body["inputs"] = [*direct, *returned]


def model_call(rec: Recording, agent: str, model: ModelCall, **more: Any) -> EventDraft:
    """Record a model call; where lines have no times, at its last line, before the calls that it asked for."""
    about: dict[str, Any] = {"model": model.model, **model.usage, "source": model.id, **more}
    if rec.unit == "step":
        return rec.add("llm_call", agent, model.end, phase=ENDS, content=model.content, **about)
    return rec.add("llm_call", agent, model.begin, end=model.end, content=model.content, **about)
