"""Codex's trace bundle: a folder with manifest.json, trace.jsonl and payloads/ for a session and its sub-agents.

Codex writes a bundle to the folder in CODEX_ROLLOUT_TRACE_ROOT. `codex debug trace-reduce` adds `state.json`.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from awesome_cli.files.paths import below_named
from awesome_cli.traces.importers.codex_lines import message_of, text_of, token_fields
from awesome_cli.traces.importers.codex_run import CodexLog, run_trace, waits
from awesome_cli.traces.importers.foreign import Json, count, grouped, mapping, moment, objects, parsed, reach, text
from awesome_cli.traces.importers.log_file import LogFile, LogFileError, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session import Arrival, ModelCall, RecordedCall, Turn

ENDS = {"completed": "ok", "failed": "error", "cancelled": "cancelled", "aborted": "cancelled"}


def detect(log: LogFile) -> bool:
    """Return True for the manifest, the lines of the trace, and the reduced graph (`state.json`)."""
    return "rollout_id" in log.first and not {"raw_event_log", "interaction_edges", "seq"}.isdisjoint(log.first)


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """Yield a run per folder: the lines of the trace are the log, and all other files are side files."""
    for folder, files in grouped(logs, lambda log: log.path.parent).items():
        lines = [log for log in files if "seq" in log.first]
        side = {log.path for log in files if log not in lines} | set(below_named(folder, "payloads"))
        for log in lines or files[:1]:
            yield RunFiles(log, side=frozenset(side - {log.path}), id=text(log.first.get("rollout_id")))


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    reader = _BundleReader(run)
    for line in run.main.records():
        reader.read(line)
    if reader.threads:
        rec = Recording(FORMAT.name, with_content)
        yield from run_trace(rec, run, reader.threads, run.id or next(iter(reader.threads)))


class _BundleReader:
    """Combines the lines of a bundle into threads. The place of a call or message is the number of its line.

    The method `on_X` reads the payload of a line of type `X`; `thread` is the thread of that line. Lines about an
    unknown thread, turn or call are read into objects that are not part of the run.
    """

    def __init__(self, run: RunFiles) -> None:
        self.side = {path.name: path for path in run.side}
        self.reduced = self._file("state.json").get("inference_calls")
        self.threads: dict[str, CodexLog] = {}
        self.thread = CodexLog("")
        self.paths: dict[str, str] = {}
        self.models: dict[str, ModelCall] = defaultdict(lambda: ModelCall(0, 0))
        self.calls: dict[str, RecordedCall] = defaultdict(lambda: RecordedCall("", "", None, 0))
        self.turns: dict[str, Turn] = defaultdict(lambda: Turn(0, 0))
        self.results: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.opened: set[str] = set()
        self.at = 0
        self.line = 0

    def _file(self, name: str) -> Json:
        """Return the object in a file of the bundle; {} if the file is missing or cannot be read."""
        try:
            return LogFile(self.side[name]).first if name in self.side else {}
        except (LogFileError, OSError):
            return {}

    def _payload(self, reference: object) -> Json:
        return self._file(Path(text(reach(reference, "path"))).name)

    def read(self, line: Json) -> None:
        self.line += 1
        self.at = moment(line.get("wall_time_unix_ms")) or self.at
        body = mapping(line.get("payload"))
        self.thread = self.threads.get(text(body.get("thread_id") or line.get("thread_id"))) or CodexLog("")
        self.thread.times.append(self.at)
        if handler := getattr(self, f"on_{text(body.get('type'))}", None):
            handler(body)

    def on_thread_started(self, body: Json) -> None:
        """Add a thread. Its parent is the thread at the path above."""
        name, path = text(body.get("thread_id")), text(body.get("agent_path"))
        parent = self.paths.get(path.rpartition("/")[0], "")
        spawn = {"thread_spawn": {"parent_thread_id": parent}}
        role = self._payload(body.get("metadata_payload")).get("agent_role")
        meta: Json = {"agent_role": role, "agent_path": path, "multi_agent_version": "v2"}
        self.threads[name] = CodexLog(name, meta=meta | {"source": {"subagent": spawn}}, times=[self.at])
        self.paths[path] = name

    def on_codex_turn_started(self, body: Json) -> None:
        turn = self.turns[text(body.get("codex_turn_id"))] = Turn(self.at, self.at)
        self.thread.turns.append(turn)
        self.opened.add(self.thread.id)

    def on_codex_turn_ended(self, body: Json) -> None:
        turn = self.turns[text(body.get("codex_turn_id"))]
        turn.last = self.at
        turn.close(self.at, ENDS.get(text(body.get("status")), ""))

    def on_inference_started(self, body: Json) -> None:
        purpose = "compaction" if "compaction_request_id" in body else ""
        model = ModelCall(self.at, self.at, self.line, model=text(body.get("model")), purpose=purpose)
        self.models[text(body.get("inference_call_id") or body.get("compaction_request_id"))] = model
        self.thread.models.append(model)

    def on_inference_completed(self, body: Json) -> None:
        name = text(body.get("inference_call_id") or body.get("compaction_request_id"))
        model = self.models[name]
        model.end = max(self.at, model.begin)
        model.id = text(body.get("response_id"))
        answer = self._payload(body.get("response_payload") or body.get("partial_response_payload"))
        model.content = objects(answer.get("output_items"))
        model.usage = token_fields(answer.get("token_usage")) or token_fields(reach(self.reduced, name, "usage"))
        status = ENDS[text(body.get("type")).rpartition("_")[2]]
        model.status = "" if status == "ok" else status

    on_compaction_request_started = on_inference_started
    on_inference_failed = on_inference_cancelled = on_inference_completed
    on_compaction_request_completed = on_compaction_request_failed = on_inference_completed

    def on_tool_call_started(self, body: Json) -> None:
        name = text(body.get("tool_call_id"))
        tool = text(reach(body, "summary", "label")).removeprefix("collaboration.") or text(reach(body, "kind", "type"))
        arguments = parsed(reach(body, "summary", "input_preview"))
        source = text(body.get("model_visible_call_id")) or name
        self.calls[name] = self.thread.add_call(RecordedCall(source, tool, arguments, self.at, place=self.line))

    def on_tool_call_runtime_started(self, body: Json) -> None:
        """Set the start of a command to the start of its process. Any other call starts when the model requests it."""
        call = self.calls[text(body.get("tool_call_id"))]
        if call.name == "exec_command" and call.end is None:
            call.begin = self.at

    def on_tool_call_runtime_ended(self, body: Json) -> None:
        """Mark a failed command, and record the thread that `spawn_agent` created, from the payload or by its path."""
        call = self.calls[text(body.get("tool_call_id"))]
        if body.get("status") == "failed":
            call.status = "error"
        if call.name == "spawn_agent" and body.get("status") == "completed":
            path = f"{self.thread.about('agent_path')}/{text(call.argument('task_name'))}"
            activity = self._payload(body.get("runtime_payload"))
            child = text(activity.get("agent_thread_id") or activity.get("new_thread_id"))
            self.thread.started[call.id] = child or self.paths.get(path, "")

    def on_tool_call_ended(self, body: Json) -> None:
        call = self.calls[text(body.get("tool_call_id"))]
        call.end, call.result = max(self.at, call.begin), self._payload(body.get("result_payload")) or None
        status, limit = ENDS.get(text(body.get("status")), ""), 1000 * count(call.argument("timeout_ms"))
        late = status == "ok" and waits(call) and 0 < limit <= call.end - call.begin
        call.status = call.status or ("timeout" if late else status)

    def on_agent_result_observed(self, body: Json) -> None:
        child = text(body.get("child_thread_id"))
        _, words = message_of(text(body.get("message")))
        self.turns[text(body.get("child_codex_turn_id"))].answer = words
        if child in self.threads:
            self.results[text(body.get("parent_thread_id"))].append((self.threads[child].about("agent_path"), words))

    def on_history_item_accepted(self, body: Json) -> None:
        """Add a message of another agent. Without its payload, assume the next answer or the task of a new turn."""
        if not text(body.get("item_id")).startswith("amsg_"):
            return
        item = self._payload(body.get("agent_message_payload"))
        waiting = self.results[self.thread.id]
        if item:
            author, (kind, words) = text(item.get("author")), message_of(text_of(item.get("content")))
        elif waiting:
            kind, (author, words) = "answer", waiting[0]
        else:
            kind, words = "task" if self.thread.id in self.opened else "message", ""
            author = self.thread.about("agent_path").rpartition("/")[0]
        if kind == "answer" and (author, words) in waiting:
            waiting.remove((author, words))
        self.opened.discard(self.thread.id)
        self.thread.arrivals.append(Arrival(author, kind, words, self.at, self.line))


FORMAT = TraceFormat(
    "codex-bundle", detect, convert, keys=("rollout_id", "raw_event_log"),
    reads="a trace bundle, the folder that Codex writes with `CODEX_ROLLOUT_TRACE_ROOT`; tokens from `payloads/`, else "
    "from `state.json`",
    spawns="`spawn_agent` calls that made a thread; the end of a sub-agent's turn",
    inferred="aggregation; which answer arrived, if `payloads/` is missing",
    lost="approvals; runs of code cells",
    group=group, around=lambda path: path.parent,
)  # fmt: skip
