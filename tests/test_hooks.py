"""The hooks, run by pre-commit itself: those of this repository by its path, and those that a new survey configures.

Each hook gets an environment of its own, into which pip installs the program from its source or its wheel. What the program asks
for is borrowed from the environment of the tests, since nothing is fetched: see `registry`.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import virtualenv
import yaml
from registry import SERVER, borrowed, on_server, registry, source
from wheel import installed

Git = Callable[..., str]
BUNDLED = Path(virtualenv.__file__).parent / "seed" / "wheels" / "embed"
"""Where setuptools is, with which pip installs the empty package that pre-commit makes for hooks of a survey's own."""


def commit(
    root: Path, settings: dict[str, str], command: tuple[str, ...] = ("git", "commit", "-m", "A change")
) -> subprocess.CompletedProcess[str]:
    """A commit of all that changed, with the hooks that `pre-commit install` put there; or another command in its place."""
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    who = {f"GIT_{role}_{name}": "ada@example.org" for role in ("AUTHOR", "COMMITTER") for name in ("NAME", "EMAIL")}
    environment = {**os.environ, **settings, **who, "PATH": tools, "PRE_COMMIT_HOME": str(root.parent / "pre-commit")}
    for words in (["pre-commit", "install"], ["git", "add", "--all"]):
        subprocess.run(words, cwd=root, env=environment, check=True, capture_output=True)
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)


def disorder(record: Path) -> str:
    """Write a record with its fields in another order; what it said before."""
    text = record.read_text()
    document = yaml.safe_load(text)
    record.write_text(yaml.safe_dump(dict(reversed(document.items())), allow_unicode=True))
    return text


@pytest.fixture
def hooks(git: Git, tmp_path: Path) -> tuple[Path, str]:
    """This repository as it is, in a repository with one commit, and the commit."""
    (tmp_path / "source").mkdir()
    return tmp_path / "source", source(tmp_path / "source", git)


@pytest.mark.slow
def test_the_hooks_of_this_repository(hooks: tuple[Path, str], git_root: Path, tmp_path: Path):
    folder, revision = hooks
    names = [hook["id"] for hook in yaml.safe_load((folder / ".pre-commit-hooks.yaml").read_text())]
    assert names == ["awesome-fmt", "awesome-validate", "awesome-render"]
    used = {"repo": str(folder), "rev": revision, "hooks": [{"id": name} for name in names]}
    (git_root / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [used]}))
    settings = registry(tmp_path / "registry")
    borrowed(tmp_path / "registry", ["hatchling"])

    record = git_root / "corpus" / "aero2020.yaml"
    text = disorder(record)
    done = commit(git_root, settings)
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stderr
    assert record.read_text() == text
    record.write_text(text.replace("Pressing matters", "Pressing matters more"))
    done = commit(git_root, settings)
    assert done.returncode == 1
    assert "README.md is stale" in done.stderr


@pytest.mark.slow
def test_the_hooks_of_a_new_survey(hooks: tuple[Path, str], git: Git, tmp_path: Path):
    folder, revision = hooks
    root = tmp_path / "survey"
    for words in (
        ["--no-input", "init", root, "--tool", f"git+{SERVER}@{revision}"],
        ["-C", root, "add", "--set", "title=A First Work", "--set", "authors=Bean, Ada", "--set", "identifiers.doi=10.1000/x",
         "--tag", "contribution=method"],
    ):  # fmt: skip
        subprocess.run([installed(), *words], check=True, capture_output=True)
    git(root, "init", "-q")
    settings = {**registry(tmp_path / "registry"), **on_server(folder)}
    borrowed(tmp_path / "registry", ["hatchling"])
    settings["PIP_FIND_LINKS"] += f" {BUNDLED}"
    done = commit(root, settings)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("Passed") == 2, "main renders; the hook for it waits to be asked"

    asked = commit(root, settings, ("pre-commit", "run", "--hook-stage", "manual", "--all-files"))
    assert asked.returncode == 1
    assert "README.md is stale" in asked.stdout

    (record,) = (root / "corpus").glob("*.yaml")
    disorder(record)
    assert "files were modified by this hook" in commit(root, settings).stderr
    record.write_text(record.read_text().replace("method", "methodd"))
    done = commit(root, settings)
    assert done.returncode == 1
    assert f"corpus/{record.name}:" in done.stderr
    assert "methodd" in done.stderr
    assert git(root, "log", "--format=%s").splitlines() == ["A change"]
