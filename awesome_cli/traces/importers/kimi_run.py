"""The trace of a run of a Kimi program, from what its agents did."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from awesome_cli.traces.importers.foreign import Json, mapping, task_of, text
from awesome_cli.traces.importers.inference import infer_aggregates, stop_reason
from awesome_cli.traces.importers.kimi_lines import (
    SPAWNING,
    AgentLog,
    AgentStart,
    WireModelCall,
    WireToolCall,
    WireTurn,
)
from awesome_cli.traces.importers.recording import RETURNS, SPAWNS, STOPS, Recording
from awesome_cli.traces.importers.run_files import RunFiles

if TYPE_CHECKING:
    from awesome_cli.traces.importers.event_order import EventDraft

WRITING = {"Bash", "Edit", "Shell", "StrReplaceFile", "Write", "WriteFile"}
WAITING = {"TaskOutput", "WaitFor"}
WEB = {"FetchURL", "SearchWeb", "WebSearch"}
MISSING = "events of sub-agents whose files are missing"


class KimiRun:
    """Records the events of all agents of a session, `root` first."""

    def __init__(self, rec: Recording, root: AgentLog, agents: dict[str, AgentLog]) -> None:
        self.rec, self.root, self.agents = rec, root, {root.name: root} | agents
        rec.tools |= {name: {"output_trusted": False} for name in WEB}
        rec.tools |= {name: {"side_effect": True} for name in WRITING}
        self.models: dict[str, list[EventDraft]] = defaultdict(list)
        self.runs: dict[str, list[tuple[AgentLog, AgentStart]]] = defaultdict(list)
        self.losses: Counter[str] = Counter()
        self.returns: list[tuple[AgentLog, AgentStart, EventDraft]] = []
        for log in self.agents.values():
            for call in log.calls:
                for name in {log.name, root.name} & call.starts.keys():
                    del call.starts[name]
                for start in call.starts.values():
                    self.runs[start.agent].append((log, start))

    def write(self) -> None:
        """Record everything."""
        self.rec.root(self.root.name, role=self.root.role)
        for log in self.agents.values():
            self._agent(log)
        for name, runs in self.runs.items():
            self._child(name, sorted(runs, key=lambda run: run[1].call.begin))
        for name, log in self.agents.items():
            if log is not self.root and name not in self.runs:
                self._orphan(log)
        self._deliver()
        infer_aggregates(self.rec)
        self._stop()
        for what, n in self.losses.items():
            self.rec.add_loss(what, n)

    def _agent(self, log: AgentLog) -> None:
        for call in log.models:
            self._model(log, call)
        begins = [call.begin for call in log.models]
        for asked, end, source in log.waits:
            # A person is asked when the model has answered, which no line of its own says.
            latest = log.models[bisect_right(begins, asked) - 1 :][:1]
            begin = max([asked, *(call.end for call in latest if call.begin <= asked and call.end <= end)])
            self.rec.add("human_intervention", log.name, begin, end=end, sender="user", source=source)
        if log is self.root:
            self._prompts()
        for each in log.calls:
            if not each.starts:
                self._call(log, each)
        for what, n in log.losses.items():
            self.losses[what] += n

    def _model(self, log: AgentLog, call: WireModelCall) -> None:
        about: dict[str, Any] = {"model": call.model, "purpose": call.purpose, "source": call.source, **call.usage}
        attempts = call.attempts if call.attempts > 1 else None
        draft = self.rec.add("llm_call", log.name, call.begin, end=call.end, attempts=attempts, **about)
        self.rec.agent(log.name, model=call.model)
        self.models[log.name].append(draft)

    def _prompts(self) -> None:
        """Record the prompts of a person after the first; the run waited for them if its last turn had ended."""
        for before, turn in pairwise(self.root.turns):
            if turn.by_user:
                begin = min(before.end, turn.begin) if before.end is not None else turn.begin
                about: dict[str, Any] = {"content": turn.prompt, "sender": "user"}
                self.rec.add("human_intervention", self.root.name, begin, end=turn.begin, **about)

    def _call(self, log: AgentLog, call: WireToolCall) -> None:
        self.rec.call(
            log.name,
            call.name,
            call.begin,
            end=call.end,
            call_id=call.id,
            arguments=call.arguments,
            result=call.output,
            answered=call.end is not None,
            status=call.status,
            source=call.id,
            waits=call.name in SPAWNING or self._waits(call),
        )

    def _waits(self, call: WireToolCall) -> bool:
        """Whether a call waits for agents in the background: for one of them, or for whichever task ends first."""
        tasks = {start.task for runs in self.runs.values() for _, start in runs if start.background}
        return bool(tasks) and call.name in WAITING and text(call.argument("task_id")) in {*tasks, ""}

    def _child(self, name: str, runs: list[tuple[AgentLog, AgentStart]]) -> None:
        """Record the runs of one sub-agent: the first is a spawn, the others are delegations to it."""
        child = self.agents.get(name) or AgentLog(name)
        if name not in self.agents:
            self.losses[MISSING] += 1
            self.rec.unrecorded.add("work")
        turns = list(child.turns)
        for i, (by, start) in enumerate(runs):
            following = runs[i + 1][1] if i + 1 < len(runs) else None
            own = [turn for turn in turns if following is None or turn.begin < _limit(start, following)]
            turns = turns[len(own) :]
            role = child.role or text(start.call.argument("subagent_type"))
            self.rec.agent(name, role=role)
            at = min([start.at, *(turn.begin for turn in own[:1])])
            about: dict[str, Any] = {"to": name, "role": role, "source": start.call.id, "task_ref": start.task}
            self.rec.add("delegate" if i else "spawn", by.name, at, phase=SPAWNS, content=_prompt(start, own), **about)
            self.losses["further turns that the program itself asked a sub-agent for"] += max(len(own) - 1, 0)
            self._ended(by, start, own, last=following is None)

    def _ended(self, by: AgentLog, start: AgentStart, turns: list[WireTurn], *, last: bool) -> None:
        """Record the end of one run, by the first that says it: its own turn, the starting agent, the call's answer."""
        end, status, answer = start.end, start.status, turns[-1].answer if turns else ""
        inferred = False
        if turns and turns[-1].end is not None:
            end, status = turns[-1].end, turns[-1].status or status
        elif end is None and start.call.end is not None and not start.background:
            end, status = turns[-1].last if turns else start.call.end, status or start.call.status
            inferred = not turns
        elif not turns and end is None and start.task in by.ended:
            (end, status), inferred = by.ended[start.task], True
        if end is None:
            self.rec.unrecorded |= set() if start.agent in self.agents else {"return"}
            return
        status = status if status in {"", "ok", "cancelled"} else "error"
        if status == "cancelled" and last:
            self.rec.add("stop", start.agent, end, phase=STOPS, scope="agent", reason="cancelled")
            return
        about: dict[str, Any] = {"to": by.name, "content": answer, "status": status or "ok", "delivery": "explicit"}
        draft = self.rec.add("return", start.agent, end, phase=RETURNS, inferred=inferred, **about)
        self.returns.append((by, start, draft))

    def _orphan(self, log: AgentLog) -> None:
        """Record an agent that no call started, as far as the files say."""
        by = log.parent if log.parent in self.agents and log.parent != log.name else self.root.name
        first = min([turn.begin for turn in log.turns] or log.times, default=None)
        if first is None:
            return
        self.losses["calls that started a sub-agent: its spawn and return are inferred"] += 1
        self.rec.agent(log.name, role=log.role)
        prompt = log.turns[0].prompt if log.turns else ""
        self.rec.add("spawn", by, first, phase=SPAWNS, to=log.name, role=log.role, content=prompt, inferred=True)
        if log.turn is not None and log.turn.end is not None:
            about: dict[str, Any] = {
                "to": by,
                "content": log.turn.answer,
                "status": log.turn.status or "ok",
                "inferred": True,
            }
            self.rec.add("return", log.name, log.turn.end, phase=RETURNS, **about)

    def _deliver(self) -> None:
        """Let the first model call after each delivery read what was delivered."""
        read: dict[int, list[EventDraft]] = defaultdict(list)
        models = {name: sorted(drafts, key=lambda draft: draft.key) for name, drafts in self.models.items()}
        for by, start, draft in self.returns:
            at = _delivered(by, start, draft.t)
            own = models.get(by.name, [])
            reader = len(own) if at is None else bisect_left(own, max(at, draft.t), key=lambda call: call.t)
            if reader < len(own):
                read[own[reader].order].append(draft)
        for order, returned in read.items():
            self.rec.drafts[order].body["inputs"] = returned

    def _stop(self) -> None:
        """Record the end of the root's last turn. The run goes on where another agent acts later."""
        turn = self.root.turn
        if turn is None or turn.end is None or not turn.recorded:
            self.rec.unrecorded.add("stop")
            return
        later = any(draft.end > turn.end for draft in self.rec.drafts)
        if later:
            self.rec.unrecorded.add("stop")
        reason = stop_reason(turn.status, turn.error) if turn.status in {"ok", "error", "cancelled"} else "unspecified"
        scope = "agent" if later else "trace"
        self.rec.add("stop", self.root.name, turn.end, phase=STOPS, scope=scope, reason=reason)

    def trace(self, run: RunFiles, session: str, system: str) -> Json:
        """The trace of the session."""
        times = [time for log in self.agents.values() for time in log.times]
        prompt = self.root.turns[0].prompt if self.root.turns else ""
        return self.rec.trace(
            trace_id=session or run.id or run.main.name,
            task_id=task_of(prompt),
            system=system,
            provenance=run.provenance,
            costs={"wall_clock_s": (max(times) - min(times)) / 1e6} if times else {},
        )


def _limit(start: AgentStart, following: AgentStart) -> int:
    """The time from which turns belong to the following run of the same agent."""
    ended = start.call.end if not start.background else None
    return following.call.begin if ended is None else min(ended, max(following.at, following.call.begin))


def _prompt(start: AgentStart, turns: list[WireTurn]) -> object:
    """What a run was asked: the prompt of its call, for an item of a swarm the template with the item in it."""
    call = start.call
    resumed = text(mapping(call.argument("resume_agent_ids")).get(start.agent))
    template = text(call.argument("prompt_template"))
    if template and start.item and not resumed:
        return template.replace("{{item}}", start.item)
    return resumed or text(call.argument("prompt")) or (turns[0].prompt if turns else "")


def _delivered(by: AgentLog, start: AgentStart, returned: int) -> int | None:
    """When the result of a run reached the agent that started it; None if it never did."""
    if not start.background:
        return start.call.end
    times = by.told.get(start.task, []) if start.task else []
    return min((at for at in times if at >= returned), default=None)
