"""kimi-cli, the program before Kimi Code: a session's `wire.jsonl`, with `subagents/<id>/wire.jsonl` below it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from awesome_cli.traces.importers._format import Home, RunFiles, TraceFormat
from awesome_cli.traces.importers.foreign import Json, moment, reach, text
from awesome_cli.traces.importers.kimi_cli_lines import CliReader
from awesome_cli.traces.importers.kimi_run import CANCELLED, ROOT, KimiLog, run_trace, session_runs
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.importers.session_writer import NO_ROOT

SIDE = ("state.json", "context.jsonl", "subagents", "tasks", "notifications")


def detect(log: LogFile) -> bool:
    """Lines with a time and a message of the wire protocol; or its first line alone, which has no time."""
    return any(
        moment(line.get("timestamp")) and text(reach(line, "message", "type")) in CliReader.MESSAGES
        for line in log.head
    ) or (log.first.get("type") == "metadata" and log.first.keys() == {"type", "protocol_version"})


def around(path: Path) -> Path:
    """The folder of the session for a sub-agent's file, that of the sub-agents for the session's own file."""
    return _session(path) if _session(path) != path.parent else path.parent / "subagents"


def _session(path: Path) -> Path:
    inside = len(path.parents) > 2 and path.parents[1].name == "subagents"
    return path.parents[2] if inside else path.parent


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """A run per session: a file in `subagents/` belongs to the session above."""
    return session_runs(logs, _place, SIDE)


def _place(path: Path) -> tuple[Path, str]:
    folder = _session(path)
    if not path.name.startswith("wire.jsonl"):
        return path, ROOT
    return folder, ROOT if folder == path.parent else path.parent.name


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """The session as one trace. A sub-agent's own file is read before the lines of the session that repeat it."""
    rec = Recording(FORMAT.name, with_content)
    folder = _session(run.main.path)
    missing = folder != run.main.path.parent
    logs = {log.path.parent.name if log is not run.main or missing else ROOT: log for log in (run.main, *run.others)}
    readers = {name: CliReader(name).read_file(log) for name, log in logs.items()}
    alone = next(iter(readers)) if len(readers) == 1 else ROOT
    root = readers.pop(alone if missing else ROOT, None) or CliReader(ROOT)
    repeated = {name: child for name, child in root.mirrored.items() if name not in readers}
    rec.add_loss("sub-agents whose files are missing: read from the lines that repeat them", len(repeated))
    agents = {name: child.own for name, child in (readers | repeated).items()}
    for name, own in agents.items():
        _describe(own, run.described(folder / "subagents" / name / "meta.json"))
    _tasks(root.own, folder, run)
    if missing:
        rec.add_loss(NO_ROOT)
    if any(reader.untold for reader in (root, *readers.values(), *repeated.values())):
        rec.unrecorded.add("usage")
    yield from run_trace(rec, run, root.own, agents, run.id, "kimi-cli")


def _describe(own: KimiLog, meta: Json) -> None:
    """Add what a sub-agent's `meta.json` says: its type, and how its last run ended."""
    own.role = text(meta.get("subagent_type")) or own.role
    for turn in own.turns:
        if turn.status == "interrupted":
            turn.status = CANCELLED.get(text(meta.get("status")), "error")


def _tasks(root: KimiLog, folder: Path, run: RunFiles) -> None:
    """Note which calls started background agents, as the files of the tasks say."""
    for path in sorted(run.side):
        if path.name == "spec.json" and path.is_relative_to(folder / "tasks"):
            spec = run.described(path)
            agent = text(reach(spec, "kind_payload", "agent_id"))
            call = root.by_id.get(text(spec.get("tool_call_id")))
            if agent and call is not None:
                work = root.start(call, agent)
                work.task, work.background = text(spec.get("id")), True


FORMAT = TraceFormat(
    "kimi-cli", detect, convert, keys=("protocol_version",),
    reads="a session's folder with `wire.jsonl` and `subagents/*/wire.jsonl` (protocol 1.1 to 1.10), or one of these",
    spawns="`Agent` calls (older: `Task`); the end of the sub-agent's last turn",
    inferred="aggregation; what sub-agents without a file or without a call did",
    lost="names of models; failed calls of a model; why a step was interrupted",
    group=group, around=around, home=Home("kimi", "KIMI_SHARE_DIR", "~/.kimi", ("sessions",)),
)  # fmt: skip
