"""A revision is read as a folder is: the same files, the same links, the same strays."""

import subprocess
from pathlib import Path

import pytest

from awesome_cli.files.git import MAX_LINKS, GitTree
from awesome_cli.files.paths import UnusableError
from awesome_cli.files.tree import WorkingTree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository around a survey in a subfolder, with a file for links that lead out."""
    root = tmp_path / "repository/survey"
    (root / "corpus/sub").mkdir(parents=True)
    (tmp_path / "repository/outside.yaml").write_text("outside")
    for name in ("a.yaml", "b.yaml", ".hidden.yaml", "notes.txt", "sub/c.yaml"):
        (root / "corpus" / name).write_text(name)
    (root / "other").mkdir()
    (root / "other/d.yaml").write_text("d")
    return root


def _committed(root: Path) -> None:
    config = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for args in (("init", "-q", ".."), ("add", "-A", ".."), (*config, "commit", "-q", "-m", "x")):
        subprocess.run(["git", *args], cwd=root, check=True)


LINKS = {
    "in the folder": ("corpus/link.yaml", "a.yaml"),
    "to another folder": ("corpus/link.yaml", "../other/d.yaml"),
    "of a folder": ("exclusions", "other"),
    "through a folder": ("exclusions", "./other/../other/."),
    "out": ("corpus/link.yaml", "../../outside.yaml"),
    "of a folder, out": ("exclusions", ".."),
    "to nothing": ("corpus/link.yaml", "none.yaml"),
    "to a folder": ("corpus/link.yaml", "sub"),
    "absolute": ("corpus/link.yaml", "/etc/hostname"),
}


@pytest.mark.parametrize("parts", [(), ("corpus", "exclusions")], ids=["all", "parts"])
@pytest.mark.parametrize("case", [None, *LINKS])
def test_a_revision_is_as_the_folder_is(root: Path, case: str | None, parts: tuple[str, ...]):
    if case is not None:
        link, target = LINKS[case]
        (root / link).symlink_to(target)
    _committed(root)
    here, there = WorkingTree(root), GitTree(root, "HEAD", parts)
    listed = there.list("corpus")
    assert listed == here.list("corpus")
    assert [there.read(path) for path in listed] == [here.read(path) for path in listed]
    assert there.strays("corpus") == here.strays("corpus")
    if case != "of a folder, out":
        assert there.list("exclusions") == here.list("exclusions")
    else:
        assert there.list("exclusions") == ()


def test_a_link_in_a_circle_is_a_stray(root: Path):
    (root / "corpus/link.yaml").symlink_to("link.yaml")
    _committed(root)
    tree = GitTree(root, "HEAD", ("corpus",))
    assert tree.read("corpus/link.yaml") is None
    assert "corpus/link.yaml" in tree.strays("corpus")


def test_a_long_chain_of_links_is_cut_off(root: Path):
    for n in range(MAX_LINKS + 1):
        (root / "corpus" / f"l{n}.yaml").symlink_to(f"l{n + 1}.yaml")
    (root / "corpus" / f"l{MAX_LINKS + 1}.yaml").write_text("end")
    _committed(root)
    tree = GitTree(root, "HEAD", ("corpus",))
    assert tree.read("corpus/l0.yaml") is None
    assert tree.read("corpus/l1.yaml") == b"end"


def test_a_very_large_file_is_no_record(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("awesome_cli.files.paths.LARGEST", 5)
    _committed(root)
    tree = GitTree(root, "HEAD")
    with pytest.raises(UnusableError, match=r"corpus/a.yaml is larger than 5 bytes"):
        tree.read("corpus/a.yaml")
    assert "corpus/a.yaml" in tree.strays("corpus")
    assert tree.read("other/d.yaml") == b"d"
