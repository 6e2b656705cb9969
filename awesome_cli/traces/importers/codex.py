"""Codex: the rollouts of a session and of its sub-agents, one or several files per thread, over several days."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from awesome_cli.traces.importers.codex_lines import read_thread
from awesome_cli.traces.importers.codex_run import run_trace
from awesome_cli.traces.importers.foreign import Json, grouped, mapping, reach, text
from awesome_cli.traces.importers.log_file import Home, LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording

FOLDERS = ("sessions", "archived_sessions")


def detect(log: LogFile) -> bool:
    """Return True if the first line describes a session."""
    return log.first.get("type") == "session_meta" and "id" in mapping(log.first.get("payload"))


def around(path: Path) -> Path:
    """Return the folder of all sessions; its parent, if the parent also contains archived sessions."""
    folder = next((above for above in path.parents if above.name in FOLDERS), path.parent)
    both = folder.name in FOLDERS and all((folder.parent / name).is_dir() for name in FOLDERS)
    return folder.parent if both else folder


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """Yield a run per thread that no other thread spawned, with the threads of all its sub-agents."""
    in_order = sorted(logs, key=lambda log: (text(log.first.get("timestamp")), log.path.name, log.path))
    files = grouped(in_order, _thread)
    about = {name: mapping(own[0].first.get("payload")) for name, own in files.items()}
    for root, names in grouped(about, lambda name: _top(name, about)).items():
        main, *others = [log for name in sorted(names, key=lambda name: name != root) for log in files[name]]
        yield RunFiles(main, tuple(others), id=root)


def _thread(log: LogFile) -> str:
    return text(reach(log.first, "payload", "id")) or log.path.name


def _top(name: str, about: Mapping[str, Json]) -> str:
    """Return the id of the root thread. If the file of a thread in between is missing, use the session's id."""
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        meta = about.get(name, {})
        source, session = reach(meta, "source", "subagent"), text(meta.get("session_id"))
        parent = reach(source, "thread_spawn", "parent_thread_id") or meta.get("parent_thread_id")
        above = text(parent) or session
        # A person's fork has no source; its parent is the thread that it repeats.
        if source and above:
            name = session if above not in about and session in about else above
    return name


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    files = grouped((run.main, *run.others), _thread)
    threads = {name: read_thread(name, [list(log.records()) for log in logs]) for name, logs in files.items()}
    rec = Recording(FORMAT.name, with_content)
    rec.add_loss("lines copied from another run or thread", sum(thread.copied for thread in threads.values()))
    rec.add_loss("model calls that failed, and retries: they leave no usage")
    rec.add_loss("the start of a model call: the time of the last input before the call is used")
    yield from run_trace(rec, run, threads, run.id or next(iter(threads)))


FORMAT = TraceFormat(
    "codex", detect, convert, keys=("session_meta",),
    reads="`rollout-*.jsonl`, also `.jsonl.zst` with the extra `zstd`; a session's files in all folders of `sessions` "
    "or `archived_sessions`",
    spawns="`spawn_agent` calls that made a thread; the end of a sub-agent's turn",
    inferred="aggregation; spawns whose call is missing; returns of sub-agents whose files are missing",
    lost="approvals; the start of model calls; retries",
    group=group, around=around, home=Home("codex", "CODEX_HOME", "~/.codex", FOLDERS),
)  # fmt: skip
