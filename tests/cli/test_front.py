"""Bare `awesome` says what it is and names three commands for where the person stands."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

AWESOME = Path(sys.executable).parent / "awesome"


def commands(folder: Path, *options: str) -> list[str]:
    """The commands that are named in a folder."""
    done = subprocess.run([str(AWESOME), *options], cwd=folder, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Keep, validate, analyse ")
    assert done.stdout.endswith("\n\nTo check, replay and measure traces of multi-agent runs: awesome trace --help\n")
    assert max(map(len, done.stdout.replace(str(folder), "").splitlines())) <= 80
    return re.findall(r"^  (awesome .*?)  ", done.stdout, re.MULTILINE)


def test_outside_of_a_survey_it_tells_how_to_start_one(tmp_path: Path):
    assert commands(tmp_path) == ["awesome init DIR", "awesome init DIR --input FILE", "awesome help"]


def test_in_a_new_survey_it_tells_how_to_add(tmp_path: Path, run: Callable[..., object]):
    run("init", tmp_path / "new")
    assert commands(tmp_path / "new") == ["awesome add REFERENCE", "awesome import FILE", "awesome status"]


@pytest.mark.parametrize("options", [(), ("-C", "."), ("--quiet",)])
def test_in_a_survey_it_tells_how_to_look(root: Path, options: tuple[str, ...]):
    assert commands(root, *options) == ["awesome status", "awesome gaps", "awesome add REFERENCE"]


def test_what_is_wrong_comes_first(root: Path):
    (root / "corpus" / "drip2021.yaml").write_text("title: [", encoding="utf-8")
    assert commands(root)[:2] == ["awesome validate", "awesome status"]


def test_a_large_survey_is_not_read(tmp_path: Path):
    """The files of a large survey may be anything: it would take too long to look."""
    (tmp_path / "taxonomy.yaml").write_text("[", encoding="utf-8")
    (tmp_path / "corpus").mkdir()
    for n in range(201):
        (tmp_path / "corpus" / f"p{n}.yaml").write_text("[", encoding="utf-8")
    assert commands(tmp_path)[0] == "awesome status"


def test_a_folder_that_is_none_is_an_error(run: Callable[..., object], tmp_path: Path):
    run(root=tmp_path / "none", code=2)
