"""Kimi Code: a session's folder with `agents/<id>/wire.jsonl` for each agent, `state.json` and the files of tasks.

A line `{"type": "turn.prompt", "input": "Find it", "origin": {"kind": "user"}, "time": 1795302148000}` begins a turn.
Read are protocols 1.0 to 1.5.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from awesome_cli.traces.importers.foreign import Json, amount, count, items, mapping, moment, reach, text, usage
from awesome_cli.traces.importers.kimi_run import OUTCOMES, ROOT, KimiLog, WireReader, run_trace, session_runs, words
from awesome_cli.traces.importers.log_file import Home, LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import HumanWait, ModelCall, RecordedCall, Turn, WorkEnd

SESSION = re.compile(r"session_[^/\\]+")
SIDE = ("state.json", "agents", "tasks", "notify", "logs")
COPIES = "agent."
"""Prefix of the types of lines that repeat other lines with another time."""
USAGE = {"fresh": "inputOther", "cached": "inputCacheRead", "cache_write": "inputCacheCreation", "out": "output"}
LATENCY = ("llmFirstTokenLatencyMs", "llmStreamDurationMs")
FAILED_REQUESTS = "requests to a model that failed or were cancelled"


def detect(log: LogFile) -> bool:
    """Return True if a line of the wire protocol has a time, or if the first line has a time of creation."""
    if log.first.get("type") == "metadata" and {"protocol_version", "created_at"} <= log.first.keys():
        return True
    return any(moment(line.get("time")) and CodeReader.method(text(line.get("type"))) for line in log.begin())


def around(path: Path) -> Path:
    """Return the folder of the session, or the file itself if it is not in such a folder."""
    return path.parents[2] if len(path.parents) > 2 and path.parents[1].name == "agents" else path


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    return session_runs(logs, lambda path: (around(path), path.parent.name), SIDE)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    rec = Recording(FORMAT.name, with_content)
    state = run.described(around(run.main.path) / "state.json")
    logs = [read_code(log) for log in (run.main, *run.others)]
    for own in logs:
        own.parent = text(reach(state, "agents", own.id, "parentAgentId"))
    # The folder of a session can have been renamed since.
    session = SESSION.search(text(reach(state, "agents", ROOT, "homedir")))
    run = replace(run, id=session[0]) if session else run
    yield from run_trace(rec, run, {own.id: own for own in logs}, "Kimi Code")


def read_code(log: LogFile) -> KimiLog:
    """Read the log of one agent. Lines are not in the order of their times."""
    name = next((name for line in log.begin() if (name := text(line.get("agentId")))), ROOT)
    reader = CodeReader(name if around(log.path) == log.path else log.path.parent.name)
    own = reader.own
    lines: list[tuple[int, Json]] = []
    at = 0
    for line in log.records():
        kind = text(line.get("type"))
        if kind == "forked":
            # A fork is a copy of the session, with this line at the end of each file.
            own.losses["lines copied from another run or thread"] += len(lines)
            lines.clear()
        elif not kind.startswith(COPIES):
            at = moment(line.get("time")) or at
            lines.append((at, line))
    for at, line in sorted(lines, key=lambda each: each[0]):
        if at:
            reader.dispatch(text(line.get("type")), at, line)
            own.times += [at] if "time" in line else []
    own.losses[FAILED_REQUESTS] += reader.sent - sum(call.attempts > 0 for call in own.models)
    own.losses["questions to a person that were never answered"] += len(reader.questions)
    return own


class CodeReader(WireReader):
    """Reads the lines of one agent in the order of time.

    `requests` has the requests without a usage so far: the model call, the time of the request, the step. `calls` and
    `lengths` wait for each other: the model calls, and their durations in microseconds, by step.
    """

    def __init__(self, agent: str) -> None:
        super().__init__(agent)
        self.requests: dict[str, tuple[ModelCall, int, str]] = {}
        self.calls: dict[str, tuple[ModelCall, int]] = {}
        self.lengths: dict[str, int] = {}
        self.has_questions = False
        self.sent = 0

    def _current_turn(self, at: int) -> Turn:
        """Return the current turn. If the last turn has ended, begin a new turn: a notice can begin a turn, too."""
        turn = self.own.turn
        if turn is None or turn.recorded:
            turn = Turn(at, at)
            self.own.turns.append(turn)
        turn.last = at
        return turn

    def on_turn_prompt(self, at: int, line: Json) -> None:
        by_user = text(reach(line, "origin", "kind")) == "user"
        self.own.turns.append(Turn(at, at, prompt=words(line.get("input")), by_user=by_user))

    def on_turn_steer(self, at: int, line: Json) -> None:
        if text(reach(line, "origin", "kind")) == "user":
            self.own.waits.append(HumanWait(at, at, source=text(line.get("messageId"))))

    def on_turn_cancel(self, at: int, line: Json) -> None:
        turn = self.own.turn
        if turn is not None and not turn.recorded and line.get("target") != "queued":
            turn.close(at, "cancelled")

    def on_turn_ended(self, at: int, line: Json) -> None:
        turn = self.own.turn
        # A cancelled turn has ended; the next line of this type can come from another process, weeks later.
        if turn is not None and turn.status != "cancelled":
            error = text(reach(line, "error", "code")) or text(line.get("stopReason"))
            status = OUTCOMES.get(text(line.get("reason")), "blocked")
            _, sent, _ = self.requests.get("loop", (None, -1, ""))
            if status == "ok" and sent >= turn.begin and all(call.begin < turn.begin for call in self.own.models):
                # The turn sent requests to a model, and the model answered none.
                status = "error"
            turn.close(at, status, error=error)

    def on_profile_bind(self, _at: int, line: Json) -> None:
        self.own.role = text(line.get("profileName")) or self.own.role

    on_config_update = on_profile_bind

    def on_llm_request(self, at: int, line: Json) -> None:
        kind = "compaction" if line.get("kind") == "compaction" else "loop"
        attempt = count(text(line.get("attempt")).partition("/")[0])
        self.sent += 1
        pending = self.requests.get(kind)
        call = pending[0] if pending is not None and attempt > 1 else ModelCall(at, at, at)
        call.model, call.attempts = text(line.get("model")), max(attempt, 1)
        call.purpose = "compaction" if kind == "compaction" else ""
        self.requests[kind] = (call, at, text(line.get("turnStep")))

    def on_usage_record(self, at: int, line: Json) -> None:
        spent = mapping(line.get("usage"))
        kind = "compaction" if line.get("usageScope") == "session" else "loop"
        call, sent, step = self.requests.pop(kind, (ModelCall(at, at, at), at, ""))
        call.end = at
        call.model = call.model or text(line.get("model"))
        call.usage = usage(**{field: spent.get(name) for field, name in USAGE.items()})
        self.own.models.append(call)
        self.calls[step] = (call, sent)
        self._shorten(step)

    def on_loop_step_end(self, at: int, event: Json) -> None:
        step = f"{text(event.get('turnId'))}.{text(event.get('step'))}"
        if length := round(1000 * sum(amount(event.get(name)) for name in LATENCY)):
            self.lengths[step] = length
            self._shorten(step)
        reason = text(event.get("finishReason"))
        if self.own.turn is not None and reason not in {"tool_use", ""}:
            self.own.turn.close(at, "error" if reason == "error" else "ok", recorded=False)

    def _shorten(self, step: str) -> None:
        """End a model call at the time of the answer; the lines of its usage and its step can follow those of tools."""
        if step in self.calls and step in self.lengths:
            call, sent = self.calls.pop(step)
            call.end = min(sent + self.lengths.pop(step), call.end)

    def on_context_append_loop_event(self, at: int, line: Json) -> None:
        event = mapping(line.get("event"))
        kind = f"loop.{text(event.get('type'))}"
        if self.method(kind):
            self._current_turn(at)
            self.dispatch(kind, at, event)

    def on_loop_step_begin(self, at: int, _event: Json) -> None:
        self._current_turn(at).end = None

    def on_loop_content_part(self, at: int, event: Json) -> None:
        turn = self._current_turn(at)
        turn.answer = text(reach(event, "part", "text")) or turn.answer

    def on_loop_tool_call(self, at: int, event: Json) -> None:
        name = text(event.get("toolCallId")) or text(event.get("uuid"))
        self.own.add_call(RecordedCall(name, text(event.get("name")), event.get("args"), at))

    def on_loop_tool_result(self, at: int, event: Json) -> None:
        result = mapping(event.get("result"))
        self.own.answer(event.get("toolCallId"), at, result.get("output"), failed=result.get("isError") is True)

    def on_permission_record_approval_result(self, at: int, line: Json) -> None:
        """If the protocol has no line for the question, add a wait for a person since the previous line."""
        if not self.has_questions:
            since = self.own.times[-1] if self.own.times else at
            self.own.waits.append(HumanWait(since, at, source=text(line.get("toolCallId"))))

    def on_interaction_request(self, at: int, line: Json) -> None:
        if line.get("kind") != "user_tool":
            source = text(line.get("toolCallId")) or text(reach(line, "request", "toolCallId"))
            self.questions[text(line.get("id"))] = HumanWait(at, None, source=source)
            self.has_questions = True

    def on_interaction_resolved(self, at: int, line: Json) -> None:
        self.resolve(line.get("id"), at)

    def on_context_append_message(self, at: int, line: Json) -> None:
        origin = mapping(reach(line, "message", "origin"))
        if origin.get("kind") == "task":
            self.own.delivered[text(origin.get("taskId"))].append(at)

    def on_task_waitdelivered(self, at: int, line: Json) -> None:
        for key in items(line.get("keys")):
            for part in text(key).split(":"):
                self.own.delivered[part].append(at)

    def on_subagent_spawned(self, at: int, line: Json) -> None:
        call = self.own.by_id.get(text(line.get("parentToolCallId")))
        agent = text(line.get("subagentId"))
        if call is None or not agent:
            return
        work = self.own.start(call, agent)
        work.at, work.task = at, text(line.get("taskId"))
        work.background = line.get("runInBackground") is True
        swarm, index = items(call.argument("items")), count(line.get("swarmIndex"))
        work.item = text(swarm[index - 1]) if 0 < index <= len(swarm) else ""

    def on_subagent_completed(self, at: int, line: Json) -> None:
        work = self.own.running.pop(text(line.get("subagentId")), None)
        if work is not None:
            work.reported = WorkEnd(at, OUTCOMES.get(text(line.get("type")).partition(".")[2], "ok"))

    on_subagent_failed = on_subagent_cancelled = on_subagent_completed


FORMAT = TraceFormat(
    "kimi-code", detect, convert, keys=("protocol_version", "usageScope"),
    reads="a session's folder with `agents/*/wire.jsonl` (protocol 1.0 to 1.5), or one of these files",
    spawns="`Agent` and `AgentSwarm` calls; the end of the sub-agent's turn",
    inferred="aggregation; what sub-agents without a file or without a call did",
    lost="failed requests to a model; times before the first request of a queued sub-agent",
    group=group, around=around, home=Home("kimi", "KIMI_CODE_HOME", "~/.kimi-code", ("sessions",)),
)  # fmt: skip
