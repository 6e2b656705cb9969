"""The result of a whole import: the traces as text, a line for every trace and every loss, and the failures."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from awesome_cli.errors import PartialError, UsageError
from awesome_cli.text.inert import to_json
from awesome_cli.text.numbers import counted
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.foreign import Json, items, mapping, reach, text
from awesome_cli.traces.importers.homes import KeptRun, by_id, programs
from awesome_cli.traces.importers.importing import Imported, import_all, import_run


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of an import in the order of the files."""

    results: tuple[Imported, ...]
    skipped: tuple[Path, ...] = ()

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
        """For people: the size of each trace, what was lost in the import, and at the end what came of all files."""
        lines = []
        for result in self.results:
            for trace in result.traces:
                lines.append(f"{result.path}: {result.format}: {_size(trace)}")
                lines += [f"  lost: {what}" for what in items(reach(trace, "provenance", "lossy"))]
        lines += [f"skipped: {result.path}: {result.error}" for result in self.results if result.beside]
        found = Counter(result.format for result in self.results for _ in result.traces)
        if len(self.traces) > 1 or self.skipped:
            each = ", ".join(f"{n} {name}" for name, n in found.items())
            lines.append(f"{counted(len(self.traces), 'run')}{': ' if each else ''}{each}")
        if self.skipped:
            kinds = Counter(f"*{path.suffix}" if path.suffix else path.name for path in self.skipped)
            names = ", ".join(name if n == 1 else f"{name} ({n})" for name, n in sorted(kinds.items()))
            lines.append(f"skipped, no logs by their names: {counted(len(self.skipped), 'file')}: {names}")
        return lines

    def raise_for_failures(self) -> None:
        """Raise the error of a single failed file, or `PartialError` if some of several files failed."""
        failed = [result for result in self.results if result.error is not None and not result.beside]
        if not self.results:
            raise UsageError("nothing to import: no .json, .jsonl, .ndjson, .traj or .log file there")
        if not failed:
            return
        first = failed[0].error
        if first is not None and len(self.results) == 1:
            raise first
        named = "\n".join(f"  {result.path}: {result.error}" for result in failed)
        runs = counted(sum(result.error is None for result in self.results), "run")
        raise PartialError(f"{runs} imported, {counted(len(failed), 'file')} could not be imported:\n{named}")


def _size(trace: Json) -> str:
    inferred = mapping(reach(trace, "provenance", "inferred")).get("events")
    agents, events = len(mapping(trace.get("agents"))), len(items(trace.get("events")))
    return f"{counted(agents, 'agent')}, {counted(events, 'event')} ({inferred} inferred)"


def run(
    paths: list[Path], environment: Mapping[str, str], *, with_content: bool = False, form: str | None = None
) -> Summary:
    """Import everything below `paths`, or named there by its id, as the format named `form` if given.

    Programs say in variables of the `environment` where they keep their runs.

    Raises `UsageError` for an unknown name of a format or run.
    """
    if form is not None and form not in FORMATS:
        raise UsageError(f"no format is called {form!r}", hint=f"one of: {', '.join(FORMATS)}")
    named = [path for path in paths if not path.exists() and _reference(path)]
    kept = {each.run.main.path.resolve(): each for path in named for each in [_kept(path, environment, form)]}
    found = import_all([path for path in paths if path not in named], with_content=with_content, form=form)
    known = {each.path.resolve() for each in found.results}
    more = [each for path, each in kept.items() if path not in known]
    results = (*found.results, *(import_run(each.form, each.run, set(), with_content=with_content) for each in more))
    _name_apart([trace for result in results for trace in result.traces])
    return Summary(results, found.skipped)


def _reference(path: Path) -> str:
    """`PROGRAM:ID` as it must be spelt, for a path that looks like one; else empty."""
    program, mark, wanted = str(path).partition(":")
    known = program.strip().lower() if mark and program.strip().lower() in programs() else ""
    return f"{known}:{wanted.strip()}" if known else ""


def _kept(path: Path, environment: Mapping[str, str], form: str | None) -> KeptRun:
    """The run that `PROGRAM:ID` names; raises `UsageError` for another spelling, or a run of another format."""
    if str(path) != _reference(path):
        raise UsageError(f"no such file or folder: {path}", hint=f"awesome trace import {_reference(path)}")
    kept = by_id(str(path), environment)
    if form is not None and form != kept.form.name:
        raise UsageError(f"{path} is a run of {kept.form.name}, not of {form}", hint="leave --from out")
    return kept


def _name_apart(traces: list[Json]) -> None:
    """Give traces with one id the hash of their files as a suffix, and a number where that is the same, too."""
    for suffix in (lambda trace, _: text(reach(trace, "provenance", "file_sha256"))[:8], lambda _, n: str(n)):
        same = defaultdict(list)
        for trace in traces:
            same[text(trace["trace_id"])].append(trace)
        for name, group in same.items():
            for n, trace in enumerate(group if len(group) > 1 else (), 1):
                trace["trace_id"] = f"{name}~{suffix(trace, n)}"
