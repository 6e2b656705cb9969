"""The generated files of a paper: the commit that they name, and tables that paper.yaml no longer has."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from running import invoke, run_git

from awesome_cli.publish import freshness

TABLES = "tables:\n  old: {report: flow}\n  new: {report: flow}\n"


@pytest.fixture
def paper(git_root: Path) -> Path:
    """The coffee survey with a paper, built and rendered, all in one commit."""
    (git_root / "paper.yaml").write_text(TABLES)
    for command in ("paper build", "render"):
        invoke(*command.split(), root=git_root)
    commit(git_root)
    return git_root


def commit(root: Path, path: str = ".") -> str:
    """Commit what is below a path, and return the commit."""
    run_git(root, "add", "-A", path)
    run_git(root, "commit", "-q", "-m", "More")
    return run_git(root, "rev-parse", "HEAD").strip()[:12]


def named(root: Path) -> str:
    """The commit that the built files name, the same in each."""
    commit: str = json.loads((root / "paper" / "survey-data.json").read_text())["data"]["commit"]
    assert f"{{commit}}{{{commit}}}\n" in (root / "paper" / "survey-data.tex").read_text()
    return commit


def test_a_build_names_the_commit_of_the_records_and_ends_there(paper: Path):
    first = run_git(paper, "rev-parse", "HEAD~1").strip()[:12]
    last = run_git(paper, "rev-parse", "HEAD").strip()[:12]
    assert named(paper) == f"{first}+"
    for command in ("paper build --check", "render --check"):
        assert "stale" not in invoke(*command.split(), root=paper).out
    assert "paper/survey-data.tex rendered" in invoke("paper", "build", root=paper).out
    assert named(paper) == last
    assert freshness.untouched(paper)
    assert freshness.rendered(paper)
    commit(paper)
    assert " rendered" not in invoke("paper", "build", root=paper).out
    assert named(paper) == last
    assert run_git(paper, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("path", "change", "plus"),
    [
        ("corpus/aero2020.yaml", lambda text: text.replace("\n", "\r\n"), ""),
        ("corpus/aero2020.yaml", lambda text: text.replace("Presses", "It presses"), "+"),
        ("candidates/salt2026.yaml", None, "+"),
        ("claims.yaml", lambda _: "claims: []\n", "+"),
        ("paper/main.tex", lambda _: "Ours\n", ""),
    ],
)
def test_a_commit_has_a_plus_while_the_survey_differs(
    paper: Path, path: str, change: Callable[[str], str] | None, plus: str
):
    invoke("paper", "build", root=paper)
    last, file = named(paper), paper / path
    if change is None:
        file.unlink()
    else:
        before = file.read_text() if file.exists() else ""
        file.write_bytes(change(before).encode())
        assert file.read_bytes() != before.encode()
    invoke("paper", "build", root=paper)
    assert named(paper) == f"{last}{plus}"


def test_a_shallow_clone_keeps_a_commit_that_it_lacks(paper: Path, tmp_path: Path):
    invoke("paper", "build", root=paper)
    last = named(paper)
    commit(paper)
    run_git(tmp_path, "clone", "-q", "--depth", "1", paper.as_uri(), "clone")
    invoke("paper", "build", root=tmp_path / "clone")
    assert named(tmp_path / "clone") == last


def test_a_table_that_left_is_stale_until_a_build_removes_it(paper: Path):
    (paper / "paper" / "survey-table-own.tex").write_text("Ours\n")
    (paper / "paper.yaml").write_text(TABLES.replace("  old: {report: flow}\n", ""))
    old = "paper/survey-table-old.tex"
    assert f"{old} is stale; run 'awesome paper build'" in invoke("paper", "build", "--check", root=paper, code=1).out
    assert f"--- a/{old}" in invoke("paper", "build", "--diff", root=paper).out
    assert f"{old} removed" in invoke("render", root=paper).out
    assert freshness.untouched(paper)
    assert sorted(path.name for path in (paper / "paper").glob("survey-table-*")) == [
        "survey-table-new.tex", "survey-table-own.tex",
    ]  # fmt: skip
    assert old not in invoke("paper", "build", "--check", root=paper).out
