"""The example traces: a page each, drawn by the trace viewer, and the page that lists them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.render.site.frame import Frame
from awesome_cli.render.site.page import Page
from awesome_cli.traces.rows import readings
from awesome_cli.traces.sources import pieces
from awesome_cli.traces.views import page, timeline

FOLDER = "traces"
UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Run:
    """A trace in the list; without `address` it could not be read, as `facts` says."""

    name: str
    source: str
    address: str | None
    facts: tuple[tuple[str, str], ...]


def trace_files(root: Path) -> tuple[Path, ...]:
    """The trace files of a survey, in order."""
    found = (root / FOLDER).rglob("*")
    return tuple(sorted(path for path in found if path.is_file() and path.suffix in {".json", ".jsonl"}))


def trace_pages(frame: Frame, root: Path) -> Iterator[Page]:
    """A page for each trace that can be read, and the list of all of them."""
    runs: list[Run] = []
    for path in trace_files(root):
        source = path.relative_to(root).as_posix()
        for reading in readings(pieces([str(path)])):
            if reading.trace is None:
                first = reading.findings[0]
                runs.append(Run(f"line {reading.line}", source, None, ((first.code, first.message),)))
                continue
            view = timeline.timeline(reading.trace)
            name = reading.trace.trace_id
            address = f"{FOLDER}/{len(runs) + 1:03}-{UNSAFE.sub('-', name)[:60]}.html"
            runs.append(Run(name, source, address, tuple(page.facts(view))))
            yield Page(address, page.render(view))
    yield frame.page("traces.html", "traces", title="Traces", runs=runs)
