"""Findings from an earlier run: never others than those of a new one, and none that came with a survey."""

import json
import os
import shutil
from pathlib import Path

import pytest
from rule_cases import CASES, Edit, complete

from awesome_cli.files.tree import PARTS, WorkingTree
from awesome_cli.reports.findings import Finding
from awesome_cli.rules import checking
from awesome_cli.rules.latest import latest
from awesome_cli.survey import kept, loading

EVERY = "records.json"


def validated(root: Path) -> tuple[Finding, ...]:
    return latest(root, lambda _: iter(()))[0]


def anew(root: Path) -> tuple[Finding, ...]:
    """The findings of a copy that has no kept answers."""
    copy = Path(shutil.copytree(root, root.parent / "anew", symlinks=True, ignore=shutil.ignore_patterns("cache")))
    findings = checking.check(WorkingTree(copy))
    shutil.rmtree(copy)
    return findings


@pytest.fixture
def survey(root: Path) -> Path:
    """A complete survey that was validated once."""
    assert validated(complete(root)) == ()
    assert (root / kept.FOLDER / EVERY).is_file()
    return root


FIRST = {code: (code, edit) for code, edit, *_ in reversed(CASES)}.values()
"""The first case of each rule; one of four is run by `make test`."""


@pytest.mark.parametrize(
    ("code", "edit"), [pytest.param(*case, marks=[pytest.mark.slow] * (n % 4 > 0)) for n, case in enumerate(FIRST)]
)
def test_findings_are_those_of_a_new_run(survey: Path, code: str, edit: Edit):
    path, before, after = edit
    passing = (survey / path).read_text()
    (survey / path).write_text(passing.replace(before, after, 1))
    findings = anew(survey)
    assert code in {finding.code for finding in findings}
    assert [validated(survey), validated(survey)] == [findings, findings]
    (survey / path).write_text(passing)
    assert validated(survey) == ()


def test_an_unchanged_survey_reads_no_record(survey: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checking, "check", None)
    assert validated(survey) == ()


def test_only_a_changed_record_is_parsed(survey: Path, monkeypatch: pytest.MonkeyPatch):
    parsed: list[str] = []
    put = loading.Values.put
    monkeypatch.setattr(loading.Values, "put", lambda *given: (parsed.append(given[1]), put(*given))[1])
    record = next((survey / "corpus").glob("*.yaml"))
    record.write_text(record.read_text() + "\n")
    validated(survey)
    assert parsed == [f"corpus/{record.name}"]


@pytest.mark.parametrize("name", [EVERY, "validate.json"])
def test_an_answer_that_came_with_a_survey_is_not_believed(survey: Path, name: str):
    record = next((survey / "corpus").glob("*.yaml"))
    record.write_text("titel: A\n")
    wrong = validated(survey)
    assert wrong
    file = survey / kept.FOLDER / name
    signature, data = file.read_text().split("\n", 1)
    answer = json.loads(data)
    if name == EVERY:
        answer[f"corpus/{record.name}"] = next(iter(answer.values()))
    else:
        answer["findings"] = []
    file.write_text(f"{signature}\n{json.dumps(answer)}")
    assert validated(survey) == wrong


def test_a_damaged_key_signs_nothing(survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWESOME_CACHE_DIR", str(tmp_path))
    (tmp_path / "key").write_bytes(b"")
    file = survey / kept.FOLDER / "validate.json"
    before = file.read_bytes()
    assert validated(survey) == ()
    assert file.read_bytes() != before
    assert len((tmp_path / "key").read_bytes()) == kept.KEY


@pytest.mark.parametrize("damage", ["", "x", "\n{}", "\xff"])
def test_a_damaged_answer_is_computed_again(survey: Path, damage: str):
    for file in (survey / kept.FOLDER).iterdir():
        file.write_text(damage)
    assert validated(survey) == ()


def test_files_that_are_no_records_change_the_answer(survey: Path):
    (survey / "corpus" / "__pycache__").mkdir()
    (survey / "corpus" / "__pycache__" / "a.yaml").touch()
    assert {finding.code for finding in validated(survey)} == {"S006"}
    (survey / "protocol.yaml").unlink()
    (survey / "protocol.yaml").mkdir()
    folder = validated(survey)
    (survey / "protocol.yaml").rmdir()
    os.mkfifo(survey / "protocol.yaml")
    assert validated(survey) == checking.check(WorkingTree(survey)) != folder


def test_a_link_and_a_folder_without_the_right_to_write_keep_nothing(root: Path):
    record = next((complete(root) / "corpus").glob("*.yaml"))
    (root / "corpus" / "link.yaml").symlink_to(record)
    validated(root)
    assert not (root / kept.FOLDER / "validate.json").exists()
    (root / ".awesome").rename(root / "before")
    (root / ".awesome").write_text("not a folder")
    validated(root)


def test_every_folder_of_records_is_an_input():
    assert {*loading.FOLDERS} < {*PARTS}
