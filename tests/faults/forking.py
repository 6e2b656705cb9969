"""Run the command line with faults: the client of `driver.py`, and what a folder holds before and after."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Fault = tuple[str, int]
"""What goes wrong (see `driver.Faults`), and at which event, counted from 0."""


@dataclass(frozen=True)
class Run:
    """A command to be run in `folder`; events below `watched` (the folder above, by default) count."""

    words: tuple[str, ...]
    folder: Path
    fault: Fault | None = None
    watched: Path | None = None
    closed: bool = False
    more: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ended:
    """How a run ended: what it printed, its exit code (`-n` for a signal), and its events, none after a kill."""

    out: str
    err: str
    code: int
    events: tuple[str, ...]

    def __str__(self) -> str:
        return f"[{self.code}]\n{self.out[-2000:]}\n{self.err[-2000:]}"


class Driver:
    """The warm process; `scratch` is where the outputs of its children lie."""

    def __init__(self, scratch: Path, environment: Mapping[str, str]) -> None:
        self.scratch, self.environment = scratch, environment
        self.process = subprocess.Popen(
            [sys.executable, HERE / "driver.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment, "PYTHONPATH": str(HERE.parent.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "ready\n"

    def together(self, *runs: Run) -> list[Ended]:
        """Run some commands that start at the same moment."""
        asked: list[dict[str, Any]] = [
            {
                "words": run.words,
                "folder": str(run.folder),
                "watched": str(run.watched or run.folder.parent),
                "fault": run.fault,
                "closed": run.closed,
                "environment": {"PATH": os.environ["PATH"], **self.environment, **run.more},
                "output": str(self.scratch / f"run{number}"),
            }
            for number, run in enumerate(runs)
        ]
        for old in self.scratch.glob("*.events"):
            old.unlink()
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        codes = json.loads(self.process.stdout.readline())
        return [self._ended(number, code) for number, code in enumerate(codes)]

    def run(self, *words: str, folder: Path, fault: Fault | None = None, **more: Any) -> Ended:
        """Run one command."""
        return self.together(Run(words, folder, fault, **more))[0]

    def _ended(self, number: int, code: int) -> Ended:
        path = self.scratch / f"run{number}"
        out, err = (Path(f"{path}.{name}").read_text(encoding="utf-8", errors="replace") for name in ("out", "err"))
        events = Path(f"{path}.events")
        return Ended(out, err, code, tuple(events.read_text().splitlines()) if events.is_file() else ())

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


HIDDEN = {".git", ".awesome"}


def held(folder: Path) -> dict[str, bytes | str]:
    """What a folder holds without the hidden folders: bytes by path, the target of a link; empty folders do not count."""
    found: dict[str, bytes | str] = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in HIDDEN]
        for name in files:
            path = Path(place, name)
            found[path.relative_to(folder).as_posix()] = (
                str(path.readlink()) if path.is_symlink() else path.read_bytes()
            )
    return found


def hidden(survey: Path) -> set[str]:
    """What the hidden folder holds that nobody needs; a text that somebody edits and kept answers are no such thing."""
    folder = survey / ".awesome"
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*")} - {".gitignore", "lock"}
    return {name for name in found if not name.startswith(("edit-", "cache"))}
