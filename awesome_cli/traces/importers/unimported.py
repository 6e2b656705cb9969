"""Logs among the files of a folder from which traces are read: they must be imported first."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from awesome_cli.text.numbers import counted
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.importing import format_of, runs_of
from awesome_cli.traces.importers.log_file import LogFile, damages, unpacked

HEAD = 1 << 12
NAMES = (b'"trace_id"', b'"task_id"')
"""Nearly every trace has these names in its first `HEAD` bytes, and no log has both: few files are looked into."""


def logs_in_folder(folder: str, files: Iterable[str]) -> tuple[str, set[str]]:
    """What to do about the logs among the files of a folder, and every file of their runs; empty without logs."""
    logs: dict[str, list[LogFile]] = defaultdict(list)
    for log in (LogFile(Path(file)) for file in files if not _begins_as_trace(Path(file))):
        if form := format_of(log):
            logs[form].append(log)
    runs = [(name, run) for name, own in logs.items() for run in runs_of(FORMATS[name], own, set())]
    if not runs:
        return "", set()
    found = Counter(name for name, _ in runs)
    kinds = ", ".join(f"{name} ({counted(n, 'run')})" for name, n in found.items())
    way = f"awesome trace import {quote(folder)} --out runs.jsonl"
    used = {str(path) for _, run in runs for path in run.paths} | {
        str(log.path) for own in logs.values() for log in own
    }
    return f"logs of {kinds}; import them first: {way}", used


def _begins_as_trace(path: Path) -> bool:
    """Whether a file begins as a trace, or is none that could hold logs."""
    try:
        with path.open("rb") as file:
            head = unpacked(file).read(HEAD)
    except (OSError, ModuleNotFoundError):
        return True
    except damages():
        return True
    return head.startswith(b"PAR1") or all(name in head for name in NAMES)
