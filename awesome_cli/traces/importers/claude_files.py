"""The files of a session of Claude Code, and the sessions whose lines it repeats."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from awesome_cli.files.paths import below_named, is_file
from awesome_cli.traces.importers._format import RunFiles
from awesome_cli.traces.importers.foreign import Json, moment, text
from awesome_cli.traces.importers.log_file import SAMPLE, LogFile, LogFileError

FOLDER = "subagents"
# Quotes inside a text are escaped, so only ids of lines match.
UUID = re.compile(r'"uuid"(?<!\\"uuid"): ?"([^"\\]+)"')


def bare(path: Path) -> str:
    """Return a file's name without suffixes: the id of a session, or `agent-` and the id of a sub-agent."""
    return re.sub(r"(\.(jsonl?|log))?(\.(gz|zst))?\Z", "", path.name)


def meta_file(path: Path) -> Path:
    """Return the path of a sub-agent's description, beside its log."""
    return path.with_name(f"{bare(path)}.meta.json")


def around(path: Path) -> Path:
    """Return the folder of the project: that of the sessions' files."""
    place = _place(path)
    return place.parent if place else path.parent


def _place(path: Path) -> Path | None:
    """Return the folder with the name of the session, for a file of a sub-agent in it, at any depth."""
    return next((above.parent for above in path.parents if above.name == FOLDER), None)


def workflow(path: Path) -> str:
    """Return the id of the workflow whose agents' files lie in a file's folder; empty if there is none."""
    return path.parent.name if path.parent.parent.name == "workflows" else ""


def session_id(records: Iterable[Json]) -> str:
    """Return the first id of a session in some lines."""
    return next((name for record in records if (name := text(record.get("sessionId")))), "")


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """Yield a run per session. A sub-agent belongs to the one with the name of its folder, or the id in its lines.

    Sub-agents of a session without a file are one run, too.
    """
    agents = [log for log in logs if log.path.name.startswith("agent-")]
    sessions = [log for log in logs if not log.path.name.startswith("agent-")]
    homes = {log.path.parent / bare(log.path): log.path for log in sessions}
    ids = {log.path: session_id(log.begin()) for log in sessions}
    by_id = {(log.path.parent, ids[log.path]): log.path for log in sessions}
    children: dict[Path | tuple[Path, str], list[LogFile]] = defaultdict(list)
    for log in sorted(agents, key=lambda log: log.path):
        folder, name = _place(log.path), session_id(log.begin())
        home = homes.get(folder or Path()) or by_id.get((log.path.parent, name))
        children[home or (folder or log.path.parent, name)].append(log)
    before = repeated(sessions)
    for log in sessions:
        others = children.pop(log.path, [])
        side = _metas(others) | set(below_named(log.path.parent, bare(log.path))) - {other.path for other in others}
        yield RunFiles(log, tuple(others), before.get(log.path, ()), frozenset(side), ids[log.path])
    for main, *others in children.values():
        yield RunFiles(main, tuple(others), side=frozenset(_metas([main, *others])))


def _metas(logs: Iterable[LogFile]) -> set[Path]:
    return {meta for log in logs if is_file((meta := meta_file(log.path)).parent, meta.name)}


def repeated(sessions: Sequence[LogFile]) -> Mapping[Path, tuple[LogFile, ...]]:
    """Return the other sessions of its folder for each session that begins with their lines.

    A fork and a continued session repeat lines with the same ids. The session that says so is the copy; else the one
    that begins later, or has more lines.
    """
    folders: dict[Path, list[LogFile]] = defaultdict(list)
    for log in sessions:
        folders[log.path.parent].append(log)
    earlier: dict[Path, tuple[LogFile, ...]] = {}
    for logs in (logs for logs in folders.values() if len(logs) > 1):
        heads = {log: set(islice(uuids(log), SAMPLE)) for log in logs}
        holders: dict[str, set[LogFile]] = {name: set() for head in heads.values() for name in head}
        lengths: Counter[LogFile] = Counter()
        for log in logs:
            for name in uuids(log):
                if name in holders:
                    holders[name].add(log)
                    lengths[log] += 1
        for log, head in heads.items():
            related = {other for name in head for other in holders[name]}
            order = sorted(related, key=lambda each: _age(each, lengths[each])) if len(related) > 1 else [log]
            earlier[log.path] = tuple(order[: order.index(log)])
    return earlier


def _age(log: LogFile, lines: int) -> tuple[bool, int, int, Path]:
    begin = min((at for line in log.head if (at := moment(line.get("timestamp"))) is not None), default=0)
    return any("forkedFrom" in line for line in log.head), begin, lines, log.path


def uuids(log: LogFile) -> Iterator[str]:
    """Yield the ids of a log's lines; none of a log that cannot be read."""
    try:
        for line in log.lines():
            yield from UUID.findall(line)
    except (LogFileError, OSError):
        return
