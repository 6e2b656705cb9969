"""Drawing a sample, filling its sheet, bringing it back, and the published spot check."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest
from claiming import COFFEE_CLAIMS

from awesome_cli.analysis.audit.report import AuditResult, find
from awesome_cli.analysis.audit.sheets import draw
from awesome_cli.errors import UsageError
from awesome_cli.model.audits import Sample
from awesome_cli.output import Format, to_text
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def recoded(shipped: Corpus) -> Corpus:
    """The shipped survey as of the day on which sub-decisions and rewards were coded a second time."""
    return shipped.as_of(date(2026, 11, 21))


def test_the_published_spot_check(published: Corpus):
    data = AuditResult.of(published, find(published, None)).to_report().data
    axes = data["axes"]
    agreed = {name: (axis["agree"], axis["n"]) for name, axis in axes.items()}  # type: ignore[attr-defined]
    assert agreed == {
        "category": (32, 32),
        "rl": (32, 32),
        "reward_family": (32, 32),
        "orchestration_form": (32, 32),
        "credit_unit": (31, 32),
        # A later reading of this project has 11 papers without credit, of which the second reader says no.
        "credit_unit.strength": (21, 32),
    }
    asked = [one for one in data["disagreements"] if one["command"]]  # type: ignore[attr-defined]
    assert [(one["key"], one["command"]) for one in asked] == [
        ("halo", "awesome tag halo credit_unit=orchestrator:signal --revised --who 'second reader'")
    ]


def test_an_audit_that_was_not_blind_has_no_coefficients_unless_asked(published: Corpus):
    audit = find(published, None)
    plain, asked = (
        AuditResult.of(published, audit).to_report(),
        AuditResult.of(published, audit, coefficients=True).to_report(),
    )
    kappas = [[axis["kappa"] for axis in one.data["axes"].values()] for one in (plain, asked)]  # type: ignore[attr-defined]
    assert kappas[0] == [None] * 6
    assert all(kappas[1])
    assert (plain.data["coefficients"], asked.data["coefficients"]) == (False, True)
    assert plain.data["blind"] == "not blind"
    shown = [to_text(one, Format.TEXT) for one in (plain, asked)]
    assert "kappa" in shown[0]
    assert "Cohen's kappa" not in shown[0]
    assert "do not measure independent agreement" in shown[1]
    assert "apply to these papers, not to the pool" in shown[0]
    assert "credit_unit.strength: the first coding is by a later reading" in shown[0]


def figures(found: Mapping[str, Any]) -> dict[str, tuple[int, int, float | None]]:
    """For each column `(agree, n, kappa)`, kappa to three places."""
    return {name: (a["agree"], a["n"], a["kappa"] and round(a["kappa"], 3)) for name, a in found["axes"].items()}


@pytest.mark.slow
def test_the_second_coding_of_sub_decisions(recoded: Corpus):
    data = cast("dict[str, Any]", AuditResult.of(recoded, find(recoded, "sub-decisions-2026-11-21")).to_report().data)
    assert (data["blind"], data["choice"]) == ("blind", "24 chosen, 8 drawn at random")
    everything, again = figures(data), figures(data["groups"]["recoded"])
    assert everything["sub_decision=*"] == (88, 160, 0.405)
    assert again["sub_decision=*"] == (40, 48, 0.711)
    assert again["sub_decision=*:joint"] == (44, 48, 0.625)
    assert data["groups"]["drawn"]["papers"] == 8
    stop = [one for one in data["disagreements"] if one["axis"] == "sub_decision=stop"]
    assert Counter((one["first"], one["second"]) for one in stop)["NA", "designed"] == 18
    assert {one["key"] for one in stop if one["second"] == "explicit"} == {"context-folding"}


def test_the_second_coding_of_rewards(recoded: Corpus):
    data = cast("dict[str, Any]", AuditResult.of(recoded, find(recoded, "rewards-2026-11-21")).to_report().data)
    assert (data["blind"], data["choice"]) == ("16 blind, 10 not blind", "chosen")
    assert len(data["not_blind"]) == 10
    assert figures(data) == {"reward_family": (11, 26, None), "credit_unit": (10, 26, None)}
    unseen = data["groups"]["blind"]
    assert {name: axis["agree"] for name, axis in unseen["axes"].items()} == {"reward_family": 6, "credit_unit": 4}
    assert unseen["papers"] == 16
    assert unseen["coefficients"]
    both = sum(len(one["both"]) for one in data["terms"])
    alone = sum(len(one["first"]) + len(one["second"]) for one in data["terms"])
    assert (both, both + alone, round(both / (both + alone), 2)) == (102, 154, 0.66)
    sides = {(one["axis"], one["grade"]): (len(one["sides"]), one["others"]) for one in data["challengers"]}
    assert sides["reward_family", "moderate"] == (12, ("lamo2026",))
    assert sides["credit_unit", "moderate"] == (7, ("debate-as-reward",))


def test_a_sample_is_the_same_for_one_seed_and_in_proportion(published: Corpus):
    sample = Sample(size=32, seed=7, stratify="category")
    drawn = draw(published, sample)
    assert drawn == draw(published, sample)
    assert drawn != draw(published, Sample(size=32, seed=8, stratify="category"))
    assert len({paper.key for paper in drawn}) == 32
    pool = Counter(paper.tags_on("category")[0].term for paper in published.papers)
    for term, n in Counter(paper.tags_on("category")[0].term for paper in drawn).items():
        assert abs(n - 32 * pool[term] / 84) < 1


@pytest.mark.parametrize("sample", [Sample(size=85, seed=1), Sample(size=3, seed=1, stratify="categry")])
def test_an_impossible_sample_is_refused(sample: Sample, published: Corpus):
    with pytest.raises(UsageError):
        draw(published, sample)


def fill(text: str, cells: dict[str, dict[str, str]], *, delimiter: str = ",") -> str:
    """A sheet with some cells filled, by key and column."""
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        own = {column: cell for column, cell in cells.get(row["key"], {}).items() if column in row}
        writer.writerow({**row, **own})
    return "\ufeff" + out.getvalue()


CODED = {
    "aero2020": {"device": "Press", "beans": "robusta", "taste": "T1:measured"},
    "drip2021": {"device": "drip", "beans": "robusta", "taste": "sour:mentioned; bitter:measured"},
    "siphon2019": {"device": "drip", "beans": "na"},
    "soup2022": {"device": "drip", "taste": "NA"},
}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_from_sample_to_report(root: Path, run: Run, tmp_path: Path, delimiter: str):
    sheet = tmp_path / "sheet.csv"
    run("audit", "sample", "--n", 4, "--stratify", "device", "--seed", 3, "--out", sheet, root=root)
    assert "measured" not in sheet.read_text()
    run("audit", "sample", "--n", 4, "--out", sheet, root=root, code=1)
    filled = tmp_path / "filled.csv"
    filled.write_text(fill(sheet.read_text(), CODED, delimiter=delimiter), encoding="utf-8")
    arguments = ("audit", "import", filled, "--name", "second", "--on", "2026-05-02", "--who", "Rob", "--blind")
    assert "would create audits/second.yaml" in run(*arguments, "--dry-run", root=root).out
    assert "+++ b/audits/second.yaml" in run(*arguments, "--diff", root=root).out
    run(*arguments, root=root)
    run(*arguments, root=root, code=1)
    assert run("validate", root=root).code == 0
    assert "size: 4, seed: 3, stratify: device" in (root / "audits" / "second.yaml").read_text()
    answer = run("audit", "report", "--format", "json", root=root).json
    axes = answer["data"]["axes"]
    assert (axes["device"]["n"], axes["device"]["agree"]) == (4, 3)
    assert (axes["beans"]["n"], axes["beans"]["missing"]) == (3, ["soup2022"])
    # The second coder did not code siphon2019 on taste.
    assert (axes["taste=bitter"]["n"], axes["taste=bitter"]["agree"]) == (3, 3)
    assert {(d["key"], d["axis"]): d["command"] for d in answer["data"]["disagreements"]} == {
        ("aero2020", "beans"): "awesome tag aero2020 beans=robusta --revised --who Rob",
        ("siphon2019", "device"): "awesome tag siphon2019 device=drip --revised --who Rob",
        ("aero2020", "taste=sour"): "awesome tag aero2020 taste=sour --remove --revised --who Rob",
    }
    shown = run("audit", "report", root=root).out
    assert "taste=salty: every value is 'NA'; agreement beyond chance is undefined." in shown
    assert "beans: left out 1 paper without a value." in shown
    assert "Second coding: blind; papers: drawn at random." in shown


def test_another_term_with_another_strength_is_one_disagreement(root: Path, run: Run):
    taxonomy = root / "taxonomy.yaml"
    strengths = "  strengths: [{id: weak, label: Weak}, {id: strong, label: Strong}]\n"
    before, beans, after = taxonomy.read_text().partition("- id: beans\n")
    taxonomy.write_text(before + beans + strengths + after)
    (root / "audits").mkdir()
    (root / "audits" / "second.yaml").write_text(
        "'on': 2026-05-02\nsecond: Rob\nblind: true\nchosen: By hand.\ncolumns: [beans, beans.strength]\ncodings:\n"
        "- {key: aero2020, first: {beans: arabica, beans.strength: weak}, second: {beans: robusta, beans.strength: strong}}\n"
        "- {key: drip2021, first: {beans: robusta, beans.strength: weak}, second: {beans: robusta, beans.strength: strong}}\n"
    )
    data = run("audit", "report", "--format", "json", root=root).json["data"]
    assert [(each["key"], each["axis"], each["command"]) for each in data["disagreements"]] == [
        ("aero2020", "beans", "awesome tag aero2020 beans=robusta:strong --revised --who Rob"),
        ("drip2021", "beans.strength", "awesome tag drip2021 beans=robusta:strong --revised --who Rob"),
    ]


def test_the_list_tells_audits_apart(root: Path, run: Run):
    assert "The survey has no audit." in run("audit", root=root).out
    folder = root / "audits"
    folder.mkdir()
    coding = "codings: [{key: aero2020, first: {device: press}, second: {device: drip}}]\n"
    (folder / "blind.yaml").write_text(f"'on': 2026-05-02\nblind: true\ncolumns: [device, taste.strength]\n{coding}")
    (folder / "seen.yaml").write_text(f"'on': 2026-05-01\nblind: false\nchosen: By hand.\ncolumns: [beans]\n{coding}")
    answer = run("audit", "list", "--format", "json", root=root).json
    assert answer["schema"] == "awesome/audits/1"
    first, second = answer["data"]["audits"]
    assert first == {
        "name": "seen", "on": "2026-05-01", "coder": "second coder", "papers": 1, "blind": "not blind", "choice": "chosen", "axes": ["beans"],
    }  # fmt: skip
    assert (second["blind"], second["choice"], second["axes"]) == ("blind", "of unrecorded choice", ["device", "taste"])
    assert run("audit", root=root).out == run("audit", "list", root=root).out
    assert run("status", "--format", "json", root=root).json["data"]["audits"] == [first, second]
    assert "Second codings: 2 ('awesome audit')" in run("status", root=root).out


SECOND = """\
'on': 2026-05-02
blind: true
sample: {size: 1, seed: 7}
chosen: By hand.
columns: [device, taste]
groups: {drawn: {label: drawn, cells: {drip2021: '*'}}}
codings:
- {key: aero2020, blind: false, first: {device: press}, second: {device: press}}
- {key: drip2021, first: {device: drip, taste: NA}, second: {device: press, taste: "sour:tasted"}}
"""
DEVICE = (
    "Two coders agree on device in 1 of 1 cells (not blind, papers chosen) "
    "and 0 of 1 cells (blind, papers drawn at random)."
)


def test_the_agreement_on_an_axis_is_told_whole_wherever_the_axis_is(root: Path, run: Run):
    assert "Two coders" not in run("gaps", "--all", root=root).out + run("render", root=root).out
    (root / "audits").mkdir()
    (root / "audits" / "second.yaml").write_text(SECOND)
    (root / "claims.yaml").write_text(COFFEE_CLAIMS)
    for asked in ("gaps --all", "gaps device", "gaps device=drip", "gaps --by device,beans", "claims show no-cold"):
        assert run(*asked.split(), root=root).out.replace("\n", " ").count(DEVICE) == 1, asked
        rows = run(*asked.split(), "--format", "json", root=root).json["data"]["agreement"]["device"]
        assert [(row["blind"], row["choice"], row["agree"], row["cells"]) for row in rows] == [
            ("not blind", "chosen", 1, 1), ("blind", "drawn at random", 0, 1),
        ]  # fmt: skip
    assert (
        "Two coders"
        not in run("gaps", "beans", root=root).out + run("gaps", "--all", "--as-of", "2026-05-01", root=root).out
    )
    assert "by a program" not in run("gaps", "--all", root=root).out
    (root / "audits" / "second.yaml").write_text("program: true\n" + SECOND)
    assert run("gaps", "--all", root=root).out.count("by a program") == 4
    run("render", root=root)
    assert DEVICE.replace("blind,", "blind, by a program,") in (root / "README.md").read_text()
    (root / "audits" / "third.yaml").write_text(SECOND)
    assert "(second: not blind, by a program, papers chosen)" in run("gaps", "device", root=root).out.replace("\n", " ")
    assert "(third: not blind, papers chosen)" in run("gaps", "device", root=root).out.replace("\n", " ")


def test_a_sheet_takes_one_main_term_and_parts(root: Path, run: Run, tmp_path: Path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("key,device,beans\naero2020,press; drip,robusta:part; arabica\ndrip2021,drip,\n")
    done = run("audit", "import", sheet, "--name", "x", "--on", "2026-05-02", root=root, code=4)
    assert "row 2, aero2020: axis 'device' takes one main term; write others as parts: TERM:part" in done.err
    assert "beans: arabica; robusta:part" in (root / "audits" / "x.yaml").read_text()
    data = run("audit", "report", "--format", "json", root=root).json["data"]
    assert [(one["axis"], one["second"]) for one in data["terms"]] == [("beans", [["aero2020", "robusta"]])]
    assert "It is not recorded whether the second coder had seen" in run("audit", "report", root=root).out


def test_a_settled_disagreement_asks_for_nothing(root: Path, run: Run, tmp_path: Path):
    sheet = tmp_path / "sheet.csv"
    run("audit", "sample", "--n", 4, "--by", "device", "--out", sheet, root=root)
    sheet.write_text(fill(sheet.read_text(), CODED))
    run("audit", "import", sheet, "--name", "second", "--on", "2026-05-02", root=root)
    before = run("audit", "report", "--format", "json", root=root).json["data"]
    siphon = root / "corpus" / "siphon2019.yaml"
    siphon.write_text(siphon.read_text().replace("device: siphon", "device: drip"))
    after = run("audit", "report", "--format", "json", root=root).json["data"]
    assert after["axes"] == before["axes"]
    assert [d["command"] for d in after["disagreements"]] == [None]
    assert "No disagreement requires a change of the records." in run("audit", "report", root=root).out


def test_cells_that_nobody_understands_are_named_and_missing(root: Path, run: Run, tmp_path: Path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("key,device,taste\naero2020,pres,bitter:masured\nnobody,drip,\ndrip2021,drip,\ndrip2021,drip,\n")
    done = run("audit", "import", sheet, "--name", "x", "--on", "2026-05-02", root=root, code=4)
    assert "row 2, aero2020: axis 'device' has no term 'pres'; did you mean 'press'?" in done.err
    assert "axis 'taste' has no strength 'masured'; did you mean 'measured'?" in done.err
    assert "row 3: unknown paper 'nobody'" in done.err
    assert "row 5: 'drip2021' is listed twice" in done.err
    assert run("audit", "report", "--format", "json", root=root).json["data"]["axes"]["device"]["n"] == 1


def test_a_sheet_that_nobody_filled_is_no_audit(root: Path, run: Run, tmp_path: Path):
    sheet = tmp_path / "sheet.csv"
    run("audit", "sample", "--n", 4, "--out", sheet, root=root)
    assert "no filled cell" in run("audit", "import", sheet, root=root, code=2).err
    sheet.write_text("key,device\naero2020,pres\n")
    assert "axis 'device' has no term 'pres'" in run("audit", "import", sheet, root=root, code=2).err
    assert not list(root.glob("audits/*"))


def test_something_else_is_no_sheet(root: Path, run: Run, tmp_path: Path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("title,year\nA,2020\n")
    assert "not a coding sheet" in run("audit", "import", sheet, root=root, code=3).err
    sheet.write_text('key,device\ndrip2021,"cold')
    assert "line 2: unclosed quote" in run("audit", "import", sheet, root=root, code=2).err
    assert "the survey has no audit" in run("audit", "report", root=root, code=2).err
