"""A coding whose evidence speaks against it is marked in every output that shows the coding."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sites import built

from awesome_cli.api import Survey
from awesome_cli.model.codings import AGAINST
from awesome_cli.survey.corpus import Corpus

MARK = "evidence against"
TERMS = {"bitter": "bitter:measured", "arabica": "arabica"}
"""Terms of a paper with evidence against them, on an axis with strengths and on one without."""
SUPPORTED = "sour"


@pytest.fixture
def opposed(root: Path) -> Path:
    """The coffee survey, with evidence against two codings of a paper and one of a candidate."""
    paper = root / "corpus" / "aero2020.yaml"
    text = paper.read_text()
    for before, after in {
        "  beans: arabica\n": "  beans:\n  - {term: arabica, evidence: Nobody looked at the beans., direction: against}\n",
        "evidence: Measured by chromatography.,": "evidence: Nothing was measured., direction: against,",
    }.items():
        assert before in text
        text = text.replace(before, after)
    paper.write_text(text)
    candidate = root / "candidates" / "salt2026.yaml"
    coded = candidate.read_text()
    assert "evidence: Conductivity.," in coded
    candidate.write_text(coded.replace("Conductivity.,", "No salt was tasted., direction: against,"))
    return root


def test_tables_of_the_terminal_and_exports_mark_it(run, opposed: Path):
    table = run("list", "--columns", "key,taste,beans", root=opposed).out
    assert all(f"{coding} ({MARK})" in table for coding in TERMS.values())
    assert f"{SUPPORTED}:tasted (" not in table
    rows = run("list", "--columns", "key,beans", "--format", "json", root=opposed).json["data"]["rows"]
    assert [row["beans"] for row in rows if row["key"] == "aero2020"] == [[f"arabica ({MARK})"]]
    shown = run("show", "aero2020", root=opposed).out
    assert shown.count("Evidence against: ") == len(TERMS)
    for term, coding in TERMS.items():
        (line,) = [line for line in run("gaps", term, root=opposed).out.splitlines() if line.startswith("aero2020")]
        assert MARK in line, coding
    header, first, *others = run("export", "csv", root=opposed).out.splitlines()
    assert "evidence_against" in header
    assert "taste=bitter:measured; beans=arabica" in first
    assert not any("bitter:measured;" in line and "taste=" in line for line in others)
    papers = run("export", "json", root=opposed).json["data"]["papers"]
    tags = next(paper["tags"] for paper in papers if paper["key"] == "aero2020")
    assert [tag["direction"] for tag in (tags["taste"][0], tags["beans"][0])] == ["against"] * 2
    assert "direction" not in tags["taste"][1]


def test_evidence_and_status_count_it_apart(run, opposed: Path):
    counts = run("evidence", "--format", "json", root=opposed).json["data"]["all"]
    assert counts["against"] == len(TERMS)
    listed = run("evidence", "--direction", "against", "--format", "json", root=opposed).json["data"]["codings"]
    assert {row["tag"] for row in listed} == {*TERMS.values()}
    tasks = run("status", "--format", "json", root=opposed).json["data"]["tasks"]
    (task,) = [task for task in tasks if task["command"] == "awesome evidence --direction against"]
    assert task["n"] == len(TERMS) + 1


def test_a_warning_ends_with_a_contest_or_a_coding_kept_as_published(run, opposed: Path):
    paper = opposed / "corpus" / "aero2020.yaml"
    assert run("validate", root=opposed, code=None).out.count("V019") == len(TERMS) + 1
    paper.write_text(
        paper.read_text().replace("beans., direction: against", "beans., direction: against, as_published: true")
    )
    assert run("validate", root=opposed, code=None).out.count("V019") == len(TERMS)
    assert f"arabica ({MARK})" in run("list", "--columns", "beans", root=opposed).out
    run("tag", "aero2020", "beans=arabica", "--evidence", "The beans are named.", root=opposed)
    assert "as_published" not in paper.read_text()


def test_an_export_without_such_codings_has_no_column_for_them(run, root: Path):
    assert "evidence_against" not in run("export", "csv", root=root).out
    lost = run("export", "csv", root=root).err
    assert "tags.direction" not in lost


def test_readme_and_site_mark_it(run, opposed: Path, tmp_path: Path):
    run("render", root=opposed)
    readme = (opposed / "README.md").read_text()
    assert f"`arabica ({MARK})`, `bitter ({MARK}), sour`" in readme
    site = built(opposed, tmp_path / "site")
    for page, n in {"papers/aero2020.html": 2, "terms/beans.arabica.html": 1, "terms/taste.bitter.html": 1}.items():
        assert len(re.findall(MARK, (site / page).read_text(), re.IGNORECASE)) == n, page
    listed = (site / "papers.html").read_text()
    assert listed.count(f", {MARK}") == len(TERMS)
    assert "Evidence against: No salt was tasted." in (site / "candidates.html").read_text()
    assert '"Taste: Bitter"' not in (site / "papers" / "aero2020.html").read_text()
    index = (site / "data" / "index.js").read_text()
    codings = json.loads(re.search(r'"codings": ?(\[.*?\]), ?"', index, re.DOTALL)[1])
    assert {coding["term"] for coding in codings if coding.get("mark") == MARK} == {*TERMS}


def test_the_interface_for_python_has_the_direction(opposed: Path):
    frame = Survey.open(opposed).codings()
    assert {*frame.loc[frame["direction"] == "against", "term"]} == {*TERMS}


def test_the_map_marks_it_in_the_panel_of_a_cell(opposed: Path, tmp_path: Path, chromium: Any):
    page = chromium.new_page()
    page.goto((built(opposed, tmp_path / "site") / "map.html").as_uri() + "#rows=beans&columns=&cell=arabica,any")
    page.wait_for_selector("main >> text=Pressing matters")
    assert MARK in page.inner_text("main")
    page.close()


def test_no_main_coding_of_the_shipped_survey_has_unmarked_evidence_against_it(shipped: Corpus):
    tags = [tag for paper in shipped.papers for axis in paper.tags for tag in paper.tags_on(axis)]
    unmarked = [tag for tag in tags if tag.direction == AGAINST and not (tag.contested or tag.as_published)]
    assert unmarked == []
