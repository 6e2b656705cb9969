"""Several commands at once, and a branch that is switched underneath one."""

import shlex
import shutil
from pathlib import Path

import pytest
from commands import lines
from forking import Driver, Ended, Run, held
from running import run_git
from tiers import sampled

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

ROUNDS = 4
REFUSED = 1


@pytest.fixture
def copy(case: Path, tmp_path: Path) -> Path:
    """The survey of one try."""
    return shutil.copytree(case, tmp_path / "case") / "survey"


def loaded(survey: Path) -> Corpus:
    return load_corpus(WorkingTree(survey), candidates=True)


def together(driver: Driver, survey: Path, *lines: str) -> list[Ended]:
    """Run commands at the same moment; none of them breaks."""
    ended = driver.together(*(Run(tuple(shlex.split(line)), survey) for line in lines))
    for done in ended:
        assert done.code in {0, 1, 2, 3, 4}, done
        assert "bug:" not in done.err, done
        assert "Traceback" not in done.err, done
    return ended


ONE = """
add --set 'title=Slow steeping' --set year=2026 --set 'authors=Bean, Ada' --tag device=cold
add ../one.bib --kind candidate
add 10.1000/y --tag device=press
exclude 10.1000/y --stage abstract --reason tea
"""


@pytest.mark.parametrize("line", sampled(lines(ONE), "add ../one.bib --kind candidate"))
def test_of_six_who_add_one_work_one_does(line: str, driver: Driver, copy: Path):
    for n in range(ROUNDS):
        survey = shutil.copytree(copy, copy.parent / f"round{n}")
        before = len(loaded(survey).records)
        ended = together(driver, survey, *[line] * 6)
        assert len(loaded(survey).records) == before + 1
        assert sorted(done.code for done in ended) == [0, *[REFUSED] * 5], "\n".join(map(str, ended))
        refused = [done.err for done in ended if done.code]
        assert all("in the survey" in text or "already" in text for text in refused), refused


def test_of_six_who_import_one_file_one_does(driver: Driver, copy: Path):
    before = len(loaded(copy).records)
    ended = together(driver, copy, *["import ../entries.bib"] * 6)
    assert len(loaded(copy).records) == before + 3
    assert sorted(done.code for done in ended) == [0] * 6


TWO = [
    ("set aero2020 venue=Cups", "set aero2020 year=2019"),
    ("set --where device=press venue=Cups", "rename aero2020 aero"),
    ("taxonomy rename taste=sour acid", "tag drip2021 taste=sour:tasted"),
    ("fmt", "set loose2023 venue=Cups"),
    ("dedupe --merge pressing2020 aero2020", "edit aero2020"),
    ("exclude drip2021 --stage full_text --reason opinion", "link drip2021 --version-of aero2020"),
    ("readmit X1", "set X1 title='Another tea'"),
    ("remove soup2022 --force", "set soup2022 venue=Cups"),
]


@pytest.mark.parametrize(("one", "other"), sampled(TWO, TWO[0]))
def test_two_writers_are_one_after_the_other(one: str, other: str, driver: Driver, copy: Path):
    """The survey is as if the two had been typed one after the other, or one was refused and the other was not."""
    fitting = []
    for order in ((one,), (other,), (one, other), (other, one)):
        survey = shutil.copytree(copy, copy.parent / f"in-order{len(fitting)}")
        codes = [driver.run(*shlex.split(line), folder=survey).code for line in order]
        fitting.append(({*codes}, held(survey)))
    for n in range(ROUNDS):
        survey = shutil.copytree(copy, copy.parent / f"round{n}")
        ended = together(driver, survey, one, other)
        assert held(survey) in [found for _, found in fitting], "\n".join(map(str, ended))
        done = sum(not ended.code for ended in ended)
        assert done >= 1, "\n".join(map(str, ended))


def test_a_branch_that_is_switched_while_a_record_is_edited_refuses_the_edit(driver: Driver, copy: Path):
    before = switchable(copy)
    editor = copy.parent / "editor"
    editor.write_text(f"#!/bin/sh\ngit -C {copy} checkout -q other\nsed -i s/Pressing/Press/ $1\n")
    editor.chmod(0o755)
    done = driver.together(Run(("edit", "aero2020"), copy, more={"EDITOR": str(editor)}))[0]
    assert done.code == REFUSED, done
    assert "changed in the meantime" in done.err
    assert held(copy) == before


def switchable(survey: Path) -> dict[str, bytes | str]:
    """Make a branch `other`, on which each record differs; what it holds."""
    run_git(survey, "checkout", "-qb", "other")
    for path in (survey / "corpus").iterdir():
        path.write_text(path.read_text() + "venue: Elsewhere\n" * ("venue:" not in path.read_text()) + "# other\n")
    run_git(survey, "commit", "-qam", "Other")
    found = held(survey)
    run_git(survey, "checkout", "-q", "main")
    return found


SWITCHED = """
fmt
rename drip2021 drops2021
set --where device=drip venue=Cups
taxonomy rename taste=sour acid
"""


@pytest.mark.parametrize("line", sampled(lines(SWITCHED), "fmt"))
def test_a_branch_that_is_switched_before_the_lock_is_taken_counts_whole(line: str, driver: Driver, copy: Path):
    """What is written is written for the branch that is there, or nothing is."""
    switchable(copy)
    words = shlex.split(line)
    whole = []
    for n, work in enumerate((True, False)):
        survey = shutil.copytree(copy, copy.parent / f"whole{n}")
        run_git(survey, "checkout", "-q", "other")
        if work:
            driver.run(*words, folder=survey)
        whole.append(held(survey))
    events = driver.run(*words, folder=shutil.copytree(copy, copy.parent / "counted")).events
    lock = next(
        n for n, event in enumerate(events) if event == "open copy/.awesome/lock" or event.endswith(".awesome/lock")
    )
    done = driver.run(*words, folder=copy, fault=("git checkout -q other", lock))
    assert "bug:" not in done.err
    assert held(copy) in whole, done


def test_an_open_plan_does_not_touch_another_branch(driver: Driver, copy: Path):
    """The branch is switched after a kill: the plan is refused, named, and can be put away."""
    other = switchable(copy)
    words = ("set", "--where", "device=drip", "venue=Cups")
    events = driver.run(*words, folder=shutil.copytree(copy, copy.parent / "counted")).events
    named = next(n for n, event in enumerate(events) if event.startswith("os.rename") and event.endswith("2021.yaml"))
    driver.run(*words, folder=copy, fault=("kill", named))
    run_git(copy, "checkout", "-qf", "other")
    for again in (words, ("recover",), ("recover", "--undo"), ("set", "aero2020", "year=2019")):
        done = driver.run(*again, folder=copy)
        assert done.code == REFUSED, done
        assert "was changed after 'awesome set --where" in done.err
        assert held(copy) == other
    shutil.rmtree(copy / ".awesome" / "plan")
    assert driver.run("set", "aero2020", "year=2019", folder=copy).code == 0
