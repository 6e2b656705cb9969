"""The lines of kimi-cli's `wire.jsonl`, protocol 1.1 to 1.10."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from awesome_cli.traces.importers.foreign import Json, mapping, moment, parsed, reach, text, usage
from awesome_cli.traces.importers.kimi_run import OUTCOMES, KimiLog, words
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.session import HumanWait, ModelCall, RecordedCall, Turn, WorkEnd

BY_PROGRAM = "<system-reminder>"


class CliReader:
    """Reads the lines of one agent; `mirrored` has its foreground sub-agents as its own lines repeat them."""

    def __init__(self, name: str) -> None:
        self.own = KimiLog(name)
        self.mirrored: dict[str, CliReader] = {}
        self.asked: dict[str, tuple[int, str]] = {}
        self.step: ModelCall | None = None
        self.latest: RecordedCall | None = None
        self.pieces: list[str] = []
        self.untold = 0

    def read_file(self, log: LogFile) -> "CliReader":
        """Read every line of a file."""
        for line in log.records():
            at = moment(line.get("timestamp"))
            if at is not None:
                self.read(at, mapping(line.get("message")))
        self._joined()
        return self

    def read(self, at: int, message: Json) -> None:
        """Read one message; unknown types are left out."""
        kind = text(message.get("type"))
        payload = mapping(message.get("payload"))
        if kind in self.MESSAGES:
            self.MESSAGES[kind](self, at, payload)
        if self.own.turn is not None:
            self.own.turn.last = at
        self.own.times.append(at)

    def _turn_begin(self, at: int, payload: Json) -> None:
        prompt = words(payload.get("user_input"))
        self.own.turns.append(Turn(at, at, prompt=prompt, by_user=not prompt.startswith(BY_PROGRAM)))

    def _steer(self, at: int, _payload: Json) -> None:
        self.own.waits.append(HumanWait(at, at))

    def _turn_end(self, at: int, _payload: Json) -> None:
        turn = self.own.turn
        if turn is not None:
            turn.close(at, turn.status or "ok")

    def _interrupted(self, _at: int, _payload: Json) -> None:
        self.step = None
        if self.own.turn is not None:
            self.own.turn.status = "interrupted"

    def _step_begin(self, at: int, _payload: Json) -> None:
        self.step = ModelCall(at, at)

    def _retry(self, _at: int, _payload: Json) -> None:
        if self.step is not None:
            self.step.attempts += 1

    def _compaction(self, at: int, _payload: Json) -> None:
        self.step = ModelCall(at, at, purpose="compaction")

    def _part(self, at: int, payload: Json) -> None:
        self._heard(at)
        if self.own.turn is not None:
            self.own.turn.answer = text(payload.get("text")) or self.own.turn.answer

    def _heard(self, at: int) -> None:
        """Note that the model had said something by then."""
        if self.step is not None:
            self.step.end = at

    def _call(self, at: int, payload: Json) -> None:
        self._heard(at)
        self._joined()
        name, written = text(payload.get("id")), text(reach(payload, "function", "arguments"))
        self.latest = self.own.add_call(
            RecordedCall(name, text(reach(payload, "function", "name")), parsed(written), at)
        )
        self.pieces = [written]

    def _call_part(self, at: int, payload: Json) -> None:
        self._heard(at)
        self.pieces.append(text(payload.get("arguments_part")))

    def _joined(self) -> None:
        if self.latest is not None and len(self.pieces) > 1:
            self.latest.arguments = parsed("".join(self.pieces))
        self.latest, self.pieces = None, []

    def _result(self, at: int, payload: Json) -> None:
        self._joined()
        call = self.own.by_id.get(text(payload.get("tool_call_id")))
        answer = mapping(payload.get("return_value"))
        if call is not None and call.end is None:
            output = answer.get("output") or answer.get("message")
            self.own.answer(call, at, output, failed=answer.get("is_error") is True)

    def _status(self, at: int, payload: Json) -> None:
        """A call of the model ended: it has a usage, or at least an id."""
        spent = mapping(payload.get("token_usage"))
        source = text(payload.get("message_id"))
        if not spent and not source:
            return
        call = self.step or ModelCall(at, at)
        call.end = call.end if call.end > call.begin else at
        call.id, self.step = source, None
        if spent:
            call.usage = usage(
                fresh=spent.get("input_other"),
                cached=spent.get("input_cache_read"),
                cache_write=spent.get("input_cache_creation"),
                out=spent.get("output"),
            )
        self.untold += not spent
        self.own.models.append(call)

    def _asks(self, at: int, payload: Json) -> None:
        self.asked[text(payload.get("id"))] = (at, text(payload.get("tool_call_id")))

    def _told(self, at: int, payload: Json) -> None:
        begin, source = self.asked.pop(text(payload.get("request_id")), (None, ""))
        if begin is not None:
            self.own.waits.append(HumanWait(begin, at, source=source))

    def _notice(self, at: int, payload: Json) -> None:
        task = text(payload.get("source_id"))
        self.own.delivered[task].append(at)
        if status := OUTCOMES.get(text(reach(payload, "payload", "status"))):
            finished = moment(reach(payload, "payload", "finished_at"))
            self.own.ended[task] = WorkEnd(at if finished is None else min(finished, at), status, inferred=True)

    def _child(self, at: int, payload: Json) -> None:
        """A line of a foreground sub-agent, which its own file has, too."""
        call_id = text(payload.get("parent_tool_call_id")) or text(payload.get("task_tool_call_id"))
        call = self.own.by_id.get(call_id)
        name = text(payload.get("agent_id")) or f"agent-{call_id}"
        child = self.mirrored.setdefault(name, CliReader(name))
        child.own.role = child.own.role or text(payload.get("subagent_type"))
        event = mapping(payload.get("event"))
        if call is not None:
            self.own.start(call, name)
        if event.get("type") != "SubagentEvent":
            child.read(at, event)

    MESSAGES: ClassVar[Mapping[str, Callable[["CliReader", int, Json], None]]] = {
        "TurnBegin": _turn_begin,
        "SteerInput": _steer,
        "TurnEnd": _turn_end,
        "StepBegin": _step_begin,
        "StepInterrupted": _interrupted,
        "StepRetry": _retry,
        "CompactionBegin": _compaction,
        "ContentPart": _part,
        "ToolCall": _call,
        "ToolCallPart": _call_part,
        "ToolResult": _result,
        "StatusUpdate": _status,
        "ApprovalRequest": _asks,
        "ApprovalResponse": _told,
        "ApprovalRequestResolved": _told,
        "Notification": _notice,
        "SubagentEvent": _child,
    }
