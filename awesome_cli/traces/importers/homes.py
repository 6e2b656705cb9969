"""Runs by their ids: where each program keeps them, `PROGRAM:latest` and `PROGRAM:ID`. Nothing is written there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.files.paths import below
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers._format import Home, RunFiles, TraceFormat
from awesome_cli.traces.importers.foreign import Json, objects, reach, text
from awesome_cli.traces.importers.importing import can_be_log, logs_in
from awesome_cli.traces.importers.log_file import LogFile

LATEST = "latest"
SHOWN = 10
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run in the home of its program: `changed` is when a log last changed.

    `folder` is where the program worked, else the folder of the log; empty if that has only the name of the run.
    """

    form: TraceFormat
    run: RunFiles
    folder: str
    names: frozenset[str]
    changed: float

    @property
    def line(self) -> str:
        """The time, the id and the folder, for people."""
        when = datetime.fromtimestamp(self.changed, UTC)
        return f"  {when:%Y-%m-%d %H:%M} UTC  {self.run.id or self.run.main.path.stem}  {self.folder}".rstrip()


def homes(program: str) -> list[Home]:
    """Where a program keeps its runs; empty for a name that is no program's."""
    return [form.home for form in FORMATS.values() if form.home is not None and form.home.program == program]


def programs() -> list[str]:
    """The programs whose runs can be named by their ids."""
    return sorted({form.home.program for form in FORMATS.values() if form.home is not None})


def by_id(reference: str, environment: Mapping[str, str]) -> KeptRun:
    """The run that `PROGRAM:latest` or `PROGRAM:ID` names; ID can be the beginning of one, or that of a sub-agent.

    Raises `UsageError` with the newest runs for no id, and with those that it can mean for one that is not clear.
    """
    program, _, wanted = reference.partition(":")
    kept = sorted(runs_of_program(program, environment), key=lambda each: (-each.changed, each.run.main.path))
    if not kept:
        places = [str(place) for home in homes(program) for place in home.folders(environment)]
        variables = " or ".join(dict.fromkeys(home.variable for home in homes(program)))
        raise UsageError(f"no run of {program} in {', '.join(places)}", hint=f"set {variables} to look elsewhere")
    if wanted == LATEST:
        return kept[0]
    begun = [each for each in kept if any(name.startswith(wanted.lower()) for name in each.names)]
    found = [each for each in kept if wanted.lower() in each.names] or begun
    if wanted and len(found) == 1:
        return found[0]
    why = (
        f"{len(found)} runs of {program} have ids that begin with {wanted!r}." if wanted else f"which run of {program}?"
    )
    why = why if found else f"no run of {program} has the id {wanted!r}."
    listed = found or kept
    more = f"\n  and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    raise UsageError(
        f"{why} The newest:\n" + "\n".join(each.line for each in listed[:SHOWN]) + more,
        hint=f"awesome trace import {program}:{LATEST}, or {program}:ID",
    )


def runs_of_program(program: str, environment: Mapping[str, str]) -> Iterator[KeptRun]:
    """Every run that a program keeps, in each of its formats."""
    for form in FORMATS.values():
        if form.home is None or form.home.program != program:
            continue
        folders = list(filter(Path.is_dir, form.home.folders(environment)))
        paths = (path for folder in folders for path in below(folder))
        logs = list(logs_in(form, filter(can_be_log, paths), set()))
        yield from (_kept(form, run, folders) for run in form.group(logs))


def _kept(form: TraceFormat, run: RunFiles, folders: Sequence[Path]) -> KeptRun:
    logs = (run.main, *run.others)
    within = [log.path.relative_to(folder) for log in logs for folder in folders if log.path.is_relative_to(folder)]
    parts = [part.lower() for path in within for part in path.parts]
    names = {name for part in parts for name in (*UUID.findall(part), part.partition(".")[0])}
    names |= {name.partition(mark)[2] for name in names for mark in "-_" if not UUID.match(name)}
    states = (LogFile(path).first for path in sorted(run.side) if path.name == "state.json")
    records = chain(run.main.begin(), states)
    place = next((cwd for record in records if (cwd := _folder(record))), run.main.path.parent.name)
    changed = max(log.path.stat().st_mtime for log in logs)
    place = "" if place == run.id else Path(place).name
    return KeptRun(form, run, place, frozenset(names - {""} | {run.id.lower()}), changed)


def _folder(record: Json) -> str:
    """Where the program worked, by a line of a log, the state beside it, or the first member of a team."""
    first = next(iter(objects(record.get("members"))), {})
    found = (record.get("cwd"), reach(record, "payload", "cwd"), record.get("workDir"), first.get("cwd"))
    return next(filter(None, map(text, found)), "")
