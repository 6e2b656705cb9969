"""Measuring: whole processes in turn with their floor, medians, peak memory."""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import awesome_cli

ROOT = Path(__file__).parent.parent
AWESOME = [sys.executable, "-m", "awesome_cli"]
# The floor of every command: what Typer itself needs to parse a line and answer.
BARE_PROGRAM = """
import typer
app = typer.Typer()
@app.command()
def main(name: str = "x") -> None:
    print(name)
app()
"""
BARE = [sys.executable, "-c", BARE_PROGRAM]
# An installed command is compiled once; without this, a machine that keeps no bytecode compiles it in every run.
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Row:
    """A measurement and its floor, in seconds or bytes, and the ratio that is asked for."""

    name: str
    measured: float
    floor: float
    target: float
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return self.measured / self.floor

    def line(self) -> str:
        verdict = "ok" if self.ratio <= self.target else "ABOVE"
        return (
            f"{self.name:<58} {self.measured:>10.3f} {self.unit:<3} / {self.floor:>9.3f} {self.unit:<3}"
            f" = {self.ratio:>6.2f}  (at most {self.target:g})  {verdict}"
        )


def process(command: Sequence[str], cwd: Path = ROOT) -> float:
    """Processor seconds of a whole process and its children; less noisy than the clock on a shared machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, cwd=cwd, env=COMPILED, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 4):
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode()[-500:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@cache
def imported() -> None:
    """Import the whole program."""
    for module in walk_packages(awesome_cli.__path__, "awesome_cli."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def forked(words: Sequence[str], cwd: Path, codes: Sequence[int] = (0, 1, 4)) -> float:
    """Processor seconds of a command in a fork of this process, which has imported it: what it does itself."""
    from awesome_cli.cli import main

    imported()
    main.compose(main.VERBS)
    child = os.fork()
    if not child:
        with Path(os.devnull).open("r+b") as null:
            for stream in range(3):
                os.dup2(null.fileno(), stream)
        os.chdir(cwd)
        sys.argv = ["awesome", *words]
        try:
            main.main()
        except SystemExit as end:
            os._exit(end.code if isinstance(end.code, int) else 0)
        finally:
            os._exit(70)
    _, status, used = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) not in codes:
        raise RuntimeError(f"{' '.join(words)} in {cwd}: exit code {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime


def against_bare(
    commands: dict[str, tuple[Sequence[str], float]],
    *,
    cwd: Path = ROOT,
    runs: int = 9,
    before: Callable[[], object] = lambda: None,
) -> list[Row]:
    """Medians of commands, each after `before`, in turn with a bare Typer command; each with the ratio asked for."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    floors: list[float] = []
    for arguments, _ in commands.values():  # the first run compiles
        process([*AWESOME, *arguments], cwd)
    for _ in range(runs):
        floors.append(process(BARE, cwd))
        for name, (arguments, _) in commands.items():
            before()
            times[name].append(process([*AWESOME, *arguments], cwd))
    floor = statistics.median(floors)
    return [Row(name, statistics.median(times[name]), floor, target) for name, (_, target) in commands.items()]


def best(function: Callable[[], object], runs: int = 3) -> float:
    """The least of several timings, in seconds: what the machine can do when nothing disturbs it."""
    times: list[float] = []
    for _ in range(runs):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def usage(command: Sequence[str], cwd: Path) -> tuple[float, int]:
    """Processor seconds and peak resident memory in bytes of one run of a process."""
    child = subprocess.Popen(command, cwd=cwd, env=COMPILED, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def peak_bytes(command: Sequence[str], cwd: Path) -> int:
    """Peak resident memory of a process, in bytes."""
    return usage(command, cwd)[1]
