"""Surveys as other systems keep them: other line ends, other names, a clone without its history."""

import shutil
import unicodedata
from pathlib import Path

import pytest
from forking import held

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus

EDITS = (
    ("set", "drip2021", "venue=Cups"),
    ("tag", "aero2020", "beans=robusta", "--not-revised"),
    ("link", "siphon2019", "--version-of", "drip2021"),
    ("dedupe", "--distinct", "aero2020", "drip2021"),
    ("rename", "drip2021", "drops2021"),
    ("taxonomy", "rename", "taste=sour", "acid"),
    ("set", "X1", "note=Tea."),
)


def with_carriage_returns(root: Path) -> None:
    for path in root.rglob("*.yaml"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("words", EDITS, ids=" ".join)
def test_an_edit_keeps_the_line_ends_of_a_file(words: tuple[str, ...], run, root: Path, tmp_path: Path):
    plain = shutil.copytree(root, tmp_path / "plain")
    with_carriage_returns(root)
    before = held(root)
    for survey in (root, plain):
        run(*words, root=survey)
    changed = {name: data for name, data in held(root).items() if data != before.get(name) and name in before}
    assert changed or words[0] == "rename"
    for name, data in changed.items():
        assert data.replace(b"\r\n", b"\n") == held(plain)[name]
        assert data.count(b"\r\n") == data.count(b"\n")


def test_a_clone_that_git_gave_carriage_returns_is_the_same_survey(run, git_root: Path, git, tmp_path: Path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", str(git_root), str(clone))
    assert b"\r\n" in (clone / "corpus" / "drip2021.yaml").read_bytes()
    ours, theirs = (load_corpus(WorkingTree(survey), candidates=True) for survey in (git_root, clone))
    assert ours.records == theirs.records
    assert "Nothing changed" in run("diff", "HEAD", root=clone).out
    run("set", "drip2021", "venue=Cups", root=clone)
    assert git(clone, "diff", "--stat").splitlines()[0].split("|")[1].split() == ["1", "+"]


@pytest.mark.parametrize(
    ("folder", "name", "said"),
    [
        ("corpus", "con", "reserved file name"),
        ("corpus", "aux.1", "reserved file name"),
        ("exclusions", "LPT1", "reserved file name"),
        ("exclusions", "x1", "X1"),
        ("corpus", "k" * 130, "reserved file name"),
    ],
)
def test_a_name_that_another_system_cannot_hold_is_a_finding(folder: str, name: str, said: str, run, root: Path):
    source = root / ("corpus/soup2022.yaml" if folder == "corpus" else "exclusions/X1.yaml")
    (root / folder / f"{name}.yaml").write_text(source.read_text().replace("hep-th/9901001", "hep-th/9901002"))
    found = run("validate", "--format", "json", root=root, code=None).json["findings"]
    (finding,) = [one for one in found if one["code"] == "D005"]
    assert finding["path"] == f"{folder}/{name}.yaml"
    assert said in finding["message"]
    assert f"awesome rename {name} " in finding["fix"]


@pytest.mark.parametrize("key", ["con", "aux.x", "nul", "DRIP2021"])
def test_such_a_name_is_never_given_to_a_new_record(key: str, run, root: Path):
    titled = ("--set", "title=A new one", "--set", "year=2026", "--tag", "device=cold")
    run("add", *titled, "--key", key, root=root, code=None)
    run("rename", "aero2020", key, root=root, code=None)
    (root.parent / "a.bib").write_text(f"@book{{{key}, title={{Con: a book}}, author={{Con, Aux}}, year={{2020}}}}\n")
    run("import", str(root.parent / "a.bib"), root=root)
    names = [
        path.name.casefold() for folder in ("corpus", "exclusions", "candidates") for path in (root / folder).iterdir()
    ]
    assert len(names) == len({*names})
    assert not {name.partition(".")[0] for name in names} & {"con", "aux", "nul"}


def test_composed_and_decomposed_letters_are_one_text(run, root: Path):
    """A title that was typed on another system is the same title: for duplicates, for filters, for keys."""
    composed, decomposed = (unicodedata.normalize(form, "Café crème à la vanille brûlée") for form in ("NFC", "NFD"))
    assert composed != decomposed
    run("add", "--set", f"title={composed}", "--set", "year=2026", "--tag", "device=cold", root=root)
    known = run("add", "--set", f"title={decomposed}", "--set", "year=2026", "--tag", "device=cold", root=root, code=1)
    assert "already in the survey" in known.err
    asked = [
        run("list", "--where", f'title="{text}"', "--format", "json", root=root).json["data"]
        for text in (composed, decomposed)
    ]
    assert asked[0] == asked[1] or "where" in asked[0]


def test_a_shallow_clone_says_what_it_lacks(run, git_root: Path, git, tmp_path: Path):
    (git_root / "corpus" / "soup2022.yaml").unlink()
    git(git_root, "commit", "-qam", "No soup")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{git_root}", str(clone))
    for words in (
        ["status"],
        ["validate"],
        ["stats", "--as-of", "2026-04-01"],
        ["diff", "HEAD"],
        ["changelog", "HEAD..HEAD"],
    ):
        assert "bug:" not in run(*words, root=clone).err
    for words in (["diff", "HEAD~1"], ["changelog", "HEAD~1..HEAD"]):
        assert "git fetch --unshallow" in run(*words, root=clone, code=None).err
