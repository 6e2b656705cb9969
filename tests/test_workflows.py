"""The workflow that comments on pull requests: few rights, pinned actions, and steps that do what they say."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from claiming import COFFEE_CLAIMS

Git = Callable[..., str]
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+$")


@pytest.fixture
def workflow(repository: Path) -> Path:
    return repository / ".github" / "workflows" / "pull-request.yml"


def test_every_action_is_pinned_and_no_right_is_given_to_all(workflow: Path):
    text = workflow.read_text()
    assert yaml.safe_load(text)["permissions"] == {}
    used = [line.strip().removeprefix("- ") for line in text.splitlines() if "uses:" in line]
    assert used
    assert all(PINNED.fullmatch(line) for line in used)


def test_what_strangers_send_is_read_without_a_right_to_write(workflow: Path):
    jobs: Any = yaml.safe_load(workflow.read_text())["jobs"]
    assert jobs["diff"]["permissions"] == {"contents": "read"}
    assert "head.repo.full_name == github.repository" in jobs["comment"]["if"]
    assert "${{ github.event.pull_request" not in "".join(step.get("run", "") for step in jobs["diff"]["steps"])


@pytest.mark.parametrize(("device", "flips"), [("cold", "true"), ("drip", "false")])
def test_the_step_that_compares(workflow: Path, git_root: Path, git: Git, tmp_path: Path, device: str, flips: str):
    (git_root / "claims.yaml").write_text(COFFEE_CLAIMS)
    git(git_root, "add", "-A")
    git(git_root, "commit", "-qm", "Claims")
    base = git(git_root, "rev-parse", "HEAD").strip()
    paper = git_root / "corpus" / "aero2020.yaml"
    paper.write_text(paper.read_text().replace("device: press", f"device: {device}"))
    git(git_root, "commit", "-qam", "Change")
    steps: Any = yaml.safe_load(workflow.read_text())["jobs"]["diff"]["steps"]
    script = next(step["run"] for step in steps if step.get("id") == "diff")
    files = {name: str(tmp_path / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=git_root,
        env={**os.environ, **files, "BASE": base, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "github_output").read_text() == f"flips={flips}\n"
    assert ("::warning title=Claims flip::Claims that flip: no-cold" in done.stdout) is (flips == "true")
    comment = (git_root / "comment.md").read_text()
    assert comment.startswith("<!-- awesome diff -->\n## What changed")
    assert "aero2020: device press becomes" in comment
