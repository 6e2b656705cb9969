"""What is installed and shipped: pinned by hash, and the same wheel from the same files."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from builders import REPOSITORY
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from wheel import archive, installed, wheel

from awesome_cli.publish.manual import pages

pytestmark = pytest.mark.source

PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^ ;]+)(?P<rest>(?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)

APART = ("audit", "mutants")  # installed by the command that needs them


def pinned(repository: Path, name: str) -> dict[str, tuple[str, int]]:
    """Version and number of hashes of each package in a file of requirements/."""
    text = (repository / "requirements" / f"{name}.txt").read_text()
    return {
        canonicalize_name(found["name"]): (found["version"], found["rest"].count("--hash=sha256:"))
        for found in PINNED.finditer(text)
    }


def group(project: dict[str, Any], name: str) -> list[Requirement]:
    """The requirements of a dependency group, with those of the groups that it includes."""
    found: list[Requirement] = []
    for one in project["dependency-groups"][name]:
        found += [Requirement(one)] if isinstance(one, str) else group(project, one["include-group"])
    return found


@pytest.mark.parametrize("name", ["run", "dev", *APART])
def test_what_the_project_asks_for_is_pinned(repository: Path, name: str):
    project = tomllib.loads((repository / "pyproject.toml").read_text())
    pins = pinned(repository, name)
    asked = group(project, "build" if name == "run" else name)
    if name not in APART:
        asked += [Requirement(text) for text in project["project"]["dependencies"]]
    for requirement in asked:
        version, _ = pins[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version, prereleases=True), f"'make lock' pins {requirement.name} again"


@pytest.mark.parametrize("name", ["run", "dev", *APART])
def test_every_pin_has_a_hash(repository: Path, name: str):
    pins = pinned(repository, name)
    assert pins
    assert [package for package, (_, hashes) in pins.items() if not hashes] == []
    assert "://" not in (repository / "requirements" / f"{name}.txt").read_text()


def test_the_lock_files_agree(repository: Path):
    run, dev, *apart = (pinned(repository, name) for name in ("run", "dev", *APART))
    assert {name: dev[name] for name in run} == run
    for pins in apart:
        assert {name: pins[name] for name in pins if name in dev} == {name: dev[name] for name in dev if name in pins}


@pytest.mark.slow
def test_the_same_files_give_the_same_wheel(repository: Path, tmp_path: Path):
    digests = []
    for name, age in (("first", 1_000_000_000), ("second", 1_500_000_000)):
        source = tmp_path / name
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
        for part in ("awesome_cli", "templates", "docs"):
            shutil.copytree(repository / part, source / part, ignore=ignored)
        for part in ("pyproject.toml", "LICENSE", "action.yml"):
            shutil.copy(repository / part, source / part)
        for path in source.rglob("*"):
            os.utime(path, (age, age))
        command = [
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            "--wheel",
            "--outdir",
            tmp_path / f"{name}-dist",
            source,
        ]
        subprocess.run(command, check=True, capture_output=True)
        (wheel,) = (tmp_path / f"{name}-dist").glob("*.whl")
        digests.append((wheel.name, hashlib.sha256(wheel.read_bytes()).hexdigest()))
    assert digests[0] == digests[1]


def test_tools_from_npm_are_pinned_by_hash(repository: Path):
    lock = json.loads((repository / "requirements" / "npm" / "package-lock.json").read_text())
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    assert [name for name, one in packages.items() if not one["integrity"].startswith("sha512-")] == []
    assert [name for name, one in packages.items() if "resolved" in one] == []


@pytest.mark.slow
def test_the_wheel_asks_for_all_that_it_imports(tmp_path: Path):
    """In an environment with the wheel and what it asks for alone, every module of the package can be imported."""
    python = installed().with_name("python")
    code = (
        "import importlib, pkgutil, sys, awesome_cli as a\n"
        "for one in pkgutil.walk_packages(a.__path__, 'awesome_cli.'):\n"
        "    if not one.name.endswith('__main__'): importlib.import_module(one.name)\n"
        "print(a.__file__)"
    )
    ended = subprocess.run([python, "-c", code], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert ended.stderr == ""
    assert "site-packages" in ended.stdout


def shipped(*patterns: str) -> set[str]:
    return {
        path.relative_to(REPOSITORY).as_posix()
        for one in patterns
        for path in REPOSITORY.glob(one)
        if path.is_file() and not {"__pycache__", ".ruff_cache"} & {*path.parts}
    }


def test_the_wheel_holds_what_the_program_opens(tmp_path: Path):
    """Code with its data, templates, the pages of the manual; nothing else of this survey."""
    with zipfile.ZipFile(wheel()) as opened:
        names = set(opened.namelist())
    beside = {f"awesome_cli/{name}" for name in shipped("templates/**/*", "docs/**/*.md", "action.yml")}
    beside -= {f"awesome_cli/{name}" for name in shipped("docs/survey/*")}
    inside = {name for name in names if ".dist-info/" not in name}
    assert inside == shipped("awesome_cli/**/*") | beside


def test_the_source_archive_holds_what_the_wheel_and_the_tests_are_made_of():
    with tarfile.open(archive()) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    wanted = shipped(
        *("*.md", "*.yaml", "LICENSE*", "pyproject.toml", "Makefile", "action.yml"),
        *("awesome_cli/**/*.py", "templates/**/*", "schemas/*", "docs/**/*", "tests/**/*.py", "requirements/**/*.txt"),
    )
    assert wanted - names == set()
    assert not [name for name in names if name.startswith((".make", ".venv", ".git/"))]


@pytest.mark.slow
@pytest.mark.parametrize("words", [["awesome"], ["awesome-survey"], ["python", "-m", "awesome_cli"]])
def test_the_program_starts_by_each_of_its_names(tmp_path: Path, words: list[str]):
    """uvx and `pipx run` look for a script of the package's name; whatever started it, it calls itself awesome."""
    command = [installed().with_name(words[0]), *words[1:], "list", "--help"]
    ended = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "Usage: awesome list" in ended.stdout


@pytest.mark.slow
def test_pages_and_schemas_come_with_the_wheel(tmp_path: Path):
    """The installed program opens every page of the manual and prints every schema, outside of a checkout."""

    def said(*words: str) -> str:
        ended = subprocess.run([installed(), *words], cwd=tmp_path, check=False, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    for topic, path in pages().items():
        assert path.read_text(encoding="utf-8").partition("\n")[0] in said("help", topic)
    for path in (REPOSITORY / "schemas").glob("*.json"):
        assert json.loads(said("schema", path.stem))
    assert "'awesome help evidence'" in said("explain", "kappa")
