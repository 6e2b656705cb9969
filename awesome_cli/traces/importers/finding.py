"""Find runs by file or id: find the logs, recognise the format of each log, and group the logs of each run.

`S1.jsonl` and `S1/subagents/agent-k1.jsonl` are both recognised as `claude-code`, and become one `RunFiles`.
`claude:S1` and `claude:latest` name runs in the folder where the program keeps its runs. Nothing is written there.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.files.paths import below
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.foreign import objects, reach, text
from awesome_cli.traces.importers.log_file import (
    Home,
    LogFile,
    LogFileError,
    RunFiles,
    StrangeFileError,
    TraceFormat,
    UnknownFormatError,
)
from awesome_cli.traces.model import TRACE

UNSUPPORTED = {"otlp metrics or logs": ("resourceMetrics", "resourceLogs"), "chat messages": ("messages", "role")}
"""Contents that cannot be imported, with the keys by which they are recognised."""
NEAR = 50
"""The limit of files that are read to find the run of a file that is not a log."""
SUFFIXES = {".json", ".jsonl", ".ndjson", ".traj", ".log"}
LATEST = "latest"
SHOWN = 10
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass
class RunSearch:
    """The runs of some files, the errors of files without a run, and all files that cannot be read (`damaged`)."""

    runs: list[tuple[TraceFormat, RunFiles]] = field(default_factory=list)
    errors: dict[Path, LogFileError] = field(default_factory=dict)
    damaged: set[Path] = field(default_factory=set)

    @property
    def used(self) -> set[Path]:
        """Every file of the runs."""
        return {file for _, run in self.runs for file in run.paths}


def can_be_log(path: Path) -> bool:
    """True if the name of a file has the suffix of a log, such as `.jsonl` or `.json.gz`."""
    return Path(path.name.removesuffix(".gz").removesuffix(".zst")).suffix in SUFFIXES


def find_runs(files: Collection[Path], named: Collection[Path] = (), form: str | None = None) -> RunSearch:
    """Find the runs to which some files belong, including files of these runs in other folders.

    A file's format is recognised by its content. The user named the files in `named`: these are read as `form` unless
    it is None, and a file that is not a log, such as `state.json`, leads to its run.
    """
    search = RunSearch()
    logs: dict[str, dict[Path, LogFile]] = defaultdict(dict)
    for file in files:
        try:
            log = LogFile.at(file)
            logs[form if form and (file in named or FORMATS[form].detect(log)) else recognise(log)][file] = log
        except UnknownFormatError as error:
            search.errors[file] = error
            near = islice(filter(can_be_log, below(file.parent)), NEAR) if file in named else ()
            for log in map(LogFile, near):
                if name := format_of(log):
                    logs[name].setdefault(log.path, log)
        except (LogFileError, OSError) as error:
            search.errors[file] = refusal(file, error)
            search.damaged.add(file)
    wanted = set(files)
    for name, known in logs.items():
        known |= {log.path: log for log in _around(FORMATS[name], known, search.damaged)}
        search.runs += [(FORMATS[name], run) for run in FORMATS[name].group([*known.values()]) if run.paths & wanted]
    used = search.used - search.damaged
    search.errors = {file: error for file, error in search.errors.items() if file not in used}
    return search


def _around(form: TraceFormat, known: dict[Path, LogFile], damaged: set[Path]) -> Iterator[LogFile]:
    """Yield the other logs of a format in the folders of the `known` logs; add unreadable files to `damaged`."""
    folders = {form.around(path) for path, log in known.items() if log.data is None} if form.around else set()
    places = [place for folder in sorted(folders) for place in (form.home.within(folder) if form.home else [folder])]
    for path in dict.fromkeys(path for place in places for path in below(place)):
        if path not in known and path not in damaged and can_be_log(path):
            try:
                if form.detect(log := LogFile(path)):
                    yield log
            except (LogFileError, OSError):
                damaged.add(path)


def refusal(file: Path, error: LogFileError | OSError) -> LogFileError:
    """Return the error of a file that cannot be read, with the name of the file."""
    return error if isinstance(error, LogFileError) else LogFileError(f"{file.name}: {error.strerror or error}")


def recognise(log: LogFile) -> str:
    """Return the name of the first format that fits; raises `UnknownFormatError` with a description of the content."""
    for form in FORMATS.values():
        if form.detect(log):
            return form.name
    kind, hint = UnknownFormatError, f"known formats: {', '.join(FORMATS)}; name one with --from"
    looks = "JSON Lines" if log.document is None else "a JSON list" if isinstance(log.document, list) else "JSON"
    if not log.head:
        looks = _without_objects("".join(log.lines(TRACE)))
    elif {"trace_id", "events", "edges"} <= log.first.keys():
        looks, hint = f"an orchestration trace already ({looks})", "check it with 'awesome trace check'"
    else:
        looks += f" with {', '.join(sorted(map(str, log.first))[:8]) or 'no keys'}"
        keys = {form.name: form.keys for form in FORMATS.values()} | UNSUPPORTED
        if near := [name for name, marks in keys.items() if any(key in log.first for key in marks)]:
            looks += f" (similar to {', '.join(near)})"
        else:
            kind = StrangeFileError
    raise kind(f"{log.name}: not a known format; it looks like {looks}", hint=hint)


def _without_objects(words: str) -> str:
    try:
        json.loads(words)
    except RecursionError:
        return "JSON that is nested too deeply"
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError) and words.lstrip().startswith(("{", "[")):
            return f"JSON with an error in line {error.lineno}, column {error.colno}: {error.msg}"
        return "text that is not JSON" if words else "an empty file"
    return "JSON without an object"


def format_of(log: LogFile) -> str:
    """Return the name of a log's format; empty if the format is unknown or the log cannot be read."""
    try:
        return recognise(log)
    except (LogFileError, OSError):
        return ""


def log_of(path: Path, environment: Mapping[str, str]) -> Path:
    """Return the main log of the run that `PROGRAM:latest` or `PROGRAM:ID` names; return other paths unchanged.

    ID can be the beginning of an id, or the id of a sub-agent. Raises `UsageError`, which lists the newest runs
    if ID is missing or unknown, and the matching runs if ID is ambiguous.
    """
    program, _, wanted = (part.strip() for part in str(path).lower().partition(":"))
    homes = _homes(program)
    if not homes or ":" not in str(path) or path.exists():
        return path
    names = dict(runs_of_program(program, environment))
    runs = sorted(names, key=lambda run: (-_changed(run), run.main.path))
    if not runs:
        places = ", ".join(str(place) for home in homes for place in home.folders(environment))
        variables = " or ".join(dict.fromkeys(home.variable for home in homes))
        raise UsageError(f"no run of {program} in {places}", hint=f"set {variables} to look elsewhere")
    exact = runs[:1] if wanted == LATEST else [run for run in runs if wanted in names[run]]
    matches = exact or [run for run in runs if any(name.startswith(wanted) for name in names[run])]
    if wanted and len(matches) == 1:
        return matches[0].main.path
    if not wanted:
        why = f"which run of {program}?"
    elif matches:
        why = f"{len(matches)} runs of {program} have ids that begin with {wanted!r}."
    else:
        why = f"no run of {program} has the id {wanted!r}."
    lines = [_line(run) for run in (matches or runs)[:SHOWN]]
    more = len(matches or runs) - SHOWN
    raise UsageError(
        "\n".join([f"{why} The newest:", *lines, *([f"  and {more} more"] if more > 0 else [])]),
        hint=f"awesome trace import {program}:{LATEST}, or {program}:ID",
    )


def _homes(program: str) -> list[Home]:
    return [form.home for form in FORMATS.values() if form.home is not None and form.home.program == program]


def runs_of_program(program: str, environment: Mapping[str, str]) -> Iterator[tuple[RunFiles, set[str]]]:
    """Yield every run that a program keeps, in any of its formats, with the ids of the run in lower case."""
    homes = _homes(program)
    folders = [folder for home in homes for folder in home.folders(environment) if folder.is_dir()]
    for form, run in find_runs([path for folder in folders for path in below(folder) if can_be_log(path)]).runs:
        if form.home in homes:
            paths = [log.path for log in (run.main, *run.others)]
            within = [path.relative_to(folder) for path in paths for folder in folders if path.is_relative_to(folder)]
            parts = [part.lower() for path in within for part in path.parts]
            names = {name for part in parts for name in (*UUID.findall(part), part.partition(".")[0])}
            names |= {name.partition(mark)[2] for name in names for mark in "-_" if not UUID.match(name)}
            yield run, names - {""} | {run.id.lower()}


def _changed(run: RunFiles) -> float:
    """Return the time of the last change to a run's logs, in seconds since 1970."""
    return max(log.path.stat().st_mtime for log in (run.main, *run.others))


def _line(run: RunFiles) -> str:
    """Describe a run: the time of its last change, its id, and the program's working folder, else the log's folder."""
    states = [LogFile(path).first for path in sorted(run.side) if path.name == "state.json"]
    places = (
        text(record.get("cwd") or reach(record, "payload", "cwd") or record.get("workDir") or reach(member, "cwd"))
        for record in (*run.main.head, *states)
        for member in (objects(record.get("members")) or [{}])[:1]
    )
    place = next(filter(None, places), run.main.path.parent.name)
    when = datetime.fromtimestamp(_changed(run), UTC)
    place = "" if place == run.id else Path(place).name
    return f"  {when:%Y-%m-%d %H:%M} UTC  {run.id or run.main.path.stem}  {place}".rstrip()
