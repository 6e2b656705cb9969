"""One paper is one file: whatever contributors do to the shipped survey, the tests that read it hold."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import TESTS
from contributing import contest, contribute
from copying import copied

Run = Callable[..., object]


@pytest.mark.slow
@pytest.mark.long
def test_what_reads_the_shipped_survey_holds_after_contributions(repository: Path, tmp_path: Path, run: Run):
    """Every test that carries `survey` by itself; browsers look at the published day, whatever was added since.

    What reads the source tree or a package made of it (`source`) sees no record.
    """
    copy = copied(tmp_path / "copy")
    contribute(copy, run)
    contest(copy)
    assert "error" not in str(run("validate", root=copy).out).splitlines()[-1]
    run("claims", "check", root=copy, code=1)  # the contributions are chosen to end claims
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "survey and not slow and not source",
        "-p",
        "no:cacheprovider",
    ]
    command += ["--ignore", f"tests/{Path(__file__).name}"]  # it would run itself
    command += ["--ignore", "tests/test_weekly.py"]  # it changes a survey of its own
    command += ["--ignore", "tests/test_docs.py"]  # its pages need a checkout that packages can be built of
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "passed" in done.stdout


def test_the_shipped_survey_is_read_through_the_fixtures_alone():
    """`repository`, `shipped` and `published` put the marker `survey` on a test; a path of its own would not."""
    own_paths = {Path(__file__).name, "test_outside.py", "test_packaging.py"}  # they read the source tree
    modules = [path for path in TESTS.rglob("test_*.py") if path.name not in own_paths]
    assert modules
    own = re.compile(r"\bREPOSITORY\b|(?<!\.)__file__\b")
    assert [path for path in modules if own.search(path.read_text(encoding="utf-8"))] == []
