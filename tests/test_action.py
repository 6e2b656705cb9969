"""The workflows of a new survey, run as they stand: the program comes from a commit, the repository is a bare one beside it."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from registry import SERVER, borrowed, on_server, registry, source
from wheel import installed
from workflows import Runner

Git = Callable[..., str]
CLAIM = """\
claims:
- id: no-method
  statement: No paper of this survey is a method.
  expect:
  - {count: contribution=method, equals: 0}
  as_of: 2026-01-01
"""
PAPER = ("add", "--set", "title=A First Work", "--set", "authors=Bean, Ada", "--set", "identifiers.doi=10.1000/x")


def awesome(root: Path, *words: str) -> None:
    done = subprocess.run([installed(), "-C", root, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def survey(tmp_path: Path, git: Git) -> Path:
    """A new survey with one claim, pushed to the bare repository `remote.git` beside it."""
    root = tmp_path / "survey"
    (tmp_path / "source").mkdir()
    tool = f"git+{SERVER}@{source(tmp_path / 'source', git)}"
    awesome(tmp_path, "--no-input", "init", str(root), "--title", "A survey of bread", "--tool", tool)
    (root / "claims.yaml").write_text(CLAIM)
    awesome(root, "--offline", "add", "arxiv:2301.00001", "--key", "stub")  # without authors, which is a finding
    awesome(root, "render")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(root, "init", "-q", "-b", "main")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    git(root, "push", "-q", "origin", "main")
    return root


def pull_request(root: Path, git: Git, head: str = "bread/survey") -> dict[str, Any]:
    """What GitHub makes of the branch that is checked out: a merge with main, and an event."""
    base, sent = git(root, "rev-parse", "main").strip(), git(root, "rev-parse", "HEAD").strip()
    git(root, "checkout", "-q", "-B", "merged", base)
    git(root, "merge", "-q", "--no-ff", "-m", "Merge", sent)
    git(root, "push", "-qf", "origin", "merged:refs/pull/7/merge")
    event = {"number": 7, "base": {"sha": base}, "head": {"repo": {"full_name": head}}}
    return {
        "ref": "refs/pull/7/merge",
        "repository": "bread/survey",
        "token": "t0ken",
        "event": {"pull_request": event},
    }


def push(root: Path, git: Git) -> dict[str, Any]:
    git(root, "push", "-qf", "origin", "HEAD:main")
    return {"ref": "refs/heads/main", "repository": "bread/survey", "token": "t0ken", "event": {}}


@pytest.mark.slow
def test_a_paper_that_is_sent_and_taken(survey: Path, git: Git, tmp_path: Path):
    workflows = survey / ".github" / "workflows"
    settings = {**registry(tmp_path / "registry"), **on_server(tmp_path / "source")}
    borrowed(tmp_path / "registry", ["hatchling"])
    base = git(survey, "rev-parse", "main")
    git(survey, "checkout", "-qb", "paper")
    awesome(survey, *PAPER, "--tag", "contribution=method", "--evidence", "It brews.")
    awesome(survey, "--offline", "add", "arxiv:2301.00002", "--key", "sent")
    git(survey, "add", "-A", "corpus")
    git(survey, "commit", "-qm", "A paper")

    asked = Runner(tmp_path / "remote.git", tmp_path / "asked", pull_request(survey, git), settings)
    done = asked.run(workflows / "pull-request.yml")
    report = done["report"]
    assert not report.failed, report.log
    assert report.outputs == {"flips": "true"}
    assert "::warning title=Claims flip::Claims that flip: no-method" in report.log
    assert (report.folder / "temp" / "program").is_dir()
    program = next((report.folder / "temp" / "program").glob("lib/*/site-packages/awesome_cli"))
    assert (program / "templates").is_dir(), "the program was built from its commit"
    assert not done["comment"].failed, done["comment"].log
    (comment,) = asked.told["comments"]
    assert comment.startswith("<!-- awesome diff -->\n## Changes from ")
    assert "A First Work" in comment
    assert f"from {base[:7]} to HEAD" in comment
    assert re.search(r"contribution=method +\| It brews\.", comment)
    assert comment in report.summary
    annotated = re.findall("^::warning file=([^,]*)", report.log, re.MULTILINE)
    assert set(annotated) == {"corpus/sent.yaml"}
    assert "corpus/stub.yaml" in report.summary
    assert ["pr", "edit", "7", "--add-label", "claims flip"] in asked.told["asked"]

    taken = Runner(tmp_path / "remote.git", tmp_path / "taken", push(survey, git))
    taken.program = report.folder / "temp" / "program"  # it was installed once; each job would do the same
    done = taken.run(workflows / "survey.yml")
    assert {name: job.failed for name, job in done.items()} == {"validate": False, "claims": True, "render": False}
    assert "::warning file=corpus/stub.yaml" in done["validate"].log
    assert "no-method" in done["claims"].log
    git(survey, "pull", "-q", "--ff-only", "origin", "main")
    assert git(survey, "log", "-1", "--format=%an: %s").strip() == "github-actions[bot]: Render pages and statistics"
    assert "A First Work" in (survey / "README.md").read_text()
    assert set(git(survey, "show", "--format=", "--name-only").splitlines()) == {"README.md", "statistics.json"}
    awesome(survey, "render", "--check")

    built = taken.run(workflows / "site.yml")
    assert not built["build"].failed, built["build"].log
    site = tmp_path / "taken" / "artifacts" / "github-pages"
    assert "A First Work" in "".join(path.read_text() for path in site.rglob("*.html"))
    assert "https://survey.example.org" in (site / "index.html").read_text()
    assert list(built) == ["build", "deploy"]
