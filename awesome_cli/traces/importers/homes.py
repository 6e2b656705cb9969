"""Runs by their ids: where each program keeps them, `PROGRAM:latest` and `PROGRAM:ID`. Nothing is written there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.files.paths import below
from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers._format import RunFiles
from awesome_cli.traces.importers.finding import can_be_log, find_runs
from awesome_cli.traces.importers.foreign import objects, reach, text
from awesome_cli.traces.importers.log_file import LogFile

LATEST = "latest"
SHOWN = 10
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run in the home of its program: its ids, in lower case, and when a log last changed, in seconds since 1970."""

    run: RunFiles
    names: frozenset[str]
    changed: float

    @property
    def line(self) -> str:
        """The time, the id and the folder, for people.

        The folder is where the program worked, else that of the log; empty if that has only the name of the run.
        """
        main, when = self.run.main, datetime.fromtimestamp(self.changed, UTC)
        states = [LogFile(path).first for path in sorted(self.run.side) if path.name == "state.json"]
        places = (
            text(record.get("cwd") or reach(record, "payload", "cwd") or record.get("workDir") or reach(member, "cwd"))
            for record in (*main.head, *states)
            for member in (objects(record.get("members")) or [{}])[:1]
        )
        place = next(filter(None, places), main.path.parent.name)
        place = "" if place == self.run.id else Path(place).name
        return f"  {when:%Y-%m-%d %H:%M} UTC  {self.run.id or main.path.stem}  {place}".rstrip()


def log_of(path: Path, environment: Mapping[str, str]) -> Path:
    """The main log of the run that `PROGRAM:latest` or `PROGRAM:ID` names; other paths are returned unchanged.

    ID can be the beginning of one, or that of a sub-agent. Raises `UsageError` with the newest runs for no id, and with
    those that it can mean for one that is not clear.
    """
    program, _, wanted = (part.strip() for part in str(path).lower().partition(":"))
    homes = [form.home for form in FORMATS.values() if form.home is not None and form.home.program == program]
    if not homes or ":" not in str(path) or path.exists():
        return path
    runs = sorted(runs_of_program(program, environment), key=lambda each: (-each.changed, each.run.main.path))
    if not runs:
        places = ", ".join(str(place) for home in homes for place in home.folders(environment))
        variables = " or ".join(dict.fromkeys(home.variable for home in homes))
        raise UsageError(f"no run of {program} in {places}", hint=f"set {variables} to look elsewhere")
    begun = [run for run in runs if any(name.startswith(wanted) for name in run.names)]
    exact = runs[:1] if wanted == LATEST else [run for run in runs if wanted in run.names]
    matches = exact or begun
    if wanted and len(matches) == 1:
        return matches[0].run.main.path
    if not wanted:
        why = f"which run of {program}?"
    elif matches:
        why = f"{len(matches)} runs of {program} have ids that begin with {wanted!r}."
    else:
        why = f"no run of {program} has the id {wanted!r}."
    lines = [run.line for run in matches or runs]
    more = [f"  and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    raise UsageError(
        "\n".join([f"{why} The newest:", *lines[:SHOWN], *more]),
        hint=f"awesome trace import {program}:{LATEST}, or {program}:ID",
    )


def runs_of_program(program: str, environment: Mapping[str, str]) -> list[KeptRun]:
    """Every run that a program keeps, in each of its formats."""
    homes = [form.home for form in FORMATS.values() if form.home is not None and form.home.program == program]
    folders = [folder for home in homes for folder in home.folders(environment) if folder.is_dir()]
    runs = find_runs([path for folder in folders for path in below(folder) if can_be_log(path)]).runs
    return [_kept(run, folders) for form, run in runs if form.home in homes]


def _kept(run: RunFiles, folders: Sequence[Path]) -> KeptRun:
    paths = [log.path for log in (run.main, *run.others)]
    within = [path.relative_to(folder) for path in paths for folder in folders if path.is_relative_to(folder)]
    parts = [part.lower() for path in within for part in path.parts]
    names = {name for part in parts for name in (*UUID.findall(part), part.partition(".")[0])}
    names |= {name.partition(mark)[2] for name in names for mark in "-_" if not UUID.match(name)}
    return KeptRun(run, frozenset(names - {""} | {run.id.lower()}), max(path.stat().st_mtime for path in paths))
