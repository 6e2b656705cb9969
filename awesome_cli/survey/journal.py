"""A plan over several files, written down before its first change, so that it can be finished or taken back.

The folder `.awesome/plan` holds the new bytes of each file (`after-N`) and the old ones (`before-N`). `plan.json`
names the files and is written last: with it the plan counts, without it nothing was done. Then each file is renamed to
its place, and the folder goes. Whoever takes the lock finishes a plan that a kill left open.
"""

import errno
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from awesome_cli.errors import AwesomeError, RefusedError, SurveyError, reason
from awesome_cli.files.paths import place
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.files.writing import HIDDEN, hidden, sweep, sync_folder, write
from awesome_cli.reports.findings import RawFinding
from awesome_cli.survey.changes import Change
from awesome_cli.survey.loading import FOLDERS
from awesome_cli.system import signals
from awesome_cli.text.inert import visible_line

FOLDER = f"{HIDDEN}/plan"
PLAN = f"{FOLDER}/plan.json"
AWAY = f"remove {FOLDER} to leave all files as they are"
BACK = "'awesome recover --undo' takes back the rest"
MANY = 100
"""From how many files on they are synchronised together: one call for all instead of one for each."""
WRITTEN = re.compile(
    rf"(?:{'|'.join(FOLDERS)}|audits|searches|screenings)/[A-Za-z0-9][\w.-]*\.yaml"
    r"|(?:taxonomy|claims|protocol|search|migrations)\.yaml|statistics\.json|docs/pictures/[\w-]+\.(?:svg|csv)"
    r"|README\.md|docs/survey/README\.md|CONTRIBUTING\.md|LICENSE|CITATION\.cff",
    re.ASCII,
)
"""The files of a plan: what is recorded, and what people read of it. A plan that came with a survey may name no other.

So it cannot write what a machine runs or installs; the command that writes such files can be typed again.
"""
SYNC_WAITS = sys.platform.startswith("linux")


class UnfinishedError(AwesomeError):
    """The files of a plan could not all be given their names; the plan is still open."""


@dataclass(frozen=True, slots=True)
class Step:
    """A file of a plan with the SHA-256 of its bytes before and after; None for no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """A plan as it was written down: the words of its command, its files, and whether it is being taken back."""

    command: tuple[str, ...]
    files: tuple[Step, ...]
    undo: bool = False

    @property
    def name(self) -> str:
        """The command as it was typed."""
        return visible_line(shlex.join(("awesome", *self.command)))

    @property
    def source(self) -> str:
        """How the files are called that hold the bytes to come."""
        return "before" if self.undo else "after"

    def goal(self, step: Step) -> str | None:
        """What a file is to be."""
        return step.before if self.undo else step.after

    def did(self, command: Sequence[str]) -> bool:
        """True if the plan, once it is ended, has done what this command is to do."""
        return not self.undo and self.command == tuple(command)


def is_open(root: Path) -> bool:
    """True if a plan was written down and not finished."""
    return os.path.lexists(root / PLAN)


def read(tree: FileTree) -> OpenPlan | None:
    """The open plan; raises `SurveyError` where its file is damaged or names what no plan writes."""
    data = tree.read(PLAN)
    if data is None:
        return None
    try:
        raw = json.loads(data)
        hashes = ((one["path"], one["before"], one["after"]) for one in raw["files"])
        files = tuple(Step(str(path), *(None if one is None else str(one) for one in two)) for path, *two in hashes)
        plan = OpenPlan(tuple(map(str, raw["command"])), files, bool(raw.get("undo")))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise SurveyError(f"{PLAN} is damaged", hint=AWAY) from None
    for step in files:
        if not WRITTEN.fullmatch(step.path):
            raise SurveyError(f"{PLAN} names a file that no plan writes: {visible_line(step.path)}", hint=AWAY)
    return plan


def opened(root: Path) -> OpenPlan | None:
    """The open plan of a survey, if there is one; it counts as taken back where all its files were put back by hand.

    Raises as `read` does.
    """
    if not is_open(root):
        return None
    tree = WorkingTree(root)
    plan = read(tree)
    if plan is None:
        raise SurveyError(f"{PLAN} is not a file", hint=AWAY)
    given = any(one.after and not (root / FOLDER / f"after-{n}").is_file() for n, one in enumerate(plan.files))
    back = given and all(digest(tree.read(one.path)) == one.before for one in plan.files)
    return replace(plan, undo=True) if back else plan


def prepare(root: Path, changes: Sequence[Change], command: Sequence[str]) -> OpenPlan:
    """Write down the bytes of a plan; nothing counts before `seal`. Raises `OutsideError`, see `targets`."""
    targets(root, [change.path for change in changes])
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
    """The SHA-256 of a file's bytes; None for no file."""
    return None if data is None else sha256(data).hexdigest()


def seal(root: Path, plan: OpenPlan) -> None:
    """Make the plan count: from here on it is finished or taken back, whatever happens."""
    write(root / PLAN, json.dumps(asdict(plan)).encode())
    sync_folder(root / HIDDEN)


def targets(root: Path, paths: Sequence[str]) -> list[Path]:
    """Where files are written, behind links inside of the survey; raises `OutsideError` for a link that leads out."""
    folders: dict[str, Path] = {}
    found = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder not in folders:
            folders[folder] = place(root, folder)
        target = folders[folder] / name
        found.append(place(root, path) if target.is_symlink() else target)
    return found


def carry_out(root: Path, plan: OpenPlan, numbers: Sequence[int], *, anew: bool = False) -> None:
    """Give the files with these numbers their bytes, removals last, and close the plan; `anew` seals it before.

    Raises `UnfinishedError` where a file cannot be written; then the plan stays open.
    """
    waiting, steps = root / FOLDER, plan.files
    where = targets(root, [step.path for step in steps])
    done = len(steps) - len(numbers)
    try:
        if anew:
            seal(root, plan)
        for folder in {where[n].parent for n in numbers}:
            folder.mkdir(parents=True, exist_ok=True)
        for n in sorted(numbers, key=lambda n: plan.goal(steps[n]) is None):
            if plan.goal(steps[n]) is None:
                (root / steps[n].path).unlink()  # a link itself, not the file behind it
            else:
                _give_name(waiting / f"{plan.source}-{n}", where[n])
            done += 1
        for folder in {where[n].parent for n in numbers}:
            sync_folder(folder)
        close(root)
    except OSError as error:
        are = "as before" if plan.undo else "written"
        message = f"{reason(error)}; {done} of {len(steps)} files of '{plan.name}' are {are}"
        hint = "correct that, then 'awesome recover' finishes it; 'awesome recover --undo' takes it back"
        raise UnfinishedError(message, hint=hint) from None


def _give_name(waiting: Path, path: Path) -> None:
    try:
        waiting.replace(path)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        write(path, waiting.read_bytes())  # its folder is on another disk


def close(root: Path) -> None:
    """End a plan, which no longer counts from here on."""
    (root / PLAN).unlink()
    sync_folder(root / FOLDER)
    discard(root)


def discard(root: Path) -> None:
    """Throw away what was written down and does not count."""
    folder = root / FOLDER
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def pending(root: Path, plan: OpenPlan) -> dict[int, Change]:
    """What is left to do of a plan, by the number of the file.

    Raises `RefusedError` where a file was changed by somebody else since, or what the plan keeps of it is damaged.
    """
    tree, left = WorkingTree(root), {}
    for n, step in enumerate(plan.files):
        goal, now = plan.goal(step), tree.read(step.path)
        if digest(now) == goal:
            continue
        if digest(now) not in {step.before, step.after}:
            message = f"{step.path} was changed since '{plan.name}' was interrupted"
            raise RefusedError(message, hint=_way_back(root, n, step))
        name = f"{FOLDER}/{plan.source}-{n}"
        data = tree.read(name) if goal is not None else None
        if digest(data) != goal:
            # A file that was given its bytes, and no longer has them, was put back, for instance with git.
            what = f"{name} is damaged" if data else f"{step.path} was put back since '{plan.name}' was interrupted"
            raise RefusedError(what, hint=AWAY if plan.undo else f"{BACK}; or {AWAY}")
        left[n] = Change(step.path, now, data)
    return left


def _way_back(root: Path, n: int, step: Step) -> str:
    """What to do with a file that somebody changed, so that the plan can be taken back."""
    kept = f"{FOLDER}/before-{n}"
    if step.before is not None and not (root / kept).is_file():
        return AWAY
    way = f"move {step.path} elsewhere" if step.before is None else f"copy {kept} to {step.path}"
    return f"{way}, then {BACK}; or {AWAY}"


def clean(root: Path) -> None:
    """Remove, under the lock, what a kill left and nobody needs."""
    sweep(root / HIDDEN)
    if not is_open(root):
        discard(root)


def finish_open(root: Path) -> OpenPlan | None:
    """Finish the open plan, if there is one, under the lock, and return it."""
    plan = opened(root)
    if plan is not None:
        finish(root, plan)
    return plan


def finish(root: Path, plan: OpenPlan, *, undo: bool = False, dry_run: bool = False) -> tuple[Change, ...]:
    """Carry out the rest of an open plan, or take back what was done of it; the changes that this takes."""
    turned = replace(plan, undo=plan.undo or undo)
    left = pending(root, turned)
    if dry_run:
        return tuple(left.values())
    with signals.waiting() as came:
        carry_out(root, turned, list(left), anew=turned != plan)
    if came:
        raise KeyboardInterrupt(f"'{plan.name}' was {'taken back' if turned.undo else 'carried out'} whole")
    return tuple(left.values())


def findings(tree: FileTree) -> Iterator[RawFinding]:
    """A plan that was not finished, as a finding."""
    try:
        plan = read(tree)
    except SurveyError as error:
        yield RawFinding("C002", PLAN, (), error.message, error.hint, place=(1, 1))
        return
    if plan is not None:
        message = f"'{plan.name}' was interrupted: some of its {len(plan.files)} files may be new, others old"
        yield RawFinding("C002", PLAN, (), message, "awesome recover", place=(1, 1))


def _sync_files(folder: Path) -> None:
    """Make sure that the files of a folder are on the disk; only Linux's `sync` promises to wait for that."""
    paths = list(folder.iterdir())
    if SYNC_WAITS and len(paths) >= MANY:
        os.sync()
        return
    for path in paths:
        with path.open("r+b") as file:
            os.fsync(file.fileno())
