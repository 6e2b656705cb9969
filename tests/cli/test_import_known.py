"""`awesome import` and `awesome add` of works that are known or look so: the report, and that its hints work."""

import json
import shlex

import pytest
from builders import DATA

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus

INPUTS = DATA / "inputs"
BIB = """@article{bread, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2020}, doi={10.1000/a}}
@article{same, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2020}, doi={10.1000/a}}
@article{near, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2020}, doi={10.1000/b}}
@article{version, title={On Bitter Bread and Old Crumbs}, author={Bean, Ada}, year={2021}, journal={Crumb Letters}}
@article{alike, title={On Bitter Bread and Old Crumbs}}
@article{none, year={2020}}
"""


@pytest.fixture
def fresh(run, tmp_path):
    """A survey as `awesome init` starts it."""
    run("init", tmp_path / "fresh", "--title", "Bread")
    return tmp_path / "fresh"


@pytest.fixture
def refs(tmp_path):
    """A bibliography with one work in five entries, and an entry without a title."""
    path = tmp_path / "refs.bib"
    path.write_text(BIB)
    return path


def papers(root):
    return {paper.key: paper for paper in load_corpus(WorkingTree(root)).papers}


def test_the_report_names_every_entry_that_was_skipped_failed_or_changed(run, fresh, refs, tmp_path, golden):
    done = run("import", refs, "--report", tmp_path / "out.json", root=fresh, code=4)
    golden("cli/import-known.txt", done.out)
    lines = done.out.splitlines()
    assert lines[0] == "added 4 papers; known already: 1; failed: 1"
    for line in (
        "- refs.bib:6: none: the entry has no title",
        "- refs.bib:2: On Bitter Bread and Old Crumbs is bread of refs.bib:1 (both are doi 10.1000/a)",
        "'--on-duplicate add' takes in what was skipped, each as a work of its own.",
    ):
        assert line in lines
    for key in ("alike", "version", "near"):
        assert any(f": {key}: looks like " in line for line in lines)
    data = json.loads((tmp_path / "out.json").read_text())["data"]
    assert data["counts"] == {"papers": 4, "candidates": 0, "exclusions": 0, "known": 1, "failed": 1}
    assert {entry["key"]: entry["near"] for entry in data["added"]}["near"][0] == "bread"
    assert [(entry["place"], entry["earlier"]) for entry in data["known"]] == [("refs.bib:2", "refs.bib:1")]
    assert (data["mapped"], data["decisions"], data["written"]) == ({}, {}, True)


def test_the_hints_work_as_typed(run, fresh, refs):
    done = run("import", refs, "--format", "json", root=fresh, code=4)
    commands = [
        command.partition(": ")[2]
        for entry in done.json["data"]["added"]
        for warning in entry["warnings"]
        for command in warning.split("; ")
        if ": awesome " in command
    ]
    assert {command.split()[1] for command in commands} == {"link", "dedupe"}
    for command in commands:
        run(*shlex.split(command)[1:], "--dry-run", root=fresh)


def test_what_was_skipped_can_be_taken_in_with_one_flag(run, fresh, refs):
    run("import", refs, "--on-duplicate", "add", root=fresh, code=4)
    assert len(papers(fresh)) == 5
    assert papers(fresh)["same"].distinct_from == ("bread",)
    run("validate", root=fresh)


def test_known_works_are_linked_on_request(run, fresh, refs):
    done = run("import", refs, "--on-duplicate", "link", "--format", "json", root=fresh, code=4)
    assert {entry["place"]: entry["linked"] for entry in done.json["data"]["known"]} == {
        "refs.bib:2": True,
        "refs.bib:4": True,
        "refs.bib:5": True,
    }
    assert set(papers(fresh)) == {"bread", "near"}


@pytest.mark.parametrize("place", ["folder", "file/out.json"])
def test_a_report_that_cannot_be_written_is_an_error_before_the_import(run, fresh, refs, tmp_path, place):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    done = run("import", refs, "--report", tmp_path / place, root=fresh, code=2)
    assert f"--report {tmp_path / place}" in done.err
    assert papers(fresh) == {}


@pytest.mark.parametrize("name", ["bibtex/zorcpapers.bib", "cases/parts.bib", "cases/err.bib", "cases/isbn.bib"])
def test_what_an_import_added_as_another_work_is_no_duplicate(run, fresh, name):
    run("import", INPUTS / name, root=fresh)
    found = {finding["code"] for finding in run("validate", "--format", "json", root=fresh).json["findings"]}
    assert not found & {"D001", "D003", "D004"}
    assert "D002" not in found or "zorc" in name


def test_one_work_that_looks_known_is_added_as_another_or_linked(run, fresh, refs):
    refs.write_text(BIB.splitlines()[0])
    run("add", refs, root=fresh)
    alike = ("add", "--set", "title=On Bitter Bread and Old Crumbs", "--set", "year=2020")
    done = run(*alike, root=fresh, code=1)
    assert "the work seems to be in the survey already: corpus/bread.yaml" in done.err
    assert "--on-duplicate add takes it in as a work of its own" in done.err
    done = run(*alike, "--on-duplicate", "add", root=fresh)
    assert "looks like bread (" in done.out
    assert [paper.distinct_from for paper in papers(fresh).values()] == [("bread",), ()]


def test_one_work_with_a_contradiction_is_added(run, fresh, refs):
    refs.write_text(BIB.splitlines()[0])
    run("add", refs, root=fresh)
    refs.write_text(BIB.splitlines()[2])
    assert "looks like bread, and is taken for another work" in run("add", refs, root=fresh).out
    assert set(papers(fresh)) == {"bread", "near"}


@pytest.mark.parametrize(
    ("key", "code", "message"),
    [
        ("bread", 1, "'bread' is taken by corpus/bread.yaml"),
        ("bad", 1, "'bad' is taken by a record that cannot be read"),
        ("con", 2, "'con' cannot be a key"),
    ],
)
def test_a_key_that_was_asked_for_is_never_another_one(run, fresh, refs, key, code, message):
    refs.write_text(BIB.splitlines()[0])
    run("add", refs, root=fresh)
    (fresh / "corpus" / "bad.yaml").write_text("titel: [\n")
    assert message in run("add", "--set", "title=Steam Engines of the North", "--key", key, root=fresh, code=code).err
