"""docs/development.md: the files and names of its table exist, its diffs apply, its commands print what it shows."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from blocks import alike
from copying import copied
from recipes import CHANGES, RECIPES, Change, Recipe
from tiers import sampled

Shell = Callable[..., str]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the repository, with one commit."""
    copy = copied(tmp_path_factory.mktemp("recipes") / "copy")
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*author, "commit", "-q", "-m", "The repository")):
        subprocess.run(["git", *command], cwd=copy, check=True)
    return copy


@pytest.fixture
def shell(copy: Path, tmp_path: Path) -> Shell:
    """Run a command in a clean copy, with its own `awesome`; return the output."""
    (tmp_path / "awesome").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m awesome_cli "$@"\n')
    (tmp_path / "awesome").chmod(0o755)
    path = os.pathsep.join((str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]))
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    environment = plain | {"PATH": path, "PYTHONPATH": str(copy), "NO_COLOR": "1"}

    def run(command: str, stdin: str = "") -> str:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=copy,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    run("git reset -q --hard && git clean -fdxq -e __pycache__")
    return run


def apply(recipe: Recipe, shell: Shell) -> None:
    shell("git apply -", recipe.diff)


def test_the_page_has_twelve_changes_and_four_diffs():
    assert len({change.name for change in CHANGES}) == 12
    assert len(RECIPES) == 4
    assert {recipe.name for recipe in RECIPES} <= {change.name for change in CHANGES}
    assert all(len(recipe.written) <= 3 for recipe in RECIPES)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_row_names_files_names_and_tests_that_exist(change: Change, repository: Path):
    text = ""
    for name in change.paths:
        path = repository / ("" if name.startswith("templates/") else "awesome_cli") / name
        assert (path.parent if "NAME" in name else path).exists(), name
        text += "".join(file.read_text(encoding="utf-8") for file in path.parent.glob("*.py"))
        text += path.read_text(encoding="utf-8") if path.is_file() else ""
    assert [name for name in change.names if not re.search(rf"(^|[^\w]){name}\b", text)] == []
    *names, test = change.tests
    table = (repository / test).read_text(encoding="utf-8")
    assert [name for name in names if name.rpartition(".")[2] not in table] == []


@pytest.mark.parametrize("recipe", sampled(RECIPES), ids=lambda recipe: recipe.name)
def test_a_recipe_does_what_it_shows(recipe: Recipe, shell: Shell):
    apply(recipe, shell)
    for command, shown in recipe.commands:
        printed = shell(command)
        assert alike(shown, printed), f"$ {command}\n{printed}"


@pytest.mark.slow
@pytest.mark.long
def test_all_diffs_together_pass_the_linters_and_rewrite_the_files_that_the_page_names(shell: Shell):
    for recipe in RECIPES:
        apply(recipe, shell)
    python = f'"{sys.executable}" -m'
    shell(f"{python} ruff check . && {python} ruff format --check . && {python} mypy && lint-imports")
    shell(f"{python} pytest -q -p no:cacheprovider --update-golden")
    changed = {line[3:] for line in shell("git status --porcelain -uall").splitlines()}
    assert changed == {file for recipe in RECIPES for file in recipe.written | recipe.generated}
