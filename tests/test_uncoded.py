"""A survey adds an axis that nobody has coded: no output calls its terms absent, or its claims true."""

import html
import json
import re
from pathlib import Path
from typing import Any

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
  headline: {sentence: No paper of this pool was tried on a robot}
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
    assert "No paper of this pool was tried on a robot; undecided: 1 of 4 papers not coded yet" in readme
    assert "**No paper" not in readme
    assert "it holds" not in readme
    run("site", "build", "--out", str(tmp_path / "site"), root=uncoded)
    front = (tmp_path / "site" / "index.html").read_text()
    assert "undecided" in front
    term = (tmp_path / "site" / "terms" / "robot.tried.html").read_text()
    assert "unknown" in term
    assert BASE in term
    assert not re.search(r'class="chip gap', term)


ARM = (
    AXIS.replace("robot\n", "arm\n", 1)
    .replace("Robot", "Arm")
    .replace("tried", "bent")
    .replace("Tried on a robot", "Bent")
)
LAYOUT = "readme: {group_by: device, badges: [robot], tables: [robot, arm], gaps: [robot, arm]}"


@pytest.fixture
def partly(uncoded: Path) -> Path:
    """The survey with 173 papers: nobody coded the axis `robot`, and 20 papers are coded on the axis `arm`."""
    taxonomy = uncoded / "taxonomy.yaml"
    text = re.sub(r"(?m)^readme: .*$", LAYOUT, taxonomy.read_text().replace(AXIS, AXIS + ARM))
    taxonomy.write_text(text.replace("maps:\n", "maps:\n- {rows: robot, columns: device}\n- {rows: arm}\n"))
    paper = (uncoded / "corpus" / "drip2021.yaml").read_text()
    for i in range(169):
        text = paper.replace("10.1000/coffee.2", f"10.1000/made.{i}").replace("Dripping slowly", f"Dripping {i}")
        text = text.replace("  beans: robusta\n", "  beans: robusta\n  arm: bent\n") if i < 20 else text
        (uncoded / "corpus" / f"made{i}.yaml").write_text(text)
    return uncoded


NOTES = {
    "robot": "Robot: 0 of 173 papers coded, 173 not coded yet.",
    "arm": "Arm: 20 of 173 papers coded, 153 not coded yet.",
}


def flat(text: str) -> str:
    """The text of a page or picture on one line, without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_each_table_of_the_terminal_and_each_picture_has_the_denominator(run, partly: Path):
    for axis, note in NOTES.items():
        for command in (["stats", "--by", axis], ["stats", "--by", f"{axis},device"], ["gaps", axis]):
            assert note in flat(run(*command, root=partly).out), command
        assert note in flat(run("gaps", "--by", f"{axis},device", root=partly).out)
        for kind, by in {"gaps": axis, "years": axis, "timeline": axis, "heatmap": f"{axis},device"}.items():
            run("plot", kind, "--by", by, "--out", partly / "pictures", root=partly)
            assert note in flat((partly / "pictures" / f"{kind}.svg").read_text()), kind
    assert all(note in run("stats", root=partly).out for note in NOTES.values())
    assert "(0 of 0 coded; 173 of 173 not coded yet)" in flat(run("explain", "tried", root=partly).out)
    assert "undecided" in run("sensitivity", root=partly).out
    claim = run("sensitivity", "--format", "json", root=partly).json["data"]["claims"][0]
    assert (claim["status"], claim["holds"]) == ("undecided", False)
    run("plot", "claims", "--out", partly / "pictures", root=partly)
    assert "holds" not in (partly / "pictures" / "claims.svg").read_text()


def test_each_page_and_file_has_the_denominator(run, partly: Path, tmp_path: Path):
    run("render", root=partly)
    readme, site = (partly / "README.md").read_text(), tmp_path / "site"
    assert all(note in readme for note in NOTES.values())
    silence = json.loads((partly / "statistics.json").read_text())["data"]["silence"]
    assert silence["arm"] == {"coded": 20, "uncoded": 153, "listed": False, "total": 173}
    run("site", "build", "--out", str(site), root=partly)
    assert all(note in flat((site / "map.html").read_text()) for note in NOTES.values())
    front = (site / "index.html").read_text()
    assert NOTES["robot"] in flat(front)
    assert "0 papers holds" not in front
    assert "No paper of this pool was tried on a robot; undecided: " in front
    assert '<meta name="description" content="No paper of this pool was tried on a robot; undecided' in front
    assert "undecided" in json.loads((site / "badge.json").read_text())["message"]
    assert "undecided" in (site / "badge.svg").read_text()


def test_the_script_of_the_map_agrees_with_its_page(run, partly: Path, tmp_path: Path, chromium: Any):
    run("site", "build", "--out", str(tmp_path / "site"), root=partly)
    page = chromium.new_page()
    page.goto((tmp_path / "site" / "map.html").as_uri() + "#rows=arm&columns=&cell=bent,any")
    page.wait_for_selector("main >> text=153")
    shown = " ".join(page.inner_text("main").split())
    assert NOTES["arm"] in shown
    assert "unknown" in shown or "20 papers" in shown
    page.close()


@pytest.mark.parametrize(
    ("expectation", "answer"),
    [
        ("{share: robot=tried, at_most: 0}", "undecided"),
        ("{share: robot=tried, among: device=drip, at_most: 0.5}", "undecided"),
        ("{count: arm=bent, over: device=drip, at_most: 0.2}", "undecided"),
        ("{count: device=drip, minus: arm=bent, at_least: 100}", "undecided"),
        ("{ids: robot=tried, at_most: []}", "undecided"),
        ("{state: robot=tried, is: gap}", "undecided"),
        ("{count: NOT robot=tried, at_least: 173}", "undecided"),
        ("{count: robot!=tried, equals: 0}", "undecided"),
        ("{count: robot=NA, equals: 173}", "undecided"),
        ("{count: robot=* robot=tried, equals: 0}", "undecided"),
        ("{share: robot=tried, among: robot=*, at_most: 0}", "undecided"),
        ("{count: arm=* device=cold, equals: 0}", "holds"),
        ("{count: robot=tried confidence=low, equals: 0}", "undecided"),
        ("{count: arm=bent contested=yes, equals: 0}", "undecided"),
        ("{count: device=drip confidence=low, equals: 0}", "undecided"),
        ("{count: arm=bent, at_least: 20}", "holds"),
        ("{count: robot=tried AND device=cold, equals: 0}", "holds"),
        ("{count: robot=tried OR device=press, at_most: 1}", "undecided"),
        ("{count: stage=abstract, of: exclusions, equals: 1}", "holds"),
    ],
)
def test_claims_that_missing_codings_could_overturn_are_undecided(run, partly: Path, expectation: str, answer: str):
    claims = partly / "claims.yaml"
    claims.write_text(CLAIM.replace("{count: robot=tried, at_most: 0}", expectation))
    code = int(answer != "holds")
    data = run("claims", "check", "--format", "json", root=partly, code=code).json["data"]
    assert [claim["status"] for claim in data["claims"]] == [answer]
    run("claims", "check", "--allow-undecided", root=partly)


OTHERS = """\
- id: surviving
  statement: No claim flips.
  expect: [{survive: no-robot, under: strict}]
  as_of: 2026-03-01
- id: earlier
  statement: Nobody tried a robot.
  expect: [{count: robot=tried, equals: 0}]
  as_of: 2026-03-01
  revised: {on: 2026-03-05, by: no-robot, because: It was worded badly.}
"""


def test_claims_on_claims_and_revised_claims_state_the_denominator(run, uncoded: Path, tmp_path: Path):
    (uncoded / "claims.yaml").write_text(CLAIM + OTHERS)
    claims = run("claims", "check", "--format", "json", root=uncoded, code=1).json["data"]["claims"]
    assert {claim["id"]: claim["status"] for claim in claims} == {
        "no-robot": "undecided",
        "surviving": "undecided",
        "earlier": "revised",
    }
    assert [claim["outcomes"][0]["holds"] for claim in claims] == [False] * 3
    shown = run("claims", "show", "earlier", root=uncoded).out
    assert re.search(r"exactly 0 +0 \(Robot coded: 0 of 3\) +undecided", shown)
    run("site", "build", "--out", str(tmp_path / "site"), root=uncoded)
    page = flat((tmp_path / "site" / "claims" / "earlier.html").read_text())
    assert "undecided as it was coded on that day" in page
    assert "0 papers (Robot coded: 0 of 3)" in page


def test_a_list_without_matches_has_the_denominator(run, uncoded: Path):
    assert "no papers match (Robot coded: 0 of 4)" in run("list", "--where", "robot=tried", root=uncoded).out
    assert "4 papers (Robot coded: 0 of 4)" in run("list", "--where", "NOT robot=tried", root=uncoded).out
    assert "no papers match\n" in run("list", "--where", "device=cold", root=uncoded).out


def test_a_measure_of_groups_that_nobody_coded_is_undecided(run, uncoded: Path):
    taxonomy = uncoded / "taxonomy.yaml"
    group = "  - {id: flown, label: flown, where: NOT robot=tried}\n"
    taxonomy.write_text(taxonomy.read_text().replace("  - {id: home,", group + "  - {id: home,"))
    answers = {
        "{largest: grams, group: shop, at_most: 60}": "holds",
        "{median: grams, group: flown, at_most: 10}": "fails",
        "{largest: grams, group: flown, at_most: 60}": "undecided",
    }
    for expectation, answer in answers.items():
        (uncoded / "claims.yaml").write_text(CLAIM.replace("{count: robot=tried, at_most: 0}", expectation))
        data = run("claims", "check", "--format", "json", root=uncoded, code=int(answer != "holds")).json["data"]
        assert [claim["status"] for claim in data["claims"]] == [answer], expectation


def test_what_selects_by_an_uncoded_axis_has_the_denominator(run, partly: Path):
    base = "(Robot coded: 0 of 173)"
    for line in ("stats --where robot=tried", "gaps arm --where robot=tried", "list --where robot=tried"):
        assert base in flat(run(*line.split(), root=partly).out), line
    assert run("list", "--where", "robot=tried", "--format", "json", root=partly).json["data"]["base"] == base[1:-1]
    listed = run("list", "--kind", "exclusion", "--where", "robot=tried", root=partly).out
    assert "no exclusions match (exclusions are not coded)" in listed
    assert (
        "no candidates match (Robot coded: 0 of 1)"
        in run("list", "--kind", "candidate", "--where", "robot=tried", root=partly).out
    )
    trials = run("sensitivity", "--format", "csv", root=partly).out.splitlines()
    assert not [
        line for line in trials if line.startswith("cells,no-robot") and ",true," in line.partition(",inert")[0][:60]
    ]
    pairs = run("gaps", "--by", "robot,device", "--format", "json", root=partly).json["data"]["pairs"]
    cell = pairs["robot x device"]["tried"]["press"]
    assert (cell["coded"], cell["uncoded"], cell["total"]) == (0, 1, 173)
    rule = "with at most 2 papers it is sparse, or unknown if papers are not coded yet"
    assert rule in flat(run("explain", "robot", root=partly).out)


def test_papers_to_which_an_axis_does_not_apply_are_not_counted_as_coded(run, uncoded: Path):
    taxonomy = uncoded / "taxonomy.yaml"
    applies = "kind: one\n  silence: none\n  required_for: device=press\n"
    text = taxonomy.read_text()
    taxonomy.write_text(text.replace("on a robot?\n  kind: one\n", f"on a robot?\n  {applies}"))
    cell = run("gaps", "robot", "--format", "json", root=uncoded).json["data"]["axes"]["robot"]["tried"]
    assert (cell["state"], cell["coded"], cell["uncoded"]) == ("gap", 1, 0)
    assert re.search(r"Robot +does not apply", run("show", "drip2021", root=uncoded).out)
    taxonomy.write_text(text)
    assert re.search(r"Robot +not coded yet", run("show", "drip2021", root=uncoded).out)


def test_in_an_empty_survey_nothing_is_a_gap(run, tmp_path: Path):
    run("init", str(tmp_path / "empty"), "--title", "Nothing yet")
    empty = tmp_path / "empty"
    assert "no paper coded" in run("gaps", root=empty).out
    run("site", "build", "--out", str(tmp_path / "site"), root=empty)
    run("render", root=empty)
    texts = [run("gaps", root=empty).out, (empty / "README.md").read_text()]
    texts += [flat((tmp_path / "site" / f"{page}.html").read_text()) for page in ("map", "index")]
    assert not any(re.search(r"\b0 \(?gap\b|gap +0 ", text) for text in texts)
