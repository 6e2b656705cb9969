"""A plan over several files is carried out whole, whatever ends its process: it is written down, finished, taken back."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from awesome_cli.errors import AwesomeError, RefusedError, SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check
from awesome_cli.survey import journal, saving
from awesome_cli.survey.saving import Change

CHANGES = [
    Change("corpus/old.yaml", b"old", None),
    Change("taxonomy.yaml", b"one", b"two"),
    *(Change(f"corpus/new{n}.yaml", None, b"new") for n in range(3)),
]
WHOLE = {"before": {"corpus/old.yaml": b"old", "taxonomy.yaml": b"one"}}
WHOLE["after"] = {change.path: change.after for change in CHANGES if change.after is not None}
RENAME = ("rename", "old", "new")
ENDED = """
import os, shutil, signal, sys
from pathlib import Path
from awesome_cli.survey import saving
EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "fcntl.flock"}
root, act, changes = Path(sys.argv[1]), sys.argv[2], [saving.Change(*change) for change in eval(sys.argv[3])]
n = hit = 0
with saving.locked(root):
    pass  # What is imported now is not imported by every child.

def ending(left):
    def end(event, args):
        nonlocal left
        global hit
        left -= event in EVENTS
        hit += left == 0
        if left == 0 and event in EVENTS:
            if act == "kill":
                os._exit(137)
            elif act == "full" and event != "fcntl.flock":
                raise OSError(28, "No space left on device", str(args[0]))
            elif act.startswith("SIG"):
                os.kill(os.getpid(), getattr(signal, act))
    return end

def run(copy, n, report):
    sys.addaudithook(ending(n))
    try:
        saving.commit(copy, changes, command=("rename", "old", "new"))
        report.write("done")
    except BaseException as error:
        report.write(f"{type(error).__name__}: {error}")
    report.flush()

ended = 0
while not ended:
    n += 1
    copy = root.with_name(f"{act}-{n}")
    shutil.copytree(root, copy)
    with open(f"{copy}.txt", "w") as report:
        if not os.fork():
            run(copy, n, report)
            os._exit(hit == 0)
        ended = os.waitstatus_to_exitcode(os.wait()[1]) == 1
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder that the plan fits."""
    root = tmp_path / "small"
    (root / "corpus").mkdir(parents=True)
    for path, data in WHOLE["before"].items():
        (root / path).write_bytes(data)
    return root


def held(root: Path) -> dict[str, bytes]:
    """The files of a survey without its hidden folder."""
    paths = (path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0] != ".awesome")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def ended(root: Path, act: str) -> Iterator[tuple[Path, str]]:
    """A copy of the folder for each file event at which the plan was ended, and how its process says that it ended."""
    changes = repr([(change.path, change.before, change.after) for change in CHANGES])
    done = subprocess.run(
        [sys.executable, "-c", ENDED, root, act, changes], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    copies = sorted(root.parent.glob(f"{act}-*[0-9]"), key=lambda copy: int(copy.name.rpartition("-")[2]))
    said = [(copy, copy.with_name(f"{copy.name}.txt").read_text()) for copy in copies]
    assert len(said) > 30
    yield from said[:-1]  # The last one had no event left.


@pytest.mark.parametrize("undo", [False, True])
def test_after_a_kill_at_any_event_the_plan_is_finished_or_taken_back(small: Path, undo: bool):
    states = set()
    for copy, said in ended(small, "kill"):
        assert said == ""
        states.add(frozenset(held(copy)))
        with saving.locked(copy, finish=not undo):
            plan = journal.read(WorkingTree(copy))
            if undo and plan is not None:
                journal.finish(copy, plan, undo=True)
        assert held(copy) in ([WHOLE["before"]] if plan is not None else list(WHOLE.values()))
        assert not journal.is_open(copy)
        assert journal.finish_open(copy) is None
        assert {path.name for path in (copy / ".awesome").iterdir()} == {".gitignore", "lock"}
    assert len(states) > 3  # Some were ended between two files.


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_writes_nothing_or_everything_and_says_so(small: Path):
    whole = "KeyboardInterrupt: the change was completed"
    said = [(held(copy), text) for copy, text in ended(small, "SIGINT")]
    assert whole in {text for _, text in said}
    assert all(files in WHOLE.values() for files, _ in said)
    assert all(files == WHOLE["after"] for files, text in said if text == whole)
    assert [text for files, text in said if files == WHOLE["before"] and text != "KeyboardInterrupt: "] == []


def test_a_process_that_is_asked_to_end_finishes_the_plan(small: Path):
    for copy, said in ended(small, "SIGTERM"):
        assert held(copy) in ([WHOLE["after"]] if "whole" in said else list(WHOLE.values()))
        assert not journal.is_open(copy)


def test_a_disk_that_takes_no_more_leaves_nothing_or_a_plan_that_can_be_finished(small: Path):
    unfinished = 0
    for copy, said in ended(small, "full"):
        if journal.is_open(copy):
            unfinished += 1
            assert said.startswith("UnfinishedError: No space left on device")
            assert "files of 'awesome rename old new' are written" in said
            journal.finish_open(copy)
            assert held(copy) == WHOLE["after"]
        else:
            assert held(copy) == WHOLE["after" if said == "done" else "before"]
            assert said == "done" or "nothing was written" in said or "No space left on device" in said
    assert unfinished > 3


def interrupted(root: Path, monkeypatch: pytest.MonkeyPatch, *, after: int = 2) -> None:
    """Carry out the plan until some files have their names; the next one cannot be written."""
    give = journal._give_name
    left = [after]

    def full(waiting: Path, path: Path) -> None:
        if not left[0]:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        left[0] -= 1
        give(waiting, path)

    with monkeypatch.context() as patch:
        patch.setattr(journal, "_give_name", full)
        with pytest.raises(journal.UnfinishedError, match="2 of 5 files of 'awesome rename old new'") as told:
            saving.commit(root, CHANGES, command=RENAME)
    assert "awesome recover --undo" in (told.value.hint or "")


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """For a while a step of carrying out a plan fails."""

    def fail(*_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error", "corpus")

    with monkeypatch.context() as patch:
        patch.setattr(journal, name, fail)
        yield


def test_what_is_taken_back_can_be_ended_and_is_taken_back_again(small: Path, monkeypatch: pytest.MonkeyPatch):
    interrupted(small, monkeypatch)
    plan = journal.read(WorkingTree(small))
    assert plan is not None
    with failing(monkeypatch, "close"), pytest.raises(AwesomeError, match="Input/output"):
        journal.finish(small, plan, undo=True)
    turned = journal.finish_open(small)
    assert turned is not None
    assert turned.undo
    assert held(small) == WHOLE["before"]


def test_a_file_that_somebody_changed_meanwhile_is_not_overwritten(small: Path, monkeypatch: pytest.MonkeyPatch):
    interrupted(small, monkeypatch)
    (small / "corpus" / "new2.yaml").write_text("mine")
    before = held(small)
    with pytest.raises(RefusedError, match=r"corpus/new2\.yaml was changed after 'awesome rename old new'") as told:
        saving.commit(small, [Change("other.yaml", None, b"x")])
    assert "remove .awesome/plan" in (told.value.hint or "")
    assert held(small) == before
    shutil.rmtree(small / ".awesome" / "plan")
    saving.commit(small, [Change("other.yaml", None, b"x")])


@pytest.mark.parametrize("path", ["taxonomy.yaml", "corpus/new0.yaml", "corpus/new2.yaml"])
def test_the_hint_for_a_file_that_somebody_changed_works(small: Path, monkeypatch: pytest.MonkeyPatch, path: str):
    interrupted(small, monkeypatch)
    (small / path).write_text("mine")
    with pytest.raises(RefusedError, match="was changed after") as told:
        journal.finish_open(small)
    hint = told.value.hint or ""
    if moved := re.match("move (.*) elsewhere, then run 'awesome recover --undo'", hint):
        (small / moved[1]).unlink()
    elif copied := re.match("copy (.*) to (.*), then run 'awesome recover --undo'", hint):
        shutil.copy(small / copied[1], small / copied[2])
    plan = journal.opened(small)
    assert plan is not None
    journal.finish(small, plan, undo=True)
    assert held(small) == WHOLE["before"]


def test_a_plan_whose_files_were_all_put_back_is_over(small: Path, monkeypatch: pytest.MonkeyPatch):
    interrupted(small, monkeypatch)
    (small / "taxonomy.yaml").write_bytes(b"one")
    with pytest.raises(RefusedError, match=r"taxonomy\.yaml was restored after") as told:
        journal.finish_open(small)
    assert "run 'awesome recover --undo' to roll back the other files" in (told.value.hint or "")
    (small / "corpus" / "new0.yaml").unlink()
    plan = journal.finish_open(small)
    assert plan is not None
    assert not plan.did(RENAME)
    assert held(small) == WHOLE["before"]
    assert not (small / journal.FOLDER).exists()


def test_after_git_took_it_back_the_same_command_does_its_work(
    git_root: Path, git: Callable[..., str], run, monkeypatch: pytest.MonkeyPatch
):
    words = ("set", "--where", "year>=2000", "venue=Cups")
    give, left = journal._give_name, [1]

    def killed(waiting: Path, path: Path) -> None:
        if not left.pop():
            raise OSError(errno.EIO, "Input/output error")
        left.append(0)
        give(waiting, path)

    with monkeypatch.context() as patch:
        patch.setattr(journal, "_give_name", killed)
        assert "Input/output error; 1 of" in run(*words, root=git_root, code=3).err
    assert "was interrupted" in run("diff", root=git_root).err
    assert run("diff", "HEAD", "HEAD", root=git_root).err == ""
    git(git_root, "checkout", "--", ".")
    assert "was rolled back already" in run("recover", "--dry-run", root=git_root).err
    done = run(*words, root=git_root)
    assert "rolled back the interrupted" in done.err
    assert done.out.count("changed corpus/") > 1


def test_a_disk_too_full_to_take_back_leaves_the_plan_open(small: Path, monkeypatch: pytest.MonkeyPatch):
    interrupted(small, monkeypatch)
    plan = journal.opened(small)
    assert plan is not None

    def full(_path: Path, _data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "write", full)
        with pytest.raises(journal.UnfinishedError, match=r"device; 3 of 5 files of .* are rolled back") as told:
            journal.finish(small, plan, undo=True)
    assert "'awesome recover --undo' to roll back" in (told.value.hint or "")
    journal.finish(small, plan, undo=True)
    assert held(small) == WHOLE["before"]


@pytest.mark.parametrize("kind", ["link", "file"])
def test_what_stands_in_the_place_of_the_plan_goes(small: Path, tmp_path: Path, kind: str):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept").touch()
    place = saving.hidden(small) / "plan"
    place.symlink_to(tmp_path / "outside") if kind == "link" else place.write_text("x")
    saving.commit(small, CHANGES)
    assert held(small) == WHOLE["after"]
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["kept"]


def test_a_damaged_plan_is_not_carried_out(small: Path, monkeypatch: pytest.MonkeyPatch):
    interrupted(small, monkeypatch)
    (small / ".awesome" / "plan" / "after-4").write_text("tampered")
    with pytest.raises(RefusedError, match=r"after-4 is damaged"):
        journal.finish_open(small)
    (small / journal.PLAN).write_text("[[")
    with pytest.raises(SurveyError, match="damaged"):
        journal.finish_open(small)


HOSTILE = [
    "Makefile", "conftest.py", "corpus/conftest.py", "docs/index.md", "corpus/sub/x.yaml", ".git/hooks/pre-commit", "corpus/../../x.yaml", "/x.yaml", ".github/workflows/ci.yml", ".github/workflows/site.yml", ".github/requirements.txt", ".pre-commit-config.yaml", ".gitignore", "corpus/.gitkeep", "corpus/.git/config", "",
    "a\\b", "C:x", "corpus/\x1b[2J.yaml", "GIT~1/config", ".awesome/lock", "corpus/\ud800.yaml",
]  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE)
def test_a_plan_from_a_stranger_writes_no_file_that_a_command_would_not(small: Path, path: str):
    folder = saving.hidden(small) / "plan"
    folder.mkdir()
    (folder / "after-0").write_bytes(b"#!/bin/sh\n")
    step = {"path": path, "before": None, "after": journal.digest(b"#!/bin/sh\n")}
    (folder / "plan.json").write_text(json.dumps({"command": ["fmt"], "files": [step]}))
    with pytest.raises(SurveyError, match="lists a file that is not allowed"):
        journal.finish_open(small)
    assert held(small) == WHOLE["before"]


def test_what_is_around_a_survey_is_written_before_its_plan_and_told(small: Path, monkeypatch: pytest.MonkeyPatch):
    around = [Change(name, None, b"new") for name in (".gitignore", ".github/requirements.txt")]
    with failing(monkeypatch, "_give_name"), pytest.raises(AwesomeError, match="0 of 5 files"):
        saving.commit(small, [*CHANGES, *around])
    assert held(small) == WHOLE["before"] | {change.path: b"new" for change in around}
    assert journal.finish_open(small) is not None
    with failing(monkeypatch, "seal"), pytest.raises(AwesomeError, match=r"1 of 3 files are written"):
        saving.commit(small, [Change(".nojekyll", None, b"new"), Change("README.md", None, b"1"), Change("claims.yaml", None, b"2")])  # fmt: skip
    assert held(small) == WHOLE["after"] | dict.fromkeys(
        (".gitignore", ".github/requirements.txt", ".nojekyll"), b"new"
    )


@pytest.mark.parametrize(
    "text", ['{"command": 1, "files": []}', "[]", '{"files": [1]}', "[" * 100_000, "\0", '{"a": 1}']
)
def test_a_plan_of_another_shape_is_refused_and_a_finding(root: Path, text: str):
    folder = saving.hidden(root) / "plan"
    folder.mkdir()
    (folder / "plan.json").write_text(text)
    with pytest.raises(SurveyError, match="is damaged"):
        journal.finish_open(root)
    assert [f.message for f in check(WorkingTree(root)) if f.code == "C002"] == [".awesome/plan/plan.json is damaged"]


def test_the_mode_of_a_file_is_kept_there_and_back(small: Path, monkeypatch: pytest.MonkeyPatch):
    (small / "taxonomy.yaml").chmod(0o640)
    interrupted(small, monkeypatch)
    assert (small / "taxonomy.yaml").read_bytes() == b"two"
    assert (small / "taxonomy.yaml").stat().st_mode & 0o777 == 0o640
    plan = journal.read(WorkingTree(small))
    assert plan is not None
    journal.finish(small, plan, undo=True)
    assert (small / "taxonomy.yaml").read_bytes() == b"one"
    assert (small / "taxonomy.yaml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("link", ["corpus/new1.yaml", "corpus"])
def test_a_plan_that_a_link_leads_out_writes_nothing(small: Path, tmp_path_factory: pytest.TempPathFactory, link: str):
    outside = tmp_path_factory.mktemp("outside")
    if link == "corpus":
        shutil.move(small / "corpus" / "old.yaml", outside / "old.yaml")
        (small / "corpus").rmdir()
    (small / link).symlink_to(outside / "x" if link != "corpus" else outside)
    before = {path.name for path in outside.iterdir()}
    with pytest.raises(AwesomeError, match="leads out"):
        saving.commit(small, CHANGES)
    assert (small / "taxonomy.yaml").read_bytes() == b"one"
    assert {path.name for path in outside.iterdir()} == before


def test_many_files_that_cannot_be_synchronised_leave_old_files_whole_and_no_rest(
    small: Path, monkeypatch: pytest.MonkeyPatch
):
    many = [*CHANGES, *(Change(f"corpus/{n}.yaml", None, b"a") for n in range(journal.MANY))]

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "SYNC_WAITS", False)
        patch.setattr(os, "fsync", full)
        with pytest.raises(AwesomeError, match=r"No space left on device.*nothing was written"):
            saving.commit(small, many)
    assert held(small) == WHOLE["before"]
    assert not (small / journal.FOLDER).exists()
    saving.commit(small, many)
    assert len(held(small)) == len(WHOLE["after"]) + journal.MANY


def test_readers_name_an_open_plan_and_the_same_command_finishes_it(root: Path, run, monkeypatch: pytest.MonkeyPatch):
    with failing(monkeypatch, "_give_name"):
        done = run("rename", "drip2021", "drip2022", root=root, code=3)
    assert "0 of" in done.err
    assert "awesome recover --undo" in done.err
    assert "awesome recover --dry-run" in run("list", root=root).err
    tasks = run("status", "--format", "json", root=root).json["data"]["tasks"]
    assert tasks[0]["command"] == "awesome recover"
    assert "awesome validate" not in {task["command"] for task in tasks}  # it would name the open plan once more
    assert "C002" in run("validate", root=root, code=1).out
    shown = run("recover", "--dry-run", root=root)
    assert "would create corpus/drip2022.yaml" in shown.out
    assert "the interrupted 'awesome rename drip2021 drip2022'" in shown.err
    assert journal.is_open(root)
    done = run("rename", "drip2021", "drip2022", root=root)
    assert "finished the interrupted 'awesome rename drip2021 drip2022'" in done.err
    assert "nothing else was done" in done.err
    assert not (root / "corpus" / "drip2021.yaml").exists()
    assert "nothing to recover" in run("recover", root=root).err


def test_another_command_finishes_the_plan_and_goes_on(root: Path, run, monkeypatch: pytest.MonkeyPatch):
    with failing(monkeypatch, "_give_name"):
        run("rename", "drip2021", "drip2022", root=root, code=3)
    done = run("set", "drip2022", "venue=Cups", root=root)
    assert "finished the interrupted" in done.err
    assert "venue: Cups" in (root / "corpus" / "drip2022.yaml").read_text()


def test_recover_takes_back(root: Path, run, monkeypatch: pytest.MonkeyPatch):
    before = held(root)

    def killed(folder: Path) -> None:
        if journal.is_open(folder):
            raise OSError(errno.EIO, "Input/output error", "corpus")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "close", killed)
        run("rename", "drip2021", "drip2022", root=root, code=3)
    assert held(root) != before
    assert "created corpus/drip2021.yaml" in run("recover", "--undo", root=root).out
    assert held(root) == before
