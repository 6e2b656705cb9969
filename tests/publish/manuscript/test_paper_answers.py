"""Answers to paper.yaml: each kind of entry, the pool it refers to, and errors with their line."""

from pathlib import Path

import pytest
from claiming import LIVES, state_claims
from running import invoke

from awesome_cli.analysis.claims.results import ClaimStatus
from awesome_cli.errors import SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish.manuscript.answers import PaperAnswers, answers
from awesome_cli.publish.manuscript.files import files
from awesome_cli.reports.report import Table
from awesome_cli.survey.loading import load_corpus

PAPER = """\
as_of: 2026-05-20
numbers:
  retained: {statistic: totals.retained}
  then: {statistic: totals.retained, as_of: 2026-03-01}
  sour: {count: "taste=sour"}
  measured: {count: "taste=bitter:measured"}
  sour-share: {share: "taste=sour", among: "year>=2020"}
  ratio: {count: "taste=sour", over: "taste=bitter"}
  dose: {largest: grams, group: shop}
  stated: {claim: sour-unmeasured}
tables:
  tastes: {report: gaps, by: taste, caption: Tastes}
  crossed: {report: gaps, by: "device,beans"}
  counted: {report: stats, by: device}
  papers: {report: list, where: "taste=sour", columns: [key, year], sort: -year}
  claims: {report: claims}
  flow: {report: flow}
  doses: {report: gaps, measure: grams}
lists:
  sour: {where: "taste=sour", sort: -year}
  none: {where: "device=cold"}
"""


UNMEASURED = """\
claims:
- id: share
  statement: Few old ones are of arabica.
  expect:
  - {share: beans=arabica, among: year=1900, at_most: 0.5}
  as_of: 2026-03-01
"""


def answered(root: Path, text: str = PAPER) -> PaperAnswers:
    (root / "paper.yaml").write_text(text)
    return answers(load_corpus(WorkingTree(root), candidates=True, evidence=True), root)


def test_every_kind_of_number(root: Path):
    numbers = answered(state_claims(root)).numbers
    texts = {name: (number.text, number.percent) for name, number in numbers.items()}
    assert texts == {
        "retained": ("4", None), "then": ("3", None), "sour": ("2", None), "measured": ("2", None),
        "sour-share": ("2", "66.7 %"), "ratio": ("1", None), "dose": ("60", None), "stated": ("0", None),
    }  # fmt: skip
    assert (numbers["sour-share"].value, numbers["sour-share"].base) == (pytest.approx(2 / 3), 3)


def test_tables_have_their_reports_and_lists_the_order_of_their_column(root: Path):
    got = answered(state_claims(root))
    assert {name: report.schema.split("/")[1] for name, report in got.tables.items()} == {
        "tastes": "gaps", "crossed": "gaps", "counted": "stats", "papers": "list", "claims": "claims", "flow": "flow", "doses": "gaps",
    }  # fmt: skip
    assert got.lists == {"sour": ("drip2021", "bean2020"), "none": ()}


def test_a_claim_has_a_reason_where_it_does_not_hold(root: Path):
    got = answered(state_claims(root, LIVES), "as_of: 2026-05-20\n").claims
    assert {name: bool(entry.reason) for name, entry in got.items()} == {
        "no-cold": True, "sparse-cold": False, "home-cold": True, "three": True, "robust": False,
    }  # fmt: skip
    assert "revised on 2026-05-10 by sparse-cold" in str(got["no-cold"].reason)
    early = answered(root, "as_of: 2026-04-01\n").claims
    assert early["sparse-cold"].status is ClaimStatus.NOT_YET
    assert early["sparse-cold"].reason == "made as of 2026-05-10"


def test_a_contested_claim_has_a_qualification_whatever_the_reading_of_the_file(root: Path):
    state_claims(root)
    for text in ("", "reading: strict\n"):
        entries = answered(root, text + "numbers: {}\n").claims
        contested = {name: entry.qualification for name, entry in entries.items() if entry.qualification}
        assert contested
        assert all(text.startswith("contested: fails in the ") for text in contested.values())


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("x: {statistic: totals.retaind}", "unknown statistic 'retaind'; did you mean 'retained'?"),
        ("x: {statistic: totals}", "'totals' is not a number"),
        ("x: {claim: nothing}", "nothing"),
        ("x: {claim: sour-unmeasured, figure: 9}", "has 1 figure"),
        ("x: {count: 'tast=sour'}", "did you mean 'taste'?"),
        ("x: {share: 'taste=sour', among: 'year=1900'}", "no record matches 'among'"),
        ("x: {largest: gram, group: shop}", "gram"),
        ("x: {claim: sour-unmeasured, as_of: 2026-02-01}", "claim 'sour-unmeasured' was made as of 2026-03-01"),
        ("x: {statistic: totals.retained, grade: weak}", "'grade' needs 'reading'"),
        ("x: {count: taste=sour, figure: 2}", "'count' cannot have 'figure'"),
    ],
)
def test_an_entry_without_an_answer_is_named_with_its_line(root: Path, entry: str, message: str):
    state_claims(root)
    with pytest.raises(SurveyError) as caught:
        answered(root, f"numbers:\n  ok: {{statistic: totals.retained}}\n  {entry}\n")
    assert caught.value.message.startswith("paper.yaml:3:6: ")
    assert message in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("claim", "message", "hint"),
    [
        ("no-cold", "revised on 2026-05-10 by sparse-cold", "write 'claim: sparse-cold or home-cold'"),
        ("three", "withdrawn on 2026-05-10", "remove the number"),
    ],
)
def test_a_claim_that_has_ended_has_no_number(root: Path, claim: str, message: str, hint: str):
    state_claims(root, LIVES)
    with pytest.raises(SurveyError, match=message) as caught:
        answered(root, f"numbers: {{x: {{claim: {claim}}}}}\n")
    assert hint in str(caught.value.hint)
    assert answered(root, f"numbers: {{x: {{claim: {claim}, as_of: 2026-04-01}}}}\n").numbers["x"].value >= 0


def test_a_claim_that_fails_without_a_note_has_its_status_as_reason(root: Path):
    state_claims(root, UNMEASURED)
    path, species = root / "taxonomy.yaml", "  question: Which species?\n  kind: one\n  silence: "
    path.write_text(path.read_text().replace(f"{species}none", f"{species}listed"))
    entry = answered(root, "numbers: {}\n").claims["share"]
    assert (entry.status, entry.reason) == (ClaimStatus.FAILS, "fails")


def test_a_table_of_gaps_has_two_axes_at_most(root: Path):
    with pytest.raises(SurveyError, match="one axis or two"):
        answered(root, "tables: {x: {report: gaps, by: [device, taste, beans]}}\n")


def test_a_fault_of_the_file_stops_only_commands_on_the_paper(root: Path):
    state_claims(root)
    (root / "paper.yaml").write_text("numbers:\n  x: {cuont: taste=sour}\n")
    invoke("claims", "check", root=root)
    for command in ("paper build", "paper check", "render", "export bibtex --cited-in paper/main.tex"):
        (root / "paper").mkdir(exist_ok=True)
        (root / "paper" / "main.tex").write_text("Ours")
        assert "paper.yaml:2:7: " in (said := invoke(*command.split(), root=root, code=3).err)
        assert "'cuont'" in said


def test_a_pool_of_a_day_may_have_a_paper_that_was_screened_out_since(tmp_path: Path):
    invoke("init", tmp_path / "s", "--example", "--no-input")
    got = answered(tmp_path / "s", "as_of: 2025-01-12\nlists:\n  all: {where: '*'}\n")
    assert "old-guide" in got.lists["all"]
    assert r"\surveycite{old-guide}" not in files(got, tmp_path / "s")["paper/survey-data.tex"]


def test_a_list_of_axes_makes_one_table(root: Path):
    tables = answered(root, "tables:\n  x: {report: stats, by: [device, beans]}\n").tables
    assert [
        table.columns[0] for section in tables["x"].sections for table in section.blocks if isinstance(table, Table)
    ] == ["device"]
