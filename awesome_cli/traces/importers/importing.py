"""From paths to traces: which files there are, which importer reads each, and what to say of those that none reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.traces.importers import IMPORTERS
from awesome_cli.traces.importers.foreign import Json, mapping, objects
from awesome_cli.traces.importers.source import STANDARD, Source, SourceError

SUFFIXES = {".json", ".jsonl", ".ndjson", ".traj", ".log"}


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of one file: its traces, or why there are none."""

    path: Path
    format: str = ""
    traces: tuple[Json, ...] = ()
    error: SourceError | None = None


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
        source = Source.at(path)
        name = form or recognise(source)
        traces = tuple(IMPORTERS[name].convert(source, with_content=with_content))
        if not traces:
            raise SourceError(f"{source.name}: read as {name}, but it holds no event of a run")
    except SourceError as error:
        return Imported(path, error=error)
    except OSError as error:
        return Imported(path, error=SourceError(f"{path.name}: {error.strerror or error}"))
    return Imported(path, name, traces)


def recognise(source: Source) -> str:
    """The name of the first importer whose format the content is; raises `SourceError` with what was recognised."""
    for name, importer in IMPORTERS.items():
        if importer.detect(source):
            return name
    raise SourceError(f"{source.name}: no known format; recognised: {looks_like(source)}", hint=_hint(source))


def looks_like(source: Source) -> str:
    """What the content is, as far as one can tell."""
    if not source.head:
        if source.document is not None:
            return "JSON without an object in it"
        return "no JSON" if next(source.lines(), "") else "an empty file"
    first = source.first
    kind = "JSON Lines" if source.document is None else "a JSON list" if isinstance(source.document, list) else "JSON"
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


def _hint(source: Source) -> str:
    if _is_trace(source.first):
        return "check it with 'awesome trace check'"
    return f"known formats: {', '.join(IMPORTERS)}; name one with --format-of"


def convert_all(paths: list[Path], *, with_content: bool = False, form: str | None = None) -> Iterator[Imported]:
    """Every file below the paths, one after the other; a bad one never stops the rest."""
    for path in paths:
        for file in files(path):
            yield import_file(file, with_content=with_content, form=form)
