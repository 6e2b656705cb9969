"""A survey of the first release, as this project had it then, becomes one of today."""

import shutil
from pathlib import Path

import pytest
from builders import DATA

from awesome_cli.curation.upgrading import STEPS
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.formats import CURRENT, FIRST
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A survey of the first form."""
    return Path(shutil.copytree(DATA / "first", tmp_path / "first"))


def load(root: Path) -> Corpus:
    return load_corpus(WorkingTree(root), candidates=True, evidence=True)


def test_there_is_a_step_from_every_form():
    assert [step.before for step in STEPS] == list(range(FIRST, CURRENT))


def test_the_first_form_becomes_that_of_today(run, first: Path):
    done = run("upgrade", root=first)
    assert done.out.split() == ["changed", "taxonomy.yaml", "changed", "claims.yaml", "changed", "corpus/aero2020.yaml"]
    corpus = load(first)
    assert corpus.findings == ()
    assert corpus.taxonomy.format == CURRENT
    assert corpus.taxonomy.axis("taste").sparse.at_most == 1
    assert corpus.taxonomy.contested_from == "weak"
    assert corpus.claims.claims[1].expect[0].under == "generous"
    (sour,) = [tag for tag in corpus.by_key["aero2020"].tags["taste"] if tag.contested]
    assert (sour.contested.would_be, sour.contested.because) == ("measured", "The panel was two people.")
    assert run("claims", "check", root=first).out.endswith("2 claims: 2 hold\n")
    assert run("fmt", "--check", root=first).out == "nothing to change\n"
    assert run("upgrade", root=first).out == "nothing to change\n"


def test_what_only_a_person_knows_is_left_and_named(run, first: Path):
    assert "corpus/aero2020.yaml: a contest has no day" in run("upgrade", root=first).err
    assert "V015" in run("validate", root=first).out


def test_comments_and_what_is_not_of_the_form_stay(run, first: Path):
    for name in ("taxonomy.yaml", "corpus/aero2020.yaml"):
        path = first / name
        path.write_text(path.read_text().replace("\n", " # seen\n", 1) + "# the end\n")
    before = {path: path.read_text().splitlines() for path in first.rglob("*.yaml")}
    run("upgrade", root=first)
    gone = {
        line.strip() for path, lines in before.items() for line in lines if line not in path.read_text().splitlines()
    }
    assert gone == {
        "sparse_at_most: 1",
        "strict_from: weak  # from here on a challenger is right",
        "- {survive: [drips], under: contested}",
        "contested: {grade: strong, because: The panel was two people.}",
    }


def test_a_contest_of_today_stays_as_it_is(run, root: Path):
    """It has a day, and without `as` it changes no reading."""
    assert run("upgrade", root=root).out == "nothing to change\n"


def test_an_earlier_number_becomes_that_of_today(run, root: Path):
    path = root / "taxonomy.yaml"
    path.write_text("format: 1\n" + path.read_text())
    assert run("upgrade", root=root).out == "changed taxonomy.yaml\n"
    assert path.read_text().startswith("format: 2\n")


def test_nothing_is_written_where_a_file_cannot_be_read(run, first: Path):
    (first / "corpus" / "drip2021.yaml").write_text("title: [\n")
    before = {path: path.read_bytes() for path in first.rglob("*.yaml")}
    assert "corpus/drip2021.yaml cannot be read, and nothing was written" in run("upgrade", root=first, code=3).err
    assert {path: path.read_bytes() for path in first.rglob("*.yaml")} == before


@pytest.mark.parametrize("verb", ["validate", "status", "upgrade", "render", "show aero2020"])
def test_a_survey_of_a_later_form_is_not_read(run, root: Path, verb: str):
    path = root / "taxonomy.yaml"
    path.write_text(f"format: {CURRENT + 1}\n" + path.read_text())
    said = run(*verb.split(), root=root, code=3).err
    assert f"taxonomy.yaml says format: {CURRENT + 1}" in said
    assert "install a newer awesome" in said


def test_a_format_that_is_no_number(run, root: Path):
    path = root / "taxonomy.yaml"
    path.write_text("format: new\n" + path.read_text())
    assert "format is not a number" in run("upgrade", root=root, code=3).err
    assert "taxonomy.yaml:1:9: S003 format" in run("validate", root=root, code=1).out


def test_new_surveys_and_the_shipped_one_are_of_todays_form(run, tmp_path: Path, repository: Path):
    run("init", tmp_path / "new", "--title", "New")
    for root in (tmp_path / "new", repository):
        assert load(root).taxonomy.format == CURRENT
