"""Which files belong to one session of Claude Code, and whose lines a session repeats."""

import re
from collections import defaultdict
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
    """A file's name without its suffixes: the id of a session, or `agent-` and the id of a sub-agent."""
    return re.sub(r"(\.(jsonl?|log))?(\.(gz|zst))?\Z", "", path.name)


def meta_file(path: Path) -> Path:
    """The description of a sub-agent, beside its log."""
    return path.with_name(f"{bare(path)}.meta.json")


def around(path: Path) -> Path:
    """The folder of the project: that of the sessions' files."""
    place = _place(path)
    return place.parent if place else path.parent


def _place(path: Path) -> Path | None:
    """The folder with the name of the session, for a file of a sub-agent in it, at any depth."""
    return next((above.parent for above in path.parents if above.name == FOLDER), None)


def workflow(path: Path) -> str:
    """The id of the workflow whose agents' files lie in a file's folder; empty if it is no such folder."""
    return path.parent.name if path.parent.parent.name == "workflows" else ""


def session_id(records: Iterable[Json]) -> str:
    """The first id of a session in some lines."""
    return next((name for record in records if (name := text(record.get("sessionId")))), "")


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """A run per session. A sub-agent belongs to the one by whose name its folder is, or whose id its lines have.

    Sub-agents of a session without a file are one run, too.
    """
    agents = [log for log in logs if log.path.name.startswith("agent-")]
    sessions = [log for log in logs if not log.path.name.startswith("agent-")]
    homes = {log.path.parent / bare(log.path): log for log in sessions}
    ids = {log.path: session_id(log.begin()) for log in sessions}
    by_id = {(log.path.parent, ids[log.path]): log for log in sessions}
    children: dict[Path, list[LogFile]] = defaultdict(list)
    orphans: dict[tuple[Path, str], list[LogFile]] = defaultdict(list)
    for log in agents:
        home = homes.get(_place(log.path) or Path()) or by_id.get((log.path.parent, session_id(log.begin())))
        if home is not None:
            children[home.path].append(log)
        else:
            orphans[_place(log.path) or log.path.parent, session_id(log.begin())].append(log)
    for logs_of in orphans.values():
        main, *rest = sorted(logs_of, key=lambda log: log.path)
        yield RunFiles(main, tuple(rest), side=frozenset(_metas(logs_of)))
    before = repeated(sessions)
    for log in sessions:
        others = sorted(children[log.path], key=lambda other: other.path)
        side = _metas(others) | set(below_named(log.path.parent, bare(log.path))) - {other.path for other in others}
        yield RunFiles(log, tuple(others), before.get(log.path, ()), frozenset(side), ids[log.path])


def _metas(logs: Iterable[LogFile]) -> set[Path]:
    return {meta for log in logs if is_file((meta := meta_file(log.path)).parent, meta.name)}


def repeated(sessions: Sequence[LogFile]) -> Mapping[Path, tuple[LogFile, ...]]:
    """For each session that begins with lines of other sessions of its folder: the logs of these.

    A fork and a continued session repeat lines with the same ids. The session that says so is the copy; else the one
    that begins later, or has more lines.
    """
    folders: dict[Path, list[LogFile]] = defaultdict(list)
    for log in sessions:
        folders[log.path.parent].append(log)
    found: dict[Path, tuple[LogFile, ...]] = {}
    for logs in folders.values():
        if len(logs) < 2:
            continue
        heads = {log.path: set(islice(uuids(log), SAMPLE)) for log in logs}
        wanted = frozenset[str]().union(*heads.values())
        held = {log.path: [name for name in uuids(log) if name in wanted] for log in logs}
        holders: dict[str, set[Path]] = defaultdict(set)
        for path, names in held.items():
            for name in names:
                holders[name].add(path)
        related = {path: {other for name in names for other in holders[name]} for path, names in heads.items()}
        near = set[Path]().union(*(paths for paths in related.values() if len(paths) > 1))
        order = sorted((log for log in logs if log.path in near), key=lambda log: _age(log, len(held[log.path])))
        for i, log in enumerate(order):
            if earlier := tuple(other for other in order[:i] if other.path in related[log.path]):
                found[log.path] = earlier
    return found


def _age(log: LogFile, lines: int) -> tuple[bool, int, int, Path]:
    begin = min((at for line in log.head if (at := moment(line.get("timestamp"))) is not None), default=0)
    return any("forkedFrom" in line for line in log.head), begin, lines, log.path


def uuids(log: LogFile) -> Iterator[str]:
    """The ids of a log's lines; none of a log that cannot be read."""
    try:
        for line in log.lines():
            yield from UUID.findall(line)
    except (LogFileError, OSError):
        return
