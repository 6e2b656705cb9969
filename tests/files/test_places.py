from pathlib import Path

import pytest

from awesome_cli.files.paths import OutsideError, below, entries, is_file, named, place


def test_a_link_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    assert place(tmp_path, "b.yaml") == (tmp_path / "a.yaml").resolve()
    assert place(tmp_path, "corpus/new.yaml") == (tmp_path / "corpus/new.yaml").resolve()


@pytest.mark.parametrize("target", ["/etc/hostname", "..", "circle"])
def test_a_link_out_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "circle").symlink_to(target)
    with pytest.raises(OutsideError, match="leads out of the survey"):
        place(tmp_path, "circle")
    with pytest.raises(OutsideError):
        place(tmp_path, "circle/deep.yaml" if target != "/etc/hostname" else "circle")


def test_what_a_person_names_in_the_survey_stays_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "survey" / "corpus").mkdir(parents=True)
    (root := tmp_path / "also").symlink_to("survey")
    (root / "out").symlink_to("..")
    monkeypatch.chdir(tmp_path / "survey")
    for path in ("out", "out/x.bib", tmp_path / "also" / "out" / "x.bib", "corpus/../out/x.bib"):
        with pytest.raises(OutsideError):
            named(root, Path(path))
    assert named(root, Path("corpus/x.bib")) == (tmp_path / "survey" / "corpus" / "x.bib").resolve()
    assert named(root, Path("../x.bib")) == tmp_path / "x.bib"
    (tmp_path / "mine").symlink_to("/etc")
    assert named(root, tmp_path / "mine" / "x.bib") == tmp_path / "mine" / "x.bib"


def test_files_below_a_folder_are_those_in_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "secret").write_text("x")
    (tmp_path / "a" / "deep" / "x.json").write_text("x")
    (tmp_path / "a" / "y.json").symlink_to("deep/x.json")
    (tmp_path / "a" / "out.json").symlink_to("../secret")
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "a" / ".git" / "refs").mkdir(parents=True)
    (tmp_path / "a" / ".git" / "refs" / "z.json").write_text("x")
    assert sorted(path.name for path in below(tmp_path / "a")) == ["x.json", "y.json"]
    assert not is_file(tmp_path, "a\0b")
    assert not is_file(tmp_path, "x" * 5000)


def test_entries_are_files_and_folders_with_what_is_in_them(tmp_path: Path) -> None:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "a" / "deep" / "x.json").write_text("x")
    (tmp_path / "b.yaml").write_text("x")
    (tmp_path / "c.yaml").write_text("x")
    assert {shown for shown, *_ in entries(tmp_path, ("a", "b.yaml", "b.yml", "none/d"))} == {
        "a",
        "a/deep",
        "a/deep/x.json",
        "b.yaml",
    }
    (tmp_path / "a" / "deep" / "up").symlink_to("..")
    with pytest.raises(OutsideError):
        list(entries(tmp_path, ("a",)))
