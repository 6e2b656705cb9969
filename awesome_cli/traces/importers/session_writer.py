"""Write the events of a session, in the same way for every program."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from awesome_cli.traces.importers.event_order import EventDraft
from awesome_cli.traces.importers.foreign import Json, grouped, task_of
from awesome_cli.traces.importers.log_file import RunFiles
from awesome_cli.traces.importers.recording import ENDS, RETURNS, SPAWNS, STOPS, Recording, stop_reason
from awesome_cli.traces.importers.session import AgentLog, Assignment, Session, Turn, WorkEnd

MISSING = "events of sub-agents whose files are missing"
NO_ROOT = "the session's main agent: its file is missing"
ORPHANS = "calls that started a sub-agent: its spawn and return are inferred"
UNREAD = "messages of other agents that no later model call could read"

OUTCOMES = ("ok", "error", "cancelled")
"""The statuses of a turn's end that an event can have."""


def session_trace(
    rec: Recording, run: RunFiles, session: Session, *, name: str, system: str, prompt: str = "",
    costs: Mapping[str, object] = {}, caveats: Iterable[str] = (),
) -> Iterator[Json]:  # fmt: skip
    """Yield the trace of a session if it has events. `name` is its id; `prompt`, else the first prompt, is its task.

    `costs` override the costs that are counted from events; `caveats` are losses of every session of the format.
    """
    rec.add_loss("lines that are not JSON", run.broken())
    writer = SessionWriter(rec, session)
    writer.write()
    for caveat in caveats:
        rec.add_loss(caveat)
    if rec.drafts:
        task = task_of(prompt or next((turn.prompt for turn in session.agents[session.root].turns), ""))
        costs = writer.wall_clock() | dict(costs)
        yield rec.trace(trace_id=name, task_id=task, system=system, provenance=run.provenance, costs=costs)


class SessionWriter:
    """Writes a session into a recording, each event once."""

    def __init__(self, rec: Recording, session: Session) -> None:
        self.rec = rec
        self.session = session
        self.read: dict[int, list[EventDraft]] = defaultdict(list)

    def write(self) -> None:
        session = self.session
        root = session.agents[session.root]
        self.rec.root(root.name, role=root.role)
        if not root.times:
            self.rec.add_loss(NO_ROOT)
            self.rec.unrecorded |= {"delivery", "stop"}
        for log in session.agents.values():
            self._agent(log)
        models = [model for log in session.agents.values() for model in log.models]
        without = sum("tokens_in" not in model.usage and "tokens_out" not in model.usage for model in models)
        session.losses["model calls without usage"] += without
        self._works()
        for message in session.messages:
            by = session.name_of(message.by)
            about: dict[str, Any] = {"delivery": "explicit" if message.tracked else "", "content": message.content}
            about |= {"to": session.name_of(message.to), "source": message.source, "sender": by}
            self._read(message.to, message.arrival, self.rec.add("message", by, message.at, **about))
        for order, drafts in self.read.items():
            self.rec.drafts[order].body["inputs"] = sorted(drafts, key=lambda draft: draft.key)
        self.rec.infer_aggregates()
        self._stop(root)
        for what, n in session.losses.items():
            self.rec.add_loss(what, n)

    def wall_clock(self) -> dict[str, object]:
        """Return the duration of the run as a cost: from the first line or event to the last; {} without times."""
        times = [time for log in self.session.agents.values() for time in log.times]
        times += [time for draft in self.rec.drafts for time in (draft.t, draft.end)]
        return {"wall_clock_s": (max(times) - min(times)) / 1e6} if times and self.rec.unit == "us" else {}

    def _agent(self, log: AgentLog) -> None:
        if log.is_root:
            self.rec.root(log.name)
        self.rec.agent(log.name, role=log.role)
        for model in log.models:
            # If lines have no times, a model call is at its last line, before the tool calls that it requested.
            at, place = (model.end, {"phase": ENDS}) if self.rec.unit == "step" else (model.begin, {"end": model.end})
            about: dict[str, Any] = {"model": model.model, "purpose": model.purpose, "source": model.id, **model.usage}
            about |= {"attempts": model.attempts if model.attempts > 1 else None, "status": model.status, **place}
            model.draft = self.rec.add("llm_call", log.name, at, content=model.content, **about)
            self.rec.agent(log.name, model=model.model)
        for wait in log.waits:
            about = {"content": wait.content, "source": wait.source}
            self.rec.add("human_intervention", log.name, wait.begin, end=wait.end, sender="user", **about)
        for call in log.calls:
            if not call.works and not call.messages:
                targets = [*dict.fromkeys(self.session.name_of(name) for name in call.targets)]
                self.rec.call(
                    log.name, call.name, call.begin, end=call.end, call_id=call.id, arguments=call.arguments,
                    result=call.result, answered=call.end is not None, status=call.status, source=call.id,
                    waits=call.waits or None, targets=targets,
                )  # fmt: skip
        self.session.losses += log.losses

    def _works(self) -> None:
        """Write the assignments of all agents. If no call started an agent, its parent spawns it."""
        agents, root = self.session.agents, self.session.root
        started = {root, *(work.to for work in self.session.works)}
        for log in agents.values():
            if log.id not in started and not log.is_root and log.turns:
                by = log.parent if log.parent in agents and log.parent != log.id else root
                self.session.losses[ORPHANS] += 1
                self.session.works += [Assignment(log.id, by, t.begin, content=t.prompt, turn=t) for t in log.turns]
        works = sorted(self.session.works, key=lambda work: work.at)
        for agent, own in grouped(works, lambda work: work.to).items():
            self._child(agent, own)

    def _child(self, agent: str, works: list[Assignment]) -> None:
        """Write the assignments of one agent: the first one is a spawn, the rest are delegations."""
        log, name = self.session.agents.get(agent), self.session.name_of(agent)
        if log is None:
            self.session.losses[MISSING] += 1
            self.rec.unrecorded.add("work")
        for i, work in enumerate(works):
            role = work.role or (log.role if log is not None else "")
            self.rec.agent(name, role=role)
            about: dict[str, Any] = {"to": name, "role": role, "content": work.content, "task_ref": work.task}
            about |= {"source": work.call.id if work.call is not None else "", "inferred": work.call is None}
            at, by = _time_of(work, works[i - 1].turn if i else None), self.session.name_of(work.by)
            self.rec.add("delegate" if i else "spawn", by, at, phase=SPAWNS, **about)
            self._end(work, name)

    def _end(self, work: Assignment, name: str) -> None:
        """Write the end of an assignment: a return, or a stop if it was cancelled."""
        end = _end_of(work)
        if end is None:
            self.rec.unrecorded |= set() if work.to in self.session.agents else {"return"}
        elif end.status == "cancelled":
            self.rec.add("stop", name, end.at, phase=STOPS, scope="agent", reason="cancelled")
        else:
            to = work.addressee or work.by
            # A turn that was blocked or cut off failed.
            status = end.status if end.status in OUTCOMES else "error" if end.status else "ok"
            about: dict[str, Any] = {"to": self.session.name_of(to), "content": end.answer, **end.usage}
            about |= {"status": status, "inferred": end.inferred or work.call is None}
            about["delivery"] = "explicit" if work.call is not None or work.arrivals else ""
            draft = self.rec.add("return", name, end.at, phase=RETURNS, **about)
            self._read(to, next((place for at, place in work.arrivals if at >= end.at), None), draft)

    def _read(self, agent: str, place: int | None, draft: EventDraft) -> None:
        """Add the event `draft` to the inputs of the agent's first model call at or after `place`."""
        if place is None or agent not in self.session.agents:
            return
        models = self.session.agents[agent].models
        reader = min((m for m in models if m.place >= place), key=lambda model: model.place, default=None)
        if reader is None or reader.draft is None:
            self.session.losses[UNREAD] += 1
        else:
            self.read[reader.draft.order].append(draft)

    def _stop(self, root: AgentLog) -> None:
        """Write the stop of the run at the end of the root's last turn, or of a later event."""
        if not self.session.records_ends:
            self.rec.unrecorded.add("stop")
        turn = root.turn
        if turn is not None and turn.end is not None and turn.recorded:
            at = max([turn.end, *(draft.end for draft in self.rec.drafts)])
            reason = stop_reason(turn.status, turn.error) if turn.status in OUTCOMES else "unspecified"
            self.rec.add("stop", root.name, at, phase=STOPS, rank=1, scope="trace", reason=reason, content=turn.answer)


def _time_of(work: Assignment, before: Turn | None) -> int:
    """Return the time of an assignment: not after its turn begins, and not before the turn that it interrupted ends."""
    at = min(work.at, work.turn.begin) if work.turn is not None else work.at
    if before is None or before.end is None or before.status != "cancelled":
        return at
    return before.end if at < before.end <= (work.turn.begin if work.turn is not None else before.end) else at


def _end_of(work: Assignment) -> WorkEnd | None:
    """Return the end of an assignment: of its turn, else the end in the giver's log, else of the call that waited."""
    turn, call = work.turn, work.call
    if turn is not None and turn.end is not None:
        return WorkEnd(turn.end, turn.status, turn.answer)
    if work.reported is not None:
        return work.reported
    if call is None or call.end is None or work.background:
        return None
    return WorkEnd(turn.last if turn is not None else call.end, work.status or call.status, inferred=turn is None)
