"""From paths to traces: find the files, find the format of each, and convert them."""

from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.files.places import below
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.foreign import Json
from awesome_cli.traces.importers.log_file import STANDARD, LogFile, LogFileError

UNSUPPORTED = {"otlp metrics or logs": ("resourceMetrics", "resourceLogs"), "chat messages": ("messages", "role")}
"""Contents that cannot be imported, with keys that mark them."""
SUFFIXES = {".json", ".jsonl", ".ndjson", ".traj", ".log"}


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing one file: its traces, or the error."""

    path: Path
    format: str = ""
    traces: tuple[Json, ...] = ()
    error: LogFileError | None = None


def files(path: Path) -> list[Path]:
    """The files to import: `path` itself, or the files in a folder, except those of sub-agents of sessions in it.

    For the folder of a Claude Code session (`<session>/` beside `<session>.jsonl`) it is the file of the session.
    Raises `UsageError` for a path that does not exist.
    """
    if not path.is_dir():
        if path != STANDARD and not path.exists():
            raise UsageError(f"no such file or folder: {path}")
        return [path]
    session = Path(f"{path}.jsonl")
    if (path / "subagents").is_dir() and session.is_file():
        return [session]
    found = sorted(p for p in below(path) if Path(p.name.removesuffix(".gz")).suffix in SUFFIXES)
    return [p for p in found if not (p.name.startswith("agent-") and _has_session(p, found))]


def _has_session(path: Path, found: list[Path]) -> bool:
    """Whether the session that an `agent-*.jsonl` belongs to is imported too."""
    if path.name.endswith(".meta.json"):
        return True
    if path.parent.name == "subagents":
        return path.parent.parent.with_name(path.parent.parent.name + ".jsonl") in found
    return any(p.parent == path.parent and p.suffix == ".jsonl" and not p.name.startswith("agent-") for p in found)


def import_file(path: Path, *, with_content: bool = False, form: str | None = None) -> Imported:
    """The traces in one file, read as the format named `form`; without a name, the content decides."""
    try:
        log = LogFile.at(path)
        name = form or recognise(log)
        traces = tuple(FORMATS[name].convert(log, with_content=with_content))
        if not traces:
            raise LogFileError(f"{log.name}: read as {name}, but it has no event of a run")
    except LogFileError as error:
        return Imported(path, error=error)
    except OSError as error:
        return Imported(path, error=LogFileError(f"{path.name}: {error.strerror or error}"))
    return Imported(path, name, traces)


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
