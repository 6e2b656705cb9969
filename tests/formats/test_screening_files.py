"""Labelled records go out for screening tools and come back with the same decisions."""

import csv
import io
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from builders import make_corpus, make_exclusion, make_paper

from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.exporting import export, select
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.records import Candidate
from awesome_cli.model.screenings import Screenings
from awesome_cli.survey.corpus import Corpus

DAY = date(2026, 5, 1)
KINDS = {"1": "paper", "0": "exclusion", "": "candidate"}


def decisions(who: str, *, blind: bool = True, **verdicts: str) -> Screenings:
    made = [{"key": key, "verdict": verdict, "on": DAY} for key, verdict in verdicts.items()]
    return Screenings(key=who.lower(), who=who, blind=blind, decisions=made)


@pytest.fixture
def screened() -> Corpus:
    keys = ("new", "wanted", "unwanted", "torn", "skipped")
    candidates = tuple(Candidate(key=key, title=f"On {key}", proposal="consider") for key in keys)
    corpus = make_corpus(
        make_paper("kept2020", title="=Kept", authors=("Bean, Ada",), year=2020, identifiers={"doi": "10.1234/k"},
                   links=[{"label": "Paper", "url": "https://example.org/k"}],
                   extra={"abstract": "First line.\n\nSecond, \"line\".", "notes": "read twice"}),
        make_exclusion("X1", title="Left out", screening={"stage": "full_text", "reason": "tea", "on": DAY}),
    )  # fmt: skip
    both = (
        decisions("Ada", kept2020="include", wanted="include", unwanted="near_miss", torn="include", skipped="skip"),
        decisions("Bo", wanted="include", unwanted="exclude", torn="exclude"),
    )
    return Corpus(corpus.taxonomy, corpus.papers, corpus.exclusions, candidates, screenings=both)


def rows(corpus: Corpus) -> dict[str, dict[str, str]]:
    table = csv.DictReader(io.StringIO(export("screening", corpus, "any")["screening.csv"]))
    return {row["key"]: row for row in table}


def test_labels_follow_records_and_then_what_all_who_decided_say(screened):
    labels = {key: row["included"] for key, row in rows(screened).items()}
    assert labels == {"kept2020": "1", "X1": "0", "wanted": "1", "unwanted": "0", "new": "", "torn": "", "skipped": ""}


def test_what_was_settled_decides_and_who_skipped_does_not_disagree(screened):
    more = (
        decisions("Cy", wanted="skip", torn="exclude", new="exclude", skipped="exclude"),
        decisions("Dee", new="include", skipped="include"),
        decisions("settled", blind=False, torn="include", skipped="near_miss"),
    )
    waiting = [
        one.model_copy(update={"proposal": "retain", "passed": ("abstract",)}) if one.key == "new" else one
        for one in screened.candidates
    ]
    found = rows(replace(screened, candidates=tuple(waiting), screenings=(*screened.screenings, *more)))
    expected = {"wanted": "1", "torn": "1", "skipped": "0", "new": "1", "unwanted": "0"}
    assert {key: found[key]["included"] for key in expected} == expected
    assert found["wanted"]["screened_by"] == "Ada; Bo"


def test_the_table_says_who_decided_when_and_why(screened):
    found = rows(screened)
    assert (found["torn"]["screened_by"], found["torn"]["screened_on"]) == ("Ada; Bo", "2026-05-01")
    assert (found["X1"]["stage"], found["X1"]["reason"], found["X1"]["screened_on"]) == (
        "full_text",
        "tea",
        "2026-05-01",
    )
    assert found["kept2020"]["abstract"] == 'First line.\n\nSecond, "line".'
    assert [found["kept2020"][name] for name in ("authors", "year", "doi", "url")] == [
        "Bean, Ada", "2020", "10.1234/k", "https://example.org/k"]  # fmt: skip


@pytest.mark.parametrize("file", ["screening.csv", "screening.ris"])
def test_an_import_makes_the_same_decisions_of_it(screened, file):
    text = export("screening", screened, "any")[file]
    batch = read([InputFile(file, text.encode())], ReadingOptions(screened.taxonomy))
    assert not batch.failures
    kind = "record_kind" if file.endswith(".csv") else "included"
    expected = {row["title"].removeprefix("'"): KINDS.get(row[kind], row[kind]) for row in rows(screened).values()}
    assert {draft.title: draft.kind for draft in batch.drafts} == expected
    left = next(draft for draft in batch.drafts if draft.title == "Left out").fields.get("screening")
    assert left == ({"stage": "full_text", "reason": "tea"} if file.endswith(".csv") else None)
    kept = next(draft for draft in batch.drafts if draft.title == "=Kept").fields
    assert kept["identifiers"]["doi"] == "10.1234/k"
    assert "ASReview" not in str(kept.get("citation", {}))
    if file.endswith(".ris"):
        assert "read twice" in (kept["citation"].get("note"), kept["extra"].get("notes"))


def test_one_kind_alone_and_a_query_choose_records(screened):
    assert {*rows(select(screened, None, "candidate"))} == {"new", "wanted", "unwanted", "torn", "skipped"}
    assert {*rows(select(screened, "year=2020", "any"))} == {"kept2020"}


def test_the_command_writes_both_files_with_candidates(run, root: Path, tmp_path):
    run("export", "screening", "--out", tmp_path / "out", root=root)
    table = list(csv.DictReader(io.StringIO((tmp_path / "out" / "screening.csv").read_text())))
    assert {row["included"] for row in table} == {"1", "0", ""}
    assert (tmp_path / "out" / "screening.ris").read_text().count("ASReview_not_seen") == sum(
        not row["included"] for row in table
    )


def test_a_labelled_table_goes_through_another_survey_and_back(run, screened, root: Path, tmp_path):
    (tmp_path / "screening.csv").write_text(export("screening", screened, "any")["screening.csv"])
    other = tmp_path / "other"
    shutil.copytree(root, other, ignore=shutil.ignore_patterns("corpus", "exclusions", "candidates"))
    run("import", str(tmp_path / "screening.csv"), root=other)
    assert {kind: len(list((other / kind).glob("*.yaml"))) for kind in ("corpus", "exclusions", "candidates")} == {
        "corpus": 1, "exclusions": 1, "candidates": 5}  # fmt: skip
    run("export", "screening", "--out", str(tmp_path / "out"), root=other)
    told = ("record_kind", "included", "screened_by", "screened_on", "stage", "reason", "abstract")
    tables = [(tmp_path / name / "screening.csv").read_text() for name in ("", "out")]
    first, again = ({r["title"]: [r[n] for n in told] for r in csv.DictReader(io.StringIO(t))} for t in tables)
    assert again == first
    simulated = run("screen", "simulate", str(tmp_path / "screening.csv"), "--seeds", "1", "-f", "json").json["data"]
    assert (simulated["records"], simulated["relevant"]) == (4, 2)
