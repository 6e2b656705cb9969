"""Each rule finds what it is for, at its place, and leaves sound records alone."""

import inspect
import re
import sys
from pathlib import Path

import pytest
from builders import DATA
from rule_cases import AERO, AUDIT, CASES, CLAIMS, DRIP, SOUP, TAX, Edit, complete

from awesome_cli.files.tree import WorkingTree
from awesome_cli.reports.findings import Level
from awesome_cli.rules.checking import RULES, check
from awesome_cli.rules.codings import unknown_axis
from awesome_cli.rules.registry import rule as register


@pytest.fixture
def claimed(root: Path) -> Path:
    """The coffee survey with files of every kind."""
    return complete(root)


@pytest.mark.parametrize(("code", "edit", "place", "fix"), CASES)
def test_a_rule_finds_what_it_is_for(claimed: Path, code: str, edit: Edit, place: str, fix: str):
    path, before, after = edit
    text = (claimed / path).read_text()
    assert before in text, f"the case edits what is not in {path}"
    (claimed / path).write_text(text.replace(before, after, 1))
    findings = check(WorkingTree(claimed))
    found = [f for f in findings if f.code == code]
    assert found, [f"{f.path}:{f.line}:{f.column} {f.code} {f.message}" for f in findings]
    assert place in {f"{f.line}:{f.column}" for f in found}
    assert any(fix in (f.fix or "") for f in found), [f.fix for f in found]
    assert all(f.fix for f in findings), [f.message for f in findings if not f.fix]


def test_sound_records_have_no_findings(claimed: Path):
    assert check(WorkingTree(claimed)) == ()


def test_every_checked_rule_has_a_case():
    # D005 is about the names of files: tests/faults/test_systems.py.
    assert {code for code, rule in RULES.items() if rule.check is not None} <= {case[0] for case in CASES} | {"D005"}


def test_every_public_check_of_a_topic_is_registered():
    registered = {rule.check for rule in RULES.values()}
    for module in {sys.modules[rule.check.__module__] for rule in RULES.values() if rule.check is not None}:
        for name, function in inspect.getmembers(module, inspect.isgeneratorfunction):
            assert name.startswith("_") or function.__module__ != module.__name__ or function in registered, name


def test_a_rule_needs_a_manual_page_and_a_code_of_its_own():
    with pytest.raises(ValueError, match="docstring is missing"):
        register("Z999", Level.NOTE)(lambda _corpus: iter(()))
    with pytest.raises(ValueError, match="in use"):
        register("V001", Level.NOTE)(unknown_axis)


def test_every_rule_has_a_manual_page_and_a_level():
    for code, rule in RULES.items():
        assert rule.manual.strip(), code
        assert len(rule.title) < 120, code
        assert isinstance(rule.level, Level), code


def test_a_broken_taxonomy_is_findings_and_the_records_are_still_read(root: Path):
    (root / "taxonomy.yaml").write_text("survey: {title: x}\naxs: []\n")
    (root / "corpus" / "bad2020.yaml").write_text("title: [\n")
    codes = {f.code for f in check(WorkingTree(root))}
    assert {"S001", "S002", "Y002"} <= codes


@pytest.mark.parametrize("program", [False, True])
def test_claims_need_not_state_the_agreement_with_a_program(root: Path, program: bool):
    complete(root)
    text = (root / AUDIT).read_text() + f"program: {str(program).lower()}\n"
    (root / "audits" / "mini.yaml").write_text(text)
    assert ("L012" in {f.code for f in check(WorkingTree(root))}) is not program


def test_two_works_of_one_title_by_different_people_are_no_duplicates(root: Path):
    for name, author in (("deep1", "Good, Ian"), ("deep2", "Heaton, Jeff")):
        text = f"title: Deep Learning\nauthors:\n- {author}\nadded: 2026-01-01\ntags:\n  device: drip\n"
        (root / "corpus" / f"{name}.yaml").write_text(
            text + f"links:\n- {{label: Page, url: https://example.org/{name}}}\n"
        )
    assert "D002" not in {f.code for f in check(WorkingTree(root))}


def test_a_reference_to_a_record_that_cannot_be_read_is_no_finding(root: Path):
    (root / "claims.yaml").write_text(
        "claims:\n- {id: a, statement: A., as_of: 2026-03-01, expect: [{ids: device=drip, at_least: [drip2021]}]}\n"
    )
    (root / "audits").mkdir(exist_ok=True)
    (root / "audits" / "second.yaml").write_text(
        '"on": 2026-05-02\nsecond: Rob\ncolumns: [device]\n'
        "codings:\n- {key: drip2021, first: {device: drip}, second: {device: drip}}\n"
    )
    (root / SOUP).write_text((root / SOUP).read_text() + "distinct_from:\n- drip2021\n")
    assert {f.code for f in check(WorkingTree(root))} <= {"C001"}
    (root / DRIP).write_text((root / DRIP).read_text().replace("year: 2021", "year: twenty"))
    assert {f.code for f in check(WorkingTree(root))} - {"C001"} == {"S003"}


def test_distinct_works_stay_distinct(root: Path):
    text = (root / DRIP).read_text()
    (root / DRIP).write_text(text.replace("coffee.2", "coffee.1") + "distinct_from:\n- aero2020\n")
    assert "D001" not in {f.code for f in check(WorkingTree(root))}


def test_nothing_that_a_file_may_hold_raises(root: Path, repository: Path):
    others = [path for path in sorted((DATA / "inputs").rglob("*")) if path.is_file()]
    for i, path in enumerate([*others, repository / "CONTRIBUTING.md"]):
        (root / "corpus" / f"other{i}.yaml").write_bytes(path.read_bytes())
    findings = check(WorkingTree(root))
    assert all(f.line >= 1 and f.column >= 1 and f.message for f in findings)


def test_a_claim_of_an_earlier_day_is_read_in_the_words_of_that_day(claimed: Path):
    """The strength 'measured' came later: a dated query cannot ask for it, one that is read today can."""
    (claimed / TAX).write_text(
        (claimed / TAX)
        .read_text()
        .replace(
            "  gap_strength: measured\n",
            "  gap_strength: measured\n"
            '  history: [{"on": 2026-04-01, was: {strengths: [{id: tasted, label: tasted}], gap_strength: tasted}}]\n',
        )
    )
    asked = '- {count: "taste=sour:measured", at_most: 9, dated: true}'
    for written, codes in ((asked, {"L002"}), (asked.replace(", dated: true", ""), set())):
        (claimed / CLAIMS).write_text(
            f"claims:\n- id: old\n  statement: At most 9.\n  expect:\n  {written}\n  as_of: 2026-03-01\n"
        )
        assert {f.code for f in check(WorkingTree(claimed)) if f.path == CLAIMS} == codes


def test_chapters_may_share_the_isbn_of_their_book(root: Path):
    for name, title in (("wine", "A chapter on wine"), ("cheese", "Cheese, a second chapter")):
        record = f"title: {title}\nauthors:\n- Doe, Jane\nyear: 1999\nidentifiers: {{isbn: 978-3-16-148410-0}}\n"
        (root / "candidates" / f"{name}.yaml").write_text(record + "citation: {type: inbook}\nproposal: consider\n")
    assert "D001" not in {f.code for f in check(WorkingTree(root))}


def test_one_cause_is_one_line(claimed: Path, run):
    for path in (AERO, DRIP, SOUP):
        text = (claimed / path).read_text()
        (claimed / path).write_text(re.sub(r"authors:\n(- .*\n)+", "", text))
    lines = run("validate", root=claimed).out.splitlines()
    found = [i for i, line in enumerate(lines) if " P002 the paper has no authors" in line]
    assert len(found) == 1
    assert lines[found[0] + 1].strip() == f"also: {DRIP}:1, {SOUP}:1"
    assert run("validate", "--format", "csv", root=claimed).out.count("the paper has no authors") == 3
