"""Long work says on a terminal how far it has come; short work, a pipe and `--quiet` say nothing."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import COFFEE
from terminals import typed

from awesome_cli.cli._progress import duration, line

COPIES = 4_000
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


def test_work_of_more_than_a_second_is_shown_with_how_much_is_left(large: Path):
    seen = typed("list", "--limit", "1", root=large, term="xterm")
    assert re.search(r"reading corpus: [\d,]+ of 4,004", seen)
    # Each line takes the place of the one before, and the last one goes.
    assert seen.count("\n") < 20
    assert "\r" in seen
    assert seen.rstrip().splitlines()[-1].endswith("of 4004 that match")


def test_quiet_says_nothing(large: Path):
    assert "reading" not in typed("list", "--limit", "1", "--quiet", root=large, term="xterm")


def test_short_work_and_a_pipe_say_nothing(root: Path, run: Callable[..., object]):
    assert "\r" not in typed("status", root=root, term="dumb")
    assert run("list", root=root).err == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("done", "total", "spent", "shown"),
    [
        (0, 5_000, 3.0, "work: 0 of 5,000"),
        (1_000, 5_000, 0.5, "work: 1,000 of 5,000"),
        (1_000, 5_000, 3.0, "work: 1,000 of 5,000, about 12 s left"),
        (1_200, None, 3.0, "work: 1,200"),
    ],
)
def test_what_is_said(done: int, total: int | None, spent: float, shown: str):
    assert line("work", done, total, spent) == shown


def test_durations():
    assert [duration(seconds) for seconds in (0.4, 99, 300, 7_200)] == ["0 s", "99 s", "5 min", "2 h"]
