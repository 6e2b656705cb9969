"""Import traces from paths: find the runs in files and folders, convert each run, and report on every file."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from pathlib import Path

from awesome_cli.errors import PartialError, UsageError
from awesome_cli.files.paths import below
from awesome_cli.text.inert import to_json
from awesome_cli.text.numbers import counted
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.archives import is_archive, unpacked
from awesome_cli.traces.importers.finding import can_be_log, find_runs, log_of, refusal
from awesome_cli.traces.importers.foreign import Json, grouped, items, mapping, reach, text
from awesome_cli.traces.importers.log_file import STANDARD, LogFileError, RunFiles, StrangeFileError, TraceFormat


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of a run or of a file that cannot be read: the traces, or the error.

    `beside` marks a file in a folder of a run whose content has no key of a known format.
    """

    path: Path
    format: str = ""
    traces: tuple[Json, ...] = ()
    error: LogFileError | None = None
    beside: bool = False

    @property
    def problem(self) -> str:
        """The path and the error, which can begin with the name of the file."""
        return f"{self.path}: {str(self.error).removeprefix(f'{self.path.name}: ')}"


@dataclass(frozen=True, slots=True)
class Import:
    """The results of an import in the order of the files.

    `skipped` has the files that belong to no run and do not have the name of a log; `used` has the given paths and the
    files of their runs. `renamed` has the new ids of traces with equal ids, by the ids in the logs.
    """

    results: tuple[Imported, ...]
    skipped: tuple[Path, ...] = ()
    used: frozenset[Path] = frozenset()
    renamed: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    @property
    def traces(self) -> tuple[Json, ...]:
        return tuple(trace for result in self.results for trace in result.traces)

    def text(self, *, as_lines: bool = False) -> str:
        """Return one trace as indented JSON (as a line if `as_lines`), several traces as JSON Lines."""
        if len(self.traces) == 1 and not as_lines:
            return to_json(self.traces[0], indent=1) + "\n"
        return "".join(to_json(t, separators=(",", ":")) + "\n" for t in self.traces)

    def lines(self) -> Iterator[str]:
        """Describe the import for a person: the size and losses of each trace, then the number of runs and files."""
        for result in self.results:
            for trace in result.traces:
                inferred = mapping(reach(trace, "provenance", "inferred")).get("events")
                kinds = [mapping(agent).get("kind", "llm") for agent in mapping(trace.get("agents")).values()]
                size = f"{counted(kinds.count('llm'), 'agent')}, {counted(len(items(trace.get('events'))), 'event')}"
                yield f"{result.path}: {result.format}: {size} ({inferred} inferred), trace_id {trace['trace_id']}"
                yield from (f"  lost: {what}" for what in items(reach(trace, "provenance", "lossy")))
        for name, ids in self.renamed.items():
            yield f"{counted(len(ids), 'run')} have the id {name}; their trace ids are now {', '.join(ids)}"
        yield from (f"skipped: {result.problem}" for result in self.results if result.beside)
        if len(self.traces) > 1 or self.skipped:
            numbers = Counter(result.format for result in self.results for _ in result.traces)
            formats = ", ".join(f"{n} {name}" for name, n in numbers.items())
            yield f"{counted(len(self.traces), 'run')}{': ' if formats else ''}{formats}"
        if self.skipped:
            suffixes = Counter(f"*{path.suffix}" if path.suffix else path.name for path in self.skipped)
            names = ", ".join(name if n == 1 else f"{name} ({n})" for name, n in sorted(suffixes.items()))
            yield f"skipped, no logs by their names: {counted(len(self.skipped), 'file')}: {names}"

    def raise_for_failures(self) -> None:
        """Raise the error of a single failed file, or `PartialError` if some of several files failed."""
        if not self.results:
            raise UsageError("nothing to import: no .json, .jsonl, .ndjson, .traj or .log file there")
        if len(self.results) == 1 and (error := self.results[0].error):
            raise error
        failed = [f"  {result.problem}" for result in self.results if result.error and not result.beside]
        if failed:
            runs = counted(sum(result.error is None for result in self.results), "run")
            raise PartialError(
                "\n".join([f"{runs} imported, {counted(len(failed), 'file')} could not be imported:", *failed])
            )


def import_all(
    paths: Sequence[Path], environment: Mapping[str, str] = {}, *, with_content: bool = False, form: str | None = None
) -> Import:
    """Import the runs in files and folders; `form` is the name of the format, None to recognise it by the content.

    A file of a run leads to the whole run, even if the other files are in other folders. A run is imported once, and
    its files are not reported as files of unknown formats. An archive is read like a folder. A path `PROGRAM:ID` names
    a run in the folder where the program keeps its runs; variables of the `environment` can set that folder. Raises
    `UsageError` if a path does not exist, or if the name of a format or run is unknown.
    """
    if form is not None and form not in FORMATS:
        raise UsageError(f"unknown format {form!r}", hint=f"one of: {', '.join(FORMATS)}")
    paths = [log_of(path, environment) for path in paths]
    archives = [path for path in paths if is_archive(path)]
    parts = [_import([path for path in paths if path not in archives], with_content=with_content, form=form)]
    parts += [_import_archive(path, with_content=with_content, form=form) for path in archives]
    results = tuple(result for part in parts for result in part.results)
    used = frozenset(paths).union(*(part.used for part in parts))
    whole = Import(results, tuple(file for part in parts for file in part.skipped), used)
    return replace(whole, renamed=_name_apart(whole.traces))


def _import_archive(path: Path, *, with_content: bool, form: str | None) -> Import:
    try:
        with unpacked(path) as folder:
            part = _import([folder], with_content=with_content, form=form)
            results = (replace(result, path=path / result.path.relative_to(folder)) for result in part.results)
            return Import(tuple(results), tuple(path / file.relative_to(folder) for file in part.skipped))
    except LogFileError as error:
        return Import((Imported(path, error=error),))


def _import(paths: Sequence[Path], *, with_content: bool, form: str | None) -> Import:
    for path in paths:
        if path != STANDARD and not path.exists():
            raise UsageError(f"no such file or folder: {path}")
    files = dict.fromkeys(file for path in paths for file in (sorted(below(path)) if path.is_dir() else [path]))
    order = {file: i for i, file in enumerate(files) if file in paths or can_be_log(file)}
    search = find_runs(order, paths, form)
    results = [_import_run(kind, run, search.damaged, with_content=with_content) for kind, run in search.runs]
    folders = {folder for file in search.used for folder in file.parents}
    for file, error in search.errors.items():
        beside = isinstance(error, StrangeFileError) and file not in paths and file.parent in folders
        results.append(Imported(file, error=error, beside=beside))
    skipped = tuple(file for file in files if file not in order and file not in search.used)
    results.sort(key=lambda result: order.get(result.path, -1))
    return Import(tuple(results), skipped, frozenset(search.used))


def _import_run(form: TraceFormat, run: RunFiles, damaged: AbstractSet[Path], *, with_content: bool) -> Imported:
    """Convert one run. Its files that cannot be read, and `damaged` files with its id in their paths, are losses."""
    try:
        traces = tuple(form.convert(run, with_content=with_content))
    except (LogFileError, OSError) as error:
        rest = tuple(log for log in run.others if log.is_readable())
        if rest == run.others:
            return Imported(run.main.path, error=refusal(run.main.path, error))
        damaged = damaged | {log.path for log in run.others if log not in rest}
        return _import_run(form, replace(run, others=rest), damaged, with_content=with_content)
    if not traces:
        why = f"{run.main.name}: read as {form.name}, but it has no event of a run"
        return Imported(run.main.path, error=LogFileError(why))
    lost = [path for path in damaged if run.id and any(run.id in part for part in path.parts)]
    losses = sorted(f"a file of the run that cannot be read: {path.name}" for path in lost)
    losses += sorted(f"a second log of an agent, not read: {path.parent.name}/{path.name}" for path in run.second)
    for trace in traces:
        items(reach(trace, "provenance", "lossy")).extend(losses)
    return Imported(run.main.path, form.name, traces)


def _name_apart(traces: Sequence[Json]) -> dict[str, list[str]]:
    """Append the hash of the file to ids that several traces have, and a number if the hashes are equal, too.

    Return the new ids by the old ids.
    """
    old = [text(trace["trace_id"]) for trace in traces]
    for suffix in (lambda trace, _: text(reach(trace, "provenance", "file_sha256"))[:8], lambda _, n: str(n)):
        for name, group in grouped(traces, lambda trace: text(trace["trace_id"])).items():
            for n, trace in enumerate(group if len(group) > 1 else (), 1):
                trace["trace_id"] = f"{name}~{suffix(trace, n)}"
    pairs = zip(old, (text(trace["trace_id"]) for trace in traces), strict=True)
    renamed = grouped((pair for pair in pairs if pair[0] != pair[1]), lambda pair: pair[0])
    return {name: [new for _, new in group] for name, group in renamed.items()}
