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


HARMFUL = "import pathlib; pathlib.Path('ran').touch()"


@pytest.fixture
def pull_request(git_root: Path, git: Git, tmp_path: Path) -> dict[str, str]:
    """The folder of a job: the survey in `survey`, and the base branch's program, as the step before installs it."""
    (git_root / "claims.yaml").write_text(COFFEE_CLAIMS)
    git(git_root, "add", "-A")
    git(git_root, "commit", "-qm", "Claims")
    job = tmp_path / "job"
    program = job / "temp" / "program" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    git_root.rename(job / "survey")
    return {
        "RUNNER_TEMP": str(job / "temp"),
        "BASE": git(job / "survey", "rev-parse", "HEAD").strip(),
        "GITHUB_OUTPUT": str(job / "output"),
        "GITHUB_STEP_SUMMARY": str(job / "summary"),
    }


def run_steps(workflow: Path, job: Path, environment: dict[str, str]) -> list[subprocess.CompletedProcess[str]]:
    """The steps of the job that reads the survey, without those that set it up."""
    steps: Any = yaml.safe_load(workflow.read_text())["jobs"]["diff"]["steps"]
    scripts = [step["run"] for step in steps if "run" in step and "working-directory" not in step]
    return [
        subprocess.run(
            ["bash", "-e", "-c", script], cwd=job, env={**os.environ, **environment}, capture_output=True, text=True
        )
        for script in scripts
    ]


@pytest.mark.parametrize(("device", "flips"), [("cold", "true"), ("drip", "false")])
def test_the_steps_that_compare_and_validate(
    workflow: Path, pull_request: dict[str, str], git: Git, tmp_path: Path, device: str, flips: str
):
    job = tmp_path / "job"
    paper = job / "survey" / "corpus" / "aero2020.yaml"
    paper.write_text(paper.read_text().replace("device: press", f"device: {device}"))
    git(job / "survey", "commit", "-qam", "Change")
    done = run_steps(workflow, job, pull_request)
    assert [step.returncode for step in done] == [0, 0, 0], "\n".join(step.stderr for step in done)
    assert (job / "output").read_text() == f"flips={flips}\n"
    assert ("::warning title=Claims flip::Claims that flip: no-cold" in done[0].stdout) is (flips == "true")
    comment = (job / "comment.md").read_text()
    assert comment.startswith("<!-- awesome diff -->\n## What changed")
    assert "aero2020: device press becomes" in comment
    assert "15 cells: 13 gap, 2 sparse" in (job / "summary").read_text()


def test_a_comparison_that_fails_is_no_flipped_claim(
    workflow: Path, pull_request: dict[str, str], git: Git, tmp_path: Path
):
    script = next(
        step["run"]
        for step in yaml.safe_load(workflow.read_text())["jobs"]["diff"]["steps"]
        if "--fail-on claims" in step.get("run", "")
    )
    job = tmp_path / "job"
    program = job / "temp" / "program" / "bin" / "python"
    # The second comparison breaks off, as it does where git or the disk fails.
    program.write_text(f'#!/bin/sh\ncase "$*" in *fail-on*) exit 3 ;; esac\nexec "{sys.executable}" "$@"\n')
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=job, env={**os.environ, **pull_request}, capture_output=True, text=True
    )
    assert done.returncode == 3
    assert not (job / "output").exists()
    assert "Claims flip" not in done.stdout


def test_no_file_of_a_pull_request_is_run(workflow: Path, pull_request: dict[str, str], git: Git, tmp_path: Path):
    job = tmp_path / "job"
    for name in (
        "sitecustomize.py",
        "typer.py",
        "pip.py",
        "awesome_cli/__init__.py",
        "awesome_cli/__main__.py",
        "yaml.py",
    ):
        path = job / "survey" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(HARMFUL)
    git(job / "survey", "add", "-A")
    git(job / "survey", "commit", "-qm", "Harm")
    done = run_steps(workflow, job, pull_request)
    assert [step.returncode for step in done] == [0, 0, 0], "\n".join(step.stderr for step in done)
    assert not list(job.rglob("ran"))
    steps: Any = yaml.safe_load(workflow.read_text())["jobs"]["diff"]["steps"]
    installs = [step for step in steps if "pip install" in step.get("run", "")]
    assert [step["working-directory"] for step in installs] == ["base"]
    runs = "\n".join(step.get("run", "") for step in steps)
    # With -I neither the working folder nor the environment says where modules are.
    assert set(re.findall(r'python"? (\S+)', runs)) == {"-I"}


def test_no_checkout_keeps_its_credentials(repository: Path):
    for path in (repository / ".github" / "workflows").glob("*.yml"):
        jobs: Any = yaml.safe_load(path.read_text())["jobs"]
        checkouts = [
            s for job in jobs.values() for s in job["steps"] if s.get("uses", "").startswith("actions/checkout")
        ]
        assert all(step["with"]["persist-credentials"] is False for step in checkouts), path.name


def test_zizmor_finds_nothing(repository: Path):
    zizmor = Path(sys.executable).parent / "zizmor"
    done = subprocess.run([zizmor, "--offline", "--quiet", ".github"], cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
