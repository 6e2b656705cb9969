"""Long work says on a terminal how far it has come; short work, a pipe and `--quiet` say nothing."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import COFFEE
from terminals import typed

from awesome_cli.cli._printing import progress
from awesome_cli.reports.progress import LISTENER, watched

COPIES = 8_000
"""Records that take longer than a second to read on any machine."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The coffee survey with thousands of copies of a record."""
    root = tmp_path_factory.mktemp("large") / "coffee"
    shutil.copytree(COFFEE, root)
    text = (root / "corpus" / "aero2020.yaml").read_bytes()
    for n in range(COPIES):
        (root / "corpus" / f"aero{n:05}.yaml").write_bytes(text)
    return root


@pytest.mark.slow
def test_work_of_more_than_a_second_is_shown_with_how_much_is_left(large: Path):
    seen = typed("list", "--limit", "1", root=large, term="xterm")
    assert re.search(r"reading corpus: +\d+ of 8004 +\d:\d\d:\d\d left", seen)
    # Each line takes the place of the one before, and the last one goes.
    assert seen.count("\n") < 20
    assert "\r" in seen
    assert seen.rstrip().splitlines()[-1].endswith("of 8004 that match")


@pytest.mark.slow
def test_quiet_says_nothing(large: Path):
    assert "reading" not in typed("list", "--limit", "1", "--quiet", root=large, term="xterm")


def test_short_work_and_a_pipe_say_nothing(root: Path, run: Callable[..., object]):
    assert "\r" not in typed("status", root=root, term="dumb")
    assert run("list", root=root).err == ""  # type: ignore[attr-defined]


def test_work_on_nothing_says_nothing():
    told: list[tuple[object, ...]] = []
    token = LISTENER.set(lambda *words: told.append(words))
    try:
        assert list(watched([], "checking claims")) == []
        assert told == []
        assert list(watched(["one"], "checking claims")) == ["one"]
        assert told == [("checking claims", 0, 1), ("checking claims", 1, 1), ("", 0, None)]
    finally:
        LISTENER.reset(token)


def test_the_line_of_a_work_does_nothing_but_show():
    work = progress("reading \x1b[2J [red]")
    work.update(work.task_ids[0], completed=1200, total=5000)
    seen = "".join(part.text for part in work.console.render(work))
    assert seen.strip() == "reading \\x1b[2J [red]: 1200 of 5000 -:--:-- left"
