"""The pages of example traces, drawn by the trace viewer, and the page that lists them by file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from markupsafe import Markup

from awesome_cli.files.paths import below, place
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.text.numbers import counted
from awesome_cli.traces.sources import SUFFIXES, pieces, readings
from awesome_cli.traces.views import page, timeline

FOLDER, LIST = "traces", "traces.html"
UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
FEW = 5
"""Maximum number of traces of a file with pages; a larger file is a data set, of which the list gives the size."""


@dataclass(frozen=True, slots=True)
class TraceRun:
    """A trace in the list; `address` is None if it is unreadable, with the error in `facts`."""

    name: str
    address: str | None
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TraceFile:
    """A trace file in the list, its path relative to the survey's root."""

    path: str
    size: int
    runs: tuple[TraceRun, ...]


def trace_files(root: Path) -> tuple[Path, ...]:
    """Return the trace files of a survey, sorted; raises `OutsideError` if the folder is a link out of it."""
    place(root, FOLDER)  # raises where the folder is a link out
    return tuple(sorted(path for path in below(root / FOLDER) if path.name.endswith(SUFFIXES)))


def trace_pages(frame: Frame, root: Path) -> Iterator[SitePage]:
    """Yield a page for each readable trace of files with few traces, and the list of all files."""
    sources: list[TraceFile] = []
    taken: set[str] = set()
    for path in trace_files(root):
        runs: list[TraceRun] = []
        remaining = readings(pieces([str(path)]))
        few = list(islice(remaining, FEW + 1))
        size = len(few) + sum(1 for _ in remaining)
        for reading in few if size <= FEW else ():
            if reading.trace is None:
                first = reading.findings[0]
                runs.append(TraceRun(f"line {reading.line}", None, ((first.code, first.message),)))
                continue
            view = timeline.timeline(reading.trace)
            name = reading.trace.trace_id
            address = _address(path, name, taken)
            runs.append(TraceRun(name, address, tuple(timeline.facts(view))))
            known = ", ".join(f"{name}: {value}" for name, value in runs[-1].facts)
            about = f"The run {name}, from {path.name}: {known}."
            parts = page.parts(view)
            # Style sheet and script are the tool's own; the texts of the trace are escaped in the body.
            made = {"style": Markup(parts.style), "body": Markup(parts.body)}  # noqa: S704
            yield frame.page(address, "trace", title=parts.title, description=about, page=parts, **made)
        sources.append(TraceFile(path.relative_to(root).as_posix(), size, tuple(runs)))
    total = counted(sum(source.size for source in sources), "run")
    about = f"{total} of agents in {counted(len(sources), 'file')}, with timelines of events."
    yield frame.page(LIST, "traces", title="Traces", description=about, sources=sources)


def _address(path: Path, trace_id: str, taken: set[str]) -> str:
    """Return a stable path for the page of a trace; `taken` gets its name in lower case, duplicates get a number."""
    suffix = next(suffix for suffix in sorted(SUFFIXES, key=len, reverse=True) if path.name.endswith(suffix))
    parts = (UNSAFE.sub("-", text)[:60] for text in (path.name.removesuffix(suffix), trace_id))
    wanted = ".".join(parts)
    names = (wanted if n == 1 else f"{wanted}.{n}" for n in count(1))
    name = next(name for name in names if name.casefold() not in taken)
    taken.add(name.casefold())
    return f"{FOLDER}/{name}.html"
