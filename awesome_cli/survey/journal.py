"""Journal for changes of several files, so that an interrupted change can be finished or rolled back.

The folder `.awesome/plan` contains the new bytes (`after-N`) and the old bytes (`before-N`) of each file. `plan.json`
lists the files; it is written last and makes the plan valid. Then each new file is moved to its path, and the folder is
removed. If a plan is interrupted, the next process that takes the lock finishes the plan.
"""

import errno
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from awesome_cli.errors import AwesomeError, RefusedError, SurveyError, reason
from awesome_cli.files.paths import place
from awesome_cli.files.tree import PLAN as FOLDER
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.files.writing import HIDDEN, hidden, sweep, sync_folder, write
from awesome_cli.reports.findings import RawFinding
from awesome_cli.survey.changes import Change
from awesome_cli.survey.loading import FOLDERS
from awesome_cli.system import signals
from awesome_cli.text.inert import visible_line

PLAN = f"{FOLDER}/plan.json"
AWAY = f"remove {FOLDER} to leave all files as they are"
BACK = "run 'awesome recover --undo' to roll back the other files"
MANY = 100
"""From this number of files on, one `sync` replaces an `fsync` of each file."""
WRITTEN = re.compile(
    rf"(?:{'|'.join(FOLDERS)}|audits|searches|screenings)/[A-Za-z0-9][\w.-]*\.yaml"
    r"|(?:taxonomy|claims|protocol|search|migrations)\.yaml|statistics\.json|docs/pictures/[\w-]+\.(?:svg|csv)"
    r"|README\.md|docs/survey/README\.md|CONTRIBUTING\.md|LICENSE|CITATION\.cff",
    re.ASCII,
)
"""The files that a plan may change: records and documents, but not files that are executed or installed.

An untrusted survey may contain a plan. Commands that write other files can be repeated after an interruption.
"""
SYNC_WAITS = sys.platform.startswith("linux")


class UnfinishedError(AwesomeError):
    """Some files of a plan could not be written; the plan is still open."""


@dataclass(frozen=True, slots=True)
class Step:
    """A file of a plan, with the SHA-256 of its bytes before and after; None if the file does not exist."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """A plan in the journal: the arguments of its command, its files, and whether it is being rolled back (`undo`)."""

    command: tuple[str, ...]
    files: tuple[Step, ...]
    undo: bool = False

    @property
    def name(self) -> str:
        """The command line that made the plan."""
        return visible_line(shlex.join(("awesome", *self.command)))

    @property
    def source(self) -> str:
        """The prefix of the journal files whose bytes will be written: `before` or `after`."""
        return "before" if self.undo else "after"

    def goal(self, step: Step) -> str | None:
        """Return the SHA-256 that a file will have when the plan is finished; None if the file will not exist."""
        return step.before if self.undo else step.after

    def did(self, command: Sequence[str]) -> bool:
        """True if the same command made the plan, so that finishing the plan completes the command."""
        return not self.undo and self.command == tuple(command)


def is_open(root: Path) -> bool:
    """True if a survey has an unfinished plan."""
    return os.path.lexists(root / PLAN)


def read(tree: FileTree) -> OpenPlan | None:
    """Return the open plan, or None; raises `SurveyError` if `plan.json` is damaged or lists a forbidden file."""
    data = tree.read(PLAN)
    if data is None:
        return None
    try:
        raw = json.loads(data)
        hashes = ((entry["path"], entry["before"], entry["after"]) for entry in raw["files"])
        files = tuple(Step(str(path), *(None if h is None else str(h) for h in pair)) for path, *pair in hashes)
        plan = OpenPlan(tuple(map(str, raw["command"])), files, bool(raw.get("undo")))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise SurveyError(f"{PLAN} is damaged", hint=AWAY) from None
    for step in files:
        if not WRITTEN.fullmatch(step.path):
            raise SurveyError(f"{PLAN} lists a file that is not allowed: {visible_line(step.path)}", hint=AWAY)
    return plan


def opened(root: Path) -> OpenPlan | None:
    """Return the open plan of a survey, or None; raises the errors of `read`.

    If files of the plan were written and then all restored by hand, the plan is returned with `undo`.
    """
    if not is_open(root):
        return None
    tree = WorkingTree(root)
    plan = read(tree)
    if plan is None:
        raise SurveyError(f"{PLAN} is not a file", hint=AWAY)
    started = any(step.after and not (root / FOLDER / f"after-{n}").is_file() for n, step in enumerate(plan.files))
    back = started and all(digest(tree.read(step.path)) == step.before for step in plan.files)
    return replace(plan, undo=True) if back else plan


def prepare(root: Path, changes: Sequence[Change], command: Sequence[str]) -> OpenPlan:
    """Write the bytes of all files to the journal; `seal` makes the plan valid. Raises the errors of `targets`."""
    targets(root, (change.path for change in changes))
    folder = hidden(root) / "plan"
    folder.mkdir()
    for n, change in enumerate(changes):
        for source, data in (("before", change.before), ("after", change.after)):
            if data is not None:
                (folder / f"{source}-{n}").write_bytes(data)
                if change.before is not None:
                    shutil.copymode(root / change.path, folder / f"{source}-{n}")
    _sync_files(folder)
    return OpenPlan(tuple(command), tuple(Step(c.path, digest(c.before), digest(c.after)) for c in changes))


def digest(data: bytes | None) -> str | None:
    """Return the SHA-256 of a file's bytes; None if the file does not exist."""
    return None if data is None else sha256(data).hexdigest()


def seal(root: Path, plan: OpenPlan) -> None:
    """Make the plan valid. From now on it will be finished or rolled back, even after a crash."""
    write(root / PLAN, json.dumps(asdict(plan)).encode())
    sync_folder(root / HIDDEN)


def targets(root: Path, paths: Iterable[str]) -> list[str]:
    """Return the paths of files with symlinks resolved; raises `OutsideError` if a symlink leads out of the survey."""
    folders: dict[str, Path] = {}
    resolved: list[str] = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder not in folders:
            folders[folder] = place(root, folder)
        target = folders[folder] / name
        resolved.append(str(place(root, path) if target.is_symlink() else target))
    return resolved


def carry_out(root: Path, plan: OpenPlan, numbers: Sequence[int], *, anew: bool = False) -> None:
    """Write or delete the plan's files with these numbers, and close the plan; `anew` seals the plan first.

    Raises `UnfinishedError` if a file cannot be written; then the plan stays open.
    """
    waiting, steps = root / FOLDER, plan.files
    where = targets(root, (step.path for step in steps))
    folders = {Path(where[n]).parent for n in numbers}
    done = len(steps) - len(numbers)
    try:
        if anew:
            seal(root, plan)
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        for n in sorted(numbers, key=lambda n: plan.goal(steps[n]) is None):
            if plan.goal(steps[n]) is None:
                (root / steps[n].path).unlink()  # removes a symlink, not its target
            else:
                _give_name(waiting / f"{plan.source}-{n}", Path(where[n]))
            done += 1
        for folder in folders:
            sync_folder(folder)
        close(root)
    except OSError as error:
        state = "rolled back" if plan.undo else "written"
        message = f"{reason(error)}; {done} of {len(steps)} files of '{plan.name}' are {state}"
        hint = "fix the cause, then run 'awesome recover' to finish or 'awesome recover --undo' to roll back"
        raise UnfinishedError(message, hint=hint) from None


def _give_name(waiting: Path, path: Path) -> None:
    try:
        waiting.replace(path)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        write(path, waiting.read_bytes())  # its folder is on another disk


def close(root: Path) -> None:
    """Remove the completed plan from the journal."""
    (root / PLAN).unlink()
    sync_folder(root / FOLDER)
    discard(root)


def discard(root: Path) -> None:
    """Remove all files of a plan without `plan.json`, which is not valid."""
    folder = root / FOLDER
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def pending(root: Path, plan: OpenPlan) -> dict[int, Change]:
    """Return the changes of a plan that are not yet made, by file number.

    Raises `RefusedError` if a file was changed after the interruption, or if its bytes in the journal are damaged.
    """
    tree, left = WorkingTree(root), {}
    for n, step in enumerate(plan.files):
        goal, now = plan.goal(step), tree.read(step.path)
        if digest(now) == goal:
            continue
        if digest(now) not in {step.before, step.after}:
            message = f"{step.path} was changed after '{plan.name}' was interrupted"
            raise RefusedError(message, hint=_way_back(root, n, step))
        name = f"{FOLDER}/{plan.source}-{n}"
        data = tree.read(name) if goal is not None else None
        if digest(data) != goal:
            # A file that was written, and has its old bytes again, was restored, for instance with git.
            cause = f"{name} is damaged" if data else f"{step.path} was restored after '{plan.name}' was interrupted"
            raise RefusedError(cause, hint=AWAY if plan.undo else f"{BACK}, or {AWAY}")
        left[n] = Change(step.path, now, data)
    return left


def _way_back(root: Path, n: int, step: Step) -> str:
    """Return a hint for a changed file, so that the plan can be rolled back."""
    backup = f"{FOLDER}/before-{n}"
    if step.before is not None and not (root / backup).is_file():
        return AWAY
    way = f"move {step.path} elsewhere" if step.before is None else f"copy {backup} to {step.path}"
    return f"{way}, then {BACK}, or {AWAY}"


def clean(root: Path) -> None:
    """Remove temporary files of killed processes. Call this only while holding the lock."""
    sweep(root / HIDDEN)
    if not is_open(root):
        discard(root)


def finish_open(root: Path) -> OpenPlan | None:
    """Finish the open plan and return it, or None. Call this only while holding the lock."""
    plan = opened(root)
    if plan is not None:
        finish(root, plan)
    return plan


def finish(root: Path, plan: OpenPlan, *, undo: bool = False, dry_run: bool = False) -> tuple[Change, ...]:
    """Finish an open plan or, with `undo`, roll it back; return the changes. `dry_run` only returns the changes."""
    turned = replace(plan, undo=plan.undo or undo)
    left = pending(root, turned)
    if dry_run:
        return tuple(left.values())
    with signals.waiting() as came:
        carry_out(root, turned, list(left), anew=turned != plan)
    if came:
        raise KeyboardInterrupt(f"'{plan.name}' was {'rolled back' if turned.undo else 'completed'}")
    return tuple(left.values())


def findings(tree: FileTree) -> Iterator[RawFinding]:
    """Yield a finding for an interrupted or damaged plan."""
    try:
        plan = read(tree)
    except SurveyError as error:
        yield RawFinding("C002", PLAN, (), error.message, error.hint, place=(1, 1))
        return
    if plan is not None:
        message = f"'{plan.name}' was interrupted; some of its {len(plan.files)} files may not be updated"
        yield RawFinding("C002", PLAN, (), message, "awesome recover", place=(1, 1))


def _sync_files(folder: Path) -> None:
    """Sync the files of a folder to disk; only Linux guarantees that `sync` waits."""
    paths = list(folder.iterdir())
    if SYNC_WAITS and len(paths) >= MANY:
        os.sync()
        return
    for path in paths:
        with path.open("r+b") as file:
            os.fsync(file.fileno())
