"""`awesome validate --fix`: what needs no decision is shown as a diff and written as one plan."""

import re
from pathlib import Path

import pytest
from builders import make_paper
from hypothesis import given
from hypothesis import strategies as st
from rule_cases import complete

from awesome_cli.curation.editing.fixing import corrected
from awesome_cli.model.identifiers import SCHEMES

DRIP, X1, TAX, AUDIT = "corpus/drip2021.yaml", "exclusions/X1.yaml", "taxonomy.yaml", "audits/second.yaml"
WRONG = {
    DRIP: ("{doi: 10.1000/coffee.2}", "{doi: 10.48550/arXiv.2101.00007}  # as cited"),
    X1: ("because: Broth-like.}", "because: Broth-like.}\n- {axis: taste, term: umami, strength: tasted, because: Broth-like.}"),
    TAX: ("  gap_strength: measured\n", "  gap_strength: measured\n  history: [{on: 2026-02-01, was: {gap_strength: tasted}}]\n"),
    AUDIT: ('"on"', "on"),
}  # fmt: skip


@pytest.fixture
def wrong(root: Path) -> Path:
    """A survey with four mistakes that can be fixed, and one that needs a decision."""
    complete(root)
    for path, (before, after) in WRONG.items():
        (root / path).write_text((root / path).read_text().replace(before, after, 1))
    (root / DRIP).write_text((root / DRIP).read_text().replace("added: 2026-01-11", "added: 2126-01-11"))
    return root


def test_certain_fixes_are_shown_and_written_and_the_rest_is_named(run, wrong: Path):
    before = {path: (wrong / path).read_text() for path in WRONG}
    preview = run("validate", "--diff", root=wrong, code=1).out
    assert all(f"--- a/{path}" in preview for path in WRONG)
    assert {path: (wrong / path).read_text() for path in WRONG} == before
    shown = run("validate", "--fix", root=wrong, code=1).out
    assert re.search(r'\+identifiers: \{arxiv: "2101.00007"\} +# as cited', shown)
    assert "K002 2126-01-11 is in the future" in shown
    assert "I009" not in shown
    assert (wrong / X1).read_text().count("term: umami") == 1
    assert '{"on": 2026-02-01' in (wrong / TAX).read_text()
    assert (wrong / AUDIT).read_text().startswith('"on": ')
    assert "nothing to change" in run("validate", "--fix", root=wrong, code=1).out


def test_a_sound_survey_is_not_touched(run, root: Path):
    complete(root)
    files = {path: path.read_bytes() for path in root.rglob("*.yaml")}
    assert "nothing to change" in run("validate", "--fix", root=root).out
    assert {path: path.read_bytes() for path in root.rglob("*.yaml")} == files


def test_in_other_formats_the_findings_stand_alone(run, wrong: Path):
    answer = run("validate", "--fix", "--format", "json", root=wrong, code=1).json
    assert {finding["code"] for finding in answer["findings"]} == {"K002"}


@given(st.from_regex(SCHEMES["arxiv"].pattern, fullmatch=True).filter(SCHEMES["arxiv"].is_id))
def test_fixing_twice_is_fixing_once(arxiv: str):
    paper = make_paper(identifiers={"doi": f"10.48550/arXiv.{arxiv}"})
    once = corrected(paper)
    assert (once.identifiers.doi, once.identifiers.arxiv) in {(None, arxiv), (None, SCHEMES["arxiv"].spelling(arxiv))}
    assert corrected(once) == once


def test_an_unreadable_record_is_left_alone(run, wrong: Path):
    (wrong / "corpus" / "soup2022.yaml").write_text("title: [\n")
    shown = run("validate", "--fix", root=wrong, code=1).out
    assert "Y002" in shown
    assert (wrong / "corpus" / "soup2022.yaml").read_text() == "title: [\n"


def test_a_taxonomy_that_cannot_be_read_is_a_finding_and_nothing_is_written(run, wrong: Path):
    taxonomy = wrong / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text("utf-8") + "axes: [\n", "utf-8")
    before = {path: path.read_bytes() for path in wrong.rglob("*.yaml")}
    shown = run("validate", "--fix", root=wrong, code=1)
    assert "taxonomy.yaml:" in shown.out
    assert "see 'awesome validate'" not in shown.out + shown.err
    assert before == {path: path.read_bytes() for path in wrong.rglob("*.yaml")}
