"""From paths to traces: which files there are, which importer reads each, and what to say of those that none reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.traces.importers import IMPORTERS
from awesome_cli.traces.importers.foreign import Json, mapping, objects
from awesome_cli.traces.importers.log_file import STANDARD, LogFile, LogFileError

SUFFIXES = {".json", ".jsonl", ".ndjson", ".traj", ".log"}


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of one file: its traces, or why there are none."""

    path: Path
    format: str = ""
    traces: tuple[Json, ...] = ()
    error: LogFileError | None = None


def files(path: Path) -> list[Path]:
    """The files to import below `path`: itself, or what a folder holds. A sub-agent's file belongs to its session.

    A session's folder (`<session>/` beside `<session>.jsonl`) stands for the session. Raises `UsageError` for a path
    that does not exist.
    """
    if not path.is_dir():
        if path != STANDARD and not path.exists():
            raise UsageError(f"no such file or folder: {path}")
        return [path]
    session = path.with_name(path.name + ".jsonl")
    if (path / "subagents").is_dir() and session.is_file():
        return [session]
    found = sorted(p for p in path.rglob("*") if p.is_file() and _suffix(p) in SUFFIXES)
    return [p for p in found if not (p.name.startswith("agent-") and _has_session(p, found))]


def _suffix(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).suffix


def _has_session(path: Path, found: list[Path]) -> bool:
    """Whether the session that an `agent-*.jsonl` belongs to is imported too."""
    if path.name.endswith(".meta.json"):
        return True
    if path.parent.name == "subagents":
        return path.parent.parent.with_name(path.parent.parent.name + ".jsonl") in found
    return any(p.parent == path.parent and p.suffix == ".jsonl" and not p.name.startswith("agent-") for p in found)


def import_file(path: Path, *, with_content: bool = False, form: str | None = None) -> Imported:
    """The traces in one file; `form` names the importer, otherwise the content decides."""
    try:
        log = LogFile.at(path)
        name = form or recognise(log)
        traces = tuple(IMPORTERS[name].convert(log, with_content=with_content))
        if not traces:
            raise LogFileError(f"{log.name}: read as {name}, but it holds no event of a run")
    except LogFileError as error:
        return Imported(path, error=error)
    except OSError as error:
        return Imported(path, error=LogFileError(f"{path.name}: {error.strerror or error}"))
    return Imported(path, name, traces)


def recognise(log: LogFile) -> str:
    """The name of the first importer whose format the content is; raises `LogFileError` with what was recognised."""
    for name, importer in IMPORTERS.items():
        if importer.detect(log):
            return name
    raise LogFileError(f"{log.name}: no known format; recognised: {looks_like(log)}", hint=_hint(log))


def looks_like(log: LogFile) -> str:
    """What the content is, as far as one can tell."""
    if not log.head:
        if log.document is not None:
            return "JSON without an object in it"
        return "no JSON" if next(log.lines(), "") else "an empty file"
    first = log.first
    kind = "JSON Lines" if log.document is None else "a JSON list" if isinstance(log.document, list) else "JSON"
    keys = ", ".join(sorted(str(key) for key in first)[:8]) or "no keys"
    if _is_trace(first):
        return f"an orchestration trace already ({kind})"
    near = [what for what, seen in _near(first).items() if seen]
    return f"{kind} with {keys}" + (f" (looks a little like {', '.join(near)})" if near else "")


def _is_trace(doc: Json) -> bool:
    return isinstance(doc.get("events"), list) and isinstance(doc.get("edges"), list) and "trace_id" in doc


def _near(doc: Json) -> dict[str, bool]:
    """Formats that the first object has some mark of."""
    return {
        "claude-code": "sessionId" in doc or "parentUuid" in doc,
        "otlp": "resourceSpans" in doc or "spans" in doc or "traceId" in doc,
        "otlp metrics or logs": "resourceMetrics" in doc or "resourceLogs" in doc,
        "langsmith": "run_type" in doc or "dotted_order" in doc,
        "atif": "steps" in doc or "trajectory_id" in doc,
        "who-and-when or swe-agent": "history" in doc or "trajectory" in doc,
        "chat messages": bool(objects(doc.get("messages"))) or "role" in mapping(doc),
    }


def _hint(log: LogFile) -> str:
    if _is_trace(log.first):
        return "check it with 'awesome trace check'"
    return f"known formats: {', '.join(IMPORTERS)}; name one with --format-of"


def convert_all(paths: list[Path], *, with_content: bool = False, form: str | None = None) -> Iterator[Imported]:
    """Every file below the paths, one after the other; a bad one never stops the rest."""
    for path in paths:
        for file in files(path):
            yield import_file(file, with_content=with_content, form=form)
