"""A release: its version is named three times, what was tested is published, and nothing else."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from wheel import archive, wheel
from workflows import Done, Runner

from awesome_cli import RELEASED

Git = Callable[..., str]
CHANGELOG = """\
# Changelog

## Unreleased

## 1.2.0 - 2026-12-01

### Added

- A verb.

## 1.1.0 - 2026-11-01

- An older change.
"""


@pytest.fixture
def source(repository: Path, tmp_path: Path) -> Path:
    """What a release is made from, of version 1.2.0."""
    root = tmp_path / "source"
    for name in (".github", "awesome_cli"):
        (root / name).mkdir(parents=True)
    shutil.copy(repository / ".github" / "release.py", root / ".github")
    (root / "awesome_cli" / "__init__.py").write_text('"""The tool."""\n\n__version__ = "1.2.0"\nRELEASED = "1.2.0"\n')
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    return root


def agree(root: Path, tag: str = "v1.2.0") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", ".github/release.py", tag]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


def test_the_notes_are_the_changes_of_the_version(source: Path):
    done = agree(source)
    assert (done.returncode, done.stdout) == (0, "### Added\n\n- A verb.\n"), done.stderr


@pytest.mark.parametrize(
    ("tag", "before", "after", "said"),
    [
        ("v1.2", "", "", "the tag is 'v1.2', and awesome_cli/__init__.py names 1.2.0; the tag would be 'v1.2.0'"),
        ("v1.2.0", "## Unreleased\n", "## Unreleased\n\n- Left.\n", "CHANGELOG.md has changes under 'Unreleased'"),
        ("v1.2.0", "1.2.0 - 2026-12-01", "1.2.0", "CHANGELOG.md names '1.2.0' behind 'Unreleased'"),
        ("v1.2.0", "1.2.0 - ", "1.3.0 - ", "CHANGELOG.md names '1.3.0 - 2026-12-01' behind 'Unreleased'"),
        ("v1.2.0", "## Unreleased\n", "", "write '## 1.2.0 - YYYY-MM-DD'"),
    ],
)
def test_what_does_not_agree_is_named(source: Path, tag: str, before: str, after: str, said: str):
    (source / "CHANGELOG.md").write_text(CHANGELOG.replace(before, after))
    done = agree(source, tag)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_release_says_that_it_is_one(source: Path):
    """So that new surveys pin it; the version after it is not in the registry, whose name nobody may pin by itself."""
    path = source / "awesome_cli" / "__init__.py"
    path.write_text(path.read_text().replace('RELEASED = "1.2.0"', 'RELEASED = "1.1.0"'))
    done = agree(source)
    assert (done.returncode, done.stdout) == (1, "")
    assert 'write RELEASED = "1.2.0"' in done.stderr


BY_NAME = re.compile(r"(?:pipx?|uvx?)\b[^\n#]*\bawesome-survey(?![^\n]* @ )")


def test_nobody_is_told_to_install_a_name_that_nobody_holds(repository: Path):
    """Before a release, the manual says so; the release changes `RELEASED`, and these pages with it."""
    pages = [*repository.glob("*.md"), *(repository / "docs").rglob("*.md")]
    shipped = [*(repository / "templates").rglob("*.*"), *(repository / "awesome_cli").rglob("*.*")]
    texts = {path.relative_to(repository).as_posix(): path.read_text("utf-8") for path in pages}
    told = {name for name, text in texts.items() if "no package registry has" in text.lower()}
    assert told == (set() if RELEASED else {"docs/package.md", "docs/tutorial.md"})
    if not RELEASED:
        sources = [path for path in shipped if path.suffix in {".md", ".j2", ".yml", ".yaml", ".txt", ".py"}]
        texts |= {path.relative_to(repository).as_posix(): path.read_text("utf-8") for path in sources}
        found = {name for name, text in texts.items() if BY_NAME.search(text)}
        assert not found


def test_the_changelog_of_this_project_is_read(repository: Path, source: Path):
    """Once what waits under `Unreleased` is a version's."""
    text = (repository / "CHANGELOG.md").read_text()
    (source / "CHANGELOG.md").write_text(text.replace("## Unreleased\n", "## Unreleased\n\n## 1.2.0 - 2026-12-01\n", 1))
    assert agree(source).returncode == 0


def test_unreleased_changes_are_grouped_and_short(repository: Path):
    text = (repository / "CHANGELOG.md").read_text().partition("## Unreleased\n")[2].partition("\n## ")[0]
    groups = re.findall(r"^### (.+)$", text, re.MULTILINE)
    assert groups == [name for name in ("Added", "Changed", "Removed", "Fixed") if name in groups]
    changes = re.findall(r"^- (.+)$", text.replace("\n  ", " "), re.MULTILINE)
    assert [change for change in changes if len(change.split()) > 25 or not change.endswith(".")] == []


def test_what_was_tested_is_published(repository: Path, source: Path, git: Git, tmp_path: Path):
    git(source, "init", "-q")
    git(source, "add", "--all")
    git(source, "commit", "-qm", "The release")
    git(source, "tag", "v1.2.0")
    runner = Runner(source, tmp_path / "jobs", {"ref": "refs/tags/v1.2.0", "repository": "a/tool", "token": "t0ken"})
    dist = tmp_path / "jobs" / "artifacts" / "dist"
    dist.mkdir(parents=True)
    for path in (wheel(), archive()):
        shutil.copy(path, dist)
    workflow = repository / ".github" / "workflows" / "release.yml"
    done = runner.run(workflow, {"test": Done(tmp_path)})
    assert not any(job.failed for job in done.values()), [job.log for job in done.values()]
    names = sorted([wheel().name, archive().name])
    assert sorted(path.name for path in (tmp_path / "jobs" / "published").iterdir()) == names
    (asked,) = runner.told["asked"]
    assert asked[:3] == ["release", "create", "v1.2.0"]
    assert sorted(asked[3:5]) == [f"dist/{name}" for name in names]
    assert (done["page"].folder / "workspace" / asked[-1]).read_text() == "### Added\n\n- A verb.\n"

    git(source, "tag", "v9.9.9")
    other = Runner(source, tmp_path / "other", {**runner.github, "ref": "refs/tags/v9.9.9"})
    stopped = other.run(workflow, {"test": Done(tmp_path, failed=True)})
    assert list(stopped) == ["test", "agree"], "nothing is published"
    assert stopped["agree"].failed


def test_the_tests_of_a_release_are_those_of_each_change(repository: Path):
    folder = repository / ".github" / "workflows"
    called, ci = (yaml.safe_load((folder / name).read_text()) for name in ("release.yml", "ci.yml"))
    test: Any = called["jobs"]["test"]
    assert test == {"needs": "agree", "permissions": {"contents": "read"}, "uses": "./.github/workflows/ci.yml"}
    assert "workflow_call" in ci[True]  # YAML reads `on` as true
    (built,) = [step["with"]["name"] for step in ci["jobs"]["wheel"]["steps"] if "upload" in step.get("uses", "")]
    assert built == "dist"
    assert {job["permissions"]["contents"] for job in ci["jobs"].values()} == {"read"}
    assert re.search(r"pip install --no-deps --no-index dist/\*\.whl", (folder / "ci.yml").read_text())
