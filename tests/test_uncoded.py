"""A survey adds an axis that nobody has coded: no output calls its terms absent, or its claims true."""

import re
from pathlib import Path

import pytest

AXIS = """\
- id: robot
  label: Robot
  question: Was it tried on a robot?
  kind: one
  terms:
  - {id: tried, label: Tried on a robot, definition: A robot brewed it.}
"""
CLAIM = """\
claims:
- id: no-robot
  statement: No paper of this pool was tried on a robot.
  expect:
  - {count: robot=tried, at_most: 0}
  as_of: 2026-03-01
  lead: true
"""


@pytest.fixture
def uncoded(root: Path) -> Path:
    """The coffee survey with the axis and the claim."""
    taxonomy = root / "taxonomy.yaml"
    text = taxonomy.read_text()
    before, stages, after = text.partition("stages:\n")
    assert stages
    taxonomy.write_text(before.rstrip("\n") + "\n" + AXIS + "\n" + stages + after)
    (root / "claims.yaml").write_text(CLAIM)
    return root


BASE = "0 of 0 coded; 4 of 4 not coded yet"


def test_terminal_and_json_say_unknown_with_the_papers_that_are_not_coded(run, uncoded: Path):
    assert f"Tried on a robot is unknown in this pool: 0 papers ({BASE})" in run("gaps", "tried", root=uncoded).out
    table = run("gaps", "robot", root=uncoded).out
    assert re.search(r"Tried on a robot\s+unknown\s+0", table)
    assert "Robot: 0 of 4 papers coded, 4 not coded yet." in table
    cell = run("gaps", "robot", "--format", "json", root=uncoded).json["data"]["axes"]["robot"]["tried"]
    assert (cell["state"], cell["reason"], cell["coded"], cell["uncoded"]) == ("unknown", "not_coded", 0, 4)
    pairs = run("gaps", "--by", "robot,device", "--format", "json", root=uncoded).json["data"]["pairs"]
    states = {cell["state"] for cells in pairs["robot x device"]["tried"].values() for cell in [cells]}
    assert states <= {"unknown", "gap"}
    assert pairs["robot x device"]["tried"]["drip"]["state"] == "unknown"
    assert run("gaps", "robot", "--fail-on", "gap", root=uncoded).code == 0
    tasks = run("status", "--format", "json", root=uncoded).json["data"]["tasks"]
    assert ("code a paper on robot", 4) in {(task["what"], task["n"]) for task in tasks}


def test_a_claim_of_absence_is_undecided_until_the_papers_are_coded(run, uncoded: Path):
    checked = run("claims", "check", root=uncoded, code=1).out
    assert "0 of 1 claim hold as coded; 1 is undecided" in checked
    assert "1 of 4 papers not coded yet would overturn it" in checked
    assert run("claims", "check", "--allow-undecided", root=uncoded).code == 0
    taxonomy = uncoded / "taxonomy.yaml"
    taxonomy.write_text(
        taxonomy.read_text().replace(
            "Was it tried on a robot?\n  kind: one\n", "Was it tried on a robot?\n  kind: one\n  silence: none\n"
        )
    )
    assert "1 of 1 claim holds as coded" in run("claims", "check", root=uncoded).out
    assert "Tried on a robot is a gap in this pool: 0 papers" in run("gaps", "tried", root=uncoded).out


def test_an_axis_for_papers_with_a_term_of_an_uncoded_axis_may_apply_to_all_of_them(run, uncoded: Path):
    taxonomy = uncoded / "taxonomy.yaml"
    needs = (
        AXIS.replace("robot\n", "arm\n", 1)
        .replace("tried,", "bent,")
        .replace("kind: one", "kind: one\n  required_for: robot=tried")
    )
    taxonomy.write_text(taxonomy.read_text().replace(AXIS, AXIS + needs))
    cell = run("gaps", "arm", "--format", "json", root=uncoded).json["data"]["axes"]["arm"]["bent"]
    assert (cell["state"], cell["coded"], cell["uncoded"]) == ("unknown", 0, 4)


def test_readme_and_site_do_not_say_that_it_holds(run, uncoded: Path, tmp_path: Path):
    run("render", root=uncoded)
    readme = (uncoded / "README.md").read_text()
    assert "No paper of this pool was tried on a robot. Checked against the records, it is undecided" in readme
    assert "**No paper" not in readme
    assert "it holds" not in readme
    run("site", "build", "--out", str(tmp_path / "site"), root=uncoded)
    front = (tmp_path / "site" / "index.html").read_text()
    assert "undecided" in front
    term = (tmp_path / "site" / "terms" / "robot.tried.html").read_text()
    assert "unknown" in term
    assert BASE in term
    assert not re.search(r'class="chip gap', term)
