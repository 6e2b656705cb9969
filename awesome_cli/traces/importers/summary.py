"""The result of a whole import: the traces as text, a line for every trace and every loss, and the failures."""

from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import PartialError, UsageError
from awesome_cli.text.inert import to_json
from awesome_cli.text.numbers import counted
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.foreign import Json, items, mapping, reach
from awesome_cli.traces.importers.importing import Imported, import_path


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of an import in the order of the files."""

    results: tuple[Imported, ...]

    @property
    def traces(self) -> tuple[Json, ...]:
        """Every trace that was made."""
        return tuple(trace for result in self.results for trace in result.traces)

    def text(self, *, as_lines: bool = False) -> str:
        """One trace as an indented document (as a line if `as_lines`), several as JSON Lines."""
        if len(self.traces) == 1 and not as_lines:
            return to_json(self.traces[0], indent=1, allow_nan=False) + "\n"
        rows = (to_json(t, separators=(",", ":"), allow_nan=False) for t in self.traces)
        return "".join(row + "\n" for row in rows)

    def lines(self) -> list[str]:
        """For people: the size of each trace, and what was lost in the import."""
        lines = []
        for result in self.results:
            for trace in result.traces:
                lines.append(f"{result.path}: {result.format}: {_size(trace)}")
                lines += [f"  lost: {what}" for what in items(reach(trace, "provenance", "lossy"))]
        return lines

    def raise_for_failures(self) -> None:
        """Raise the error of a single failed file, or `PartialError` if some of several files failed."""
        failed = [result for result in self.results if result.error is not None]
        if not self.results:
            raise UsageError("nothing to import: no .json, .jsonl, .ndjson, .traj or .log file there")
        if not failed:
            return
        first = failed[0].error
        if first is not None and len(self.results) == 1:
            raise first
        named = "\n".join(f"  {result.path}: {result.error}" for result in failed)
        raise PartialError(f"{len(failed)} of {len(self.results)} files could not be imported:\n{named}")


def _size(trace: Json) -> str:
    inferred = mapping(reach(trace, "provenance", "inferred")).get("events")
    agents, events = len(mapping(trace.get("agents"))), len(items(trace.get("events")))
    return f"{counted(agents, 'agent')}, {counted(events, 'event')} ({inferred} inferred)"


def run(paths: list[Path], *, with_content: bool = False, form: str | None = None) -> Summary:
    """Import everything below `paths`, as the format named `form` if given; raises `UsageError` for an unknown name."""
    if form is not None and form not in FORMATS:
        raise UsageError(f"no format is called {form!r}", hint=f"one of: {', '.join(FORMATS)}")
    return Summary(tuple(each for path in paths for each in import_path(path, with_content=with_content, form=form)))
