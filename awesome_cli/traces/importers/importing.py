"""From paths to traces: find the files, find the format of each, and convert them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.files.places import below
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers._format import TraceFormat
from awesome_cli.traces.importers.foreign import Json
from awesome_cli.traces.importers.log_file import STANDARD, LogFile, LogFileError
from awesome_cli.traces.importers.run_files import RunFiles

UNSUPPORTED = {"otlp metrics or logs": ("resourceMetrics", "resourceLogs"), "chat messages": ("messages", "role")}
"""Contents that cannot be imported, with keys that mark them."""
SUFFIXES = {".json", ".jsonl", ".ndjson", ".traj", ".log"}


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing one run, or of a file that cannot be read: its traces, or the error."""

    path: Path
    format: str = ""
    traces: tuple[Json, ...] = ()
    error: LogFileError | None = None


def import_path(path: Path, *, with_content: bool = False, form: str | None = None) -> list[Imported]:
    """The runs in a file, or in a folder; read as the format named `form`, else the content decides.

    A file that belongs to a run of several files stands for that run, wherever the others are. A run is imported once,
    and no file of it is reported as one of an unknown format. Raises `UsageError` for a path that does not exist.
    """
    order = {file: i for i, file in enumerate(candidates(path))}
    logs: dict[str, list[LogFile]] = defaultdict(list)
    failed: list[Imported] = []
    for file in order:
        try:
            log = LogFile.at(file)
            logs[form if form and (file == path or FORMATS[form].detect(log)) else recognise(log)].append(log)
        except LogFileError as error:
            failed.append(Imported(file, error=error))
        except OSError as error:
            failed.append(Imported(file, error=LogFileError(f"{file.name}: {error.strerror or error}")))
    runs = [(FORMATS[name], run) for name, own in logs.items() for run in runs_of(FORMATS[name], own)]
    used = {file for _, run in runs for file in run.paths}
    results = [import_run(kind, run, with_content=with_content) for kind, run in runs]
    results += [each for each in failed if each.path not in used]
    return sorted(results, key=lambda each: order.get(each.path, -1))


def candidates(path: Path) -> list[Path]:
    """The files that can be logs: `path` itself, or those in a folder; `UsageError` for a path that does not exist."""
    if path.is_dir():
        return sorted(file for file in below(path) if can_be_log(file))
    if path != STANDARD and not path.exists():
        raise UsageError(f"no such file or folder: {path}")
    return [path]


def can_be_log(path: Path) -> bool:
    """Whether a file in a folder is read, by its name."""
    return Path(path.name.removesuffix(".gz").removesuffix(".zst")).suffix in SUFFIXES


def runs_of(form: TraceFormat, logs: Sequence[LogFile]) -> list[RunFiles]:
    """The runs that some logs belong to, with the files of these runs in other places."""
    if form.around is None or any(log.data is not None for log in logs):
        return list(form.group(logs))
    known = {log.path: log for log in logs}
    for folder in sorted({form.around(path) for path in known}):
        for path in below(folder):
            if path not in known and can_be_log(path) and is_in(form, log := LogFile(path)):
                known[path] = log
    wanted = {log.path for log in logs}
    return [run for run in form.group(list(known.values())) if run.paths & wanted]


def is_in(form: TraceFormat, log: LogFile) -> bool:
    """Whether a log is in a format; one that cannot be read is not."""
    try:
        return form.detect(log)
    except (LogFileError, OSError):
        return False


def import_run(form: TraceFormat, run: RunFiles, *, with_content: bool) -> Imported:
    """The traces of one run."""
    try:
        traces = tuple(form.convert(run, with_content=with_content))
        if not traces:
            raise LogFileError(f"{run.main.name}: read as {form.name}, but it has no event of a run")
    except LogFileError as error:
        return Imported(run.main.path, error=error)
    except OSError as error:
        return Imported(run.main.path, error=LogFileError(f"{run.main.name}: {error.strerror or error}"))
    return Imported(run.main.path, form.name, traces)


def recognise(log: LogFile) -> str:
    """The name of the first format that fits the content; raises `LogFileError` with a description of the content."""
    for form in FORMATS.values():
        if form.detect(log):
            return form.name
    hint = f"known formats: {', '.join(FORMATS)}; name one with --from"
    if _is_trace(log.first):
        hint = "check it with 'awesome trace check'"
    raise LogFileError(f"{log.name}: no known format; recognised: {looks_like(log)}", hint=hint)


def looks_like(log: LogFile) -> str:
    """A description of a content that has no known format."""
    if not log.head:
        if log.document is not None:
            return "JSON without an object in it"
        return "no JSON" if next(log.lines(), "") else "an empty file"
    first = log.first
    kind = "JSON Lines" if log.document is None else "a JSON list" if isinstance(log.document, list) else "JSON"
    names = ", ".join(sorted(str(key) for key in first)[:8]) or "no keys"
    if _is_trace(first):
        return f"an orchestration trace already ({kind})"
    near = [form.name for form in FORMATS.values() if any(key in first for key in form.keys)]
    near += [what for what, keys in UNSUPPORTED.items() if any(key in first for key in keys)]
    return f"{kind} with {names}" + (f" (looks a little like {', '.join(near)})" if near else "")


def _is_trace(doc: Json) -> bool:
    return isinstance(doc.get("events"), list) and isinstance(doc.get("edges"), list) and "trace_id" in doc
