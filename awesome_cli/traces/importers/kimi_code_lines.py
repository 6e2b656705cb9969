"""The lines of Kimi Code's `wire.jsonl`, protocol 1.0 to 1.5."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from awesome_cli.traces.importers.foreign import Json, amount, count, items, mapping, moment, reach, text, usage
from awesome_cli.traces.importers.kimi_run import OUTCOMES, KimiLog, words
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.session import HumanWait, ModelCall, RecordedCall, Turn, WorkEnd

COPIES = ("agent.",)
"""Lines that repeat others, at other times."""
LATENCY = ("llmFirstTokenLatencyMs", "llmStreamDurationMs")
FAILED_REQUESTS = "requests to a model that failed or were cancelled"


def read_code(log: LogFile, name: str) -> KimiLog:
    """What the agent of one file did. Lines are not in the order of their times."""
    reader = CodeReader(KimiLog(name))
    lines: list[tuple[int, Json]] = []
    at = 0
    for line in log.records():
        kind = text(line.get("type"))
        if kind == "forked":
            # A fork is a copy of the session, with this line at the end of each file.
            reader.own.losses["lines copied from another run or thread"] += len(lines)
            lines.clear()
        elif not kind.startswith(COPIES):
            at = moment(line.get("time")) or at
            lines.append((at, line))
    for at, line in sorted(lines, key=lambda each: each[0]):
        if at:
            reader.read(at, line)
    return reader.finished()


class CodeReader:
    """Reads the lines of one agent in the order of time."""

    def __init__(self, own: KimiLog) -> None:
        self.own = own
        self.requests: dict[str, tuple[ModelCall, int, str]] = {}
        self.asked: dict[str, tuple[int, str]] = {}
        self.answered: set[str] = set()
        self.lengths: dict[str, int] = {}
        self.timed = ("", 0)
        self.sent = 0

    def read(self, at: int, line: Json) -> None:
        kind = text(line.get("type"))
        event = mapping(line.get("event"))
        inner = text(event.get("type"))
        if kind == "context.append_loop_event" and inner in self.STEPS:
            self._acted(at)
            self.STEPS[inner](self, at, event)
        elif kind in self.LINES:
            self.LINES[kind](self, at, line)
        self.own.times += [at] if "time" in line else []

    def finished(self) -> KimiLog:
        self.own.losses[FAILED_REQUESTS] += self.sent - sum(call.attempts > 0 for call in self.own.models)
        self.own.losses["questions to a person that were never answered"] += len(self.asked)
        return self.own

    def _acted(self, at: int) -> Turn:
        """The turn that goes on; a new one where the last has ended, because a notice can begin a turn, too."""
        turn = self.own.turn
        if turn is None or turn.recorded:
            turn = Turn(at, at)
            self.own.turns.append(turn)
        turn.last = at
        return turn

    def _prompt(self, at: int, line: Json) -> None:
        by_user = text(reach(line, "origin", "kind")) == "user"
        self.own.turns.append(Turn(at, at, prompt=words(line.get("input")), by_user=by_user))

    def _steer(self, at: int, line: Json) -> None:
        if text(reach(line, "origin", "kind")) == "user":
            self.own.waits.append(HumanWait(at, at, source=text(line.get("messageId"))))

    def _cancel(self, at: int, line: Json) -> None:
        turn = self.own.turn
        if turn is not None and not turn.recorded and line.get("target") != "queued":
            turn.close(at, "cancelled")

    def _turn_ended(self, at: int, line: Json) -> None:
        turn = self.own.turn
        # A turn that was cancelled has ended; the next line of this kind can be of another process, weeks later.
        if turn is not None and turn.status != "cancelled":
            error = text(reach(line, "error", "code")) or text(line.get("stopReason"))
            status = OUTCOMES.get(text(line.get("reason")), "blocked")
            turn.close(at, "error" if status == "ok" and self._unanswered(turn) else status, error=error)

    def _unanswered(self, turn: Turn) -> bool:
        """Whether a turn asked a model, and no request of it had an answer."""
        _, asked, _ = self.requests.get("loop", (None, -1, ""))
        return asked >= turn.begin and all(call.begin < turn.begin for call in self.own.models)

    def _bound(self, _at: int, line: Json) -> None:
        self.own.role = text(line.get("profileName")) or self.own.role

    def _request(self, at: int, line: Json) -> None:
        kind = "compaction" if line.get("kind") == "compaction" else "loop"
        attempt = count(text(line.get("attempt")).partition("/")[0])
        self.sent += 1
        pending = self.requests.get(kind)
        call = pending[0] if pending is not None and attempt > 1 else ModelCall(at, at)
        call.model, call.attempts = text(line.get("model")), max(attempt, 1)
        call.purpose = "compaction" if kind == "compaction" else ""
        self.requests[kind] = (call, at, text(line.get("turnStep")))

    def _usage(self, at: int, line: Json) -> None:
        spent = mapping(line.get("usage"))
        kind = "compaction" if line.get("usageScope") == "session" else "loop"
        call, sent, step = self.requests.pop(kind, (ModelCall(at, at), at, ""))
        call.end = min(sent + self.lengths.pop(step, at - sent), at)
        call.model = call.model or text(line.get("model"))
        call.usage = usage(
            fresh=spent.get("inputOther"),
            cached=spent.get("inputCacheRead"),
            cache_write=spent.get("inputCacheCreation"),
            out=spent.get("output"),
        )
        self.own.models.append(call)
        self.timed = (step, sent)

    def _step_end(self, at: int, event: Json) -> None:
        """Note how long the model took; the line itself comes after the tools of the step."""
        step = f"{text(event.get('turnId'))}.{text(event.get('step'))}"
        length = round(1000 * sum(amount(event.get(name)) for name in LATENCY))
        if self.timed[0] == step and self.own.models and length:
            call = self.own.models[-1]
            call.end = max(call.begin, min(self.timed[1] + length, call.end))
        elif length:
            self.lengths[step] = length
        reason = text(event.get("finishReason"))
        if self.own.turn is not None and reason not in {"tool_use", ""}:
            self.own.turn.close(at, "error" if reason == "error" else "ok", recorded=False)

    def _step_begin(self, at: int, _event: Json) -> None:
        self._acted(at).end = None

    def _part(self, at: int, event: Json) -> None:
        self._acted(at).answer = text(reach(event, "part", "text")) or self._acted(at).answer

    def _call(self, at: int, event: Json) -> None:
        name = text(event.get("toolCallId")) or text(event.get("uuid"))
        self.own.add_call(RecordedCall(name, text(event.get("name")), event.get("args"), at))

    def _result(self, at: int, event: Json) -> None:
        call = self.own.by_id.get(text(event.get("toolCallId")))
        if call is not None and call.end is None:
            result = mapping(event.get("result"))
            self.own.answer(call, at, result.get("output"), failed=result.get("isError") is True)

    def _approval(self, at: int, line: Json) -> None:
        """A person's answer: asked at the line before, because this line says the time of the answer only."""
        source = text(line.get("toolCallId"))
        if source not in self.answered and source not in {call for _, call in self.asked.values()}:
            self.own.waits.append(HumanWait(self.own.times[-1] if self.own.times else at, at, source=source))

    def _asked(self, at: int, line: Json) -> None:
        if line.get("kind") != "user_tool":
            source = text(line.get("toolCallId")) or text(reach(line, "request", "toolCallId"))
            self.asked[text(line.get("id"))] = (at, source)

    def _resolved(self, at: int, line: Json) -> None:
        begin, source = self.asked.pop(text(line.get("id")), (None, ""))
        if begin is not None:
            self.answered.add(source)
            self.own.waits.append(HumanWait(begin, at, source=source))

    def _message(self, at: int, line: Json) -> None:
        origin = mapping(reach(line, "message", "origin"))
        if origin.get("kind") == "task":
            self.own.delivered[text(origin.get("taskId"))].append(at)

    def _waited(self, at: int, line: Json) -> None:
        for key in items(line.get("keys")):
            for part in text(key).split(":"):
                self.own.delivered[part].append(at)

    def _spawned(self, at: int, line: Json) -> None:
        call = self.own.by_id.get(text(line.get("parentToolCallId")))
        agent = text(line.get("subagentId"))
        if call is None or not agent:
            return
        work = self.own.start(call, agent)
        work.at, work.task = at, text(line.get("taskId"))
        work.background = line.get("runInBackground") is True
        listed, index = items(call.argument("items")), count(line.get("swarmIndex"))
        work.item = text(listed[index - 1]) if 0 < index <= len(listed) else ""

    def _finished(self, at: int, line: Json) -> None:
        agent, word = text(line.get("subagentId")), text(line.get("type")).partition(".")[2]
        work = self.own.running.pop(agent, None)
        if work is not None:
            work.reported = WorkEnd(at, OUTCOMES[word])

    LINES: ClassVar[Mapping[str, Callable[["CodeReader", int, Json], None]]] = {
        "turn.prompt": _prompt,
        "turn.steer": _steer,
        "turn.cancel": _cancel,
        "turn.ended": _turn_ended,
        "profile.bind": _bound,
        "config.update": _bound,
        "llm.request": _request,
        "usage.record": _usage,
        "permission.record_approval_result": _approval,
        "interaction.request": _asked,
        "interaction.resolved": _resolved,
        "context.append_message": _message,
        "task.waitDelivered": _waited,
        "subagent.spawned": _spawned,
        "subagent.completed": _finished,
        "subagent.failed": _finished,
        "subagent.cancelled": _finished,
    }
    STEPS: ClassVar[Mapping[str, Callable[["CodeReader", int, Json], None]]] = {
        "step.begin": _step_begin,
        "step.end": _step_end,
        "content.part": _part,
        "tool.call": _call,
        "tool.result": _result,
    }
