"""kimi-cli, the program before Kimi Code: a session's `wire.jsonl`, with `subagents/<id>/wire.jsonl` below it.

A line `{"timestamp": 1795302148.0, "message": {"type": "TurnBegin", "payload": {"user_input": "Find it"}}}` begins a
turn. Read are protocols 1.1 to 1.10.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from awesome_cli.traces.importers.foreign import Json, mapping, moment, parsed, reach, text, usage
from awesome_cli.traces.importers.kimi_run import OUTCOMES, ROOT, WireReader, run_trace, session_runs, words
from awesome_cli.traces.importers.log_file import Home, LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import HumanWait, ModelCall, RecordedCall, Turn, WorkEnd

USAGE = {"fresh": "input_other", "cached": "input_cache_read", "cache_write": "input_cache_creation", "out": "output"}
SIDE = ("state.json", "context.jsonl", "subagents", "tasks", "notifications")


def detect(log: LogFile) -> bool:
    """Return True if a line has a time and a message of the protocol, or if the first line has only its version."""
    return any(
        moment(line.get("timestamp")) and CliReader.method(text(reach(line, "message", "type"))) for line in log.head
    ) or (log.first.get("type") == "metadata" and log.first.keys() == {"type", "protocol_version"})


def around(path: Path) -> Path:
    """Return the session's folder for a sub-agent's file, and the folder `subagents` for the session's own file."""
    return _session(path) or path.parent / "subagents"


def _session(path: Path) -> Path | None:
    return path.parents[2] if len(path.parents) > 2 and path.parents[1].name == "subagents" else None


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """Yield a run per session: a file in `subagents/` belongs to the session above."""
    return session_runs(logs, _place, SIDE)


def _place(path: Path) -> tuple[Path, str]:
    if not path.name.startswith("wire.jsonl"):
        return path, ROOT
    folder = _session(path)
    return (folder, path.parent.name) if folder else (path.parent, ROOT)


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield the session as one trace. Lines that repeat a sub-agent's lines are read only if its file is missing."""
    rec = Recording(FORMAT.name, with_content)
    logs = {_place(log.path)[1]: log for log in (run.main, *run.others)}
    readers = {name: CliReader(name).read_file(log) for name, log in logs.items()}
    repeated = {name: child for each in readers.values() for name, child in each.repeated.items() if name not in logs}
    rec.add_loss("sub-agents whose files are missing: read from the lines that repeat them", len(repeated))
    agents = {name: reader.own for name, reader in (readers | repeated).items()}
    for name in agents.keys() - {ROOT}:
        meta = run.described(_place(run.main.path)[0] / "subagents" / name / "meta.json")
        agents[name].role = text(meta.get("subagent_type")) or agents[name].role
        for turn in agents[name].turns:
            if turn.status == "interrupted":
                turn.status = "cancelled" if OUTCOMES.get(text(meta.get("status"))) == "cancelled" else "error"
    yield from run_trace(rec, run, agents, "kimi-cli")


class CliReader(WireReader):
    """Reads the lines of one agent; `repeated` has a reader per foreground sub-agent, for the lines repeated here."""

    def __init__(self, agent: str) -> None:
        super().__init__(agent)
        self.repeated: dict[str, CliReader] = {}
        self.step: ModelCall | None = None
        self.pieces: list[str] = []

    def read_file(self, log: LogFile) -> "CliReader":
        for line in log.records():
            at = moment(line.get("timestamp"))
            if at is not None:
                self.read(at, mapping(line.get("message")))
        self._join()
        return self

    def read(self, at: int, message: Json) -> None:
        self.dispatch(text(message.get("type")), at, mapping(message.get("payload")))
        if self.own.turn is not None:
            self.own.turn.last = at
        self.own.times.append(at)

    def on_turnbegin(self, at: int, payload: Json) -> None:
        prompt = words(payload.get("user_input"))
        self.own.turns.append(Turn(at, at, prompt=prompt, by_user=not prompt.startswith("<system-reminder>")))

    def on_steerinput(self, at: int, _payload: Json) -> None:
        self.own.waits.append(HumanWait(at, at))

    def on_turnend(self, at: int, _payload: Json) -> None:
        turn = self.own.turn
        if turn is not None:
            turn.close(at, turn.status or "ok")

    def on_stepinterrupted(self, _at: int, _payload: Json) -> None:
        self.step = None
        if self.own.turn is not None:
            self.own.turn.status = "interrupted"

    def on_stepbegin(self, at: int, _payload: Json) -> None:
        self.step = ModelCall(at, at, at)

    def on_stepretry(self, _at: int, _payload: Json) -> None:
        if self.step is not None:
            self.step.attempts += 1

    def on_compactionbegin(self, at: int, _payload: Json) -> None:
        self.step = ModelCall(at, at, at, purpose="compaction")

    def on_contentpart(self, at: int, payload: Json) -> None:
        self._extend_step(at)
        if self.own.turn is not None:
            self.own.turn.answer = text(payload.get("text")) or self.own.turn.answer

    def _extend_step(self, at: int) -> None:
        if self.step is not None:
            self.step.end = at

    def on_toolcall(self, at: int, payload: Json) -> None:
        self._extend_step(at)
        self._join()
        arguments = text(reach(payload, "function", "arguments"))
        name = text(reach(payload, "function", "name"))
        self.own.add_call(RecordedCall(text(payload.get("id")), name, parsed(arguments), at))
        self.pieces = [arguments]

    def on_toolcallpart(self, at: int, payload: Json) -> None:
        self._extend_step(at)
        if self.pieces:
            self.pieces.append(text(payload.get("arguments_part")))

    def _join(self) -> None:
        """Join the arguments of the last call, which are written in pieces."""
        if self.own.calls and len(self.pieces) > 1:
            self.own.calls[-1].arguments = parsed("".join(self.pieces))
        self.pieces = []

    def on_toolresult(self, at: int, payload: Json) -> None:
        self._join()
        answer = mapping(payload.get("return_value"))
        output = answer.get("output") or answer.get("message")
        self.own.answer(payload.get("tool_call_id"), at, output, failed=answer.get("is_error") is True)

    def on_statusupdate(self, at: int, payload: Json) -> None:
        """End a model call if the line has a usage or an id."""
        spent = mapping(payload.get("token_usage"))
        source = text(payload.get("message_id"))
        if not spent and not source:
            return
        call = self.step or ModelCall(at, at, at)
        call.end = call.end if call.end > call.begin else at
        call.id, self.step = source, None
        if spent:
            call.usage = usage(**{field: spent.get(name) for field, name in USAGE.items()})
        self.own.models.append(call)

    def on_approvalrequest(self, at: int, payload: Json) -> None:
        self.questions[text(payload.get("id"))] = HumanWait(at, None, source=text(payload.get("tool_call_id")))

    def on_approvalresponse(self, at: int, payload: Json) -> None:
        self.resolve(payload.get("request_id"), at)

    on_approvalrequestresolved = on_approvalresponse

    def on_notification(self, at: int, payload: Json) -> None:
        task = text(payload.get("source_id"))
        self.own.delivered[task].append(at)
        if status := OUTCOMES.get(text(reach(payload, "payload", "status"))):
            finished = moment(reach(payload, "payload", "finished_at"))
            self.own.ended[task] = WorkEnd(at if finished is None else min(finished, at), status, inferred=True)

    def on_subagentevent(self, at: int, payload: Json) -> None:
        """Read a line of a foreground sub-agent; the sub-agent's own file has the same line."""
        call_id = text(payload.get("parent_tool_call_id")) or text(payload.get("task_tool_call_id"))
        call = self.own.by_id.get(call_id)
        name = text(payload.get("agent_id")) or f"agent-{call_id}"
        child = self.repeated.setdefault(name, CliReader(name))
        child.own.role = child.own.role or text(payload.get("subagent_type"))
        event = mapping(payload.get("event"))
        if call is not None:
            self.own.start(call, name)
        if event.get("type") != "SubagentEvent":
            child.read(at, event)


FORMAT = TraceFormat(
    "kimi-cli", detect, convert, keys=("protocol_version",),
    reads="a session's folder with `wire.jsonl` and `subagents/*/wire.jsonl` (protocol 1.1 to 1.10), or one of these",
    spawns="`Agent` calls (older: `Task`); the end of the sub-agent's last turn",
    inferred="aggregation; what sub-agents without a file or without a call did",
    lost="names of models; failed calls of a model; why a step was interrupted",
    group=group, around=around, home=Home("kimi", "KIMI_SHARE_DIR", "~/.kimi", ("sessions",)),
)  # fmt: skip
