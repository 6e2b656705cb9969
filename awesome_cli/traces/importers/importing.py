"""From paths to traces: find the files, find the format of each, and convert them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from shlex import quote

from awesome_cli.errors import UsageError
from awesome_cli.files.paths import below
from awesome_cli.text.numbers import counted
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers._format import RunFiles, TraceFormat
from awesome_cli.traces.importers.archives import is_archive, unpacked
from awesome_cli.traces.importers.foreign import Json, is_too_deep, items, reach
from awesome_cli.traces.importers.log_file import (
    STANDARD,
    LogFile,
    LogFileError,
    StrangeFileError,
    UnknownFormatError,
    damages,
    decompressed,
)
from awesome_cli.traces.model import TRACE

UNSUPPORTED = {"otlp metrics or logs": ("resourceMetrics", "resourceLogs"), "chat messages": ("messages", "role")}
"""Contents that cannot be imported, with keys that mark them."""
NEAR = 50
"""So many files are looked at to find the run of a file that is no log."""
HEAD = 1 << 12
NAMES = (b'"trace_id"', b'"task_id"')
"""Nearly every trace has these names in its first `HEAD` bytes, and no log has both: few files are looked into."""
SUFFIXES = {".json", ".jsonl", ".ndjson", ".traj", ".log"}


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing one run, or of a file that cannot be read: its traces, or the error.

    `beside` marks a file that lies beside a run, and has no known format and none of the keys of one.
    """

    path: Path
    format: str = ""
    traces: tuple[Json, ...] = ()
    error: LogFileError | None = None
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """The results of an import in the order of the files, and the files of no run, which are no logs by their names."""

    results: tuple[Imported, ...]
    skipped: tuple[Path, ...] = ()


def import_all(paths: Sequence[Path], *, with_content: bool = False, form: str | None = None) -> Import:
    """The runs in files and folders; read as the format named `form`, else the content decides.

    A file that belongs to a run of several files stands for that run, wherever the others are. A run is imported once,
    and no file of it is reported as one of an unknown format. An archive is read as the folder that was packed. Raises
    `UsageError` for a path that does not exist.
    """
    archives = [path for path in paths if is_archive(path)]
    plain = [path for path in paths if path not in archives]
    parts = [_import(plain, with_content=with_content, form=form)]
    parts += [_import_archive(path, with_content=with_content, form=form) for path in archives]
    return Import(
        tuple(each for part in parts for each in part.results), tuple(p for part in parts for p in part.skipped)
    )


def _import_archive(path: Path, *, with_content: bool, form: str | None) -> Import:
    try:
        with unpacked(path) as folder:
            found = _import([folder], with_content=with_content, form=form)
            results = (replace(each, path=path / each.path.relative_to(folder)) for each in found.results)
            return Import(tuple(results), tuple(path / each.relative_to(folder) for each in found.skipped))
    except LogFileError as error:
        return Import((Imported(path, error=error),))


def _import(paths: Sequence[Path], *, with_content: bool, form: str | None) -> Import:
    files = dict.fromkeys(file for path in paths for file in files_of(path))
    order = {file: i for i, file in enumerate(files) if file in paths or can_be_log(file)}
    logs: dict[str, list[LogFile]] = defaultdict(list)
    failed: list[Imported] = []
    for file in order:
        try:
            log = LogFile.at(file)
            logs[form if form and (file in paths or FORMATS[form].detect(log)) else recognise(log)].append(log)
        except (LogFileError, OSError) as error:
            unknown = file in paths and isinstance(error, UnknownFormatError)
            if unknown and (beside := log_beside(file)):
                logs[beside[0]].append(beside[1])
            else:
                failed.append(Imported(file, error=refusal(file, error)))
    broken = {each.path for each in failed if not isinstance(each.error, UnknownFormatError)}
    runs = [(FORMATS[name], run) for name, own in logs.items() for run in runs_of(FORMATS[name], own, broken)]
    used = {file for _, run in runs for file in run.paths}
    results = [import_run(kind, run, broken, with_content=with_content) for kind, run in runs]
    read = {file.parent for each, (_, run) in zip(results, runs, strict=True) if each.traces for file in run.paths}
    folders = {above for folder in read for above in (folder, *folder.parents)}
    for each in failed:
        strange = isinstance(each.error, StrangeFileError)
        if each.path not in used or each.path in broken:
            results.append(replace(each, beside=strange and each.path not in paths and each.path.parent in folders))
    skipped = tuple(file for file in files if file not in order and file not in used)
    return Import(tuple(sorted(results, key=lambda each: order.get(each.path, -1))), skipped)


def refusal(file: Path, error: LogFileError | OSError) -> LogFileError:
    """The error of a file that cannot be read, with its name."""
    return error if isinstance(error, LogFileError) else LogFileError(f"{file.name}: {error.strerror or error}")


def files_of(path: Path) -> list[Path]:
    """`path` itself, or the files in a folder; `UsageError` for a path that does not exist."""
    if path.is_dir():
        return sorted(below(path))
    if path != STANDARD and not path.exists():
        raise UsageError(f"no such file or folder: {path}")
    return [path]


def can_be_log(path: Path) -> bool:
    """Whether a file in a folder is read, by its name."""
    return Path(path.name.removesuffix(".gz").removesuffix(".zst")).suffix in SUFFIXES


def runs_of(form: TraceFormat, logs: Sequence[LogFile], broken: set[Path]) -> list[RunFiles]:
    """The runs of some logs, with their files in other places; those that cannot be read go to `broken`."""
    if form.around is None:
        return list(form.group(logs))
    known = {log.path: log for log in logs}
    for folder in sorted({form.around(log.path) for log in logs if log.data is None}):
        places = form.home.within(folder) if form.home is not None else [folder]
        rest = [
            path
            for place in places
            for path in below(place)
            if path not in known and path not in broken and can_be_log(path)
        ]
        known |= {log.path: log for log in logs_in(form, rest, broken)}
    wanted = {log.path for log in logs}
    return [run for run in form.group(list(known.values())) if run.paths & wanted]


def log_beside(file: Path) -> tuple[str, LogFile] | None:
    """A log near a file of a run that is no log, such as `state.json`, and its format; None if there is no such run."""
    near = (path for path in below(file.parent) if path != file and can_be_log(path))
    for log in map(LogFile, islice(near, NEAR)):
        name = format_of(log)
        if name and any(file in run.paths for run in runs_of(FORMATS[name], [log], set())):
            return name, log
    return None


def logs_in(form: TraceFormat, paths: Iterable[Path], broken: set[Path]) -> Iterator[LogFile]:
    """The logs of a format among some files; those that cannot be read are added to `broken`."""
    for path in paths:
        try:
            if form.detect(log := LogFile(path)):
                yield log
        except (LogFileError, OSError):
            broken.add(path)


def import_run(form: TraceFormat, run: RunFiles, broken: AbstractSet[Path], *, with_content: bool) -> Imported:
    """The traces of one run. Files of it that cannot be read, as those of `broken` with its id, are named as lost."""
    try:
        traces = tuple(form.convert(run, with_content=with_content))
    except (LogFileError, OSError) as error:
        unread = {log.path for log in run.others if not is_readable(log)}
        if not unread:
            return Imported(run.main.path, error=refusal(run.main.path, error))
        rest = tuple(log for log in run.others if log.path not in unread)
        return import_run(form, replace(run, others=rest), broken | unread, with_content=with_content)
    if not traces:
        why = f"{run.main.name}: read as {form.name}, but it has no event of a run"
        return Imported(run.main.path, error=LogFileError(why))
    lost = [path for path in broken if run.id and any(run.id in part for part in path.parts)]
    said = sorted(f"a file of the run that cannot be read: {path.name}" for path in lost)
    said += sorted(f"a second log of an agent, not read: {path.parent.name}/{path.name}" for path in run.second)
    for trace in traces:
        items(reach(trace, "provenance", "lossy")).extend(said)
    return Imported(run.main.path, form.name, traces)


def is_readable(log: LogFile) -> bool:
    """Whether every line of a log can be read."""
    try:
        return sum(1 for _ in log.lines()) >= 0
    except (LogFileError, OSError):
        return False


def recognise(log: LogFile) -> str:
    """The name of the first format that fits the content; raises `LogFileError` with a description of the content."""
    for form in FORMATS.values():
        if form.detect(log):
            return form.name
    hint = f"known formats: {', '.join(FORMATS)}; name one with --from"
    if _is_trace(log.first):
        hint = "check it with 'awesome trace check'"
    strange = bool(log.head) and not _is_trace(log.first) and not _near(log.first)
    kind = StrangeFileError if strange else UnknownFormatError
    raise kind(f"{log.name}: no known format; recognised: {looks_like(log)}", hint=hint)


def format_of(log: LogFile) -> str:
    """The name of the format of a log; empty if it has none, or cannot be read."""
    try:
        return recognise(log)
    except (LogFileError, OSError):
        return ""


def looks_like(log: LogFile) -> str:
    """A description of a content that has no known format."""
    if not log.head:
        if log.document is not None:
            return "JSON without an object in it"
        if is_too_deep(words := "".join(log.lines(TRACE))):
            return "JSON that is nested too deeply"
        return "no JSON" if words else "an empty file"
    first = log.first
    kind = "JSON Lines" if log.document is None else "a JSON list" if isinstance(log.document, list) else "JSON"
    names = ", ".join(sorted(str(key) for key in first)[:8]) or "no keys"
    if _is_trace(first):
        return f"an orchestration trace already ({kind})"
    near = _near(first)
    return f"{kind} with {names}" + (f" (looks a little like {', '.join(near)})" if near else "")


def _near(first: Json) -> list[str]:
    """What has keys that a content has, too."""
    near = [form.name for form in FORMATS.values() if any(key in first for key in form.keys)]
    return near + [what for what, keys in UNSUPPORTED.items() if any(key in first for key in keys)]


def _is_trace(doc: Json) -> bool:
    return isinstance(doc.get("events"), list) and isinstance(doc.get("edges"), list) and "trace_id" in doc


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
            head = decompressed(file).read(HEAD)
    except (OSError, ModuleNotFoundError):
        return True
    except damages():
        return True
    return head.startswith(b"PAR1") or all(name in head for name in NAMES)
