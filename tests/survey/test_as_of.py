"""The pool of a day stays what it was, whatever is added, screened out, re-admitted or coded anew later."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import PUBLISHED
from contributing import SECOND, contribute, key_of

from awesome_cli.survey.corpus import Corpus

Run = Callable[..., Any]
PARTS = ("corpus", "exclusions", "candidates", "audits")
ANSWERS = ("stats", "gaps", "claims check", "flow", "sensitivity", "audit report")


@pytest.fixture
def survey(tmp_path: Path, repository: Path) -> Path:
    """A copy of the shipped survey, to be changed at will."""
    root = tmp_path / "survey"
    for part in PARTS:
        shutil.copytree(repository / part, root / part)
    for name in ("taxonomy.yaml", "claims.yaml", "protocol.yaml"):
        shutil.copy(repository / name, root / name)
    return root


@pytest.mark.slow
def test_the_pool_of_a_day_outlives_every_later_change(
    survey: Path, shipped: Corpus, run: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1798761600")  # 2027-01-01

    def answers() -> list[object]:
        asked = ("--as-of", PUBLISHED, "--format", "json")
        return [run(*words.split(), *asked, root=survey).out for words in ANSWERS]

    def totals() -> dict[str, int]:
        return dict(run("stats", "--format", "json", root=survey).json["data"]["totals"])

    before, counted = answers(), totals()
    contribute(survey, run, SECOND)
    run("admit", key_of(SECOND[1]), root=survey)
    run("readmit", shipped.exclusions[-1].key, "--key", "readmitted2027", root=survey)
    assert answers() == before
    change = {"retained": 2, "excluded": 1, "audited": 3}  # two in, one out, one back; one screened out
    assert totals() == {name: n + change[name] for name, n in counted.items()}


def test_of_two_revisions_on_one_day_the_first_tells_what_counted_before(root: Path, run: Run):
    """The second one remembers a coding that counted for no day."""

    def strengths() -> object:
        return run("stats", "--as-of", "2026-05-04", "--format", "json", root=root).json["data"]["strengths"]

    before = strengths()
    for strength in ("tasted", "mentioned"):
        run("tag", "aero2020", f"taste=bitter:{strength}", "--revised", "--who", "Ada", root=root)
    assert strengths() == before


def test_a_change_of_an_axis_that_does_not_fit_is_named_before_any_command_answers(root: Path, run: Run):
    path = root / "taxonomy.yaml"
    change = '  history: [{"on": 2026-02-01, was: {gap_strenght: two}}]\n'
    path.write_text(path.read_text().replace("  gap_strength: measured\n", f"  gap_strength: measured\n{change}"))
    for words in (["gaps", "--as-of", "2026-01-20"], ["stats"]):
        answer = run(*words, root=root, code=3)
        assert "taxonomy.yaml is not valid: axis 'taste' as it was before 2026-02-01" in answer.err
        assert "did you mean 'gap_strength'?" in answer.err
