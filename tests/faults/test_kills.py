"""A fault at any file operation of any command that writes leaves the survey as it was or as it was to be.

A test runs its command once without a fault and counts its file operations. Then it draws pairs of an operation, a
fault and a further command, each tried on a new copy of the survey. `SEED=N` draws others.
"""

import inspect
import os
import random
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from commands import MADE, PAGES, PLANS, RECOVER, SERVES, STARTS, lines
from docs_pages import commands
from forking import Driver, Ended, Fault, held, hidden
from tiers import sampled

SEED = int(os.environ.get("SEED", "12"))
KILLS, ERRORS, REMAKES = 10, 3, 6
"""How many kills and other faults of a plan, and faults of what can be made again, are drawn for each command.

`make test-slow` draws ten times as many.
"""
FAULTS = ("ENOSPC", "EIO", "EROFS", "SIGINT", "SIGTERM")
COMMANDS = commands()
COMMITS = re.compile(r"\b(commit|carry_out|write_bytes|write_text)\(")
CODES = {0, 1, 2, 3, 4}
ENDS = {"kill": {137}, "SIGTERM": {-15, 130, 143}, "SIGINT": {130}}


@dataclass(frozen=True)
class Try:
    """A command on copies of a survey: what the folder holds before, and after it without a fault."""

    line: str
    driver: Driver
    case: Path
    before: dict[str, bytes | str]
    after: dict[str, bytes | str]
    clean: Ended

    @classmethod
    def of(cls, line: str, driver: Driver, case: Path, folder: Path) -> "Try":
        copy = shutil.copytree(case, folder / "clean", symlinks=True)
        before = held(copy)
        clean = driver.run(*shlex.split(line), folder=copy / "survey")
        assert clean.code in {0, 1 if line.startswith("validate") else 4}, clean  # findings remain
        after = held(copy)
        assert before != after, clean
        return cls(line, driver, case, before, after, clean)

    def whole(self, found: dict[str, bytes | str]) -> bool:
        return found in (self.before, self.after)

    def mixture(self, found: dict[str, bytes | str]) -> str:
        """How files are neither as before nor as after; which are old, which new."""
        names = {*self.before, *self.after, *found}
        state = {name: self._state(name, found.get(name)) for name in sorted(names)}
        return ", ".join(f"{name} {how}" for name, how in state.items() if how)

    def _state(self, name: str, data: bytes | str | None) -> str:
        old, new = self.before.get(name), self.after.get(name)
        if old == new == data:
            return ""
        return "old" if data == old else "new" if data == new else "other" if data is not None else "missing"

    def fault(self, fault: Fault, copy: Path) -> Ended:
        done = self.driver.run(*shlex.split(self.line), folder=copy / "survey", fault=fault)
        assert "bug:" not in done.err, done
        assert "Traceback" not in done.err, done
        return done


def drawn(
    line: str, events: int, kinds: tuple[str, ...], further: tuple[str, ...], n: int
) -> list[tuple[int, str, str]]:
    """Some of the triples of an event, a fault and a further command."""
    every = list(product(range(events), kinds, further))
    more = 10 if hypothesis.settings.default and hypothesis.settings.default.max_examples >= 1000 else 1
    return random.Random(f"{SEED} {line}").sample(every, min(len(every), n * more))


def check(tried: Try, fault: Fault, further: str, folder: Path) -> Iterator[str]:
    """What is wrong after a fault, and after one further command."""
    copy = shutil.copytree(tried.case, folder / f"{fault[0]}-{fault[1]}-{further[-6:].strip()}", symlinks=True)
    done = tried.fault(fault, copy)
    yield from (f"{what}: {done}" for what in told(tried, fault[0], done, held(copy)))
    new = tried.line.startswith("init ../new")
    there = ("-C", "../new") if new and further != "again" else ()
    words = shlex.split(tried.line) if further == "again" else [*there, *further.split()]
    more = tried.driver.run(*words, folder=copy / "survey")
    yield from (f"then {further}: {what}: {more}" for what in finished(tried, further, more, held(copy)))
    # What takes no lock leaves its rest to the next command that does; where no taxonomy is yet, there is no survey.
    survey = copy / ("new" if new else "survey")
    if tried.line not in lines(STARTS + MADE) and (survey / "taxonomy.yaml").exists() and (left := hidden(survey)):
        yield f"then {further}: left in .awesome: {left}"
    if (survey / ".awesome").exists() and (survey / ".awesome" / ".gitignore").read_text().strip() != "*":
        yield f"then {further}: git sees .awesome"
    shutil.rmtree(copy)


def told(tried: Try, kind: str, done: Ended, found: dict[str, bytes | str]) -> Iterator[str]:
    """What is wrong with what is there and what is said after a fault."""
    if done.code not in ENDS.get(kind, CODES) and done.code != tried.clean.code:
        yield "a strange end"
    if strange := {name for name in {*found} - {*tried.before} - {*tried.after} if name.startswith("survey/")}:
        yield f"git sees {strange}"
    for words, state in (("nothing was written", tried.before), ("the change was completed", tried.after)):
        if words in done.err and found != state:
            yield f"{words!r}, but {tried.mixture(found)}"
    silent = done.code in {*ENDS["kill"], *ENDS["SIGTERM"]} or tried.line in RECOVER or tried.whole(found)
    if not silent and not {"awesome", "hint:"} & {*done.err.split()}:
        yield "nothing says what to type"


def finished(tried: Try, further: str, done: Ended, found: dict[str, bytes | str]) -> Iterator[str]:
    """What is wrong after a further command."""
    if done.code not in CODES or "bug:" in done.err or "Traceback" in done.err:
        yield "a strange end"
    if found != tried.after and (further == "again" or found != tried.before):
        yield f"a mixture: {tried.mixture(found)}"


def try_all(tried: Try, kinds: tuple[str, ...], further: tuple[str, ...], n: int, folder: Path) -> None:
    events = tried.clean.events
    wrong = [
        f"{kind} at {at} ({events[at]}): {what}"
        for at, kind, then in drawn(tried.line, len(events), kinds, further, n)
        for what in check(tried, (kind, at), then, folder)
    ]
    assert not wrong, "\n".join([f"SEED={SEED} awesome {tried.line}", *wrong])


def test_every_command_that_writes_is_tried():
    """A command writes if one can try it without writing, if it takes a place to write to, or if it commits."""
    tried = {name for name in COMMANDS for line in lines(PLANS + STARTS + MADE) if f"{line} ".startswith(f"{name} ")}
    writing = {name for name, command in COMMANDS.items() if writes(command)}
    assert writing - SERVES - PAGES <= tried | {*RECOVER}
    assert len(lines(PLANS)) * KILLS >= 300


def writes(command: Any) -> bool:
    options = {option for parameter in command.params for option in parameter.opts}
    source = inspect.getsource(inspect.unwrap(command.callback))
    return bool(options & {"--dry-run", "--out", "--atom", "--html", "--report"} or COMMITS.search(source))


@pytest.mark.parametrize("line", sampled(lines(PLANS), "set aero2020 venue=Cups"))
def test_a_killed_plan_is_finished_or_taken_back(line: str, driver: Driver, case: Path, tmp_path: Path):
    try_all(Try.of(line, driver, case, tmp_path), ("kill",), ("again", *RECOVER), KILLS, tmp_path)


@pytest.mark.parametrize("line", sampled(lines(PLANS), "rename drip2021 drops2021"))
def test_a_plan_that_fails_says_what_was_done(line: str, driver: Driver, case: Path, tmp_path: Path):
    try_all(Try.of(line, driver, case, tmp_path), FAULTS, ("again", *RECOVER), ERRORS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("line", lines(STARTS))
def test_a_killed_start_is_ended_by_the_same_command(line: str, driver: Driver, case: Path, tmp_path: Path):
    try_all(Try.of(line, driver, case, tmp_path), ("kill", *FAULTS), ("again",), KILLS + ERRORS, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("words", RECOVER)
def test_what_finishes_or_takes_back_a_plan_can_be_killed_too(words: str, driver: Driver, case: Path, tmp_path: Path):
    tried = Try.of("rename drip2021 drops2021", driver, case, tmp_path)
    opened = tmp_path / "opened"
    for at, event in enumerate(tried.clean.events):
        if event.startswith("os.rename") and event.endswith(".yaml"):  # the first file gets its name
            shutil.copytree(case, opened, symlinks=True)
            tried.fault(("kill", at + 1), opened)
            break
    assert held(opened) not in (tried.before, tried.after)
    again = Try(words, driver, opened, tried.before, tried.after, counted(words, driver, opened, tmp_path))
    try_all(again, ("kill", *FAULTS), RECOVER, 2 * KILLS, tmp_path)


def counted(words: str, driver: Driver, case: Path, folder: Path) -> Ended:
    """The command without a fault."""
    done = driver.run(*words.split(), folder=shutil.copytree(case, folder / "counted") / "survey")
    assert not done.code, done
    return done


@pytest.mark.parametrize("line", sampled(lines(MADE), "export bibtex --out ../papers.bib"))
def test_what_can_be_made_again_is_made_by_the_same_command(line: str, driver: Driver, case: Path, tmp_path: Path):
    try_all(Try.of(line, driver, case, tmp_path), ("kill", *FAULTS), ("again",), REMAKES, tmp_path)
