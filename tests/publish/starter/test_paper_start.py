"""The start of a paper: in new surveys and existing ones, over nothing that is there, and ready to compile."""

from pathlib import Path

import pytest
from latex import complaints
from running import invoke

from awesome_cli.publish.starter.files import presets

NEW = {name: ("--preset", name, "--title", "Bread & butter_100 %", "--author", "Béan, Ada") for name in presets()}
HINT = "awesome init --upgrade --with paper"


@pytest.fixture(params=["--example", *NEW])
def survey(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A new survey of each preset, and the example, with a paper."""
    invoke("init", tmp_path / "new", *NEW.get(request.param, ["--example"]), "--with", "paper")
    return tmp_path / "new"


def test_a_new_survey_has_a_paper_that_passes_its_check(survey: Path):
    invoke("paper", "check", "--strict", root=survey)
    for words in (["paper", "build"], ["render"]):
        invoke(*words, "--check", root=survey)
    assert "no findings" in invoke("validate", "--strict", root=survey).out


@pytest.mark.slow
def test_the_paper_compiles_without_a_warning(survey: Path):
    assert complaints(survey / "paper") == []


def test_the_hint_of_build_adds_a_paper_to_a_survey(root: Path):
    assert HINT in invoke("paper", "build", root=root, code=2).err
    text = root / "paper" / "main.tex"
    text.parent.mkdir()
    text.write_text("Ours\n")
    previewed = invoke(*HINT.split()[1:], "--dry-run", root=root).out.splitlines()
    written = invoke(*HINT.split()[1:], root=root).out.splitlines()
    assert [line.replace("would create", "created") for line in previewed] == written
    assert "created paper.yaml" in written
    assert text.read_text() == "Ours\n"
    invoke("paper", "build", root=root)
    invoke("paper", "build", "--check", root=root)
    assert "nothing to change" in invoke(*HINT.split()[1:], root=root).out


def test_a_folder_with_a_document_gets_no_new_survey_over_it(tmp_path: Path):
    (tmp_path / "paper.yaml").write_text("numbers: {}\n")
    assert "already contains paper.yaml" in invoke("init", tmp_path, "--with", "paper", code=1).err
    assert [path.name for path in tmp_path.iterdir()] == ["paper.yaml"]
