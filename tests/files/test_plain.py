"""Only plain files inside of a survey are read; anything else is named, and no reading waits for it."""

import os
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from awesome_cli.files import paths
from awesome_cli.files.tree import WorkingTree

NOBODY = 65534


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    """What waits for the other end of a pipe ends with an error."""
    signal.alarm(20)
    yield
    signal.alarm(0)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listener(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's name is short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(here)


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(paths.LARGEST + 1)


def folder(path: Path) -> None:
    path.mkdir()


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (pipe, "is a named pipe, not a file"),
        (listener, "is a socket, not a file"),
        (folder, "is a folder, not a file"),
        (large, "is larger than 50,000,000 bytes"),
        (link("/dev/zero"), "leads out of the survey"),
        (link("../outside"), "leads out of the survey"),
        (link(".git/config"), "leads out of the survey"),
        (link("x.yaml"), "leads out of the survey"),
    ],
)
def test_what_is_no_plain_file_is_named(tmp_path: Path, make: Callable[[Path], None], reason: str):
    (tmp_path / "outside").write_text("secret")
    (root := tmp_path / "survey").mkdir()
    make(root / "x.yaml")
    for read in (WorkingTree(root).read, lambda path: paths.read(root, path)):
        with pytest.raises(paths.UnusableError, match=r"x\.yaml") as caught:
            read("x.yaml")
        assert (caught.value.path, caught.value.message) == ("x.yaml", f"x.yaml {reason}")
        assert caught.value.hint
    found = [fault.message for fault in paths.faults(root, "x.yaml")]
    assert found == ([] if make is folder else [f"x.yaml {reason}"])


def test_a_link_inside_is_read_and_an_absent_file_is_none(tmp_path: Path):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.yaml").write_bytes(b"a\r\n")
    (tmp_path / "b.yaml").symlink_to("corpus/a.yaml")
    (tmp_path / "linked").symlink_to("corpus")
    (tmp_path / "nowhere").symlink_to("gone")
    tree = WorkingTree(tmp_path)
    assert tree.read("b.yaml") == tree.read("linked/a.yaml") == paths.read(tmp_path, "b.yaml") == b"a\r\n"
    assert tree.list("linked") == ("linked/a.yaml",)
    for absent in ("gone", "nowhere", "gone/a.yaml", "b.yaml/a.yaml"):
        assert tree.read(absent) is None


def test_nothing_is_listed_or_read_behind_a_folder_that_leads_out(tmp_path: Path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.yaml").write_text("secret")
    (root := tmp_path / "survey").mkdir()
    (root / "corpus").symlink_to("../outside")
    tree = WorkingTree(root)
    for ask in (tree.list, tree.strays, lambda folder: tree.read(f"{folder}/a.yaml")):
        with pytest.raises(paths.UnusableError, match="leads out of the survey"):
            ask("corpus")


def test_a_file_in_place_of_a_folder_is_named(tmp_path: Path):
    (tmp_path / "corpus").write_text("x")
    with pytest.raises(paths.UnusableError, match="corpus is not a folder"):
        WorkingTree(tmp_path).list("corpus")


def test_faults_of_a_folder_are_those_of_what_is_in_it(tmp_path: Path):
    (tmp_path / "traces" / "deep").mkdir(parents=True)
    (tmp_path / "traces" / "deep" / "circle").symlink_to("../../traces")
    (tmp_path / "traces" / "deep" / "out").symlink_to("/etc")
    (tmp_path / "traces" / "good.json").write_text("{}")
    pipe(tmp_path / "traces" / "deep" / "pipe.json")
    found = [fault.message for fault in paths.faults(tmp_path, "traces")]
    assert found == ["traces/deep/out leads out of the survey", "traces/deep/pipe.json is a named pipe, not a file"]
    assert list(paths.faults(tmp_path, "absent")) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_what_may_not_be_read_is_named():
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "x.yaml").write_text("secret")
        (root / "x.yaml").chmod(0)
        (root / "corpus").mkdir(mode=0)
        os.seteuid(NOBODY)
        try:
            with pytest.raises(paths.UnusableError, match=r"x.yaml cannot be read: Permission denied"):
                WorkingTree(root).read("x.yaml")
            with pytest.raises(paths.UnusableError, match=r"corpus cannot be read: Permission denied"):
                WorkingTree(root).list("corpus")
        finally:
            os.seteuid(0)
