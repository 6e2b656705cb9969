"""Nobody reads the answer any more, or nothing can be written: reading commands do not mind."""

import shlex
import shutil
from pathlib import Path

import pytest
from commands import MADE, PLANS, STARTS, lines
from forking import Driver, held
from tiers import sampled

READS = r"""
status
explain query
schema taxonomy
list
show aero2020
stats
stats --by taste,year --format json
gaps
diff HEAD~1
changelog HEAD~1..HEAD
flow
flow --format svg
audit list
audit sample --n 2
check-links aero2020 --offline
taxonomy show
taxonomy usage
validate
evidence
claims check
sensitivity
export bibtex
export json
dedupe
refresh crema
add --set 'title=A dry run' --set year=2026 --diff
import ../entries.bib --diff
render --check --diff
render --diff
fmt --diff
site build --dry-run
taxonomy rename taste=sour acid --diff
trace check {traces}/rich-v2.json
trace show {traces}/rich-v2.json
trace replay {traces}/rich-v2.json
trace metrics {traces}/rich-v2.json
trace export chrome {traces}/rich-v2.json
"""


@pytest.mark.parametrize("line", sampled(lines(READS), "list", "stats", "export json"))
def test_a_reader_that_went_away_is_no_error(line: str, driver: Driver, case: Path):
    words, survey = shlex.split(line), case / "survey"
    expected = driver.run(*words, folder=survey)
    done = driver.run(*words, folder=survey, closed=True)
    assert done.code in {0, expected.code}
    assert {*done.err.splitlines()} <= {*expected.err.splitlines()}, done


@pytest.mark.parametrize("line", sampled(lines(PLANS + STARTS + MADE), "fmt", "set aero2020 venue=Cups", "render"))
def test_what_writes_does_so_though_nobody_reads_the_answer(line: str, driver: Driver, case: Path, tmp_path: Path):
    read, unread = (shutil.copytree(case, tmp_path / name / "case", symlinks=True) for name in ("read", "unread"))
    expected = driver.run(*shlex.split(line), folder=read / "survey")
    done = driver.run(*shlex.split(line), folder=unread / "survey", closed=True)
    assert done.code in {0, expected.code}, done
    assert held(unread) == held(read), done


@pytest.mark.parametrize("line", sampled(lines(READS), "list", "validate", "fmt --diff"))
def test_what_only_reads_writes_nothing_and_needs_no_right_to_write(
    line: str, driver: Driver, case: Path, tmp_path: Path
):
    copy = shutil.copytree(case, tmp_path / "case")
    before, words = held(copy), shlex.split(line)
    expected = driver.run(*words, folder=copy / "survey")
    assert [event for event in expected.events if "/.awesome" not in event] == []
    assert held(copy) == before
    done = driver.run(*words, folder=copy / "survey", fault=("EROFS", 0))
    assert (done.out, done.code) == (expected.out, expected.code), done
