"""Codex's trace bundle: a folder with manifest.json, trace.jsonl and payloads/ for a whole tree of threads.

Codex writes one where CODEX_ROLLOUT_TRACE_ROOT names a folder. `state.json` is what `codex debug trace-reduce` makes
of it.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from awesome_cli.files.paths import below_named
from awesome_cli.traces.importers._format import RunFiles, TraceFormat
from awesome_cli.traces.importers.codex_lines import said, used, words_of
from awesome_cli.traces.importers.codex_run import run_trace
from awesome_cli.traces.importers.codex_thread import CodexLog, waits
from awesome_cli.traces.importers.foreign import Json, count, mapping, moment, objects, parsed, reach, text
from awesome_cli.traces.importers.log_file import LogFile, LogFileError
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import Arrival, ModelCall, RecordedCall, Turn

STATUS = {"completed": "ok", "failed": "error", "cancelled": "cancelled", "aborted": "cancelled"}
ANSWERED = ("inference_completed", "compaction_request_completed")
FAILED = ("inference_failed", "inference_cancelled", "compaction_request_failed")


def detect(log: LogFile) -> bool:
    """The manifest, the lines of the trace, or the reduced graph."""
    first = log.first
    known = "raw_event_log" in first or "interaction_edges" in first or {"seq", "payload"} <= first.keys()
    return known and "rollout_id" in first


def around(path: Path) -> Path:
    """The folder of the bundle."""
    return path.parent


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """A run per folder: the lines are its log, and all other files belong to them."""
    folders: dict[Path, list[LogFile]] = defaultdict(list)
    for log in logs:
        folders[log.path.parent].append(log)
    for folder, own in folders.items():
        lines = [log for log in own if "seq" in log.first]
        side = {log.path for log in own if log not in lines} | set(below_named(folder, "payloads"))
        for log in lines or own[:1]:
            yield RunFiles(log, side=frozenset(side - {log.path}), id=text(log.first.get("rollout_id")))


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """The bundle as one trace."""
    reader = _BundleReader(run)
    for line in run.main.records():
        reader.read(line)
    rec = Recording(FORMAT.name, with_content)
    if reader.threads:
        yield from run_trace(rec, run, reader.threads, reader.root or next(iter(reader.threads)))


class _BundleReader:
    """Combines the lines of a bundle to threads. Their places are the numbers of the lines."""

    def __init__(self, run: RunFiles) -> None:
        self.side = {path.name: path for path in run.side}
        state = next((path for path in run.side if path.name.startswith("state.json")), None)
        self.reduced = mapping(self._file(state).get("inference_calls")) if state is not None else {}
        self.root = ""
        self.threads: dict[str, CodexLog] = {}
        self.paths: dict[str, str] = {}
        self.models: dict[str, ModelCall] = {}
        self.calls: dict[str, tuple[CodexLog, RecordedCall]] = {}
        self.turns: dict[str, Turn] = {}
        self.results: dict[str, deque[tuple[str, str]]] = defaultdict(deque)
        self.opened: set[str] = set()
        self.at = 0
        self.line = 0
        self.handlers = {
            "thread_started": self._thread,
            "tool_call_ended": self._ended,
            "tool_call_runtime_started": self._began,
            "tool_call_runtime_ended": self._ran,
            "codex_turn_ended": self._turn_ended,
            "agent_result_observed": self._result,
            **dict.fromkeys((*ANSWERED, *FAILED), self._answered),
        }

    def _file(self, path: Path) -> Json:
        """The object in a file; an empty one if it cannot be read."""
        try:
            return LogFile(path).first
        except (LogFileError, OSError):
            return {}

    def _payload(self, reference: object) -> Json:
        """What a line refers to; an empty object where the file is missing."""
        path = self.side.get(Path(text(reach(reference, "path"))).name)
        return self._file(path) if path is not None else {}

    def read(self, line: Json) -> None:
        self.line += 1
        self.at = moment(line.get("wall_time_unix_ms")) or self.at
        body = mapping(line.get("payload"))
        kind = text(body.get("type"))
        thread = self.threads.get(text(body.get("thread_id") or line.get("thread_id")))
        if kind == "rollout_started":
            self.root = text(body.get("root_thread_id"))
        elif kind in self.handlers:
            self.handlers[kind](body)
        elif thread is not None:
            self._of(thread, kind, body)
        if thread is not None:
            thread.times.append(self.at)

    def _thread(self, body: Json) -> None:
        """A thread. Its path names its parent's."""
        name, path = text(body.get("thread_id")), text(body.get("agent_path"))
        parent = self.paths.get(path.rpartition("/")[0], "") if name != self.root else ""
        spawn = {"thread_spawn": {"parent_thread_id": parent}}
        about = self._payload(body.get("metadata_payload"))
        meta = {"agent_role": about.get("agent_role"), "agent_path": path, "multi_agent_version": "v2"}
        self.threads[name] = CodexLog(name, meta={**meta, "source": {"subagent": spawn}}, times=[self.at])
        self.paths[path] = name

    def _of(self, thread: CodexLog, kind: str, body: Json) -> None:
        """A line about a thread that is known."""
        if kind == "codex_turn_started":
            turn = self.turns[text(body.get("codex_turn_id"))] = Turn(self.at, self.at)
            thread.turns.append(turn)
            self.opened.add(thread.id)
        elif kind in {"inference_started", "compaction_request_started"}:
            model = ModelCall(self.at, self.at, self.line, model=text(body.get("model")))
            model.purpose = "compaction" if kind.startswith("compaction") else ""
            self.models[text(body.get("inference_call_id") or body.get("compaction_request_id"))] = model
            thread.models.append(model)
        elif kind == "tool_call_started":
            self._called(thread, body)
        elif kind == "history_item_accepted" and text(body.get("item_id")).startswith("amsg_"):
            self._arrived(thread, self._payload(body.get("agent_message_payload")))

    def _answered(self, body: Json) -> None:
        kind = body.get("type")
        name = text(body.get("inference_call_id") or body.get("compaction_request_id"))
        model = self.models.get(name)
        if model is None:
            return
        model.end = max(self.at, model.begin)
        model.id = text(body.get("response_id"))
        answer = self._payload(body.get("response_payload") or body.get("partial_response_payload"))
        model.content = objects(answer.get("output_items"))
        model.usage = used(answer.get("token_usage")) or used(reach(self.reduced, name, "usage"))
        model.status = "" if kind in ANSWERED else "cancelled" if kind == "inference_cancelled" else "error"

    def _called(self, thread: CodexLog, body: Json) -> None:
        name = text(body.get("tool_call_id"))
        tool = text(reach(body, "summary", "label")).removeprefix("collaboration.") or text(reach(body, "kind", "type"))
        given = parsed(reach(body, "summary", "input_preview"))
        source = text(body.get("model_visible_call_id")) or name
        self.calls[name] = (thread, thread.add_call(RecordedCall(source, tool, given, self.at, place=self.line)))

    def _ended(self, body: Json) -> None:
        _, call = self.calls.get(text(body.get("tool_call_id")), (None, None))
        if call is not None:
            call.end, call.result = max(self.at, call.begin), self._payload(body.get("result_payload")) or None
            status = STATUS.get(text(body.get("status")), "")
            limit = 1000 * count(reach(call.arguments, "timeout_ms"))
            late = status == "ok" and waits(call) and 0 < limit <= call.end - call.begin
            call.status = call.status or ("timeout" if late else status)

    def _began(self, body: Json) -> None:
        """The process of a command began; the start of the call is when the model's answer asked for it."""
        _, call = self.calls.get(text(body.get("tool_call_id")), (None, None))
        if call is not None and call.name == "exec_command" and call.end is None:
            call.begin = self.at

    def _ran(self, body: Json) -> None:
        """What a tool did: a command failed; `spawn_agent` made a thread, which its file names, or else its path."""
        thread, call = self.calls.get(text(body.get("tool_call_id")), (None, None))
        if call is not None and body.get("status") == "failed":
            call.status = "error"
        if thread is not None and call is not None and call.name == "spawn_agent" and body.get("status") == "completed":
            path = f"{thread.about('agent_path')}/{text(reach(call.arguments, 'task_name'))}"
            activity = self._payload(body.get("runtime_payload"))
            child = text(activity.get("agent_thread_id") or activity.get("new_thread_id")) or self.paths.get(path, "")
            thread.started[call.id] = child

    def _turn_ended(self, body: Json) -> None:
        turn = self.turns.get(text(body.get("codex_turn_id")))
        if turn is not None:
            turn.last = self.at
            turn.close(self.at, STATUS.get(text(body.get("status")), ""))

    def _result(self, body: Json) -> None:
        child = self.threads.get(text(body.get("child_thread_id")))
        turn = self.turns.get(text(body.get("child_codex_turn_id")))
        _, words = words_of(text(body.get("message")))
        if turn is not None:
            turn.answer = words
        if child is not None:
            self.results[text(body.get("parent_thread_id"))].append((child.about("agent_path"), words))

    def _arrived(self, thread: CodexLog, item: Json) -> None:
        """Words from another agent. Without their file, answers arrive in order, and a turn begins with its task."""
        waiting = self.results[thread.id]
        if item:
            author, (kind, words) = text(item.get("author")), said(item)
        elif waiting:
            kind, (author, words) = "answer", waiting[0]
        else:
            kind, words = "task" if thread.id in self.opened else "message", ""
            author = thread.about("agent_path").rpartition("/")[0]
        if kind == "answer" and (author, words) in waiting:
            waiting.remove((author, words))
        self.opened.discard(thread.id)
        thread.arrivals.append(Arrival(author, kind, words, self.at, self.line))


FORMAT = TraceFormat(
    "codex-bundle", detect, convert, keys=("rollout_id", "raw_event_log"),
    reads="a trace bundle, the folder that Codex writes with `CODEX_ROLLOUT_TRACE_ROOT`; tokens from `payloads/`, else "
    "from `state.json`",
    spawns="`spawn_agent` calls that made a thread; the end of a sub-agent's turn",
    inferred="aggregation; which answer arrived, where `payloads/` is missing",
    lost="approvals; runs of code cells",
    group=group, around=around,
)  # fmt: skip
