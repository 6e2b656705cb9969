"""Plans are carried out whole, atomically and by one writer at a time; nothing shipped changes when it is saved."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders import coffee, make_exclusion, make_paper

from awesome_cli.errors import RefusedError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check
from awesome_cli.survey import saving
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus


def test_loading_and_saving_the_shipped_survey_changes_no_byte(repository: Path, shipped: Corpus):
    tree = WorkingTree(repository)
    axes = tuple(shipped.taxonomy.by_id)
    loose = {finding.path for finding in check(tree) if finding.code == "C001"}
    assert shipped.papers
    for record in shipped.records:
        data = tree.read(record.path) or b""
        assert saving.edit(tree, record, record, axes) == ()
        if record.path not in loose and not re.search(rb"(^|\s)#", data):  # comments are not in the record
            assert saving.create(Nowhere(), record, axes).after == data


class Nowhere:
    def list(self, _folder):
        return ()

    def read(self, _path):
        return None


def test_an_edit_of_a_commented_file_keeps_every_other_byte(root: Path):
    path = root / "corpus" / "drip2021.yaml"
    text = "# mine\n" + path.read_text().replace("year: 2021", "year:   2021   # sure") + "# the end\n"
    path.write_text(text)
    tree = WorkingTree(root)
    record = load_corpus(tree).by_key["drip2021"]
    after = record.model_copy(update={"venue": "Cups", "year": 2022})
    saving.commit(root, saving.edit(tree, record, after))
    assert path.read_text() == text.replace("2021   #", "2022   #").replace("# sure\n", "# sure\nvenue: Cups\n")


def test_a_plan_is_refused_whole_when_a_file_has_changed(root: Path):
    tree = WorkingTree(root)
    record = load_corpus(tree).by_key["drip2021"]
    changes = saving.edit(tree, record, record.model_copy(update={"venue": "Cups"}))
    other = saving.create(tree, make_paper("new2020"))
    (root / record.path).write_text("title: Changed\n")
    with pytest.raises(RefusedError, match="nothing was written"):
        saving.commit(root, (other, *changes))
    assert not (root / "corpus" / "new2020.yaml").exists()
    with pytest.raises(RefusedError, match="changed in the meantime"):
        saving.edit(tree, record, record)


def test_nothing_is_overwritten_and_no_known_work_is_added(root: Path):
    tree = WorkingTree(root)
    corpus = coffee()
    with pytest.raises(RefusedError, match="already exists"):
        saving.add_exclusion(tree, make_exclusion("X1", title="Something else entirely here"), corpus)
    with pytest.raises(saving.KnownError, match="aero2020") as known:
        saving.add_exclusion(tree, make_exclusion(url="https://arxiv.org/pdf/2001.00010v2"), corpus)
    assert known.value.match.b == "aero2020"
    apart = make_exclusion(identifiers={"arxiv": "2001.00010"}, distinct_from=["aero2020"])
    assert saving.add_exclusion(tree, apart, corpus).verb == "create"


def test_a_link_is_followed_and_the_mode_kept(tmp_path: Path):
    real = tmp_path / "real.yaml"
    real.write_text("a")
    real.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(real)
    saving.write(link, b"b")
    assert link.is_symlink()
    assert real.read_text() == "b"
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_pipe_takes_the_bytes_and_stays_a_pipe(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    saving.write(pipe, b"an answer")
    assert os.read(reader, 100) == b"an answer"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_failing_write_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.yaml"
    path.write_text("old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        saving.write(path, b"new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.yaml"]


KILLED = """
import sys
from pathlib import Path
from awesome_cli.survey.saving import write
path = Path(sys.argv[1])
print("ready", flush=True)
while True:
    write(path, b"a" * 200_000)
    write(path, b"b" * 200_000)
"""


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_the_old_or_the_new_file(tmp_path: Path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a" * 200_000)
    for i in range(6):
        child = subprocess.Popen([sys.executable, "-c", KILLED, path], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.005 * i)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        data = path.read_bytes()
        assert len(data) == 200_000
        assert len(set(data)) == 1


HOLDER = """
import sys, time
from pathlib import Path
from awesome_cli.survey.saving import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(30)
"""


def test_a_second_writer_waits_and_then_says_who_holds_the_lock(root: Path):
    child = subprocess.Popen([sys.executable, "-c", HOLDER, root], stdout=subprocess.PIPE)
    try:
        child.stdout.readline()
        with pytest.raises(saving.LockedError, match=r"\.awesome/lock"), saving.locked(root, timeout=0.1):
            pass
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    with saving.locked(root, timeout=1), saving.locked(root, timeout=1):
        assert (root / ".awesome" / ".gitignore").read_text() == "*\n"


def test_a_diff_names_new_and_deleted_files(root: Path):
    tree = WorkingTree(root)
    record = load_corpus(tree).by_key["drip2021"]
    text = saving.diff((saving.create(tree, make_paper("new2020")), saving.delete(tree, record)))
    assert "--- /dev/null\n+++ b/corpus/new2020.yaml" in text
    assert "--- a/corpus/drip2021.yaml\n+++ /dev/null" in text


def test_a_record_that_could_not_be_read_again_is_not_written(root: Path):
    change = saving.Change("corpus/new.yaml", None, b"title: A\n" + b"x" * 1100 + b": 1\n")
    with pytest.raises(RefusedError, match=r"corpus/new.yaml:2:.*nothing was written"):
        saving.commit(root, [change])
    assert not (root / "corpus" / "new.yaml").exists()
